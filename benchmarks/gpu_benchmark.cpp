// SPDX-License-Identifier: Apache-2.0
// What one GPU does on a mesh of one device: passes over memory beside a copy, products beside cuBLAS, a transformer
// block's gradient, and what a call costs. peers/jax_gpu.py times the same cases with JAX.
// ctest: dispatch

#include "support/block.hpp"
#include "support/cases.hpp"
#include "support/dense_block.hpp"

#include <tessera/exec/device/device_launch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__CUDACC__) && defined(TESSERA_WITH_CUBLAS)
#include <cublas_v2.h>
#define TESSERA_CUBLAS_LIMITS
#endif

using namespace cases;

namespace {

using one = grid<1, 1>;
using whole = ts::P<>;

// Products with 10 bits of each factor: TESSERA_MATMUL_PRECISION.
double tolerance_of_products(double exact, double tf32) {
  char const* const asked = std::getenv("TESSERA_MATMUL_PRECISION");
  return asked && std::string_view(asked) == "tensorfloat32" ? tf32 : exact;
}

void rate(benchmark::State& state, char const* name, double amount) {
  state.counters[name] = benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
}

// Memory of the accelerator.
struct raw {
  explicit raw(std::size_t bytes) : at(ts::detail::allocate_on_device(bytes)) {}
  ~raw() { ts::detail::free_on_device(at); }
  raw(raw const&) = delete;
  void* at;
};

// As many bytes read as written.
void copy(benchmark::State& state, std::string const&) {
  constexpr std::size_t bytes = std::size_t{8192} * 8192 * sizeof(float);
  raw const from(bytes), to(bytes);
  for (auto _ : state) {
    ts::detail::move_on_device(to.at, from.at, bytes);
    ts::detail::fence_device();
  }
  rate(state, "bytes/s", 2.0 * bytes);
}

// A function of arrays of N x N and of rows of N, timed as `passes` arrays of N x N in memory. F::at gives the result of
// element (r, c) in double, from the arrays' values; F::of_row the results of a row.
struct relu_of {
  static constexpr int squares = 1, rows = 0;
  constexpr auto operator()(auto x) const { return ts::relu(x); }
  static double at(auto const& x, auto... rc) { return std::max(0.0, x(0, rc...)); }
};
template <int Squares>
struct chain {
  static constexpr int squares = Squares, rows = 4 - Squares;
  constexpr auto operator()(auto x, auto a, auto b, auto c) const { return ts::gelu(x * a + b) * c + x; }
  static double at(auto const& x, auto... rc) {
    return gelu_of(x(0, rc...) * x(1, rc...) + x(2, rc...)) * x(3, rc...) + x(0, rc...);
  }
};
struct turned {
  static constexpr int squares = 1, rows = 0;
  constexpr auto operator()(auto x) const { return ts::transpose(x); }
  static double at(auto const& x, auto r, auto c) { return x(0, c, r); }
};
struct soft {
  static constexpr int squares = 1, rows = 0;
  constexpr auto operator()(auto x) const { return ts::softmax(x); }
  static void of_row(auto const& x, std::size_t r, std::vector<double>& y) {
    double sum = 0;
    for (std::size_t c = 0; c < y.size(); ++c) sum += y[c] = std::exp(x(0, r, c));
    for (double& e : y) e /= sum;
  }
};
struct normed {
  static constexpr int squares = 1, rows = 2;
  constexpr auto operator()(auto x, auto gain, auto bias) const { return ts::layer_norm(x) * gain + bias; }
  static void of_row(auto const& x, std::size_t r, std::vector<double>& y) {
    double mean = 0, square = 0;
    auto const n = static_cast<double>(y.size());
    for (std::size_t c = 0; c < y.size(); ++c) mean += x(0, r, c) / n;
    for (std::size_t c = 0; c < y.size(); ++c) square += (x(0, r, c) - mean) * (x(0, r, c) - mean) / n;
    for (std::size_t c = 0; c < y.size(); ++c)
      y[c] = (x(0, r, c) - mean) / std::sqrt(square + 1e-5) * x(1, r, c) + x(2, r, c);
  }
};
struct running_sum {
  static constexpr int squares = 1, rows = 0;
  constexpr auto operator()(auto x) const { return ts::cumsum<1>(x); }
  static void of_row(auto const& x, std::size_t r, std::vector<double>& y) {
    double sum = 0;
    for (std::size_t c = 0; c < y.size(); ++c) y[c] = sum += x(0, r, c);
  }
};

// The values of the arguments: squares, then rows.
template <std::int64_t N>
struct values_of {
  std::vector<std::vector<float> const*> from;
  double operator()(std::size_t which, std::size_t r, std::size_t c) const {
    auto const& x = *from[which];
    return x.size() == N ? x[c] : x[r * N + c];
  }
};
template <class F, std::int64_t N>
void pass(benchmark::State& state, std::string const& name) {
  values_of<N> values;
  auto const argument = [&]<int K>(std::integral_constant<int, K>) {
    constexpr bool is_square = K < F::squares;
    values.from.push_back(&noises(K, is_square ? N * N : N));
    if constexpr (is_square)
      return put<whole, one, N, N>(*values.from.back());
    else
      return put<whole, one, N>(*values.from.back());
  };
  auto const x = [&]<int... K>(std::integer_sequence<int, K...>) {
    return std::tuple{argument(std::integral_constant<int, K>{})...};
  }
  (std::make_integer_sequence<int, F::squares + F::rows>{});
  auto const result = [&] { return std::apply([](auto const&... each) { return ts::jit<F>(each...); }, x); };
  measure(
      state, name, 1e-5, [&] { result().block_until_ready(); },
      [&] {
        difference d;
        auto const got = result().to_host();
        std::vector<double> row(N);
        for (std::size_t r = 0; r < N; r += r < 40 ? 1 : 257) {
          if constexpr (requires { F::of_row(values, r, row); })
            F::of_row(values, r, row);
          else
            for (std::size_t c = 0; c < N; ++c) row[c] = F::at(values, r, c);
          for (std::size_t c = 0; c < N; ++c) d.add(got[r * N + c], row[c]);
        }
        return d.relative();
      });
  rate(state, "bytes/s", (F::squares + 1.0) * N * N * sizeof(float));
}

struct sum_all {
  constexpr auto operator()(auto x) const { return ts::sum(x); }
};
template <int Dim>
struct sum_over {
  constexpr auto operator()(auto x) const { return ts::sum<Dim>(x); }
};
// Dim -1: over both dimensions.
template <int Dim, std::int64_t N>
void sum(benchmark::State& state, std::string const& name) {
  auto const& host = noises(0, N * N);
  auto const x = put<whole, one, N, N>(host);
  auto const result = [&] {
    if constexpr (Dim < 0)
      return ts::jit<sum_all>(x);
    else
      return ts::jit<sum_over<Dim>>(x);
  };
  measure(
      state, name, 1e-5, [&] { result().block_until_ready(); },
      [&] {
        auto const got = result().to_host();
        std::vector<double> sums(got.size());
        for (std::size_t k = 0; k < host.size(); ++k) sums[Dim < 0 ? 0 : Dim == 0 ? k % N : k / N] += host[k];
        difference d;
        for (std::size_t k = 0; k < sums.size(); ++k) d.add(got[k], sums[k]);
        return d.relative();
      });
  rate(state, "bytes/s", 1.0 * N * N * sizeof(float));
}

template <class T>
struct product {
  constexpr auto operator()(auto a, auto b) const { return ts::matmul(a, b); }
};
template <class T>
struct to_type {
  constexpr auto operator()(auto x) const { return ts::astype<T>(x); }
};
template <class T, std::int64_t N>
void matmul(benchmark::State& state, std::string const& name) {
  auto const &host_a = noises(0, N * N), &host_b = noises(1, N * N);
  auto const a = ts::jit<to_type<T>>(put<whole, one, N, N>(host_a));
  auto const b = ts::jit<to_type<T>>(put<whole, one, N, N>(host_b));
  measure(
      state, name, sizeof(T) == 2 ? 1e-2 : tolerance_of_products(1e-5, 2e-3),
      [&] { ts::jit<product<T>>(a, b).block_until_ready(); },
      [&] {
        difference d;
        auto const got = ts::jit<product<T>>(a, b).to_host();
        for (std::size_t q = 0; q < 1024; ++q) {
          std::size_t const r = q * 7919 % N, c = q * 104729 % N;
          double s = 0;
          for (std::size_t k = 0; k < N; ++k)
            s += static_cast<double>(T(host_a[r * N + k])) * static_cast<double>(T(host_b[k * N + c]));
          d.add(static_cast<double>(got[r * N + c]), s);
        }
        return d.relative();
      });
  rate(state, "flop/s", 2.0 * N * N * N);
}
#if defined(TESSERA_CUBLAS_LIMITS)
template <class T, cudaDataType Type, cublasComputeType_t Compute, std::int64_t N>
void cublas(benchmark::State& state, std::string const&) {
  constexpr std::size_t bytes = std::size_t{N} * N * sizeof(T);
  std::vector<T> values(N * N);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = T(noise(0, k));
  raw const a(bytes), b(bytes), c(bytes);
  ts::detail::copy_to_device(a.at, values.data(), bytes);
  ts::detail::copy_to_device(b.at, values.data(), bytes);
  cublasHandle_t handle{};
  cublasCreate(&handle);
  cublasSetStream(handle, Kokkos::Cuda().cuda_stream());
  float const one_f = 1, zero_f = 0;
  double const one_d = 1, zero_d = 0;
  void const* const alpha = Type == CUDA_R_64F ? static_cast<void const*>(&one_d) : &one_f;
  void const* const beta = Type == CUDA_R_64F ? static_cast<void const*>(&zero_d) : &zero_f;
  auto const call = [&] {
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, alpha, a.at, Type, N, b.at, Type, N, beta, c.at, Type, N,
                 Compute, CUBLAS_GEMM_DEFAULT);
    ts::detail::fence_device();
  };
  call();
  for (auto _ : state) call();
  rate(state, "flop/s", 2.0 * N * N * N);
  cublasDestroy(handle);
}
#endif

void gradient(benchmark::State& state, std::string const& name) {
  using namespace block_of_transformer;
  case_of_block<one> const in;
  auto const p = in.parameters();
  auto const x = in.batches(in.host_x), weight = in.batches(in.host_weight);
  measure(
      state, name, tolerance_of_products(2e-3, 0.1),
      [&] { std::get<1>(ts::jit<gradients>(p, x, weight)).block_until_ready(); },
      [&] { return in.wrong(ts::jit<block>(p, x), std::get<0>(ts::jit<gradients>(p, x, weight))); });
}

// A call of one small step: until its result is there, or until the next call.
struct add_one {
  constexpr auto operator()(auto x) const { return x + 1.0f; }
};
template <bool Wait>
void dispatch(benchmark::State& state, std::string const&) {
  auto const x = put<whole, one, 64>(noises(0, 64));
  for (int k = 0; k < 3; ++k) ts::jit<add_one>(x).block_until_ready();
  for (auto _ : state) {
    auto const y = ts::jit<add_one>(x);
    if constexpr (Wait) y.block_until_ready();
  }
  ts::detail::fence_device();
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 1, [] {
    constexpr std::int64_t n = 8192;
    add("limit.copy n=8192", copy);
    add("G.relu n=8192", pass<relu_of, n>);
    add("G.chain n=8192 abc=array", pass<chain<4>, n>);
    add("G.chain n=8192 abc=vector", pass<chain<1>, n>);
    add("G.softmax n=8192", pass<soft, n>);
    add("G.layer_norm n=8192", pass<normed, n>);
    add("G.transpose n=8192", pass<turned, n>);
    add("G.cumsum n=8192", pass<running_sum, n>);
    add("G.sum n=8192 over=all", sum<-1, n>);
    add("G.sum n=8192 over=rows", sum<0, n>);
    add("G.sum n=8192 over=columns", sum<1, n>);
    add("G.matmul n=4096 dtype=float32", matmul<float, 4096>);
    add("G.matmul n=4096 dtype=float64", matmul<double, 4096>);
    add("G.matmul n=4096 dtype=bfloat16", matmul<ts::bfloat16, 4096>);
    add("G.matmul n=4096 dtype=float16", matmul<ts::float16, 4096>);
#if defined(TESSERA_CUBLAS_LIMITS)
    add("limit.matmul n=4096 dtype=float32", cublas<float, CUDA_R_32F, CUBLAS_COMPUTE_32F, 4096>);
    add("limit.matmul n=4096 dtype=float64", cublas<double, CUDA_R_64F, CUBLAS_COMPUTE_64F, 4096>);
    add("limit.matmul n=4096 dtype=bfloat16", cublas<ts::bfloat16, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 4096>);
    add("limit.matmul n=4096 dtype=float16", cublas<ts::float16, CUDA_R_16F, CUBLAS_COMPUTE_32F, 4096>);
#endif
    add("G.block_grad batch=8 d_model=512 seq=256", gradient);
    add("G.dispatch wait=yes", dispatch<true>);
    add("G.dispatch wait=no", dispatch<false>);
  });
}
