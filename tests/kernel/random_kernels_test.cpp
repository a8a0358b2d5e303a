// SPDX-License-Identifier: Apache-2.0
// Random kernels, grids, blocks and bodies, planned and run, against loops that simulate the grid on whole arrays; and the
// checks of random grids against trying each instance.
// stand-in at night

#include <tessera/tessera.hpp>

#include "support/hand_plan.hpp"
#include "support/whole_program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

namespace {

namespace ts = tessera;
namespace ops = tessera::ops;

// What the body does with the blocks: value = sum of (block, or its sum) * weight, plus program ids. The first inputs may be
// tables, which the body reads as others and maps for their numbers.
enum class body_kind { stored, added, half_kept, by_scratch };

struct random_kernel {
  std::mt19937 random;
  ts::grid_value grid;
  std::vector<ts::block_value> blocks;  // of the inputs, then of the result
  std::vector<double> weights;          // by input, then by dimension of the grid
  std::vector<bool> same;               // by input: its blocks have the shape of the result's
  std::vector<std::vector<std::int32_t>> tables;
  std::vector<std::int32_t const*> numbers;  // by table
  body_kind kind{};

  explicit random_kernel(unsigned seed, bool by_tables = true) : random(seed) {
    kind = static_cast<body_kind>(below(4));
    make_result();
    for (int more = by_tables ? below(3) : 0; more > 0; --more) make_table(0);
    if (by_tables && result.rank < 4 && below(3) == 0) {  // a dimension whose blocks a table names in order
      make_table(grid.parallel);
      add_result_dim();
    }
    for (auto const& all : tables) numbers.push_back(all.data());
    if (by_tables && below(4) == 0) make_sum();
    if (by_tables && below(4) == 0) make_alias();
    int const inputs = 1 + below(3);
    for (int k = 0; k < inputs; ++k) make_input();
    blocks.push_back(result);
    grid.inputs = static_cast<int>(same.size());
    grid.outputs = 1;
    grid.scratches = kind == body_kind::by_scratch;
    grid.blocks = blocks.data();
    for (int k = 0; k < grid.inputs + grid.rank; ++k) weights.push_back(0.25 * (1 + below(7)));
  }

  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
  std::vector<std::int64_t> shape_of(ts::block_value const& b) const {
    std::vector<std::int64_t> shape;
    for (int d = 0; d < b.rank; ++d)
      if (!b.squeezed[d]) shape.push_back(b.extent[d]);
    return shape;
  }
  // Whole extents for block numbers up to `most`, maybe with a last block that is cut.
  std::int64_t extent_for(std::int64_t most, std::int64_t block) {
    return (most + 1) * block - below(static_cast<int>(block));
  }

  ts::block_value result;
  void make_result() {
    result.rank = 1 + below(3);
    std::vector<std::int64_t> extents;
    for (int d = 0; d < result.rank; ++d) {
      result.extent[d] = 1 + below(5);
      result.squeezed[d] = result.extent[d] == 1 && below(2);
      std::int64_t const blocks_here = 1 + below(4);
      result.whole[d] = extent_for(blocks_here - 1, result.extent[d]);
      int const dim = grid.rank;
      if (d + 1 < result.rank && below(3) == 0) {  // two dimensions share an id
        std::int64_t const next = 1 + below(3);
        grid.extent[grid.rank++] = blocks_here * next;
        result.at[d] = ts::grid_index::of(dim) / next;
        ++d;
        result.extent[d] = 1 + below(4);
        result.whole[d] = extent_for(next - 1, result.extent[d]);
        result.at[d] = ts::grid_index::of(dim) % next;
      } else {
        grid.extent[grid.rank++] = blocks_here;
        result.at[d] = ts::grid_index::of(dim);
      }
    }
    grid.parallel = grid.rank;
    for (int more = below(3); more > 0; --more) grid.extent[grid.rank++] = 1 + below(4);
    if (below(4) == 0 && grid.parallel > 0) --grid.parallel;  // a dimension of the result in order
  }
  // A table, and what it holds for program ids from dimension `first` of the grid on.
  static constexpr int most_held = 3;
  std::vector<ts::grid_index> held;
  void make_table(int first) {
    ts::block_value b;
    b.rank = 1 + below(2);
    ts::grid_index at[2];
    ts::extents_list shape;
    for (int d = 0; d < b.rank; ++d) {
      if (first < grid.rank) at[d] = ts::grid_index::of(first + below(grid.rank - first));
      if (below(3) == 0) at[d] = at[d] / (1 + below(2)) + below(2);
      shape.push_back(ts::detail::most_of(at[d], grid, false) + 1 + below(2));
      b.whole[d] = b.extent[d] = shape[d];
    }
    auto const operand = static_cast<int>(tables.size());
    ts::detail::grid_table const table{operand, shape, &grid};
    held.push_back(b.rank == 1 ? table(at[0]) : table(at[0], at[1]));
    tables.emplace_back(static_cast<std::size_t>(shape[0] * (b.rank == 1 ? 1 : shape[1])));
    for (std::int32_t& one : tables.back()) one = below(most_held + 1);
    blocks.push_back(b);
    same.push_back(false);
  }
  void add_result_dim() {
    int const d = result.rank++;
    result.at[d] = held.back();
    result.extent[d] = 1 + below(3);
    result.whole[d] = extent_for(most_held, result.extent[d]);
  }
  // Instances add to the result, by any map.
  void make_sum() {
    result.summed = true;
    for (int d = 0; d < result.rank; ++d) {
      if (below(2)) continue;
      auto const any = [&] { return ts::grid_index::of(below(grid.rank)); };
      switch (below(4)) {
        case 0: result.at[d] = below(2); break;
        case 1: result.at[d] = any() % (1 + below(3)); break;
        case 2: result.at[d] = any() / (1 + below(2)) + any(); break;
        default: result.at[d] = any();
      }
      std::int64_t most = ts::detail::most_of(result.at[d], grid, false);
      if (!held.empty() && below(2)) std::tie(result.at[d], most) = any_held();
      result.whole[d] = extent_for(most + below(2), result.extent[d]);
    }
  }
  // The result begins with the values of an operand, which the body reads whole; maybe no instance writes its last blocks.
  void make_alias() {
    result.alias = static_cast<int>(same.size());
    for (int d = 0; d < result.rank; ++d) result.whole[d] += below(2) * result.extent[d];
    ts::block_value b;
    b.rank = result.rank;
    b.whole = b.extent = result.whole;
    blocks.push_back(b);
    same.push_back(false);
  }
  // A number that a table holds, and the most that it is.
  std::pair<ts::grid_index, std::int64_t> any_held() {
    ts::grid_index const x = held[static_cast<std::size_t>(below(static_cast<int>(held.size())))];
    int const by = 1 + below(2);
    auto const id = ts::grid_index::of(below(grid.rank));
    switch (below(4)) {
      case 0: return {x, most_held};
      case 1: return {x / by, most_held / by};
      case 2: return {1 + 2 * (x % by), 1 + 2 * (by - 1)};
      default: return {x * 2 + id, 2 * most_held + ts::detail::most_of(id, grid, false)};
    }
  }
  void make_input() {
    ts::block_value b;
    bool const alike = below(2);
    auto const shape = shape_of(result);
    b.rank = alike ? static_cast<int>(shape.size()) : 1 + below(3);
    if (alike && b.rank < 3 && below(2)) ++b.rank;  // with a squeezed dimension in front
    for (int d = 0; d < b.rank; ++d) {
      auto const at = static_cast<int>(shape.size()) - b.rank + d;
      b.extent[d] = alike ? (at >= 0 ? shape[static_cast<std::size_t>(at)] : 1) : 1 + below(4);
      b.squeezed[d] = alike ? at < 0 : b.extent[d] == 1 && below(2);
      auto const any = [&] { return ts::grid_index::of(below(grid.rank)); };
      switch (below(5)) {
        case 0: b.at[d] = below(3); break;
        case 1: b.at[d] = any() / (1 + below(3)); break;
        case 2: b.at[d] = any() % (1 + below(3)); break;
        case 3: b.at[d] = any() * (1 + below(2)) + any() + below(2); break;
        default: b.at[d] = any();
      }
      std::int64_t most = ts::detail::most_of(b.at[d], grid, false);
      if (!held.empty() && below(2)) std::tie(b.at[d], most) = any_held();
      if (below(4) == 0 && !b.squeezed[d]) {
        b.by_element[d] = true;
        if (below(2)) b.before[d] = below(4), b.behind[d] = below(4);
        b.whole[d] = std::max<std::int64_t>(1, most + b.extent[d] - b.before[d] - b.behind[d]) + below(2);
      } else {
        b.whole[d] = extent_for(most + below(2), b.extent[d]);
      }
    }
    blocks.push_back(b);
    same.push_back(alike);
  }

  template <class Extents>
  static ts::array_value facts(Extents const& extents, int rank) {
    ts::array_value v;
    for (int d = 0; d < rank; ++d) v.add_dim(extents[static_cast<std::size_t>(d)]);
    return v;
  }
  ts::array_value of_input(int k, ts::array_value v) const {
    if (static_cast<std::size_t>(k) < tables.size()) v.element = ts::dtype::int32;
    return v;
  }
  ts::array_value operand(int k) const {
    auto const& b = blocks[static_cast<std::size_t>(k)];
    return of_input(k, facts(b.whole.items, b.rank));
  }
  // The program of the kernel alone.
  ts::builder program() const {
    ts::builder b;
    std::vector<int> arrays;
    for (int k = 0; k < grid.inputs; ++k) arrays.push_back(b.argument(ts::info<ops::argument>, operand(k)).id);
    b.recorded.outputs.push_back(record(b, arrays));
    return b;
  }
  // The kernel on these operands.
  int record(ts::builder& b, std::vector<int> const& arrays) const {
    int const first = b.size();
    ts::growable<int> inputs, outputs, operands;
    for (int id : arrays) operands.push_back(id);
    auto const enter = [&](ts::array_value const& v) {
      inputs.push_back(b.push(ts::info<ops::argument>, nullptr, 0, {}, v));
      return ts::term{&b, inputs.back()};
    };
    std::vector<ts::term> x;
    for (int k = 0; k < grid.inputs; ++k)
      x.push_back(enter(of_input(k, facts(shape_of(blocks[k]), static_cast<int>(shape_of(blocks[k]).size())))));
    auto const own = facts(shape_of(result), static_cast<int>(shape_of(result).size()));
    ts::term out = enter(own), scratch{};
    if (grid.scratches) scratch = enter(own);
    ts::array_value number;
    number.element = ts::dtype::int32;
    ts::term value = out * 0.0;
    if (kind != body_kind::added && kind != body_kind::half_kept) value = ts::number(b, 0.0, ts::dtype::float32);
    std::size_t w = 0;
    ts::term total = ts::number(b, 0.0, ts::dtype::float32);
    bool any = false;
    for (int k = 0; k < grid.inputs; ++k) {
      ts::term part = x[static_cast<std::size_t>(k)];
      if (static_cast<std::size_t>(k) < tables.size())
        part = ts::make<ops::cast>(b, {part}, ts::cast_params{ts::dtype::float32});
      if (!same[static_cast<std::size_t>(k)]) {
        ts::reduce_params over;
        for (int d = 0; d < part.facts().rank; ++d) over.dims.push_back(d);
        if (!over.dims.empty()) part = ts::make<ops::reduce_sum>(b, {part}, over);
      }
      part = part * weights[w++];
      total = any ? total + part : part;
      any = true;
    }
    for (int d = 0; d < grid.rank; ++d) {
      ts::term const id = enter(number);
      total = total + ts::make<ops::cast>(b, {id}, ts::cast_params{ts::dtype::float32}) * weights[w++];
    }
    if (total.facts().rank != own.rank) {
      ts::broadcast_params to{{}, own.shape()};
      total = ts::make<ops::broadcast_to>(b, {total}, ts::attributes{to, ts::layout_of(own)});
    }
    ts::term made{};
    switch (kind) {
      case body_kind::stored: made = total; break;
      case body_kind::added: made = out + total; break;
      case body_kind::half_kept: made = out * 0.5 + total; break;
      case body_kind::by_scratch:
        scratch = scratch + total;
        made = scratch * 2.0;
        break;
    }
    outputs.push_back(made.id);
    if (grid.scratches) outputs.push_back(scratch.id);
    ts::growable<ts::graph_region> regions;
    regions.push_back(b.close_region(first, inputs, outputs));
    ts::loop_shape shape;
    shape.kind = ts::loop_kind::grid;
    shape.sliced = grid.inputs;
    shape.length = grid.instances();
    shape.grid = &grid;
    int const loop = ts::detail::push_loop<ops::kernel>(b, regions, operands, shape);
    auto const whole = ts::detail::whole_result(shape, 0, b.facts(outputs[0]));
    return ts::detail::loop_result(b, loop, 0, whole).id;
  }

  // The grid, instance by instance, on whole arrays.
  oracle::tensor simulated(std::vector<oracle::tensor> const& arguments) {
    for (std::size_t k = 0; k < tables.size(); ++k)
      std::copy(arguments[k].data.begin(), arguments[k].data.end(), tables[k].begin());
    return simulated_on(arguments);
  }
  oracle::tensor simulated_on(std::vector<oracle::tensor> const& arguments) const {
    oracle::tensor z = result.alias >= 0
                           ? arguments[static_cast<std::size_t>(result.alias)]
                           : oracle::zeros(oracle::ints(result.whole.items, result.whole.items + result.rank));
    oracle::ints const own(result.extent.items, result.extent.items + result.rank);
    std::int64_t const turns = grid.instances(grid.parallel, grid.rank);
    std::vector<double> held(static_cast<std::size_t>(oracle::product(own))), scratch(held.size());
    oracle::ints before;
    // Writes the block that is left, or adds it.
    auto const leave = [&](oracle::ints const& number) {
      std::size_t n = 0;
      oracle::for_each_index(own, [&](oracle::ints at) {
        bool within = true;
        for (int d = 0; d < result.rank; ++d) {
          at[static_cast<std::size_t>(d)] += number[static_cast<std::size_t>(d)] * result.extent[d];
          within = within && at[static_cast<std::size_t>(d)] < result.whole[d];
        }
        if (within) z[at] = result.summed ? z[at] + held[n] : held[n];
        ++n;
      });
    };
    for (std::int64_t i = 0; i < grid.instances(); ++i) {
      ts::program_ids ids{};
      grid.ids_at(i, 0, grid.rank, ids);
      oracle::ints number;
      for (int d = 0; d < result.rank; ++d) number.push_back(result.at[d].at(ids, numbers.data()));
      if (i % turns == 0) std::fill(scratch.begin(), scratch.end(), 0.0);
      if (i % turns == 0 || number != before) {
        if (i > 0) leave(before);
        each(result, z, ids, [&](std::size_t n, double v) { held[n] = result.alias >= 0 && !result.summed ? v : 0; });
      }
      before = number;
      double rest = 0;
      std::size_t w = 0;
      for (int k = 0; k < grid.inputs; ++k, ++w)
        if (!same[w]) each(blocks[k], arguments[w], ids, [&](std::size_t, double v) { rest += v * weights[w]; });
      for (int d = 0; d < grid.rank; ++d) rest += static_cast<double>(ids[d]) * weights[w++];
      std::vector<double> total(held.size(), rest);
      for (int k = 0; k < grid.inputs; ++k)
        if (auto const at = static_cast<std::size_t>(k); same[at])
          each(blocks[k], arguments[at], ids, [&](std::size_t n, double v) { total[n] += v * weights[at]; });
      for (std::size_t n = 0; n < held.size(); ++n) {
        scratch[n] += total[n];
        held[n] = kind == body_kind::stored      ? total[n]
                  : kind == body_kind::added     ? held[n] + total[n]
                  : kind == body_kind::half_kept ? 0.5 * held[n] + total[n]
                                                 : 2 * scratch[n];
      }
    }
    leave(before);
    return z;
  }
  // f(position in the block, element or 0 around the array) for the block of these ids.
  template <class F>
  void each(ts::block_value const& b, oracle::tensor const& x, std::int64_t const* ids, F const& f) const {
    std::size_t n = 0;
    oracle::for_each_index(oracle::ints(b.extent.items, b.extent.items + b.rank), [&](oracle::ints at) {
      bool within = true;
      for (int d = 0; d < b.rank; ++d) {
        std::int64_t& here = at[static_cast<std::size_t>(d)];
        here += b.at[d].at(ids, numbers.data()) * (b.by_element[d] ? 1 : b.extent[d]) - b.before[d];
        within = within && here >= 0 && here < b.whole[d];
      }
      f(n++, within ? x[at] : 0.0);
    });
  }
};

void run(unsigned seed) {
  random_kernel k(seed);
  auto const verdict = ts::detail::judge_grid<ts::growable<std::int64_t>>(k.grid);
  ASSERT_EQ(verdict.fault, ts::grid_fault::none) << "seed " << seed << " operand " << verdict.operand;
  ts::builder const b = k.program();
  ASSERT_EQ(b.refused.what.why, ts::reason::none) << "seed " << seed;
  ts::graph_view const g = b.recorded.view();
  std::vector<oracle::tensor> arguments;
  for (std::size_t i = 0; i < k.tables.size(); ++i) {
    arguments.push_back(oracle::zeros(support::extents_of(g[g.inputs[i]].facts)));
    std::copy(k.tables[i].begin(), k.tables[i].end(), arguments.back().data.begin());
  }
  for (int i = static_cast<int>(arguments.size()); i < g.input_count; ++i)
    arguments.push_back(oracle::cast(
        oracle::scattered(support::extents_of(g[g.inputs[i]].facts), -1, 1, seed + static_cast<unsigned>(i)),
        oracle::element::float32));
  auto const want = k.simulated(arguments);
  for (bool fuse : {true, false}) {
    auto const plan = ts::make_plan(g, {.fuse = fuse});
    auto const got = support::run_plan(plan.view(), g, arguments);
    ASSERT_EQ(got[0].data.size(), want.data.size());
    for (std::size_t i = 0; i < want.data.size(); ++i)
      ASSERT_NEAR(got[0].data[i], want.data[i], 1e-4 * (1 + std::abs(want.data[i])))
          << "seed " << seed << " fuse " << fuse << " element " << i;
  }
}

TEST(random_kernels, agree_with_loops) {
  unsigned const count = std::getenv("TESSERA_NIGHTLY") ? (ts::runs_on_host ? 5000 : 500)
                         : ts::runs_on_host             ? 1000
                                                        : 100;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) run(seed);
}

// A kernel in up to three vmaps, each of some of its operands, along any of their dimensions; `split`: over the axes of
// a mesh.
struct random_batches {
  struct batch {
    std::int64_t size;
    std::vector<int> dim;  // by operand; -1: not mapped
    ts::entry_value entry;
  };
  random_kernel& kernel;
  std::vector<batch> all;  // the outermost first
  ts::mesh_value mesh;

  random_batches(random_kernel& k, bool split) : kernel(k) {
    if (split) mesh = support::mesh_of({2, 3});
    int const count = k.result.rank > 4 ? 1 : 1 + k.below(3);
    for (int b = 0; b < count; ++b) {
      int const axis = split && b < 2 && k.below(3) > 0 ? b : -1;
      batch made{axis < 0 ? 1 + k.below(4) : mesh.size(axis) * (1 + k.below(2)), {}, {}};
      if (axis >= 0) made.entry = ts::only(axis);
      for (int i = 0; i < k.grid.inputs; ++i) made.dim.push_back(k.below(2) - 1);
      made.dim[static_cast<std::size_t>(k.below(k.grid.inputs))] = 0;
      all.push_back(made);
    }
    for (std::size_t b = all.size(); b-- > 0;)
      for (int i = 0; i < k.grid.inputs; ++i)
        if (int& dim = all[b].dim[static_cast<std::size_t>(i)]; dim == 0) dim = k.below(operand(i, b + 1).rank + 1);
  }
  // Operand i with the batches from `first` on.
  ts::array_value operand(int i, std::size_t first) const {
    ts::array_value v = kernel.operand(i);
    for (std::size_t b = all.size(); b-- > first;)
      if (int const d = all[b].dim[static_cast<std::size_t>(i)]; d >= 0)
        v = ts::with_dim(v, d, all[b].size, all[b].entry);
    return v;
  }
  ts::builder program() const {
    ts::builder b;
    b.recorded.mesh = mesh;
    std::vector<int> arrays;
    for (int i = 0; i < kernel.grid.inputs; ++i)
      arrays.push_back(b.argument(ts::info<ops::argument>, operand(i, 0)).id);
    b.recorded.outputs.push_back(record(b, arrays, 0));
    return b;
  }
  int record(ts::builder& b, std::vector<int> const& outer, std::size_t from) const {
    if (from == all.size()) return kernel.record(b, outer);
    auto const before = b.recorded.size();
    std::vector<int> inner = outer;
    for (std::size_t i = 0; i < outer.size(); ++i)
      if (all[from].dim[i] >= 0)
        inner[i] = b.push(ts::info<ops::argument>, nullptr, 0, {}, operand(static_cast<int>(i), from + 1));
    int const result = record(b, inner, from + 1);
    ts::batching made(b, before, -1, all[from].size, all[from].entry);
    for (std::size_t i = 0; i < outer.size(); ++i)
      if (all[from].dim[i] >= 0) made.enter(inner[i], outer[i], all[from].dim[i]);
    if (b.refused.what.why == ts::reason::none) made.run();
    return made.leave(result, 0).id;
  }
  // Each element by itself; `at`: its position in the batches.
  oracle::tensor simulated(std::vector<oracle::tensor> const& arguments) const {
    oracle::ints sizes;
    for (batch const& b : all) sizes.push_back(b.size);
    oracle::ints extents = sizes;
    extents.insert(extents.end(), kernel.result.whole.items, kernel.result.whole.items + kernel.result.rank);
    oracle::tensor z = oracle::zeros(extents);
    auto next = z.data.begin();
    oracle::for_each_index(sizes, [&](oracle::ints const& at) {
      std::vector<oracle::tensor> one;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        one.push_back(
            oracle::generate(support::extents_of(kernel.operand(static_cast<int>(i))), [&](oracle::ints place) {
              for (std::size_t b = all.size(); b-- > 0;)
                if (all[b].dim[i] >= 0) place.insert(place.begin() + all[b].dim[i], at[b]);
              return arguments[i][place];
            }));
      auto const made = kernel.simulated(one);
      next = std::copy(made.data.begin(), made.data.end(), next);
    });
    return z;
  }
};
void run_batches(unsigned seed, bool split) {
  random_kernel k(seed);
  random_batches const batches(k, split);
  ts::builder const b = batches.program();
  ASSERT_EQ(b.refused.what.why, ts::reason::none) << "seed " << seed;
  ts::graph_view const g = b.recorded.view();
  std::vector<oracle::tensor> arguments;
  for (int i = 0; i < g.input_count; ++i) {
    auto const extents = support::extents_of(g[g.inputs[i]].facts);
    if (static_cast<std::size_t>(i) < k.tables.size()) {
      auto const& held = k.tables[static_cast<std::size_t>(i)];
      arguments.push_back(oracle::zeros(extents));
      std::size_t n = 0;
      for (double& one : arguments.back().data) one = held[n++ * 7 % held.size()];
    } else {
      arguments.push_back(
          oracle::cast(oracle::scattered(extents, -1, 1, seed + static_cast<unsigned>(i)), oracle::element::float32));
    }
  }
  auto const want = batches.simulated(arguments);
  auto const plan = ts::make_plan(g);
  auto const got = support::run_plan(plan.view(), g, arguments);
  ASSERT_EQ(got[0].data.size(), want.data.size());
  for (std::size_t i = 0; i < want.data.size(); ++i)
    ASSERT_NEAR(got[0].data[i], want.data[i], 1e-4 * (1 + std::abs(want.data[i])))
        << "seed " << seed << " element " << i;
}
TEST(random_kernels, in_vmap_agree_with_loops) {
  unsigned const count = std::getenv("TESSERA_NIGHTLY") ? (ts::runs_on_host ? 3000 : 300) : ts::runs_on_host ? 500 : 50;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) run_batches(seed, seed % 2 == 1);
}

#ifndef TESSERA_BY_DAY
// What maps compute is the number that they say, or refused.
TEST(random_kernels, maps_of_another_form_are_refused) {
  auto const i = ts::grid_index::of(0), j = ts::grid_index::of(1);
  ts::program_ids const ids{7, 3};
  EXPECT_EQ((2 * i + j * 3 - 1).at(ids), 22);
  EXPECT_EQ((i / 2 / 2 + j % 2).at(ids), 2);
  EXPECT_EQ((ts::grid_index(9) / 2 * i).at(ids), 28);
  EXPECT_TRUE((i / 4 * 2 + j).valid);
  for (ts::grid_index const& x : {i * j, i / j, 3 / i, i % j, (i + j) / 2, (2 * i) % 3, i % 4 / 2, i / 0, 3 / i * j,
                                  j * (3 / i), i / (3 / j), (i * j) / 2, i * j + 1, i + j + i + j + i})
    EXPECT_FALSE(x.valid);
}

// Whether all blocks lie inside and each block of the result is written by one parallel instance.
ts::grid_fault tried(ts::grid_value const& g) {
  std::vector<std::int64_t> by(static_cast<std::size_t>(ts::detail::block_count(g.output(0))), -1);
  std::int64_t const turns = g.instances(g.parallel, g.rank);
  bool twice = false;
  for (std::int64_t i = 0; i < g.instances(); ++i) {
    ts::program_ids ids{};
    g.ids_at(i, 0, g.rank, ids);
    for (int k = 0; k < g.inputs + g.outputs; ++k) {
      std::int64_t number = 0;
      for (int d = 0; d < g.blocks[k].rank; ++d) {
        std::int64_t const at = g.blocks[k].at[d].at(ids);
        if (at < 0 || at >= g.blocks[k].blocks(d)) return ts::grid_fault::outside;
        number = number * g.blocks[k].blocks(d) + at;
      }
      if (k < g.inputs) continue;
      auto& last = by[static_cast<std::size_t>(number)];
      twice = twice || (last >= 0 && last != i / turns);
      last = i / turns;
    }
  }
  if (twice) return ts::grid_fault::written_twice;
  for (std::int64_t one : by)
    if (one < 0) return ts::grid_fault::not_covered;
  return ts::grid_fault::none;
}

TEST(random_kernels, grids_are_judged_as_by_trying_them) {
  std::map<ts::grid_fault, int> seen;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    random_kernel k(seed, false);
    std::mt19937 random(seed);
    auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    ts::block_value& b = k.blocks[static_cast<std::size_t>(below(static_cast<int>(k.blocks.size())))];
    if (b.rank == 0) continue;
    int const d = below(b.rank);
    switch (below(4)) {  // one change
      case 0: b.at[d] = b.at[d] + 1; break;
      case 1: b.whole[d] += b.extent[d]; break;
      case 2: b.at[d] = ts::grid_index::of(below(k.grid.rank)); break;
      default: ++k.grid.extent[below(k.grid.rank)];
    }
    auto const want = tried(k.grid);
    auto said = ts::detail::judge_grid<ts::growable<std::int64_t>>(k.grid).fault;
    if (said == ts::grid_fault::outside_elements) said = ts::grid_fault::outside;
    ASSERT_EQ(said, want) << "seed " << seed;
    ++seen[said];
  }
  for (auto fault :
       {ts::grid_fault::none, ts::grid_fault::outside, ts::grid_fault::written_twice, ts::grid_fault::not_covered})
    EXPECT_GT(seen[fault], 50) << static_cast<int>(fault);
}
#endif

}  // namespace
