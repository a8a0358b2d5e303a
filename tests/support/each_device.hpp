// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs of one device run by themselves: a mesh of plain vectors, for tests of collectives.

#include <tessera/tessera.hpp>

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace each_device {

// The meshes on which collectives are tested.
namespace meshes {
struct a : tessera::axis {};
struct b : tessera::axis {};
struct c : tessera::axis {};
using one = tessera::mesh<tessera::explicit_axis<a, 1>>;
using two = tessera::mesh<tessera::explicit_axis<a, 2>>;
using three = tessera::mesh<tessera::explicit_axis<a, 3>>;
using four = tessera::mesh<tessera::explicit_axis<a, 4>>;
using eight = tessera::mesh<tessera::explicit_axis<a, 8>>;
using square = tessera::mesh<tessera::explicit_axis<a, 2>, tessera::explicit_axis<b, 2>>;
using grid = tessera::mesh<tessera::explicit_axis<a, 4>, tessera::explicit_axis<b, 2>>;
using cube = tessera::mesh<tessera::explicit_axis<a, 2>, tessera::explicit_axis<b, 2>, tessera::explicit_axis<c, 2>>;
}  // namespace meshes

using block = std::vector<double>;   // one device's, row-major
using blocks = std::vector<block>;   // in mesh order
using positions = std::vector<int>;  // along the axes joined

template <class... A>
struct over {};

// The devices that differ from each other over the axes only, in their order (the first is major): one list for each.
template <class M, class... A>
std::vector<positions> lines(over<A...>) {
  tessera::mesh_value const& mesh = M::value;
  auto const index = [&](tessera::mesh_coordinates const& at) { return static_cast<int>(position_of(mesh, at)); };
  std::vector<int> axes{M::template index<A>...};
  std::vector<positions> all;
  std::vector<bool> seen(static_cast<std::size_t>(mesh.devices()), false);
  for (std::int64_t d = 0; d < mesh.devices(); ++d) {
    if (seen[d]) continue;
    auto at = tessera::coordinates_of(mesh, d);
    positions line;
    std::int64_t count = 1;
    for (int a : axes) count *= mesh.size(a);
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i;
      for (auto a = axes.rbegin(); a != axes.rend(); ++a) {
        at[*a] = rest % mesh.size(*a);
        rest /= mesh.size(*a);
      }
      line.push_back(index(at));
      seen[index(at)] = true;
    }
    all.push_back(line);
  }
  return all;
}

template <class M>
struct all_axes;
template <class... Kind>
struct all_axes<tessera::mesh<Kind...>> {
  using spec = tessera::P<tessera::axes<typename Kind::tag...>>;
};

// An array whose blocks, Rows x Columns, differ on every device: the dimension of rows is split over all axes.
template <class M, std::int64_t Rows, std::int64_t Columns, class T = double>
auto input(double scale = 1) {
  std::vector<T> v(static_cast<std::size_t>(Rows * Columns * M::value.devices()));
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = static_cast<T>(std::floor(64 * scale * std::sin(0.7 * static_cast<double>(i) + scale)));
  return tessera::device_put<typename all_axes<M>::spec>(tessera::host<Rows * M::value.devices(), Columns>(v),
                                                         tessera::make_mesh<M>(tessera::devices()));
}
// The blocks of such an array.
template <class X>
blocks blocks_of(X const& x, std::int64_t devices) {
  auto const all = x.to_host();
  auto const each = all.size() / static_cast<std::size_t>(devices);
  blocks made;
  for (std::size_t d = 0; d < static_cast<std::size_t>(devices); ++d)
    made.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(d * each),
                      all.begin() + static_cast<std::ptrdiff_t>((d + 1) * each));
  return made;
}

}  // namespace each_device
