// SPDX-License-Identifier: Apache-2.0
#pragma once
// A tree whose leaves are mapped by the specs that are said for them: P<dp> for all, or layer<P<none, mp>, P<mp>>.

#include <tessera/spec/partition_spec.hpp>
#include <tessera/trace/poison.hpp>
#include <tessera/trace/tree.hpp>

namespace tessera {
namespace detail {

// A spec, or a tree of specs.
template <class S>
concept SpecTree = is_spec<S> || Tree<S>;

template <class T>
constexpr int parts_of_tree() {
  if constexpr (Tree<T>)
    return static_cast<int>(positions_in<T>::size());
  else
    return 1;
}

// A leaf of a tree for whose parts another number of specs was given.
template <class Op, int Said, int Parts>
struct poisoned_leaf {
  using refused = error::specs_miscounted<Op, error::entries<Said>, error::tree_parts<Parts>>;
  builder* graph;
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (contains<operand_kind::array, X>)
      return poisoned<explained<refused>>{at};
    else
      return miscounted<Op, Said, error::tree_parts, Parts>(graph ? graph : builder_among(x), at);
  }
};

// The results of with.leaf<S>() on the leaves of x, where S is the leaf's spec: Said is the spec of all leaves, or a
// tree of those of x's parts. The leaves of a part with another number of parts are mapped by with.miscounted<S, Parts>().
template <class Said, class With, class X>
constexpr auto by_specs(With const& with, X const& x);

template <std::size_t I, class With, class Said, class Parts>
constexpr auto part_by_specs(With const& with, Said const& said, Parts const& x) {
  return by_specs<std::remove_cvref_t<decltype(part<I>(said))>>(with, part<I>(x));
}
template <class X, std::size_t... I, class With, class Said, class Parts>
constexpr auto parts_by_specs(std::index_sequence<I...>, With const& with, Said const& said, Parts const& x) {
  return typename rebuild<X>::template with<decltype(part_by_specs<I>(with, said, x))...>{
      part_by_specs<I>(with, said, x)...};
}
template <class Said, class With, class X>
constexpr auto by_specs(With const& with, X const& x) {
  constexpr int said = parts_of_tree<Said>(), parts = parts_of_tree<X>();
  if constexpr (!Tree<Said>)
    return tree_map(with.template leaf<Said>(), x);
  else if constexpr (said != parts) {
    using leaf = decltype(with.template miscounted<said, parts>());
    if constexpr (contains<operand_kind::array, X> && requires { typename leaf::refused; }) leaf::refused::explain();
    return tree_map(with.template miscounted<said, parts>(), x);
  } else
    return parts_by_specs<X>(positions_in<Said>{}, with, parts_of(Said{}), parts_of(x));
}

}  // namespace detail
}  // namespace tessera
