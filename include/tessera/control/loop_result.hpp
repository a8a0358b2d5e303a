// SPDX-License-Identifier: Apache-2.0
#pragma once
// The results of a node that runs regions, as nodes of their own.

#include <tessera/graph/backward.hpp>
#include <tessera/graph/loop.hpp>

namespace tessera {
namespace ops {

struct scan;
struct branch;

// A result of its operand.
struct loop_result {
  static constexpr std::string_view name = "result";
  static constexpr op_class kind = op_class::loop_result;
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.touch_operand();
  }
};

}  // namespace ops

namespace detail {

constexpr term loop_result(builder& b, int loop, int k, array_value facts) {
  static_assert(op_register<ops::loop_result>::done);
  if (loop < 0) return {&b, -1};
  return {&b, b.push(info<ops::loop_result>, &loop, 1, result_params{k}, facts)};
}
template <class Op, class B>
constexpr int push_loop(B& b, growable<graph_region> const& regions, growable<int> const& operands,
                        loop_shape const& shape) {
  static_assert(op_register<Op>::done);
  for (int id : operands)
    if (id < 0) return -1;  // refused before
  return b.push_loop(info<Op>, regions, operands, shape, {});
}

// A stack of `length` values like this one; and one of the values that were stacked.
constexpr array_value stacked_facts(array_value const& slice, std::int64_t length) {
  array_value all = with_dim(slice, 0, length);
  all.weak = false;
  return all;
}
// For a scalar, which is refused elsewhere, the scalar.
constexpr array_value slice_facts(array_value const& all) {
  array_value slice = all.rank > 0 ? without_dim(all, 0) : all;
  slice.weak = false;
  return slice;
}

// The result nodes of loop `id` among the nodes before `end`, by their number; -1 if there is none.
template <class B>
constexpr growable<int> results_of(B const& back, builder const& b, int id, int count) {
  growable<int> found;
  found.resize(count, -1);
  for (int r = id + 1; r < b.size(); ++r) {
    node const& n = b.at(r);
    if (n.op->kind != op_class::loop_result || back.cotangent(r) < 0) continue;
    if (b.recorded.operands[n.first_operand] != id) continue;
    found[n.attrs.as<result_params>().which] = r;
  }
  return found;
}

}  // namespace detail
}  // namespace tessera
