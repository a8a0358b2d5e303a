// SPDX-License-Identifier: Apache-2.0
// nightly
// What functions do where a dimension, an axis or a count is left out, against JAX: shapes and values.

#include "support/special_rows.hpp"

#include <set>

namespace {

using namespace special;

#define ALONE(op)                                     \
  flat {                                              \
#op, [](auto x, auto, auto) { return ts::op(x); } \
  }
#define SECOND(name, ...)                                                 \
  flat {                                                                  \
    name, [](auto, [[maybe_unused]] auto y, auto) { return __VA_ARGS__; } \
  }
#define THREE(name, ...)                                                                                        \
  flat {                                                                                                        \
    name, []([[maybe_unused]] auto x, [[maybe_unused]] auto y, [[maybe_unused]] auto z) { return __VA_ARGS__; } \
  }

constexpr auto places() { return (2 * ts::arange<3>() + 1) % 3; }  // 1, 0, 2

struct reduced {
  static constexpr auto rows = std::tuple{ALONE(sum),
                                          ALONE(prod),
                                          ALONE(max),
                                          ALONE(min),
                                          ALONE(mean),
                                          ALONE(var),
                                          ALONE(stddev),
                                          ALONE(any),
                                          ALONE(all),
                                          ALONE(argmax),
                                          ALONE(argmin),
                                          ALONE(median),
                                          ALONE(nansum),
                                          ALONE(nanprod),
                                          ALONE(nanmax),
                                          ALONE(nanmin),
                                          ALONE(nanmean),
                                          ALONE(ptp),
                                          ALONE(count_nonzero),
                                          ALONE(logsumexp),
                                          ALONE(norm),
                                          ALONE(matrix_norm),
                                          ALONE(trace),
                                          ALONE(diagonal),
                                          THREE("sum_keepdims", ts::sum(x, ts::keepdims)),
                                          THREE("argmax_keepdims", ts::argmax(x, ts::keepdims)),
                                          THREE("quantile", ts::quantile(x, 0.25)),
                                          SECOND("average", ts::average(y, y* y)),
                                          SECOND("cov", ts::cov(y))};
};
struct kept {
  static constexpr auto rows = std::tuple{ALONE(cumsum),
                                          ALONE(cumprod),
                                          ALONE(sort),
                                          ALONE(argsort),
                                          ALONE(flip),
                                          ALONE(squeeze),
                                          ALONE(ravel),
                                          ALONE(transpose),
                                          ALONE(diff),
                                          ALONE(tril),
                                          ALONE(triu),
                                          ALONE(atleast_2d),
                                          ALONE(round),
                                          ALONE(nan_to_num),
                                          ALONE(softmax),
                                          ALONE(log_softmax),
                                          THREE("lax_cummax", ts::cummax(x)),
                                          THREE("lax_cumlogsumexp", ts::cumlogsumexp(x)),
                                          THREE("top_k", std::get<0>(ts::top_k<2>(x))),
                                          THREE("roll", ts::roll<1>(x)),
                                          THREE("repeat", ts::repeat<2>(x)),
                                          THREE("split", ts::split<2>(x)[1]),
                                          THREE("unstack", ts::unstack(x)[1]),
                                          THREE("moveaxis", ts::moveaxis<0, -1>(x)),
                                          THREE("diag", ts::diag(z)),
                                          THREE("gelu", ts::gelu(z)),
                                          SECOND("layer_norm", ts::layer_norm(y)),
                                          SECOND("rot90", ts::rot90(y)),
                                          SECOND("tile", ts::tile<2>(y)),
                                          SECOND("fft", ts::real(ts::fft(y))),
                                          SECOND("fftshift", ts::fftshift(y))};
};
struct of_places {
  static constexpr auto rows =
      std::tuple{THREE("take", ts::take(x, places())), THREE("take_along_axis", ts::take_along_axis<0>(z, places())),
                 THREE("one_hot", ts::one_hot<3>(places())), THREE("bincount", ts::bincount<4>(places())),
                 SECOND("segment_sum", ts::segment_sum<4>(y, places()))};
};
struct joined {
  static constexpr auto rows = std::tuple{SECOND("concatenate", ts::concatenate(y, y)),
                                          SECOND("stack", ts::stack(y, y)),
                                          SECOND("hstack", ts::hstack(y, y)),
                                          THREE("vstack", ts::vstack(z, z)),
                                          THREE("outer", ts::outer(y, z)),
                                          SECOND("kron", ts::kron(y, y)),
                                          THREE("inner", ts::inner(y, z)),
                                          THREE("dot", ts::dot(x, z)),
                                          THREE("dot_of_matrices", ts::dot(x, ts::transpose(y))),
                                          SECOND("vdot", ts::vdot(y, y)),
                                          THREE("vecdot", ts::vecdot(y, z)),
                                          THREE("tensordot", ts::tensordot(x, y)),
                                          THREE("matmul", ts::matmul(x, ts::transpose(y))),
                                          THREE("isclose", ts::isclose(z, z*(1 + 2e-5))),
                                          THREE("meshgrid", std::get<0>(ts::meshgrid(z, y.at(0).get()))),
                                          THREE("interp", ts::interp(z, ts::arange<float, 4>(), z)),
                                          THREE("searchsorted", ts::searchsorted(ts::arange<float, 4>(), 2.0f)),
                                          THREE("dstack", ts::dstack(z, z)),
                                          THREE("column_stack", ts::column_stack(z, z)),
                                          THREE("linspace", ts::linspace<5>(z.at(0).get(), z.at(1).get())),
                                          SECOND("svd", ts::abs(ts::slice_in_dim<0, 0, 2>(std::get<2>(ts::svd(y))))),
                                          SECOND("eye", ts::eye<3>()),
                                          SECOND("arange", ts::arange<5>()),
                                          SECOND("fftfreq", ts::fftfreq<5>())};
};

template <class Table, class... X>
void check_shapes(answers const& a, std::set<std::string>& met, X const&...) {
  auto const one = [&]<class Op>(row<Op, false> const& r) {
    using result = ts::typeof_t<decltype(r.op(std::declval<ts::traced<typename X::type>>()...))>;
    std::vector<double> shape;
    for (int d = 0; d < result::ndim(); ++d) shape.push_back(static_cast<double>(result::shape()[d]));
    met.insert(r.name);
    ASSERT_TRUE(a.file.count(r.name + std::string(" shape"))) << r.name;
    EXPECT_EQ(shape, numbers(a.file.at(r.name + std::string(" shape")))) << r.name;
  };
  std::apply([&](auto const&... r) { (one(r), ...); }, Table::rows);
}
template <class... Table>
void check_defaults() {
  answers const a = answers_of<float>("defaults", any_zeros);
  auto const x = put<float, 2, 3, 4>(numbers(a.file.at("in x")));
  auto const y = put<float, 3, 4>(numbers(a.file.at("in y")));
  auto const z = put<float, 4>(numbers(a.file.at("in z")));
  std::set<std::string> met;
  (check_shapes<Table>(a, met, x, y, z), ...);
  (check_values<Table>(a, x, y, z), ...);
  for (auto const& [key, words] : a.file) {
    std::string const name = key.substr(0, key.find(' '));
    EXPECT_TRUE(name == "in" || met.count(name)) << name << " has no row here";
  }
}

TEST(special_defaults, as_jax) { check_defaults<reduced, kept, of_places, joined>(); }

}  // namespace
