// SPDX-License-Identifier: Apache-2.0
// What varies: a loop whose carry begins the same on all devices and comes back different, and what gradients do with
// values that vary and values that do not.

#include <tessera/tessera.hpp>

#include <iostream>
#include <tuple>

namespace ts = tessera;

namespace {

struct i : ts::axis {};
using line = ts::mesh<ts::explicit_axis<i, 4>>;

// Running sums of the rows of each device's block. The total over all devices, which is where they begin, is the same
// on each of them; with the first row added it is not.
struct sums_from_the_total {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<i>>>([](auto block) {
      auto const total = ts::psum<i>(ts::sum<0>(block));
      auto const [last, sums] = ts::scan(
          [](auto sum, auto row) {
            auto const next = sum + row;
            return std::tuple{next, next};
          },
          total, block);
      return sums;
    })(x);
  }
};

struct sums_from_the_total_mended {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<i>>>([](auto block) {
      auto const total = ts::psum<i>(ts::sum<0>(block));
      static_assert(ts::type_text<decltype(total)> == "float32[2]");
      auto const begin = ts::pvary<i>(total);  // as it comes back
      static_assert(ts::type_text<decltype(begin)> == "float32[2]{V:i}");
      auto const [last, sums] = ts::scan(
          [](auto sum, auto row) {
            auto const next = sum + row;
            return std::tuple{next, next};
          },
          begin, block);
      return sums;
    })(x);
  }
};

void loop() {
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const x = ts::device_put<ts::P<i>>(ts::reshape<8, 2>(ts::arange<float, 16>()), mesh);
  // jit<sums_from_the_total>(x) does not compile. why says so without an error, why_text in words.
  static_assert(!std::is_void_v<ts::why<sums_from_the_total, decltype(x)>>);
  std::cout << ts::why_text<sums_from_the_total, decltype(x)>() << "\n\n";
  std::cout << "with pvary:\n" << ts::jit<sums_from_the_total_mended>(x) << "\n\n";
}

// w is the same on all devices and meets blocks that differ: a pvary, written or not. On the way back each device has
// its own gradient of the one w: their sum, a psum.
struct scaled {
  constexpr auto operator()(auto w, auto x) const {
    return ts::sum(
        ts::shard_map<ts::out_specs<ts::P<i>>>([](auto same, auto block) { return ts::pvary<i>(same) * block; })(w, x));
  }
};
// Each device gathers what all have; on the way back each has a gradient of all of it, of which everyone keeps the sum
// of its own part: a psum_scatter.
struct gathered {
  constexpr auto operator()(auto w, auto x) const {
    return ts::sum(ts::shard_map<ts::out_specs<ts::P<i>>>(
        [](auto part, auto block) { return ts::matmul(block, ts::all_gather<i>(part, ts::tiled)); })(w, x));
  }
};
template <class Loss>
struct slope {
  constexpr auto operator()(auto w, auto x) const { return ts::grad(Loss{})(w, x); }
};

void gradients() {
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const x = ts::device_put<ts::P<i>>(ts::reshape<8, 2>(ts::arange<float, 16>()), mesh);
  auto const same = ts::device_put<ts::P<>>(ts::arange<float, 2>(), mesh);
  constexpr auto const& of_scaled = ts::comm_of<slope<scaled>, decltype(same), decltype(x)>;
  static_assert(of_scaled.count() == 1 && of_scaled.count<i>(ts::collective::all_reduce) == 1);
  std::cout << "the transpose of pvary is psum: gradient " << ts::jit<slope<scaled>>(same, x) << '\n'
            << ts::explain(of_scaled) << '\n';

  auto const parts = ts::device_put<ts::P<i>>(ts::reshape<4, 2>(ts::arange<float, 8>()), mesh);
  auto const rows = ts::device_put<ts::P<i>>(ts::reshape<8, 4>(ts::arange<float, 32>()), mesh);
  constexpr auto const& of_gathered = ts::comm_of<slope<gathered>, decltype(parts), decltype(rows)>;
  static_assert(of_gathered.count() == 1 && of_gathered.count<i>(ts::collective::reduce_scatter) == 1);
  std::cout << "the transpose of all_gather is psum_scatter: gradient\n"
            << ts::jit<slope<gathered>>(parts, rows) << '\n'
            << ts::explain(of_gathered);
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  loop();
  gradients();
}
