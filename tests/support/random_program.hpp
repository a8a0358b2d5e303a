// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random programs of float32 arrays in random layouts, recorded through the untyped interface.

#include <tessera/op/ops.hpp>
#include <tessera/partition/choice.hpp>
#include <tessera/plan/cost/layout_costs.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace random_program {

namespace ts = tessera;
namespace ops = tessera::ops;

// One of four values of x and y, which have one shape.
inline ts::term combined(ts::builder& b, ts::term x, ts::term y, int how) {
  switch (how) {
    case 0: return b.make<ops::add>({x, y});
    case 1: return b.make<ops::multiply>({b.make<ops::tanh>({x}), b.make<ops::tanh>({y})});
    case 2: return b.make<ops::maximum>({x, y});
    default: return b.make<ops::subtract>({x, y});
  }
}

// Who says how values lie: the rules of operations over Explicit axes; chance, whatever the rules said; the planner, over
// Auto axes, from random layouts of the arguments and of some values.
enum class layouts : std::uint8_t { of_rules, at_random, planned };

class program_maker {
public:
  // uneven: axes also split what they do not divide.
  program_maker(unsigned seed, std::vector<std::int64_t> const& sizes, bool uneven, layouts how)
      : planned_(how == layouts::planned), engine_(seed) {
    auto& mesh = b.recorded.mesh;
    constexpr std::string_view names[]{"a", "b", "c"};
    for (auto s : sizes) {
      auto const i = static_cast<std::size_t>(mesh.rank++);
      mesh.sizes[i] = s;
      mesh.kinds[i] = planned_ ? ts::axis_kind::automatic : ts::axis_kind::explicit_;
      mesh.names[i] = names[i];
    }
    if (uneven) mesh.uneven = mesh.axes();
  }

  ts::builder b;
  std::vector<ts::term> values;
  bool sums = false;  // many sums of products

  void make(int count, layouts how) {
    for (int i = 0; i < 3; ++i) argument(random_shape());
    for (int i = 0; i < count; ++i) step();
    std::vector<int> outputs{values.back().id};
    for (int i = 0; i < 3; ++i) outputs.push_back(pick().id);
    for (int id : outputs) b.recorded.outputs.push_back(id);
    if (how == layouts::at_random) lay_out_at_random();
    if (how == layouts::planned) plan();
  }

private:
  // Every value lies as chance has it, whatever the rules said: a planner may choose so.
  void lay_out_at_random() {
    for (ts::node& n : b.recorded.nodes)
      if (n.facts.unreduced.empty()) n.facts.spec = any_layout(n.facts).entries;
  }
  void plan() {
    ts::graph_view const g = b.recorded.view();
    std::vector<ts::by_dim<ts::entry_value>> given;
    for (int i = 0; i < g.input_count; ++i) given.push_back(any_layout(g[g.inputs[i]].facts).entries);
    b.recorded = ts::laid_out(g, ts::choose_layouts<ts::detail::layout_costs>(g, given.data()).data());
  }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  ts::term pick() {
    return values[values.size() - 1 -
                  static_cast<std::size_t>(below(static_cast<int>(std::min<std::size_t>(values.size(), 12))))];
  }
  ts::term pick_floats() {
    for (int tries = 0; tries < 30; ++tries)
      if (auto t = pick(); t.facts().element == ts::dtype::float32 && t.facts().unreduced.empty()) return t;
    return values[0];
  }
  std::vector<std::int64_t> random_shape() {
    constexpr std::int64_t extents[][6]{{12, 24, 12, 6, 24, 1}, {7, 24, 12, 5, 7, 1}};
    bool const uneven = !b.mesh().uneven.empty();
    std::vector<std::int64_t> shape;
    for (int r = below(3) + (chance(80) ? 1 : 0); r > 0; --r) shape.push_back(extents[uneven][below(6)]);
    return shape;
  }
  // One that a program may ask for: types name no Auto axis.
  ts::spec_value random_layout(ts::array_value const& of) {
    ts::spec_value none;
    none.rank = of.rank;
    return planned_ ? none : any_layout(of);
  }
  ts::spec_value any_layout(ts::array_value const& of) {
    ts::spec_value spec;
    spec.rank = of.rank;
    for (int tries = below(3); tries > 0 && of.rank > 0; --tries) {
      int const d = below(of.rank), a = below(b.mesh().rank);
      auto& entry = spec.entries[d];
      bool used = false;
      for (int k = 0; k < of.rank; ++k) used = used || spec.entries[k].axes().contains(a);
      auto const parts = b.mesh().devices(entry.axes()) * b.mesh().size(a);
      if (!used && (of.extent(d) % parts == 0 || !b.mesh().uneven.empty())) entry.append(a);
    }
    return spec;
  }
  void argument(std::vector<std::int64_t> const& shape) {
    ts::array_value v;
    for (auto e : shape) v.add_dim(e);
    v.spec = random_layout(v).entries;
    values.push_back(b.argument(ts::info<ops::argument>, v));
  }
  ts::attributes with_layout(ts::spec_value const& spec) {
    ts::attributes attrs;
    attrs.has_out = true;
    attrs.out = spec;
    return attrs;
  }
  ts::term resharded(ts::term x) {
    ts::attributes const to = with_layout(any_layout(x.facts()));
    return planned_ ? b.make<ops::with_sharding_constraint>({x}, to) : b.make<ops::reshard>({x}, to);
  }
  // y in x's layout where shapes agree.
  ts::term laid_out_as(ts::term y, ts::term x) {
    return b.make<ops::reshard>({y}, with_layout(ts::layout_of(x.facts())));
  }

  void step() {
    b.refused = {};
    ts::term const made = attempt();
    if (made && made.facts().rank <= 4 && made.facts().size() <= 4000) values.push_back(made);
  }
  ts::term attempt() {
    ts::term const x = pick_floats();
    ts::array_value const facts = x.facts();
    if (sums && chance(40)) return of_products(x);
    switch (below(27)) {
      case 0: return b.make<ops::tanh>({x});
      case 1: return b.make<ops::softmax>({x}, last_dim(facts));
      case 2:
      case 3:
      case 4: {
        ts::term const y = same_shape(x);
        return combined(b, x, y, below(4));
      }
      case 5: return b.make<ops::multiply>({x, ts::number(b, 0.5)});
      case 6:
      case 7: {
        ts::reduce_params over;
        for (int d = 0; d < facts.rank; ++d)
          if (chance(50)) over.dims.push_back(d);
        if (over.dims.empty()) return x;
        over.keep = chance(30);
        if (chance(25)) return b.make<ops::max>({x}, over);
        ts::term const mean = b.make<ops::mean>({x}, over);
        if (over.keep) return b.make<ops::subtract>({x, mean});
        return mean;
      }
      case 8: return resharded(x);
      case 9: {
        if (facts.rank < 2) return x;
        ts::permute_params to;
        for (int d = 0; d < facts.rank; ++d) to.order.push_back((d + 1) % facts.rank);
        return b.make<ops::permute>({x}, to);
      }
      case 10: return matmul(x);
      case 11: {
        if (facts.size() % 12 != 0) return x;
        constexpr std::int64_t shapes[][3]{{-1, 12, 0}, {-1, 0, 0}, {-1, 6, 2}, {12, -1, 0}};
        auto const& s = shapes[below(4)];
        ts::reshape_params to;
        for (auto e : s)
          if (e != 0) to.shape.push_back(e);
        return b.make<ops::reshape>({x}, to);
      }
      case 12: {
        if (facts.rank == 0) return x;
        int const d = below(facts.rank);
        auto const n = facts.extent(d);
        if (n % 12 != 0) return x;
        auto const start = chance(50) ? 0 : n / 2;
        return b.make<ops::slice>({x}, ts::slice_in_dim_params{d, start, start + n / 2});
      }
      case 13: {
        if (facts.rank == 0) return x;
        ts::concatenate_params const along{below(facts.rank)};
        ts::term const y = same_shape(x);
        if (chance(30)) return b.make<ops::concatenate>({x, y, b.make<ops::tanh>({x})}, along);
        return b.make<ops::concatenate>({x, y}, along);
      }
      case 14: {
        if (facts.rank == 0 || facts.size() > 1000) return x;
        ts::pad_params by;
        for (int d = 0; d < facts.rank; ++d) {
          bool const grow = chance(50);
          by.low.push_back(grow ? 6 : 0);
          by.high.push_back(grow ? 6 : 0);
          by.interior.push_back(0);
        }
        return b.make<ops::pad>({x, ts::number(b, 1.5)}, by);
      }
      case 15: {
        if (facts.rank == 0) return x;
        ts::iota_params const along{ts::dtype::float32, below(facts.rank), facts.shape()};
        ts::term const count = b.make<ops::iota>({}, {along, ts::layout_of(facts)});
        return b.make<ops::add>({x, b.make<ops::multiply>({count, ts::number(b, 0.125)})});
      }
      case 16: {
        if (facts.rank == 0 || facts.rank > 2) return x;
        ts::broadcast_params to{{}, {6}};
        for (int d = 0; d < facts.rank; ++d) to.shape.push_back(facts.extent(d));
        return b.make<ops::broadcast_to>({x}, to);
      }
      case 17: return b.make<ops::where>({b.make<ops::greater>({x, ts::number(b, 0.137)}), x, ts::number(b, 0.25)});
      case 18: return along(x);
      case 19: return picked(x);
      case 20: {
        if (facts.rank == 0) return x;
        int const d = below(facts.rank);
        if (chance(30)) return with_its_neighbors(x, d);
        return b.make<ops::roll>({x}, ops::roll_params{{below(9) - 4}, {d}});
      }
      case 21: {
        if (facts.rank == 0 || facts.size() > 1000) return x;
        int const d = below(facts.rank);
        ts::array_value out = facts;
        out.extent(d) *= 2;
        return b.make<ops::repeat>({x}, {ops::repeat_params{2, {d}}, random_layout(out)});
      }
      case 22: {
        if (facts.rank > 2) return x;
        ts::concatenate_params const along{below(facts.rank + 1)};
        return b.make<ops::stack>({x, same_shape(x)}, along);
      }
      case 23: {
        if (facts.rank < 2) return x;
        ops::diagonal_params const from{below(5) - 2};
        return chance(50) ? b.make<ops::triu>({x}, from) : b.make<ops::tril>({x}, from);
      }
      case 24: {  // a part of x written over
        if (facts.rank == 0) return x;
        int const d = below(facts.rank);
        auto const n = facts.extent(d);
        if (n % 12 != 0) return x;
        ts::term const part = b.make<ops::slice>({x}, ts::slice_in_dim_params{d, n / 2, n});
        if (!part) return part;
        ts::update_slice_params at;
        for (int k = 0; k < facts.rank; ++k) at.start.push_back(k == d ? below(static_cast<int>(n / 2) + 1) : 0);
        return b.make<ops::update_slice>({x, chance(50) ? b.make<ops::tanh>({part}) : part}, at);
      }
      case 25: {  // literals that compare equal and are not: 1 / 0 and 1 / -0
        ts::term const zero = ts::number(b, chance(50) ? 0.0 : -0.0);
        ts::term const above = b.make<ops::greater>({b.make<ops::divide>({ts::number(b, 1), zero}), ts::number(b, 0)});
        return b.make<ops::where>({above, x, b.make<ops::multiply>({x, ts::number(b, -1)})});
      }
      default: {
        if (facts.rank == 0) return x;
        return b.make<ops::flip>({x}, ops::flip_params{{below(facts.rank)}});
      }
    }
  }
  // A stencil: x and what it is rolled by one both ways, a few times.
  ts::term with_its_neighbors(ts::term x, int dim) {
    for (int turns = below(3) + 1; turns > 0 && x; --turns) {
      ts::term const before = b.make<ops::roll>({x}, ops::roll_params{{1}, {dim}});
      ts::term const behind = b.make<ops::roll>({x}, ops::roll_params{{-1}, {dim}});
      if (!before || !behind) return {};
      x = b.make<ops::multiply>(
          {combined(b, x, b.make<ops::subtract>({before, behind}), below(4)), ts::number(b, 0.5)});
    }
    return x;
  }
  // A kernel along a dimension, brought whole first.
  ts::term along(ts::term x) {
    ts::array_value const facts = x.facts();
    if (facts.rank == 0) return x;
    int const d = below(facts.rank);
    ts::spec_value spec = ts::layout_of(facts);
    spec.entries[d] = {};
    x = b.make<ops::reshard>({x}, with_layout(spec));
    ops::along_one_params const attrs{d, below(2) == 1};
    switch (below(3)) {
      case 0: return b.make<ops::sort>({x}, attrs);
      case 1: return b.make<ops::multiply>({b.make<ops::cumsum>({x}, attrs), ts::number(b, 0.1)});
      default: return b.make<ops::cummax>({x}, attrs);
    }
  }
  // Rows at computed places.
  ts::term picked(ts::term x) {
    ts::array_value const facts = x.facts();
    if (facts.rank == 0) return x;
    int const d = below(facts.rank);
    ts::iota_params count{ts::dtype::int32, 0, {12}};
    ts::term const places = b.make<ops::remainder>(
        {b.make<ops::multiply>({b.make<ops::iota>({}, count), ts::number(b, 5.0, ts::dtype::int32)}),
         ts::number(b, static_cast<double>(facts.extent(d)), ts::dtype::int32)});
    ts::array_value out = facts;
    out.extent(d) = 12;
    return b.make<ops::take>({x, places}, {ops::take_params{{d}, {.fill = true, .wrap = true}}, random_layout(out)});
  }
  static ts::attributes last_dim(ts::array_value const& v) { return ts::reduce_params{{v.rank - 1}}; }
  ts::term same_shape(ts::term x) {
    for (auto v : values)
      if (v.facts().element == x.facts().element && v.facts().same_shape(x.facts()) && v.facts().unreduced.empty() &&
          chance(60))
        return laid_out_as(v, x);
    return b.make<ops::multiply>({x, ts::number(b, -0.75)});
  }
  // Products of x and of what has its shape, scaled and added: their partial sums may wait for each other.
  ts::term of_products(ts::term x) {
    ts::term sum = matmul(x);
    for (int terms = below(3) + 1; terms > 0 && sum; --terms) {
      ts::term next = matmul(same_shape(x));
      if (!next || !next.facts().same_shape(sum.facts())) continue;
      if (!next.facts().same_spec(sum.facts())) next = laid_out_as(next, sum);
      switch (below(5)) {
        case 0: sum = b.make<ops::subtract>({sum, next}); break;
        case 1: sum = b.make<ops::subtract>({next, b.make<ops::divide>({sum, ts::number(b, 2)})}); break;
        case 2: sum = b.make<ops::add>({b.make<ops::negative>({next}), sum}); break;
        case 3: sum = b.make<ops::add>({b.make<ops::add>({sum, same_shape(sum)}), next}); break;
        default: sum = b.make<ops::add>({sum, next});
      }
    }
    return sum;
  }
  ts::term matmul(ts::term x) {
    auto const f = x.facts();
    if (f.rank != 2) return x;
    for (auto y : values) {
      auto const g = y.facts();
      if (g.element != f.element || g.rank != 2 || g.extent(0) != f.extent(1) || chance(30)) continue;
      ts::array_value out;
      out.add_dim(f.extent(0));
      out.add_dim(g.extent(1));
      ts::attributes const attrs{ts::dot_params{{1}, {0}, {}, {}}, random_layout(out)};
      b.refused = {};
      if (ts::term const product = b.make<ops::dot_general>({x, y}, attrs))
        return b.make<ops::multiply>({product, ts::number(b, 0.1)});
    }
    return x;
  }

  bool planned_;
  std::mt19937 engine_;
};

}  // namespace random_program
