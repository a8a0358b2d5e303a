// SPDX-License-Identifier: Apache-2.0
// Reductions, cumulative ops, sorts and products of rows with special values, and their gradients, against JAX.

#include "support/special_answers.hpp"

namespace {

using special::differs;
using special::flat;
using special::row;
namespace ts = tessera;

#define OF(op)                                \
  row {                                       \
#op, [](auto x) { return ts::op<-1>(x); } \
  }
#define FLAT(op)                              \
  flat {                                      \
#op, [](auto x) { return ts::op<-1>(x); } \
  }

struct reductions {
  static constexpr auto rows = std::tuple{OF(sum),
                                          OF(prod),
                                          OF(max),
                                          OF(min),
                                          OF(mean),
                                          FLAT(any),
                                          FLAT(all),
                                          FLAT(argmax),
                                          FLAT(argmin),
                                          OF(var),
                                          row{"var_of_3", [](auto x) { return ts::var<-1>(x, ts::ddof<1>); }},
                                          OF(stddev),
                                          OF(ptp),
                                          row{"reduce_sum", [](auto x) { return ts::reduce_sum<1>(x); }},
                                          row{"reduce_max", [](auto x) { return ts::reduce_max<1>(x); }},
                                          row{"reduce_min", [](auto x) { return ts::reduce_min<1>(x); }},
                                          row{"reduce_prod", [](auto x) { return ts::reduce_prod<1>(x); }},
                                          OF(logsumexp),
                                          OF(softmax),
                                          OF(log_softmax),
                                          row{"layer_norm", [](auto x) { return ts::layer_norm(x); }},
                                          row{"rms_norm", [](auto x) { return ts::rms_norm(x); }},
                                          OF(nansum),
                                          OF(nanprod),
                                          OF(nanmax),
                                          OF(nanmin),
                                          OF(nanmean),
                                          FLAT(count_nonzero)};
};
struct orders {
  static constexpr auto rows =
      std::tuple{OF(median),
                 row{"quantile_0", [](auto x) { return ts::quantile<-1>(x, 0.0); }},
                 row{"quantile_quarter", [](auto x) { return ts::quantile<-1>(x, 0.25); }},
                 row{"quantile_third", [](auto x) { return ts::quantile<-1>(x, 1.0 / 3); }},
                 row{"quantile_1", [](auto x) { return ts::quantile<-1>(x, 1.0); }},
                 row{"average", [](auto x) { return ts::average<-1>(x, ts::abs(x) + 1); }},
                 OF(sort),
                 row{"sort_descending", [](auto x) { return ts::sort(x, ts::descending); }},
                 FLAT(argsort),
                 flat{"argsort_descending", [](auto x) { return ts::argsort(x, ts::descending); }},
                 row{"diff", [](auto x) { return ts::diff<1, -1>(x); }},
                 row{"matmul", [](auto x) { return ts::matmul(x, ts::transpose(x)); }},
                 row{"vecdot", [](auto x) { return ts::vecdot(x, x); }},
                 row{"reduce_window_max", [](auto x) { return ts::reduce_window_max(x, ts::window<1, 2>); }},
                 row{"reduce_window_min", [](auto x) { return ts::reduce_window_min(x, ts::window<1, 2>); }},
                 row{"reduce_window_sum", [](auto x) { return ts::reduce_window_sum(x, ts::window<1, 2>); }},
                 flat{"top_k", [](auto x) { return std::get<0>(ts::top_k<3>(x)); }},
                 flat{"top_k_places", [](auto x) { return std::get<1>(ts::top_k<3>(x)); }}};
};
struct cumulative {
  static constexpr auto rows =
      std::tuple{OF(cumsum),
                 OF(cumprod),
                 OF(cummax),
                 OF(cummin),
                 OF(cumlogsumexp),
                 row{"cumsum_reverse", [](auto x) { return ts::cumsum<-1>(x, ts::reverse); }},
                 row{"cumprod_reverse", [](auto x) { return ts::cumprod<-1>(x, ts::reverse); }},
                 row{"cummax_reverse", [](auto x) { return ts::cummax<-1>(x, ts::reverse); }},
                 row{"cummin_reverse", [](auto x) { return ts::cummin<-1>(x, ts::reverse); }},
                 row{"cumlogsumexp_reverse", [](auto x) { return ts::cumlogsumexp<-1>(x, ts::reverse); }}};
};

template <class Table>
void check(special::differences const& other = {}) {
  auto file = special::read("rows");
  auto const x = special::put<26, 4>(file, "x"), w = special::put<26, 4>(file, "y");
  special::check_values<Table>("rows", file, other, false, x);
  special::check_slopes<Table>("rows", file, other, w, x);
}
struct odd {
  static constexpr auto rows = std::tuple{OF(median)};
};
TEST(special_rows, odd) {
  auto file = special::read("odd_rows");
  auto const x = special::put<9, 3>(file, "x");
  special::check_values<odd>("odd_rows", file, {}, false, x);
  special::check_slopes<odd>("odd_rows", file, {}, ts::device_put(ts::host<1>(std::vector<float>(1, 1.0f))), x);
}
TEST(special_rows, reductions) {
  check<reductions>({{"prod by0", {differs::lost, differs::number}},
                     {"reduce_prod by0", {differs::lost, differs::number}},
                     {"nanprod by0", {differs::lost, differs::number}}});
}
TEST(special_rows, orders) {
  check<orders>({{"quantile_0 value", {differs::number}},
                 {"quantile_third value", {differs::number}},
                 {"quantile_1 value", {differs::number}},
                 {"top_k_places value", {differs::other}},
                 {"sort_descending by0", {differs::other}},
                 {"reduce_window_max by0", {differs::other}},
                 {"reduce_window_min by0", {differs::other}}});
}
TEST(special_rows, cumulative) {
  check<cumulative>({{"cumprod by0", {differs::lost, differs::number}},
                     {"cumprod_reverse by0", {differs::lost, differs::number}},
                     {"cummax by0", {differs::other}},
                     {"cummax_reverse by0", {differs::other}},
                     {"cummin by0", {differs::other}},
                     {"cummin_reverse by0", {differs::other}},
                     {"cumlogsumexp by0", {differs::other}},
                     {"cumlogsumexp_reverse by0", {differs::other}}});
}

}  // namespace
