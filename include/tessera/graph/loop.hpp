// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a node that runs regions says of itself: scan, while_loop, a branch of cond or switch_.
//   operands  initial carried values, arrays to take slices of, the selector of a branch, then what the regions read
//             from outside
//   regions   scan: its body, (carried..., slices...) -> (carried..., what is stacked...); while_loop: its condition,
//             then its body; branch: one for each choice
//   results   nodes of op loop_result: last carried values, then stacked ones; of a branch: what it gives

#include <tessera/graph/graph.hpp>

namespace tessera {

enum class loop_kind : std::uint8_t { scan, while_, branch };

struct loop_shape {
  loop_kind kind{};
  int carried = 0;
  int sliced = 0;
  bool reverse = false;
  std::int64_t length = 1;  // turns of a scan; dynamic: known when it runs

  constexpr loop_shape() = default;
  constexpr explicit loop_shape(attributes const& attrs)
      : kind(static_cast<loop_kind>(attrs.first[0])),
        carried(static_cast<int>(attrs.first[1])),
        sliced(static_cast<int>(attrs.first[2])),
        reverse(attrs.first[3] != 0),
        length(attrs.integer) {}
  constexpr attributes attrs() const {
    attributes a;
    a.first = {static_cast<std::int64_t>(kind), carried, sliced, reverse};
    a.integer = length;
    return a;
  }
  // The region whose outputs are the results.
  constexpr int body() const { return kind == loop_kind::while_ ? 1 : 0; }
  constexpr int selectors() const { return kind == loop_kind::branch; }
  constexpr int first_capture() const { return carried + sliced + selectors(); }
};

namespace detail {
// Carried value k of a loop, as it is at the beginning of a turn: its layout is that of all its turns.
constexpr array_value const& carried_in(graph_view const& g, int loop, int k) {
  return g[g.input(g.part(loop, loop_shape(g[loop].attrs).body()), k)].facts;
}
// What result k is of, and laid out as: a carried value, one slice of what is stacked, what a branch gives.
constexpr array_value result_slice(graph_view const& g, int loop, int k) {
  loop_shape const shape(g[loop].attrs);
  if (k < shape.carried) return carried_in(g, loop, k);
  return g[g.output(g.part(loop, shape.body()), k)].facts;
}
// Is a local value what a loop carried at its end? Such values lie densely.
constexpr bool is_carried(graph_view const& local, int id) {
  bool const other = local[id].op->kind == op_class::opaque_part;
  node const& loop = local[other ? local.operand(id, 0) : id];
  return loop.op->kind == op_class::loop && (other ? local[id].attrs.integer : 0) < loop_shape(loop.attrs).carried;
}
// Result k of a loop, which may be laid out otherwise where it is used.
constexpr array_value loop_result_facts(graph_view const& g, int loop, int k) {
  loop_shape const shape(g[loop].attrs);
  array_value const slice = result_slice(g, loop, k);
  return shape.kind == loop_kind::scan && k >= shape.carried ? with_dim(slice, 0, shape.length) : slice;
}
}  // namespace detail

}  // namespace tessera
