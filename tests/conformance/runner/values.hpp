// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of a generated program that computes: arguments on simulated devices, jit, the results as one JSON object.

#include <tessera/tessera.hpp>

#include "prelude.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

// Each of several processes answers to a file of its own: ANSWERS names all but its last part, the process' number.
inline void answer_to_file() {
  if (char const* const file = std::getenv("ANSWERS"))
    if (!std::freopen((std::string(file) + "." + std::to_string(ts::process_index())).c_str(), "w", stdout))
      std::abort();
}

// The values of an argument: `data`, or start, start + 1, ... each modulo `mod` where that is not 0.
struct source {
  double start = 0;
  std::int64_t mod = 0;
  std::vector<double> data{};
  double operator[](std::size_t i) const {
    if (!data.empty()) return data[i];
    double const value = static_cast<double>(i) + start;
    return mod == 0 ? value : value - static_cast<double>(mod) * std::floor(value / static_cast<double>(mod));
  }
};

template <class T>
auto stored(double value) {
  if constexpr (std::is_same_v<T, bool>)
    return static_cast<std::uint8_t>(std::fmod(value, 2) == 0);  // even numbers are true
  else if constexpr (sizeof(T) == 2)
    return T(static_cast<float>(value));
  else
    return static_cast<T>(value);
}

template <class A>
auto put(source const& from) {
  using T = typename A::element;
  ts::extents_list extents;
  for (int d = 0; d < placed<A>::rank; ++d) extents.push_back(placed<A>::value.extent(d));
  std::size_t count = 1;
  for (auto n : extents) count *= static_cast<std::size_t>(n);
  std::vector<decltype(stored<T>(0))> memory;
  for (std::size_t i = 0; i < count; ++i) memory.push_back(stored<T>(from[i]));
  ts::host_view<T, typename A::shape> const view{reinterpret_cast<T const*>(memory.data()), extents};
  return ts::device_put<typename A::spec>(view, ts::make_mesh<typename A::mesh>(ts::devices()));
}

template <class T>
void print_values(T const& x) {
  if constexpr (requires { x.to_host(); }) {
    std::printf("[");
    char const* comma = "";
    for (auto const& v : x.to_host()) {
      std::printf("%s\"%.17g\"", comma, static_cast<double>(v));
      comma = ", ";
    }
    std::printf("]");
  } else {
    std::apply(
        [](auto const&... part) {
          char const* comma = "";
          ((std::printf("%s", comma), print_values(part), comma = ", "), ...);
        },
        x);
  }
}

// What each device holds of an array: device id -> its block.
template <class T>
void print_shards(T const& x) {
  if constexpr (requires { x.addressable_shards(); }) {
    char const* comma = "";
    for (auto const& shard : x.addressable_shards()) {
      std::printf("%s\"%d\": [", comma, shard.where.id);
      comma = ", ";
      char const* between = "";
      for (auto const& v : shard.to_host()) {
        std::printf("%s\"%.17g\"", between, static_cast<double>(v));
        between = ", ";
      }
      std::printf("]");
    }
  }
}

template <class Program, class... A, class... Source>
void run(int number, Source const&... from) {
  if constexpr ((A::checked::accepted && ...)) {
    if constexpr (std::is_void_v<ts::why<Program, placed<A>...>>) {
      try {
        auto const results = ts::jit<Program>(put<A>(from)...);
        std::printf("{\"case\": %d, \"values\": [", number);
        print_values(results);
        std::printf("], \"shards\": {");
        print_shards(results);
        std::printf("}}\n");
      } catch (std::exception const& thrown) {
        report_error(number, "exception", thrown.what());
      }
    }
  }
}
