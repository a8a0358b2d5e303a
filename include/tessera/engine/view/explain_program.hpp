// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program as one self-contained HTML page: its totals; the memory over the steps; every operation with its type,
// pass, line and messages, and their reasons; and the source beside it. A click on a line or an operation highlights
// the other.

#include <tessera/engine/view/page_assets.hpp>
#include <tessera/engine/view/plan_drawing.hpp>

#include <algorithm>
#include <fstream>
#include <map>

namespace tessera::detail {

class page_writer {
public:
  page_writer(explained_program const& p, asked_program const& asked)
      : p_(p), asked_(asked), g_(p.global.view()), words_(g_, asked.inputs, p.grown_from), sent_(messages_of(p)) {}

  std::string text() const {
    std::string const title = escaped(asked_.name);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + title +
           "</title>\n<style>" + std::string(page_style) + axis_styles() + "</style>\n</head>\n<body>\n<header><h1>" +
           title + "</h1>\n" + summary() + "</header>\n<section><h2>Memory over the steps</h2>\n" + memory_chart() +
           "</section>\n<main>\n<section>" + operations() + "</section>\n<section class=\"source\">" + sources() +
           "</section>\n</main>\n" + kernels_html(p_.planned.view()) + "<section><h2>Messages</h2>\n" + tables() +
           "</section>\n<section><details><summary>Picture</summary>\n<div class=\"picture\">\n" +
           program_drawing(p_, words_).svg(false) + "</div></details></section>\n<script>" + std::string(page_script) +
           "</script>\n</body>\n</html>\n";
  }

private:
  std::string axis_styles() const {
    std::string css;
    for (int a = 0; a < g_.mesh->rank; ++a)
      css += ".axis" + std::to_string(a) + "{background:" + hex(part_colors[a % 8]) + "}\n";
    return css;
  }
  std::string axis(int a) const {
    return "<span class=\"axis axis" + std::to_string(a) + "\">" + escaped(g_.mesh->name(a)) + "</span>";
  }
  // A type as it is printed, with its axes in color.
  std::string type(array_value const& x) const {
    array_value states = x;
    states.rank = 0;
    std::string const said = describe(states, *g_.mesh);
    std::string text = escaped(said.substr(0, said.find('['))) + '[';
    for (int d = 0; d < x.rank; ++d) {
      if (d) text += ',';
      text += std::to_string(x.extent(d));
      entry_value const entry = x.entry(d);
      bool const several = entry.count() > 1;
      for (int k = 0; k < entry.count(); ++k) text += (k ? "," : several ? "@(" : "@") + axis(entry.axis(k));
      if (several) text += ')';
    }
    return text + escaped(said.substr(said.find(']')));
  }

  std::string summary() const {
    std::string text = "<div class=\"dim\">mesh";
    for (int a = 0; a < g_.mesh->rank; ++a) text += ' ' + axis(a) + '=' + std::to_string(g_.mesh->size(a));
    known_bytes<std::string> sent, count;
    for (message const& m : p_.sent) {
      sent += {m.times == dynamic ? dynamic : m.times * m.bytes, m.is_bound()};
      count += {m.times, false};
    }
    memory_use const& use = p_.memory.use;
    return text + "; " + describe(count) + " collectives, " + describe(sent) +
           " bytes sent per device and call (ring model); peak memory " + std::to_string(use.peak) +
           " bytes per device: arguments " + std::to_string(use.arguments) + ", results " +
           std::to_string(use.results) + ", temporaries " + std::to_string(use.temporaries) +
           ", of which kept for the backward pass " + std::to_string(use.kept_for_backward) +
           (use.on_host > 0 ? ", in host memory " + std::to_string(use.on_host) : "") + "</div>\n";
  }

  // A bar for each step: arguments and results below, temporaries in the color of the step's pass.
  std::string memory_chart() const {
    auto const& steps = p_.memory.at_steps;
    memory_use const& use = p_.memory.use;
    if (steps.empty() || use.peak <= 0) return "<div class=\"dim\">no steps</div>\n";
    double const width = 1000, height = 120, each = width / static_cast<double>(steps.size());
    double const scale = height / static_cast<double>(use.peak);
    double const held = static_cast<double>(use.arguments + use.results) * scale;
    std::string svg =
        "<svg width=\"100%\" height=\"" + pixels(height) + "\" viewBox=\"0 0 " + pixels(width) + ' ' + pixels(height) +
        "\" preserveAspectRatio=\"none\" role=\"img\">\n<rect x=\"0\" y=\"" + pixels(height - held) + "\" width=\"" +
        pixels(width) + "\" height=\"" + pixels(held) +
        "\" fill=\"#e3e7ed\"><title>arguments and results: " + std::to_string(use.arguments + use.results) +
        " bytes</title></rect>\n";
    for (std::size_t s = 0; s < steps.size(); ++s) {
      int const step = static_cast<int>(s);
      site const at = p_.memory.site_of(step);
      double const tall = static_cast<double>(steps[s]) * scale;
      node const& made = p_.planned.local.nodes[p_.memory.value_of(step)];
      svg += "<rect x=\"" + pixels(each * static_cast<double>(s)) + "\" y=\"" + pixels(height - held - tall) +
             "\" width=\"" + pixels(std::max(each, 0.1)) + "\" height=\"" + pixels(tall) + "\" fill=\"" +
             (at.pass == program_pass::forward    ? "#77aadd"
              : at.pass == program_pass::backward ? "#ee8866"
                                                  : "#bbcc33") +
             "\"><title>step " + std::to_string(s) + ": " + escaped(made.op->name) + " at " + escaped(place_text(at)) +
             ", temporaries " + std::to_string(steps[s]) + " bytes</title></rect>\n";
    }
    return svg + "</svg>\n" + "<div class=\"dim\">" + std::to_string(steps.size()) +
           " steps; forward in blue, backward in orange, recomputed in green; arguments and results in gray</div>\n";
  }

  // "block/attention model.cpp:31".
  static std::string place_text(site at) {
    return (at.scope.empty() ? "" : scope_text<std::string>(at) + ' ') + line_text<std::string>(at);
  }
  static std::string place(site at) { return escaped(std::string(at.file) + ":" + std::to_string(at.line)); }
  std::string operations() const {
    std::vector<int> const depth = depths_of(g_);
    std::string text =
        "<div class=\"tools\"><input id=\"word\" placeholder=\"filter\" aria-label=\"filter\"> <label><input id=\"sending\" "
        "type=\"checkbox\"> only what sends</label></div>\n";
    for (int id = 0; id < g_.node_count; ++id) {
      if (!p_.shows(id)) continue;
      node const& n = g_[id];
      text += "<div class=\"op " + std::string(name_of(n.at.pass)) + "\" id=\"n" + std::to_string(id) +
              "\" data-at=\"" + place(n.at) + "\" style=\"margin-left:" + std::to_string(16 * depth[id]) +
              "px\"><span class=\"line\">" + escaped(place_text(n.at)) + "</span>" +
              escaped(node_label(g_, words_, id)) + ' ' + type(n.facts) + "<span class=\"dim\">" + operands(id) +
              escaped(words_.decided_by(id)) + "</span>";
      for (std::size_t m : sent_[id])
        text += "<div class=\"message\" id=\"m" + std::to_string(m) +
                "\" style=\"background:" + hex(color_of(p_.messages[m].kind)) + "\">" +
                escaped(message_label(p_.messages[m], *g_.mesh) + ": " +
                        words_.reason(p_.messages[m].kind, p_.changes[m])) +
                "</div>";
      text += "</div>\n";
    }
    return text;
  }
  std::string operands(int id) const {
    std::string text;
    for (int k = 0; k < g_[id].operand_count && k < 8; ++k)
      text += (k ? ", <a href=\"#n" : " of <a href=\"#n") + std::to_string(g_.operand(id, k)) + "\">" +
              escaped(node_label(g_, words_, g_.operand(id, k))) + "</a>";
    return text + (g_[id].operand_count > 8 ? ", ..." : "");
  }

  // The source files of the program's lines, if they can be read.
  std::string sources() const {
    std::map<std::string, std::map<std::uint32_t, std::int64_t>> files;  // bytes sent, by line
    for (int id = 0; id < g_.node_count; ++id)
      if (p_.shows(id) && g_[id].at.line != 0) files[g_[id].at.file][g_[id].at.line] += 0;
    for (message const& m : p_.messages)
      if (m.at.line != 0) files[m.at.file][m.at.line] += m.bytes > 0 ? m.bytes * (m.times > 0 ? m.times : 1) : 0;
    std::vector<std::pair<std::int64_t, std::string>> order;  // the file that sends most first
    for (auto const& [name, used] : files) {
      std::int64_t bytes = 0;
      for (auto const& [line, sent] : used) bytes -= sent;
      order.emplace_back(bytes, name);
    }
    std::sort(order.begin(), order.end());
    std::string text;
    for (auto const& [bytes, name] : order) {
      auto const& used = files[name];
      std::ifstream file(name);
      if (!file) {
        text += "<h2>" + escaped(name) + "</h2>\n<div class=\"dim\">cannot be read here</div>\n";
        continue;
      }
      text += "<h2>" + escaped(name) + "</h2>\n";
      std::string line;
      for (std::uint32_t number = 1; std::getline(file, line); ++number) {
        auto const found = used.find(number);
        bool const sends = found != used.end() && found->second > 0;
        text += "<div" + (found == used.end() ? std::string() : " data-source=\"" + place_of(name, number) + '"') +
                (sends ? " class=\"sends\" title=\"" + std::to_string(found->second) + " bytes sent\"" : "") +
                "><span class=\"number\">" + std::to_string(number) + "</span>" + escaped(line) + "</div>\n";
      }
    }
    return text;
  }
  static std::string place_of(std::string const& file, std::uint32_t line) {
    return escaped(file + ":" + std::to_string(line));
  }

  std::string tables() const {
    std::string text;
    if (p_.sent.size() != p_.messages.size())
      text = "<div class=\"dim\">" + std::to_string(p_.messages.size()) + " values move in " +
             std::to_string(p_.sent.size()) + " messages: small sums over the same axes go together</div>\n";
    text +=
        "<table><tr><th>collective</th><th>axes</th><th class=\"n\">bytes</th><th class=\"n\">times</th><th>pass"
        "</th><th>line</th><th>why</th></tr>\n";
    for (std::size_t i = 0; i < p_.messages.size(); ++i) {
      message const& m = p_.messages[i];
      std::string axes;
      for (int a = 0; a < g_.mesh->rank; ++a)
        if (m.axes.contains(a)) axes += axis(a) + ' ';
      text += "<tr><td>" + escaped(name_of(m.kind)) + "</td><td>" + axes + "</td><td class=\"n\">" +
              describe(known_bytes<std::string>{m.bytes, m.is_bound()}) + "</td><td class=\"n\">" +
              describe(known_bytes<std::string>{m.times, false}) + "</td><td>" + std::string(name_of(m.pass())) +
              "</td><td>" + escaped(place_text(m.at)) + "</td><td><a href=\"#m" + std::to_string(i) + "\">" +
              escaped(words_.reason(m.kind, p_.changes[i])) + "</a></td></tr>\n";
    }
    return text + "</table>\n<pre>" + escaped(memory_by_name(p_.memory.use, p_.planned.local.view(), words_)) +
           "</pre>\n";
  }

  explained_program const& p_;
  asked_program const& asked_;
  graph_view g_;
  reason_writer words_;
  std::vector<std::vector<std::size_t>> sent_;
};

TESSERA_ENGINE std::string explanation_html(asked_program const& asked) {
  explained_program const p(asked.traced);
  return page_writer(p, asked).text();
}

}  // namespace tessera::detail
