// SPDX-License-Identifier: Apache-2.0
#pragma once
// A spec together with the mesh that names its axes; it prints and compares as JAX's PartitionSpec does.
// Source: JAX 0.10.2 str(P(...)), P.__eq__: P('dp') is not P('dp', None), P(('dp',)) is P('dp').

#include <tessera/base/text.hpp>
#include <tessera/spec/partition_spec.hpp>

#include <iosfwd>

namespace tessera {
namespace detail {

template <class Text>
constexpr void append_quoted(Text& text, std::string_view name) {
  text += '\'';
  text += name;
  text += '\'';
}

template <class Text>
constexpr void append_keyed(Text& text, std::string_view key, axis_set set, mesh_value const& mesh, bool follows) {
  if (set.empty()) return;
  if (follows) text += ", ";
  text += key;
  text += "={";
  bool first = true;
  for (int a = 0; a < mesh.rank; ++a)
    if (set.contains(a)) {
      if (!first) text += ", ";
      first = false;
      append_quoted(text, mesh.name(a));
    }
  text += '}';
}

// The axes that one part of P<...> names.
template <class Part>
struct axes_of_part {
  using type = boost::mp11::mp_list<Part>;
};
template <>
struct axes_of_part<none> {
  using type = boost::mp11::mp_list<>;
};
template <>
struct axes_of_part<unconstrained> {
  using type = boost::mp11::mp_list<>;
};
template <template <class...> class Part, Axis... A>
struct axes_of_part<Part<A...>> {
  using type = boost::mp11::mp_list<A...>;
};
template <class Axes>
struct mesh_naming;
template <class... A>
struct mesh_naming<boost::mp11::mp_list<A...>> {
  using type = mesh<explicit_axis<A, 1>...>;
};
template <class... Parts>
using mesh_of_parts = typename mesh_naming<boost::mp11::mp_unique<
    boost::mp11::mp_append<boost::mp11::mp_list<>, typename axes_of_part<Parts>::type...>>>::type;

}  // namespace detail

// Appends P('dp', ('tp', 'sp'), None, unreduced={'mp'}) to std::string or fixed_text.
template <class Text>
constexpr void describe_to(Text& text, spec_value const& spec, mesh_value const& mesh) {
  text += "P(";
  for (int d = 0; d < spec.rank; ++d) {
    if (d) text += ", ";
    if (spec[d].is_open()) {
      text += std::string_view("UNCONSTRAINED");
      continue;
    }
    int const n = spec[d].count();
    if (n == 0) text += "None";
    if (n > 1) text += '(';
    for (int k = 0; k < n; ++k) {
      if (k) text += ", ";
      detail::append_quoted(text, mesh.name(spec[d].axis(k)));
    }
    if (n > 1) text += ')';
  }
  if (spec.rank == 1 && spec.unreduced.empty() && spec.reduced.empty()) text += ',';
  detail::append_keyed(text, "unreduced", spec.unreduced, mesh, spec.rank > 0);
  detail::append_keyed(text, "reduced", spec.reduced, mesh, spec.rank > 0 || !spec.unreduced.empty());
  text += ')';
}

inline std::string describe(spec_value const& spec, mesh_value const& mesh) {
  std::string text;
  describe_to(text, spec, mesh);
  return text;
}

struct named_spec {
  spec_value value{};
  mesh_value mesh{};

  constexpr int size() const { return value.rank; }
  std::string text() const { return describe(value, mesh); }

  // Compared by names, for any meshes: equal if written alike.
  constexpr bool operator==(named_spec const& other) const {
    if (value.rank != other.value.rank) return false;
    for (int d = 0; d < value.rank; ++d) {
      int const n = value[d].count();
      if (n != other.value[d].count() || value[d].is_open() != other.value[d].is_open()) return false;
      for (int k = 0; k < n && !value[d].is_open(); ++k)
        if (mesh.name(value[d].axis(k)) != other.mesh.name(other.value[d].axis(k))) return false;
    }
    return same_names(value.unreduced, other, other.value.unreduced) &&
           same_names(value.reduced, other, other.value.reduced);
  }
  template <class... E>
  constexpr bool operator==(P<E...>) const;

private:
  constexpr bool same_names(axis_set mine, named_spec const& other, axis_set theirs) const {
    if (mine.size() != theirs.size()) return false;
    for (int a = 0; a < mesh.rank; ++a) {
      bool found = !mine.contains(a);
      for (int b = 0; b < other.mesh.rank; ++b)
        found = found || (theirs.contains(b) && mesh.name(a) == other.mesh.name(b));
      if (!found) return false;
    }
    return true;
  }
};

// The value of P<...> on a mesh of its own axes only, for its text.
template <class... E>
constexpr named_spec named(P<E...>) {
  using mesh = detail::mesh_of_parts<E...>;
  return {spec_value_of<mesh, P<E...>>, mesh::value};
}
template <class... E>
constexpr bool named_spec::operator==(P<E...> other) const {
  return *this == named(other);
}

template <class... E>
std::string describe(P<E...> spec) {
  return named(spec).text();
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, named_spec const& spec) {
  return out << spec.text();
}
template <class Traits, class... E>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, P<E...> spec) {
  return out << describe(spec);
}

}  // namespace tessera
