// SPDX-License-Identifier: Apache-2.0
// nightly
// Random programs, forward and backward: the tangent of a loss is the sum of the products of its gradients with the
// arguments' tangents.

#include <tessera/engine/exec/move/in_process.hpp>
#include <tessera/op/ops.hpp>
#include <tessera/transform/forward.hpp>

#include "support/random_program.hpp"
#include "support/whole_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

namespace ts = tessera;
namespace ops = tessera::ops;
using random_program::layouts;
using random_program::program_maker;

ts::term sum_of_all(ts::builder& b, ts::term x) {
  ts::array_value const facts = x.facts();
  if (!facts.unreduced.empty() || facts.rank == 0) {
    ts::attributes whole;
    whole.has_out = true;
    whole.out.rank = facts.rank;
    x = b.make<ops::reshard>({x}, whole);
  }
  ts::reduce_params all;
  for (int d = 0; d < facts.rank; ++d) all.dims.push_back(d);
  return facts.rank == 0 ? x : b.make<ops::reduce_sum>({x}, all);
}

int moved = 0;  // programs whose loss depends on an argument

void compare(unsigned seed, std::vector<std::int64_t> const& mesh, bool uneven) {
  program_maker made(seed, mesh, uneven, layouts::of_rules);
  made.make(24, layouts::of_rules);
  ts::builder& b = made.b;
  b.refused = {};
  ts::term loss = ts::number(b, 0.0, ts::dtype::float32);
  std::vector<int> outputs(b.recorded.outputs.begin(), b.recorded.outputs.end());
  for (int id : outputs) loss = loss + sum_of_all(b, b.make<ops::tanh>({ts::term{&b, id}}));
  b.recorded.outputs = {};
  std::vector<int> const arguments(b.recorded.inputs.begin(), b.recorded.inputs.end());
  int const end = b.size();
  std::vector<ts::term> tangents;
  ts::detail::forward<ts::builder> pass(b, false);
  for (int id : arguments) {
    ts::array_value const facts = b.facts(id);
    tangents.push_back(b.argument(ts::info<ops::argument>, facts));
    pass.enter(id, tangents.back().id);
  }
  ts::growable<int> asked;
  asked.push_back(loss.id);
  pass.run(0, end, asked);
  ts::backward back(b, 0, arguments.data(), static_cast<int>(arguments.size()));
  back.run(loss.id, ts::number(b, 1.0, ts::dtype::float32));
  ASSERT_EQ(b.refused.what.why, ts::reason::none) << "seed " << seed;
  ts::term products = ts::number(b, 0.0, ts::dtype::float32);
  bool depends = false;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (int const gradient = back.cotangent(arguments[i]); gradient >= 0) {
      depends = true;
      products = products + sum_of_all(b, ts::term{&b, gradient} * tangents[i]);
    }
  ASSERT_EQ(depends, pass.tangent(loss.id) >= 0) << "seed " << seed;
  if (!depends) return;
  ++moved;
  b.recorded.outputs.push_back(pass.tangent(loss.id));
  b.recorded.outputs.push_back(products.id);
  ts::graph_view const g = b.recorded.view();
  std::vector<oracle::tensor> given;
  for (int i = 0; i < g.input_count; ++i)
    given.push_back(oracle::cast(
        oracle::scattered(support::extents_of(g[g.inputs[i]].facts), -1, 1, seed + static_cast<unsigned>(i)),
        oracle::element::float32));
  auto const plan = ts::make_plan(g);
  std::vector<oracle::tensor> got;
  ASSERT_NO_THROW(got = support::run_plan(plan.view(), g, given)) << "seed " << seed;
  double const tangent = got[0].item(), want = got[1].item();
  if (std::isnan(tangent) && std::isnan(want)) return;
  ASSERT_NEAR(tangent, want, 2e-4 * (1 + std::abs(want))) << "seed " << seed;
}

void compare_seeds(unsigned first, unsigned last) {
  for (unsigned seed = first; seed < last && !testing::Test::HasFailure(); ++seed) {
    compare(3 * seed, {2, 2}, false);
    if (!testing::Test::HasFailure()) compare(3 * seed + 1, {1, 2, 2}, false);
    if (!testing::Test::HasFailure()) compare(3 * seed + 2, {2, 3}, true);
  }
}

TEST(random_tangents, are_products_with_gradients) {
  compare_seeds(0, 1700);
  std::printf("%d of 5100 programs have a tangent\n", moved);
  EXPECT_GT(moved, 4000);
}

}  // namespace
