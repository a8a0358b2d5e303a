// SPDX-License-Identifier: Apache-2.0
// Plans that are made while a program runs are told with their reason: sizes, meshes and layouts that were not seen
// before, and nothing where a plan is found again or the compiler made it.

#include "support/throws.hpp"

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

namespace ts = tessera;
using ts::none;
using ts::P;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, ts::dynamic>, ts::explicit_axis<mp, ts::dynamic>>;

struct layer {
  constexpr auto operator()(auto x, auto w) const {
    auto const h = ts::matmul(x, w);
    return ts::tanh(h) + 1.0f;  // at add
  }
};

auto rows(ts::device_mesh<grid> const& mesh, std::int64_t n) {
  return ts::device_put<P<dp, none>>(
      ts::host<ts::dynamic, 8>(std::vector<float>(static_cast<std::size_t>(n * 8), 0.5f)), mesh);
}
auto weights(ts::device_mesh<grid> const& mesh) {
  return ts::device_put<P<none, mp>>(ts::host<8, 4>(std::vector<float>(32, 0.25f)), mesh);
}
using records = std::vector<ts::plan_record>;
auto into(records& told) {
  return [&told](ts::plan_record const& made) { told.push_back(made); };
}

TEST(log_plans, tells_the_first_call_and_each_new_size) {
  auto const mesh = ts::make_mesh<grid>(ts::devices(), {2, 2});
  auto const w = weights(mesh);
  records told;
  ts::log_plans const on(into(told));
  (void)ts::jit<layer>(rows(mesh, 6), w);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].why, "the first call");
  EXPECT_EQ(told[0].arguments, "float32[6@dp,8], float32[8,4@mp]");
  EXPECT_EQ(told[0].program, "add at " + ts::testing::marked_line(__FILE__, "add"));
  EXPECT_GT(told[0].seconds, 0);
  EXPECT_EQ(told[0].steps, 2);  // a product, and what follows it
  EXPECT_EQ(told[0].messages, 0);
  EXPECT_EQ(told[0].interpreted, 0);
  EXPECT_EQ(told[0].kept, 1);
  (void)ts::jit<layer>(rows(mesh, 6), w);
  EXPECT_EQ(told.size(), 1u);
  (void)ts::jit<layer>(rows(mesh, 10), w);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1].why, "argument 0 is float32[10@dp,8], was float32[6@dp,8]");
  EXPECT_EQ(told[1].kept, 2);
  (void)ts::jit<layer>(rows(mesh, 6), w);
  EXPECT_EQ(told.size(), 2u);
}

struct sum_all {
  constexpr auto operator()(auto x) const { return ts::sum<0>(x); }
};
TEST(log_plans, tells_another_mesh_and_counts_messages) {
  records told;
  ts::log_plans const on(into(told));
  (void)ts::jit<sum_all>(rows(ts::make_mesh<grid>(ts::devices(), {2, 2}), 8));
  (void)ts::jit<sum_all>(rows(ts::make_mesh<grid>(ts::devices(), {4, 2}), 8));
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1].why, "the size of mesh axis dp is 4, was 2");
  EXPECT_EQ(told[1].messages, 1);
}

using automatic = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
struct twice {
  constexpr auto operator()(auto x) const { return x * 2.0f; }
};
TEST(log_plans, tells_layouts_over_auto_axes) {
  auto const mesh = ts::make_mesh<automatic>(ts::devices());
  std::vector<float> const values(32, 1);
  records told;
  ts::log_plans const on(into(told));
  (void)ts::jit<twice>(ts::device_put<P<dp, none>>(ts::host<8, 4>(values), mesh));
  (void)ts::jit<twice>(ts::device_put<P<none, mp>>(ts::host<8, 4>(values), mesh));
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1].why, "argument 0 is float32[8,4@mp], was float32[8@dp,4]");
}

// A kernel is compiled for the plan with several devices along each axis, and for one device along all of them: between
// them a step may have none.
struct scaled {
  constexpr auto operator()(auto x, auto by) const { return x * by; }
};
TEST(log_plans, a_number_is_no_array) {
  auto const mesh = ts::make_mesh<grid>(ts::devices(), {2, 2});
  records told;
  ts::log_plans const on(into(told));
  (void)ts::jit<scaled>(rows(mesh, 4), 3.0f);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].arguments, "float32[4@dp,8], a number");
}

TEST(log_plans, says_nothing_of_what_the_compiler_planned) {
  using fixed = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
  auto const mesh = ts::make_mesh<fixed>(ts::devices());
  records told;
  ts::log_plans const on(into(told));
  (void)ts::jit<twice>(ts::device_put<P<dp, none>>(ts::host<8, 4>(std::vector<float>(32, 1)), mesh));
  EXPECT_TRUE(told.empty());
}

TEST(log_plans, ends_with_its_scope_and_may_be_nested) {
  auto const mesh = ts::make_mesh<grid>(ts::devices(), {2, 1});
  records outer, inner;
  ts::log_plans const on(into(outer));
  {
    ts::log_plans const also(into(inner));
    (void)ts::jit<twice>(rows(mesh, 2));
  }
  (void)ts::jit<twice>(rows(mesh, 4));
  EXPECT_EQ(outer.size(), 2u);
  EXPECT_EQ(inner.size(), 1u);
}

struct halves {
  constexpr auto operator()(auto x) const { return x * 0.5f; }
};
TEST(log_plans, what_a_listener_throws_leaves_the_call_and_arguments_stay) {
  auto const mesh = ts::make_mesh<grid>(ts::devices(), {2, 1});
  auto x = rows(mesh, 2);
  {
    ts::log_plans const strict([](ts::plan_record const& made) { throw std::runtime_error(made.why); });
    EXPECT_THROW((void)ts::jit<halves>(std::move(x)), std::runtime_error);
    EXPECT_FALSE(x.is_released());  // NOLINT: what is tested
  }
  EXPECT_EQ(ts::jit<halves>(x).to_host()[0], 0.25f);
}

TEST(log_plans, a_listener_may_run_programs) {
  auto const mesh = ts::make_mesh<grid>(ts::devices(), {2, 1});
  int told = 0;
  ts::log_plans const on([&](ts::plan_record const&) {
    if (++told < 3) (void)ts::jit<sum_all>(rows(mesh, 2 * told + 20));
  });
  (void)ts::jit<sum_all>(rows(mesh, 50));
  EXPECT_EQ(told, 3);
}

TEST(log_plans, threads_tell_their_own_plans) {
  auto const mesh = ts::make_mesh<grid>(ts::devices(), {2, 1});
  std::atomic<int> told = 0;
  ts::log_plans const on([&](ts::plan_record const&) { ++told; });
  std::vector<std::thread> all;
  for (int t = 0; t < 4; ++t) all.emplace_back([&, t] { (void)ts::jit<twice>(rows(mesh, 100 + 2 * t)); });
  for (std::thread& one : all) one.join();
  EXPECT_EQ(told, 4);
}

TEST(log_plans, a_line_holds_all_of_it) {
  ts::plan_record const made{"mean at train.cpp:40", "float32[50@dp,64]", "the first call", 0.00125, 12, 1, 2, 1};
  EXPECT_EQ(made.text(),
            "tessera: planned the program of mean at train.cpp:40 in 1.25 ms for (float32[50@dp,64]): the first call. "
            "12 steps, 1 message, 2 fused steps without a compiled kernel; 1 plan of it is kept.");
}

TEST(log_plans, without_a_function_a_line_goes_to_clog) {
  std::ostringstream said;
  std::streambuf* const before = std::clog.rdbuf(said.rdbuf());
  {
    ts::log_plans const on;
    (void)ts::jit<halves>(rows(ts::make_mesh<grid>(ts::devices(), {1, 2}), 3));
  }
  std::clog.rdbuf(before);
  EXPECT_EQ(said.str().rfind("tessera: planned the program of multiply at log_plans_test.cpp:", 0), 0u) << said.str();
  EXPECT_EQ(said.str().back(), '\n');
}

}  // namespace
