// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arguments on their way into a mapped function as slices, and its results on their way out.

#include <tessera/control/carried.hpp>
#include <tessera/control/carried_types.hpp>
#include <tessera/manual/shard_map.hpp>
#include <tessera/transform/batch.hpp>
#include <tessera/transform/mapped_dim.hpp>

namespace tessera {
namespace detail {

// Enters vmap with an axis name, and leaves it.
template <class M, class Name, std::int64_t Size>
struct naming {
  using type = M;
};
template <class... S, Axis A, std::int64_t Size>
struct naming<mesh<S...>, axis_names<A>, Size> {
  using type = mesh<S..., mapped_axis<A, Size>>;
};
template <class M, class Name>
struct without_name {
  using type = M;
};
template <class... S, Axis A>
struct without_name<mesh<S...>, axis_names<A>> {
  static constexpr bool named = mesh<S...>::template index<A> < static_cast<int>(sizeof...(S));
  using type = boost::mp11::mp_take_c<mesh<S...>, sizeof...(S) - (named ? 1 : 0)>;
};

struct entered_slice {
  int inner, outer, dim;
};

// A leaf of an argument, entering. `seen`: the axis that has a name.
template <int Dim, class M, class Inner>
struct enter_slices {
  builder* graph;
  site at;
  axis_set named;
  growable<entered_slice>* entered;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (!is_traced<X>) {
      return x;
    } else if constexpr (Dim == unmapped) {
      collective_params const seen{named};
      term const same[]{{graph, x.node}};
      int const id = named.empty() ? x.node : make<ops::pvary>(*graph, same, 1, seen).id;
      return traced<carried_type<typename X::type, Inner>>{graph, id};
    } else {
      using slice = one_slice<typename X::type, Dim>;
      if constexpr (slice::what.why != reason::none) {
        return refuse_leaf<ops::vmap, M, slice, typename X::type>(graph, at);
      } else {
        array_value const all = facts_of(*graph, x.node);
        array_value facts = all.rank > 0 ? without_dim(all, slice::dim.at) : all;  // none of a refused node
        facts.varying |= named;
        int const inner = graph->push(info<ops::argument>, nullptr, 0, {}, facts);
        entered->push_back(entered_slice{inner, x.node, slice::dim.at});
        return traced<array_type_of<slice, Inner>>{graph, inner};
      }
    }
  }
};

// Results: those that wait for a mesh get it; all as nodes; then the nodes as values of the surrounding program.
template <class Inner>
struct note_result {
  builder* graph;
  growable<int>* ids;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (!is_poisoned<X>) ids->push_back(operand_traits<X>::enter(*graph, x).id);
  }
};
template <int Dim, std::int64_t Size, std::uint32_t Entry, class M, class Name>
struct leave_slices {
  builder* graph;
  site at;
  batching* batch;
  growable<int> const* ids;
  std::size_t* next;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>) {
      return x;
    } else {
      using A = type_of_leaf<X>;
      using outside = typename without_name<joined_mesh<M, typename A::mesh>, Name>::type;
      using all = all_slices<A, Dim, Size, Entry>;
      int const id = (*ids)[(*next)++];
      if constexpr (all::what.why != reason::none) {
        return refuse_leaf<ops::vmap, M, all, A>(graph, at);
      } else {
        term made{graph, -1};
        if (id >= 0) made = Dim == unmapped ? batch->leave_same(id) : batch->leave(id, all::dim.at);
        if (Dim == unmapped && id >= 0 && !made)
          graph->refuse(refusal{refuse(reason::result_mapped), &bare_info<ops::vmap>, at, A::value, {}, 1});
        return traced<array_type_of<all, outside>>{graph, made.id};
      }
    }
  }
};

}  // namespace detail
}  // namespace tessera
