// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tables of ops at NaN, infinities, zeros of both signs, ties and ends of ranges, against what JAX 0.10.2 made of the same
// (special_values.txt, which record_special_values.py wrote): values, gradients of sum(w value) by each argument, and
// gradients of these.
//   struct table { static constexpr auto rows = std::tuple{row{"exp", [](auto x) { return ts::exp(x); }}, ...}; };
//   check<table, float, 32>("unary", signed_zeros);   check_bends<table, float, 10>("bends");
// Elements that differ on purpose are in special_differences.txt, with what they are here; one that does not differ fails.

#include "support/on_grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace special {

namespace ts = tessera;

// `near`: how far a float may lie from the recorded one, as a part of it. With Slope == false no gradient is compared.
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
inline lines read(std::string const& table, char const* from = "special_values.txt") {
  std::ifstream file(std::string(TESSERA_SOURCE_DIR "/tests/op/special/") + from);
  lines all;
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, table.size() + 1, table + ' ') != 0) continue;
    std::istringstream words(line);
    std::string own, name, part, word;
    words >> own >> name >> part;
    auto& values = all[name + ' ' + part];
    while (words >> word) values.push_back(word);
  }
  return all;
}
inline std::vector<double> numbers(std::vector<std::string> const& words) {
  std::vector<double> v;
  for (auto const& word : words) v.push_back(std::strtod(word.c_str(), nullptr));
  return v;
}

template <class T>
constexpr bool is_complex = ts::detail::is_complex_type<T>;

template <class T, std::int64_t... E>
auto put(std::vector<double> const& from) {
  std::vector<T> v;
  if constexpr (is_complex<T>) {
    using part = typename T::value_type;
    for (std::size_t i = 0; i < from.size(); i += 2)
      v.push_back(T(static_cast<part>(from[i]), static_cast<part>(from[i + 1])));
  } else {
    for (double x : from) v.push_back(static_cast<T>(x));
  }
  return ts::device_put(ts::host<E...>(v));
}

// A table: what is recorded, and what differs.
struct answers {
  std::string table;
  lines file = read(table), differences = read(table, "special_differences.txt");
  bool signed_zeros = false;
  double scale = 1;  // of bounds
};
enum zeros { any_zeros, signed_zeros };
template <class T>
answers answers_of(std::string const& table, zeros signs) {
  answers all{table};
  EXPECT_FALSE(all.file.empty()) << "no table " << table;
  all.signed_zeros = signs == signed_zeros;
  constexpr ts::dtype part = ts::real_of(ts::dtype_of<T>());
  all.scale = part == ts::dtype::float64    ? 1e-6
              : part == ts::dtype::float16  ? 2e3
              : part == ts::dtype::bfloat16 ? 1.6e4
                                            : 1;
  return all;
}

inline bool same(double got, double want, double bound, bool signs) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (got == want) return got != 0 || !signs || std::signbit(got) == std::signbit(want);
  if (std::isinf(got) || std::isinf(want)) return false;
  return std::fabs(got - want) <= bound * std::fabs(want) + (signs ? 1e-37 : 1e-6);
}

template <class Array>
std::vector<double> flattened(Array const& array) {
  std::vector<double> all;
  for (auto const& value : array.to_host()) {
    if constexpr (is_complex<std::remove_cvref_t<decltype(value)>>) {
      all.push_back(value.real());
      all.push_back(value.imag());
    } else {
      all.push_back(static_cast<double>(value));
    }
  }
  return all;
}

template <class Array>
void compare(answers const& a, char const* name, std::string const& part, Array const& array, double near) {
  std::string const key = std::string(name) + ' ' + part;
  auto const line = a.file.find(key);
  if (line == a.file.end()) {
    ADD_FAILURE() << a.table << ": nothing is recorded of " << key;
    return;
  }
  std::map<std::size_t, double> known;
  if (auto const d = a.differences.find(key); d != a.differences.end())
    for (auto const& word : d->second)
      known[std::strtoul(word.c_str(), nullptr, 10)] = std::strtod(word.c_str() + word.find('=') + 1, nullptr);
      // Its vector forms may order operations otherwise, and then have JAX's answer where the list has ours.
#ifdef __FMA__
  constexpr bool for_this_processor = true;
#else
  constexpr bool for_this_processor = false;
#endif
  std::vector<double> const want = numbers(line->second), host = flattened(array);
  ASSERT_EQ(host.size(), want.size()) << a.table << ' ' << key;
  bool const signs = a.signed_zeros && part == "value";
  double const bound = near * a.scale, written = near * std::max(a.scale, 1e-3);  // of nine digits
  std::ostringstream text, now;
  now.precision(9);
  bool differs = false;
  for (std::size_t i = 0; i < host.size(); ++i) {
    double const got = host[i];
    auto const ours = known.find(i);
    bool const as_recorded = same(got, want[i], bound, signs);
    if (!as_recorded) now << ' ' << i << '=' << (std::isnan(got) ? std::fabs(got) : got);
    if (ours == known.end() ? as_recorded : !as_recorded && same(got, ours->second, written, signs)) continue;
    if (for_this_processor && as_recorded) continue;
    differs = true;
    text << " [" << i << "](";
    for (char const* of : {"in x", "in y", "in z"})
      if (a.file.count(of) && a.file.at(of).size() == want.size()) text << a.file.at(of)[i] << ", ";
    text << ") " << got << ", JAX " << line->second[i];
    if (ours != known.end()) text << ", known as " << ours->second;
    text << ';';
  }
  if (differs) ADD_FAILURE() << text.str() << "\nwhat differs: " << a.table << ' ' << key << now.str();
}

template <class Table>
struct values_of {
  constexpr auto operator()(auto... x) const {
    return std::apply([&](auto const&... r) { return std::make_tuple(r.op(x...)...); }, Table::rows);
  }
};

// sum(w y), w of y's shape; else the sum. Of complex y the real part's.
constexpr auto weighted(auto w, auto y) {
  if constexpr (ts::is_complex(ts::typeof_t<decltype(y)>::dtype()))
    return ts::sum(ts::real(y));
  else if constexpr (ts::typeof_t<decltype(y)>::shape() == ts::typeof_t<decltype(w)>::shape())
    return ts::sum(y * w);
  else
    return ts::sum(y);
}
template <class Op>
struct loss {
  Op op;
  constexpr auto operator()(auto w, auto... x) const { return weighted(w, op(x...)); }
};
template <int N, class F>
constexpr auto slopes(F const& f, auto w, auto... x) {
  if constexpr (N == 1)
    return std::tuple{ts::grad<1>(f)(w, x...)};
  else if constexpr (N == 2)
    return ts::grad<1, 2>(f)(w, x...);
  else
    return ts::grad<1, 2, 3>(f)(w, x...);
}
// The sum of all gradients of F.
template <class F>
struct sum_of_slopes {
  F f;
  constexpr auto operator()(auto w, auto... x) const {
    return std::apply([&](auto... g) { return (weighted(w, g) + ...); }, slopes<sizeof...(x)>(f, w, x...));
  }
};
template <class Table, bool Bends>
struct slopes_of {
  constexpr auto operator()(auto w, auto... x) const {
    return std::apply([&](auto const&... r) { return std::tuple_cat(one(r, w, x...)...); }, Table::rows);
  }
  template <class Op, bool Slope>
  static constexpr auto one(row<Op, Slope> const& r, auto w, auto... x) {
    if constexpr (!Slope)
      return std::tuple{};
    else if constexpr (Bends)
      return slopes<sizeof...(x)>(sum_of_slopes<loss<Op>>{{r.op}}, w, x...);
    else
      return slopes<sizeof...(x)>(loss<Op>{r.op}, w, x...);
  }
};

template <class Table, class... X>
void check_values(answers const& a, X const&... x) {
  static_assert(std::is_void_v<ts::detail::call_refused<values_of<Table>, X...>>);
  auto const results = ts::detail::run_jitted<values_of<Table>, false>(x...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (compare(a, std::get<I>(Table::rows).name, "value", std::get<I>(results), std::get<I>(Table::rows).near), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(Table::rows)>>{});
}
template <class Table, bool Bends, class W, class... X>
void check_slopes(answers const& a, W const& w, X const&... x) {
  static_assert(std::is_void_v<ts::detail::call_refused<slopes_of<Table, Bends>, W, X...>>);
  auto const results = ts::detail::run_jitted<slopes_of<Table, Bends>, false>(w, x...);
  std::vector<std::pair<char const*, double>> asked;  // and how near
  auto const ask = [&]<class Op, bool Slope>(row<Op, Slope> const& one) {
    for (std::size_t k = 0; Slope && k < sizeof...(X); ++k) asked.emplace_back(one.name, std::max(one.near, 2e-5));
  };
  std::apply([&](auto const&... r) { (ask(r), ...); }, Table::rows);
  std::size_t at = 0;
  auto const one = [&](auto const& got) {
    auto const [name, near] = asked[at];
    compare(a, name, (Bends ? "bend" : "by") + std::to_string(at % sizeof...(X)), got, near);
    ++at;
  };
  std::apply([&](auto const&... got) { (one(got), ...); }, results);
}

template <class T>
using weight_of = ts::element_of<ts::real_of(ts::dtype_of<T>())>;
template <class T>
auto one() {
  return ts::device_put(ts::host<1>(std::vector<T>(1, static_cast<T>(1.0f))));
}
// Rows of one operand of shape E..., whose values are weighted by the table's `y` where it has one.
template <class Table, class T, std::int64_t... E>
void check(std::string const& table, zeros signs = any_zeros) {
  answers const a = answers_of<T>(table, signs);
  auto const x = put<T, E...>(numbers(a.file.at("in x")));
  check_values<Table>(a, x);
  if (a.file.count("in y"))
    check_slopes<Table, false>(a, put<weight_of<T>, E...>(numbers(a.file.at("in y"))), x);
  else
    check_slopes<Table, false>(a, one<float>(), x);
}
template <class Table, class T, std::int64_t N>
void check_pairs(std::string const& table) {
  answers const a = answers_of<T>(table, signed_zeros);
  auto const x = put<T, N>(numbers(a.file.at("in x"))), y = put<T, N>(numbers(a.file.at("in y")));
  check_values<Table>(a, x, y);
  check_slopes<Table, false>(a, one<float>(), x, y);
}
template <class Table, class T, std::int64_t... E>
void check_bends(std::string const& table) {
  answers const a = answers_of<T>(table, any_zeros);
  auto const x = put<T, E...>(numbers(a.file.at("in x")));
  if (a.file.count("in y"))
    check_slopes<Table, true>(a, put<weight_of<T>, E...>(numbers(a.file.at("in y"))), x);
  else
    check_slopes<Table, true>(a, one<float>(), x);
}

}  // namespace special
