// SPDX-License-Identifier: Apache-2.0
#pragma once
// The error of a loop or branch that returns values of other types than it began with.

#include <tessera/control/carried_types.hpp>
#include <tessera/control/components.hpp>
#include <tessera/error/error.hpp>
#include <tessera/trace/error_in.hpp>

namespace tessera {
namespace detail {

// Whether a returned value has another type than the carried one; and both, as values inside a loop have them.
struct type_differs {};
template <Mesh M>
struct check_type {
  template <class X, class Y>
  constexpr auto operator()(X const&, Y const& returned) const {
    if constexpr (is_poisoned<X> || is_poisoned<Y> || (!Operand<X> && !Operand<Y>))
      return returned;
    else if constexpr (hard_type<type_of_leaf<X>, M>::value == hard_type<type_of_leaf<Y>, M>::value)
      return returned;
    else
      return poisoned<type_differs>{};
  }
};
template <Mesh M>
struct hard_leaf {
  template <class X>
  constexpr auto operator()(X const&) const {
    if constexpr (Operand<X>)
      return hard_type<type_of_leaf<X>, M>{};
    else
      return array_type<bool, shape<>, P<>, M>{};  // a static argument, as any other
  }
};
template <reason Why>
struct differing {
  static constexpr verdict what = refuse(Why);
};
template <class Op, reason Why, Mesh M, fixed_string Path, bool Counted, class X, class Y>
constexpr auto error_of_components() {
  if constexpr (std::is_void_v<error_in<decltype(tree_map(check_type<M>{}, std::declval<X const&>(),
                                                          std::declval<Y const&>()))>>) {
    return std::type_identity<void>{};
  } else {
    using x = decltype(tree_map(hard_leaf<M>{}, std::declval<X const&>()));
    using y = decltype(tree_map(hard_leaf<M>{}, std::declval<Y const&>()));
    using pairs = decltype([] {
      if constexpr (Counted)
        return leaf_pairs<Path, std::tuple_element_t<1, x>, std::tuple_element_t<1, y>>();
      else
        return leaf_pairs<Path, x, y>();
    }());
    return error::typed_by<Why, decltype(error::facts<Op>{} + components_of<pairs, Why == reason::carry_differs>())>{};
  }
}
// The error for a tree Y that is returned for an X, or void. Path: the name of the tree.
template <class Op, reason Why, Mesh M, fixed_string Path, class X, class Y, bool Counted = false>
using error_between = typename decltype(error_of_components<Op, Why, M, Path, Counted, X, Y>())::type;

}  // namespace detail
}  // namespace tessera
