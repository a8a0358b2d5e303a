// SPDX-License-Identifier: Apache-2.0
#pragma once
// The types of values inside a loop: what it carries, what branches give, slices, and arrays of slices.

#include <tessera/control/loop_result.hpp>
#include <tessera/trace/leaf_meshes.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {
namespace detail {

// The array types of values inside a loop on mesh M: carried values, results of branches (never weak), a slice of an
// array, an array of slices.
template <ArrayType A>
struct carried_facts {
  static constexpr array_value facts = A::value;
};
template <ArrayType A, dtype Element = A::value.element>
struct hard_facts {
  static constexpr array_value facts = [] {
    array_value x = A::value;
    x.weak = false;
    x.element = Element;
    return x;
  }();
};
template <ArrayType A>
struct sliced_facts {
  static constexpr array_value facts = slice_facts(A::value);
};
template <ArrayType A, std::int64_t Length>
struct stacked_result {
  static constexpr array_value facts = stacked_facts(A::value, Length);
};
template <ArrayType A, Mesh M>
using carried_type = array_type_of<carried_facts<A>, joined_mesh<M, typename A::mesh>>;
template <ArrayType A, Mesh M>
using hard_type = array_type_of<hard_facts<A>, joined_mesh<M, typename A::mesh>>;
template <ArrayType A, Mesh M>
using slice_type = array_type_of<sliced_facts<A>, M>;
template <ArrayType A, std::int64_t Length, Mesh M>
using stacked_type = array_type_of<stacked_result<A, Length>, joined_mesh<M, typename A::mesh>>;

template <class X>
using type_of_leaf = typename operand_traits<X>::type;
template <class... X>
using mesh_of_leaves = typename leaf_meshes<std::tuple<signature_of<X>...>>::type;

// The type of the first array of a tree, as the first error among marked leaves; void if it has none.
struct mark_type {
  template <class X>
  constexpr auto operator()(X const&) const {
    return poisoned<type_of_leaf<X>>{};
  }
};
template <class Tree>
using first_leaf_type = error_in<decltype(tree_map(mark_type{}, std::declval<Tree const&>()))>;

// The extent of an array along a dimension, for a tree that of its first leaf; 1 if there is no such dimension.
struct see_extent {
  int dim;
  bool* found;
  std::int64_t* extent;
  template <class A>
  constexpr void operator()(A const&) const {
    if constexpr (ArrayType<A>) {
      if (!*found && A::rank > dim) *extent = A::value.extent(dim);
      *found = true;
    }
  }
};
template <int Dim, class X>
inline constexpr std::int64_t extent_along = [] {
  bool found = false;
  std::int64_t extent = 1;
  tree_each(see_extent{Dim, &found, &extent}, signature_of<X>{});
  return extent;
}();

// A value that waits for a mesh, axis_index<dp>() or a constant of another one, on mesh M.
template <Mesh M>
struct place_leaf {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return put_on<M>(x);
  }
};

}  // namespace detail
}  // namespace tessera
