// SPDX-License-Identifier: Apache-2.0
// Arrays whose last dimension is short: operands that repeat along rows or over them, few rows in many turns, rows of
// tables, and transpositions from and to few columns.
// optimized, by day only so

#include <tessera/exec/fused/patch.hpp>
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace ts = tessera;

namespace {

// Small whole numbers, of which every type has sums and products.
template <class T>
std::vector<T> numbers(std::int64_t count, int seed) {
  std::vector<T> made;
  for (std::int64_t i = 0; i < count; ++i) {
    auto const whole = static_cast<int>((i * 7 + seed) % 5);
    if constexpr (ts::is_complex(ts::dtype_of<T>()))
      made.push_back(T(static_cast<float>(whole), static_cast<float>(seed)));
    else if constexpr (std::is_integral_v<T>)
      made.push_back(static_cast<T>(whole));
    else
      made.push_back(static_cast<T>(static_cast<float>(whole)));
  }
  return made;
}

// of each batch: a value of a row, a row for all, all elements, a row for all batches
constexpr auto combined = [](auto of_row, auto of_column, auto all, auto fixed) {
  auto const product = of_row * of_column;
  return std::tuple{product, product + all, all * fixed};
};

template <class T, std::int64_t Columns>
void check_width() {
  constexpr std::int64_t batches = 3, rows = 37;  // more rows than one turn of a loop has, and a rest
  auto const of_row = numbers<T>(batches * rows, 1), of_column = numbers<T>(batches * Columns, 2);
  auto const all = numbers<T>(batches * rows * Columns, 3), fixed = numbers<T>(Columns, 4);
  auto const results = ts::jit(combined)(
      ts::asarray(ts::host<batches, rows, 1>(of_row)), ts::asarray(ts::host<batches, 1, Columns>(of_column)),
      ts::asarray(ts::host<batches, rows, Columns>(all)), ts::asarray(ts::host<Columns>(fixed)));
  auto const product = std::get<0>(results).to_host(), sum = std::get<1>(results).to_host(),
             scaled = std::get<2>(results).to_host();
  for (std::int64_t b = 0; b < batches; ++b)
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < Columns; ++c) {
        auto const at = static_cast<std::size_t>((b * rows + r) * Columns + c);
        auto const x = of_row[b * rows + r], y = of_column[b * Columns + c];
        ASSERT_EQ(product[at], static_cast<T>(x * y)) << Columns << " columns, at " << at;
        ASSERT_EQ(sum[at], static_cast<T>(static_cast<T>(x * y) + all[at])) << Columns << " columns, at " << at;
        ASSERT_EQ(scaled[at], static_cast<T>(all[at] * fixed[c])) << Columns << " columns, at " << at;
      }
}
template <class T, std::int64_t... C>
void check_widths(std::integer_sequence<std::int64_t, C...>) {
  (check_width<T, C>(), ...);
}

template <class T>
class narrow_rows : public testing::Test {};
using elements =
    testing::Types<float, double, std::int8_t, std::int32_t, ts::float16, ts::bfloat16, ts::complex64, ts::complex128>;
TYPED_TEST_SUITE(narrow_rows, elements);

TYPED_TEST(narrow_rows, of_operands_that_repeat) {
  check_widths<TypeParam>(std::integer_sequence<std::int64_t, 5, 17>{});
}

TEST(narrow_rows_of_float32, of_all_widths) {
  check_widths<float>(std::integer_sequence<std::int64_t, 1, 8, 16, 33>{});
}

// Few rows in each turn of a loop outside of them: of each turn and row a value, of each row a row for all turns, of each
// turn a row for all rows, all elements; and sums of rows.
constexpr auto in_turns = [](auto of_row, auto of_rows, auto of_turn, auto all) {
  auto const product = of_row * of_rows + of_turn;
  return std::tuple{product, product * all, ts::sum<-1>(product * all), ts::max<-1>(all * of_rows)};
};
template <class T, std::int64_t Turns, std::int64_t Rows, std::int64_t Columns>
void check_turns() {
  auto const of_row = numbers<T>(Turns * Rows, 1), of_rows = numbers<T>(Rows * Columns, 2);
  auto const of_turn = numbers<T>(Turns * Columns, 3), all = numbers<T>(Turns * Rows * Columns, 4);
  auto const results = ts::jit(in_turns)(
      ts::asarray(ts::host<Turns, Rows, 1>(of_row)), ts::asarray(ts::host<Rows, Columns>(of_rows)),
      ts::asarray(ts::host<Turns, 1, Columns>(of_turn)), ts::asarray(ts::host<Turns, Rows, Columns>(all)));
  auto const product = std::get<0>(results).to_host(), scaled = std::get<1>(results).to_host(),
             sums = std::get<2>(results).to_host(), most = std::get<3>(results).to_host();
  for (std::int64_t e = 0; e < Turns; ++e)
    for (std::int64_t k = 0; k < Rows; ++k) {
      T sum{}, largest = static_cast<T>(all[(e * Rows + k) * Columns] * of_rows[k * Columns]);
      for (std::int64_t c = 0; c < Columns; ++c) {
        auto const at = static_cast<std::size_t>((e * Rows + k) * Columns + c);
        T const want = static_cast<T>(of_row[e * Rows + k] * of_rows[k * Columns + c] + of_turn[e * Columns + c]);
        ASSERT_EQ(product[at], want) << Turns << " x " << Rows << " x " << Columns << ", at " << at;
        ASSERT_EQ(scaled[at], static_cast<T>(want * all[at])) << Turns << " x " << Rows << " x " << Columns;
        sum = static_cast<T>(sum + want * all[at]);
        largest = std::max(largest, static_cast<T>(all[at] * of_rows[k * Columns + c]));
      }
      auto const at = static_cast<std::size_t>(e * Rows + k);
      ASSERT_EQ(sums[at], sum) << Turns << " x " << Rows << " x " << Columns << ", row " << at;
      ASSERT_EQ(most[at], largest) << Turns << " x " << Rows << " x " << Columns << ", row " << at;
    }
}
TEST(narrow_rows_in_turns, of_float32) {
  check_turns<float, 60, 3, 5>();
  check_turns<float, 61, 4, 8>();
  check_turns<float, 48, 3, 40>();
}
TEST(narrow_rows_in_turns, of_other_elements) { check_turns<std::int32_t, 2000, 1, 7>(); }

// Rows of a table that are gathered, and added to: of windows of some columns, indices outside, and one row many times.
template <class T, std::int64_t Columns>
void check_windows() {
  constexpr std::int64_t rows = 23, places = 300;
  auto const table = numbers<T>(rows * Columns, 1), added = numbers<T>(places * Columns, 2);
  std::vector<std::int32_t> at;
  for (std::int32_t i = 0; i < places; ++i) at.push_back(i * 7 % 25 - 1);  // -1 is the last row, 23 is outside
  auto const results = ts::jit([](auto t, auto i, auto y) {
    return std::tuple{t.at(i).get(ts::mode::fill, ts::fill_value(3)), t.at(i).add(y)};
  })(ts::asarray(ts::host<rows, Columns>(table)), ts::asarray(ts::host<places>(at)),
     ts::asarray(ts::host<places, Columns>(added)));
  auto const got = std::get<0>(results).to_host(), sums = std::get<1>(results).to_host();
  std::vector<T> want(table.begin(), table.end());
  for (std::int64_t p = 0; p < places; ++p) {
    std::int64_t const row = at[p] < 0 ? rows - 1 : at[p];
    for (std::int64_t c = 0; c < Columns; ++c) {
      T const value = row < rows ? table[row * Columns + c] : static_cast<T>(3);
      ASSERT_EQ(got[static_cast<std::size_t>(p * Columns + c)], value) << Columns << " columns, place " << p;
      if (row < rows) want[row * Columns + c] = static_cast<T>(want[row * Columns + c] + added[p * Columns + c]);
    }
  }
  for (std::size_t i = 0; i < want.size(); ++i) ASSERT_EQ(sums[i], want[i]) << Columns << " columns, at " << i;
}
TEST(narrow_windows, of_float32) {
  check_windows<float, 1>();
  check_windows<float, 4>();
  check_windows<float, 16>();
  check_windows<float, 21>();
}
TEST(narrow_windows, of_other_elements) {
  check_windows<std::int8_t, 7>();
  check_windows<ts::float16, 21>();
}

template <class Word>
void check_transpositions() {
  for (std::int64_t const columns : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 64, 65})
    for (std::int64_t const rows : {1, 2, 15, 16, 17, 64, 100}) {
      auto const count = static_cast<std::size_t>(rows * columns);
      std::vector<Word> by_rows(count), by_columns(count + 8), back(count + 8);
      for (std::size_t i = 0; i < count; ++i) by_rows[i] = static_cast<Word>(i * 31 + 7);
      using word = ts::detail::raw_word<Word>;
      ts::detail::copy_patch<word>(by_columns.data(), by_rows.data(), {columns, rows, 1, rows, 1, columns});
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
          ASSERT_EQ(by_columns[c * rows + r], by_rows[r * columns + c]) << rows << " x " << columns;
      ts::detail::copy_patch<word>(back.data(), by_columns.data(), {rows, columns, 1, columns, 1, rows});
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(back[i], by_rows[i]) << rows << " x " << columns;
      for (std::size_t i = count; i < count + 8; ++i) ASSERT_TRUE(back[i] == Word{} && by_columns[i] == Word{});
    }
}
TEST(narrow_rows_of_words, are_transposed) {
  check_transpositions<std::uint8_t>();
  check_transpositions<std::uint16_t>();
  check_transpositions<std::uint32_t>();
  check_transpositions<std::uint64_t>();
}

}  // namespace
