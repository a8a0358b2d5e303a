// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws the operations of a program: one row each, in the order of the program, so that a thousand of them can be read.
// On the left, a line leads from each value to its readers; arguments and constants have no line, and readers show
// their names. Messages are below their operation. As Graphviz text, regions of loops are clusters.

#include <tessera/engine/view/explained.hpp>
#include <tessera/engine/view/svg.hpp>

namespace tessera::detail {

inline rgb color_of(collective kind) { return part_colors[static_cast<std::size_t>(kind) % part_colors.size()]; }
inline rgb color_of(program_pass pass) {
  constexpr rgb colors[]{{0xdd, 0xe8, 0xf6}, {0xff, 0xe3, 0xd6}, {0xe6, 0xf3, 0xd8}};
  return colors[static_cast<int>(pass)];
}

// The number of loops or branches around each node of a program.
inline std::vector<int> depths_of(graph_view const& g) {
  std::vector<int> depth(g.node_count, 0);
  for (int r = 0; r < g.region_count; ++r)
    for (int id = 0; id < g.regions[r].node_count; ++id) ++depth[g.regions[r].first_node + id];
  return depth;
}
// The messages that are sent for each node.
inline std::vector<std::vector<std::size_t>> messages_of(explained_program const& p) {
  std::vector<std::vector<std::size_t>> of(p.global.nodes.size());
  for (std::size_t i = 0; i < p.changes.size(); ++i) of[p.changes[i].node].push_back(i);
  return of;
}
// The text "all_gather over mp, 4096 bytes x 5".
inline std::string message_label(message const& m, mesh_value const& mesh) {
  std::string text(name_of(m.kind));
  text += " over ";
  append_axes(text, m.axes, mesh);
  text += ", " + describe(known_bytes<std::string>{m.bytes, m.is_bound()}) + " bytes";
  if (m.times != 1) text += m.times == dynamic ? " each turn" : " x " + std::to_string(m.times);
  return text;
}
inline std::string node_label(graph_view const& g, reason_writer const& words, int id) {
  for (int i = 0; i < g.input_count; ++i)
    if (g.inputs[i] == id) return words.input(i);
  return std::string(g[id].op->name);
}

class program_drawing {
public:
  program_drawing(explained_program const& p, reason_writer const& words)
      : p_(p), g_(p.global.view()), words_(words), depth_(depths_of(g_)), sent_(messages_of(p)) {
    for (int id = 0; id < g_.node_count; ++id)
      if (p.shows(id)) shown_.push_back(id);
    place_rows();
    place_lanes();
  }

  // `alone`: with the namespace and background of a separate document.
  std::string svg(bool alone) const {
    std::size_t longest = 40;
    for (int id : shown_) longest = std::max(longest, row_text(id).size() + 2 * depth(id));
    for (message const& m : p_.messages) longest = std::max(longest, message_label(m, *g_.mesh).size() + 8);
    double const width = left() + 7.4 * static_cast<double>(longest) + 24, height = row_height * (rows_ + 1);
    std::string const size = "width=\"" + pixels(width) + "\" height=\"" + pixels(height) + "\" viewBox=\"0 0 " +
                             pixels(width) + ' ' + pixels(height) + '"';
    std::string svg = std::string("<svg ") + (alone ? "xmlns=\"http://www.w3.org/2000/svg\" " : "") + "role=\"img\" " +
                      size +
                      ">\n<title>operations and messages</title>\n<style>.row text{font:12px "
                      "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#111}.row rect{stroke:none}"
                      ".lane{fill:none;stroke:#8896a8;stroke-width:1}</style>\n";
    if (alone) svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    for (int id : shown_) svg += lane(id);
    for (int id : shown_) svg += row(id);
    return svg + "</svg>\n";
  }

  std::string dot() const {
    std::string text =
        "digraph program {\n  rankdir=TB;\n  node [shape=box, style=filled, fontname=\"monospace\", fontsize=10];\n";
    int next = 0;
    for (int id : shown_)
      if (depth(id) == 0 && g_[id].region_count > 0)
        cluster(id, text, next);
      else if (depth(id) == 0)
        text += dot_node(id);
    for (std::size_t i = 0; i < p_.messages.size(); ++i)
      text += "  m" + std::to_string(i) + " [shape=ellipse, fillcolor=\"" + hex(color_of(p_.messages[i].kind)) +
              "\", label=\"" + quoted(message_label(p_.messages[i], *g_.mesh)) + "\"];\n";
    for (int id : shown_) edges(id, text);
    return text + "}\n";
  }

private:
  static constexpr double row_height = 20, lane_width = 7;

  std::size_t depth(int id) const { return static_cast<std::size_t>(depth_[id]); }
  std::vector<std::size_t> const& sent(int id) const { return sent_[id]; }
  double y_of(int id) const { return row_height * (row_[id] + 0.5); }
  double x_of(int id) const { return 10 + lane_width * lane_[id]; }
  double left() const { return 18 + lane_width * lanes_; }

  void place_rows() {
    row_.assign(p_.global.nodes.size(), 0);
    for (int id : shown_) {
      row_[id] = rows_;
      rows_ += 1 + static_cast<double>(sent(id).size());
    }
  }
  // A value occupies a lane from its row to its last reader's row: the first free lane.
  void place_lanes() {
    last_.assign(g_.node_count, -1);
    for (int id : shown_)
      for (int k = 0; k < g_[id].operand_count; ++k) last_[g_.operand(id, k)] = id;
    lane_.assign(p_.global.nodes.size(), 0);
    std::vector<int> until;  // by lane: the last reader of its value
    for (int id : shown_) {
      if (is_named(id)) continue;
      std::size_t lane = 0;
      while (lane < until.size() && until[lane] > id) ++lane;
      if (lane == until.size()) until.push_back(-1);
      until[lane] = std::max(last_[id], id);
      lane_[id] = static_cast<double>(lane);
    }
    lanes_ = static_cast<double>(until.size());
  }

  // Whether it is an argument, a constant, or an alias of one: its readers show its name.
  bool is_named(int id) const {
    while (g_[id].op->kind == op_class::identity && !g_[id].attrs.has_out) id = g_.operand(id, 0);
    return g_[id].op->kind == op_class::argument || g_[id].op->kind == op_class::literal;
  }
  std::string named(int id) const {
    while (g_[id].op->kind == op_class::identity && !g_[id].attrs.has_out) id = g_.operand(id, 0);
    if (g_[id].op->kind == op_class::argument) return words_.name(id);
    std::string text = "#";
    append_number(text, id);
    return text;
  }
  std::string row_text(int id) const {
    std::string text = node_label(g_, words_, id);
    if (g_[id].op->kind == op_class::literal) text += " #" + std::to_string(id);
    text += "  " + describe(g_[id].facts, *g_.mesh) + "  " + line_text<std::string>(g_[id].at);
    for (int k = 0; k < g_[id].operand_count; ++k)
      if (is_named(g_.operand(id, k))) text += "  " + named(g_.operand(id, k));
    return text;
  }
  std::string lane(int id) const {
    int const last = last_[id];
    if (last < 0 || is_named(id)) return "";
    std::string path = "M" + pixels(x_of(id)) + ' ' + pixels(y_of(id)) + "V" + pixels(y_of(last));
    for (int reader = id + 1; reader <= last; ++reader)
      for (int k = 0; p_.shows(reader) && k < g_[reader].operand_count; ++k)
        if (g_.operand(reader, k) == id) {
          path += "M" + pixels(x_of(id)) + ' ' + pixels(y_of(reader)) + "H" + pixels(left() - 4);
          break;
        }
    return "<path class=\"lane\" d=\"" + path + "\"/>\n";
  }
  std::string row(int id) const {
    double const x = left() + 14 * static_cast<double>(depth(id)), y = y_of(id);
    std::string const dot = "<circle cx=\"" + pixels(x_of(id)) + "\" cy=\"" + pixels(y) + "\" r=\"3\" fill=\"#334\"/>";
    std::string svg = "<g class=\"row\" id=\"row" + std::to_string(id) + "\">" + (is_named(id) ? "" : dot) +
                      "<rect x=\"" + pixels(x - 4) + "\" y=\"" + pixels(y - row_height / 2 + 1) + "\" width=\"" +
                      pixels(7.4 * static_cast<double>(row_text(id).size()) + 10) + "\" height=\"" +
                      pixels(row_height - 2) + "\" rx=\"3\" fill=\"" + hex(color_of(g_[id].at.pass)) + "\"/>" +
                      svg_text(x, y + 4, row_text(id));
    for (std::size_t i = 0; i < sent(id).size(); ++i) {
      message const& m = p_.messages[sent(id)[i]];
      double const below = y + row_height * static_cast<double>(i + 1);
      svg += "<rect x=\"" + pixels(x + 14) + "\" y=\"" + pixels(below - row_height / 2 + 2) +
             "\" width=\"10\" height=\"" + pixels(row_height - 4) + "\" rx=\"3\" fill=\"" + hex(color_of(m.kind)) +
             "\"/>" + svg_text(x + 30, below + 4, message_label(m, *g_.mesh));
    }
    return svg + "</g>\n";
  }

  static std::string quoted(std::string_view text) {
    std::string result;
    for (char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result;
  }
  std::string dot_node(int id) const {
    return "  n" + std::to_string(id) + " [fillcolor=\"" + hex(color_of(g_[id].at.pass)) + "\", label=\"" +
           quoted(node_label(g_, words_, id)) + "\\n" + quoted(describe(g_[id].facts, *g_.mesh)) + "\\n" +
           quoted(line_text<std::string>(g_[id].at)) + "\"];\n";
  }
  // Writes a loop's regions, then the loop. A node belongs to the innermost region.
  void cluster(int loop, std::string& text, int& next) const {
    for (int r = 0; r < g_[loop].region_count; ++r) {
      graph_region const& part = g_.part(loop, r);
      text += "  subgraph cluster_" + std::to_string(next++) + " {\n  label=\"" + quoted(g_[loop].op->name) + "\";\n";
      for (int id = part.first_node; id < part.first_node + part.node_count; ++id)
        if (p_.shows(id) && depth(id) == depth(loop) + 1) {
          if (g_[id].region_count > 0)
            cluster(id, text, next);
          else
            text += dot_node(id);
        }
      text += "  }\n";
    }
    text += dot_node(loop);
  }
  // Edges from each operand to the node through the messages for this operand; messages for the result are attached to
  // the node.
  void edges(int id, std::string& text) const {
    std::string const node = "n" + std::to_string(id);
    for (int k = 0; k < g_[id].operand_count; ++k) {
      std::string from(1, 'n');
      from += std::to_string(g_.operand(id, k));
      for (std::size_t i : sent(id))
        if (p_.changes[i].operand == k) {
          text += "  " + from + " -> m" + std::to_string(i) + ";\n";
          from = 'm';  // not "m" + number: g++ 12 warns of overlapping memory
          from += std::to_string(i);
        }
      text += "  " + from + " -> " + node + ";\n";
    }
    for (std::size_t i : sent(id))
      if (p_.changes[i].operand < 0) text += "  " + node + " -> m" + std::to_string(i) + " [style=dashed];\n";
  }

  explained_program const& p_;
  graph_view g_;
  reason_writer const& words_;
  std::vector<int> shown_, depth_, last_;
  std::vector<std::vector<std::size_t>> sent_;
  std::vector<double> row_, lane_;
  double rows_ = 0, lanes_ = 0;
};

TESSERA_ENGINE std::string explanation_svg(asked_program const& asked) {
  explained_program const p(asked.traced);
  reason_writer const words(p.global.view(), asked.inputs, p.grown_from);
  return program_drawing(p, words).svg(true);
}
TESSERA_ENGINE std::string explanation_dot(asked_program const& asked) {
  explained_program const p(asked.traced);
  reason_writer const words(p.global.view(), asked.inputs, p.grown_from);
  return program_drawing(p, words).dot();
}

}  // namespace tessera::detail
