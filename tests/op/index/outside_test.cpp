// SPDX-License-Identifier: Apache-2.0
// An index outside: reads move it inside, writes drop it, one that is known while compiling is refused, mode::checked
// throws; with numbers, arrays and spans, in eager code and in jit.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include "support/throws.hpp"

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using floats = std::vector<float>;

auto const six = [] { return ts::asarray({0.f, 1.f, 2.f, 3.f, 4.f, 5.f}); };

// The number is a run-time scalar in both.
constexpr auto read = [](auto x, auto i) { return x.at(i).get(); };
constexpr auto write = [](auto x, auto i) { return x.at(i).set(9); };
constexpr auto gather = [](auto x, auto i) { return x.at(i).add(10).at(i).get(); };

TEST(index_outside, reads_move_it_inside) {
  auto const x = six();
  for (int i : {6, 7, 100, -7, -100, 5, -6, 0}) {
    int const at = i < 0 ? std::max(i + 6, 0) : std::min(i, 5);
    EXPECT_EQ(x.at(i).get().item(), static_cast<float>(at)) << i;
    EXPECT_EQ(ts::jit(read)(x, i).item(), static_cast<float>(at)) << i;
    EXPECT_EQ(x.at(ts::asarray({i})).get().to_host(), (floats{static_cast<float>(at)})) << i;
    EXPECT_EQ(ts::jit(read)(x, ts::asarray({i})).to_host(), (floats{static_cast<float>(at)})) << i;
  }
}
TEST(index_outside, writes_drop_it) {
  auto const x = six();
  for (int i : {6, -7, 100, 5, -1}) {
    floats want{0, 1, 2, 3, 4, 5};
    if (i == 5 || i == -1) want[5] = 9;
    EXPECT_EQ(x.at(i).set(9).to_host(), want) << i;
    EXPECT_EQ(ts::jit(write)(x, i).to_host(), want) << i;
    EXPECT_EQ(x.at(ts::asarray({i})).set(9).to_host(), want) << i;
    EXPECT_EQ(ts::jit(write)(x, ts::asarray({i})).to_host(), want) << i;
  }
  EXPECT_EQ(x.at(ts::asarray({1, 6, -7})).add(10).to_host(), (floats{0, 11, 2, 3, 4, 5}));
  EXPECT_EQ(ts::jit(gather)(x, ts::asarray({1, 6, -7})).to_host(), (floats{11, 5, 0}));
  auto const square = ts::asarray({{1.f, 2.f}, {3.f, 4.f}});
  EXPECT_EQ(square.at(1, 2).set(9).to_host(), square.to_host());
  EXPECT_EQ(square.at(2, ts::every).multiply(0).to_host(), square.to_host());
  EXPECT_EQ(square.at(5, -5).get().item(), 3);
}
TEST(index_outside, spans_are_cut_to_what_is_there) {
  auto const x = six();
  EXPECT_EQ(x.at(ts::span(2, 9)).get().to_host(), (floats{2, 3, 4, 5}));
  EXPECT_EQ(x.at(ts::span<2, 9>()).get().to_host(), (floats{2, 3, 4, 5}));
  EXPECT_EQ(x.at(ts::span(-9, 2)).get().to_host(), (floats{0, 1}));
  EXPECT_EQ(x.at(ts::span<-9, 2>()).get().to_host(), (floats{0, 1}));
  EXPECT_EQ(x.at(ts::span(4, 2)).get().size(), 0);
  EXPECT_EQ(x.at(ts::span(7, 9)).get().size(), 0);
  EXPECT_EQ(x.at(ts::span(7, 2)).get().size(), 0);
  EXPECT_EQ(x.at(ts::span<7, 2>()).get().size(), 0);
  EXPECT_EQ(x.at(ts::span(2, -9)).get().size(), 0);
  EXPECT_EQ(x.at(ts::span(-1, -9)).set(9).to_host(), x.to_host());
  EXPECT_EQ(x.at(ts::span(4, 9)).set(9).to_host(), (floats{0, 1, 2, 3, 9, 9}));
  EXPECT_EQ(x.at(ts::span<4, 9>()).set(9).to_host(), (floats{0, 1, 2, 3, 9, 9}));
  EXPECT_EQ(x.at(ts::span(8, 9)).set(9).to_host(), x.to_host());
}
TEST(index_outside, what_no_signed_integer_holds) {
  auto const x = six();
  constexpr std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EQ(x.at(most).get().item(), 5);
  EXPECT_EQ(x.at(most).set(9).to_host(), x.to_host());
  EXPECT_THROW_TEXT(x.at(most).get(ts::mode::checked), "of dimension 0, which has 6 elements");
  auto const i = ts::asarray(std::vector<std::uint64_t>{most, 1, most - 5});
  EXPECT_EQ(x.at(i).get().to_host(), (floats{5, 1, 5}));
  EXPECT_EQ(x.at(i).set(9).to_host(), (floats{0, 9, 2, 3, 4, 5}));
  EXPECT_TRUE(std::isnan(x.at(i).get(ts::mode::fill).to_host()[0]));
  EXPECT_EQ(ts::dynamic_slice<2>(x, ts::asarray(most)).to_host(), (floats{4, 5}));
  EXPECT_EQ(x.at(ts::span(INT64_MIN, INT64_MAX)).get().to_host(), x.to_host());
}
TEST(index_outside, there_is_nothing_in_an_empty_array) {
  auto const none = ts::asarray(ts::zeros<float, 0>());
  EXPECT_THROW_TEXT(none.at(0).get(), "index 0 of dimension 0, which has 0 elements");
  EXPECT_EQ(none.at(0).set(1).size(), 0);
}

constexpr auto checked_read = [](auto x, auto i) { return x.at(i).get(ts::mode::checked); };
constexpr auto checked_write = [](auto x, auto i) { return x.at(i).add(1, ts::mode::checked); };
constexpr auto checked_take = [](auto x, auto i) { return ts::take<0>(x, i, ts::mode::checked); };
constexpr auto checked_in_a_loop = [](auto x, auto i) {
  return ts::fori_loop(
      0, 2, [&](auto, auto sum) { return sum + ts::sum(x.at(i).get(ts::mode::checked)); }, ts::sum(x) * 0);
};
TEST(checked_mode, throws_with_the_index) {
  auto const x = six();
  std::string const text = "index 6 of dimension 0, which has 6 elements. Fix: an index from -6 to 5.";
  EXPECT_THROW_TEXT(x.at(6).get(ts::mode::checked), text);
  EXPECT_THROW_TEXT(x.at(6).set(1, ts::mode::checked), text);
  EXPECT_THROW_TEXT(x.at(-7).add(1, ts::mode::checked), "index -7 of dimension 0");
  EXPECT_THROW_TEXT(x.at(ts::span(2, 7)).get(ts::mode::checked), "index [2, 7) of dimension 0, which has 6");
  EXPECT_THROW_TEXT(x.at(ts::asarray({1, 6})).get(ts::mode::checked), text);
  EXPECT_THROW_TEXT(x.at(ts::asarray({1, 6})).min(1, ts::mode::checked), text);
  EXPECT_THROW_TEXT(ts::jit(checked_read)(x, 6), text);
  EXPECT_THROW_TEXT(ts::jit(checked_read)(x, ts::asarray({0, -7})), "index -7 of dimension 0");
  EXPECT_THROW_TEXT(ts::jit(checked_write)(x, ts::asarray({std::uint8_t{200}})), "index 200 of dimension 0");
  EXPECT_THROW_TEXT(ts::jit(checked_take)(x, ts::asarray({6})), text);
  EXPECT_THROW_TEXT(ts::jit(checked_in_a_loop)(x, ts::asarray({6})), text);
  try {
    (void)x.at(6).get(ts::mode::checked);
  } catch (std::out_of_range const&) {
    SUCCEED();
  }
}
TEST(checked_mode, says_nothing_of_what_is_inside) {
  auto const x = six();
  EXPECT_EQ(x.at(5).get(ts::mode::checked).item(), 5);
  EXPECT_EQ(x.at(-6).set(3, ts::mode::checked).to_host()[0], 3);
  EXPECT_EQ(ts::jit(checked_read)(x, ts::asarray({-6, 5})).to_host(), (floats{0, 5}));
  EXPECT_THROW(ts::jit(checked_read)(x, ts::asarray({-7, 5})), std::out_of_range);
  EXPECT_EQ(ts::jit(checked_read)(x, ts::asarray({1, 2})).to_host(), (floats{1, 2}))
      << "a program that has thrown runs again";
  EXPECT_EQ(ts::jit(checked_write)(x, -1).to_host()[5], 6);
  EXPECT_EQ(ts::jit(checked_take)(x, ts::asarray({2})).to_host(), floats{2});
  EXPECT_EQ(ts::jit(checked_in_a_loop)(x, ts::asarray({2})).item(), 4);
}
// Each device checks what it has.
constexpr auto in_a_region =
    ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto x, auto i) { return x.at(i).get(ts::mode::checked); });
constexpr auto of_a_batch = [](auto x, auto i) {
  return ts::vmap([](auto row, auto at) { return row.at(at).get(ts::mode::checked); })(x, i);
};
TEST(checked_mode, in_shard_map_and_vmap) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::device_put<ts::P<dp>>(ts::arange<float, 8>(), mesh);
  auto const good = ts::device_put<ts::P<dp>>(ts::host<4>(std::vector<int>{0, 1, -1, -2}), mesh);
  auto const bad = ts::device_put<ts::P<dp>>(ts::host<4>(std::vector<int>{0, 1, 2, 0}), mesh);
  EXPECT_EQ(in_a_region(x, good).to_host(), (floats{0, 3, 5, 6}));
  EXPECT_THROW_TEXT(in_a_region(x, bad), "index 2 of dimension 0, which has 2 elements");
  auto const square = ts::asarray({{1.f, 2.f}, {3.f, 4.f}});
  EXPECT_EQ(ts::jit(of_a_batch)(square, ts::asarray({1, 0})).to_host(), (floats{2, 3}));
  EXPECT_THROW_TEXT(ts::jit(of_a_batch)(square, ts::asarray({1, 2})), "index 2 of dimension 0, which has 2");
}

// Known while compiling: an error, of arrays and of constants.
using x_type = ts::array_type<float, ts::shape<6>, ts::P<>, ts::no_mesh>;
template <auto F, class... X>
std::string refusal() {
  return ts::why_text<decltype(F), X...>();
}
constexpr auto reads_six = [](auto x) { return x.at(6).get() + 1; };
constexpr auto reads_far_below = [](auto x) { return x.at(-7).get(); };
constexpr auto writes_six = [](auto x) { return x.at(6).set(1) * 2; };
constexpr auto takes_six = [](auto x) { return ts::take<0>(x, 6); };
constexpr auto reads_a_constant = [](auto x) { return x + ts::arange<float, 6>().at(6).get(); };
constexpr auto reads_the_last = [](auto x) {
  return x.at(5).get() + x.at(-6).get() + ts::arange<float, 6>().at(5).get();
};
constexpr auto asks_for_it = [](auto x) { return x.at(6).get(ts::mode::fill) + x.at(6).get(ts::mode::clip); };
TEST(index_known_while_compiling, is_refused) {
  for (std::string const& text : {refusal<reads_six, x_type>(), refusal<writes_six, x_type>(),
                                  refusal<takes_six, x_type>(), refusal<reads_a_constant, x_type>()}) {
    EXPECT_NE(text.find("index 6 is beyond dimension 0, which has 6 elements"), std::string::npos) << text;
  }
  EXPECT_NE((refusal<reads_far_below, x_type>()).find("-7"), std::string::npos);
  EXPECT_EQ((refusal<reads_the_last, x_type>()), "");
  EXPECT_EQ((refusal<asks_for_it, x_type>()), "") << "who names a mode means it";
  static_assert(std::is_void_v<ts::why<decltype(reads_the_last), x_type>>);
  static_assert(!std::is_void_v<ts::why<decltype(reads_six), x_type>>);
  constexpr auto outside = ts::arange<float, 6>().at(6).get();
  EXPECT_THROW_TEXT(ts::asarray(outside), "index 6 is beyond dimension 0, which has 6 elements");
  EXPECT_EQ(ts::asarray(ts::arange<float, 6>().at(6).get()).item(), 5) << "at run time it is moved inside";
}

// A few rows of a dimension that is split over more devices: whole, in one way for both.
constexpr auto first_rows = [](auto c) { return c.at(ts::span<0, 2>()).get(ts::out_sharding<ts::P<>>); };
TEST(span_of_a_split_dimension, names_its_layout) {
  auto const c =
      ts::device_put<ts::P<dp, mp>>(ts::reshape<8, 4>(ts::arange<float, 32>()), ts::make_mesh<grid>(ts::devices()));
  auto const eager = c.at(ts::span<0, 2>()).get(ts::out_sharding<ts::P<>>);
  auto const traced = ts::jit(first_rows)(c);
  static_assert(ts::type_text<decltype(eager)::type> == "float32[2,4]");
  static_assert(std::is_same_v<decltype(eager), decltype(traced)>);
  EXPECT_EQ(eager.to_host(), (floats{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(traced.to_host(), eager.to_host());
  EXPECT_EQ(c.at(ts::span(0, 2)).get().to_host(), eager.to_host());
  auto const columns = c.at(ts::span<0, 2>()).get(ts::out_sharding<ts::P<ts::none, mp>>);
  EXPECT_EQ(ts::typeof_(columns).text(), "float32[2,4@mp]");
  EXPECT_EQ(columns.to_host(), eager.to_host());
}

}  // namespace
