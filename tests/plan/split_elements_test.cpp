// SPDX-License-Identifier: Apache-2.0
// Elements that indices name along split dimensions: read and written by the devices that hold them, where that sends
// less than the whole dimension. Values against loops over one array, bytes by hand.

#include "support/on_grid.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace {

using namespace on_grid;
using ts::axes;
using ts::none;
using ts::out_sharding;
using ts::P;
using sent = ts::collective;

using uneven_grid = ts::mesh<ts::uneven_axis<dp, 4>, ts::uneven_axis<mp, 2>>;

constexpr int rows_of_table = 64, columns_of_table = 4;
inline std::vector<int> const places{0, -1, 63, 64, -64, -65, 17, 31, 32, 33, 17, 1000, -1000, 48, 16, 15};

template <class T>
T number(std::size_t i) {
  if constexpr (std::is_same_v<T, bool>)
    return i % 3 == 0;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(i + 1);
  else if constexpr (std::is_same_v<T, ts::complex64>)
    return {static_cast<float>(i), 0.5f - static_cast<float>(i)};
  else
    return static_cast<T>(static_cast<float>(i % 100) + 0.5f);
}
template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> v;
  for (std::size_t i = 0; i < n; ++i) v.push_back(number<T>(i));
  return v;
}
// What JAX reads outside.
template <class T>
T outside() {
  if constexpr (std::is_same_v<T, bool>)
    return true;
  else if constexpr (std::is_integral_v<T>)
    return std::is_signed_v<T> ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
  else
    return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
}
template <class T>
bool same(T x, T y) {
  return x == y || (x != x && y != y);
}

// The row that a place names; -1: none.
int row_of(int place, bool wraps, bool fill, int rows = rows_of_table) {
  if (wraps && place < 0) place += rows;
  if (place >= 0 && place < rows) return place;
  return fill ? -1 : place < 0 ? 0 : rows - 1;
}

template <class S, class T>
auto table_in() {
  auto const of = [](ts::region const& at) {
    std::vector<T> part;
    for (auto r = at[0].start; r < at[0].stop; ++r)
      for (auto c = at[1].start; c < at[1].stop; ++c)
        part.push_back(number<T>(static_cast<std::size_t>(r * columns_of_table + c)));
    return part;
  };
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  return ts::make_array_from_callback<S, ts::shape<rows_of_table, columns_of_table>, T>(mesh, of);
}
template <class S>
auto places_in() {
  return ts::device_put<S>(ts::host<16>(places), ts::make_mesh<grid>(ts::devices()));
}

template <class Out>
constexpr auto read_default = [](auto table, auto at) { return table.at(at).get(out_sharding<Out>); };
template <class Out>
constexpr auto read_filled = [](auto table, auto at) { return table.at(at).get(ts::mode::fill, out_sharding<Out>); };
template <class Out>
constexpr auto read_clipped = [](auto table, auto at) { return table.at(at).get(ts::mode::clip, out_sharding<Out>); };
template <class Out>
constexpr auto read_unwrapped =
    [](auto table, auto at) { return table.at(at).get(ts::mode::fill.no_wrap(), out_sharding<Out>); };

template <class T, class F, class Table, class At>
void reads(F, Table const& table, At const& at, bool wraps, bool fill) {
  SCOPED_TRACE(ts::type_text<Table>);
  auto const got = ts::device_get(run<F>(table, at));
  auto const whole = numbers<T>(rows_of_table * columns_of_table);
  auto const* const y = got.data();
  for (std::size_t i = 0; i < places.size(); ++i)
    for (int c = 0; c < columns_of_table; ++c) {
      int const row = row_of(places[i], wraps, fill);
      T const want = row < 0 ? outside<T>() : whole[static_cast<std::size_t>(row * columns_of_table + c)];
      EXPECT_TRUE(same(static_cast<T>(y[i * columns_of_table + static_cast<std::size_t>(c)]), want)) << i << ' ' << c;
    }
}
template <class T, class S, class At, class Out>
void reads_in_all_modes() {
  auto const table = table_in<S, T>();
  auto const at = places_in<At>();
  reads<T>(read_default<Out>, table, at, true, false);
  reads<T>(read_filled<Out>, table, at, true, true);
  reads<T>(read_clipped<Out>, table, at, true, false);
  reads<T>(read_unwrapped<Out>, table, at, false, true);
}
template <class T>
void reads_in_all_layouts() {
  reads_in_all_modes<T, P<dp>, P<>, P<>>();
  reads_in_all_modes<T, P<dp>, P<dp>, P<dp>>();
  reads_in_all_modes<T, P<dp, mp>, P<dp>, P<dp, mp>>();
  reads_in_all_modes<T, P<axes<mp, dp>>, P<>, P<none, mp>>();
  reads_in_all_modes<T, P<mp, dp>, P<dp>, P<dp>>();
}
TEST(split_elements, rows_are_read_where_they_are) {
  reads_in_all_layouts<float>();
  reads_in_all_layouts<std::int32_t>();
  reads_in_all_layouts<std::uint32_t>();
  reads_in_all_layouts<bool>();
  reads_in_all_layouts<ts::complex64>();
  reads_in_all_layouts<ts::bfloat16>();
}

using table_type = ts::array_type<float, ts::shape<64, 4>, P<dp, none>, grid>;
using both_split = ts::array_type<float, ts::shape<64, 4>, P<dp, mp>, grid>;
using places_type = ts::array_type<std::int32_t, ts::shape<16>, P<dp>, grid>;
using few_places = ts::array_type<std::int32_t, ts::shape<2>, P<none>, grid>;
using place_type = ts::array_type<std::int32_t, ts::shape<>, P<>, grid>;
template <class F, class... X>
constexpr auto const& cost = ts::comm_of<F, X...>;
template <auto const& F, class... X>
constexpr auto const& sends = ts::comm_of<std::remove_cvref_t<decltype(F)>, X...>;

TEST(split_elements, reads_send_what_is_read) {
  // Two rows of 4 floats over a ring of 4: all_reduce sends 3/4 of them twice. The table has 3 * 256 bytes elsewhere.
  static_assert(sends<read_default<P<>>, table_type, few_places>.bytes() == 2 * 3 * 2 * 4 * 4 / 4);
  static_assert(sends<read_default<P<>>, table_type, few_places>.count<dp>(sent::all_reduce) == 1);
  // Split as the places are: these are gathered, and each device gets the sum of its rows.
  constexpr auto const& split = sends<read_default<P<dp, mp>>, both_split, places_type>;
  static_assert(split.count() == 2 && split.count<dp>(sent::reduce_scatter) == 1);
  static_assert(split.bytes() == 3 * 16 * 4 / 4 + 3 * 16 * 2 * 4 / 4);
  static_assert(sends<read_default<P<>>, table_type, place_type>.bytes() == 2 * 3 * 4 * 4 / 4);
  // More is read than there is: the table is gathered.
  using many = ts::array_type<std::int32_t, ts::shape<256>, P<none>, grid>;
  static_assert(sends<read_default<P<>>, table_type, many>.count<dp>(sent::all_gather) == 1);
  static_assert(sends<read_default<P<>>, table_type, many>.bytes() == 3 * 64 * 4 * 4 / 4);
}

// Several readers share what they gather.
constexpr auto read_twice = [](auto table, auto at) {
  auto const whole = ts::reshard<P<>>(table);
  return whole.at(at).get() + whole.at(at + 1).get() + ts::sum<0>(whole);
};
TEST(split_elements, a_value_that_is_whole_for_others_is_read_whole) {
  static_assert(sends<read_twice, table_type, few_places>.bytes() == 3 * 64 * 4 * 4 / 4);
}

#ifndef TESSERA_BY_DAY
// What is written and read in whole arrays is what is written and read in split ones.
template <class F, class Table, class... X>
void as_in_whole_arrays(F, Table const& table, X const&... x) {
  auto const split = ts::device_get(run<F>(table, x...));
  auto const whole =
      ts::device_get(run<F>(ts::device_put<P<>>(table, table.mesh()), ts::device_put<P<>>(x, table.mesh())...));
  ASSERT_EQ(split.size(), whole.size());
  for (std::size_t i = 0; i < split.size(); ++i) EXPECT_TRUE(same(split.data()[i], whole.data()[i])) << i;
}

constexpr auto first_row = [](auto x) { return x.at(0).get(out_sharding<P<>>); };
constexpr auto last_row = [](auto x) { return x.at(-1, ts::span<1, 3>()).get(out_sharding<P<>>); };
constexpr auto some_rows = [](auto x) {
  return x.at(ts::span<14, 60, 9>(), ts::span<1, 4, 2>()).get(out_sharding<P<>>);
};
constexpr auto window_of_4 = [](auto x, auto i) { return ts::dynamic_slice<4, 2>(ts::reshard<P<>>(x), i, 1); };
constexpr auto window_by_mode = [](auto x, auto i) {
  return ts::reshard<P<>>(x).at(i, ts::span<0, 3>()).get(ts::mode::fill);
};
TEST(split_elements, slices_and_windows_are_read_where_they_are) {
  static_assert(sends<first_row, table_type>.bytes() == 2 * 3 * 4 * 4 / 4);
  static_assert(sends<last_row, both_split>.count() == 1);
  static_assert(sends<some_rows, both_split>.bytes() == 2 * 7 * 6 * 2 * 4 / 8);
  static_assert(sends<window_of_4, table_type, place_type>.bytes() == 2 * 3 * 4 * 2 * 4 / 4);
  auto const rows = table_in<P<dp>, double>();
  auto const both = table_in<P<dp, mp>, double>();
  auto const crossed = table_in<P<axes<mp, dp>>, std::int32_t>();
  auto const uneven =
      ts::device_put<P<dp, mp>>(ts::host<10, 5>(numbers<double>(50)), ts::make_mesh<uneven_grid>(ts::devices()));
  auto const all = [](auto f, auto const&... tables) { (as_in_whole_arrays(f, tables), ...); };
  all(first_row, rows, both, crossed, uneven);
  all(last_row, rows, both, crossed, uneven);
  all(some_rows, rows, both, crossed);
  all([](auto x) { return x.at(ts::span<1, 9, 3>(), ts::span<2, 5>()).get(out_sharding<P<>>); }, uneven);
  for (int const i : {0, 15, 14, 60, 63, -1, -64, 70, -90}) {
    auto const place = ts::device_put<P<>>(ts::asarray(i), rows.mesh());
    auto const each = [&](auto f) {
      as_in_whole_arrays(f, rows, place);
      as_in_whole_arrays(f, both, place);
      as_in_whole_arrays(f, crossed, place);
      as_in_whole_arrays(f, uneven, ts::device_put<P<>>(ts::asarray(i), uneven.mesh()));
    };
    each(window_of_4);
    each(window_by_mode);
  }
}

constexpr auto put_rows = [](auto x, auto at, auto v) { return x.at(at).set(v, out_sharding<P<dp, mp>>); };
constexpr auto add_rows = [](auto x, auto at, auto v) { return x.at(at).add(v, out_sharding<P<dp, mp>>); };
constexpr auto clip_rows = [](auto x, auto at, auto v) {
  return x.at(at).max(v, ts::mode::clip, out_sharding<P<dp, mp>>);
};
constexpr auto unwrapped_rows = [](auto x, auto at, auto v) {
  return x.at(at).multiply(v, ts::mode::drop.no_wrap(), out_sharding<P<dp, mp>>);
};
constexpr auto put_window = [](auto x, auto, auto v) {
  return x.at(ts::span<14, 30>()).set(v, out_sharding<P<dp, mp>>);
};
constexpr auto update_known = [](auto x, auto, auto v) { return ts::dynamic_update_slice(x, v, 14, 0); };
constexpr auto update_at = [](auto x, auto at, auto v) {
  return ts::dynamic_update_slice(x, v, at.at(6).get(out_sharding<P<>>), 0);
};
TEST(split_elements, rows_are_written_where_they_are) {
  using values = ts::array_type<float, ts::shape<16, 4>, P<none, none>, grid>;
  using at_all = ts::array_type<std::int32_t, ts::shape<16>, P<none>, grid>;
  static_assert(sends<put_rows, both_split, at_all, values>.count() == 0);
  static_assert(sends<add_rows, both_split, at_all, values>.count() == 0);
  static_assert(sends<put_window, both_split, at_all, values>.count() == 0);
  using both_values = ts::array_type<float, ts::shape<16, 4>, P<dp, mp>, grid>;
  static_assert(sends<update_known, both_split, at_all, both_values>.bytes() == 3 * 16 * 2 * 4 / 4);
  static_assert(sends<update_at, both_split, at_all, both_values>.bytes() == 3 * 16 * 2 * 4 / 4);
  auto const both = table_in<P<dp, mp>, double>();
  auto const at = places_in<P<>>();
  auto const v = ts::device_put<P<>>(ts::host<16, 4>(numbers<double>(64)), both.mesh());
  auto const each = [&](auto f, auto table, auto values) {
    as_in_whole_arrays(f, table, at, values);
    as_in_whole_arrays(f, table, places_in<P<dp>>(), values);
  };
  auto const all = [&](auto f) {
    each(f, both, v);
    each(f, table_in<P<dp>, double>(), v);
    each(f, table_in<P<axes<mp, dp>>, double>(), v);
  };
  all(put_rows);
  all(add_rows);
  all(clip_rows);
  all(unwrapped_rows);
  all(put_window);
  auto const updates = [&](auto f) {
    each(f, both, ts::device_put<P<dp, mp>>(v, both.mesh()));
    each(f, table_in<P<axes<mp, dp>>, double>(), ts::device_put<P<axes<mp, dp>>>(v, both.mesh()));
  };
  updates(update_known);
  updates(update_at);
}

// Over Auto axes, too.
TEST(split_elements, over_auto_axes) {
  using loose = ts::mesh<ts::auto_axis<dp, 4>, ts::auto_axis<mp, 2>>;
  using loose_table = ts::array_type<float, ts::shape<64, 4>, P<none, none>, loose>;
  using loose_places = ts::array_type<std::int32_t, ts::shape<2>, P<none>, loose>;
  using read = decltype(ts::jit<ts::in_shardings<P<dp>, P<>>, ts::out_shardings<P<>>>(
      [](auto table, auto at) { return table.at(at).get(); }));
  static_assert(ts::comm_of<read, loose_table, loose_places>.bytes() == 2 * 3 * 2 * 4 * 4 / 4);
}

// The gradient of rows that were read is added where they are.
constexpr auto loss = [](auto table, auto at) { return ts::sum(ts::tanh(table.at(at).get(out_sharding<P<>>))); };
using slope_of_loss = decltype(ts::grad(loss));
TEST(split_elements, gradients_stay_where_the_rows_are) {
  static_assert(cost<slope_of_loss, table_type, few_places>.bytes() == 2 * 3 * 2 * 4 * 4 / 4);
  auto const at = places_in<P<>>();
  as_in_whole_arrays(slope_of_loss{}, table_in<P<dp>, double>(), at);
  as_in_whole_arrays(slope_of_loss{}, table_in<P<dp, mp>, double>(), at);
  as_in_whole_arrays(slope_of_loss{}, table_in<P<axes<mp, dp>>, double>(), at);
}
#endif
}  // namespace
