// SPDX-License-Identifier: Apache-2.0
#pragma once
// The reason for a message, in words: which operation needs which value in another layout, and which of its dimensions.

#include <tessera/graph/builder.hpp>
#include <tessera/graph/node_factors.hpp>
#include <tessera/plan/explain/explain.hpp>
#include <tessera/plan/path/layout_change.hpp>
#include <tessera/trace/enter_numbers.hpp>

#include <string>
#include <vector>

namespace tessera::detail {

class reason_writer {
public:
  // `global`: the program with all its layouts; `inputs`: the names of its arguments, one per line; `grown_from`: over
  // Auto axes, the value that each value's layout came from, or -1.
  reason_writer(graph_view const& global, std::string_view inputs, growable<int> const& grown_from)
      : g_(global), grown_from_(grown_from) {
    while (!inputs.empty()) {
      inputs_.emplace_back(inputs.substr(0, inputs.find('\n')));
      inputs.remove_prefix(inputs_.back().size() + 1);
    }
  }

  // A line such as "all_gather over mp, 4096 bytes, model.hpp:41: replicates float32[64,32] because ...".
  std::string line(message const& m, layout_change const& c) const {
    std::string text(name_of(m.kind));
    text += " over ";
    append_axes(text, m.axes, *g_.mesh);
    text += ", " + describe(known_bytes<std::string>{m.bytes, m.is_bound()}) + " bytes";
    if (m.times == dynamic) text += " each turn";
    if (m.times != dynamic && m.times != 1) text += " x " + std::to_string(m.times);
    return text + ", " + line_text<std::string>(m.at) + ": " + reason(m.kind, c);
  }
  std::string reason(collective kind, layout_change const& c) const {
    std::string const why = because(c);
    bool const replicates = kind == collective::all_gather && c.changes && c.to.used().empty() && c.to.pending.empty();
    return replicates ? "replicates " + type(c.value, c.to) + " because " + why : why;
  }

  // The name of a value: an argument's name, or the operation that made it.
  std::string name(int id, int depth = 0) const {
    for (int i = 0; i < g_.input_count; ++i)
      if (g_.inputs[i] == id) return input(i);
    node const& n = g_[id];
    switch (n.op->kind) {
      case op_class::argument: return "a value of the loop";
      case op_class::literal: return "a constant";
      case op_class::loop_result:
        return "a result of " + std::string(g_[g_.operand(id, 0)].op->name) + " at " + line_text<std::string>(n.at);
      case op_class::permute:
      case op_class::reshape:
      case op_class::broadcast:
      case op_class::identity:
      case op_class::reshard:
      case op_class::mesh_cast:
      case op_class::slice:
        if (depth < 2) return std::string(n.op->name) + " of " + name(g_.operand(id, 0), depth + 1);
        [[fallthrough]];
      default: return "the result of " + std::string(n.op->name) + " at " + line_text<std::string>(n.at);
    }
  }
  // The type of a value in a layout.
  std::string type(array_value value, block_layout const& layout) const {
    value.spec = layout.spec;
    value.unreduced = layout.pending;
    value.reduced = value.varying = {};
    value.weak = false;
    return describe(value, *g_.mesh);
  }

  // The name of input i. A C++ number has an input for each element type in which it is read.
  std::string input(int i) const {
    node const& n = g_[g_.inputs[i]];
    number_role const role = number_role_of(n);
    bool const copied = role == number_role::promoted || role == number_role::asked;
    std::size_t const which = copied ? n.attrs.as<argument_params>().position : i;
    return which < inputs_.size() ? inputs_[which] : "argument " + std::to_string(which);
  }

  // Over Auto axes: " (as <name> has it)" with the value that determined the layout, if it is another value.
  std::string decided_by(int id) const {
    int from = id;
    for (std::size_t k = 0; k < grown_from_.size() && grown_from_[from] >= 0; ++k) from = grown_from_[from];
    if (from == id) return "";
    node const& n = g_[from];
    bool const hint = n.op->kind == op_class::identity && n.attrs.has_out;
    return " (as " + (hint ? "the constraint at " + line_text<std::string>(n.at) : name(from)) + " has it)";
  }

private:
  std::string because(layout_change const& c) const {
    node const& n = g_[c.node];
    std::string const op(n.op->name);
    if (!c.changes && n.op->cuts_windows)
      return "windows reach into the neighbors' blocks of " + name(g_.operand(c.node, 0));
    if (!c.changes && n.op->adds_windows)
      return "windows reached into the neighbors' blocks, which get what was added up there";
    if (!c.changes) return op + " is written here";
    if (c.operand == layout_change::output)
      return name(c.node) + ", " + type(c.value, c.from) + ", leaves as " + type(c.value, c.to);
    bool const asks = n.op->kind == op_class::reshard || n.op->kind == op_class::identity ||
                      n.op->kind == op_class::mesh_cast || n.op->kind == op_class::enter ||
                      n.op->kind == op_class::leave;
    if (asks)
      return op + " asks for " + name(g_.operand(c.node, 0)) + ", " + type(c.value, c.from) +
             decided_by(g_.operand(c.node, 0)) + ", as " + type(c.value, c.to);
    if (c.operand == layout_change::result) return of_result(c, op);
    return of_operand(c, op);
  }

  bool has_factors(node const& n) const {
    return n.operand_count > 0 && n.operand_count <= builder::max_operands && n.op->kind != op_class::loop &&
           n.op->kind != op_class::loop_result;
  }
  factor_map factors(int id) const {
    node const& n = g_[id];
    array_value const* operands[builder::max_operands]{};
    for (int k = 0; k < n.operand_count; ++k) operands[k] = &g_[g_.operand(id, k)].facts;
    return factors_of(*n.op, {*g_.mesh, operands, n.operand_count, n.attrs}, n.facts);
  }
  std::string split(entry_value entry) const {
    if (entry.empty()) return "whole";
    std::string text = "split over ";
    append_entry(text, entry, *g_.mesh);
    return text;
  }
  static std::string dimension(int d) { return "dimension " + std::to_string(d); }

  // The reason if partial sums are added up, or the result is needed in another layout.
  std::string of_result(layout_change const& c, std::string const& op) const {
    axis_set const summed = c.from.pending - c.to.pending;
    if (summed.empty())
      return op + " gives " + type(c.value, c.from) + ", and its result is to be " + type(c.value, c.to);
    std::string axes;
    append_axes(axes, summed, *g_.mesh);
    bool const adds = g_[c.node].op->reduction == monoid::sum || g_[c.node].op->reduction == monoid::none;
    std::string const then = std::string(": each device has ") + (adds ? "a part of the sum" : "that of its own part") +
                             ", and its result is to be " + type(c.value, c.to);
    if (has_factors(g_[c.node])) {
      factor_map const map = factors(c.node);
      for (int k = 0; k < g_[c.node].operand_count; ++k) {
        array_value const& x = g_[g_.operand(c.node, k)].facts;
        for (int d = 0; d < x.rank; ++d)
          if (int const f = map.first(k, d);
              f >= 0 && map.kind[f] == factor_kind::summed && !(x.entry(d).axes() & summed).empty())
            return op + ' ' + sums(c.node) + ' ' + dimension(d) + " of " + name(g_.operand(c.node, k)) + ", " +
                   describe(x, *g_.mesh) + decided_by(g_.operand(c.node, k)) + ", which " + axes + " splits" + then;
      }
    }
    return op + " is over what " + axes + " splits" + then;
  }
  std::string sums(int id) const { return g_[id].op->kind == op_class::dot ? "contracts" : "reduces"; }

  std::string of_operand(layout_change const& c, std::string const& op) const {
    int const x = g_.operand(c.node, c.operand);
    std::string const what = name(x) + ", " + type(c.value, c.from) + decided_by(x);
    std::string text;
    if (has_factors(g_[c.node])) {
      factor_map const map = factors(c.node);
      for (int d = 0; d < c.value.rank; ++d) {
        int const f = map.first(c.operand, d);
        if (c.from.entry(d) == c.to.entry(d) || f < 0) continue;
        text += (text.empty() ? op + ' ' : ", and ") + of_dim(c, map, d, f, text.empty() ? " of " + what : "");
      }
    }
    return text.empty() ? op + " reads " + what + ", as " + type(c.value, c.to) : text;
  }
  std::string of_dim(layout_change const& c, factor_map const& map, int d, int f, std::string const& what) const {
    if (map.kind[f] == factor_kind::whole) return "works on all of " + dimension(d) + what;
    if (map.kind[f] == factor_kind::summed) {
      std::string text = sums(c.node) + ' ' + dimension(d) + what;
      for (int k = 0; k < g_[c.node].operand_count; ++k) {
        int const other = g_.operand(c.node, k);
        for (int e = 0; k != c.operand && e < g_[other].facts.rank; ++e)
          if (map.first(k, e) == f)
            return text + ", against " + name(other) + ", " + describe(g_[other].facts, *g_.mesh) + ", which is " +
                   split(g_[other].facts.entry(e)) + " there";
      }
      return text;
    }
    array_value const& made = g_[c.node].facts;
    for (int r = 0; r < made.rank; ++r)
      if (map.first(map.result(), r) == f)
        return "passes " + dimension(d) + what + ", to its result, " + describe(made, *g_.mesh) + ", which is " +
               split(made.entry(r)) + " there";
    return "reads " + dimension(d) + what + ", " + split(c.to.entry(d));
  }

  graph_view g_;
  std::vector<std::string> inputs_;
  growable<int> const& grown_from_;
};

}  // namespace tessera::detail
