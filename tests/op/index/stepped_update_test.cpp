// SPDX-License-Identifier: Apache-2.0
// x.at(span<1, to_end, 2>()).set(v) and the other updates where spans have steps or run downwards, alone and together
// with numbers, arrays, new dimensions and each other; in programs, outside of them, over split dimensions, and their
// gradients. Expected: the positions that get() reads of numbered elements, written one by one.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using ts::P, ts::none, ts::span, ts::to_end, ts::every;

template <class How>
std::vector<float> expected(auto const& x, auto const& places, auto const& v, How const& how) {
  auto const old = x.to_host();
  std::vector<float> out{old.begin(), old.end()};
  auto const at = places.to_host();
  auto const given = v.to_host();
  for (std::size_t i = 0; i < at.size(); ++i) {
    float& here = out[static_cast<std::size_t>(at[i])];
    here = how(here, given[given.size() == 1 ? 0 : i]);
  }
  return out;
}
// Pick: a function object, x -> x.at(...).
template <class Pick, class X>
void writes_what_it_reads(Pick const&, X const& x, bool several = false) {
  auto const number = ts::reshape<8, 8>(ts::arange<float, 64>());
  auto const places = Pick{}(ts::asarray(number)).get();
  auto const v = ts::jit([](auto p) { return p * 0.25f - 3; })(places);
  auto const same = [&](auto const& made, auto const& how) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(made)>, X>);
    auto const values = made.to_host();
    EXPECT_EQ((std::vector<float>{values.begin(), values.end()}), expected(x, places, v, how));
  };
  same(ts::jit([](auto x, auto v) { return Pick{}(x).set(v); })(x, v), [](float, float b) { return b; });
  same(Pick{}(x).set(v), [](float, float b) { return b; });
  if (several) return;
  same(ts::jit([](auto x, auto v) { return Pick{}(x).add(v); })(x, v), [](float a, float b) { return a + b; });
  same(Pick{}(x).multiply(v), [](float a, float b) { return a * b; });
  same(Pick{}(x).min(v), [](float a, float b) { return std::min(a, b); });
  same(Pick{}(x).max(v), [](float a, float b) { return std::max(a, b); });
  auto const [by_x, by_v] = ts::jit([](auto x, auto v) {
    return ts::grad<0, 1>([](auto x, auto v) { return ts::sum(Pick{}(x).set(v) * x); })(x, v);
  })(x, v);
  auto const of_new =
      ts::jit([](auto x, auto g) { return g - ts::where(Pick{}(ts::zeros_like(x)).set(1.f) > 0, 0.f, x); });
  same(of_new(x, by_x), [](float, float b) { return b; });
  auto const read = Pick{}(x).get().to_host(), slope = by_v.to_host();
  for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(slope[i], read[i]);
}

constexpr auto odd = [](auto x) { return x.at(span<1, to_end, 2>()); };
constexpr auto thirds = [](auto x) { return x.at(every, span<0, -1, 3>()); };
constexpr auto down = [](auto x) { return x.at(span<to_end, to_end, -1>()); };
constexpr auto down_by_two = [](auto x) { return x.at(span<6, 1, -2>()); };
constexpr auto both = [](auto x) { return x.at(span<0, to_end, 2>(), span<7, to_end, -3>()); };
constexpr auto with_number = [](auto x) { return x.at(3, span<1, to_end, 2>()); };
constexpr auto with_range = [](auto x) { return x.at(span<2, 5>(), span<1, to_end, 3>()); };
constexpr auto behind = [](auto x) { return x.at(ts::ellipsis, span<2, to_end, 2>()); };
constexpr auto widened = [](auto x) { return x.at(ts::newaxis, span<2, to_end, 2>(), ts::newaxis); };
constexpr auto nothing = [](auto x) { return x.at(span<5, 2, 2>()); };
constexpr auto with_array = [](auto x) { return x.at(span<0, to_end, 4>(), ts::arange<2, 7>()); };

auto numbers() { return ts::asarray(ts::reshape<8, 8>(ts::arange<float, 64>() * 7 % 16) * 0.25f - 2); }

TEST(SteppedUpdate, WritesWhereASpanWithStepsReads) {
  auto const x = numbers();
  writes_what_it_reads(odd, x);
  writes_what_it_reads(thirds, x);
  writes_what_it_reads(down, x);
  writes_what_it_reads(down_by_two, x);
  writes_what_it_reads(both, x);
  writes_what_it_reads(with_number, x);
  writes_what_it_reads(with_range, x);
  writes_what_it_reads(behind, x);
  writes_what_it_reads(widened, x);
  writes_what_it_reads(with_array, x);
  writes_what_it_reads(nothing, x, true);
}

#ifndef TESSERA_BY_DAY
TEST(SteppedUpdate, KeepsTheLayout) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const rows = ts::device_put<P<dp, none>>(numbers(), mesh);
  auto const written = ts::jit([](auto x) { return thirds(x).set(2.f); })(rows);
  static_assert(ts::type_text<decltype(written)> == "float32[8@dp,8]");
  EXPECT_EQ(written.to_host()[8 * 5 + 3], 2.f);
  EXPECT_EQ(written.to_host()[8 * 5 + 4], rows.to_host()[8 * 5 + 4]);
  auto const along = ts::jit([](auto x) { return odd(x).add(1.f); })(rows);
  static_assert(ts::type_text<decltype(along)> == "float32[8@dp,8]");
  EXPECT_EQ(along.to_host()[8 * 5 + 3], rows.to_host()[8 * 5 + 3] + 1);
}
#endif

}  // namespace
