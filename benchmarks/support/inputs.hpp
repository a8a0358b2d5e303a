// SPDX-License-Identifier: Apache-2.0
#pragma once
// Meshes and values of the benchmark programs.

#include <tessera/tessera.hpp>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace cases {

namespace ts = tessera;

// Values in (-scale, scale), the same on every run. No library is needed to compute one alone.
inline float noise(std::uint64_t seed, std::uint64_t i, float scale = 1) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u + seed * 0xd1342543de82ef95u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (static_cast<float>((z ^ (z >> 31)) >> 40) / 8388608.0f - 1.0f) * scale;
}
inline std::vector<float> const& noises(std::uint64_t seed, std::size_t count, float scale = 1) {
  static std::map<std::pair<std::uint64_t, std::size_t>, std::vector<float>> made;
  auto& values = made[{seed, count}];
  if (values.empty()) {
    values.resize(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = noise(seed, i, scale);
  }
  return values;
}

struct dp : ts::axis {};
struct mp : ts::axis {};
struct i : ts::axis {};
template <std::int64_t D, std::int64_t M>
using grid = ts::mesh<ts::explicit_axis<dp, D>, ts::explicit_axis<mp, M>>;
template <std::int64_t D, std::int64_t M>
using auto_grid = ts::mesh<ts::auto_axis<dp, D>, ts::auto_axis<mp, M>>;
template <std::int64_t N>
using line = ts::mesh<ts::explicit_axis<i, N>>;

// host values -> an array of that shape, spec and mesh, on as many simulated devices as the mesh has.
template <class S, class M, std::int64_t... E>
auto put(std::vector<float> const& values) {
  return ts::device_put<S>(ts::host<E...>(values), ts::make_mesh<M>(ts::devices()));
}

}  // namespace cases
