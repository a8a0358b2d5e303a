// SPDX-License-Identifier: Apache-2.0
// The type of a mesh where devices are needed: every function that takes a device_mesh says so (check.errors_listed).

#include <tessera/checkpoint.hpp>
#include <tessera/data.hpp>
#include <tessera/dlpack.hpp>
#include <tessera/kokkos.hpp>
#include <tessera/tessera.hpp>

#include <utility>
#include <vector>

namespace ts = tessera;
using ts::P;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using shape = ts::shape<8, 4>;
using weights = ts::array_type<float, shape, P<dp>, grid>;

constexpr auto twice = [](auto x) { return x + x; };

int main(int argc, char** argv) {
  ts::runtime const runtime{argc, argv};
  auto const mesh = ts::make_mesh<grid>(runtime.devices());
  std::vector<float> v(32);
  auto const x = ts::device_put<P<dp>>(ts::host<8, 4>(v), mesh);
  auto const part = [&](ts::region const&) { return std::vector<float>(8); };
  auto const write = [](auto const&, ts::region const&) {};
  ts::checkpoints const kept("checkpoints", 2);
  auto tensor = ts::to_dlpack(ts::device_put(ts::host<8, 4>(v)));
#if TESSERA_MISUSE == 1
  // expect: the type of a mesh has no devices. Fix: auto const m = make_mesh<grid>(devices()), and m in its place
  (void)ts::make_array_from_callback<P<dp>, shape, float>(grid{}, part);
#elif TESSERA_MISUSE == 2
  // expect: the type of a mesh has no devices.
  (void)ts::make_array_from_process_local_data<P<dp>, shape>(ts::host<8, 4>(v), grid{});
#elif TESSERA_MISUSE == 3
  // expect: the type of a mesh has no devices.
  (void)ts::make_array_from_views<P<dp>, shape, float>(grid{}, write);
#elif TESSERA_MISUSE == 4
  // expect: the type of a mesh has no devices.
  (void)ts::adopt<P<dp>>(ts::host<8, 4>(v), grid{}, ts::outlives);
#elif TESSERA_MISUSE == 5
  // expect: the type of a mesh has no devices.
  (void)ts::from_dlpack<P<dp>, float, shape>(std::move(tensor), grid{});
#elif TESSERA_MISUSE == 6
  // expect: the type of a mesh has no devices.
  (void)ts::load_npy<P<dp>, shape, float>("x.npy", grid{});
#elif TESSERA_MISUSE == 7
  // expect: the type of a mesh has no devices.
  (void)ts::load_npy<weights>("x.npy", grid{});
#elif TESSERA_MISUSE == 8
  // expect: the type of a mesh has no devices.
  (void)ts::restore<ts::array<weights>>("checkpoint", grid{});
#elif TESSERA_MISUSE == 9
  // expect: the type of a mesh has no devices.
  (void)kept.restore<ts::array<weights>>(grid{});
#elif TESSERA_MISUSE == 10
  // expect: the type of a mesh has no devices.
  (void)ts::shard_map<ts::in_specs<P<dp>>, ts::out_specs<P<dp>>>(twice, grid{})(x);
#elif TESSERA_MISUSE == 11
  // expect: the type of a mesh has no devices.
  (void)ts::jit<ts::in_shardings<P<dp>>>(twice, grid{})(x);
#elif TESSERA_MISUSE == 12
  // expect: the type of a mesh has no devices.
  (void)ts::device_put<P<dp>>(x, grid{});
#elif TESSERA_MISUSE == 13
  // expect: the type of a mesh has no devices.
  (void)ts::named_sharding(grid{}, P<dp>{});
#elif TESSERA_MISUSE == 14
  // expect: the type of a mesh has no devices.
  ts::loader<weights> batches(grid{}, {}, ts::rows_of<float>(ts::host<8, 4>(v)));
#endif
  (void)part;
  (void)write;
}
