// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text of a type exactly as JAX prints it: float32[8@dp,4@(dp,mp)]{V:pp}, float32<host>[8], ~float32[].
// Source: JAX 0.10.2 str(jax.typeof(x)). An extent known only at run time prints "?".

#include <tessera/aval/value.hpp>
#include <tessera/base/text.hpp>

namespace tessera {
namespace detail {

template <class Text>
constexpr void append_axes(Text& text, axis_set set, mesh_value const& mesh) {
  if (set.size() > 1) text += '(';
  bool first = true;
  for (int a = 0; a < mesh.rank; ++a)
    if (set.contains(a)) {
      if (!first) text += ',';
      first = false;
      text += mesh.name(a);
    }
  if (set.size() > 1) text += ')';
}

template <class Text>
constexpr void append_entry(Text& text, entry_value entry, mesh_value const& mesh) {
  int const n = entry.count();
  if (n > 1) text += '(';
  for (int k = 0; k < n; ++k) {
    if (k) text += ',';
    text += mesh.name(entry.axis(k));
  }
  if (n > 1) text += ')';
}

template <class Text>
constexpr void append_states(Text& text, array_value const& x, mesh_value const& mesh) {
  axis_set const sets[]{x.varying, x.unreduced, x.reduced};
  char const letters[]{'V', 'U', 'R'};
  bool open = false;
  for (int i = 0; i < 3; ++i)
    if (!sets[i].empty()) {
      text += open ? ", " : "{";
      open = true;
      text += letters[i];
      text += ':';
      append_axes(text, sets[i], mesh);
    }
  if (open) text += '}';
}

}  // namespace detail

// Appends to std::string or fixed_text.
template <class Text>
constexpr void describe_to(Text& text, array_value const& x, mesh_value const& mesh) {
  if (x.weak) text += '~';
  text += name_of(x.element);
  if (x.memory == memory_kind::host) text += "<host>";
  text += '[';
  for (int d = 0; d < x.rank; ++d) {
    if (d) text += ',';
    if (x.extent(d) == dynamic)
      text += '?';
    else
      append_number(text, x.extent(d));
    if (!x.entry(d).empty()) {
      text += '@';
      detail::append_entry(text, x.entry(d), mesh);
    }
  }
  text += ']';
  detail::append_states(text, x, mesh);
}

inline std::string describe(array_value const& x, mesh_value const& mesh) {
  std::string text;
  describe_to(text, x, mesh);
  return text;
}

}  // namespace tessera
