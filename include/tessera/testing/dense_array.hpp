// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whole arrays of doubles for tests, put on small meshes in every layout and taken back.

#include <tessera/api/program.hpp>
#include <tessera/array/device_put.hpp>
#include <tessera/aval/describe.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace tessera::testing {

// Row-major.
struct dense_array {
  std::vector<std::int64_t> extents{};
  std::vector<double> values{};
};

namespace detail {

inline dense_array scattered(std::vector<std::int64_t> const& extents, double low, double high, std::uint64_t seed) {
  dense_array x{extents, {}};
  std::int64_t size = 1;
  for (auto e : extents) size *= e;
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (std::int64_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x.values.push_back(low + (high - low) * static_cast<double>(state >> 33) / 2147483648.0);
  }
  return x;
}

// The values as this element type holds them.
inline dense_array rounded(dense_array x, dtype element) {
  tessera::detail::with_element(element, [&]<class T>(std::type_identity<T>) {
    using A = tessera::detail::register_of<T>;
    for (double& v : x.values)
      v = static_cast<double>(tessera::detail::real_part(static_cast<A>(static_cast<T>(static_cast<A>(v)))));
  });
  return x;
}

// The largest difference, relative to the largest value wanted where that is above 1; infinite for other extents.
inline double difference(dense_array const& got, dense_array const& want) {
  if (got.extents != want.extents || got.values.size() != want.values.size()) return INFINITY;
  double apart = 0, largest = 1;
  for (double v : want.values)
    if (std::isfinite(v)) largest = std::fmax(largest, std::fabs(v));
  for (std::size_t i = 0; i < want.values.size(); ++i) {
    double const a = got.values[i], b = want.values[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    apart = std::isnan(a - b) ? INFINITY : std::fmax(apart, std::fabs(a - b));
  }
  return apart / largest;
}

inline std::string text_of(dense_array const& x) {
  std::string text = "[";
  for (std::size_t d = 0; d < x.extents.size(); ++d) text += (d ? "," : "") + std::to_string(x.extents[d]);
  text += "]{";
  for (std::size_t i = 0; i < x.values.size() && i < 24; ++i) text += (i ? ", " : "") + std::to_string(x.values[i]);
  return text + (x.values.size() > 24 ? ", ...}" : "}");
}

inline mesh_value small_mesh(std::int64_t a, std::int64_t b) {
  struct x : axis {};
  struct y : axis {};
  mesh_value mesh = tessera::mesh<explicit_axis<x, 1>, explicit_axis<y, 1>>::value;
  mesh.sizes[0] = a;
  mesh.sizes[1] = b;
  return mesh;
}

// f(x in each lawful layout on a mesh of two axes).
template <class F>
void each_spec(array_value x, mesh_value const& mesh, F&& f, int d = 0) {
  if (d == x.rank) {
    if (rule::lawful(x, mesh)) f(x);
    return;
  }
  for (int way = 0; way < 5; ++way) {
    entry_value entry;
    if (way == 1 || way == 3) entry.append(0);
    if (way == 2 || way == 4) entry.append(1);
    if (way == 3) entry.append(1);
    if (way == 4) entry.append(0);
    x.entry(d) = entry;
    each_spec(x, mesh, f, d + 1);
  }
}

inline stored_array place(dense_array const& x, array_value const& facts, mesh_value const& mesh) {
  std::vector<std::byte> bytes(x.values.size() * static_cast<std::size_t>(bytes_of(facts.element)));
  tessera::detail::with_element(facts.element, [&]<class T>(std::type_identity<T>) {
    using A = tessera::detail::register_of<T>;
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      T const value = static_cast<T>(static_cast<A>(x.values[i]));
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
  });
  // What blocks hold beyond it is of no number: NaN, -1, true.
  array_value const padded = with_padding(facts, mesh);
  std::vector<std::byte> filled(static_cast<std::size_t>(padded.size() * bytes_of(facts.element)),
                                std::byte(facts.element == dtype::boolean ? 1 : 255));
  copy_corner(filled.data(), padded, bytes.data(), facts);
  return {facts, tessera::detail::store_from_host(padded, mesh, filled.data()).memory};
}

inline dense_array values_in(std::vector<std::byte> const& bytes, array_value const& facts) {
  dense_array x;
  for (int d = 0; d < facts.rank; ++d) x.extents.push_back(facts.extent(d));
  tessera::detail::with_element(facts.element, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
      T value{};
      std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
      x.values.push_back(
          static_cast<double>(tessera::detail::real_part(static_cast<tessera::detail::register_of<T>>(value))));
    }
  });
  return x;
}

// The whole array from blocks that lie in memory by `block`'s own strides.
inline dense_array whole(std::byte const* memory, array_value const& facts, array_value const& block,
                         mesh_value const& mesh) {
  array_value const padded = with_padding(facts, mesh);
  std::vector<std::byte> bytes(static_cast<std::size_t>(padded.size() * bytes_of(facts.element)));
  if (block.size() > 0) {
    buffer const dense(bytes.size());
    tessera::detail::copy_blocks(block, mesh, dense.data(), dense_strides(padded, mesh), memory,
                                 own_strides(block, mesh));
    fence();
    tessera::detail::copy_bytes(bytes.data(), dense.data(), bytes.size(), false);
  }
  std::vector<std::byte> values(static_cast<std::size_t>(facts.size() * bytes_of(facts.element)));
  copy_corner(values.data(), facts, bytes.data(), padded);
  return values_in(values, facts);
}
inline dense_array whole(stored_array const& x, mesh_value const& mesh) {
  return whole(x.memory.data(), x.facts, stored_block(x.facts, mesh), mesh);
}

// The same program with nothing shared between devices: every device's block is stored.
inline dense_array whole_unshared(growable_graph const& graph, std::vector<stored_array> const& in,
                                  array_value const& facts, mesh_value const& mesh) {
  auto const results = tessera::detail::run_unshared(graph, in);
  array_value block = stored_block(facts, mesh);
  block.varying = mesh.axes();
  return whole(results[0].data(), facts, block, mesh);
}

}  // namespace detail
}  // namespace tessera::testing
