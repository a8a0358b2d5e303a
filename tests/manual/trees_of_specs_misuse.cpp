// SPDX-License-Identifier: Apache-2.0
// A tree of specs for a tree with another number of parts, and a tree where an operation takes one array.

#include <tessera/tessera.hpp>

#include <tuple>

namespace ts = tessera;

struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>>;
using ts::P;
using specs = std::tuple<P<dp>, P<>>;

struct step {
  constexpr auto operator()(auto x) const {
    auto const same = [](auto p) { return p; };
#if TESSERA_MISUSE == 1
    // expect: there is not one entry for each argument, or each result, of the function.
    // expect-fix: entries<2>
    // expect-fix: tree_parts<3>
    return ts::shard_map<ts::in_specs<specs>, ts::out_specs<P<>>>(same)(std::tuple{x, x, x});
#elif TESSERA_MISUSE == 2
    // expect: there is not one entry for each argument, or each result, of the function.
    // expect-fix: tree_parts<1>
    return ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<specs>>(same)(x);
#elif TESSERA_MISUSE == 3
    // expect: there is not one entry for each argument, or each result, of the function.
    // expect-fix: tree_parts<3>
    return ts::reshard<specs>(std::tuple{x, x, x});
#elif TESSERA_MISUSE == 4
    // expect: what stands here is neither an array nor a number.
    return ts::exp(std::tuple{x, x});
#else
    return ts::shard_map<ts::in_specs<specs>, ts::out_specs<specs>>(same)(std::tuple{x, ts::reshard<P<>>(x)});
#endif
  }
};

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<P<dp>>(ts::ones<float, 8>(), mesh);
  auto const y = ts::jit<step>(x);
#if TESSERA_MISUSE == 5
  // expect: there is not one entry for each argument, or each result, of the function.
  // expect-fix: tree_parts<3>
  auto const put = ts::device_put<specs>(std::tuple{x, x, x}, mesh);
#elif TESSERA_MISUSE == 6
  // expect: there is not one entry for each argument, or each result, of the function.
  // expect-fix: tree_parts<3>
  auto const moved = ts::reshard<specs>(std::tuple{x, x, x});
#endif
}
