// SPDX-License-Identifier: Apache-2.0
// nightly
// What a plan says that it sends, against what its steps read of other devices' blocks when they run: products, sums, rows
// and moves, in every layout of their operands and results.

#include <tessera/aval/describe.hpp>
#include <tessera/op/ops.hpp>
#include <tessera/plan/make/make_plan.hpp>

#include "support/crossings.hpp"
#include "support/hand_plan.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace {

namespace ts = tessera;
namespace ops = tessera::ops;

ts::array_value array(std::vector<std::int64_t> const& extents) {
  ts::array_value v;
  for (auto e : extents) v.add_dim(e);
  return v;
}
void each_layout(ts::array_value x, ts::mesh_value const& mesh, std::function<void(ts::array_value const&)> const& f,
                 int d = 0) {
  if (d == x.rank) {
    if (ts::rule::lawful(x, mesh)) f(x);
    return;
  }
  for (int way = 0; way < 5; ++way) {
    ts::entry_value entry;
    if (way == 1 || way == 3) entry.append(0);
    if (way == 2 || way == 4) entry.append(1);
    if (way == 3) entry.append(1);
    if (way == 4) entry.append(0);
    x.entry(d) = entry;
    each_layout(x, mesh, f, d + 1);
  }
}

struct tally {
  int checked = 0, in_own_memory = 0, silent = 0, several = 0;
};

// What one device takes part in where it reads the others' memory: of an all_reduce each other term.
std::int64_t read_directly(ts::message const& m, std::int64_t n) {
  switch (m.kind) {
    case ts::collective::all_reduce:
    case ts::collective::all_gather: return (n - 1) * m.block;
    case ts::collective::reduce_scatter:
    case ts::collective::all_to_all: return (n - 1) * m.block / n;
    default: return m.block;
  }
}

bool holds_copies(ts::plan_view const& plan) {
  for (int i = 0; i < plan.local.input_count; ++i)
    if (!(plan.local[plan.local.inputs[i]].facts.varying == plan.local.mesh->axes())) return true;
  return false;
}

void expect_as_promised(ts::builder& b, ts::term y, tally& count, bool moves = false) {
  ts::growable_graph graph = b.recorded;
  graph.outputs.push_back(y.id);
  ts::graph_view const g = graph.view();
  for (bool share : {true, false}) {
    auto const plan = ts::make_plan(g, {.share = share});
    auto const seen = support::crossings_of(plan.view(), g);
    if (!seen) {
      ++count.in_own_memory;
      continue;
    }
    std::int64_t promised = 0, most = 0;
    ts::axis_set axes;
    int messages = 0;
    for (auto const& m : plan.messages) {
      promised += read_directly(m, graph.mesh.devices(m.axes));
      axes |= m.axes;
      ++messages;
    }
    for (auto bytes : seen->bytes) most = std::max(most, bytes);
    std::string text;
    for (int i = 0; i < g.input_count; ++i) text += ts::describe(g[g.inputs[i]].facts, graph.mesh) + " ";
    text += "-> " + ts::describe(y.facts(), graph.mesh) + (share ? "" : ", nothing shared");
    // A move may take a copy that is nearer than a network's, and one of several need not stop on its way.
    bool const nearer = moves && (messages > 1 || holds_copies(plan.view()));
    EXPECT_TRUE(nearer ? axes.contains(seen->axes) : seen->axes == axes) << text;
    EXPECT_TRUE(nearer ? most <= promised : most == promised) << text << ": " << most << " bytes, not " << promised;
    EXPECT_EQ(most == 0, promised == 0) << text;
    ++count.checked;
    count.silent += messages == 0;
    count.several += messages > 1;
  }
}

// f(program, its arguments) for each layout of arguments of these extents, on three meshes.
void each_program(std::vector<std::vector<std::int64_t>> const& extents,
                  std::function<void(ts::builder&, std::vector<ts::term> const&)> const& f) {
  for (auto const& mesh : {support::mesh_of({2, 2}), support::mesh_of({2, 3}), support::mesh_of({4, 1})}) {
    std::vector<ts::array_value> facts;
    std::function<void()> const next = [&] {
      if (testing::Test::HasFailure()) return;
      if (facts.size() < extents.size())
        return each_layout(array(extents[facts.size()]), mesh, [&](ts::array_value const& laid) {
          facts.push_back(laid);
          next();
          facts.pop_back();
        });
      ts::builder b;
      b.recorded.mesh = mesh;
      std::vector<ts::term> x;
      for (auto const& v : facts) x.push_back(b.argument(ts::info<ops::argument>, v));
      f(b, x);
    };
    next();
  }
}
// The same, and each layout of the result as out_sharding.
void each_result(ts::array_value const& result, ts::mesh_value const& mesh,
                 std::function<void(ts::attributes const&)> const& f) {
  each_layout(result, mesh, [&](ts::array_value const& laid) {
    ts::attributes attrs;
    attrs.has_out = true;
    attrs.out = ts::layout_of(laid);
    f(attrs);
  });
}
void print(char const* name, tally const& count) {
  std::printf("%-12s %d plans, %d of them silent, %d with several messages; %d keep values in memory of their own\n",
              name, count.checked, count.silent, count.several, count.in_own_memory);
}

TEST(crossings, products) {
  tally count;
  each_program({{12, 12}, {12, 12}}, [&](ts::builder& recorded, std::vector<ts::term> const& x) {
    each_result(array({12, 12}), recorded.mesh(), [&](ts::attributes to) {
      ts::builder b = recorded;
      to.set(ts::dot_params{{1}, {0}, {}, {}});
      ts::term const y = b.make<ops::dot_general>({ts::term{&b, x[0].id}, ts::term{&b, x[1].id}}, to);
      if (y) expect_as_promised(b, y, count);
    });
  });
  print("products", count);
  EXPECT_GT(count.checked - count.silent, 100);
}
TEST(crossings, sums) {
  tally count;
  for (ts::extents_list const& over : {ts::extents_list{0}, ts::extents_list{1}, ts::extents_list{0, 1}})
    each_program({{12, 24}}, [&](ts::builder& b, std::vector<ts::term> const& x) {
      if (ts::term const y = b.make<ops::reduce_sum>({x[0]}, ts::reduce_params{over})) expect_as_promised(b, y, count);
    });
  print("sums", count);
  EXPECT_GT(count.checked - count.silent, 50);
}
TEST(crossings, rows) {
  tally count;
  each_program({{12, 24}}, [&](ts::builder& b, std::vector<ts::term> const& x) {
    if (ts::term const y = b.make<ops::softmax>({x[0]}, ts::reduce_params{{1}})) expect_as_promised(b, y, count);
  });
  print("rows", count);
  EXPECT_GT(count.checked - count.silent, 10);
}
TEST(crossings, moves) {
  tally count;
  each_program({{12, 24}}, [&](ts::builder& recorded, std::vector<ts::term> const& x) {
    each_result(array({12, 24}), recorded.mesh(), [&](ts::attributes const& to) {
      ts::builder b = recorded;
      if (ts::term const y = b.make<ops::reshard>({ts::term{&b, x[0].id}}, to)) expect_as_promised(b, y, count, true);
    });
  });
  print("moves", count);
  EXPECT_GT(count.checked - count.silent, 300);
}
TEST(crossings, elements) {
  tally count;
  each_program({{12, 24}, {12, 24}}, [&](ts::builder& b, std::vector<ts::term> const& x) {
    if (ts::term const y = b.make<ops::add>({x[0], x[1]})) expect_as_promised(b, y, count);
  });
  print("elements", count);
  EXPECT_GT(count.checked, 10);
}

}  // namespace
