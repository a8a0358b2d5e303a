// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prints the elements of an array that are shown, in lines and brackets.

#include <tessera/engine/view/number_text.hpp>
#include <tessera/graph/monoid.hpp>
#include <tessera/view/print_array.hpp>

#include <string>
#include <vector>

namespace tessera::detail {

// Walks the elements that are shown, in order: first to gather them, then to lay out their texts.
class array_layout {
public:
  array_layout(extents_list const& extents, print_options const& options) : extents_(extents), options_(options) {
    std::int64_t size = 1;
    for (auto e : extents) size *= e;
    summarized_ = size > options.threshold;
  }

  void shown(std::vector<std::int64_t>& offsets, int dim = 0, std::int64_t offset = 0) const {
    if (dim == extents_.size()) {
      offsets.push_back(offset);
      return;
    }
    for_each_item(dim, [&](std::int64_t i) {
      if (i >= 0) shown(offsets, dim + 1, offset * extents_[dim] + i);
    });
  }

  // `texts`: those of the elements that `shown` lists.
  std::string text(std::vector<std::string> const& texts) const {
    auto next = texts.begin();
    return block(0, next);
  }

private:
  using texts_iterator = std::vector<std::string>::const_iterator;

  // Calls f(index) for each item of a dimension that is shown, and f(-1) where items are left out.
  template <class F>
  void for_each_item(int dim, F f) const {
    auto const count = extents_[dim], edge = options_.edge_items;
    bool const cut = summarized_ && count > 2 * edge;
    for (std::int64_t i = 0; i < count; ++i) {
      if (cut && i == edge) {
        f(-1);
        i = count - edge;
      }
      f(i);
    }
  }

  std::string block(int dim, texts_iterator& next) const {
    std::string const indent(dim + 1, ' ');
    int const left = extents_.size() - dim;
    std::string done;
    if (left == 1) {
      std::size_t const width = options_.line_width - dim - 1;
      std::string line = indent;
      for_each_item(dim, [&](std::int64_t i) {
        std::string const word = i < 0 ? "..." : *next++;
        std::size_t const space = line.size() > indent.size();
        if (space && line.size() + space + word.size() > width) {
          line.erase(line.find_last_not_of(' ') + 1);
          done += line + '\n';
          line = indent + word;
        } else {
          line += std::string(space, ' ') + word;
        }
      });
      done += line;
    } else {
      for_each_item(dim, [&](std::int64_t i) {
        if (!done.empty()) done.append(left - 1, '\n');
        done += indent + (i < 0 ? "..." : block(dim + 1, next));
      });
    }
    return '[' + done.substr(indent.size()) + ']';
  }

  extents_list extents_;
  print_options options_;
  bool summarized_ = false;
};

TESSERA_ENGINE std::string values_text(dtype element, void const* values, extents_list const& extents,
                                       print_options const& options) {
  return with_element(element, [&]<class T>(std::type_identity<T>) -> std::string {
    auto const* const first = static_cast<T const*>(values);
    if (extents.empty()) return scalar_text(*first);
    for (auto e : extents)
      if (e == 0) return "[]";
    array_layout const layout(extents, options);
    std::vector<std::int64_t> offsets;
    layout.shown(offsets);
    std::vector<T> shown;
    for (auto offset : offsets) shown.push_back(first[offset]);
    return layout.text(element_texts(shown, options.precision));
  });
}

}  // namespace tessera::detail
