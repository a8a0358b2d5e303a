// SPDX-License-Identifier: Apache-2.0
// Collectives made of ppermute, against the direct ones: the same values, and the same bytes sent.

#include "rings.hpp"

#include <iostream>

namespace ts = tessera;

namespace {

struct i : ts::axis {};
using line = ts::mesh<ts::explicit_axis<i, 4>>;

// Inside, on blocks, as a function of whole arrays whose devices' results stand side by side.
template <class Inside>
struct on_blocks {
  constexpr auto operator()(auto... x) const { return ts::shard_map<ts::out_specs<ts::P<i>>>(Inside{})(x...); }
};

struct psum_directly {
  constexpr auto operator()(auto x) const { return ts::psum<i>(x); }
};
struct psum_by_ring {
  constexpr auto operator()(auto x) const { return rings::ring_psum<i>(x); }
};
struct all_gather_directly {
  constexpr auto operator()(auto x) const { return ts::all_gather<i>(x, ts::tiled); }
};
struct all_gather_by_ring {
  constexpr auto operator()(auto x) const { return rings::ring_all_gather<i>(x); }
};
struct psum_scatter_directly {
  constexpr auto operator()(auto x) const { return ts::psum_scatter<i>(x, ts::tiled); }
};
struct psum_scatter_by_ring {
  constexpr auto operator()(auto x) const { return rings::ring_psum_scatter<i>(x); }
};
struct matmul_psum_scatter_directly {
  constexpr auto operator()(auto x, auto w) const { return ts::psum_scatter<i>(ts::matmul(x, w), ts::tiled); }
};
struct matmul_psum_scatter_by_ring {
  constexpr auto operator()(auto x, auto w) const { return rings::ring_matmul_psum_scatter<i>(x, w); }
};

template <class Direct, class Ring>
bool compare(char const* name, auto const&... x) {
  constexpr auto const& direct = ts::comm_of<on_blocks<Direct>, std::remove_cvref_t<decltype(x)>...>;
  constexpr auto const& ring = ts::comm_of<on_blocks<Ring>, std::remove_cvref_t<decltype(x)>...>;
  static_assert(ring.count(ts::collective::permute) == ring.count() && direct.count(ts::collective::permute) == 0);
  static_assert(ring.bytes() == direct.bytes());
  bool const equal = ts::jit<on_blocks<Direct>>(x...).to_host() == ts::jit<on_blocks<Ring>>(x...).to_host();
  std::cout << name << ": " << (equal ? "equal" : "NOT EQUAL") << ", " << ring.bytes() << " bytes in " << ring.count()
            << " messages\n";
  return equal;
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  auto const mesh = ts::make_mesh<line>(ts::devices());
  auto const x = ts::device_put<ts::P<i>>(ts::reshape<64, 3>(ts::arange<float, 192>()), mesh);
  // Rows of a times columns of b, both split along what is contracted.
  auto const a = ts::device_put<ts::P<ts::none, i>>(ts::reshape<8, 16>(ts::arange<float, 128>()), mesh);
  auto const b = ts::device_put<ts::P<i>>(ts::reshape<16, 4>(ts::arange<float, 64>()), mesh);

  bool equal = compare<psum_directly, psum_by_ring>("psum", x);
  equal &= compare<all_gather_directly, all_gather_by_ring>("all_gather", x);
  equal &= compare<psum_scatter_directly, psum_scatter_by_ring>("psum_scatter", x);
  equal &= compare<matmul_psum_scatter_directly, matmul_psum_scatter_by_ring>("psum_scatter(matmul)", a, b);
  return equal ? 0 : 1;
}
