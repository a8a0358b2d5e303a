// SPDX-License-Identifier: Apache-2.0
// nightly
// The dtype of the result of each op of several operands, for each two dtypes, against JAX.

#include "support/recorded_dtypes.hpp"

namespace {

using namespace dtypes;

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
  (of_first<Count, First, E...>(file, table, r, some_dtypes{}), ...);
}
template <int Count, class Table, std::int64_t... E>
void check_several(recorded& file, std::string const& table) {
  std::apply([&](auto const&... r) { (of_firsts<Count, E...>(file, table, r, some_dtypes{}), ...); }, Table::rows);
}

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

TEST(dtypes_of_pairs, of_pairs) {
  recorded file("binary");
  check_several<2, pairs, 4>(file, "binary");
  check_several<2, as_complex, 4>(file, "binary");
  file.expect_all_met("binary");
}
TEST(dtypes_of_pairs, of_triples) {  // of the first one's dtype, the second one's, and the first one's again
  recorded file("ternary");
  check_several<3, triples, 4>(file, "ternary");
  file.expect_all_met("ternary");
}
TEST(dtypes_of_pairs, of_other_pairs) {
  recorded file("of_two");
  check_several<2, of_two_vectors, 4>(file, "of_two");
  check_several<2, of_two_squares, 4, 4>(file, "of_two");
  file.expect_all_met("of_two");
}

}  // namespace
