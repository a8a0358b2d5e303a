// SPDX-License-Identifier: Apache-2.0
// Code for one device: collectives in shard_map, loops, blocks as Views and a Kokkos kernel among a program's steps.

#include <tessera/kokkos.hpp>

namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 4>>;
using rows = ts::array<ts::array_type<double, ts::shape<16, 8>, ts::P<dp, ts::none>, line>>;

struct doubled {
  template <class Space, class X, class Y>
  void operator()(Space const& space, X x, Y y) const {
    static_assert(std::is_same_v<typename X::memory_space, Kokkos::CudaSpace>);
    auto const count = static_cast<int>(x.size());
    Kokkos::parallel_for(
        "doubled", Kokkos::RangePolicy<Space>(space, 0, count),
        KOKKOS_LAMBDA(int i) { y.data()[i] = 2 * x.data()[i]; });
  }
};
struct block {
  constexpr auto operator()(auto x) const {
    auto const moved = ts::ppermute<dp>(ts::local_kernel<doubled>(x), ts::rotate<1>);
    auto const gathered = ts::all_gather<dp>(x, ts::dim<0>, ts::tiled);
    return moved + ts::psum_scatter<dp>(gathered, ts::dim<0>, ts::tiled) / ts::psum<dp>(ts::sum(x));
  }
};
struct turns {
  constexpr auto operator()(auto x) const {
    auto const once = ts::shard_map<ts::in_specs<ts::P<dp>>, ts::out_specs<ts::P<dp>>>(block{});
    return ts::fori_loop(
        0, 3, [&](auto, auto u) { return once(u); }, x);
  }
};
auto run(rows const& x) { return ts::jit<turns>(x); }

struct zeroed {
  template <class View>
  void operator()(View view, ts::region const&) const {
    Kokkos::deep_copy(view, 0.0);
  }
};
auto through_views(ts::device_mesh<line> const& mesh) {
  Kokkos::View<double**, Kokkos::LayoutLeft> const left("left", 16, 8);
  auto made = ts::make_array_from_views<ts::P<dp>, ts::shape<16, 8>, double>(mesh, zeroed{});
  for (auto const& shard : ts::writable_views(made)) Kokkos::deep_copy(shard.view, 1.0);
  ts::copy_to(made, left);
  return ts::device_put<ts::P<dp>>(ts::stepped<16, 8>(left), mesh);
}
