// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collectives as rings: in each turn every device sends one block to its neighbor, rotate<1>, and works on what came.
// They send what the direct ones send, with room for computing between two messages.

#include <tessera/tessera.hpp>

#include <array>
#include <tuple>

namespace rings {

namespace ts = tessera;

// Sums of one term from each device, of which device p keeps the p-th. term(p) is the term of the device it runs on;
// a negative p counts from the end. The p-th sum sets out from the device after p with that device's term, and each
// that it passes adds its own; after n - 1 turns it is at p. x: any value of the region.
template <ts::Axis A>
constexpr auto ring_sums(auto x, auto const& term) {
  constexpr int n = static_cast<int>(ts::axis_size<A>(x));
  auto const here = ts::axis_index<A>(x);
  return ts::fori_loop(
      1, n, [&](auto turn, auto sum) { return ts::ppermute<A>(sum, ts::rotate<1>) + term(here - 1 - turn); },
      term(here - 1));
}

// The p-th of n equal parts of dimension 0.
template <int N>
constexpr auto nth_part(auto x, auto p) {
  constexpr auto rows = decltype(x)::type::value.extent(0) / N;
  return ts::dynamic_slice_in_dim<0, rows>(x, p * rows);
}

// psum_scatter<A>(x, tiled).
template <ts::Axis A>
constexpr auto ring_psum_scatter(auto x) {
  constexpr int n = static_cast<int>(ts::axis_size<A>(x));
  return ring_sums<A>(x, [&](auto p) { return nth_part<n>(x, p); });
}

// psum_scatter<A>(matmul(x, w), tiled): while one part is on its way, the next is multiplied. The whole product is
// never in memory.
template <ts::Axis A>
constexpr auto ring_matmul_psum_scatter(auto x, auto w) {
  constexpr int n = static_cast<int>(ts::axis_size<A>(x));
  return ring_sums<A>(x, [&](auto p) { return ts::matmul(nth_part<n>(x, p), w); });
}

// all_gather<A>(x, tiled): blocks come by in the order of the devices before this one, and are put in that of their
// numbers.
template <ts::Axis A>
constexpr auto ring_all_gather(auto x) {
  constexpr int n = static_cast<int>(ts::axis_size<A>(x));
  auto const [last, came] = ts::scan<n - 1>(
      [](auto block) {
        auto const next = ts::ppermute<A>(block, ts::rotate<1>);
        return std::tuple{next, next};
      },
      x);
  auto const all = ts::concatenate<0>(ts::expand_dims<0>(x), came);  // the k-th is of the device k before this one
  auto const sorted = ts::take<0>(all, ts::axis_index<A>(x) - ts::arange<n>());
  return ts::concatenate<0>(ts::unstack<0>(sorted));
}

// psum<A>(x), where n divides the rows.
template <ts::Axis A>
constexpr auto ring_psum(auto x) {
  return ring_all_gather<A>(ring_psum_scatter<A>(x));
}

}  // namespace rings
