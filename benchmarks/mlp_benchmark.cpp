// SPDX-License-Identifier: Apache-2.0
// nightly
// W5: one SGD step of loss = mean((gelu(x w1) w2 - y)^2), sharded in four ways over 8 devices: by types, and by the planner
// over Auto axes from how weights and data lie.
// ctest: variant=tp

#include <tessera/engine/exec/product/cblas.hpp>

#include "support/cases.hpp"
#include "support/mlp.hpp"

#include <tuple>

using namespace cases;
using namespace cases::mlp_step;

namespace {

template <class Activation, bool Gather>
constexpr auto typed =
    [](auto const& p, auto const& x, auto const& y) { return ts::jit<step<Activation, Gather>>(p, x, y); };

struct planned_step {
  constexpr auto operator()(auto p, auto x, auto y) const {
    auto const loss = [](auto q, auto a, auto b) {
      auto off = ts::matmul(ts::gelu(ts::matmul(a, std::get<0>(q))), std::get<1>(q)) - b;
      return ts::mean(off * off);
    };
    return ts::tree_map([](auto old, auto g) { return old - rate * g; }, p, ts::grad(loss)(p, x, y));
  }
};
template <class S1, class S2, class Sx>
constexpr auto planned =
    ts::jit<ts::in_shardings<std::tuple<S1, S2>, Sx, Sx>, ts::out_shardings<S1, S2>>(planned_step{});

void product(bool at, bool bt, int m, int n, int k, float const* a, float const* b, float* c) {
  TESSERA_CBLAS(cblas_sgemm)
  (CblasRowMajor, at ? CblasTrans : CblasNoTrans, bt ? CblasTrans : CblasNoTrans, m, n, k, 1, a, at ? m : k, b,
   bt ? k : n, 0, c, n);
}

// The updates of both weights by BLAS and loops of this file alone.
struct expected_updates {
  std::vector<float> w1, w2;
  expected_updates(std::vector<float> const& v1, std::vector<float> const& v2, std::vector<float> const& x,
                   std::vector<float> const& y)
      : w1(width * hidden), w2(width * hidden) {
    std::vector<float> z(batch * hidden), a(z.size()), d(batch * width), dz(z.size());
    product(false, false, batch, hidden, width, x.data(), v1.data(), z.data());
    for (std::size_t k = 0; k < z.size(); ++k) a[k] = static_cast<float>(0.5 * z[k] * (1 + std::tanh(inner(z[k]))));
    product(false, false, batch, width, hidden, a.data(), v2.data(), d.data());
    for (std::size_t k = 0; k < d.size(); ++k) d[k] = 2.0f / static_cast<float>(d.size()) * (d[k] - y[k]);
    product(false, true, batch, hidden, width, d.data(), v2.data(), dz.data());
    product(true, false, hidden, width, batch, a.data(), d.data(), w2.data());
    for (std::size_t k = 0; k < z.size(); ++k) {
      double const t = std::tanh(inner(z[k]));
      double const slope = 0.7978845608028654 * (1 + 3 * 0.044715 * z[k] * z[k]);
      dz[k] *= static_cast<float>(0.5 * (1 + t) + 0.5 * z[k] * (1 - t * t) * slope);
    }
    product(true, false, width, hidden, batch, x.data(), dz.data(), w1.data());
    for (auto* w : {&w1, &w2})
      for (auto& g : *w) g *= -rate;
  }
  static double inner(double z) { return 0.7978845608028654 * (z + 0.044715 * z * z * z); }
};

template <class M, class S1, class S2, class Sx, auto const& Step>
struct mlp {
  std::vector<float> const &host1 = noises(0, width*hidden, 0.05f), &host2 = noises(1, hidden*width, 0.05f);
  std::vector<float> const &host_x = noises(2, batch*width, 1.7f), &host_y = noises(3, batch*width, 1.7f);

  template <class Use>
  void with(Use&& use) const {
    auto const first = std::tuple{put<S1, M, width, hidden>(host1), put<S2, M, hidden, width>(host2)};
    auto const x = put<Sx, M, batch, width>(host_x), y = put<Sx, M, batch, width>(host_y);
    auto p = first;
    use(
        [&] {
          p = Step(p, x, y);
          std::get<1>(p).block_until_ready();
        },
        [&] { return wrong(Step(first, x, y)); });
  }
  template <class Tree>
  double wrong(Tree const& got) const {
    static expected_updates const expected(host1, host2, host_x, host_y);
    difference d1, d2;
    auto const w1 = std::get<0>(got).to_host(), w2 = std::get<1>(got).to_host();
    for (std::size_t k = 0; k < w1.size(); ++k) d1.add(w1[k] - host1[k], expected.w1[k]);
    for (std::size_t k = 0; k < w2.size(); ++k) d2.add(w2[k] - host2[k], expected.w2[k]);
    return std::max(d1.relative(), d2.relative());
  }
};

template <class Variant>
void timed(benchmark::State& state, std::string const& name) {
  Variant{}.with([&](auto const& call, auto const& wrong) { measure(state, name, 1e-3, call, wrong); });
}
template <class Variant>
void steady(benchmark::State& state, std::string const&) {
  Variant{}.with([&](auto const& call, auto const&) { count_warm(state, call); });
}

using rows = ts::P<dp, ts::none>;
using columns = ts::P<ts::none, mp>;
using depth = ts::P<mp, ts::none>;
template <class M, bool Planned, class S1, class S2, class Sx, class Activation, bool Gather = false>
using step_of =
    std::conditional_t<Planned, mlp<M, S1, S2, Sx, planned<S1, S2, Sx>>, mlp<M, S1, S2, Sx, typed<Activation, Gather>>>;
template <template <std::int64_t, std::int64_t> class Mesh, bool Planned>
struct steps {
  using data_parallel = step_of<Mesh<8, 1>, Planned, none2, none2, rows, rows>;
  using tensor_parallel = step_of<Mesh<1, 8>, Planned, columns, depth, none2, none2>;
  using sharded_weights = step_of<Mesh<8, 1>, Planned, rows, rows, rows, rows, true>;
  using both = step_of<Mesh<4, 2>, Planned, columns, depth, rows, rows>;

  static void add(std::string const& axes) {
    ::add("W5.mlp_step variant=dp devices=8" + axes, timed<data_parallel>);
    ::add("W5.mlp_step variant=tp devices=8" + axes, timed<tensor_parallel>);
    ::add("W5.mlp_step variant=fsdp devices=8" + axes, timed<sharded_weights>);
    ::add("W5.mlp_step variant=dp_mp devices=8" + axes, timed<both>);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    steps<grid, false>::add("");
    steps<auto_grid, true>::add(" axes=auto");
    add_count("steady.W5 variant=dp_mp devices=8", steady<steps<grid, false>::both>);
  });
}
