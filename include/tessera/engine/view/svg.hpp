// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws the boxes, ticks and captions of a sharding as SVG.

#include <tessera/aval/describe.hpp>
#include <tessera/engine/view/parts.hpp>
#include <tessera/engine/view/svg_text.hpp>
#include <tessera/view/svg.hpp>

#include <algorithm>

namespace tessera {

namespace detail {

// The caption "dim 0: 8@dp".
inline std::string dim_caption(extents_list const& extents, concrete_sharding const& sharding, int dim) {
  std::string text = "dim " + std::to_string(dim) + ": " + std::to_string(extents[dim]);
  auto const spec = sharding.spec();
  if (!spec.value[dim].empty()) {
    text += '@';
    append_entry(text, spec.value[dim], spec.mesh);
  }
  return text;
}

// The sizes of one panel, the same for all panels of a picture.
struct svg_layout {
  static constexpr double character = 7.9, line = 17, left = 64, top = 48, gap = 24;
  double box_width = 0, box_height = 0;
  std::int64_t rows = 1, columns = 1;
  std::int64_t label_width = 0;  // in characters

  svg_layout(std::vector<part_table> const& tables, extents_list const& extents, std::string const& platform)
      : rows(tables.front().rows), columns(tables.front().columns) {
    int const rank = extents.size();
    double const width = tables.size() > 1 ? 260 : 520, height = rank < 2 ? 56 : tables.size() > 1 ? 170 : 320;
    double const last = rank ? static_cast<double>(std::max<std::int64_t>(extents[rank - 1], 1)) : 1;
    double const before = rank > 1 ? static_cast<double>(std::max<std::int64_t>(extents[rank - 2], 1)) : last / 8;
    double const scale = std::min(width / last, height / before);
    box_width = std::max(std::clamp(last * scale, width / 3, width) / static_cast<double>(columns), 64.0);
    label_width = static_cast<std::int64_t>((box_width - 8) / character);
    std::size_t lines = 1;
    for (auto const& table : tables)
      for (auto const& ids : table.device_ids) lines = std::max(lines, device_label(platform, ids, label_width).size());
    box_height = std::max(std::clamp(before * scale, height / 4, height) / static_cast<double>(rows),
                          static_cast<double>(lines) * line + 12);
  }
  double panel_width() const { return left + box_width * static_cast<double>(columns) + gap; }
  double panel_height() const { return top + box_height * static_cast<double>(rows) + gap; }
};

inline std::string svg_ticks(svg_layout const& at, extents_list const& extents, double x, double y) {
  int const rank = extents.size();
  std::string svg;
  if (rank >= 1) {
    auto const every = (at.columns + 15) / 16;
    for (std::int64_t c = 0; c <= at.columns; c += every)
      svg += svg_text(x + at.box_width * static_cast<double>(c), y - 6,
                      std::to_string(extents[rank - 1] / at.columns * c), "class=\"tick\" text-anchor=\"middle\"");
  }
  if (rank >= 2) {
    auto const every = (at.rows + 31) / 32;
    for (std::int64_t r = 0; r <= at.rows; r += every)
      svg += svg_text(x - 6, y + at.box_height * static_cast<double>(r) + 4,
                      std::to_string(extents[rank - 2] / at.rows * r), "class=\"tick\" text-anchor=\"end\"");
  }
  return svg;
}

inline std::string svg_panel(part_table const& table, svg_layout const& at, sharding_picture const& picture, double x,
                             double y) {
  int const rank = picture.extents.size();
  std::string const platform = platform_label(picture.sharding);
  std::string svg;
  double const heading_y = y + 12;
  x += svg_layout::left;
  y += svg_layout::top;
  double const width = at.box_width * static_cast<double>(at.columns),
               height = at.box_height * static_cast<double>(at.rows);
  if (!table.heading.empty()) svg += svg_text(x, heading_y, table.heading, "class=\"heading\"");
  if (rank >= 1)
    svg += svg_text(x + width / 2, y - 20, dim_caption(picture.extents, picture.sharding, rank - 1),
                    "class=\"dim\" text-anchor=\"middle\"");
  if (rank >= 2) {
    std::string const turn = "class=\"dim\" text-anchor=\"middle\" transform=\"rotate(-90 " + pixels(x - 44) + ' ' +
                             pixels(y + height / 2) + ")\"";
    svg += svg_text(x - 44, y + height / 2, dim_caption(picture.extents, picture.sharding, rank - 2), turn);
  }
  svg += svg_ticks(at, picture.extents, x, y);
  for (std::int64_t r = 0; r < at.rows; ++r)
    for (std::int64_t c = 0; c < at.columns; ++c) {
      double const box_x = x + at.box_width * static_cast<double>(c),
                   box_y = y + at.box_height * static_cast<double>(r);
      svg += "<rect x=\"" + pixels(box_x) + "\" y=\"" + pixels(box_y) + "\" width=\"" + pixels(at.box_width) +
             "\" height=\"" + pixels(at.box_height) + "\" fill=\"" + hex(table.color(r, c)) + "\"/>\n";
      auto const lines = device_label(platform, table.at(r, c), at.label_width);
      double line_y = box_y + at.box_height / 2 - (static_cast<double>(lines.size()) - 1) * svg_layout::line / 2 + 4.5;
      for (auto const& line : lines) {
        svg += svg_text(box_x + at.box_width / 2, line_y, line, "text-anchor=\"middle\"");
        line_y += svg_layout::line;
      }
    }
  return svg;
}

}  // namespace detail

TESSERA_ENGINE std::string to_svg(sharding_picture const& picture) {
  using detail::pixels, detail::svg_layout;
  auto const tables = part_tables(picture.extents, picture.sharding);
  svg_layout const at(tables, picture.extents, platform_label(picture.sharding));
  auto const count = static_cast<std::int64_t>(tables.size());
  auto const across = std::clamp<std::int64_t>(static_cast<std::int64_t>(1080 / at.panel_width()), 1, count);
  std::string const title = picture.title.empty() ? "sharding" : picture.title;
  std::string const where = picture.sharding.mesh().value().rank
                                ? picture.sharding.spec().text() + " on " + picture.sharding.mesh().text()
                                : picture.sharding.text();
  double const words = svg_layout::character * static_cast<double>(std::max(title.size() + 2, where.size())) + 32;
  double const width = std::max(at.panel_width() * static_cast<double>(across), words);
  double const head = 60;
  double const height = head + at.panel_height() * static_cast<double>((count + across - 1) / across);
  std::string const size = "width=\"" + pixels(width) + "\" height=\"" + pixels(height) + "\"";
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" " + size + " viewBox=\"0 0 " +
                    pixels(width) + ' ' + pixels(height) + "\">\n<title>" + detail::escaped(title) +
                    "</title>\n<desc>" + detail::escaped(where) +
                    "</desc>\n<style>text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#111}"
                    ".title{font-size:15px;font-weight:bold}.heading{font-weight:bold}.tick{font-size:11px;fill:#555}"
                    ".dim{font-size:12px;fill:#333}rect{stroke:#222;stroke-width:1}</style>\n"
                    "<rect width=\"100%\" height=\"100%\" style=\"fill:#fff;stroke:none\"/>\n";
  svg += detail::svg_text(16, 26, title, "class=\"title\"") + detail::svg_text(16, 46, where);
  for (std::int64_t i = 0; i < count; ++i)
    svg += detail::svg_panel(tables[i], at, picture, at.panel_width() * static_cast<double>(i % across),
                             head + at.panel_height() * static_cast<double>(i / across));
  return svg + "</svg>\n";
}

}  // namespace tessera
