// SPDX-License-Identifier: Apache-2.0
#pragma once
// The slices that a scan goes over as arguments of its body, and what its body returns.

#include <tessera/control/carried_error.hpp>
#include <tessera/control/recordable.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera {
namespace detail {

// What a scan goes over: values with a dimension 0 that is whole, and as long as that of the first of them.
constexpr verdict judge_slices(array_value const& facts, std::int64_t length) {
  if (facts.rank == 0) return refuse(reason::dim_out_of_range, 0, {}, 0, 0);
  if (!facts.entry(0).empty()) return refuse(reason::sharded_dim_unsupported, 0, facts.entry(0).axes());
  if (length >= 0 && length != facts.extent(0)) return refuse(reason::shapes_disagree, 0, {}, length, facts.extent(0));
  return {};
}
template <ArrayType A, ArrayType First>
struct no_slices {
  static constexpr verdict what = judge_slices(A::value, First::rank > 0 ? First::value.extent(0) : -1);
};
// Leaves as their errors, where there is one. First: the type of the first leaf.
template <Mesh M, class First>
struct slices_by_type {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>) {
      return x;
    } else {
      using type = type_of_leaf<X>;
      using why = no_slices<type, First>;
      if constexpr (why::what)
        return x;
      else if constexpr (why::what.why == reason::shapes_disagree)
        return poisoned<error::of<ops::scan, M, why, void, boost::mp11::mp_list<First, type>>>{};
      else
        return poisoned<error::of<ops::scan, M, why, void, boost::mp11::mp_list<type>>>{};
    }
  }
};
// The error of a tree that a scan cannot go over, or void.
template <Mesh M, class Over>
constexpr auto refusal_of_slices() {
  if constexpr (!std::is_void_v<error_in<Over>>)
    return std::type_identity<error_in<Over>>{};
  else if constexpr (std::is_void_v<first_leaf_type<Over>>)
    return std::type_identity<void>{};
  else
    return std::type_identity<
        error_in<decltype(tree_map(slices_by_type<M, first_leaf_type<Over>>{}, std::declval<Over const&>()))>>{};
}
template <Mesh M, class Over>
using slices_refused = typename decltype(refusal_of_slices<M, Over>())::type;

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
      if (verdict const judged = judge_slices(facts, *length); judged)
        *length = facts.extent(0);
      else if (judged.why == reason::shapes_disagree)
        graph->refuse(refusal{judged, &bare_info<ops::scan>, at, facts_of(*graph, (*ids)[0]), facts, 2});
      else
        graph->refuse(refusal{judged, &bare_info<ops::scan>, at, facts, {}, 1});
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

}  // namespace detail
}  // namespace tessera
