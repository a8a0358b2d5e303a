// SPDX-License-Identifier: Apache-2.0
// W7: what a call costs when there is next to nothing to compute, and host data going to and from the devices.
// ctest: 8x8|scalar|kib=1 n

#include "support/cases.hpp"

using namespace cases;

namespace {

struct add_one {
  constexpr auto operator()(auto x) const { return x + 1.0f; }
};
struct total {
  constexpr auto operator()(auto x) const { return ts::sum(x); }
};

void add_8x8(benchmark::State& state, std::string const& name) {
  std::vector<float> values(64);
  for (std::size_t k = 0; k < 64; ++k) values[k] = static_cast<float>(k);
  auto const x = put<ts::P<dp, mp>, grid<4, 2>, 8, 8>(values);
  measure(
      state, name, 0, [&] { ts::jit<add_one>(x).block_until_ready(); },
      [&] {
        difference d;
        auto const got = ts::jit<add_one>(x).to_host();
        for (std::size_t k = 0; k < 64; ++k) d.add(got[k], values[k] + 1);
        return d.relative();
      });
}

// 64 calls, each on the last one's result: the time of one.
void add_8x8_chained(benchmark::State& state, std::string const& name) {
  std::vector<float> const zeros(64);
  auto const x = put<ts::P<dp, mp>, grid<4, 2>, 8, 8>(zeros);
  auto const burst = [&] {
    auto y = x;
    for (int k = 0; k < 64; ++k) y = ts::jit<add_one>(y);
    y.block_until_ready();
    return y;
  };
  measure(state, name, 0, burst, [&] {
    difference d;
    for (float got : burst().to_host()) d.add(got, 64);
    return d.relative();
  });
  state.counters["per"] = 64;
}

// The scalar of each of 8 devices, summed over them: a sum over a sharded dimension.
void psum_scalar(benchmark::State& state, std::string const& name) {
  auto const x = put<ts::P<i>, line<8>, 8>({0, 1, 2, 3, 4, 5, 6, 7});
  measure(
      state, name, 0, [&] { ts::jit<total>(x).block_until_ready(); },
      [&] {
        difference d;
        d.add(ts::jit<total>(x).item(), 28);
        return d.relative();
      });
}

template <std::int64_t Side>
void device_put(benchmark::State& state, std::string const& name) {
  auto const& values = noises(1, Side * Side);
  measure(
      state, name, 0, [&] { put<ts::P<dp, mp>, grid<4, 2>, Side, Side>(values).block_until_ready(); },
      [&] {
        difference d;
        // Each shard against its part of the host's values, without device_get.
        auto const x = put<ts::P<dp, mp>, grid<4, 2>, Side, Side>(values);
        for (auto const& shard : x.addressable_shards())
          for (std::int64_t r = 0; r < Side / 4; ++r)
            for (std::int64_t c = 0; c < Side / 2; ++c)
              d.add(shard.data[r * (Side / 2) + c],
                    values[(shard.index[0].start + r) * Side + shard.index[1].start + c]);
        return d.relative();
      });
}
template <std::int64_t Side>
void device_get(benchmark::State& state, std::string const& name) {
  auto const& values = noises(1, Side * Side);
  auto const x = put<ts::P<dp, mp>, grid<4, 2>, Side, Side>(values);
  measure(
      state, name, 0, [&] { benchmark::DoNotOptimize(ts::device_get(x).data()); },
      [&] {
        difference d;
        auto const got = ts::device_get(x);
        for (std::size_t k = 0; k < values.size(); ++k) d.add(got[k], values[k]);
        return d.relative();
      });
}
// Into memory that the caller has, as the floor does.
template <std::int64_t Side>
void device_get_into(benchmark::State& state, std::string const& name) {
  auto const& values = noises(1, Side * Side);
  auto const x = put<ts::P<dp, mp>, grid<4, 2>, Side, Side>(values);
  std::vector<float> got(values.size());
  measure(
      state, name, 0, [&] { x.copy_to(got); },
      [&] {
        x.copy_to(got);
        difference d;
        for (std::size_t k = 0; k < values.size(); ++k) d.add(got[k], values[k]);
        return d.relative();
      });
}

}  // namespace

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    add("W7.add_8x8 n=8 mode=blocking", add_8x8);
    add("W7.add_8x8 n=8 mode=async64", add_8x8_chained);
    add("W7.psum_scalar n=8", psum_scalar);
    add("W7.device_put kib=1 n=8", device_put<16>);
    add("W7.device_put kib=65536 n=8", device_put<4096>);
    add("W7.device_get kib=65536 n=8", device_get<4096>);
    add("W7.device_get kib=65536 n=8 into=memory", device_get_into<4096>);
  });
}
