// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whole arrays of doubles for tests, put on small meshes in every layout and taken back: element by element, by
// testing/placement.hpp.

#include <tessera/api/loaded_program.hpp>
#include <tessera/aval/describe.hpp>
#include <tessera/exec/memory/blocks.hpp>
#include <tessera/testing/placement.hpp>

#include <cmath>
#include <functional>
#include <stdexcept>
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

template <class T>
T element_from(double value) {
  return static_cast<T>(static_cast<tessera::detail::register_of<T>>(value));
}
template <class T>
double number_from(std::byte const* at) {
  T value{};
  std::memcpy(&value, at, sizeof(T));
  return static_cast<double>(tessera::detail::real_part(static_cast<tessera::detail::register_of<T>>(value)));
}

// What blocks hold beyond the array is of no number: NaN, -1, true.
inline stored_array place(dense_array const& x, array_value const& facts, mesh_value const& mesh) {
  placement const where = placement_of(facts, mesh);
  std::vector<std::byte> bytes(where.stored_bytes(), std::byte(facts.element == dtype::boolean ? 1 : 255));
  tessera::detail::with_element(facts.element, [&]<class T>(std::type_identity<T>) {
    where.each([&](std::int64_t, std::int64_t element, std::int64_t position) {
      T const value = element_from<T>(x.values[element]);
      std::memcpy(bytes.data() + position * sizeof(T), &value, sizeof(T));
    });
  });
  stored_array stored{facts, buffer(bytes.size())};
  tessera::detail::copy_bytes(stored.memory.data(), bytes.data(), bytes.size(), true);
  return stored;
}

// The whole array, from the blocks of all devices: throws if two blocks with an element differ, or if none has it.
inline dense_array whole(buffer const& memory, array_value const& facts, placement const& where) {
  if (memory.size() < static_cast<std::size_t>(where.stored_bytes()))
    throw std::logic_error("the memory has no room for the blocks");
  std::vector<std::byte> bytes(where.stored_bytes());
  tessera::detail::copy_bytes(bytes.data(), memory.data(), bytes.size(), false);
  dense_array x;
  for (int d = 0; d < facts.rank; ++d) x.extents.push_back(facts.extent(d));
  x.values.resize(facts.size());
  std::vector<bool> seen(x.values.size());
  tessera::detail::with_element(facts.element, [&]<class T>(std::type_identity<T>) {
    where.each([&](std::int64_t device, std::int64_t element, std::int64_t position) {
      double const value = number_from<T>(bytes.data() + position * sizeof(T));
      if (seen[element] && !(value == x.values[element] || (std::isnan(value) && std::isnan(x.values[element]))))
        throw std::logic_error("device " + std::to_string(device) + " has another element " + std::to_string(element));
      seen[element] = true;
      x.values[element] = value;
    });
  });
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!seen[i]) throw std::logic_error("no device has element " + std::to_string(i));
  return x;
}
inline dense_array whole(stored_array const& x, mesh_value const& mesh) {
  return whole(x.memory, x.facts, placement_of(x.facts, mesh));
}

// The same program with nothing shared between devices: every device's block is stored.
inline dense_array whole_unshared(growable_graph const& graph, std::vector<stored_array> const& in,
                                  array_value const& facts, mesh_value const& mesh) {
  auto const results = tessera::detail::run_unshared(graph, in);
  return whole(results[0], facts, {facts, mesh, mesh.axes()});
}

}  // namespace detail
}  // namespace tessera::testing
