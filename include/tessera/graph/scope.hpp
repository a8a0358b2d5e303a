// SPDX-License-Identifier: Apache-2.0
#pragma once
// The names that named_scope gives to an operation: transform/named_scope.hpp.

#include <string_view>

namespace tessera {

// A path of names, the outermost first: block, attention. It keeps the `depth` outermost ones.
class scope_path {
public:
  static constexpr int depth = 6;

  constexpr int size() const {
    int n = 0;
    while (n < depth && names_[n]) ++n;
    return n;
  }
  constexpr bool empty() const { return !names_[0]; }
  constexpr std::string_view operator[](int i) const { return names_[i]; }
  // Puts a name, which lives as long as the program, before the others.
  constexpr void enter(char const* name) {
    for (int i = depth - 1; i > 0; --i) names_[i] = names_[i - 1];
    names_[0] = name;
  }
  // Keeps the outermost names that both have.
  constexpr void meet(scope_path const& other) {
    bool same = true;
    for (int i = 0; i < depth && names_[i]; ++i) {
      same = same && other.names_[i] && (*this)[i] == other[i];
      if (!same) names_[i] = nullptr;
    }
  }
  // Whether the path contains the names of `wanted`, "attention" or "block/attention", one after the other.
  constexpr bool contains(std::string_view wanted) const {
    for (int first = 0; first < size(); ++first)
      if (continues_with(wanted, first)) return true;
    return false;
  }
  // Appends "block/attention".
  template <class Text>
  constexpr void append_to(Text& text) const {
    for (int i = 0; i < size(); ++i) {
      if (i) text += '/';
      text += (*this)[i];
    }
  }

private:
  constexpr bool continues_with(std::string_view wanted, int at) const {
    while (at < size()) {
      std::string_view const name = (*this)[at++];
      if (wanted.substr(0, name.size()) != name) return false;
      wanted.remove_prefix(name.size());
      if (wanted.empty()) return true;
      if (wanted[0] != '/') return false;
      wanted.remove_prefix(1);
    }
    return false;
  }

  char const* names_[depth] = {};
};

}  // namespace tessera
