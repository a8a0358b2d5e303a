// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels of a program as text and as pictures: the grid, the blocks of each operand and result, how often they are
// fetched and written, bytes and flops of one device, and which instances work on which block.

#include <tessera/aval/describe.hpp>
#include <tessera/engine/view/palette.hpp>
#include <tessera/engine/view/svg_text.hpp>
#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/cost/work.hpp>
#include <tessera/plan/explain/text_table.hpp>

#include <algorithm>
#include <vector>

namespace tessera::detail {

// The instances that work on each block of an array, along its last two dimensions that have several blocks: for each
// dimension of the grid one program id, or * for several. Of blocks that may overlap: those that there are, with their
// first elements.
struct block_map {
  static constexpr std::size_t most = 8;  // rows and columns that are shown
  int row_dim = -1, column_dim = -1;
  std::size_t rows = 1, columns = 1;
  std::vector<std::string> labels;  // rows x columns as far as they are shown; empty: by a table, or too many instances

  block_map(grid_value const& g, block_value const& b) : g_(g), b_(b) {
    if (b.reads() || g.instances() > most_tried) return;
    for (int d = b.rank - 1; d >= 0; --d) {
      if (numbers(d).size() <= 1) continue;
      if (column_dim < 0)
        column_dim = d;
      else if (row_dim < 0)
        row_dim = d;
    }
    find();
  }
  std::size_t shown_rows() const { return std::min(rows, most); }
  std::size_t shown_columns() const { return std::min(columns, most); }
  std::string const& label(std::size_t row, std::size_t column) const { return labels[row * shown_columns() + column]; }
  std::size_t longest() const {
    std::size_t width = 1;
    for (auto const& one : labels) width = std::max(width, one.size());
    return width;
  }
  bool is_picture() const { return rows * columns > 1; }

private:
  static constexpr std::int64_t unseen = -1, several = -2;
  using ids_seen = std::array<std::int64_t, max_grid + max_batches>;

  // The numbers of blocks along a dimension.
  std::vector<std::int64_t> numbers(int d) const {
    std::vector<std::int64_t> all;
    if (d < 0) return {0};
    for (std::int64_t i = 0; i < (b_.by_element[d] ? g_.instances() : b_.blocks(d)); ++i) {
      program_ids ids{};
      if (b_.by_element[d]) g_.ids_at(i, 0, g_.rank, ids);
      all.push_back(b_.by_element[d] ? b_.at[d].at(ids) : i);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  void find() {
    auto const down = numbers(row_dim), across = numbers(column_dim);
    rows = down.size();
    columns = across.size();
    auto const place = [&](std::vector<std::int64_t> const& all, int d, std::int64_t const* ids) {
      return d < 0 ? std::size_t{0}
                   : static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), b_.at[d].at(ids)) - all.begin());
    };
    std::vector<ids_seen> seen(shown_rows() * shown_columns());
    for (ids_seen& one : seen) one.fill(unseen);
    for (std::int64_t i = 0; i < g_.instances(); ++i) {
      program_ids ids{};
      g_.ids_at(i, 0, g_.rank, ids);
      std::size_t const row = place(down, row_dim, ids), column = place(across, column_dim, ids);
      if (row >= shown_rows() || column >= shown_columns()) continue;
      ids_seen& one = seen[row * shown_columns() + column];
      for (std::size_t d = 0; d < static_cast<std::size_t>(g_.rank); ++d)
        one[d] = one[d] == unseen || one[d] == ids[d] ? ids[d] : several;
    }
    for (std::size_t n = 0; n < seen.size(); ++n) {
      std::string text;
      for (std::size_t d = 0; d < static_cast<std::size_t>(g_.rank) && seen[n][0] != unseen; ++d)
        text += (d ? "," : "") + (seen[n][d] == several ? std::string("*") : std::to_string(seen[n][d]));
      labels.push_back(text + from(row_dim, down[n / shown_columns()]) + from(column_dim, across[n % shown_columns()]));
    }
  }
  std::string from(int d, std::int64_t number) const {
    return d >= 0 && b_.by_element[d] ? " from " + std::to_string(number - b_.before[d]) : "";
  }

  grid_value const& g_;
  block_value const& b_;
};

class kernel_report {
public:
  kernel_report(plan_view const& plan, step const& at) : p_(plan), at_(at), kernel_(loop_of(plan.local, at.node)) {
    grid_ = batched_grid(*kernel_.grid, kernel_.batches);
    for (int k = 0; k < grid_.inputs + grid_.outputs; ++k) blocks_.push_back(blocks_of_kernel(kernel_, k));
    grid_.blocks = blocks_.data();
  }

  std::string text() const {
    std::string made = "  " + heading() + '\n' + text_table<6>(rows(), 0b111000) + "  " + totals() + '\n';
    for (int k = 0; k < grid_.inputs + grid_.outputs; ++k) made += picture(k);
    return made;
  }
  std::string html() const {
    std::string made = "<div>" + escaped(heading()) + "</div>\n<table>";
    for (auto const& row : rows()) {
      made += "<tr>";
      for (auto const& cell : row) made += "<td>" + escaped(cell) + "</td>";
      made += "</tr>\n";
    }
    made += "</table>\n<div class=\"dim\">" + escaped(totals()) + "</div>\n";
    for (int k = 0; k < grid_.inputs + grid_.outputs; ++k) made += svg(k);
    return made;
  }

private:
  std::string name(int k) const {
    return k < grid_.inputs ? "operand " + std::to_string(k) : "result " + std::to_string(k - grid_.inputs);
  }
  array_value const& facts(int k) const {
    int const id = k < grid_.inputs ? p_.local.operand(at_.node, k) : p_.lists[at_.outputs.first + k - grid_.inputs];
    return p_.local[id].facts;
  }
  std::string heading() const {
    std::string made = "kernel at " + line_text<std::string>(p_.local[at_.node].at) + ", grid ";
    for (int d = 0; d < grid_.rank; ++d) {
      made += (d ? " x " : "") + std::to_string(grid_.extent[d]);
      if (d < kernel_.batches.size()) made += " of vmap";
      if (d >= grid_.parallel) made += " in order";
    }
    return made + ": " + std::to_string(grid_.instances()) + (grid_.instances() == 1 ? " instance" : " instances");
  }
  std::string extents(block_value const& b) const {
    std::string made;
    for (int d = 0; d < b.rank; ++d) made += (d ? " x " : "") + std::to_string(b.extent[d]);
    return made;
  }
  std::int64_t bytes(int k) const {
    return traffic_of(grid_, blocks_[k]).count * elements_of(blocks_[k]) * bytes_of(facts(k).element);
  }
  growable<std::array<std::string, 6>> rows() const {
    growable<std::array<std::string, 6>> all;
    all.push_back({"", "array", "block", "blocks moved", "bytes", "times the array"});
    for (int k = 0; k < grid_.inputs + grid_.outputs; ++k) {
      block_value const& b = blocks_[k];
      block_traffic const moved = traffic_of(grid_, b);
      std::string const most = moved.bound ? "<= " : "";
      std::string what = name(k);
      if (b.reads()) what += ", by a table";
      if (b.summed) what += ", added";
      if (b.alias >= 0) what += ", begins as operand " + std::to_string(b.alias);
      all.push_back({what, describe(facts(k), mesh_value{}), extents(b), most + std::to_string(moved.count),
                     most + std::to_string(bytes(k)), most + times_text(bytes(k), facts(k))});
    }
    return all;
  }
  // How many times the bytes are those of the array, to a hundredth.
  static std::string times_text(std::int64_t moved, array_value const& array) {
    std::int64_t const whole = array.size() * bytes_of(array.element);
    if (whole <= 0) return "0";
    std::int64_t const hundredths = (moved * 100 + whole / 2) / whole;
    std::string made = std::to_string(hundredths / 100);
    if (std::int64_t const rest = hundredths % 100; rest != 0) made += (rest < 10 ? ".0" : ".") + std::to_string(rest);
    return made;
  }
  std::string totals() const {
    std::int64_t read = 0, written = 0, flops = 0;
    bool bound = false, known = true;
    for (int k = 0; k < grid_.inputs + grid_.outputs; ++k) {
      if (k < grid_.inputs || blocks_[k].summed) read += bytes(k);
      if (k >= grid_.inputs) written += bytes(k);
      bound = bound || traffic_of(grid_, blocks_[k]).bound;
    }
    work_counter<plan_view> const body(p_, p_.regions[at_.region]);
    for (step_work const& s : body.steps) {
      known = known && s.counted && (s.times != dynamic || s.flops == 0);
      if (s.times != dynamic) flops += s.flops * s.times * grid_.instances();
    }
    std::string const most = bound ? "at most " : "";
    return most + std::to_string(read) + " bytes read, " + std::to_string(written) + " written, " +
           (known ? "" : "at least ") + std::to_string(flops) + " flops";
  }

  static std::string centered(std::string const& text, std::size_t width) {
    std::size_t const left = (width - text.size()) / 2;
    return std::string(left, ' ') + text + std::string(width - text.size() - left, ' ');
  }
  // Boxes of one array's blocks, with the program ids of the instances that work on each.
  std::string picture(int k) const {
    block_map const map(grid_, blocks_[k]);
    if (!map.is_picture()) return "";
    std::string edge = "    +", made = "  " + caption(k, map) + '\n';
    for (std::size_t c = 0; c < map.shown_columns(); ++c) edge += std::string(map.longest() + 2, '-') + '+';
    made += edge + '\n';
    for (std::size_t r = 0; r < map.shown_rows(); ++r) {
      made += "    |";
      for (std::size_t c = 0; c < map.shown_columns(); ++c)
        made += ' ' + centered(map.label(r, c), map.longest()) + " |";
      made += map.shown_columns() < map.columns ? " ...\n" : "\n";
      made += edge + '\n';
    }
    return made + (map.shown_rows() < map.rows ? "    ...\n" : "");
  }
  std::string caption(int k, block_map const& map) const {
    std::string const across = std::to_string(map.column_dim) + " across";
    return "blocks of " + name(k) + ": dimension " +
           (map.row_dim < 0 ? across : std::to_string(map.row_dim) + " down, " + across);
  }
  std::string svg(int k) const {
    block_map const map(grid_, blocks_[k]);
    if (!map.is_picture()) return "";
    double const width = 8.0 * static_cast<double>(map.longest()) + 20, height = 26;
    double const all = width * static_cast<double>(map.shown_columns()),
                 tall = height * static_cast<double>(map.shown_rows());
    std::string made = "<div class=\"dim\">" + escaped(caption(k, map)) + "</div>\n<svg role=\"img\" width=\"" +
                       pixels(all + 30) + "\" height=\"" + pixels(tall + 20) + "\">\n<title>blocks of " + name(k) +
                       "</title>\n";
    auto const rows = static_cast<std::int64_t>(map.shown_rows()),
               columns = static_cast<std::int64_t>(map.shown_columns());
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        double const x = 1 + width * static_cast<double>(c), y = 1 + height * static_cast<double>(r);
        made += "<rect x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" width=\"" + pixels(width) + "\" height=\"" +
                pixels(height) + "\" stroke=\"#222\" fill=\"" + hex(part_color(r, c, rows, columns)) + "\"/>\n" +
                svg_text(x + width / 2, y + 17, map.label(static_cast<std::size_t>(r), static_cast<std::size_t>(c)),
                         "text-anchor=\"middle\" font-size=\"12\" font-family=\"monospace\"");
      }
    if (map.shown_columns() < map.columns) made += svg_text(all + 8, 17, "...");
    if (map.shown_rows() < map.rows) made += svg_text(8, tall + 14, "...");
    return made + "</svg>\n";
  }

  plan_view p_;
  step at_;
  loop_shape kernel_;
  grid_value grid_;
  std::vector<block_value> blocks_;
};

// f(kernel_report) for each kernel of a program.
template <class F>
void each_kernel(plan_view const& plan, F const& f) {
  for (int s = 0; s < plan.step_count; ++s)
    if (step const& at = plan.steps[s];
        at.kind == step_kind::loop && loop_of(plan.local, at.node).kind == loop_kind::grid)
      f(kernel_report(plan, at));
}
inline std::string kernels_text(plan_view const& plan) {
  std::string made;
  each_kernel(plan, [&](kernel_report const& one) { made += one.text(); });
  return made;
}
inline std::string kernels_html(plan_view const& plan) {
  std::string made;
  each_kernel(plan, [&](kernel_report const& one) { made += one.html(); });
  return made.empty() ? made : "<section><h2>Kernels</h2>\n" + made + "</section>\n";
}

}  // namespace tessera::detail
