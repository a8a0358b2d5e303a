// SPDX-License-Identifier: Apache-2.0
#pragma once
// Appends operations to a graph: calls the op's rule and keeps its result's facts, or the first refusal. This is the
// untyped interface, which typed handles, transforms and composite ops use.

#include <tessera/graph/graph.hpp>
#include <tessera/graph/op_type.hpp>
#include <tessera/graph/uneven.hpp>

#include <initializer_list>

namespace tessera {

namespace ops {
struct add;
struct subtract;
struct multiply;
struct divide;
struct negative;
}  // namespace ops

// A value of a program under construction. Id -1 is a poisoned value: every op on it returns one.
class builder;
struct term {
  builder* graph = nullptr;
  int id = -1;

  constexpr array_value const& facts() const;
  constexpr explicit operator bool() const { return id >= 0; }

  // ops::add, subtract, multiply, divide and negative for values of one program, for the bodies of ops: 1.0 - y * y. A
  // double is a weakly typed scalar. C++ does not specify which operand of an operator is evaluated first; if both
  // record nodes, name one of them first. Templates, since these ops are complete only where such a body is
  // instantiated; friends, so that they apply to terms only.
  template <class B = builder>
  friend constexpr term operator+(term x, term y) {
    return static_cast<B&>(*x.graph).template make<ops::add>({x, y});
  }
  template <class B = builder>
  friend constexpr term operator-(term x, term y) {
    return static_cast<B&>(*x.graph).template make<ops::subtract>({x, y});
  }
  template <class B = builder>
  friend constexpr term operator*(term x, term y) {
    return static_cast<B&>(*x.graph).template make<ops::multiply>({x, y});
  }
  template <class B = builder>
  friend constexpr term operator/(term x, term y) {
    return static_cast<B&>(*x.graph).template make<ops::divide>({x, y});
  }
  template <class B = builder>
  friend constexpr term operator+(term x, double y) {
    return static_cast<B&>(*x.graph).template make<ops::add>({x, number(static_cast<B&>(*x.graph), y)});
  }
  template <class B = builder>
  friend constexpr term operator-(term x, double y) {
    return static_cast<B&>(*x.graph).template make<ops::subtract>({x, number(static_cast<B&>(*x.graph), y)});
  }
  template <class B = builder>
  friend constexpr term operator*(term x, double y) {
    return static_cast<B&>(*x.graph).template make<ops::multiply>({x, number(static_cast<B&>(*x.graph), y)});
  }
  template <class B = builder>
  friend constexpr term operator/(term x, double y) {
    return static_cast<B&>(*x.graph).template make<ops::divide>({x, number(static_cast<B&>(*x.graph), y)});
  }
  template <class B = builder>
  friend constexpr term operator+(double x, term y) {
    return static_cast<B&>(*y.graph).template make<ops::add>({number(static_cast<B&>(*y.graph), x), y});
  }
  template <class B = builder>
  friend constexpr term operator-(double x, term y) {
    return static_cast<B&>(*y.graph).template make<ops::subtract>({number(static_cast<B&>(*y.graph), x), y});
  }
  template <class B = builder>
  friend constexpr term operator*(double x, term y) {
    return static_cast<B&>(*y.graph).template make<ops::multiply>({number(static_cast<B&>(*y.graph), x), y});
  }
  template <class B = builder>
  friend constexpr term operator/(double x, term y) {
    return static_cast<B&>(*y.graph).template make<ops::divide>({number(static_cast<B&>(*y.graph), x), y});
  }
  template <class B = builder>
  friend constexpr term operator-(term x) {
    return static_cast<B&>(*x.graph).template make<ops::negative>({x});
  }
};

namespace detail {
// Programs compute in device memory: a value in host memory is moved, returned, or passed through a loop.
constexpr verdict judge_memory(op_info const& op, rule_input const& in) {
  for (int k = 0; k < in.count; ++k)
    if (in[k].memory == memory_kind::host && (op.kind != op_class::identity || in.attrs.has_out)) {
      verdict v = refuse(reason::in_host_memory);
      v.operand = k;
      return v;
    }
  return accept({});
}
}  // namespace detail

struct refusal {
  verdict what{};
  op_info const* op = nullptr;
  site at{};
  array_value lhs{}, rhs{};
  int operands = 0;  // the number of operands
};

// Nodes copied from a program of constants: graph/join.hpp.
struct joined_part {
  int first = 0, count = 0;
};

// A call that will be differentiated, and is being recorded: its first node, and the first one behind its arguments,
// which are marked.
struct differentiated {
  int first = 0, begin = 0;
};
class differentiated_calls {
public:
  constexpr int size() const { return static_cast<int>(first_.size()); }
  constexpr differentiated operator[](int k) const { return {first_[k], begin_[k]}; }
  constexpr differentiated back() const { return (*this)[size() - 1]; }
  constexpr void push_back(differentiated const& call) {
    first_.push_back(call.first);
    begin_.push_back(call.begin);
  }
  constexpr void pop_back() {
    first_.pop_back();
    begin_.pop_back();
  }

private:
  growable<int> first_, begin_;  // growable<differentiated> would be another fifty instantiations in each program
};

// Literal `made` is a cast of literal `from`.
struct literal_cast {
  int made = -1, from = -1;
  cast_params to{};
};

class builder {
public:
  growable_graph recorded{};
  growable<joined_part> joined;  // the parts that later nodes may read
  refusal refused{};             // the first refusal; what.why == reason::none if there is none
  site here{};                   // copied to new nodes
  site call{};                   // of the library's function of operations that is being called, if one is
  bool in_call = false;
  int depth = 0;                         // the regions, and mapped functions, that are being recorded
  differentiated_calls calls;            // the outermost first
  int walked = 0;                        // the number, from 1 on, of the one whose record is being walked
  growable<int> dependent;               // by node, as far as known: graph/custom_rule.hpp
  int rules = 0;                         // the number of rules of custom_vjp and custom_jvp recorded so far
  bool decided = false;                  // the last answer of decide()
  growable<literal_cast> literal_casts;  // in order, if keeps_literal_casts
  bool keeps_literal_casts = false;

  constexpr mesh_value const& mesh() const { return recorded.mesh; }
  // The line to name for an operation that is written at `at`.
  constexpr site line_of(site at) const { return in_call ? call : at; }
  constexpr array_value const& facts(int id) const { return recorded.nodes[id].facts; }
  constexpr node const& at(int id) const { return recorded.nodes[id]; }
  constexpr int size() const { return static_cast<int>(recorded.nodes.size()); }

  // Adds the primitive Op itself, without its `build`.
  template <class Op>
  constexpr term emit(std::initializer_list<term> operands, attributes const& attrs = no_attributes) {
    return emit<Op>(operands.begin(), static_cast<int>(operands.size()), attrs);
  }
  template <class Op>
  constexpr term emit(term const* operands, int count, attributes const& attrs) {
    static_assert(op_register<Op>::done);
    static_assert(fits_an_instruction<Op>(),
                  "tessera: an elementwise operation has more than three operands. Fix: two operations.");
    return emit(info<Op>, operands, count, attrs);
  }
  constexpr term argument(op_info const& op, array_value const& facts) {
    int const id = push(op, nullptr, 0, {}, facts);
    recorded.inputs.push_back(id);
    return {this, id};
  }

  constexpr term emit(op_info const& op, std::initializer_list<term> operands,
                      attributes const& attrs = no_attributes) {
    return emit(op, operands.begin(), static_cast<int>(operands.size()), attrs);
  }
  constexpr term emit(op_info const& op, term const* operands, int count, attributes const& attrs = no_attributes) {
    array_value const* facts[max_operands]{};
    int ids[max_operands]{};
    for (int i = 0; i < count; ++i) {
      if (!operands[i]) return {this, -1};
      ids[i] = operands[i].id;
      facts[i] = &this->facts(ids[i]);
    }
    rule_input const asked{recorded.mesh, facts, count, attrs};
    verdict judged = op.rule(asked);
    if (judged)
      if (verdict const memory = detail::judge_memory(op, asked); !memory) judged = memory;
    if (judged && !recorded.mesh.uneven.empty())
      if (verdict const padding = detail::judge_padding(op, asked, judged.result); !padding) judged = padding;
    if (!judged) {
      int const right = judged.operand > 0 ? judged.operand : 1;
      return count == 0   ? refuse(judged, op)
             : count == 1 ? refuse(judged, op, *facts[0])
                          : refuse(judged, op, *facts[0], *facts[right]);
    }
    return {this, push(op, ids, count, attrs, judged.result)};
  }
  // Applies one operation to values of this program: (x * y). Composite ops are expanded in place. They have `build`
  // instead of (or around) a rule, which promotes, broadcasts, or expands into other ops. `build` and `transpose` of an
  // op are templates over the builder, so that op headers may name each other's ops before these are complete; each
  // header includes at its end what its own bodies need.
  template <class Op>
  constexpr term make(term const* operands, int count, attributes const& attrs = no_attributes) {
    for (int i = 0; i < count; ++i)
      if (!operands[i]) return {this, -1};
    static_assert(op_register<Op>::done);
    if constexpr (requires { Op::build(*this, operands, count, attrs); })
      return Op::build(*this, operands, count, attrs);
    else
      return emit(info<Op>, operands, count, attrs);
  }
  template <class Op>
  constexpr term make(std::initializer_list<term> operands, attributes const& attrs = no_attributes) {
    return make<Op>(operands.begin(), static_cast<int>(operands.size()), attrs);
  }
  // Adds a node with these facts; its rule is not called.
  constexpr int push(op_info const& op, int const* ids, int count, attributes const& attrs, array_value const& facts) {
    node added{&op, static_cast<int>(recorded.operands.size()), count, attrs, facts, here};
    for (int i = 0; i < count; ++i) recorded.operands.push_back(ids[i]);
    recorded.nodes.push_back(added);
    return size() - 1;
  }
  // Makes a region of the nodes recorded since `first`.
  constexpr graph_region close_region(int first, growable<int> const& inputs, growable<int> const& outputs) {
    graph_region r;
    r.first_node = first;
    r.node_count = size() - first;
    r.first_input = keep(inputs);
    r.input_count = static_cast<int>(inputs.size());
    r.first_output = keep(outputs);
    r.output_count = static_cast<int>(outputs.size());
    forget_joined(first);
    return r;
  }
  // Calls each(n) for the nodes in the regions that node `id` runs.
  template <class Each>
  constexpr void in_regions(int id, Each const& each) const {
    for (int r = 0; r < at(id).region_count; ++r) {
      graph_region const part = recorded.regions[at(id).first_region + r];
      for (int n = part.first_node; n < part.first_node + part.node_count; ++n) each(n);
    }
  }
  // Removes what was recorded since the graph had size `before`.
  constexpr void take_back(graph_size const& before) {
    recorded.nodes.resize(before.nodes);
    recorded.operands.resize(before.operands);
    recorded.regions.resize(before.regions);
    recorded.region_values.resize(before.region_values);
    forget_joined(size());
    forget_dependence(size());
  }
  // The nodes since `first` are looked at again, when dependence on the differentiated calls is asked for.
  constexpr void forget_dependence(int first) {
    while (static_cast<int>(dependent.size()) > first) dependent.pop_back();
  }
  // Ensures that no later node reads joined parts recorded since `first`.
  constexpr void forget_joined(int first) {
    while (!joined.empty() && joined.back().first >= first) joined.pop_back();
  }
  // Adds a node that runs regions. Its operands: `operands`, then the values that the regions read from outside.
  constexpr int push_loop(op_info const& op, growable<graph_region> const& regions, growable<int> operands,
                          attributes const& attrs, array_value const& facts) {
    growable<bool> known;
    known.resize(recorded.nodes.size(), false);
    for (graph_region const& r : regions) {
      auto const read = [&](int id) {
        if (id < 0 || id >= regions[0].first_node || known[id]) return;  // -1: refused
        known[id] = true;
        operands.push_back(id);
      };
      for (int id = r.first_node; id < r.first_node + r.node_count; ++id)
        for (int k = 0; k < at(id).operand_count; ++k) read(recorded.operands[at(id).first_operand + k]);
      for (int i = 0; i < r.output_count; ++i) read(recorded.region_values[r.first_output + i]);
    }
    int const id = push(op, operands.data(), static_cast<int>(operands.size()), attrs, facts);
    recorded.nodes.back().first_region = static_cast<int>(recorded.regions.size());
    recorded.nodes.back().region_count = static_cast<int>(regions.size());
    for (graph_region const& r : regions) recorded.regions.push_back(r);
    return id;
  }
  // Adds an output to a region. Returns its index.
  constexpr int add_output(int region_id, int value) {
    graph_region& r = recorded.regions[region_id];
    growable<int> outputs;
    for (int i = 0; i < r.output_count; ++i) outputs.push_back(recorded.region_values[r.first_output + i]);
    outputs.push_back(value);
    r.first_output = keep(outputs);
    return r.output_count++;
  }
  constexpr term refuse(refusal const& found) {
    if (refused.what) refused = found;
    return {this, -1};
  }
  constexpr term refuse(verdict const& why, op_info const& op) { return refuse(refusal{why, &op, here, {}, {}, 0}); }
  constexpr term refuse(verdict const& why, op_info const& op, array_value const& lhs) {
    return refuse(refusal{why, &op, here, lhs, {}, 1});
  }
  constexpr term refuse(verdict const& why, op_info const& op, array_value const& lhs, array_value const& rhs) {
    return refuse(refusal{why, &op, here, lhs, rhs, 2});
  }

  // The same in the name of Op, for the bodies of Op. If info<Op> were named there, not depending on the builder, clang
  // would instantiate it before the rest of Op is known.
  template <class Op, class... Operands>
  constexpr term refuse(verdict const& why, Operands const&... operands) {
    return refuse(why, bare_info<Op>, operands...);
  }

  // Called if C++ asks whether this value is true. Refuses it, and alternates between true and false, so that loops
  // end.
  constexpr bool decide(int id) {
    refuse_reading(id, reason::value_as_condition);
    return decided = !decided;
  }
  // Refuses a value that is read while the function is traced.
  constexpr void refuse_reading(int id, reason why) {
    if (id >= 0) refuse(refusal{tessera::refuse(why), at(id).op, at(id).at, facts(id), {}, 1});
  }

  static constexpr int max_operands = 16;

private:
  constexpr int keep(growable<int> const& values) {
    int const first = static_cast<int>(recorded.region_values.size());
    for (int v : values) recorded.region_values.push_back(v);
    return first;
  }
};

namespace detail {
// While it lives, a function is called whose record becomes a region, or is rewritten.
struct [[nodiscard]] deeper {
  builder& graph;
  constexpr explicit deeper(builder& b) : graph(b) { ++graph.depth; }
  deeper(deeper const&) = delete;
  deeper& operator=(deeper const&) = delete;
  constexpr ~deeper() { --graph.depth; }
};
// While it lives, a function is called that will be differentiated; its marked arguments begin at node `first`.
struct [[nodiscard]] differentiated_call {
  builder* graph;
  int number = 0;
  constexpr differentiated_call(builder* b, int first) : graph(b) {
    if (!graph) return;
    graph->calls.push_back({first, graph->size()});
    graph->forget_dependence(first);
    number = graph->calls.size();
  }
  differentiated_call(differentiated_call const&) = delete;
  differentiated_call& operator=(differentiated_call const&) = delete;
  constexpr ~differentiated_call() {
    if (graph) graph->calls.pop_back();
  }
};
// While it lives, the record of that call is walked.
struct [[nodiscard]] walk_of {
  builder& graph;
  int kept;
  constexpr walk_of(builder& b, int number) : graph(b), kept(b.walked) { b.walked = number; }
  walk_of(walk_of const&) = delete;
  walk_of& operator=(walk_of const&) = delete;
  constexpr ~walk_of() { graph.walked = kept; }
};
}  // namespace detail

constexpr array_value const& term::facts() const { return graph->facts(id); }

// b.make<Op> and b.emit<Op> without the keyword `template`, for bodies that are templates over the builder.
template <class Op, class Builder>
constexpr term make(Builder& b, std::initializer_list<term> operands, attributes const& attrs = no_attributes) {
  return b.template make<Op>(operands, attrs);
}
template <class Op, class Builder>
constexpr term make(Builder& b, term const* operands, int count, attributes const& attrs = no_attributes) {
  return b.template make<Op>(operands, count, attrs);
}

}  // namespace tessera
