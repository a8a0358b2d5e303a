// SPDX-License-Identifier: Apache-2.0
// What plans look like: which nodes share a step, what is communicated, where values live.

#include <tessera/op/ops.hpp>
#include <tessera/plan/make/make_plan.hpp>
#include <tessera/transform/grad.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace ts = tessera;
namespace ops = tessera::ops;

ts::builder on_mesh(std::vector<std::int64_t> const& sizes) {
  ts::builder b;
  auto& mesh = b.recorded.mesh;
  constexpr std::string_view names[]{"dp", "mp", "pp"};
  for (auto s : sizes) {
    auto const i = static_cast<std::size_t>(mesh.rank++);
    mesh.sizes[i] = s;
    mesh.kinds[i] = ts::axis_kind::explicit_;
    mesh.names[i] = names[i];
  }
  return b;
}
// entries: the axis of each dimension, -1 for none.
ts::array_value floats(std::vector<std::int64_t> const& extents, std::vector<int> const& entries = {}) {
  ts::array_value v;
  for (std::size_t d = 0; d < extents.size(); ++d)
    v.add_dim(extents[d], d < entries.size() && entries[d] >= 0 ? ts::only(entries[d]) : ts::entry_value{});
  return v;
}
ts::term argument(ts::builder& b, ts::array_value const& v) { return b.argument(ts::info<ops::argument>, v); }
ts::attributes laid_out(std::vector<int> const& entries) {
  ts::attributes attrs;
  attrs.has_out = true;
  attrs.out = ts::layout_of(floats(std::vector<std::int64_t>(entries.size(), 1), entries));
  return attrs;
}
ts::attributes over(ts::extents_list dims) { return ts::reduce_params{dims}; }
ts::growable_plan planned(ts::builder& b, std::vector<ts::term> const& outputs, bool share = true, bool fuse = true) {
  for (auto t : outputs) {
    EXPECT_TRUE(t);
    b.recorded.outputs.push_back(t.id);
  }
  return ts::make_plan(b.recorded.view(), {.share = share, .fuse = fuse});
}
std::vector<ts::step_kind> kinds(ts::growable_plan const& p) {
  std::vector<ts::step_kind> list;
  for (auto const& s : p.steps) list.push_back(s.kind);
  return list;
}
using steps = std::vector<ts::step_kind>;
constexpr auto fused = ts::step_kind::fused, dot = ts::step_kind::dot, copy = ts::step_kind::copy,
               reduce = ts::step_kind::reduce, exchanged = ts::step_kind::collective;

// Outputs: the value and its gradient by x.
std::vector<ts::term> with_gradient(ts::builder& b, ts::term x, ts::term loss) {
  int const wanted = x.id;
  ts::backward back(b, 0, &wanted, 1);
  back.run(loss.id, ts::number(b, 1.0, ts::dtype::float32));
  return {loss, {&b, back.cotangent(x.id)}};
}

TEST(fuse, softmax_is_one_pass) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8, 16}, {0}));
  EXPECT_EQ(kinds(planned(b, {b.make<ops::softmax>({x}, over({-1}))})), steps{fused});
}
TEST(fuse, log_softmax_of_a_vector_is_one_pass) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({16}));
  EXPECT_EQ(kinds(planned(b, {b.make<ops::log_softmax>({x}, over({-1}))})), steps{fused});
}
TEST(fuse, layer_norm_is_one_pass) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({4, 8, 16}, {-1, 0}));
  ops::norm_params const epsilon{1e-5};
  EXPECT_EQ(kinds(planned(b, {b.make<ops::layer_norm>({x}, epsilon)})), steps{fused});
}
TEST(fuse, rows_go_on_over_other_devices) {
  auto b = on_mesh({2, 2});
  auto const x = argument(b, floats({4, 8, 16}, {0, -1, 1}));
  ops::norm_params const epsilon{1e-5};
  auto const p = planned(b, {b.make<ops::layer_norm>({b.make<ops::softmax>({x}, over({-1}))}, epsilon)});
  EXPECT_EQ(kinds(p), steps{fused});
  EXPECT_EQ(p.steps[0].across, ts::axis_set::of(1));
  EXPECT_EQ(p.steps[0].exchanges.count, 4);
  EXPECT_EQ(p.messages.size(), 4u);
  EXPECT_EQ(p.arena_bytes, 0);
}
TEST(fuse, rows_that_are_reduced_on_each_device_too_do_not_go_on) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8, 16}, {-1, 0}));
  auto attrs = laid_out({-1});
  attrs.out.unreduced = ts::axis_set::of(0);
  auto own = over({1});
  own.out = attrs.out, own.has_out = true;
  auto const p = planned(b, {b.make<ops::softmax>({x}, over({-1})), b.make<ops::reduce_sum>({x}, own)});
  for (auto const& s : p.steps) EXPECT_TRUE(s.kind != fused || s.across.empty());
}
TEST(fuse, nothing_is_shared_where_every_device_stores_its_own) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8, 16}, {-1, 0}));
  for (auto const& s : planned(b, {b.make<ops::softmax>({x}, over({-1}))}, false).steps) EXPECT_TRUE(s.across.empty());
}
TEST(fuse, backward_of_softmax_is_one_pass_with_its_forward) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8, 16}));
  auto const g = argument(b, floats({8, 16}));
  auto const y = b.make<ops::multiply>({b.make<ops::softmax>({x}, over({-1})), g});
  auto const outputs = with_gradient(b, x, b.make<ops::sum>({y}));
  auto const p = planned(b, {outputs[1]});
  EXPECT_EQ(kinds(p), steps{fused});
}
TEST(fuse, literals_indices_and_broadcasts_take_no_step) {
  auto b = on_mesh({2, 2});
  auto const labels = [&] {
    auto v = floats({8}, {0});
    v.element = ts::dtype::int32;
    return argument(b, v);
  }();
  ops::one_hot_params const classes{10, 0};
  auto const p = planned(b, {b.make<ops::one_hot>({labels}, classes)});
  EXPECT_EQ(kinds(p), steps{fused});
  EXPECT_EQ(p.steps[0].inputs.count, 1);
}
TEST(fuse, without_fusion_each_operation_is_a_step) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8, 16}));
  auto const y = b.make<ops::tanh>({b.make<ops::exp>({b.make<ops::negative>({x})})});
  EXPECT_EQ(kinds(planned(b, {y}, true, false)), (steps{fused, fused, fused}));
}
TEST(fuse, a_long_chain_is_cut_into_groups) {
  auto b = on_mesh({2});
  auto x = argument(b, floats({64}));
  for (int i = 0; i < 300; ++i) x = b.make<ops::tanh>({x});
  auto const p = planned(b, {x});
  EXPECT_GE(p.steps.size(), 3u);
  EXPECT_LE(p.steps.size(), 5u);
}
TEST(fuse, equal_nodes_are_computed_once) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8}));
  auto const y = b.make<ops::add>({b.make<ops::exp>({x}), b.make<ops::exp>({x})});
  auto const p = planned(b, {y});
  int count = 0;
  for (auto const& i : p.code) count += i.op == &ts::info<ops::exp>;
  EXPECT_EQ(count, 1);
}
TEST(fuse, what_is_not_asked_for_is_not_computed) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8}));
  b.make<ops::exp>({x});
  auto const p = planned(b, {b.make<ops::tanh>({x})});
  for (auto const& n : p.local.nodes) EXPECT_NE(n.op, &ts::info<ops::exp>);
}
TEST(fuse, reductions_over_leading_dimensions_are_steps) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8, 16}));
  EXPECT_EQ(kinds(planned(b, {b.make<ops::sum>({b.make<ops::exp>({x})}, over({0}))})), (steps{fused, reduce}));
}

// x (batch, in){dp, none} . w1 (in, hidden){none, mp} -> gelu -> . w2 (hidden, out){mp, none} -> (batch, out){dp, none}
struct mlp {
  ts::builder b = on_mesh({4, 2});
  ts::term x = argument(b, floats({64, 32}, {0})), w1 = argument(b, floats({32, 128}, {-1, 1})),
           w2 = argument(b, floats({128, 16}, {1})), y = forward();

  ts::term forward() {
    auto const hidden = b.make<ops::gelu>({b.make<ops::matmul>({x, w1})});
    return b.make<ops::matmul>({hidden, w2}, laid_out({0, -1}));
  }
};

TEST(communication, tensor_parallel_forward_is_one_all_reduce) {
  mlp m;
  auto const p = planned(m.b, {m.y});
  ASSERT_EQ(p.messages.size(), 1u);
  EXPECT_EQ(p.messages[0].kind, ts::collective::all_reduce);
  EXPECT_EQ(p.messages[0].axes, ts::axis_set::of(1));
  EXPECT_EQ(p.messages[0].bytes, 2 * 1 * (16 * 16 * 4) / 2);
  EXPECT_EQ(p.messages[0].cause, &ts::info<ops::dot_general>);
  EXPECT_EQ(kinds(p), (steps{dot, fused, dot}));  // which sums over mp, too
  EXPECT_EQ(p.steps[2].across, ts::axis_set::of(1));
}
TEST(communication, data_parallel_gradients_are_one_all_reduce) {
  mlp m;
  int const wanted[]{m.w1.id, m.w2.id};
  auto const loss = m.b.make<ops::mean>({m.b.make<ops::square>({m.y})});
  ts::backward back(m.b, 0, wanted, 2);
  back.run(loss.id, ts::number(m.b, 1.0, ts::dtype::float32));
  auto const p = planned(m.b, {loss, {&m.b, back.cotangent(m.w1.id)}, {&m.b, back.cotangent(m.w2.id)}});
  int over_dp = 0, over_mp = 0;
  for (auto const& message : p.messages) {
    EXPECT_EQ(message.kind, ts::collective::all_reduce);
    over_dp += message.axes == ts::axis_set::of(0);
    over_mp += message.axes == ts::axis_set::of(1);
  }
  EXPECT_EQ(over_mp, 1);
  EXPECT_EQ(over_dp, 1);  // the loss and both gradients together
  auto const apart = ts::make_plan(m.b.recorded.view(), {.joined = 0});
  EXPECT_EQ(apart.messages.size(), 4u);
}
TEST(communication, weights_split_over_the_batch_axis_are_gathered) {
  auto b = on_mesh({4});
  auto const x = argument(b, floats({64, 32}, {0})), w = argument(b, floats({32, 16}, {0}));
  auto const p = planned(b, {b.make<ops::matmul>({x, w}, laid_out({0, -1}))});
  ASSERT_EQ(p.messages.size(), 1u);
  EXPECT_EQ(p.messages[0].kind, ts::collective::all_gather);
  EXPECT_EQ(p.messages[0].bytes, 3 * 32 * 16 * 4 / 4);
}
TEST(communication, a_contraction_into_a_split_result_is_a_reduce_scatter) {
  auto b = on_mesh({4});
  auto const x = argument(b, floats({64, 32}, {-1, 0})), w = argument(b, floats({32, 16}, {0}));
  auto const p = planned(b, {b.make<ops::matmul>({x, w}, laid_out({0, -1}))});
  ASSERT_EQ(p.messages.size(), 1u);
  EXPECT_EQ(p.messages[0].kind, ts::collective::reduce_scatter);
  EXPECT_EQ(p.messages[0].bytes, 3 * 64 * 16 * 4 / 4);
}
TEST(communication, a_contraction_split_on_one_side_slices_the_other) {
  auto b = on_mesh({4});
  auto const x = argument(b, floats({64, 32}, {-1, 0})), w = argument(b, floats({32, 16}));
  auto const p = planned(b, {b.make<ops::matmul>({x, w})});
  ASSERT_EQ(p.messages.size(), 1u);
  EXPECT_EQ(p.messages[0].kind, ts::collective::all_reduce);
  EXPECT_EQ(kinds(p), (steps{dot}));
}
TEST(communication, a_product_splits_no_dimension_into_more_parts_than_it_has_elements) {
  auto b = on_mesh({2, 2});
  auto const x = argument(b, floats({3, 5})), w = argument(b, floats({5, 2}, {-1, 0}));
  auto const p =
      planned(b, {b.make<ops::matmul>({x, w}, laid_out({-1, 1}))});  // split by dp on the way in, by mp after
  for (auto const& n : p.local.nodes)
    for (int d = 0; d < n.facts.rank; ++d) EXPECT_GE(n.facts.extent(d), 1) << n.op->name;
}
TEST(communication, a_partial_product_that_others_read_is_summed_by_a_step_of_its_own) {
  auto b = on_mesh({4});
  auto const x = argument(b, floats({64, 32}, {-1, 0})), w = argument(b, floats({32, 16}, {0}));
  auto attrs = laid_out({-1, -1});
  attrs.out.unreduced = ts::axis_set::of(0);
  auto const partial = b.make<ops::matmul>({x, w}, attrs);
  auto const whole = b.make<ops::reshard>({partial}, laid_out({-1, -1}));
  EXPECT_EQ(kinds(planned(b, {partial, whole})), (steps{dot, exchanged}));
}
TEST(communication, without_fusion_each_operation_is_a_step) {
  auto b = on_mesh({4});
  auto const x = argument(b, floats({64, 32}, {-1, 0})), w = argument(b, floats({32, 16}));
  EXPECT_EQ(kinds(planned(b, {b.make<ops::matmul>({x, w})}, true, false)), (steps{dot, exchanged}));
}
TEST(communication, a_partial_sum_that_is_asked_for_moves_nothing) {
  auto b = on_mesh({4});
  auto const x = argument(b, floats({64, 32}, {-1, 0})), w = argument(b, floats({32, 16}, {0}));
  auto attrs = laid_out({-1, -1});
  attrs.out.unreduced = ts::axis_set::of(0);
  auto const partial = b.make<ops::matmul>({x, w}, attrs);
  auto const p = planned(b, {partial});
  EXPECT_EQ(p.messages.size(), 0u);
  auto const summed = planned(b, {b.make<ops::reshard>({partial}, laid_out({0, -1}))});
  ASSERT_EQ(summed.messages.size(), 1u);
  EXPECT_EQ(summed.messages[0].kind, ts::collective::reduce_scatter);
}
TEST(communication, axes_of_one_device_never_communicate) {
  auto b = on_mesh({1, 4});
  auto const x = argument(b, floats({64, 32}, {1, 0}));
  auto const y = b.make<ops::sum>({b.make<ops::reshard>({x}, laid_out({1, -1}))}, over({1}));
  EXPECT_EQ(planned(b, {y}).messages.size(), 0u);
}
TEST(communication, messages_name_the_line) {
  auto b = on_mesh({4});
  auto const x = argument(b, floats({64}, {0}));
  b.here = std::source_location::current();
  auto const line = b.here.line;
  auto const p = planned(b, {b.make<ops::sum>({x})});
  ASSERT_EQ(p.messages.size(), 1u);
  EXPECT_EQ(p.messages[0].at.line, line);
}

TEST(places, outputs_have_memory_of_their_own) {
  auto b = on_mesh({2, 2});
  auto const x = argument(b, floats({8, 4}, {0}));
  auto const y = b.make<ops::tanh>({x});
  ts::attributes wide = laid_out({0, 1});
  wide.set(ts::broadcast_params{{}, {8, 4}});
  auto const zeros = b.make<ops::broadcast_to>({ts::number(b, 0.0, ts::dtype::float32)}, wide);
  auto const p = planned(b, {x, y, y, b.make<ops::permute>({y}), zeros, x});
  std::vector<int> const outputs{p.local.outputs.begin(), p.local.outputs.end()};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    auto const& place = p.places[outputs[i]];
    EXPECT_EQ(place.kind, ts::place_kind::result);
    EXPECT_EQ(place.index, static_cast<int>(i));
  }
  EXPECT_EQ(p.local.nodes[outputs[4]].facts.varying, ts::axis_set::first(2));
}
TEST(places, values_that_do_not_differ_are_stored_once) {
  auto b = on_mesh({4, 2});
  auto const x = argument(b, floats({64, 32}, {0})), y = argument(b, floats({64, 32}));
  auto const shared = planned(b, {b.make<ops::add>({b.make<ops::exp>({y}), b.make<ops::tanh>({x})})});
  for (auto const& n : shared.local.nodes)
    if (n.op == &ts::info<ops::exp>) {
      EXPECT_TRUE(n.facts.varying.empty() || n.facts.varying == ts::axis_set::of(0));
    }
  b.recorded.outputs.clear();
  auto const apart = planned(b, {b.make<ops::tanh>({x})}, false);
  for (auto const& n : apart.local.nodes) EXPECT_EQ(n.facts.varying, ts::axis_set::first(2));
}
TEST(places, memory_is_used_again) {
  auto b = on_mesh({2});
  auto x = argument(b, floats({64, 64}));
  for (int i = 0; i < 10; ++i) x = b.make<ops::matmul>({x, x});
  auto const p = planned(b, {x});
  EXPECT_EQ(p.arena_bytes, 2 * 64 * 64 * 4);
  EXPECT_EQ(p.peak_bytes, (2 + 2) * 64 * 64 * 4);  // argument, result, two temporaries
}
TEST(places, a_reshape_of_scattered_rows_is_copied_first) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8, 4}));
  ts::reshape_params flat{{32}};
  auto const p = planned(b, {b.make<ops::tanh>({b.make<ops::reshape>({b.make<ops::permute>({x})}, flat)})});
  EXPECT_EQ(kinds(p), (steps{copy, fused}));
}
TEST(places, products_read_transposed_matrices_where_they_lie) {
  auto b = on_mesh({2});
  auto const x = argument(b, floats({8, 4})), y = argument(b, floats({8, 6}));
  EXPECT_EQ(kinds(planned(b, {b.make<ops::matmul>({b.make<ops::permute>({x}), y})})), steps{dot});
}

}  // namespace
