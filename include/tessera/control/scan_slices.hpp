// SPDX-License-Identifier: Apache-2.0
#pragma once
// The slices that a scan goes over as arguments of its body, and what its body returns.

#include <tessera/control/carried_error.hpp>
#include <tessera/control/recordable.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera {
namespace detail {

// The slices of the arrays as arguments of the body, and their number.
struct check_slices {
  static_assert(op_register<ops::scan>::done);
  builder* graph;
  site at;
  growable<int> const* ids;
  std::int64_t* length;
  std::size_t* next;
  template <class X>
  constexpr void operator()(X const&) const {
    if constexpr (!is_poisoned<X>) {
      array_value const facts = facts_of(*graph, (*ids)[(*next)++]);
      if (facts.rank == 0) {
        graph->refuse(refusal{refuse(reason::dim_out_of_range, 0, {}, 0, 0), &bare_info<ops::scan>, at, facts, {}, 1});
      } else if (!facts.entry(0).empty()) {
        graph->refuse(refusal{refuse(reason::sharded_dim_unsupported, 0, facts.entry(0).axes()),
                              &bare_info<ops::scan>,
                              at,
                              facts,
                              {},
                              1});
      } else if (*length < 0) {
        *length = facts.extent(0);
      } else if (*length != facts.extent(0)) {
        graph->refuse(refusal{refuse(reason::shapes_disagree, 0, {}, *length, facts.extent(0)), &bare_info<ops::scan>,
                              at, facts_of(*graph, (*ids)[0]), facts, 2});
      }
    }
  }
};
template <Mesh M>
struct slice_argument {
  builder* graph;
  growable<int> const* ids;
  growable<int>* made;
  std::size_t* next;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>) {
      return x;
    } else {
      array_value const facts = slice_facts(facts_of(*graph, (*ids)[(*next)++]));
      made->push_back(graph->push(info<ops::argument>, nullptr, 0, {}, facts));
      return traced<slice_type<type_of_leaf<X>, M>>{graph, made->back()};
    }
  }
};
template <Mesh M, std::int64_t Length>
struct stacked_value {
  builder* graph;
  int loop;
  std::int64_t length;
  growable<int> const* slices;
  std::size_t* next;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>) {
      return x;
    } else {
      auto const k = (*next)++;
      array_value const facts =
          stacked_facts(k < slices->size() ? facts_of(*graph, (*slices)[k]) : array_value{}, length);
      return traced<stacked_type<type_of_leaf<X>, Length, M>>{graph,
                                                              loop_result(*graph, loop, static_cast<int>(k), facts).id};
    }
  }
};

// A slice of a constant, for the call that finds the values that the body reads.
struct seen_slice {
  template <class X>
  constexpr auto operator()(X const& x) const {
    static_assert(
        !is_unplaced<X>,
        "tessera: a scan over a value that does not know its mesh yet. Fix: axis_index<dp>(x) and psum<dp>(x) "
        "of a value x of the region do.");
    if constexpr (is_poisoned<X>)
      return x;
    else
      return some_constant<slice_type<type_of_leaf<X>, typename type_of_leaf<X>::mesh>>();
  }
};

// Part of the results of a scan's body: 0, the carried values; 1, the stacked ones. A refusal stands for both.
template <std::size_t I, class R>
constexpr auto half_of(R const& returned) {
  if constexpr (is_std_tree<R>)
    return std::get<I>(returned);
  else
    return returned;
}

template <class T>
inline constexpr bool is_pair = false;
template <class T>
  requires is_std_tree<T>
inline constexpr bool is_pair<T> = std::tuple_size_v<T> == 2;

}  // namespace detail
}  // namespace tessera
