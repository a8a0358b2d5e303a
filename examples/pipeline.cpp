// SPDX-License-Identifier: Apache-2.0
// A pipeline of four stages, each on its own devices: a batch is cut into micro-batches, which pass from stage to stage,
// one step a turn, while the next ones follow. Loss and gradient equal those of the same layers one after the other.

#include "one_speaks.hpp"

#include <tessera/tessera.hpp>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <tuple>

namespace ts = tessera;

namespace {

struct stage : ts::axis {};
struct dp : ts::axis {};  // splits the rows of each micro-batch
using grid = ts::mesh<ts::explicit_axis<stage, 4>, ts::explicit_axis<dp, 2>>;

constexpr int stages = 4;
constexpr std::int64_t micro_batches = 6, rows = 8, width = 16;

// One layer; a stage is one of them.
struct layer {
  constexpr auto operator()(auto x, auto w, auto b) const { return ts::tanh(ts::matmul(x, w) + b); }
};
// Of results and what they should be, as a share of the mean over all.
struct squares_share {
  constexpr auto operator()(auto y, auto wanted) const {
    auto const off = y - wanted;
    return ts::sum(off * off) / (micro_batches * rows * width);
  }
};

// Turn t: stage s works on micro-batch t - s, where there is one. What a stage has made goes to the next one; results
// are what the last stage made from turn `stages - 1` on.
struct loss_of_pipeline {
  constexpr auto operator()(auto w, auto b, auto x, auto wanted) const {
    using rows_split = ts::P<ts::none, dp>;
    return ts::shard_map<ts::in_specs<ts::P<stage>, ts::P<stage>, rows_split, rows_split>, ts::out_specs<ts::P<>>>(
        [](auto own_w, auto own_b, auto x, auto wanted) {
          static_assert(ts::type_text<decltype(own_w)> == "float32[1,16,16]{V:stage}");
          static_assert(ts::type_text<decltype(x)> == "float32[6,4,16]{V:dp}");
          // Here, and not in each turn, is where their gradients are summed over dp: the transpose of pvary is psum.
          auto const w = ts::pvary<dp>(ts::squeeze<0>(own_w));
          auto const b = ts::pvary<dp>(ts::squeeze<0>(own_b));
          auto const here = ts::axis_index<stage>(own_w);
          auto const after = ts::zeros<float, stages - 1, rows / 2, width>();  // turns in which the pipeline drains
          auto const nothing = ts::pvary<stage>(ts::sum<0>(x) * 0);
          auto const [last, made] = ts::scan(
              [&](auto came, auto fresh) {
                auto const y = layer{}(ts::where(here == 0, fresh, came), w, b);
                auto const next = ts::ppermute<stage>(y, ts::perm<ts::send<0, 1>, ts::send<1, 2>, ts::send<2, 3>>);
                return std::tuple{next, y};
              },
              nothing, ts::concatenate<0>(x, after));
          auto const results = ts::slice_in_dim<0, stages - 1, stages - 1 + micro_batches>(made);
          auto const share = squares_share{}(results, wanted);
          return ts::psum<stage, dp>(ts::where(here == stages - 1, share, 0));
        })(w, b, x, wanted);
  }
};

struct loss_without {
  constexpr auto operator()(auto w, auto b, auto x, auto wanted) const {
    auto const all = ts::scan(
        [](auto y, auto one) {
          auto const& [own_w, own_b] = one;
          return std::tuple{layer{}(y, own_w, own_b), std::tuple{}};
        },
        x, std::tuple{w, b});
    return squares_share{}(std::get<0>(all), wanted);
  }
};

template <class Loss>
struct step {
  constexpr auto operator()(auto w, auto b, auto x, auto wanted) const {
    auto const [loss, slopes] = ts::value_and_grad<0, 1>(Loss{})(w, b, x, wanted);
    return std::tuple{loss, w - 0.5f * std::get<0>(slopes), b - 0.5f * std::get<1>(slopes)};
  }
};

template <class S, std::int64_t... E>
auto wave(ts::device_mesh<grid> const& mesh, double scale) {
  std::vector<float> values((E * ...));
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = static_cast<float>(scale * std::sin(0.7 * static_cast<double>(n * n % 101) + scale));
  return ts::device_put<S>(ts::host<E...>(values), mesh);
}
double difference(auto const& x, auto const& y) {
  auto const a = ts::process_allgather(x), b = ts::process_allgather(y);
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) largest = std::max(largest, std::fabs(static_cast<double>(a[n]) - b[n]));
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  only_one_speaks();
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto w = wave<ts::P<stage>, stages, width, width>(mesh, 0.4);
  auto b = wave<ts::P<stage>, stages, width>(mesh, 0.1);
  auto const x = wave<ts::P<ts::none, dp>, micro_batches, rows, width>(mesh, 0.9);
  auto const wanted = wave<ts::P<ts::none, dp>, micro_batches, rows, width>(mesh, 0.5);

  using step_type = step<loss_of_pipeline>;
  constexpr auto const& sent = ts::comm_of<step_type, decltype(w), decltype(b), decltype(x), decltype(wanted)>;
  constexpr int turns = micro_batches + stages - 1;
  static_assert(sent.count(ts::collective::permute) == 2 * turns);  // results on, their gradients back
  static_assert(sent.bytes(ts::collective::permute) == 2 * turns * rows / 2 * width * 4);
  static_assert(sent.count<dp>(ts::collective::all_reduce) == 2);  // w's gradient; the loss and b's, together
  static_assert(sent.count<stage>(ts::collective::all_reduce) == 1);
  std::cout << ts::explain(sent);

  auto whole_w = wave<ts::P<>, stages, width, width>(mesh, 0.4);
  auto whole_b = wave<ts::P<>, stages, width>(mesh, 0.1);
  double apart = 0;
  for (int n = 1; n <= 20; ++n) {
    auto [loss, next_w, next_b] = ts::jit<step<loss_of_pipeline>>(w, b, x, wanted);
    auto [same, next_whole_w, next_whole_b] = ts::jit<step<loss_without>>(whole_w, whole_b, x, wanted);
    w = next_w, b = next_b, whole_w = next_whole_w, whole_b = next_whole_b;
    if (n % 5 == 0) std::printf("step %2d  loss %.4f, without a pipeline %.4f\n", n, loss.item(), same.item());
    apart = std::max({apart, difference(loss, same), difference(w, whole_w), difference(b, whole_b)});
  }
  std::printf("loss and parameters: %s\n", apart < 1e-5 ? "equal" : "NOT EQUAL");
  return apart < 1e-5 ? 0 : 1;
}
