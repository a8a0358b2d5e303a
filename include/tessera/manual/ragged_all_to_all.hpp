// SPDX-License-Identifier: Apache-2.0
#pragma once
// ragged_all_to_all<dp>(x, out, input_offsets, send_sizes, output_offsets, recv_sizes): each device sends slices of
// rows of x to the others, and writes the rows that it receives into `out`. The four lists have k slices for each
// device: slice i goes to device i / k. input_offsets and send_sizes give the rows of x; output_offsets their positions
// on the device that receives them; recv_sizes the numbers of rows that arrive here, so send_sizes ==
// all_to_all(recv_sizes). Of several axes the first is major. Where received slices overlap, the later device's is
// kept. Block {V} -> out's, {V of all operands and dp}. Only the listed rows are moved; throws std::out_of_range if
// they are not in x or out, or if sizes of sender and receiver differ. comm_of counts at most (n - 1) B, with B out's
// block, and is not exact(); the communicator counts the bytes of the device that sends most. Transpose: by x, the
// reverse exchange, in which cotangents of one row are added up (JAX keeps one of them); by out, the cotangent with
// zeros where rows arrived. Source: JAX 0.10.2 lax.ragged_all_to_all; without axis_index_groups.

#include <tessera/manual/all_to_all.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/reduce/reduce.hpp>

namespace tessera {
namespace rule {

// The block of out after rows have arrived along the axes of `order`.
constexpr verdict ragged_all_to_all(rule_input const& in) {
  array_value const& x = in[0];
  array_value out = in[1];
  collective_params const& along = in.attrs.as<collective_params>();
  axis_set const axes = along.order.axes();
  auto const at_fault = [](verdict v, int operand) {
    v.operand = operand;
    return v;
  };
  if (axis_set const other = axes - in.mesh.axes(); !other.empty()) return refuse(reason::axis_not_manual, -1, other);
  for (int k = 0; k < in.count; ++k) {
    axis_set const sums = in[k].unreduced | in[k].reduced, split = in[k].sharded_axes();
    if (!sums.empty()) return at_fault(refuse(reason::unreduced_operand, -1, sums), k);
    if (!split.empty()) return at_fault(refuse(reason::sharded_dim_unsupported, 0, split), k);
    out.varying |= in[k].varying;
  }
  if (x.element != out.element) return at_fault(refuse(reason::elements_disagree), 1);
  if (x.rank == 0 || x.rank != out.rank) return at_fault(refuse(reason::ranks_disagree, -1, {}, x.rank, out.rank), 1);
  for (int d = 1; d < x.rank; ++d)
    if (x.extent(d) != out.extent(d) && x.extent(d) != dynamic && out.extent(d) != dynamic)
      return at_fault(refuse(reason::shapes_disagree, d, {}, x.extent(d), out.extent(d)), 1);
  auto const devices = in.mesh.devices(axes);
  for (int k = 2; k < 6; ++k) {
    if (in[k].rank != 1) return at_fault(refuse(reason::ranks_disagree, -1, {}, in[k].rank, 1), k);
    if (in[k].element != dtype::int32 && in[k].element != dtype::int64)
      return at_fault(refuse(reason::element_unsupported), k);
    auto const slices = in[k].extent(0), first = in[2].extent(0);
    if (slices == dynamic || first == dynamic) continue;
    if (slices != first) return at_fault(refuse(reason::shapes_disagree, 0, {}, first, slices), k);
    if (devices != dynamic && slices % devices != 0)
      return at_fault(refuse(reason::not_divisible, 0, axes, slices, devices), k);
  }
  out.varying |= axes | along.unchecked;
  return accept(out);
}

}  // namespace rule

namespace ops {

// Along `order`. Arriving rows may be added to those of out, as a transpose requires if rows were sent to several
// devices.
struct ragged_all_to_all {
  static constexpr std::string_view name = "ragged_all_to_all";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::ragged_all_to_all;
  static constexpr verdict rule(rule_input const& in) { return rule::ragged_all_to_all(in); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    collective_params const own = back.attrs().template as<collective_params>();
    collective_params along = own;
    along.dim = along.concat_dim = 0;
    array_value const x = back.operand(0).facts(), out = back.operand(1).facts();
    auto const arrived = make<all_to_all>(back, {back.operand(4)}, along);
    if (!arrived) return;
    bool const adds = own.adds;
    if (back.wants(0)) {
      collective_params adding = own;
      adding.adds = true;
      auto const sent = make<all_to_all>(back, {back.operand(2)}, along);
      auto const zero = zeros_of(back.graph(), x);
      back.give(0, make<ragged_all_to_all>(
                       back, {back.cotangent(), zero, arrived, back.operand(5), sent, back.operand(3)}, adding));
    }
    if (!back.wants(1)) return;
    if (adds) return back.give(1, back.cotangent());
    iota_params count{dtype::int32, 0, {out.extent(0), 1}};
    reduce_params over{{1}};
    expand_dims_params wider;
    for (int d = 1; d < out.rank; ++d) wider.dims.push_back(d);
    auto const row = make<iota>(back, {}, count);
    auto const end = arrived + back.operand(5);
    term const inside =
        make<logical_and>(back, {make<greater_equal>(back, {row, arrived}), make<less>(back, {row, end})});
    term hit = inside ? make<reduce_or>(back, {inside}, over) : inside;
    if (hit && out.rank > 1) hit = make<expand_dims>(back, {hit}, wider);
    if (hit) back.give(1, make<where>(back, {hit, number(back.graph(), 0.0), back.cotangent()}));
  }
};

}  // namespace ops

namespace functions {

template <Axis... A, class X, class Out, class I, class S, class O, class R>
constexpr auto ragged_all_to_all(X const& x, Out const& out, I const& input_offsets, S const& send_sizes,
                                 O const& output_offsets, R const& recv_sizes,
                                 site at = std::source_location::current()) {
  return invoke<ops::ragged_all_to_all, joined_along<joined_axes<A...>, 0>>(at, x, out, input_offsets, send_sizes,
                                                                            output_offsets, recv_sizes);
}

}  // namespace functions

}  // namespace tessera
