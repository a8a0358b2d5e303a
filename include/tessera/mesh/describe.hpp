// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text of a mesh as JAX prints it: AbstractMesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit)), and of lists of
// its axes: ('dp', 'mp'), (Explicit, Explicit), {'dp', 'mp'} for a set. Source: JAX 0.10.2 str(mesh),
// str(mesh.abstract_mesh). Differs: no device_kind of a mesh without devices; a size known only at run time prints "?".

#include <tessera/base/text.hpp>
#include <tessera/mesh/mesh.hpp>

#include <iosfwd>

namespace tessera {

constexpr std::string_view name_of(axis_kind kind) {
  constexpr std::string_view names[]{"Auto", "Explicit", "Manual", "Manual", "Mapped"};
  return names[static_cast<int>(kind)];
}

// `head` is the kind of mesh: AbstractMesh, or Mesh for one with devices.
template <class Text>
constexpr void describe_to(Text& text, mesh_value const& mesh, std::string_view head = "AbstractMesh") {
  text += head;
  text += '(';
  for (int a = 0; a < mesh.rank; ++a) {
    text += '\'';
    text += mesh.name(a);
    text += "': ";
    if (mesh.size(a) == dynamic)
      text += '?';
    else
      append_number(text, mesh.size(a));
    text += ", ";
  }
  if (mesh.rank == 0) text += "(), ";
  text += "axis_types=(";
  for (int a = 0; a < mesh.rank; ++a) {
    if (a) text += ", ";
    text += name_of(mesh.kind(a));
  }
  text += mesh.rank == 1 ? ",))" : "))";
}

inline std::string describe(mesh_value const& mesh, std::string_view head = "AbstractMesh") {
  std::string text;
  describe_to(text, mesh, head);
  return text;
}

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, mesh_value const& mesh) {
  return out << describe(mesh);
}

using axis_name_list = inplace_list<std::string_view, max_rank>;
using axis_kind_list = inplace_list<axis_kind, max_rank>;
// Names in mesh order, without repetition.
struct axis_name_set : axis_name_list {
  using axis_name_list::axis_name_list;
};

inline std::string describe(axis_name_list const& names) {
  std::string text = "(";
  for (int i = 0; i < names.size(); ++i) (((text += i ? ", '" : "'") += names[i]) += '\'');
  return text + (names.size() == 1 ? ",)" : ")");
}
inline std::string describe(axis_kind_list const& kinds) {
  std::string text = "(";
  for (int i = 0; i < kinds.size(); ++i) (text += i ? ", " : "") += name_of(kinds[i]);
  return text + (kinds.size() == 1 ? ",)" : ")");
}
inline std::string describe(axis_name_set const& names) {
  std::string text = "{";
  for (int i = 0; i < names.size(); ++i) (((text += i ? ", '" : "'") += names[i]) += '\'');
  return text + '}';
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, axis_kind kind) {
  return out << name_of(kind);
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, axis_name_list const& names) {
  return out << describe(names);
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, axis_kind_list const& kinds) {
  return out << describe(kinds);
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, axis_name_set const& names) {
  return out << describe(names);
}

// The mesh of types: prints, and compares with that of typeof_(x).
template <Mesh M>
inline constexpr mesh_value const& abstract_mesh = M::value;

}  // namespace tessera
