// SPDX-License-Identifier: Apache-2.0
#pragma once
// Calls made on arrays outside of jit against the same calls in traced code: equal types and equal elements, but for the
// last bits of floats: messages of all rows are joined, and a sum is added in another order then.
//   struct calls { static constexpr auto rows = std::tuple{[](auto x, auto, auto) { return ts::exp(x); }, ...}; };
//   check_eager<calls>();
// x, i and m: [4,4] of float, int32 and bool, their rows split. Results are arrays or trees of them.

#include "support/op_case.hpp"

#include <cmath>
#include <type_traits>

namespace eager_case {

using namespace op_case;

template <class Calls>
struct traced_calls {
  constexpr auto operator()(auto x, auto i, auto m) const {
    return std::apply([&](auto const&... call) { return std::tuple{std::tuple{call(x, i, m)}...}; }, Calls::rows);
  }
};

template <class A>
void expect_same(ts::array<A> const& have, ts::array<A> const& want, int row) {
  auto const h = have.to_host(), w = want.to_host();
  ASSERT_EQ(h.shape(), w.shape()) << "row " << row;
  using element = typename ts::array<A>::element;
  constexpr bool is_complex = requires(element e) { e.real(); };
  for (auto a = h.begin(), b = w.begin(); a != h.end(); ++a, ++b)
    if constexpr (std::is_floating_point_v<element>)
      EXPECT_TRUE(*a == *b || std::fabs(*a - *b) <= 2e-6f * std::fabs(*b) || (*a != *a && *b != *b)) << "row " << row;
    else if constexpr (is_complex)
      EXPECT_TRUE((*a).real() == (*b).real() && (*a).imag() == (*b).imag()) << "row " << row;
    else
      EXPECT_TRUE(*a == *b || (*a != *a && *b != *b)) << "row " << row;
}
template <ts::Tree T>
void expect_same(T const& have, T const& want, int row) {
  ts::tree_map([&](auto const& h, auto const& w) { return expect_same(h, w, row), 0; }, have, want);
}

template <class Calls>
void check_eager() {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = place<P<dp>>(mesh, dense<float, 4, 4>(-2, 2));
  auto const i = place<P<dp>>(mesh, dense<std::int32_t, 4, 4>(0, 3.9, 5));
  auto const m = place<P<dp>>(mesh, dense<bool, 4, 4>(oracle::greater(oracle::scattered({4, 4}), 0)));
  auto const all = ts::detail::run_jitted<traced_calls<Calls>, false>(x, i, m);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (
        [&] {
          auto const have = std::tuple{std::get<I>(Calls::rows)(x, i, m)};
          static_assert(
              std::is_same_v<decltype(have), std::tuple_element_t<I, std::remove_cvref_t<decltype(all)>> const>,
              "an eager call has the type of the traced one");
          expect_same(have, std::get<I>(all), I);
        }(),
        ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(Calls::rows)>>{});
}

}  // namespace eager_case
