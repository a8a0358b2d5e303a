// SPDX-License-Identifier: Apache-2.0
#pragma once
// The name of a tree's leaf in the checkpoint, and the text of its type.

#include <tessera/checkpoint/restore.hpp>

#include <string>
#include <vector>

namespace tessera::detail {

// Whether `path` is the leaf or below it.
inline bool leads_to(std::string const& leaf, std::string const& path) {
  return leaf.empty() || path == leaf ||
         (path.size() > leaf.size() && path.rfind(leaf, 0) == 0 && path[leaf.size()] == '.');
}
// The name in the checkpoint: the longest rename rule that matches applies.
inline std::string stored_name(std::string const& name, restore_options const& options) {
  renamed_leaf const* best = nullptr;
  for (auto const& rule : options.rename)
    if (leads_to(rule.leaf, name) && (!best || rule.leaf.size() >= best->leaf.size())) best = &rule;
  if (!best) return name;
  std::string rest = name.substr(best->leaf.size());
  if (!rest.empty() && rest.front() == '.') rest.erase(0, 1);
  if (rest.empty() || best->stored.empty()) return best->stored + rest;
  return best->stored + '.' + rest;
}
inline bool may_be_missing(std::string const& name, restore_options const& options) {
  for (auto const& leaf : options.may_be_missing)
    if (leads_to(leaf, name)) return true;
  return false;
}

inline std::string type_of_stored(std::string_view dtype, std::vector<std::int64_t> const& shape) {
  std::string text(dtype);
  text += '[';
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d) text += ',';
    if (shape[d] == dynamic)
      text += '?';
    else
      append_number(text, shape[d]);
  }
  text += ']';
  return text;
}

}  // namespace tessera::detail
