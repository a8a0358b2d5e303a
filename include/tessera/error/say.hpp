// SPDX-License-Identifier: Apache-2.0
#pragma once
// Axes, meshes and layouts as words of a sentence.

#include <tessera/error/repair.hpp>

namespace tessera::error {

struct extent_text {
  std::int64_t value;
};

// Appends texts and numbers in turn.
template <class Text, class... Parts>
constexpr void say(Text& text, Parts const&... parts) {
  auto const one = [&]<class Part>(Part const& part) {
    if constexpr (std::is_convertible_v<Part const&, std::string_view>)
      text += std::string_view(part);
    else if constexpr (!std::is_same_v<Part, extent_text>)
      append_number(text, part);
    else if (part.value == dynamic)
      text += '?';
    else
      append_number(text, part.value);
  };
  (one(parts), ...);
}

template <class Text>
constexpr void say_axes(Text& text, axis_set axes, mesh_value const& mesh, bool with_sizes = false) {
  bool first = true;
  for (int a = 0; a < mesh.rank; ++a)
    if (axes.contains(a)) {
      if (!first) text += ", ";
      first = false;
      text += mesh.name(a);
      if (with_sizes) say(text, ": ", extent_text{mesh.size(a)});
    }
  if (first) text += "none";
}

template <class Text>
constexpr void say_mesh(Text& text, mesh_value const& mesh) {
  if (mesh.rank == 0) return;
  text += " on mesh (";
  say_axes(text, mesh.axes(), mesh, true);
  text += ')';
}

// P<dp, none, axes<dp, mp>>, trailing `none`s left out.
template <class Text>
constexpr void say_spec(Text& text, array_value const& x, mesh_value const& mesh) {
  int last = x.rank;
  while (last > 0 && x.entry(last - 1).empty()) --last;
  text += "P<";
  for (int d = 0; d < last; ++d) {
    if (d) text += ", ";
    int const n = x.entry(d).count();
    if (n == 0) text += "none";
    if (n > 1) text += "axes<";
    for (int k = 0; k < n; ++k) say(text, k ? ", " : "", mesh.name(x.entry(d).axis(k)));
    if (n > 1) text += '>';
  }
  text += '>';
}

}  // namespace tessera::error
