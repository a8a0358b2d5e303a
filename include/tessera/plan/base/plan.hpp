// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program ready to run: local nodes (one device's view), the steps that compute them, the memory of each value, and
// the messages. A plain value: computed at compile time for static sizes, at run time for dynamic ones.

#include <tessera/graph/graph.hpp>
#include <tessera/plan/base/message.hpp>

namespace tessera {

enum class step_kind : std::uint8_t {
  fused,        // a group of elementwise nodes, broadcasts and reductions over the last dimension: `code`
  dot,          // one (batched) matrix product
  reduce,       // one reduction over any dimensions
  copy,         // one node that assembles its result from strided copies: concatenate, pad, update_slice, a kept view
  gather,       // one gather or scatter
  collective,   // one collective node
  opaque,       // one user kernel
  effect,       // one call to the host: graph/effect.hpp
  loop,         // regions of the plan, as often as its node says: graph/loop.hpp
  convolution,  // a convolution or one of its gradients: plan/fuse/convolutions.hpp
};

// An instruction of a fused group, in SSA order: instruction i writes register i of its group.
enum class code_kind : std::uint8_t {
  load,     // operand a: position in the step's inputs
  literal,  // operand a: node id of the literal
  index,    // operand b: node id of an iota or axis_index; its value: strides.hpp, index_strides
  compute,  // op over registers a, b, c
  reduce,   // op's monoid over the last dimension of register a: one value per row
  store,    // register a to the step's output b
};
struct instruction {
  code_kind kind{};
  op_info const* op = nullptr;
  dtype element = dtype::float32;  // of the result (store: of memory)
  bool row = false;                // one value per row: does not vary along the last dimension
  int a = -1, b = -1, c = -1;
};

struct span_of {
  int first = 0, count = 0;  // into the plan's lists
};

// A step may also do the collectives that follow it: it then also reads the blocks of the other devices along `across`.
struct step {
  step_kind kind{};
  int node = -1;               // the node computed; fused: a node whose local shape is the group's space
  span_of inputs;              // nodes read
  int pieces = 0;              // fused: how many inputs, the last ones, are read as pieces of concatenations only
  span_of outputs;             // nodes written to memory
  span_of code;                // fused only
  axis_set across;             // fused: rows extend over devices along these axes; dot, reduce: also summed over them
  span_of exchanges;           // the collective nodes that this step does
  int region = -1;             // loop: the first of its node's regions
  std::int64_t workspace = 0;  // loop: arena offset of its regions' temporaries,
  std::int64_t on_host = 0;    // and of those in host memory

  // fused: how many inputs its code names.
  constexpr int loaded() const { return inputs.count - pieces; }
};

// Steps that a loop step runs, with values of their own. Inputs: captures, which are in the memory of the loop's
// operands from first_capture on; carried values; slices. Carried values, slices and outputs have slots of the frame.
struct plan_region {
  int node = -1;  // the loop
  int first_step = 0, step_count = 0;
  int first_slot = 0;  // from the end of the program's own slots: inputs, then outputs
  span_of inputs, outputs;
  int first_capture = 0, captures = 0;
};

enum class place_kind : std::uint8_t {
  nowhere,   // never computed, or in registers only
  argument,  // index: which input
  result,    // index: which output
  buffer,    // offset: bytes from the start of the arena
  on_host,   // the same of the arena in host memory
  view,      // index: the node whose memory it reads (strides.hpp)
  within,    // index: the assembled node (concatenate, pad, update_slice) whose memory it is computed in
  pieces,    // a concatenation without memory: its readers read its operands (plan/fuse/pieces.hpp)
  slot,      // index: of a region's input or output
};
struct place {
  place_kind kind{};
  int index = -1;
  std::int64_t offset = -1;
};

namespace detail {
// The node whose memory x is computed in: x, or the assembled node that x is a part of.
constexpr int holder_of(place const* places, int x) {
  while (places[x].kind == place_kind::within) x = places[x].index;
  return x;
}
}  // namespace detail

struct plan_size {
  graph_size local{};
  std::size_t steps = 0, lists = 0, code = 0, messages = 0, regions = 0;

  constexpr bool holds(plan_size const& other) const {
    return local.holds(other.local) && steps >= other.steps && lists >= other.lists && code >= other.code &&
           messages >= other.messages && regions >= other.regions;
  }
};

struct plan_view {
  graph_view local;
  step const* steps;
  int step_count;
  int const* lists;  // what span_of points into: inputs, outputs
  instruction const* code;
  place const* places;  // one per local node
  message const* messages;
  int message_count;
  std::int64_t arena_bytes;  // all local shards together
  std::int64_t host_bytes;   // the same of the arena in host memory
  std::int64_t peak_bytes;   // per device: arguments, results and temporaries alive at the worst step
  int own_steps;             // the program's own steps come first; the steps after them belong to regions
  plan_region const* regions = nullptr;
  int region_count = 0, region_slots = 0;
  int list_count = 0, code_count = 0;
};

namespace detail {
template <class Plan>
constexpr plan_view plan_view_of(Plan const& p, graph_view const& local, plan_size const& used) {
  auto const count = [](std::size_t n) { return static_cast<int>(n); };
  return {local,
          p.steps.data(),
          count(used.steps),
          p.lists.data(),
          p.code.data(),
          p.places.data(),
          p.messages.data(),
          count(used.messages),
          p.arena_bytes,
          p.host_bytes,
          p.peak_bytes,
          p.own_steps < 0 ? count(used.steps) : p.own_steps,
          p.regions.data(),
          count(used.regions),
          p.region_slots,
          count(used.lists),
          count(used.code)};
}
}  // namespace detail

struct growable_plan {
  growable_graph local;
  growable<step> steps;
  growable<int> lists;
  growable<instruction> code;
  growable<place> places;
  growable<message> messages;
  growable<plan_region> regions;
  std::int64_t arena_bytes = 0;
  std::int64_t host_bytes = 0;
  std::int64_t peak_bytes = 0;
  int own_steps = -1;  // -1: all
  int region_slots = 0;

  constexpr plan_size size() const {
    return {local.size(), steps.size(), lists.size(), code.size(), messages.size(), regions.size()};
  }
  constexpr plan_view view() const { return detail::plan_view_of(*this, local.view(), size()); }
};

}  // namespace tessera
