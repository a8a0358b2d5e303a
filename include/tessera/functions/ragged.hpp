// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of rows in groups, as of tokens that are sorted by the expert which takes them:
//   ragged_dot(x, w, sizes): x (m, k), w (g, k, n), sizes (g) integers -> (m, n): the first sizes[0] rows of x times w[0],
//     the next sizes[1] ones times w[1], ...; rows behind the last group are 0. Gradients by x and w.
//   scaled_matmul(a, b, p, q): a (B, m, k), b (B, n, k), each run of k / r elements with a scale of its own, p (B, m, r),
//     q (B, n, r) -> (B, m, n), float32
// Rows that are whole: the groups are cut into blocks of ceil(m / g) rows, fewer than 2 g of them, each with a copy of its
// w: at most about twice as many multiplications as one w for all rows takes, and twice the memory of w. The last
// dimension of w may be split. Rows that are split: each device multiplies its rows by every w in turn and keeps what
// belongs to the group, g times as many multiplications; nothing is sent, but for the gradient by w.
// Source: JAX 0.10.2 lax.ragged_dot, jax.nn.scaled_matmul.

#include <tessera/control/remat.hpp>
#include <tessera/control/scan.hpp>
#include <tessera/functions/arranging.hpp>
#include <tessera/op/index/searchsorted.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/product/einsum.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/reduce/cumulative.hpp>
#include <tessera/op/shape/repeat.hpp>

namespace tessera {
namespace detail::bodies {

struct ragged_dot {
  template <class X, class W, class S>
  constexpr auto operator()(X const& x, W const& w, S const& sizes) const {
    constexpr extents_list rows = extents_of<X>, each = extents_of<W>, groups = extents_of<S>;
    constexpr bool fits = rows.size() == 2 && each.size() == 3 && groups.size() == 1 && rows[1] == each[1] &&
                          groups[0] == each[0] && is_integer(facts_in_body<S>.element);
    if constexpr (fits) {
      constexpr auto all = static_cast<std::int32_t>(rows[0]);
      auto const end = minimum(cumsum<0>(astype<std::int32_t>(sizes)), all);
      auto const begin = concatenate<0>(zeros<std::int32_t, 1>(), slice_in_dim<0, 0, groups[0] - 1>(end));
      if constexpr (facts_in_body<X>.entry(0).empty())
        return by_blocks(x, w, begin, end);
      else
        return by_masks(x, w, begin, end);
    } else {
      return refused_call<call_fault::ragged_extents>(x, w, sizes);
    }
  }

private:
  template <class X, class W>
  static constexpr auto by_blocks(X const& x, W const& w, auto const& begin, auto const& end) {
    constexpr std::int64_t m = extents_of<X>[0], g = extents_of<W>[0], n = extents_of<W>[2];
    constexpr std::int64_t size = (m + g - 1) / g, blocks = (m + g * (size - 1)) / size;
    constexpr auto rows = static_cast<std::int32_t>(size);
    constexpr auto last = static_cast<std::int32_t>(g - 1);
    auto const ends_of = cumsum<0>(floor_divide(end - begin + (rows - 1), rows));  // counted in blocks
    auto const first = concatenate<0>(zeros<std::int32_t, 1>(), slice_in_dim<0, 0, g - 1>(ends_of));
    auto const of = [](auto const& table, auto const& places) { return take<0>(table, places, mode::clip); };

    auto const block = arange<std::int32_t, blocks>();
    auto const group = minimum(searchsorted(ends_of, block, after_equals), last);
    auto const start = of(begin, group) + (block - of(first, group)) * rows;
    auto const row = expand_dims<1>(start) + arange<std::int32_t, size>();
    auto const own = expand_dims<2>(row < expand_dims<1>(of(end, group)));
    auto const product = einsum<"bik,bkn->bin">(where(own, of(x, row), 0), of(w, group));

    auto const place = arange<std::int32_t, m>();
    auto const mine = minimum(searchsorted(end, place, after_equals), last);
    auto const inside = place - of(begin, mine);
    auto const found = (of(first, mine) + floor_divide(inside, rows)) * rows + remainder(inside, rows);
    auto const grouped = expand_dims<1>(place < squeeze<0>(slice_in_dim<0, g - 1, g>(end)));
    return where(grouped, of(reshape<blocks * size, n>(product), found), 0);
  }

  static constexpr auto by_masks(auto const& x, auto const& w, auto const& begin, auto const& end) {
    constexpr std::int64_t m = extents_of<std::remove_cvref_t<decltype(x)>>[0];
    auto const none = full_like(matmul(x, squeeze<0>(slice_in_dim<0, 0, 1>(w))), 0);
    auto const turn = [&x](auto const& sum, auto const& group) {
      auto const place = expand_dims<1>(arange<std::int32_t, m>());
      auto const own = logical_and(place >= std::get<1>(group), place < std::get<2>(group));
      return std::tuple{sum + matmul(where(own, x, 0), std::get<0>(group)), std::tuple{}};
    };
    return std::get<0>(scan(checkpoint(turn), none, std::tuple{w, begin, end}));
  }
};

struct scaled_matmul {
  template <class A, class B, class P, class Q>
  constexpr auto operator()(A const& a, B const& b, P const& p, Q const& q) const {
    if constexpr (fits<A, P> && fits<B, Q>)
      return einsum<"bmk,bnk->bmn">(scaled(a, p), scaled(b, q));
    else
      return refused_call<call_fault::scales_of_other_extents>(a, b);
  }

private:
  template <class X, class S>
  static constexpr bool fits = [] {
    extents_list const own = extents_of<X>, each = extents_of<S>;
    return own.size() == 3 && each.size() == 3 && each[2] > 0 && own[2] % each[2] == 0;
  }();
  template <class X, class S>
  static constexpr auto scaled(X const& x, S const& scales) {
    constexpr extents_list own = extents_of<X>, each = extents_of<S>;
    return astype<float>(x) * repeat<own[2] / each[2], 2>(astype<float>(scales));
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::ragged_dot> ragged_dot;

namespace functions {

template <class A, class B, class P, class Q>
constexpr auto scaled_matmul(A const& a, B const& b, P const& p, Q const& q,
                             site at = std::source_location::current()) {
  return detail::composed<detail::bodies::scaled_matmul>(at, a, b, p, q);
}

}  // namespace functions
}  // namespace tessera
