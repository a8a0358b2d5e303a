// SPDX-License-Identifier: Apache-2.0
// A recommender in the manner of DLRM: four embedding tables whose rows are split over mp, a batch split over dp. Dense
// features pass a bottom network and meet the embeddings in pairwise products; a top network gives the odds of a click.
// Trained by Adagrad on made-up clicks. What is sent: sums of the rows found over mp, sums of gradients over dp.

#include <tessera/functions.hpp>
#include <tessera/tessera.hpp>

#include <array>
#include <cstdio>
#include <tuple>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};  // splits the batch
struct mp : ts::axis {};  // splits the rows of the tables
using grid = ts::mesh<ts::explicit_axis<dp, 2>, ts::explicit_axis<mp, 4>>;

constexpr std::int64_t batch = 256, dense = 13, width = 16;
constexpr int steps = 40;
constexpr std::array<std::int64_t, 4> sizes{4000, 400, 80, 16};  // rows of the tables

TESSERA_TREE(network, w1, b1, w2, b2);
TESSERA_TREE(parameters, bottom, tables, top);

template <std::int64_t N, std::int64_t M, std::int64_t Hidden = 32>
constexpr auto first_network(auto key) {
  auto const [a, b] = ts::random::split(key);
  constexpr auto whole = ts::out_sharding<ts::P<>, grid>;
  return network{ts::train::he_normal<float, N, Hidden>(a, whole), ts::zeros<float, Hidden>(whole),
                 ts::train::he_normal<float, Hidden, M>(b, whole), ts::zeros<float, M>(whole)};
}

constexpr auto apply = [](auto p, auto x) { return ts::matmul(ts::relu(ts::matmul(x, p.w1) + p.b1), p.w2) + p.b2; };

constexpr auto first_parameters = [](auto key) {
  auto const [bottom, top, a, b, c, d] = ts::random::split<6>(key);
  constexpr std::int64_t met = 1 + sizes.size(), pairs = met * (met - 1) / 2;
  constexpr auto by_rows = ts::out_sharding<ts::P<mp>, grid>;
  return parameters{
      .bottom = first_network<dense, width>(bottom),
      .tables = std::tuple{0.1f * ts::random::normal<float, sizes[0], width>(a, by_rows),
                           0.1f * ts::random::normal<float, sizes[1], width>(b, by_rows),
                           0.1f * ts::random::normal<float, sizes[2], width>(c, by_rows),
                           0.1f * ts::random::normal<float, sizes[3], width>(d, by_rows)},
      .top = first_network<width + pairs, 1>(top),
  };
};

// Each device has some rows: those of them that are asked for, and zeros for others, are summed.
using in = ts::in_specs<ts::P<mp>, ts::P<dp>>;
using out = ts::out_specs<ts::P<dp>>;
constexpr auto look_up = ts::shard_map<in, out>([](auto tables, auto ids) {
  auto const rows = [](auto table, auto i) {
    auto const here = i - ts::axis_index<mp>() * ts::typeof_t<decltype(table)>::shape()[0];
    return table.at(here).get(ts::mode::fill.no_wrap(), ts::fill_value(0));
  };
  return ts::psum<mp>(ts::stack<1>(ts::tree_map(rows, tables, ts::unstack<1>(ids))));
});

constexpr auto logits = [](auto p, auto features, auto ids) {
  auto const bottom = apply(p.bottom, features);
  auto const vectors = ts::concatenate<1>(ts::expand_dims<1>(bottom), look_up(p.tables, ids));
  auto const products = ts::einsum<"bik,bjk->bij">(vectors, vectors);
  auto const [i, j] = ts::tril_indices<1 + sizes.size(), -1>();
  return ts::squeeze<1>(apply(p.top, ts::concatenate<1>(bottom, products.at(ts::every, i, j).get())));
};

constexpr auto loss = [](auto p, auto features, auto ids, auto clicks) {
  auto const z = logits(p, features, ids);
  auto const entropy = -ts::where(clicks, ts::log_sigmoid(z), ts::log_sigmoid(-z));
  return std::tuple{ts::mean(entropy), ts::mean((z > 0) == clicks)};
};

constexpr ts::train::adagrad optimizer;

constexpr auto step = [](auto p, auto state, auto... data) {
  auto const [value, gradients] = ts::value_and_grad(loss, ts::has_aux)(p, data...);
  auto const [updated, next] = optimizer.update(gradients, state, p, 0.05f);
  return std::tuple{updated, next, value};
};

constexpr auto draw = [](auto key) {
  auto const [a, b, c, d] = ts::random::split<4>(key);
  constexpr auto by_rows = ts::out_sharding<ts::P<dp>, grid>;
  auto const features = ts::random::normal<float, batch, dense>(a, by_rows);
  auto const ids = ts::random::randint<int, batch, sizes.size()>(b, 0, ts::constant(sizes), by_rows);
  auto const taste = ts::sum<1>(ts::sin(ids)) + ts::matmul(features, ts::random::normal<float, dense>(c));
  return std::tuple{features, ids, ts::random::bernoulli(d, ts::sigmoid(2 * taste))};
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const current{ts::make_mesh<grid>(ts::devices())};

  auto const [features, ids, clicks] = ts::jit<draw>(ts::random::key(0));
  auto p = ts::jit<first_parameters>(ts::random::key(1));
  auto state = ts::jit([](auto p) { return optimizer.init(p); })(p);
  constexpr auto const& sent =
      ts::comm_of<decltype(step), decltype(p), decltype(state), decltype(features), decltype(ids), decltype(clicks)>;
  static_assert(sent.count() == 2 && sent.count<mp>() == 1);  // the rows found over mp; all gradients together over dp
  for (int n = 0; n <= steps; ++n) {
    auto const [updated, next, facts] = ts::jit<step>(std::move(p), std::move(state), features, ids, clicks);
    p = updated;
    state = next;
    auto const [value, right] = facts;
    if (n % 10 == 0) std::printf("step %2d: loss %.4f, right %.1f %%\n", n, value.item(), 100 * right.item());
  }
  std::printf("norms of the tables");
  ts::tree_each([](auto const& table) { std::printf(" %.3f", ts::norm(table).item()); }, p.tables);
  std::printf("\n");
}
