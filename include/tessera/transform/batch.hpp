// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rewrites a recorded part of a program for a whole batch, for vmap: values that differ between its elements get the
// batch as first dimension, everything else is computed once. There is one rule for each class of operations
// (batch_ops.hpp); collectives over the mapped axis become work on that dimension (batch_collectives.hpp); if elements
// choose different branches, all branches are computed; a loop runs until the last element has stopped. Source: JAX
// jax/_src/interpreters/batching.py.

#include <tessera/control/loop_ops.hpp>
#include <tessera/control/loop_result.hpp>
#include <tessera/op/base/custom_rule.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/transform/batch_kernel.hpp>
#include <tessera/transform/batch_ops.hpp>

namespace tessera {

class batching : detail::batch_ops {
public:
  // Removes the nodes recorded since `before` from the program.
  constexpr batching(builder& b, graph_size const& before, int axis, std::int64_t size, entry_value entry)
      : batch_ops(b, axis, size, entry), start_(static_cast<int>(before.nodes)) {
    growable_graph& all = b.recorded;
    for (std::size_t i = before.nodes; i < all.nodes.size(); ++i) {
      node n = all.nodes[i];
      n.first_operand -= static_cast<int>(before.operands);
      n.first_region -= static_cast<int>(before.regions);
      nodes_.push_back(n);
      if (n.region_count) loops_.push_back(static_cast<int>(i));
    }
    for (std::size_t i = before.operands; i < all.operands.size(); ++i) operands_.push_back(all.operands[i]);
    for (std::size_t i = before.regions; i < all.regions.size(); ++i) {
      graph_region r = all.regions[i];
      r.first_input -= static_cast<int>(before.region_values);
      r.first_output -= static_cast<int>(before.region_values);
      regions_.push_back(r);
    }
    for (std::size_t i = before.region_values; i < all.region_values.size(); ++i)
      values_.push_back(all.region_values[i]);
    b.take_back(before);
    for (int id = 0; id < start_; ++id) made_.push_back(id);
    made_.resize(nodes_.size() + before.nodes, -1);
    mapped_.resize(made_.size(), false);
  }

  // Argument `inner` of the part stands for the slices of `outer` along dimension `dim`.
  constexpr void enter(int inner, int outer, int dim) {
    made_[inner] = to_front({&b_, outer}, dim).id;
    mapped_[inner] = true;
  }
  constexpr void run() {
    site const kept = b_.here;
    while (find_mapped()) {
    }
    stretch(start_, start_ + static_cast<int>(nodes_.size()));
    b_.here = kept;
  }
  // A value of the part with the batch as dimension `dim`.
  constexpr term leave(int inner, int dim) { return first_to(in_layout(whole(operand(inner))), dim); }
  // A value that is the same for the whole batch; none if it is not.
  constexpr term leave_same(int inner) const { return inner < 0 || mapped(inner) ? term{&b_, -1} : now(inner); }

private:
  constexpr node const& old(int id) const { return nodes_[id - start_]; }
  constexpr int operand_of(node const& n, int k) const { return operands_[n.first_operand + k]; }
  // The new value for a value of the part, or of the program before it.
  constexpr term now(int id) const { return {&b_, made_[id]}; }
  constexpr bool mapped(int id) const { return id >= 0 && mapped_[id]; }
  constexpr void set(int id, term made) { made_[id] = made.id; }
  constexpr array_value facts_of(int id) const {  // one element of the batch
    return id < start_ ? b_.facts(id) : old(id).facts;
  }
  constexpr detail::batch_operand operand(int id) const {
    return id < 0 ? detail::batch_operand{{&b_, -1}} : detail::batch_operand{now(id), mapped(id), facts_of(id)};
  }

  // Marks a value that differs between elements. True if it was not marked.
  constexpr bool mark(int id, bool found) {
    bool const more = found && !mapped(id);
    if (more) mapped_[id] = true;
    return more;
  }
  // Marks the values that differ between elements, in one pass over the part. True if it found more of them.
  constexpr bool find_mapped() {
    bool more = false;
    for (int id = start_; id < start_ + static_cast<int>(nodes_.size()); ++id) {
      node const& n = old(id);
      if (n.op->kind == op_class::rule) {
        more |= mark_rule(id, n);
      } else if (n.region_count) {
        more |= mark_loop(id, n);
      } else if (n.op->kind == op_class::loop_result) {
        more |= mark(id, result_is_mapped(operand_of(n, 0), n.attrs.as<result_params>().which));
      } else if (joins(n) && n.op->kind != op_class::identity) {
        more |= mark(id, joined_differs(n));
      } else {
        for (int k = 0; k < n.operand_count; ++k) more |= mark(id, mapped(operand_of(n, k)));
      }
    }
    return more;
  }
  constexpr graph_region const& region(int loop, int r) const { return regions_[old(loop).first_region + r]; }
  constexpr int region_input(int loop, int r, int i) const { return values_[region(loop, r).first_input + i]; }
  constexpr int result_in_region(int loop, int r, std::int64_t k) const {
    return values_[region(loop, old(loop).attrs.as<loop_shape>().body() + r).first_output + static_cast<int>(k)];
  }
  // Whether the selector of a branch, or the condition of a loop, differs between elements.
  constexpr bool chosen_by_element(int loop) const {
    loop_shape const shape = old(loop).attrs.as<loop_shape>();
    return shape.kind == loop_kind::branch   ? mapped(operand_of(old(loop), 0))
           : shape.kind == loop_kind::while_ ? mapped(values_[region(loop, 0).first_output])
                                             : false;
  }
  // Loops: a carried value differs if it does when the loop begins, or after a turn.
  constexpr bool mark_loop(int id, node const& n) {
    loop_shape const shape = n.attrs.as<loop_shape>();
    if (shape.kind == loop_kind::grid) return false;  // repeat_kernel repeats its body as it is
    bool const chosen = chosen_by_element(id);
    bool more = false;
    for (int k = 0; k < shape.carried + shape.sliced; ++k) {
      bool const returned = k < shape.carried && (chosen || mapped(result_in_region(id, 0, k)));
      for (int r = 0; r < n.region_count; ++r)
        more |= mark(region_input(id, r, k), returned || mapped(operand_of(n, k)));
    }
    return more;
  }
  // A rule: tangents differ where arguments do, cotangents where results do. A result differs if its tangent does.
  constexpr bool mark_rule(int id, node const& n) {
    custom_rule_params const params = n.attrs.as<custom_rule_params>();
    bool more = false;
    if (params.forward)
      for (int k = 0; k < region(id, 0).input_count; ++k)
        more |= mark(region_input(id, 0, k), mapped(operand_of(n, k)));
    for (int r = id + 1; r < start_ + static_cast<int>(nodes_.size()); ++r) {
      node const& result = old(r);
      if (!is_rule_result(result) || operand_of(result, 1) != id) continue;
      auto const which = static_cast<int>(result.attrs.as<custom_rule_params>().which);
      if (params.forward)
        more |= mark(r, mapped(values_[region(id, 0).first_output + which]));
      else
        more |= mark(region_input(id, 0, which), mapped(r));
    }
    return more;
  }
  static constexpr bool is_rule_result(node const& n) { return detail::is_op<ops::rule_result>(n.op); }
  // Whether the walk that uses a rule is yet to come.
  constexpr bool awaited(node const& n) const { return n.attrs.as<custom_rule_params>().call <= b_.calls.size(); }
  // Result k of a loop; for a branch: whether one of its regions returns a value that differs.
  constexpr bool result_is_mapped(int loop, std::int64_t k) const {
    loop_shape const shape = old(loop).attrs.as<loop_shape>();
    if (shape.kind == loop_kind::grid) return kernel_is_mapped(loop);
    if (shape.kind != loop_kind::branch)
      return mapped(k < shape.carried ? region_input(loop, 0, static_cast<int>(k)) : result_in_region(loop, 0, k));
    bool any = chosen_by_element(loop);
    for (int r = 0; r < old(loop).region_count; ++r) any = any || mapped(result_in_region(loop, r, k));
    return any;
  }

  constexpr bool kernel_is_mapped(int loop) const {
    for (int k = 0; k < old(loop).attrs.as<loop_shape>().sliced; ++k)
      if (mapped(operand_of(old(loop), k))) return true;
    return false;
  }

  // Nodes first..end-1, which may contain whole loops.
  constexpr void stretch(int first, int end) {
    for (int id = first; id < end; ++id) {
      int const loop = loop_from(id, end);
      if (loop >= 0) {
        if (old(loop).op->kind == op_class::rule)
          repeat_rule(loop);
        else
          repeat_loop(loop);
        id = loop;
      } else {
        b_.here = old(id).at;
        step(id);
      }
    }
  }
  // The outermost loop before `end` whose regions begin at `id`.
  constexpr int loop_from(int id, int end) const {
    for (std::size_t k = loops_.size(); k-- > 0;)
      if (int const loop = loops_[k]; loop < end && loop >= id && regions_[old(loop).first_region].first_node == id)
        return loop;
    return -1;
  }

  // A loop or branch on batches.
  constexpr void repeat_loop(int id) {
    node const n = old(id);
    loop_shape const shape = n.attrs.as<loop_shape>();
    bool const chosen = chosen_by_element(id);
    if (shape.kind == loop_kind::branch && chosen) return choose(id, n);
    if (shape.kind == loop_kind::grid && kernel_is_mapped(id)) return repeat_kernel(id, n);
    growable<graph_region> made;
    int next = region(id, 0).first_node;
    for (int r = 0; r < n.region_count; ++r) {
      graph_region const part = region(id, r);
      stretch(next, part.first_node);
      next = part.first_node + part.node_count;
      int const first = b_.size();
      stretch(part.first_node, next);
      b_.here = n.at;
      growable<int> inputs, outputs;
      for (int i = 0; i < part.input_count; ++i) inputs.push_back(now(region_input(id, r, i)).id);
      for (int i = 0; i < part.output_count; ++i) {
        int const value = values_[part.first_output + i];
        bool const condition = shape.kind == loop_kind::while_ && r == 0;
        term const out = condition                 ? any_of(value)
                         : result_is_mapped(id, i) ? in_layout(whole(operand(value)))
                                                   : now(value);
        if (!out) return;
        outputs.push_back(out.id);
      }
      if (shape.kind == loop_kind::while_ && chosen && r == 1 && !keep_stopped(id, part, inputs, outputs)) return;
      made.push_back(b_.close_region(first, inputs, outputs));
    }
    stretch(next, id);
    b_.here = n.at;
    growable<int> operands;
    for (int k = 0; k < shape.first_capture(); ++k) {
      int const value = operand_of(n, k);
      bool const differs = k < shape.carried + shape.sliced && mapped(region_input(id, 0, k));
      term const x = differs ? in_layout(whole(operand(value))) : now(value);
      term const given = differs && k >= shape.carried ? first_to(x, 1) : x;
      if (!given) return;
      operands.push_back(given.id);
    }
    made_[id] = b_.push_loop(*n.op, made, operands, n.attrs, n.facts);
  }
  // A kernel on batches: they are one more dimension of its grid.
  constexpr void repeat_kernel(int id, node const& n) {
    graph_region const part = region(id, 0);
    loop_shape shape = n.attrs.as<loop_shape>();
    b_.here = n.at;
    grid_batch batch = detail::batch_of_kernel(shape, b_.mesh(), size_, entry_);
    for (int k = 0; k < shape.sliced; ++k)
      if (mapped(operand_of(n, k))) batch.operands |= grid_batch::bit(k);
    growable<int> given, inputs, outputs;
    for (int k = 0; k < shape.sliced; ++k) {
      int const value = operand_of(n, k);
      term const x = !batch.maps(k)        ? now(value)
                     : batch.entry.empty() ? with_whole_batch(whole(operand(value)))
                                           : in_layout(whole(operand(value)));
      if (!x) return;
      given.push_back(x.id);
    }
    int const first = b_.size();
    stretch(part.first_node, part.first_node + part.node_count);
    for (int i = 0; i < part.input_count; ++i) inputs.push_back(now(region_input(id, 0, i)).id);
    for (int i = 0; i < part.output_count; ++i) outputs.push_back(now(values_[part.first_output + i]).id);
    growable<graph_region> regions;
    regions.push_back(b_.close_region(first, inputs, outputs));
    detail::vary_with_batch(b_, first, inputs, shape, batch);
    made_[id] = b_.push_loop(*n.op, regions, given, detail::with_batch(shape, batch), n.facts);
  }
  // A rule on batches. What a result's cotangent becomes for an argument that is the same for all elements is summed.
  constexpr void repeat_rule(int id) {
    node const n = old(id);
    if (!awaited(n)) return;
    graph_region const part = region(id, 0);
    custom_rule_params const params = n.attrs.as<custom_rule_params>();
    int const first = b_.size();
    stretch(part.first_node, part.first_node + part.node_count);
    b_.here = n.at;
    growable<int> inputs, outputs, arguments;
    for (int k = 0; k < part.input_count; ++k) inputs.push_back(now(region_input(id, 0, k)).id);
    for (int k = 0; k < part.output_count; ++k) {
      int const value = values_[part.first_output + k];
      bool const differs = params.forward ? mapped(value) : mapped(operand_of(n, k));
      term const out = differs         ? in_layout(whole(operand(value)))
                       : mapped(value) ? make<ops::reduce_sum>(b_, {now(value)}, reduce_params{{0}})
                                       : now(value);
      if (!out) return;
      outputs.push_back(out.id);
    }
    int const count = params.forward ? part.input_count : part.output_count;
    for (int k = 0; k < count; ++k) {
      term const x = mapped(operand_of(n, k)) ? in_layout(whole(operand(operand_of(n, k)))) : now(operand_of(n, k));
      if (!x) return;
      arguments.push_back(x.id);
    }
    growable<graph_region> parts;
    parts.push_back(b_.close_region(first, inputs, outputs));
    made_[id] = b_.push_loop(*n.op, parts, arguments, n.attrs, {});
  }
  constexpr void result_of_rule(int id, node const& n) {
    int const value = operand_of(n, 0), rule = made_[operand_of(n, 1)];
    term const x = mapped(id) ? in_layout(whole(operand(value))) : now(value);
    if (!x || !awaited(n)) return set(id, x);
    if (rule < 0) return;  // refused
    int const ids[]{x.id, rule};
    set(id, {&b_, b_.push(*n.op, ids, 2, n.attrs, mapped(id) ? batch_of(n.facts) : without_axis(n.facts))});
  }
  constexpr term any_of(int answer) {
    if (!mapped(answer)) return now(answer);
    return make<ops::reduce_or>(b_, {now(answer)}, reduce_params{{0}});
  }
  // Elements that have stopped keep their carried values: evaluates the condition again on the values at the start of
  // this turn.
  constexpr bool keep_stopped(int id, graph_region const& body, growable<int> const& inputs, growable<int>& outputs) {
    graph_region const condition = region(id, 0);
    int const end = condition.first_node + condition.node_count;
    for (int i = condition.first_node; i < end; ++i) made_[i] = -1;
    for (int i = 0; i < condition.input_count; ++i) made_[region_input(id, 0, i)] = inputs[i];
    stretch(condition.first_node, end);
    int const answer = values_[condition.first_output];
    for (int i = 0; i < body.output_count; ++i) {
      term const before{&b_, inputs[i]};
      term const kept = choice(now(answer), facts_of(region_input(id, 1, i)), {&b_, outputs[i]}, before);
      if (!kept) return false;
      outputs[i] = kept.id;
    }
    return true;
  }
  // A branch that each element chooses for itself: all are computed. Out of range the nearest one.
  constexpr void choose(int id, node const& n) {
    stretch(region(id, 0).first_node, id);
    b_.here = n.at;
    term const selector = now(operand_of(n, 0));
    int const first = static_cast<int>(chosen_.size());
    for (int k = 0; k < region(id, 0).output_count; ++k) {
      int const like = result_in_region(id, 0, k);
      term result = in_layout(whole(operand(like)));
      for (int r = 1; r < n.region_count && result; ++r) {
        term pred = selector;
        if (pred.facts().element != dtype::boolean) {
          term const which = number(b_, r, pred.facts().element);
          pred = make<ops::greater_equal>(b_, {pred, which});
        }
        result = choice(pred, facts_of(like), in_layout(whole(operand(result_in_region(id, r, k)))), result);
      }
      chosen_.push_back(result.id);
    }
    made_[id] = -2 - first;  // no node: its results are known
  }
  constexpr void result_of_loop(int id, node const& n) {
    int const loop = operand_of(n, 0), made = made_[loop];
    if (made == -1) return;
    auto const which = n.attrs.as<result_params>().which;
    if (made < 0) return set(id, {&b_, chosen_[-2 - made + static_cast<int>(which)]});
    loop_shape const shape = old(loop).attrs.as<loop_shape>();
    bool const stacked = shape.kind == loop_kind::scan && which >= shape.carried;
    array_value facts = without_axis(n.facts);
    if (mapped(id) && shape.kind == loop_kind::grid) {
      facts = tessera::with_dim(facts, 0, size_, b_.at(made).attrs.as<loop_shape>().batches[0].entry);
      return set(id, in_layout(detail::loop_result(b_, made, static_cast<int>(which), facts)));
    }
    if (mapped(id))
      facts = stacked ? detail::stacked_facts(batch_of(detail::slice_facts(n.facts)), n.facts.extent(0))
                      : batch_of(n.facts);
    term const result = detail::loop_result(b_, made, static_cast<int>(which), facts);
    set(id, stacked && mapped(id) ? to_front(result, 1) : result);
  }

  constexpr void step(int id) {
    node const& n = old(id);
    if (made_[id] >= 0) return;  // an argument of the whole
    op_class const kind = n.op->kind;
    if (kind == op_class::argument) {
      array_value const facts = mapped(id) ? batch_of(n.facts) : without_axis(n.facts);
      return set(id, {&b_, b_.push(*n.op, nullptr, 0, {}, facts)});
    }
    if (kind == op_class::loop_result) return result_of_loop(id, n);
    if (is_rule_result(n)) return result_of_rule(id, n);
    detail::batch_node seen{n, {}};
    for (int k = 0; k < n.operand_count; ++k) {
      seen.x[k] = operand(operand_of(n, k));
      if (!seen.x[k].now) return;  // refused
    }
    set(id, joins(n) ? joined(seen) : mapped(id) ? on_batches(seen) : copied(n));
  }
  constexpr term copied(node const& n) {
    growable<int> ids;
    for (int k = 0; k < n.operand_count; ++k) ids.push_back(now(operand_of(n, k)).id);
    return {&b_, b_.push(*n.op, ids.data(), n.operand_count, without_axis(n.attrs), without_axis(n.facts))};
  }

  int start_;
  growable<node> nodes_;  // the recorded part; operands and values by their old numbers
  growable<int> operands_;
  growable<graph_region> regions_;
  growable<int> values_;
  growable<int> loops_;
  growable<int> made_;     // by old number: the new node
  growable<bool> mapped_;  // and whether that has the batch dimension
  growable<int> chosen_;   // results of branches that each element chooses for itself
};

}  // namespace tessera
