// SPDX-License-Identifier: Apache-2.0
#pragma once
// An operation as a value, to which nodes of a graph point: one constant per op type, made from the op's struct.

#include <tessera/graph/engine_ops.hpp>
#include <tessera/graph/key_role.hpp>
#include <tessera/rule/opaque.hpp>
#include <tessera/rule/ring.hpp>

#include <cstddef>
#include <string_view>

namespace tessera {

class backward;      // graph/backward.hpp
struct effect_call;  // graph/effect.hpp

// Operations of one class are lowered, fused and launched in the same way. To add an op, find its class.
enum class op_class : std::uint8_t {
  argument,      // an input of the program
  literal,       // a scalar constant
  iota,          // its own index along a dimension
  elementwise,   // eval(x...) per element; scalars of rank 0 join any shape
  reduce,        // combines dimensions by a monoid
  dot,           // contracts: see op/product/dot_general.hpp
  broadcast,     // operand dimension i becomes result dimension dims[i]
  permute,       // result dimension i is operand dimension order[i]
  reshape,       // row-major reinterpretation
  slice,         // start and stride; extents by the result
  concatenate,   // along a dimension
  pad,           // low, high, interior, with operand 1 (a scalar)
  update_slice,  // operand 0 with operand 1 written at an offset
  roll,          // along a dimension, the last elements first: see op/shape/roll.hpp
  gather,        // windows of operand 0 at indices: see rule/indexing.hpp
  scatter,       // operand 0 with the last operand combined at indices by the op's monoid
  reshard,       // the same value in another layout
  identity,      // the same value: a boundary for grad
  mesh_cast,     // the same value where axes are of another kind: the borders of auto_axes and explicit_axes
  enter,         // a value as one device's block: a border of shard_map
  leave,         // a block as a value: the other border
  axis_index,    // local only: position along axes
  shard_slice,   // local only: this device's part of a dimension
  collective,    // local only: see collective/
  opaque,        // a kernel of its own on whole unsharded dimensions: op/base/opaque.hpp
  opaque_part,   // local only: one result of the operation before it, which has several
  loop,          // runs regions of the program: graph/loop.hpp
  loop_result,   // one of its results
  effect,        // calls the op's `act` on the host with its operands' values; without one: a barrier, graph/effect.hpp
  rule,          // a derivative of the user's: read by passes over a record, never run: graph/custom_rule.hpp
};

// Of an elementwise operation: an instruction of a fused group has as many.
inline constexpr int most_elementwise_operands = 3;
template <class Op>
constexpr bool fits_an_instruction() {
  if constexpr (requires { Op::arity; })
    return Op::kind != op_class::elementwise || Op::arity <= most_elementwise_operands;
  else
    return true;
}

// How a reduction combines; `none` for all other operations.
enum class monoid : std::uint8_t { none, sum, product, max, min, logical_and, logical_or };

// The role of an operation in a pair: a node that starts something, or the node that waits for it.
enum class pair_half : std::uint8_t { none, start, done };

// The kind of a mesh_cast: after it axes are Auto or Explicit, or no longer are.
enum class kind_border : std::uint8_t { none, to_auto, from_auto, to_explicit, from_explicit };

// Evaluates `count` elements on the host, a multiple of 16. Registers are arrays of the compute type of each dtype
// (float for float16/bfloat16).
using lanes_function = void (*)(void* out, void const* const* in, std::int64_t count);
// The lanes_function of an elementwise op for the dtypes of its result and its last operand; null if it has none.
using block_function = lanes_function (*)(dtype result, dtype operand);

// What a program does besides computing: never removed, and in program order.
using effect_function = void (*)(effect_call const& call);

// One tile of prepared work on the host; `frame` has the addresses of its memory.
using tile_function = void (*)(void const* work, std::byte* const* frame, std::int64_t tile);

struct op_info {
  std::string_view name{};
  op_class kind{};
  monoid reduction = monoid::none;
  collective message = collective::none;
  rule_function rule = nullptr;
  void (*transpose)(backward&, int node) = nullptr;  // null: not differentiable
  block_function block = nullptr;                    // null also if the engine has it: graph/engine_ops.hpp
  opaque_shape_function shape = nullptr;             // opaque operations: their working dimensions
  tile_function tile = nullptr;                      // and their kernel on the host
  effect_function act = nullptr;
  int results = 1;  // the number of results, and which one this is
  int result = 0;
  pair_half pair = pair_half::none;
  kind_border border = kind_border::none;
  key_role key = key_role::none;
  bool cuts_windows = false;  // opaque: a product may compute parts of its result from its operand when it reads them
  bool adds_windows = false;  // opaque: its result has sums of its operand's elements, and is smaller
  op_info const* call = nullptr;  // of a result other than the first: the operation itself
  op_info const* bare = nullptr;  // the same without functions: kept by a compiled program
  // Kept by a program that is planned at run time: without transposes, and bare if the engine has the rule.
  op_info const* for_planning = nullptr;
};

namespace detail {
// Everything but functions, except `act`.
template <class Op>
constexpr op_info plain_op_info() {
  op_info info{Op::name, Op::kind};
  if constexpr (requires { Op::reduction; }) info.reduction = Op::reduction;
  if constexpr (requires { Op::message; }) info.message = Op::message;
  if constexpr (requires { &Op::act; }) info.act = &Op::act;
  if constexpr (requires { Op::cuts_windows; }) info.cuts_windows = Op::cuts_windows;
  if constexpr (requires { Op::adds_windows; }) info.adds_windows = Op::adds_windows;
  if constexpr (requires { Op::pair; }) info.pair = Op::pair;
  if constexpr (requires { Op::border; }) info.border = Op::border;
  if constexpr (requires { Op::key; }) info.key = Op::key;
  return info;
}

// The transpose of operations that declare `locally_constant`: small changes of their operands do not change results.
constexpr void gives_nothing(backward&, int) {}
}  // namespace detail

// Without rules, transposes and interpreted blocks, so that a compiled program does not bring the code of its
// operations into the binary; with the blocks of an operation that the engine does not have.
template <class Op>
inline constexpr op_info bare_info = [] {
  op_info bare = detail::plain_op_info<Op>();
  if constexpr (requires { &Op::local_shape; }) bare.shape = &Op::local_shape;
  if constexpr (detail::has_engine && !detail::in_engine<Op>)
    if constexpr (requires { &Op::block; }) bare.block = &Op::block;
  return bare;
}();

namespace detail {
template <class Op, bool Transposes>
constexpr op_info make_op_info();
}  // namespace detail

// Without transposes: for operations that planning adds to a program, which is not differentiated again.
template <class Op>
inline constexpr op_info planning_info = detail::make_op_info<Op, false>();

namespace detail {
template <class Op, bool Transposes>
constexpr op_info make_op_info() {
  op_info info = plain_op_info<Op>();
  if constexpr (requires(rule_input const& in) { Op::rule(in); }) info.rule = &Op::rule;
  if constexpr (Transposes && requires { Op::locally_constant; })
    info.transpose = &gives_nothing;
  else if constexpr (Transposes && requires(backward & back) { Op::transpose(back, 0); })
    info.transpose = &Op::template transpose<backward>;
  if constexpr (!has_engine || !in_engine<Op>)
    if constexpr (requires { &Op::block; }) info.block = &Op::block;
  if constexpr (requires { typename Op::call; }) {
    info.shape = &Op::local_shape;
    info.results = Op::call::result_count;
    info.result = Op::result_index;
    if constexpr (Op::result_index == 0)
      info.tile = &Op::tile;
    else
      info.call = Transposes ? Op::whole : &planning_info<typename Op::call>;
  }
  info.bare = &bare_info<Op>;
  if constexpr (has_engine && engine_has_rule<Op>)
    info.for_planning = &bare_info<Op>;
  else
    info.for_planning = &planning_info<Op>;
  return info;
}
}  // namespace detail

template <class Op>
inline constexpr op_info info = detail::make_op_info<Op, true>();

namespace detail {
// An operation as compiled programs keep it, from any of its forms; null for null.
constexpr op_info const* bare_of(op_info const* op) { return op && op->bare ? op->bare : op; }
// Whether `op` is operation Op, in any of its forms.
template <class Op>
constexpr bool is_op(op_info const* op) {
  return bare_of(op) == &bare_info<Op>;
}
}  // namespace detail

}  // namespace tessera
