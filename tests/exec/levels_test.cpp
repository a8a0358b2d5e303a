// SPDX-License-Identifier: Apache-2.0
// The engine's loops give the same bits at each level of instructions: of numbers of all sizes, infinities and NaN among
// them, in runs of all lengths.

#include <tessera/base/level.hpp>
#include <tessera/tessera.hpp>

#include <tessera/engine/exec/device/levels.hpp>
#include <tessera/engine/exec/fused/find_lanes.hpp>

#include "support/near.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

TESSERA_LOOPS_BEGIN  // which are part of the tests here
    namespace {
  namespace ts = tessera;
  using ts::detail::level;

  constexpr std::array<level, 2> above{level::x86_64_v3, level::x86_64_v4};

  bool runs_here(level l) { return ts::detail::processor_level() >= l; }

  std::uint64_t mixed(std::uint64_t i) {
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    i = (i ^ (i >> 29)) * 0xbf58476d1ce4e5b9u;
    return i ^ (i >> 32);
  }
  // Bits of any kind; of whole numbers small ones, so that products and shifts of them are defined.
  template <class T>
  T some(std::uint64_t i) {
    if constexpr (std::is_same_v<T, bool>)
      return mixed(i) & 1;
    else if constexpr (std::is_same_v<T, float>)
      return i % 3 ? static_cast<float>(static_cast<std::int64_t>(mixed(i) >> 40)) / 65536.0f - 128.0f
                   : std::bit_cast<float>(static_cast<std::uint32_t>(mixed(i)));
    else if constexpr (std::is_same_v<T, double>)
      return i % 3 ? static_cast<double>(mixed(i) >> 40) / 65536.0 - 128.0 : std::bit_cast<double>(mixed(i));
    else if constexpr (ts::detail::is_complex_type<T>)
      return T(some<typename ts::detail::real_type<T>::type>(3 * i + 1),
               some<typename ts::detail::real_type<T>::type>(3 * i + 2));
    else
      return static_cast<T>(mixed(i) % 1000);
  }
  // Truth values in bytes: a std::vector of them has no data().
  template <class T>
  using list = std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>;
  template <class T>
  list<T> many(std::size_t count, std::uint64_t seed) {
    list<T> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = some<T>(seed * 100000 + i);
    return all;
  }
  // A NaN's sign and payload are no result: which operand's it has, each instruction decides.
  template <class T>
  void expect_same(std::vector<T> const& one, std::vector<T> const& other, std::string const& what) {
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (std::memcmp(&one[i], &other[i], sizeof(T)) == 0) continue;
      if constexpr (std::is_floating_point_v<T>) {
        if (one[i] != one[i] && other[i] != other[i]) continue;
      } else if constexpr (ts::detail::is_complex_type<T>) {
        auto const same = [](auto x, auto y) { return (x != x && y != y) || (x == y); };
        if (same(one[i].real(), other[i].real()) && same(one[i].imag(), other[i].imag())) continue;
      }
      ADD_FAILURE() << what << " differs at " << i << " of " << one.size();
      return;
    }
  }

  template <class Op, class... X>
  void same_op() {
    using R = decltype(Op::eval(X{}...));
    using loop = ts::detail::lane_loop<Op, R, X...>;
    constexpr std::size_t count = 4096;
    std::uint64_t seed = 0;
    auto const next = [&seed]<class T>(std::type_identity<T>) { return many<T>(count, ++seed); };
    std::tuple<list<X>...> const in{next(std::type_identity<X>{})...};
    auto const computed = [&](ts::lanes_function run) {
      list<R> out(count);
      std::apply(
          [&](auto const&... x) {
            void const* const at[]{x.data()...};
            run(out.data(), at, count);
          },
          in);
      return out;
    };
    auto const expected = computed(&loop::run);
    if (runs_here(level::x86_64_v3))
      expect_same(expected, computed(ts::detail::loop_at<level::x86_64_v3, loop>), std::string(Op::name) + " v3");
    if (runs_here(level::x86_64_v4))
      expect_same(expected, computed(ts::detail::loop_at<level::x86_64_v4, loop>), std::string(Op::name) + " v4");
  }

  template <class T>
  void same_moves(ts::dtype element, level l) {
    constexpr std::size_t side = 150;
    auto const in = many<T>(side * side, 7);
    for (bool const stream : {false, true})
      for (ts::detail::patch const& p :
           {ts::detail::patch{137, side, side, 149, 1, 1}, ts::detail::patch{149, side, 1, 131, 1, side},
            ts::detail::patch{40, side, side, 13, 1, 1}}) {
        std::vector<T> one(side * side), other(side * side);
        ts::detail::copy_of(element, stream, level::as_compiled)(one.data(), in.data(), p);
        ts::detail::copy_of(element, stream, l)(other.data(), in.data(), p);
        expect_same(one, other, "copy");
      }
  }

  template <class T>
  void same_reductions(ts::dtype element, level l) {
    using A = ts::detail::register_of<T>;
    for (ts::monoid m : {ts::monoid::sum, ts::monoid::product, ts::monoid::max, ts::monoid::min,
                         ts::monoid::logical_and, ts::monoid::logical_or}) {
      if (ts::detail::is_complex_type<T> && m != ts::monoid::sum) continue;
      ts::detail::lane_functions const *const one = &ts::detail::lanes_of(element, m, level::as_compiled),
                                              *const other = &ts::detail::lanes_of(element, m, l);
      auto const compare = [&](std::size_t outputs, auto const& run, char const* what) {
        list<A> first(outputs), second(outputs);
        run(*one, first.data());
        run(*other, second.data());
        expect_same(first, second, what);
      };
      auto const values = many<A>(64 * 40, 11);
      for (std::int64_t const count : {1, 15, 64, 111})
        compare(
            128, [&](auto const& f, void* out) { f.merge(out, values.data(), count); }, "merge");
      compare(
          64, [&](auto const& f, void* out) { f.merge_whole(out, values.data(), 64 * 40); }, "merge_whole");
      for (std::int64_t const rows : {1, 2, 4, 12})
        for (bool const stream : {false, true})
          compare(
              200, [&](auto const& f, void* out) { f.rows(out, values.data(), 203, rows, 197, stream); }, "rows");
      auto const elements = many<T>(64 * 9, 13);
      compare(
          64, [&](auto const& f, void* out) { f.element->gather(out, elements.data(), 9, 61); }, "gather");
      compare(
          64, [&](auto const& f, void* out) { f.element->gather(out, elements.data(), 1, 64); }, "gather");
      compare(
          64, [&](auto const& f, void* out) { f.element->count_up(out, 5, 3, 40); }, "count_up");
    }
  }

}  // namespace

TEST(levels, elementwise_loops_have_the_same_bits) {
  ONLY_ON_HOST();
  same_op<ts::ops::exp, float>();
  same_op<ts::ops::log, float>();
  same_op<ts::ops::tanh, float>();
  same_op<ts::ops::erf, float>();
  same_op<ts::ops::logistic, float>();
  same_op<ts::ops::expm1, float>();
  same_op<ts::ops::log1p, float>();
  same_op<ts::ops::sin, float>();
  same_op<ts::ops::sqrt, float>();
  same_op<ts::ops::rsqrt, double>();
  same_op<ts::ops::floor, float>();
  same_op<ts::ops::multiply, float, float>();
  same_op<ts::ops::divide, float, float>();
  same_op<ts::ops::maximum, float, float>();
  same_op<ts::ops::less, double, double>();
  same_op<ts::ops::add, std::int64_t, std::int64_t>();
  same_op<ts::ops::multiply, std::int32_t, std::int32_t>();
  same_op<ts::ops::add, ts::complex64, ts::complex64>();
  same_op<ts::ops::multiply, ts::complex64, ts::complex64>();
  same_op<ts::ops::multiply, ts::complex128, ts::complex128>();
  same_op<ts::ops::where, bool, float, float>();
}

TEST(levels, moves_and_reductions_have_the_same_bits) {
  ONLY_ON_HOST();
  for (level const l : above) {
    if (!runs_here(l)) {
      std::cout << "not run: " << ts::detail::level_names[static_cast<int>(l)] << ", this processor is below it\n";
      continue;
    }
    same_moves<std::uint8_t>(ts::dtype::uint8, l);
    same_moves<std::int16_t>(ts::dtype::int16, l);
    same_moves<float>(ts::dtype::float32, l);
    same_moves<double>(ts::dtype::float64, l);
    same_moves<ts::complex128>(ts::dtype::complex128, l);
    same_reductions<bool>(ts::dtype::boolean, l);
    same_reductions<std::int8_t>(ts::dtype::int8, l);
    same_reductions<std::int32_t>(ts::dtype::int32, l);
    same_reductions<std::int64_t>(ts::dtype::int64, l);
    same_reductions<std::uint64_t>(ts::dtype::uint64, l);
    same_reductions<float>(ts::dtype::float32, l);
    same_reductions<double>(ts::dtype::float64, l);
    same_reductions<ts::complex64>(ts::dtype::complex64, l);
  }
}

TEST(levels, environment_bounds_them) {
  setenv("TESSERA_LEVEL", "x86-64-v2", 1);
  EXPECT_EQ(ts::detail::level_from_environment(), level::as_compiled);
  setenv("TESSERA_LEVEL", "x86-64-v3", 1);
  EXPECT_EQ(ts::detail::level_from_environment(), level::x86_64_v3);
  setenv("TESSERA_LEVEL", "sse5", 1);
  EXPECT_THROW(ts::detail::level_from_environment(), std::invalid_argument);
  unsetenv("TESSERA_LEVEL");
  EXPECT_EQ(ts::detail::level_from_environment(), level::x86_64_v4);
}
TESSERA_LOOPS_END
