// SPDX-License-Identifier: Apache-2.0
#pragma once
// How an error type spells what it knows: arrays as lhs<float, 8, 4>::P<dp> (element, extents, layout), the rest as one
// number or a few axes. An extent of -1 is known only when the program runs.

#include <tessera/aval/array_type.hpp>
#include <tessera/base/config.hpp>

#include <cstdint>

namespace tessera::error {

namespace detail {
template <class Element, class Shape, class... Layout>
struct array_fact {};
}  // namespace detail

template <class Element, std::int64_t... Extents>
struct lhs {
  template <class... Layout>
  struct P : detail::array_fact<Element, shape<Extents...>, Layout...> {};
};
template <class Element, std::int64_t... Extents>
struct rhs {
  template <class... Layout>
  struct P : detail::array_fact<Element, shape<Extents...>, Layout...> {};
};
template <class Element, std::int64_t... Extents>
struct operand {
  template <class... Layout>
  struct P : detail::array_fact<Element, shape<Extents...>, Layout...> {};
};

template <int Operand>
struct at_operand {};  // of more than two, counted from 0
template <int... Dim>
struct at_dim {};  // counted from 0; two numbers: the left side's and the right side's
template <class... A>
struct over {};  // the mesh axes at fault
template <class... A>
struct not_in_mesh {};  // those that it does not have
template <class... A>
struct mesh_has {};  // all axes of the mesh
template <class Spec>
struct asked {};  // the spec as it was written
template <std::int64_t... Extents>
struct into {};  // the extents asked for
template <std::int64_t... Extents>
struct extents {};  // two that should be equal
template <int... Ranks>
struct ranks {};  // two that should be equal
template <int Rank>
struct of_rank {};
template <int Count>
struct entries {};  // how many a spec has
template <std::int64_t Extent>
struct size {};
template <std::int64_t Parts>
struct parts {};  // devices that share the dimension
template <std::int64_t Extent>
struct padded_to {};  // the next size that divides
template <std::int64_t Index>
struct index {};
template <std::int64_t Value>
struct value {};  // of a C++ number
template <std::uint64_t Value>
struct unsigned_value {};
template <class Element>
struct meets {};  // the element type that it should take
template <int Dim>
struct dim {};  // the dimension asked for
template <class Spec>
struct reshard {};  // the fix: reshard<Spec>(the operand)
template <class Spec>
struct reshard_lhs {};
template <class Spec>
struct reshard_rhs {};
template <class Spec>
struct out_sharding {};  // the fix: a last argument; the whole sum on each device
template <class Spec>
struct or_out_sharding {};  // and one with a share of it on each
template <std::int64_t Bytes>
struct moves_bytes {};  // what the fix moves, per device, at most
template <class Mesh>
struct lhs_on {};
template <class Mesh>
struct rhs_on {};
template <int Count>
struct arguments {};  // how many a function was given
template <int Count>
struct results {};  // how many it returned
template <int Count>
struct tree_parts {};  // of how many a tree consists
template <class Type>
struct given {};  // a C++ type that stands where an array should
template <unsigned Line>
struct at_line {};  // of the user's file

// What explain() denies. It depends on the operation, so that it is only asked when an error speaks.
template <class Op>
inline constexpr bool lawful = false;

// Whether facts of these names are among the facts, of which a sentence may speak.
template <template <class...> class Fact, class F>
inline constexpr bool is_fact = false;
template <template <class...> class Fact, class... X>
inline constexpr bool is_fact<Fact, Fact<X...>> = true;
template <template <class...> class Fact, class... Facts>
inline constexpr bool names_axes_in = (is_fact<Fact, Facts> || ...);
template <class F>
inline constexpr bool is_repair = false;
template <class S>
inline constexpr bool is_repair<reshard<S>> = true;
template <class S>
inline constexpr bool is_repair<reshard_lhs<S>> = true;
template <class S>
inline constexpr bool is_repair<reshard_rhs<S>> = true;
template <class F>
inline constexpr bool is_pair_of_dims = false;
template <int L, int R>
inline constexpr bool is_pair_of_dims<at_dim<L, R>> = true;

struct message;  // error/full_text.hpp
template <class Op, class... Facts>
constexpr message full_text(std::string_view sentence);

}  // namespace tessera::error
