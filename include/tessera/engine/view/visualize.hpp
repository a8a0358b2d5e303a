// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws a sharding as boxes of text, with lines or in colors.

#include <tessera/engine/view/parts.hpp>
#include <tessera/view/terminal.hpp>
#include <tessera/view/visualize.hpp>

#include <algorithm>
#include <iostream>
#include <tuple>

namespace tessera {

namespace detail {

struct text_cell {
  std::vector<std::string> lines;  // the label
  std::int64_t left = 0, right = 0, top = 0, bottom = 0;
  std::int64_t label_width() const {
    std::size_t widest = 0;
    for (auto const& line : lines) widest = std::max(widest, line.size());
    return static_cast<std::int64_t>(widest);
  }
  std::int64_t width() const { return left + label_width() + right; }
  std::int64_t height() const { return top + static_cast<std::int64_t>(lines.size()) + bottom; }
};

inline std::string centered(std::string const& text, std::int64_t width) {
  std::size_t const free = std::max<std::int64_t>(width - static_cast<std::int64_t>(text.size()), 0);
  return std::string(free / 2, ' ') + text + std::string(free - free / 2, ' ');
}

// Padding before and after content of `length` in a box of `size`, of which two are border lines.
inline std::pair<std::int64_t, std::int64_t> padding(std::int64_t size, std::int64_t length) {
  auto const free = size - length - 2;
  if (free < 0) return {0, 0};
  return {free / 2, free / 2 + free % 2};
}

class table_painter {
public:
  table_painter(part_table const& table, extents_list const& extents, std::string platform,
                visualize_options const& options)
      : table_(table), platform_(std::move(platform)), options_(options) {
    int const rank = extents.size();
    auto const last = static_cast<double>(rank ? std::max<std::int64_t>(extents[rank - 1], 1) : 1);
    auto const before = static_cast<double>(rank > 1 ? std::max<std::int64_t>(extents[rank - 2], 1) : 1);
    auto const base_height = static_cast<std::int64_t>(10 * options.scale);
    double const base_width = static_cast<double>(
        static_cast<std::int64_t>(static_cast<double>(base_height) * (rank > 1 ? last / before : 1 / last)));
    auto const wanted = static_cast<std::int64_t>(1.0 / static_cast<double>(table.columns) * base_width * 2.5);
    box_width_ = std::clamp<std::int64_t>(wanted, options.min_width, std::max(options.min_width, options.max_width));
    if (rank > 1)
      box_height_ = static_cast<std::int64_t>(1.0 / static_cast<double>(table.rows) * static_cast<double>(base_height));
    make_cells(0);
    if (std::int64_t const lines = table.columns + 1; total_width() > options.max_width) {
      std::int64_t const inside = std::max<std::int64_t>((options.max_width - lines) / table.columns, 1);
      box_width_ = inside + 2;
      make_cells(inside);
    }
  }

  std::string text() const { return options_.use_color ? in_color() : in_lines(); }

private:
  text_cell const& cell(std::int64_t row, std::int64_t column) const { return cells_[row * table_.columns + column]; }
  void make_cells(std::int64_t wrap) {
    cells_.clear();
    for (auto const& ids : table_.device_ids) {
      text_cell made{device_label(platform_, ids, wrap)};
      std::tie(made.left, made.right) = padding(box_width_, made.label_width());
      std::tie(made.top, made.bottom) = padding(box_height_, 0);
      if (options_.use_color) ++made.left, ++made.right, ++made.top, ++made.bottom;
      cells_.push_back(made);
    }
    widths_.assign(table_.columns, 0);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      auto& width = widths_[i % static_cast<std::size_t>(table_.columns)];
      width = std::max(width, cells_[i].width());
    }
  }
  std::int64_t width(std::int64_t column) const { return widths_[column]; }
  std::int64_t total_width() const {
    std::int64_t sum = options_.use_color ? 0 : table_.columns + 1;
    for (auto w : widths_) sum += w;
    return sum;
  }
  std::int64_t height(std::int64_t row) const {
    std::int64_t most = 0;
    for (std::int64_t c = 0; c < table_.columns; ++c) most = std::max(most, cell(row, c).height());
    return most;
  }
  // Line `line` of the row's `height` lines in this cell, padded to the width of its column.
  std::string line_of(text_cell const& cell, std::int64_t line, std::int64_t height, std::int64_t width) const {
    auto const first = cell.top + (height - cell.height()) / 2;
    if (line < first || line >= first + static_cast<std::int64_t>(cell.lines.size())) return centered("", width);
    std::size_t const left = cell.left, right = cell.right;
    auto const inner = width - cell.left - cell.right;
    return std::string(left, ' ') + centered(cell.lines[line - first], inner) + std::string(right, ' ');
  }
  std::string rule(char const* left, char const* between, char const* right) const {
    std::string text = left;
    for (std::int64_t c = 0; c < table_.columns; ++c) {
      for (std::int64_t i = 0; i < width(c); ++i) text += "─";
      text += c + 1 < table_.columns ? between : right;
    }
    return text + '\n';
  }
  std::string in_lines() const {
    std::string text = rule("┌", "┬", "┐");
    for (std::int64_t r = 0; r < table_.rows; ++r) {
      if (r) text += rule("├", "┼", "┤");
      for (std::int64_t line = 0; line < height(r); ++line) {
        text += "│";
        for (std::int64_t c = 0; c < table_.columns; ++c) text += line_of(cell(r, c), line, height(r), width(c)) + "│";
        text += '\n';
      }
    }
    return text + rule("└", "┴", "┘");
  }
  std::string in_color() const {
    std::string text;
    for (std::int64_t r = 0; r < table_.rows; ++r)
      for (std::int64_t line = 0; line < height(r); ++line) {
        for (std::int64_t c = 0; c < table_.columns; ++c) {
          auto const [red, green, blue] = table_.color(r, c);
          text += "\x1b[38;2;0;0;0;48;2;" + std::to_string(red) + ';' + std::to_string(green) + ';' +
                  std::to_string(blue) + 'm' + line_of(cell(r, c), line, height(r), width(c)) + "\x1b[0m";
        }
        text += '\n';
      }
    return text;
  }

  part_table const& table_;
  std::string platform_;
  visualize_options options_;
  std::int64_t box_width_ = 0, box_height_ = 1;
  std::vector<text_cell> cells_;
  std::vector<std::int64_t> widths_;
};

}  // namespace detail

TESSERA_ENGINE std::string sharding_picture::text(visualize_options const& options) const {
  std::string result;
  auto const tables = part_tables(extents, sharding);
  visualize_options each = options;
  each.scale /= static_cast<double>(tables.size());
  for (part_table const& table : tables) {
    if (!table.heading.empty()) result += table.heading + '\n';
    result += detail::table_painter(table, extents, platform_label(sharding), each).text();
  }
  return result;
}
TESSERA_ENGINE std::ostream& operator<<(std::ostream& out, sharding_picture const& picture) {
  return out << picture.text({.use_color = shows_colors(out)});
}
TESSERA_ENGINE void detail::print_picture(sharding_picture const& picture) { std::cout << picture; }

}  // namespace tessera
