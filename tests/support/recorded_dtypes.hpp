// SPDX-License-Identifier: Apache-2.0
#pragma once
// The dtype of each op's result, weak or not, against JAX: tests/op/dtypes/dtypes.txt, which record_dtypes.py wrote. What
// differs on purpose is in dtype_differences.txt; what no longer differs fails.

#include "support/special_rows.hpp"
#include "support/typed.hpp"

#include <set>

namespace dtypes {

using namespace special;
using ts::weak;

template <class... T>
struct types {};
using each_dtype = types<bool, ts::int8, int, ts::uint8, ts::uint32, ts::float16, ts::bfloat16, float, ts::complex64,
                         weak<int>, weak<float>>;
using some_dtypes = types<bool, int, ts::float16, ts::bfloat16, float, ts::complex64, weak<int>, weak<float>>;

template <class T, std::int64_t... E>
using operand = ts::traced<ts::array_type<T, ts::shape<E...>, ts::P<>, ts::no_mesh>>;

template <class R>
std::string dtype_name() {
  if constexpr (requires { typename R::error; }) {
    return "-";
  } else if constexpr (requires { std::tuple_size<R>::value; }) {
    return dtype_name<std::tuple_element_t<0, R>>();
  } else {
    constexpr ts::array_value of = ts::detail::array_type_found_in<R>::type::value;
    return (of.weak && of.element != ts::dtype::boolean ? "~" : "") + std::string(ts::name_of(of.element));
  }
}
template <class F, class... X>
std::string dtype_of_result(F const&) {
  return dtype_name<std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<X const&>()...))>>();
}
template <class T>
std::string name_of_type() {
  return dtype_name<operand<T>>();
}

// One row of a table and what is recorded of it: a word for each of the operands' dtypes.
struct recorded {
  lines all, differences;
  std::set<std::string> met;
  explicit recorded(std::string const& table)
      : all(read(table, "../dtypes/dtypes.txt")), differences(read(table, "../dtypes/dtype_differences.txt")) {}

  // Compares what came, for operands named as in `of`.
  void compare(std::string const& table, std::string const& key, std::vector<std::string> const& of,
               std::vector<std::string> const& got) {
    met.insert(key);
    auto const line = all.find(key);
    if (line == all.end()) {
      ADD_FAILURE() << table << ": nothing is recorded of " << key;
      return;
    }
    ASSERT_EQ(line->second.size(), got.size()) << key;
    std::map<std::string, std::string> known;
    if (auto const d = differences.find(key); d != differences.end())
      for (auto const& word : d->second) known[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    std::string text, now;
    for (std::size_t i = 0; i < got.size(); ++i) {
      bool const as_recorded = got[i] == line->second[i];
      if (!as_recorded) now += ' ' + of[i] + '=' + got[i];
      auto const ours = known.find(of[i]);
      if (ours == known.end() ? as_recorded : !as_recorded && got[i] == ours->second) continue;
      text += ' ' + of[i] + ": " + got[i] + ", JAX " + line->second[i] + ';';
    }
    if (!text.empty())
      ADD_FAILURE() << table << ' ' << key << ':' << text << "\nwhat differs: " << table << ' ' << key << now;
  }
  void expect_all_met(std::string const& table) {
    for (auto const& [key, words] : all) EXPECT_TRUE(met.count(key)) << table << ' ' << key << " has no row here";
    for (auto const& [key, words] : differences) EXPECT_TRUE(met.count(key)) << table << ' ' << key;
  }
};

}  // namespace dtypes
