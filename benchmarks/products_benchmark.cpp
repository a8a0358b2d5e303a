// SPDX-License-Identifier: Apache-2.0
// W2: matrix products in three layouts, sums, softmax and layer norm with their dimension sharded or not.
// ctest: W2.sum

#include "support/cases.hpp"

using namespace cases;

namespace {

using on = grid<4, 2>;

template <class Out>
struct product {
  constexpr auto operator()(auto a, auto b) const { return ts::matmul(a, b, ts::out_sharding<Out>); }
};
struct plain_product {
  constexpr auto operator()(auto a, auto b) const { return ts::matmul(a, b); }
};
template <int Dim>
struct sum_over {
  constexpr auto operator()(auto x) const { return ts::sum<Dim>(x); }
};
struct soft {
  constexpr auto operator()(auto x) const { return ts::softmax(x); }
};
struct norm {
  constexpr auto operator()(auto x, auto gain, auto bias) const { return ts::layer_norm(x) * gain + bias; }
};

template <class A, class B, class F, class M = on>
void matmul(benchmark::State& state, std::string const& name) {
  constexpr std::int64_t n = 2048;
  auto const &host_a = noises(0, n * n), &host_b = noises(1, n * n);
  auto const a = put<A, M, n, n>(host_a);
  auto const b = put<B, M, n, n>(host_b);
  measure(
      state, name, 1e-4, [&] { ts::jit<F>(a, b).block_until_ready(); },
      [&] {
        difference d;
        auto const got = ts::jit<F>(a, b).to_host();
        for (std::size_t q = 0; q < 4096; ++q) {
          std::size_t const r = q * 7919 % n, c = q * 104729 % n;
          double s = 0;
          for (std::size_t k = 0; k < n; ++k) s += double(host_a[r * n + k]) * host_b[k * n + c];
          d.add(got[r * n + c], s);
        }
        return d.relative();
      });
}

struct dense_product {
  constexpr auto operator()(auto a, auto b, auto) const { return ts::matmul(a, b); }
  static double finish(double sum, double) { return sum; }
};
struct dense_gelu {
  constexpr auto operator()(auto a, auto b, auto c) const { return ts::gelu(ts::matmul(a, b) + c); }
  static double finish(double sum, double c) { return gelu_of(sum + c); }
};
// [n, K] x [K, n], alone and with what a layer adds to it.
template <class F, std::int64_t K>
void dense(benchmark::State& state, std::string const& name) {
  constexpr std::int64_t n = 2048;
  float const scale = 1.7f / std::sqrt(static_cast<float>(K));
  auto const &host_a = noises(5, n * K), &host_b = noises(6, K * n, scale), &host_c = noises(7, n);
  auto const a = put<ts::P<dp>, on, n, K>(host_a);
  auto const b = put<ts::P<ts::none, mp>, on, K, n>(host_b);
  auto const c = put<ts::P<mp>, on, n>(host_c);
  measure(
      state, name, 1e-4, [&] { ts::jit<F>(a, b, c).block_until_ready(); },
      [&] {
        difference d;
        auto const got = ts::jit<F>(a, b, c).to_host();
        for (std::size_t q = 0; q < 4096; ++q) {
          std::size_t const r = q * 7919 % n, j = q * 104729 % n;
          double s = 0;
          for (std::size_t k = 0; k < K; ++k) s += double(host_a[r * K + k]) * host_b[k * n + j];
          d.add(got[r * n + j], F::finish(s, host_c[j]));
        }
        return d.relative();
      });
}

constexpr std::size_t m = 4096;

template <int Dim>
void sum(benchmark::State& state, std::string const& name) {
  auto const& host = noises(2, m * m);
  auto const x = put<ts::P<dp, mp>, on, m, m>(host);
  measure(
      state, name, 1e-4, [&] { ts::jit<sum_over<Dim>>(x).block_until_ready(); },
      [&] {
        std::vector<double> expected(m);
        for (std::size_t k = 0; k < m * m; ++k) expected[Dim == 0 ? k % m : k / m] += host[k];
        difference d;
        auto const got = ts::jit<sum_over<Dim>>(x).to_host();
        for (std::size_t k = 0; k < m; ++k) d.add(got[k], expected[k]);
        return d.relative();
      });
}

template <class S>
void softmax(benchmark::State& state, std::string const& name) {
  auto const& host = noises(2, m * m);
  auto const x = put<S, on, m, m>(host);
  measure(
      state, name, 1e-4, [&] { ts::jit<soft>(x).block_until_ready(); },
      [&] {
        difference d;
        auto const got = ts::jit<soft>(x).to_host();
        for (std::size_t r = 0; r < m; r += 61) {
          double peak = -1e300, total = 0;
          for (std::size_t c = 0; c < m; ++c) peak = std::max(peak, double(host[r * m + c]));
          for (std::size_t c = 0; c < m; ++c) total += std::exp(host[r * m + c] - peak);
          for (std::size_t c = 0; c < m; ++c) d.add(got[r * m + c], std::exp(host[r * m + c] - peak) / total);
        }
        return d.relative();
      });
}

template <class S, class Beside>
void layer_norm(benchmark::State& state, std::string const& name) {
  auto const &host = noises(2, m * m), &host_gain = noises(3, m), &host_bias = noises(4, m);
  auto const x = put<S, on, m, m>(host);
  auto const gain = put<Beside, on, m>(host_gain);
  auto const bias = put<Beside, on, m>(host_bias);
  measure(
      state, name, 1e-4, [&] { ts::jit<norm>(x, gain, bias).block_until_ready(); },
      [&] {
        difference d;
        auto const got = ts::jit<norm>(x, gain, bias).to_host();
        for (std::size_t r = 0; r < m; r += 61) {
          double mean = 0, spread = 0;
          for (std::size_t c = 0; c < m; ++c) mean += host[r * m + c] / double(m);
          for (std::size_t c = 0; c < m; ++c) spread += std::pow(host[r * m + c] - mean, 2) / double(m);
          for (std::size_t c = 0; c < m; ++c)
            d.add(got[r * m + c], (host[r * m + c] - mean) / std::sqrt(spread + 1e-5) * host_gain[c] + host_bias[c]);
        }
        return d.relative();
      });
}

using rows = ts::P<dp, ts::none>;
using columns = ts::P<ts::none, mp>;
using depth = ts::P<mp, ts::none>;
using blocks = ts::P<dp, mp>;
using whole_rows = ts::P<ts::axes<dp, mp>, ts::none>;

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    add("W2.matmul n=2048 a=dp,None b=None,mp", matmul<rows, columns, product<blocks>>);
    add("W2.matmul n=2048 a=None,mp b=mp,None", matmul<columns, depth, product<ts::P<ts::none, ts::none>>>);
    add("W2.matmul n=2048 a=dp,mp b=mp,None", matmul<blocks, depth, product<rows>>);
    add("W2.matmul n=2048 devices=1", matmul<ts::P<>, ts::P<>, plain_product, grid<1, 1>>);
    add("W2.dense n=2048 k=64", dense<dense_product, 64>);
    add("W2.dense n=2048 k=512", dense<dense_product, 512>);
    add("W2.dense n=2048 k=2048", dense<dense_product, 2048>);
    add("W2.dense_gelu n=2048 k=64", dense<dense_gelu, 64>);
    add("W2.dense_gelu n=2048 k=512", dense<dense_gelu, 512>);
    add("W2.dense_gelu n=2048 k=2048", dense<dense_gelu, 2048>);
    add("W2.sum n=4096 dim=0", sum<0>);
    add("W2.sum n=4096 dim=1", sum<1>);
    add("W2.softmax n=4096 dim=sharded", softmax<blocks>);
    add("W2.softmax n=4096 dim=unsharded", softmax<whole_rows>);
    add("W2.layernorm n=4096 dim=sharded", layer_norm<blocks, ts::P<mp>>);
    add("W2.layernorm n=4096 dim=unsharded", layer_norm<whole_rows, ts::P<ts::none>>);
  });
}
