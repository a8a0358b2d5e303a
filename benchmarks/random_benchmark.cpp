// SPDX-License-Identifier: Apache-2.0
// nightly
// 2^24 random numbers, uniform and normal, on one device and on 4 x 2, beside loops written by hand for the same numbers.
// ctest: random.*devices=8

#include "support/cases.hpp"

using namespace cases;

namespace {

constexpr std::int64_t count = std::int64_t{1} << 24;

template <bool Normal>
struct draw {
  constexpr auto operator()(auto key) const {
    constexpr ts::out_sharding_t<ts::P<ts::axes<dp, mp>>> out{};
    if constexpr (Normal)
      return ts::random::normal<float, count>(key, out);
    else
      return ts::random::uniform<float, count>(key, out);
  }
};

TESSERA_INLINE float unit_at(std::uint32_t seed, std::uint32_t place) {
  auto const x = ts::threefry_2x32({0, seed}, {0, place});
  return std::bit_cast<float>(((x.first ^ x.second) >> 9) | 0x3f800000u) - 1.0f;
}
TESSERA_INLINE float normal_of(float unit) {
  float const u = unit * 2.0f - 0.99999994f;
  return 1.41421356f * ts::math::erf_inv(u < -0.99999994f ? -0.99999994f : u);
}
template <bool Normal>
float number_at(std::uint32_t seed, std::uint32_t place) {
  return Normal ? normal_of(unit_at(seed, place)) : unit_at(seed, place);
}
// Two loops, each of which a compiler makes vectors of; what the first has written is in a cache for the second.
TESSERA_NOINLINE void fill_units(float* out, std::uint32_t seed, std::int64_t from, std::int64_t to) {
  TESSERA_INDEPENDENT
  for (std::int64_t i = from; i < to; ++i) out[i] = unit_at(seed, static_cast<std::uint32_t>(i));
}
__attribute__((flatten)) TESSERA_NOINLINE void make_normal(float* out, std::int64_t count) {
  TESSERA_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) out[i] = normal_of(out[i]);
}
template <bool Normal>
void fill_all(float* out) {
  constexpr std::int64_t part = 1 << 12;
#pragma omp parallel for schedule(static)
  for (std::int64_t from = 0; from < count; from += part) {
    fill_units(out, 42, from, from + part);
    if constexpr (Normal) make_normal(out + from, part);
  }
}

template <bool Normal, class M>
void ours(benchmark::State& state, std::string const& name) {
  auto const data = ts::device_put<ts::P<>>(ts::random::key(42).data, ts::make_mesh<M>(ts::devices()));
  auto const key = ts::random::wrap_key_data(data);
  auto const call = [&] { return ts::jit<draw<Normal>>(key); };
  measure(
      state, name, 1e-6, [&] { call().block_until_ready(); },
      [&] {
        difference d;
        auto const got = call().to_host();
        for (std::size_t i = 0; i < got.size(); i += 13)
          d.add(got[i], number_at<Normal>(42, static_cast<std::uint32_t>(i)));
        return d.relative();
      });
}
template <bool Normal>
void by_hand(benchmark::State& state, std::string const& name) {
  std::vector<float> out(count);
  measure(
      state, name, 1e-6,
      [&] {
        fill_all<Normal>(out.data());
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
      },
      [&] {
        fill_all<Normal>(out.data());
        difference d;
        for (std::size_t i = 0; i < out.size(); i += 13)
          d.add(out[i], number_at<Normal>(42, static_cast<std::uint32_t>(i)));
        return d.relative();
      });
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    add("random.uniform n=2^24 devices=1", ours<false, grid<1, 1>>);
    add("random.uniform n=2^24 devices=8", ours<false, grid<4, 2>>);
    add("random.uniform_by_hand n=2^24", by_hand<false>);
    add("random.normal n=2^24 devices=1", ours<true, grid<1, 1>>);
    add("random.normal n=2^24 devices=8", ours<true, grid<4, 2>>);
    add("random.normal_by_hand n=2^24", by_hand<true>);
  });
}
