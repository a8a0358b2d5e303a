// SPDX-License-Identifier: Apache-2.0
// Whole plans, written by hand, on meshes: views, products, assemblies, collectives, and what a call costs.
// optimized
// stand-in

#include <tessera/collective/all_gather.hpp>
#include <tessera/collective/all_reduce.hpp>
#include <tessera/collective/shard_slice.hpp>
#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/exec/device/counters.hpp>
#include <tessera/exec/run/executable.hpp>
#include <tessera/op/base/identity.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/index/update_slice.hpp>
#include <tessera/op/product/dot_general.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/pad.hpp>
#include <tessera/op/shape/permute.hpp>

#include "support/hand_plan.hpp"
#include "support/near.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

namespace ts = tessera;
namespace ops = tessera::ops;
using support::block;
using support::hand_plan;

namespace {

using numbers = std::vector<float>;

numbers counting(std::size_t n, float first = 0) {
  numbers v(n);
  std::iota(v.begin(), v.end(), first);
  return v;
}

std::vector<numbers> run(ts::plan_view const& plan, std::vector<numbers> in, ts::strides const* at = nullptr) {
  std::vector<numbers> out;
  for (int i = 0; i < plan.local.output_count; ++i)
    out.emplace_back(
        static_cast<std::size_t>(ts::storage_bytes(plan.local[plan.local.outputs[i]].facts, *plan.local.mesh) / 4),
        -99.0f);
  std::vector<support::near> const given(in.begin(), in.end()), made(out.begin(), out.end());
  support::call_near(ts::executable(plan), given, made, at);
  return out;
}
numbers first(numbers v, std::size_t n) {
  v.resize(n);
  return v;
}

// One copy step of `op` on arguments.
numbers assembled(ts::op_info const& op, std::vector<ts::array_value> const& facts, std::vector<numbers> const& in,
                  ts::array_value const& result, ts::attributes const& attrs) {
  hand_plan p;
  std::vector<int> ids;
  for (auto const& f : facts) ids.push_back(p.argument(f));
  int const out = ids.size() == 1   ? p.node(op, {ids[0]}, result, attrs)
                  : ids.size() == 2 ? p.node(op, {ids[0], ids[1]}, result, attrs)
                                    : p.node(op, {ids[0], ids[1], ids[2]}, result, attrs);
  p.result(out);
  p.step(op.kind == ts::op_class::reduce ? ts::step_kind::reduce : ts::step_kind::copy, out);
  return first(run(p.plan.view(), in)[0], static_cast<std::size_t>(result.size()));
}

}  // namespace

TEST(run, views_are_copied_as_seen) {
  EXPECT_EQ(
      assembled(ts::info<ops::permute>, {block({2, 3})}, {counting(6)}, block({3, 2}), ts::permute_params{{1, 0}}),
      (numbers{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(assembled(ts::info<ops::broadcast_to>, {block({2})}, {counting(2)}, block({2, 3}),
                      ts::broadcast_params{{0}, {2, 3}}),
            (numbers{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(assembled(ts::info<ops::slice>, {block({6})}, {counting(6)}, block({3}), ts::slice_params{{5}, {-1}, {-2}}),
            (numbers{5, 3, 1}));
  EXPECT_EQ(assembled(ts::info<ops::identity>, {block({4})}, {counting(4)}, block({4}), {}), counting(4));
}

TEST(run, a_reshape_of_scattered_rows_is_copied_in_order) {
  hand_plan p;
  int const x = p.argument(block({2, 3}));
  int const t = p.view(ts::info<ops::permute>, x, block({3, 2}), ts::permute_params{{1, 0}});
  int const y = p.result(p.node(ts::info<ops::reshape>, {t}, block({6}), ts::reshape_params{{6}}));
  p.step(ts::step_kind::copy, y);
  EXPECT_EQ(first(run(p.plan.view(), {counting(6)})[0], 6), (numbers{0, 3, 1, 4, 2, 5}));
}

TEST(run, concatenate) {
  ts::concatenate_params const along{1};
  EXPECT_EQ(assembled(ts::info<ops::concatenate>, {block({2, 1}), block({2, 2})}, {counting(2), counting(4, 10)},
                      block({2, 3}), along),
            (numbers{0, 10, 11, 1, 12, 13}));
}

TEST(run, pad_before_after_between_and_negative) {
  numbers const value{7};
  auto const pad = [&](ts::array_value const& x, ts::array_value const& y, ts::attributes const& attrs) {
    return assembled(ts::info<ops::pad>, {x, block({})}, {counting(static_cast<std::size_t>(x.size())), value}, y,
                     attrs);
  };
  EXPECT_EQ(pad(block({3}), block({8}), ts::pad_params{{1}, {2}, {1}}), (numbers{7, 0, 7, 1, 7, 2, 7, 7}));
  EXPECT_EQ(pad(block({5}), block({2}), ts::pad_params{{-1}, {-2}, {}}), (numbers{1, 2}));
  EXPECT_EQ(pad(block({2, 2}), block({3, 4}), ts::pad_params{{1, 0}, {0, 2}, {}}),
            (numbers{7, 7, 7, 7, 0, 1, 7, 7, 2, 3, 7, 7}));
  EXPECT_EQ(pad(block({2, 2}), block({3, 3}), ts::pad_params{{0, 0}, {0, 0}, {1, 1}}),
            (numbers{0, 7, 1, 7, 7, 7, 2, 7, 3}));
}

TEST(run, update_slice) {
  EXPECT_EQ(assembled(ts::info<ops::update_slice>, {block({3, 3}), block({2, 1})}, {counting(9), {70, 71}},
                      block({3, 3}), ts::update_slice_params{{1, 1}}),
            (numbers{0, 1, 2, 3, 70, 5, 6, 71, 8}));
  EXPECT_EQ(assembled(ts::info<ops::update_slice>, {block({3}), block({3})}, {counting(3), {7, 8, 9}}, block({3}),
                      ts::update_slice_params{{0}}),
            (numbers{7, 8, 9}));
}

TEST(run, reductions_over_any_dimensions) {
  EXPECT_EQ(
      assembled(ts::info<ops::reduce_sum>, {block({2, 3, 2})}, {counting(12)}, block({3}), ts::reduce_params{{0, 2}}),
      (numbers{14, 22, 30}));
  EXPECT_EQ(assembled(ts::info<ops::reduce_max>, {block({2, 3})}, {counting(6)}, block({2}), ts::reduce_params{{1}}),
            (numbers{2, 5}));
  EXPECT_EQ(assembled(ts::info<ops::reduce_sum>, {block({2, 3})}, {counting(6)}, block({}), ts::reduce_params{{0, 1}}),
            (numbers{15}));
}

// Tensor parallel: x[8 over a, 6 over b] . w[6 over b, 5], summed over b.
TEST(run, a_product_over_a_split_contraction) {
  auto const mesh = support::mesh_of({2, 3});
  ts::axis_set const a = ts::axis_set::of(0), b = ts::axis_set::of(1);
  hand_plan p(mesh);
  int const x = p.argument(block({4, 2}, a | b)), w = p.argument(block({2, 5}, b));
  int const partial =
      p.buffer(p.node(ts::info<ops::dot_general>, {x, w}, block({4, 5}, a | b), ts::dot_params{{1}, {0}, {}, {}}));
  p.step(ts::step_kind::dot, partial);
  ts::collective_params const over{b};
  int const y =
      p.result(p.node(ts::info<ts::collectives::all_reduce<ts::monoid::sum>>, {partial}, block({4, 5}, a), over));
  p.step(ts::step_kind::collective, y);

  numbers xs(6 * 16), ws(3 * 16);  // blocks of 8 and 10 elements, on lines of 16
  float whole_x[8][6], whole_w[6][5];
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      xs[(i / 4 * 3 + j / 2) * 16 + i % 4 * 2 + j % 2] = whole_x[i][j] = static_cast<float>((i * 5 + j * 3) % 7);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      ws[i / 2 * 16 + i % 2 * 5 + j] = whole_w[i][j] = static_cast<float>((i + j * 2) % 5);
  auto& comm = ts::local_communicator();
  comm.counted().reset();
  auto const out = run(p.plan.view(), {xs, ws})[0];
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < 6; ++k) sum += whole_x[i][k] * whole_w[k][j];
      EXPECT_EQ(out[i / 4 * 32 + i % 4 * 5 + j], sum);
    }
  EXPECT_EQ(comm.counted().calls(ts::collective::all_reduce, b), 1);
  EXPECT_EQ(comm.counted().bytes_over(1), (2 * 2 * 80 + 2) / 3);
}

// A device's part of a value that all have is a view; gathered again it is the same value.
TEST(run, slices_by_device_and_gathers) {
  auto const mesh = support::mesh_of({2, 2});
  hand_plan p(mesh);
  ts::entry_value both = ts::only(1);
  both.append(0);  // axis b is major
  ts::collective_params by;
  by.dim = 1;
  by.order = both;
  int const x = p.argument(block({2, 8}));
  int const part = p.view(ts::info<ts::collectives::shard_slice>, x, block({2, 2}, mesh.axes()), by);
  int const kept = p.result(p.node(ts::info<ops::identity>, {part}, block({2, 2}, mesh.axes())));
  p.step(ts::step_kind::copy, kept);
  int const again = p.result(p.node(ts::info<ts::collectives::all_gather>, {part}, block({2, 8}), by));
  p.step(ts::step_kind::collective, again);
  auto const out = run(p.plan.view(), {counting(16)});
  EXPECT_EQ(first(out[1], 16), counting(16));
  // Device (a=0, b=1) holds part 2 of 4.
  EXPECT_EQ((numbers{out[0][16], out[0][17], out[0][18], out[0][19]}), (numbers{4, 5, 12, 13}));
}

namespace {

// x + x of (2,3).
ts::growable_plan twice() {
  hand_plan p;
  int const x = p.argument(block({2, 3})), y = p.result(p.node(ts::info<ops::add>, {x, x}, block({2, 3})));
  p.fuse(y, {x}, {y});
  int const v = p.load(0);
  p.store(p.run<ops::add>(v, v), 0);
  return p.plan;
}
ts::strides transposed_from(std::int64_t offset) {
  ts::strides at;
  at.dim_stride[0] = 1;
  at.dim_stride[1] = 2;
  at.offset = offset;
  return at;
}

}  // namespace

TEST(run, arguments_may_be_views) {
  auto const plan = twice();
  ts::strides const transposed = transposed_from(1);
  EXPECT_EQ(first(run(plan.view(), {counting(7)}, &transposed)[0], 6), (numbers{2, 6, 10, 4, 8, 12}));
}

TEST(run, threads_may_give_different_views) {
  auto const plan = twice();
  ts::executable const program(plan.view());
  numbers in = counting(10);
  std::vector<std::thread> threads;
  std::vector<numbers> results(4, numbers(16));
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      ts::strides const at = transposed_from(static_cast<std::int64_t>(t));
      std::vector<support::near> const given{support::near(in)}, made{support::near(results[t])};
      for (int i = 0; i < 50; ++i) support::call_near(program, given, made, &at);
    });
  for (auto& t : threads) t.join();
  for (std::size_t t = 0; t < 4; ++t) {
    float const more = 2 * static_cast<float>(t);
    EXPECT_EQ(first(results[t], 6), (numbers{more, more + 4, more + 8, more + 2, more + 6, more + 10}));
  }
}

namespace {

// y = (x + x) summed over columns, on n devices along one axis: two steps.
ts::growable_plan two_steps(std::int64_t devices, std::int64_t rows, std::int64_t columns) {
  hand_plan p(support::mesh_of({devices}));
  ts::axis_set const a = ts::axis_set::of(0);
  int const x = p.argument(block({rows, columns}, a));
  int const twice = p.buffer(p.node(ts::info<ops::add>, {x, x}, block({rows, columns}, a)));
  p.fuse(twice, {x}, {twice});
  int const v = p.load(0);
  p.store(p.run<ops::add>(v, v), 0);
  int const sum = p.result(p.node(ts::info<ops::reduce_sum>, {twice}, block({columns}, a), ts::reduce_params{{0}}));
  p.step(ts::step_kind::reduce, sum);
  return p.plan;
}

}  // namespace

TEST(run, a_step_is_one_launch_and_warm_calls_allocate_nothing) {
  for (std::int64_t n : {1, 8, 64}) {
    auto const plan = two_steps(n, 512 / n, 256);
    auto const view = plan.view();
    numbers in(static_cast<std::size_t>(ts::storage_bytes(view.local[0].facts, *view.local.mesh) / 4), 1.0f);
    numbers out(static_cast<std::size_t>(ts::storage_bytes(view.local[2].facts, *view.local.mesh) / 4));
    support::near const given(in), made(out);
    std::byte *from = given.at(), *to = made.at();
    ts::executable const program(view);
    program.run(&from, nullptr, &to);
    auto const before = ts::launches_so_far();
    auto const memory = ts::memory_in_use();
    for (int i = 0; i < 10; ++i) program.run(&from, nullptr, &to);
    // On an accelerator it is interpreted: load, add, store, and a sum in one or two.
    if (ts::runs_on_host)
      EXPECT_EQ(ts::launches_so_far().launches - before.launches, 20);
    else
      EXPECT_LE(ts::launches_so_far().launches - before.launches, 50);
    EXPECT_EQ(ts::launches_so_far().inlined, before.inlined);
    EXPECT_EQ(ts::memory_in_use().system_allocations, memory.system_allocations);
    EXPECT_EQ(ts::memory_in_use().live_buffers, memory.live_buffers);
    made.back();
    EXPECT_EQ(out[0], 2.0f * static_cast<float>(512 / n));
  }
}

TEST(run, small_steps_run_without_a_parallel_region) {
  ONLY_ON_HOST();
  if (ts::detail::inline_bytes == 0) GTEST_SKIP() << "under thread sanitizer small steps are parallel, too";
  auto const plan = two_steps(2, 4, 8);
  auto const before = ts::launches_so_far();
  run(plan.view(), {numbers(64, 1.0f)});
  EXPECT_EQ(ts::launches_so_far().launches, before.launches);
  EXPECT_EQ(ts::launches_so_far().inlined - before.inlined, 2);
}

TEST(run, steps_have_labels) {
  auto const plan = two_steps(2, 4, 8);
  ts::executable const program(plan.view());
  EXPECT_EQ(program.label(0), "add");
  EXPECT_EQ(program.label(1), "sum");
}

TEST(run, programs_can_be_called_from_several_threads) {
  auto const plan = two_steps(4, 64, 64);
  auto const view = plan.view();
  ts::executable const program(view);
  std::vector<std::thread> threads;
  std::vector<numbers> results(4, numbers(4 * 64));
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      numbers in(4 * 64 * 64, static_cast<float>(t + 1));
      for (int i = 0; i < 20; ++i) {
        support::call_near(program, {support::near(in)}, {support::near(results[t])});
      }
    });
  for (auto& t : threads) t.join();
  for (std::size_t t = 0; t < 4; ++t)
    for (float x : results[t]) EXPECT_EQ(x, 128.0f * static_cast<float>(t + 1));
}
