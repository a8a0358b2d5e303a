// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes steps of groups, with the instructions of each fused group. Steps run in program order, each as late as its
// first reader allows and after its inputs, so that values are not in memory longer than in the program.

#include <tessera/plan/base/strides.hpp>
#include <tessera/plan/fuse/fuse.hpp>
#include <tessera/rule/device_groups.hpp>

namespace tessera::detail {

class step_writer {
public:
  constexpr step_writer(graph_view local, fusion& groups, growable_plan& out) : g_(local), f_(groups), out_(out) {
    std::size_t const n = g_.node_count;
    register_.resize(n, -1);
    loaded_by_.resize(n, -1);
    next_.resize(n, -1);
    first_.resize(n, -1);
    last_.resize(n, -1);
    state_.resize(n, progress::waiting);
    out_.code.reserve(2 * n);
    out_.lists.reserve(2 * n);
    out_.steps.reserve(n / 4 + 4);
    for (int id = 0; id < g_.node_count; ++id) collect(id);
    for (int id = 0; id < g_.node_count; ++id)
      if (f_.at(id).is == role::alone || (f_.at(id).is == role::fused && last_[f_.group_of(id)] == id)) write(id);
  }

private:
  enum class progress : std::uint8_t { waiting, entered, written };
  // Links the members of each group in order.
  constexpr void collect(int id) {
    if (f_.at(id).is != role::fused) return;
    int const group = f_.group_of(id);
    if (last_[group] < 0)
      first_[group] = id;
    else
      next_[last_[group]] = id;
    last_[group] = id;
  }

  // The step that computes x: its node, or the name of its group; -1 if x is in memory before the program runs.
  constexpr int step_of(int x) {
    x = f_.base(x);
    if (f_.at(x).is == role::alone) return x;
    if (f_.at(x).is == role::part) return g_.operand(x, 0);
    return f_.at(x).is == role::fused ? f_.group_of(x) : -1;
  }
  constexpr void await(int x) {
    if (int const before = step_of(x); before >= 0 && state_[before] == progress::waiting) pending_.push_back(before);
  }
  // Writes the step of `id` after all steps that it reads from.
  constexpr void write(int id) {
    pending_.push_back(step_of(id));
    while (!pending_.empty()) {
      int const at = pending_.back();
      if (state_[at] == progress::waiting) {
        state_[at] = progress::entered;
        bool const group = f_.at(at).is == role::fused;
        for (int member = group ? first_[at] : at; member >= 0; member = group ? next_[member] : -1) {
          for (int k = f_.reads(member) - 1; k >= 0; --k) {
            int const x = f_.read(member, k);
            for (int p = f_.pieces(x) - 1; p >= 0; --p) await(f_.piece(x, p));
          }
        }
        continue;
      }
      pending_.pop_back();
      if (state_[at] == progress::written) continue;
      state_[at] = progress::written;
      if (f_.at(at).is == role::alone)
        alone(at);
      else
        group(at);
    }
  }

  constexpr void alone(int id) {
    step s;
    int const by = f_.computed_by(id);
    switch (g_.nodes[by].op->kind) {
      case op_class::dot: s.kind = step_kind::dot; break;
      case op_class::reduce: s.kind = step_kind::reduce; break;
      case op_class::collective: s.kind = step_kind::collective; break;
      case op_class::gather:
      case op_class::scatter: s.kind = step_kind::gather; break;
      case op_class::opaque: s.kind = step_kind::opaque; break;
      case op_class::effect: s.kind = g_.nodes[by].op->act ? step_kind::effect : step_kind::copy; break;
      case op_class::loop: s.kind = step_kind::loop; break;
      default: s.kind = step_kind::copy; break;
    }
    if (f_.is_convolution(id)) s.kind = step_kind::convolution;
    s.node = by;
    s.inputs = {static_cast<int>(out_.lists.size()), f_.reads(id)};
    for (int k = 0; k < s.inputs.count; ++k) out_.lists.push_back(f_.read(id, k));
    s.outputs = {static_cast<int>(out_.lists.size()), 1};
    bool const moves = by != id && g_.nodes[by].op->kind == op_class::collective;
    if (by != id && !moves) {
      s.across = axes_joined(g_.nodes[id].attrs);
      s.exchanges = s.outputs;
    }
    out_.lists.push_back(id);
    for (int k = id + 1; k < g_.node_count && f_.at(k).is == role::part && g_.operand(k, 0) == id; ++k) {
      out_.lists.push_back(k);
      ++s.outputs.count;
    }
    if (moves) {
      s.kind = step_kind::copy;
      s.exchanges.first = static_cast<int>(out_.lists.size());
      chain(by, id, s.exchanges.count);
    }
    out_.steps.push_back(s);
  }
  // Lists the moves from `first` to `id`, in order.
  constexpr void chain(int first, int id, int& count) {
    if (id != first) chain(first, g_.operand(id, 0), count);
    out_.lists.push_back(id);
    ++count;
  }

  constexpr void group(int name) {
    int const first = first_[name];
    step s;
    s.kind = step_kind::fused;
    s.node = f_.at(first).space;
    inputs_.clear();
    outputs_.clear();
    code_start_ = static_cast<int>(out_.code.size());
    by_rows_ = false;
    for (int id = first; id >= 0; id = next_[id]) by_rows_ = by_rows_ || f_.at(id).row;
    for (int id = first; id >= 0; id = next_[id]) instruct(name, id, s.node);
    for (int id = first; id >= 0; id = next_[id]) {
      if (!f_.at(id).stored) continue;
      instruction store;
      store.kind = code_kind::store;
      store.element = g_.nodes[id].facts.element;
      store.row = f_.at(id).row;
      store.a = register_[id];
      store.b = static_cast<int>(outputs_.size());
      outputs_.push_back(id);
      out_.code.push_back(store);
    }
    s.code = {code_start_, static_cast<int>(out_.code.size()) - code_start_};
    s.pieces = list_pieces();
    s.inputs = {static_cast<int>(out_.lists.size()), static_cast<int>(inputs_.size())};
    for (int id : inputs_) out_.lists.push_back(id);
    s.outputs = {static_cast<int>(out_.lists.size()), static_cast<int>(outputs_.size())};
    for (int id : outputs_) out_.lists.push_back(id);
    if (by_rows_) s.across = f_.at(s.node).across;
    s.exchanges = {static_cast<int>(out_.lists.size()), 0};
    for (int id = first; id >= 0; id = next_[id])
      if (f_.at(id).takes >= 0) {
        out_.lists.push_back(id);
        ++s.exchanges.count;
      }
    out_.steps.push_back(s);
  }

  // Adds the pieces of the concatenations among the inputs. Returns how many.
  constexpr int list_pieces() {
    int const loaded = static_cast<int>(inputs_.size());
    for (int k = 0; k < loaded; ++k)
      if (f_.at(inputs_[k]).is == role::pieces)
        for (int p = 0; p < f_.pieces(inputs_[k]); ++p) inputs_.push_back(f_.piece(inputs_[k], p));
    return static_cast<int>(inputs_.size()) - loaded;
  }

  constexpr void instruct(int group, int id, int space) {
    node const& n = g_.nodes[id];
    int registers[most_elementwise_operands]{-1, -1, -1};
    for (int k = 0; k < n.operand_count && k < most_elementwise_operands; ++k)
      registers[k] = operand(group, id, g_.operand(id, k), space);
    if (n.op->kind == op_class::identity || f_.at(id).takes >= 0) {
      register_[id] = registers[0];
      return;
    }
    instruction i;
    i.kind = n.op->kind == op_class::reduce ? code_kind::reduce : code_kind::compute;
    i.op = n.op;
    i.element = n.facts.element;
    i.row = f_.at(id).row;
    i.a = registers[0];
    i.b = registers[1];
    i.c = registers[2];
    register_[id] = put(i);
  }

  // The register that holds operand x of node id. x is loaded or computed once per group.
  constexpr int operand(int group, int id, int x, int space) {
    if (int const value = f_.in_group(id, x); value >= 0) return register_[value];
    int source = x;  // a repeated scalar constant is that constant
    while (f_.at(source).is == role::view && f_.at(f_.base(source)).is == role::constant)
      source = g_.operand(source, 0);
    if (loaded_by_[source] == group) return register_[source];
    loaded_by_[source] = group;
    instruction i;
    i.element = g_.nodes[source].facts.element;
    if (g_.nodes[source].op->kind == op_class::literal) {
      i.kind = code_kind::literal;
      i.a = source;
    } else if (f_.at(source).is == role::constant) {
      i.kind = code_kind::index;
      i.b = source;
    } else {
      i.kind = code_kind::load;
      i.a = static_cast<int>(inputs_.size());
      i.row =
          by_rows_ && (one_for_a_row(source, space) || f_.is_row_of(source, space)) && g_.nodes[space].facts.rank > 0;
      inputs_.push_back(source);
    }
    return register_[source] = put(i);
  }

  constexpr bool one_for_a_row(int source, int space) const {
    return g_.nodes[source].facts.rank == 0 && (g_.nodes[source].facts.varying & f_.at(space).across).empty();
  }
  constexpr int put(instruction const& i) {
    out_.code.push_back(i);
    return static_cast<int>(out_.code.size()) - 1 - code_start_;
  }

  graph_view g_;
  fusion& f_;
  growable_plan& out_;
  growable<int> register_, loaded_by_, next_, first_, last_;
  growable<progress> state_;
  growable<int> pending_, inputs_, outputs_;
  int code_start_ = 0;
  bool by_rows_ = false;
};

}  // namespace tessera::detail
