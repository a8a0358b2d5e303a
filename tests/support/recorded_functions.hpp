// SPDX-License-Identifier: Apache-2.0
#pragma once
// A call of a function beside what JAX makes of it (tests/functions/recorded, which record.py wrote):
//   expect_recorded<float[8][6]>("relu6", [](auto x) { return ts::relu6(x); });
// with inputs of these types, the first dimension of each split over dp; expect_recorded<whole, ...>: not split. Compared are
// results and their dtypes, gradients, and the function mapped over a batch of its inputs and its inputs in reverse order.

#include <tessera/functions.hpp>

#include "support/on_grid.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace recorded {

using namespace on_grid;
using ts::none;
using ts::P;

struct values {
  std::string element, shape;
  std::vector<double> numbers;
};
struct record {
  std::vector<values> given, results, slopes;
};
inline std::vector<values> read_values(std::string const& line) {
  std::vector<values> all;
  std::istringstream parts(line);
  for (std::string part; std::getline(parts, part, ';');) {
    std::istringstream words(part);
    values one;
    words >> one.element >> one.shape;
    for (std::string word; words >> word;) one.numbers.push_back(std::stod(word));
    all.push_back(one);
  }
  return all;
}
inline std::map<std::string, record> const& records() {
  static std::map<std::string, record> const all = [] {
    std::map<std::string, record> found;
    for (auto const& family : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/tests/functions/recorded")) {
      if (family.path().extension() != ".txt") continue;
      std::ifstream file(family.path());
      record* last = nullptr;
      for (std::string line; std::getline(file, line);) {
        if (line.starts_with("  = "))
          last->results = read_values(line.substr(4));
        else if (line.starts_with("  d "))
          last->slopes = read_values(line.substr(4));
        else if (auto const bar = line.find(" | "); bar != line.npos)
          (last = &found[line.substr(0, bar)])->given = read_values(line.substr(bar + 3));
      }
    }
    return found;
  }();
  return all;
}

struct whole;       // inputs are not split
struct not_sloped;  // JAX has no gradient here, or we have none

// A type like float[8][6] as an array type over the grid, its first dimension laid out as First.
template <class T, class First, std::int64_t... E>
struct array_of {
  using element = T;
  static auto put(std::vector<double> const& numbers, ts::device_mesh<grid> const& mesh) {
    // std::vector<bool> has no data().
    std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>> exact(numbers.begin(), numbers.end());
    return ts::device_put<P<First>>(ts::host<E...>(exact), mesh);
  }
};
template <class T, std::size_t N, class First, std::int64_t... E>
struct array_of<T[N], First, E...> : array_of<T, First, E..., static_cast<std::int64_t>(N)> {};
// T[8][6] is an array of 8 T[6].
template <class T, std::size_t N, std::size_t M, class First, std::int64_t... E>
struct array_of<T[N][M], First, E...> : array_of<T[M], First, E..., static_cast<std::int64_t>(N)>{};

template <class X>
constexpr auto weighted(X const& x) {
  if constexpr (ts::Tree<X>) {
    return std::apply([](auto const&... part) { return (weighted(part) + ...); }, x);
  } else if constexpr (ts::is_floating(X::type::value.element)) {
    constexpr ts::extents_list extents = X::type::value.shape();
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
      constexpr std::int64_t size = (extents[D] * ... * 1);
      auto const weights = (ts::remainder(ts::arange<int, size>() * 7, 11) - 5) / 4.0;
      return ts::sum(x * ts::reshape<extents[D]...>(weights));
    }
    (std::make_index_sequence<extents.size()>{});
  } else {
    return ts::zeros<float>();
  }
}
template <class F>
struct total {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return weighted(F{}(x...));
  }
};

template <bool Sloped, class F, class... T>
struct program {
  static constexpr std::size_t count = sizeof...(T);
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return of(std::make_index_sequence<count>{}, std::tuple{x...});
  }

private:
  template <std::size_t... I, class All>
  static constexpr auto of(std::index_sequence<I...>, All const& all) {
    auto const values = F{}(std::get<I>(all)...);
    auto const others = F{}(std::get<count + I>(all)...);
    auto const mapped = ts::vmap(F{})(ts::stack<0>(std::get<I>(all), std::get<count + I>(all))...);
    if constexpr (Sloped)
      return std::tuple{values, others, mapped, slopes<floats>(std::get<I>(all)...)};
    else
      return std::tuple{values, others, mapped};
  }
  static constexpr std::array<bool, count> floating{std::is_floating_point_v<std::remove_all_extents_t<T>>...};
  static constexpr auto floats = [] {
    std::array<int, (std::is_floating_point_v<std::remove_all_extents_t<T>> + ... + 0)> found{};
    std::size_t next = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (floating[i]) found[next++] = static_cast<int>(i);
    return found;
  }();
  template <auto Numbers, class... X>
  static constexpr auto slopes(X const&... x) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      auto const made = ts::grad<Numbers[K]...>(total<F>{})(x...);
      if constexpr (sizeof...(K) == 1)
        return std::tuple{made};
      else
        return made;
    }
    (std::make_index_sequence<Numbers.size()>{});
  }
};

template <class X, class Take>
void each_leaf(X const& x, Take const& take) {
  ts::tree_each(take, x);
}
inline void expect_numbers(std::vector<double> const& got, std::vector<double> const& want, std::size_t from,
                           double tolerance, std::string const& what) {
  double most = 0;
  for (double w : want)
    if (std::isfinite(w)) most = std::max(most, std::abs(w));
  for (std::size_t i = 0; i < want.size(); ++i) {
    double const g = got.at(from + i), w = want[i];
    double const bound = tolerance < 0 ? -tolerance * std::abs(w) : tolerance * std::max(1.0, most);
    if (std::isnan(w) ? std::isnan(g) : std::isinf(w) ? g == w : std::abs(g - w) <= bound) continue;
    ADD_FAILURE() << what << ": element " << i << " is " << g << ", in JAX " << w;
    return;
  }
}
template <class X>
std::vector<double> numbers_of(X const& x) {
  auto const host = x.to_host();
  return {host.begin(), host.end()};
}

template <bool Sloped, class First, class... T, class F>
void expect_call(std::string const& name, F, double tolerance) {
  auto const found = records().find(name);
  ASSERT_NE(found, records().end()) << name;
  record const& want = found->second;
  ASSERT_EQ(want.given.size(), sizeof...(T)) << name;
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const given = [&]<std::size_t... I>(std::index_sequence<I...>, bool reverse) {
    auto const numbers = [&](std::size_t i) {
      auto n = want.given[i].numbers;
      return reverse ? std::vector<double>(n.rbegin(), n.rend()) : n;
    };
    return std::tuple{array_of<T, First>::put(numbers(I), mesh)...};
  };
  auto const all =
      std::tuple_cat(given(std::index_sequence_for<T...>{}, false), given(std::index_sequence_for<T...>{}, true));
  auto const made = std::apply([](auto const&... x) { return run<program<Sloped, F, T...>>(x...); }, all);
  std::vector<std::vector<double>> other;
  each_leaf(std::get<1>(made), [&](auto const& x) { other.push_back(numbers_of(x)); });
  std::size_t next = 0;
  each_leaf(std::get<0>(made), [&]<class X>(X const& x) {
    ASSERT_LT(next, want.results.size()) << name;
    auto const& expected = want.results[next++];
    EXPECT_EQ(std::string(ts::name_of(X::type::value.element)), expected.element) << name;
    expect_numbers(numbers_of(x), expected.numbers, 0, tolerance, name);
  });
  EXPECT_EQ(next, want.results.size()) << name;
  next = 0;
  each_leaf(std::get<2>(made), [&](auto const& x) {
    auto const both = numbers_of(x);
    ASSERT_EQ(both.size(), 2 * other[next].size()) << name;
    expect_numbers(both, want.results[next].numbers, 0, tolerance, name + ", mapped");
    expect_numbers(both, other[next], other[next].size(), tolerance, name + ", mapped in reverse");
    ++next;
  });
  if constexpr (Sloped) {
    ASSERT_FALSE(want.slopes.empty()) << name << " has no recorded gradient";
    next = 0;
    each_leaf(std::get<3>(made), [&](auto const& x) {
      expect_numbers(numbers_of(x), want.slopes.at(next++).numbers, 0, 10 * tolerance, name + ", gradient");
    });
  }
}

// The settings among the types: whole, not_sloped.
template <class First, bool Sloped, class... T>
struct reading;
template <class First, bool Sloped, class... T>
struct reading<First, Sloped, whole, T...> : reading<none, Sloped, T...> {};
template <class First, bool Sloped, class... T>
struct reading<First, Sloped, not_sloped, T...> : reading<First, false, T...> {};
template <class First, bool Sloped, class... T>
struct reading {
  template <class F>
  static void expect(char const* name, F f, double tolerance) {
    constexpr bool any_float = (std::is_floating_point_v<std::remove_all_extents_t<T>> || ...);
    expect_call<Sloped && any_float, First, T...>(name, f, tolerance);
  }
};
template <class... Settings, class F>
void expect_recorded(char const* name, F f, double tolerance = 2e-6) {
  reading<dp, true, Settings...>::expect(name, f, tolerance);
}

// Functions of one and of two arguments in float32 and in float64, within these relative errors.
template <class... Settings, class F>
void expect_of(std::string const& name, F f, double narrow, double wide = 1e-12) {
  expect_recorded<Settings..., float[8][6]>((name + " float32").c_str(), f, -narrow);
  expect_recorded<Settings..., double[8][6]>((name + " float64").c_str(), f, -wide);
}
template <class... Settings, class F>
void expect_of_two(std::string const& name, F f, double narrow, double wide = 1e-12) {
  expect_recorded<Settings..., float[8][6], float[8][6]>((name + " float32").c_str(), f, -narrow);
  expect_recorded<Settings..., double[8][6], double[8][6]>((name + " float64").c_str(), f, -wide);
}

// Of no argument: the values as a constant, and in a program.
template <class F>
void expect_made(std::string const& name, F f) {
  auto const& want = records().at(name).results;
  auto const check = [&](auto const& made) {
    std::size_t next = 0;
    ts::tree_each(
        [&]<class X>(X const& x) {
          EXPECT_EQ(std::string(ts::name_of(X::type::value.element)), want.at(next).element) << name;
          expect_numbers(numbers_of(x), want.at(next++).numbers, 0, 1e-6, name);
        },
        made);
    EXPECT_EQ(next, want.size()) << name;
  };
  check(ts::tree_map([](auto const& x) { return ts::asarray(x); }, f()));
  check(ts::jit(f)());
}

}  // namespace recorded
