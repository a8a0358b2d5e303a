// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays, and trees of them, printed and drawn: operator<<, visualize(x), visualize_array_sharding(x).

#include <tessera/array/array.hpp>
#include <tessera/array/stored_array.hpp>
#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/view/print_array.hpp>
#include <tessera/view/svg.hpp>
#include <tessera/view/typeof.hpp>
#include <tessera/view/visualize.hpp>

#include <iosfwd>
#include <set>
#include <string>

namespace tessera {

namespace functions {

// The devices of each part, as boxes: text, with colors on a terminal; to_svg(visualize(x)) makes a drawing.
template <ArrayType A>
sharding_picture visualize(array<A> const& x) {
  return visualize_sharding(x.shape(), x.sharding(), std::string(type_text<A>));
}
template <ArrayType A>
void visualize_array_sharding(array<A> const& x, std::ostream& out) {
  out << visualize(x);
}
template <ArrayType A>
void visualize_array_sharding(array<A> const& x) {
  detail::print_picture(visualize(x));
}
// A value of traced code has no devices: it is refused.
template <ArrayType A>
constexpr refused_answer visualize(traced<A> const& x) {
  return x.sharding();
}
template <ArrayType A>
constexpr void visualize_array_sharding(traced<A> const& x) {
  x.sharding();
}
// Of something else: one sentence.
template <class X>
  requires(!Refused<X> && !Operand<X>)
constexpr refused_answer visualize(X const&) {
  written::shown_as_array<X>::explain();
  return {};
}
template <class X>
  requires(!Refused<X> && !Operand<X>)
constexpr void visualize_array_sharding(X const&) { written::shown_as_array<X>::explain(); }
// For a refused call, whose error was reported already.
template <Refused X>
refused_answer visualize(X const&) {
  return {};
}
template <Refused X>
void visualize_array_sharding(X const&) {}
template <Refused X>
void visualize_array_sharding(X const&, std::ostream&) {}

}  // namespace functions

namespace detail {
// float32[8@dp,4], its parts in process 1 of 2
std::string parts_title(std::string_view type);
// [0:4, 2:4] on CpuDevice(id=1)
std::string part_title(region const& index, device const& where);

// The parts of this process, each once. Nothing is sent, so that any process may print at any time.
template <ArrayType A>
std::string parts_text(array<A> const& x) {
  std::string text = parts_title(type_text<A>);
  std::set<void const*> seen;
  for (auto const& shard : x.addressable_shards()) {
    if (!seen.insert(shard.data).second) continue;
    text += part_title(shard.index, shard.where);
    text += values_text(A::value.element, shard.to_host().data(), shard.shape(), {});
  }
  return text;
}
}  // namespace detail

// The values, as numpy prints them; for an array with parts in other processes the parts of this process.
template <class Traits, ArrayType A>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, array<A> const& x) {
  if (!detail::is_read_whole(x.stored().facts, x.mesh().value())) return out << detail::parts_text(x);
  auto const values = x.to_host();
  return out << detail::values_text(A::value.element, values.data(), x.shape(), {});
}

// What device_get gives.
template <class Traits, ElementType T>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, host_array<T> const& values) {
  return out << array_text(values.data(), values.shape());
}

// A tree of arrays: each leaf behind its path, w: [[1. 2.]], from a line of its own on.
template <class Traits, class T>
  requires(NamedTree<T> || (detail::is_std_tree<T> && contains_array<T>()))
std::basic_ostream<char, Traits>
&operator<<(std::basic_ostream<char, Traits>& out, T const& tree) {
  char const* between = "";
  tree_each_with_path(
      [&](std::string const& path, auto const& leaf) {
        out << between << path << ": " << leaf;
        between = "\n";
      },
      tree);
  return out;
}

// The ids of a mesh's devices, as an array of its shape.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, device_id_grid const& ids) {
  return out << array_text(ids.data(), ids.extents);
}

// A shape as Python prints it: (8, 4), (3,), ().
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, extents_list const& extents) {
  out << '(';
  for (int d = 0; d < extents.size(); ++d) out << (d ? ", " : "") << extents[d];
  return out << (extents.size() == 1 ? ",)" : ")");
}

}  // namespace tessera
