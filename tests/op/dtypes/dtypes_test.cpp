// SPDX-License-Identifier: Apache-2.0
// The dtype of each op's result, weak or not, for operands of each dtype and of two, against JAX: dtypes.txt, which
// record_dtypes.py wrote. What differs on purpose is in dtype_differences.txt; what no longer differs fails.

#include "support/special_rows.hpp"
#include "support/typed.hpp"

#include <set>

namespace {

using namespace special;
using ts::weak;

template <class... T>
struct types {};
using one = types<bool, ts::int8, int, ts::uint8, ts::uint32, ts::float16, ts::bfloat16, float, ts::complex64,
                  weak<int>, weak<float>>;
using two = types<bool, int, ts::float16, ts::bfloat16, float, ts::complex64, weak<int>, weak<float>>;

template <class T, std::int64_t... E>
using operand = ts::traced<ts::array_type<T, ts::shape<E...>, ts::P<>, ts::no_mesh>>;

template <class R>
std::string dtype_name() {
  if constexpr (requires { typename R::error; }) {
    return "-";
  } else if constexpr (requires { std::tuple_size<R>::value; }) {
    return dtype_name<std::tuple_element_t<0, R>>();
  } else {
    constexpr ts::array_value of = ts::detail::array_type_in<R>::type::value;
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

template <std::int64_t... E, class Op, bool Slope, class... T>
void of_each(recorded& file, std::string const& table, row<Op, Slope> const& r, types<T...>) {
  file.compare(table, std::string(r.name) + " value", {name_of_type<T>()...},
               {dtype_of_result<Op, operand<T, E...>>(r.op)...});
}
template <class Table, std::int64_t... E>
void check_one(recorded& file, std::string const& table) {
  std::apply([&](auto const&... r) { (of_each<E...>(file, table, r, one{}), ...); }, Table::rows);
}
template <int Count, class First, std::int64_t... E, class Op, bool Slope, class... T>
void of_first(recorded& file, std::string const& table, row<Op, Slope> const& r, types<T...>) {
  using x = operand<First, E...>;
  std::string const key = std::string(r.name) + ' ' + name_of_type<First>();
  if constexpr (Count == 2)
    file.compare(table, key, {name_of_type<T>()...}, {dtype_of_result<Op, x, operand<T, E...>>(r.op)...});
  else
    file.compare(table, key, {name_of_type<T>()...}, {dtype_of_result<Op, x, operand<T, E...>, x>(r.op)...});
}
template <int Count, std::int64_t... E, class Row, class... First>
void of_firsts(recorded& file, std::string const& table, Row const& r, types<First...>) {
  (of_first<Count, First, E...>(file, table, r, two{}), ...);
}
template <int Count, class Table, std::int64_t... E>
void check_several(recorded& file, std::string const& table) {
  std::apply([&](auto const&... r) { (of_firsts<Count, E...>(file, table, r, two{}), ...); }, Table::rows);
}

struct of_vectors {
  static constexpr auto rows =
      std::tuple{row{"invert", [](auto x) { return ts::bitwise_not(x); }},
                 OF(logical_not),
                 row{"cos_of_sum", [](auto x) { return ts::cos(ts::sum(x)); }},
                 row{"astype_float16", [](auto x) { return ts::astype<ts::float16>(x); }},
                 row{"plus_1", [](auto x) { return x + 1; }},
                 row{"plus_half", [](auto x) { return x + 0.5; }},
                 row{"half_minus", [](auto x) { return 0.5 - x; }},
                 row{"over_2", [](auto x) { return x / 2; }},
                 row{"power_2_whole", [](auto x) { return ts::power(x, 2); }},
                 row{"above_0", [](auto x) { return x > 0; }},
                 row{"set_1", [](auto x) { return x.at(0).set(1); }},
                 row{"add_half", [](auto x) { return x.at(0).add(0.5); }},
                 row{"pad", [](auto x) { return ts::pad(x, x.at(0).get(), ts::low<1>, ts::high<1>); }},
                 OF(gelu),
                 row{"einsum", [](auto x) { return ts::einsum<"i,i->">(x, x); }},
                 row{"outer", [](auto x) { return ts::outer(x, x); }},
                 row{"vdot", [](auto x) { return ts::vdot(x, x); }},
                 row{"bincount", [](auto x) { return ts::bincount<4>(x); }},
                 row{"linspace", [](auto x) { return ts::linspace<4>(x.at(0).get(), x.at(1).get()); }},
                 OF(fft),
                 OF(rfft),
                 OF(irfft),
                 OF(zeros_like),
                 row{"full_like", [](auto x) { return ts::full_like(x, 2); }},
                 row{"take", [](auto x) { return ts::take(x, ts::arange<2>()); }},
                 row{"roll", [](auto x) { return ts::roll<1>(x); }}};
};
struct of_squares {
  static constexpr auto rows =
      std::tuple{OF(cov),         OF(det),
                 OF(inv),         row{"slogdet", [](auto x) { return std::get<0>(ts::slogdet(x)); }},
                 OF(cholesky),    row{"eigenvalues", [](auto x) { return std::get<0>(ts::eigh(x)); }},
                 OF(svdvals),     row{"qr", [](auto x) { return std::get<0>(ts::qr(x)); }},
                 OF(pinv),        row{"matrix_power", [](auto x) { return ts::matrix_power<3>(x); }},
                 OF(matrix_rank), OF(condition_number),
                 OF(norm),        OF(matrix_norm),
                 OF(tril),        OF(matrix_trace)};
};
constexpr auto first_three(auto x) { return ts::slice_in_dim<0, 0, 3>(x); }
constexpr auto first_of(auto y) { return y.at(0).get(); }
struct of_two_vectors {
  static constexpr auto rows =
      std::tuple{BOTH(vdot),
                 BOTH(vecdot),
                 BOTH(inner),
                 BOTH(outer),
                 BOTH(kron),
                 row{"cross", [](auto x, auto y) { return ts::cross(first_three(x), first_three(y)); }},
                 row{"concatenate", [](auto x, auto y) { return ts::concatenate<0>(x, y); }},
                 row{"stack", [](auto x, auto y) { return ts::stack<0>(x, y); }},
                 BOTH(hstack),
                 row{"set", [](auto x, auto y) { return x.at(0).set(first_of(y)); }},
                 row{"add_at", [](auto x, auto y) { return x.at(0).add(first_of(y)); }},
                 row{"multiply_at", [](auto x, auto y) { return x.at(0).multiply(first_of(y)); }},
                 row{"max_at", [](auto x, auto y) { return x.at(0).max(first_of(y)); }},
                 BOTH(bitwise_and),
                 BOTH(left_shift),
                 BOTH(logical_and),
                 row{"average", [](auto x, auto y) { return ts::average<0>(x, y); }},
                 BOTH(searchsorted),
                 row{"interp", [](auto x, auto y) { return ts::interp(x, y, y); }},
                 row{"where_mask", [](auto x, auto y) { return ts::where(x, y, 1); }},
                 row{"polynomial", [](auto x, auto y) { return x * y + 1; }},
                 row{"add_scalar", [](auto x, auto y) { return x + first_of(y); }}};
};
struct of_two_squares {
  static constexpr auto rows =
      std::tuple{BOTH(matmul),
                 row{"dot", [](auto x, auto y) { return ts::dot(x, first_of(y)); }},
                 row{"tensordot", [](auto x, auto y) { return ts::tensordot<1>(x, y); }},
                 row{"einsum", [](auto x, auto y) { return ts::einsum<"ij,jk->ik">(x, y); }},
                 BOTH(solve),
                 row{"solve_vector", [](auto x, auto y) { return ts::solve(x, first_of(y)); }},
                 row{"solve_triangular", [](auto x, auto y) { return ts::triangular_solve(x, y, ts::left_side); }},
                 BOTH(lstsq),
                 row{"lstsq_residuals", [](auto x, auto y) { return std::get<1>(ts::lstsq(x, y)); }},
                 row{"lstsq_values", [](auto x, auto y) { return std::get<3>(ts::lstsq(x, y)); }}};
};

TEST(dtypes, of_functions) {
  recorded file("unary");
  check_one<functions, 4>(file, "unary");
  check_one<shapes, 4>(file, "unary");
  check_one<composites, 4>(file, "unary");
  file.expect_all_met("unary");
}
TEST(dtypes, of_rows) {
  recorded file("rows");
  check_one<reductions, 4, 4>(file, "rows");
  check_one<orders, 4, 4>(file, "rows");
  check_one<cumulative, 4, 4>(file, "rows");
  file.expect_all_met("rows");
}
TEST(dtypes, of_other_functions) {
  recorded file("of_one");
  check_one<of_vectors, 4>(file, "of_one");
  check_one<of_squares, 4, 4>(file, "of_one");
  file.expect_all_met("of_one");
}
TEST(dtypes, of_pairs) {
  recorded file("binary");
  check_several<2, pairs, 4>(file, "binary");
  check_several<2, as_complex, 4>(file, "binary");
  file.expect_all_met("binary");
}
TEST(dtypes, of_triples) {  // of the first one's dtype, the second one's, and the first one's again
  recorded file("ternary");
  check_several<3, triples, 4>(file, "ternary");
  file.expect_all_met("ternary");
}
TEST(dtypes, of_other_pairs) {
  recorded file("of_two");
  check_several<2, of_two_vectors, 4>(file, "of_two");
  check_several<2, of_two_squares, 4, 4>(file, "of_two");
  file.expect_all_met("of_two");
}

}  // namespace
