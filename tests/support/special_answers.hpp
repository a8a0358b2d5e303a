// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tables of ops at NaN, infinities, zeros of both signs, ties and ends of ranges, against what JAX 0.10.2 made of the same
// (special_values.txt, which record_special_values.py wrote): values, and gradients of sum(w value) by each argument.
//   struct table { static constexpr auto rows = std::tuple{row{"exp", [](auto x) { return ts::exp(x); }}, ...}; };
//   check_values<table>("unary", file, {}, true, x);   check_slopes<table>("unary", file, {}, w, x);
// Where a result differs on purpose, `differences` say how, and docs/traced-code.md why; one that does not differ fails.

#include "support/on_grid.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

namespace special {

namespace ts = tessera;

// `near`: how far a value may lie from the recorded one, as a part of it. With Slope == false no gradient is compared.
template <class Op, bool Slope = true>
struct row {
  char const* name;
  Op op;
  double near = 4e-6;
  constexpr row(char const* n, Op o, double bound = 4e-6) : name(n), op(o), near(bound) {}
};
template <class Op>
struct flat : row<Op, false> {
  constexpr flat(char const* n, Op o, double bound = 4e-6) : row<Op, false>(n, o, bound) {}
};

// One table of the file: a row's name and what is recorded of it, as "exp value", and the numbers as they are written.
using lines = std::map<std::string, std::vector<std::string>>;
inline lines read(std::string const& table) {
  std::ifstream file(TESSERA_SOURCE_DIR "/tests/op/special_values.txt");
  lines all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string own, name, part, word;
    words >> own >> name >> part;
    if (own != table) continue;
    auto& values = all[name + ' ' + part];
    while (words >> word) values.push_back(word);
  }
  EXPECT_FALSE(all.empty()) << "no table " << table;
  return all;
}
inline std::vector<double> numbers(std::vector<std::string> const& words) {
  std::vector<double> v;
  for (auto const& word : words) v.push_back(std::strtod(word.c_str(), nullptr));
  return v;
}
template <std::int64_t... E>
auto put(lines const& file, char const* part) {
  std::vector<float> v;
  for (double x : numbers(file.at(std::string("in ") + part))) v.push_back(static_cast<float>(x));
  return ts::device_put(ts::host<E...>(v));
}

inline bool same(double got, double want, double bound, bool signs) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (got == want) return got != 0 || !signs || std::signbit(got) == std::signbit(want);
  if (std::isinf(got) || std::isinf(want)) return false;
  return std::fabs(got - want) <= bound * std::fabs(want) + (signs ? 1e-37 : 1e-6);
}
// How a row differs from JAX, by its name and part: `number`: JAX's is not finite, ours is another number or an infinity;
// `lost`: ours is not finite; `zero`: 0 of the other sign; `other`: another choice among equals, or where no answer is right.
enum class differs { number, lost, zero, other };
using differences = std::map<std::string, std::set<differs>>;
inline bool allowed(std::set<differs> const& some, double got, double want) {
  if (some.count(differs::other)) return true;
  if (some.count(differs::number) && !std::isfinite(want) && !std::isnan(got)) return true;
  if (some.count(differs::lost) && !std::isfinite(got)) return true;
  return some.count(differs::zero) && got == 0 && want == 0;
}

template <class Array>
void compare(std::string const& table, lines& file, char const* name, std::string const& part, Array const& array,
             double bound, differences const& other, bool signs) {
  auto const line = file.find(std::string(name) + ' ' + part);
  if (line == file.end()) {
    ADD_FAILURE() << table << ": nothing is recorded of " << name << ' ' << part;
    return;
  }
  auto const known = other.find(std::string(name) + ' ' + part);
  std::vector<double> const want = numbers(line->second);
  std::vector<double> const in = file.count("in x") ? numbers(file.at("in x")) : want;
  auto const host = array.to_host();
  ASSERT_EQ(host.size(), want.size()) << table << ' ' << name << ' ' << part;
  std::size_t i = 0;
  int shown = 0, expected = 0;
  std::ostringstream text;
  for (auto const& value : host) {
    if (double const got = static_cast<double>(value); !same(got, want[i], bound, signs && part == "value")) {
      if (known != other.end() && allowed(known->second, got, want[i])) {
        ++expected;
      } else if (++shown <= 12) {
        text << " [" << i << "](";
        for (char const* of : {"in x", "in y", "in z"})
          if (file.count(of) && file.at(of).size() == want.size()) text << file.at(of)[i] << ", ";
        text << ") " << got << " not " << line->second[i] << ';';
      }
    }
    ++i;
  }
  if (shown) ADD_FAILURE() << table << ' ' << name << ' ' << part << ": " << shown << " differ:" << text.str();
  if (known != other.end()) {
    EXPECT_GT(expected, 0) << table << ' ' << name << ' ' << part << " is as JAX's: remove it from the differences";
  }
}

template <class Table>
struct values_of {
  constexpr auto operator()(auto... x) const {
    return std::apply([&](auto const&... r) { return std::make_tuple(r.op(x...)...); }, Table::rows);
  }
};

// sum(w y), w of y's shape; else the sum.
template <class Op>
struct loss {
  Op op;
  constexpr auto operator()(auto w, auto... x) const {
    auto const y = op(x...);
    if constexpr (ts::typeof_t<decltype(y)>::shape() == ts::typeof_t<decltype(w)>::shape())
      return ts::sum(y * w);
    else
      return ts::sum(y);
  }
};
template <class Table>
struct slopes_of {
  constexpr auto operator()(auto w, auto... x) const {
    return std::apply([&](auto const&... r) { return std::tuple_cat(one(r, w, x...)...); }, Table::rows);
  }
  template <class Op, bool Slope>
  static constexpr auto one(row<Op, Slope> const& r, auto w, auto... x) {
    if constexpr (!Slope)
      return std::tuple{};
    else if constexpr (sizeof...(x) == 1)
      return std::tuple{ts::grad<1>(loss<Op>{r.op})(w, x...)};
    else if constexpr (sizeof...(x) == 2)
      return ts::grad<1, 2>(loss<Op>{r.op})(w, x...);
    else
      return ts::grad<1, 2, 3>(loss<Op>{r.op})(w, x...);
  }
};

template <class Table, class... X>
void check_values(std::string const& table, lines& file, differences const& other, bool signs, X const&... x) {
  auto const results = ts::detail::run_jitted<values_of<Table>, false>(x...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (compare(table, file, std::get<I>(Table::rows).name, "value", std::get<I>(results), std::get<I>(Table::rows).near,
             other, signs),
     ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(Table::rows)>>{});
}
template <class Table, class W, class... X>
void check_slopes(std::string const& table, lines& file, differences const& other, W const& w, X const&... x) {
  auto const results = ts::detail::run_jitted<slopes_of<Table>, false>(w, x...);
  std::vector<char const*> names;
  std::apply(
      [&]<class... R>(R const&... r) {
        (
            [&]<class Op, bool Slope>(row<Op, Slope> const& one) {
              for (std::size_t k = 0; Slope && k < sizeof...(X); ++k) names.push_back(one.name);
            }(r),
            ...);
      },
      Table::rows);
  std::size_t at = 0;
  std::apply(
      [&](auto const&... got) {
        (
            [&] {
              compare(table, file, names[at], "by" + std::to_string(at % sizeof...(X)), got, 2e-5, other, false);
              ++at;
            }(),
            ...);
      },
      results);
}

}  // namespace special
