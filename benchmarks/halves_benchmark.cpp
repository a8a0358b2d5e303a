// SPDX-License-Identifier: Apache-2.0
// nightly
// Floats of 8 and 16 bits beside float32: products, an update as long as memory, rows that stay in a cache, on one device.
// ctest: n=1048576

#include "support/cases.hpp"

#include <tuple>

using namespace cases;

namespace {

using one = grid<1, 1>;

template <class T, std::int64_t... E>
auto placed(std::uint64_t seed) {
  auto const& values = noises(seed, (E * ...));
  return ts::device_put<ts::P<>>(ts::host<E...>(std::vector<T>(values.begin(), values.end())),
                                 ts::make_mesh<one>(ts::devices()));
}

// F on x..., against what it gives for the same numbers in float64.
template <class T, class F>
void time(benchmark::State& state, std::string const& name, auto const&... x) {
  measure(
      state, name,
      std::is_same_v<T, float> ? 1e-5
      : sizeof(T) == 1         ? 0.1
                               : 0.02,
      [&] { ts::jit<F>(x...).block_until_ready(); },
      [&] {
        auto const got = ts::jit<F>(x...).to_host();
        auto const expected = ts::jit<F>(ts::astype<double>(x)...).to_host();
        difference d;
        for (std::size_t k = 0; k < got.size(); ++k) d.add(static_cast<double>(got[k]), expected[k]);
        return d.relative();
      });
}

struct product {
  constexpr auto operator()(auto x, auto y) const { return ts::matmul(x, y); }
};
struct update {
  constexpr auto operator()(auto w, auto slope) const { return w - 0.125f * slope; }
};
struct activation {
  constexpr auto operator()(auto x) const { return ts::gelu(x); }
};
struct chances {
  constexpr auto operator()(auto x) const { return ts::softmax(x); }
};

template <class T, std::int64_t M, std::int64_t N, std::int64_t K>
void products(benchmark::State& state, std::string const& name) {
  time<T, product>(state, name, placed<T, M, K>(1), placed<T, K, N>(2));
}
template <class T>
void batches(benchmark::State& state, std::string const& name) {
  time<T, product>(state, name, placed<T, 32, 64, 64>(1), placed<T, 32, 64, 64>(2));
}
template <class T>
void updates(benchmark::State& state, std::string const& name) {
  time<T, update>(state, name, placed<T, 1 << 24>(1), placed<T, 1 << 24>(2));
}
template <class T>
void activations(benchmark::State& state, std::string const& name) {
  time<T, activation>(state, name, placed<T, 1 << 20>(1));
}
template <class T>
void softmaxes(benchmark::State& state, std::string const& name) {
  time<T, chances>(state, name, placed<T, 4096, 1024>(1));
}

// Small numbers, as those of softmax, are none of 8 bits.
template <class T>
void add_all(std::string const& dtype) {
  add("halves.matmul dtype=" + dtype + " m=512 n=1024 k=256", products<T, 512, 1024, 256>);
  add("halves.matmul dtype=" + dtype + " m=1024 n=1024 k=1024", products<T, 1024, 1024, 1024>);
  add("halves.matmul dtype=" + dtype + " batch=32 m=64 n=64 k=64", batches<T>);
  add("halves.update dtype=" + dtype + " n=16777216", updates<T>);
  add("halves.gelu dtype=" + dtype + " n=1048576", activations<T>);
  if constexpr (sizeof(T) > 1) add("halves.softmax dtype=" + dtype + " rows=4096 n=1024", softmaxes<T>);
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 1, [] {
    add_all<float>("float32");
    add_all<ts::bfloat16>("bfloat16");
    add_all<ts::float16>("float16");
    add_all<ts::float8_e4m3fn>("float8_e4m3fn");
  });
}
