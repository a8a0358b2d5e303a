// SPDX-License-Identifier: Apache-2.0
#pragma once
// TESSERA_TREE(layer, w, b); declares a named tree (trace/tree.hpp) by its fields' names, of which it has up to 200:
//   template <class w_type, class b_type> struct layer { w_type w; b_type b; static constexpr ts::names<2> names{...}; };
// It stands in a namespace. layer{w, b} finds the types of its fields.

#include <tessera/trace/refused.hpp>

#include <array>
#include <string_view>

namespace tessera {

template <std::size_t N>
using names = std::array<std::string_view, N>;

namespace detail {
// A tree with a refused value: it may be assigned to a tree of arrays, so that its error is the only one.
template <class X>
inline constexpr bool has_refused = is_refused<X>;
template <template <class...> class X, class... Fields>
inline constexpr bool has_refused<X<Fields...>> = is_refused<X<Fields...>> || (has_refused<Fields> || ...);
template <class X, std::size_t N>
inline constexpr bool has_refused<std::array<X, N>> = has_refused<X>;
template <class X>
concept RefusedTree = has_refused<X>;
// x = y of trees of two types: trace/assign_tree.hpp. What says why it is refused, and the assignment of the parts.
template <class X, class Y>
constexpr auto assignment_refusal();
template <class X, class Y>
constexpr void assign_tree(X& x, Y const& y);
}  // namespace detail

}  // namespace tessera

// In a named tree: x = y, where y is a tree of another type, is one sentence, or, if y was refused, nothing. (TESSERA_TREE
// repeats it: a macro in a macro would put three more lines into the error.)
#define TESSERA_TREE_ASSIGNMENT(tree)                                                 \
  template <class tessera_tree>                                                       \
    requires(!::std::is_same_v<tessera_tree, tree>)                                   \
  constexpr tree& operator=(tessera_tree const& tessera_value) {                      \
    decltype(::tessera::detail::assignment_refusal<tree, tessera_tree>())::explain(); \
    ::tessera::detail::assign_tree(*this, tessera_value);                             \
    return *this;                                                                     \
  }

// TESSERA_EACH(m, a, b, c) is m(a) m(b) m(c): each rescan of the text does one name more.
#define TESSERA_PARENTHESES ()
#define TESSERA_RESCAN(...) TESSERA_RESCAN_3(TESSERA_RESCAN_3(TESSERA_RESCAN_3(TESSERA_RESCAN_3(__VA_ARGS__))))
#define TESSERA_RESCAN_3(...) TESSERA_RESCAN_2(TESSERA_RESCAN_2(TESSERA_RESCAN_2(TESSERA_RESCAN_2(__VA_ARGS__))))
#define TESSERA_RESCAN_2(...) TESSERA_RESCAN_1(TESSERA_RESCAN_1(TESSERA_RESCAN_1(TESSERA_RESCAN_1(__VA_ARGS__))))
#define TESSERA_RESCAN_1(...) __VA_ARGS__
#define TESSERA_EACH(m, ...) __VA_OPT__(TESSERA_RESCAN(TESSERA_EACH_NEXT(m, __VA_ARGS__)))
#define TESSERA_EACH_NEXT(m, first, ...) m(first) __VA_OPT__(TESSERA_EACH_AGAIN TESSERA_PARENTHESES(m, __VA_ARGS__))
#define TESSERA_EACH_AGAIN() TESSERA_EACH_NEXT

#define TESSERA_FIELD_PARAMETER(name) , class name##_type
#define TESSERA_FIELD(name) name##_type name;
#define TESSERA_FIELD_NAME(name) , #name
#define TESSERA_FIELD_ARGUMENT(name) , name

#define TESSERA_TREE(tree, first, ...)                                                           \
  template <class first##_type TESSERA_EACH(TESSERA_FIELD_PARAMETER, __VA_ARGS__)>               \
  struct tree {                                                                                  \
    first##_type first;                                                                          \
    TESSERA_EACH(TESSERA_FIELD, __VA_ARGS__)                                                     \
    static constexpr auto names =                                                                \
        std::to_array<std::string_view>({#first TESSERA_EACH(TESSERA_FIELD_NAME, __VA_ARGS__)}); \
    static constexpr bool has_with_fields = true;                                                \
    template <class tessera_tree>                                                                \
      requires(!::std::is_same_v<tessera_tree, tree>)                                            \
    constexpr tree& operator=(tessera_tree const& tessera_value) {                               \
      decltype(::tessera::detail::assignment_refusal<tree, tessera_tree>())::explain();          \
      ::tessera::detail::assign_tree(*this, tessera_value);                                      \
      return *this;                                                                              \
    }                                                                                            \
    template <class tessera_function>                                                            \
    constexpr decltype(auto) with_fields(tessera_function const& tessera_call) const {           \
      return tessera_call(first TESSERA_EACH(TESSERA_FIELD_ARGUMENT, __VA_ARGS__));              \
    }                                                                                            \
  };                                                                                             \
  template <class first##_type TESSERA_EACH(TESSERA_FIELD_PARAMETER, __VA_ARGS__)>               \
  tree(first##_type TESSERA_EACH(TESSERA_FIELD_DEDUCED, __VA_ARGS__))                            \
      ->tree<first##_type TESSERA_EACH(TESSERA_FIELD_DEDUCED, __VA_ARGS__)>
#define TESSERA_FIELD_DEDUCED(name) , name##_type
