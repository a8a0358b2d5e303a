// SPDX-License-Identifier: Apache-2.0
// nightly
// Gradients of var, stddev, ptp, rms_norm, triangles and products against central differences.

#include "support/grad_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

tensor band(tensor const& x, bool upper) {
  return oracle::generate(
      x.extents, [&](oracle::ints const& at) { return (upper ? at[1] >= at[0] : at[1] <= at[0] - 1) ? x[at] : 0; });
}
struct of_one {
  static constexpr auto rows = std::tuple{
      row{"var", [](auto x) { return ts::var<1>(x); }, [](tensor const& x) { return oracle::var(x, {1}); }},
      row{"var ddof", [](auto x) { return ts::var<0>(x, ts::ddof<1>); },
          [](tensor const& x) { return oracle::var(x, {0}) * (8.0 / 7); }},
      row{"stddev", [](auto x) { return ts::stddev(x); }, [](tensor const& x) { return oracle::sqrt(oracle::var(x)); }},
      row{"ptp", [](auto x) { return ts::ptp<1>(x); },
          [](tensor const& x) { return oracle::max(x, {1}) - oracle::min(x, {1}); }},
      row{"reduce_sum", [](auto x) { return ts::reduce_sum<0>(x); },
          [](tensor const& x) { return oracle::sum(x, {0}); }},
      row{"reduce_max", [](auto x) { return ts::reduce_max<1>(x); },
          [](tensor const& x) { return oracle::max(x, {1}); }},
      row{"reduce_min", [](auto x) { return ts::reduce_min<0>(x); },
          [](tensor const& x) { return oracle::min(x, {0}); }},
      row{"reduce_prod", [](auto x) { return ts::reduce_prod<1>(x); },
          [](tensor const& x) { return oracle::prod(x, {1}); }},
      row{"rms_norm", [](auto x) { return ts::rms_norm(x); },
          [](tensor const& x) { return x / oracle::sqrt(oracle::mean(x * x, {-1}, true) + 1e-5); }},
      row{"layer_norm", [](auto x) { return ts::layer_norm(x); },
          [](tensor const& x) { return oracle::layer_norm(x); }},
      row{"triu", [](auto x) { return ts::triu(x); }, [](tensor const& x) { return band(x, true); }},
      row{"tril", [](auto x) { return ts::tril<-1>(x); }, [](tensor const& x) { return band(x, false); }},
      row{"linspace", [](auto x) { return ts::linspace<5, double>(ts::sum(x), 2.0); },
          [](tensor const& x) {
            double const from = oracle::sum(x).item();
            return oracle::generate({5}, [&](auto const& at) { return from + (2 - from) * double(at[0]) / 4; });
          }},
      row{"einsum of three",
          [](auto x) {
            return ts::einsum<"ij,kj,kl->il">(ts::reshard<P<>>(x), ts::reshard<P<>>(x), ts::reshard<P<>>(x));
          },
          [](tensor const& x) { return oracle::einsum("ik,kl->il", oracle::einsum("ij,kj->ik", x, x), x); }}};
};
struct of_two {
  static constexpr auto rows =
      std::tuple{row{"vdot", [](auto x, auto y) { return ts::vdot(x, y, ts::out_sharding<P<>>); },
                     [](tensor const& x, tensor const& y) { return oracle::sum(x * y); }},
                 row{"inner", [](auto x, auto y) { return ts::inner(x, y, ts::out_sharding<P<>>); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,kj->ik", x, y); }},
                 row{"tensordot", [](auto x, auto y) { return ts::tensordot(x, y, ts::out_sharding<P<>>); },
                     [](tensor const& x, tensor const& y) { return oracle::sum(x * y); }},
                 row{"vecdot", [](auto x, auto y) { return ts::vecdot(x, y, ts::out_sharding<P<>>); },
                     [](tensor const& x, tensor const& y) { return oracle::sum(x * y, {1}); }},
                 row{"outer", [](auto x, auto y) { return ts::outer(ts::sum<0>(x), ts::sum<1>(y)); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::einsum("i,j->ij", oracle::sum(x, {0}), oracle::sum(y, {1}));
                     }}};
};

TEST(statistics_grad, over_layouts) {
  dense<double, 8, 4> const x(0.3, 1.8);
  check_gradients<of_one, on<grid, P<dp, mp>>>(x);
  check_gradients<of_one, on<grid, P<axes<mp, dp>>>>(x);
  check_gradients<of_one, on<cube, P<none, axes<c, a>>>>(x);
}

TEST(products_grad, over_layouts) {
  dense<double, 8, 4> const x(0.3, 1.8), y(0.3, 1.8, 4);
  check_gradients<of_two, on<grid, P<dp>, P<dp>>>(x, y);
  check_gradients<of_two, on<grid, P<axes<mp, dp>>>>(x, y);
  check_gradients<of_two, nowhere>(x, y);
}

}  // namespace
