// SPDX-License-Identifier: Apache-2.0
// nightly
// var, stddev, ptp, lax's reductions, rms_norm, triangles, eye, linspace, and the products made of dot_general.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

tensor with_ddof(tensor const& x, oracle::ints const& dims, double ddof, bool keepdims = false) {
  tensor const v = oracle::var(x, dims, keepdims);
  double const n = static_cast<double>(x.size()) / static_cast<double>(v.size());
  return v * (n / (n - ddof));
}
tensor band(tensor const& x, std::int64_t k, bool upper) {
  return oracle::generate(x.extents, [&](oracle::ints const& at) {
    auto const r = at[at.size() - 2], c = at[at.size() - 1];
    return (upper ? c >= r + k : c <= r + k) ? x[at] : 0;
  });
}
tensor rms(tensor const& x) { return x / oracle::sqrt(oracle::mean(x * x, {-1}, true) + 1e-5); }

struct spreads {
  static constexpr auto rows = std::tuple{
      row{"var", [](auto x) { return ts::var(x); }, [](tensor const& x) { return oracle::var(x); }, 1e-5},
      row{"var<0>", [](auto x) { return ts::var<0>(x, ts::keepdims); },
          [](tensor const& x) { return oracle::var(x, {0}, true); }, 1e-5},
      row{"var<1, 2>", [](auto x) { return ts::var<1, 2>(x); },
          [](tensor const& x) {
            return oracle::var(x, {1, 2});
          },
          1e-5},
      row{"var ddof", [](auto x) { return ts::var<1>(x, ts::ddof<1>); },
          [](tensor const& x) { return with_ddof(x, {1}, 1); }, 1e-5},
      row{"var ddof keepdims", [](auto x) { return ts::var<1>(x, ts::ddof<1>, ts::keepdims); },
          [](tensor const& x) { return with_ddof(x, {1}, 1, true); }, 1e-5},
      row{"stddev<-1>", [](auto x) { return ts::stddev<-1>(x); },
          [](tensor const& x) { return oracle::sqrt(oracle::var(x, {-1})); }, 1e-5},
      row{"stddev ddof", [](auto x) { return ts::stddev<0>(x, ts::ddof<2>); },
          [](tensor const& x) { return oracle::sqrt(with_ddof(x, {0}, 2)); }, 1e-5},
      row{"ptp<1>", [](auto x) { return ts::ptp<1>(x); },
          [](tensor const& x) { return oracle::max(x, {1}) - oracle::min(x, {1}); }},
      row{"ptp", [](auto x) { return ts::ptp(x, ts::keepdims); },
          [](tensor const& x) { return oracle::max(x, {}, true) - oracle::min(x, {}, true); }},
      row{"reduce_sum<0, 2>", [](auto x) { return ts::reduce_sum<0, 2>(x); },
          [](tensor const& x) {
            return oracle::sum(x, {0, 2});
          },
          1e-5},
      row{"reduce_max<1>", [](auto x) { return ts::reduce_max<1>(x); },
          [](tensor const& x) { return oracle::max(x, {1}); }},
      row{"reduce_min<0>", [](auto x) { return ts::reduce_min<0>(x); },
          [](tensor const& x) { return oracle::min(x, {0}); }},
      row{"reduce_prod<1>", [](auto x) { return ts::reduce_prod<1>(x); },
          [](tensor const& x) { return oracle::prod(x, {1}); }, 1e-5},
      row{"rms_norm", [](auto x) { return ts::rms_norm(x); }, rms, 1e-5},
      row{"triu", [](auto x) { return ts::triu(x); }, [](tensor const& x) { return band(x, 0, true); }},
      row{"triu<1>", [](auto x) { return ts::triu<1>(x); }, [](tensor const& x) { return band(x, 1, true); }},
      row{"tril", [](auto x) { return ts::tril(x); }, [](tensor const& x) { return band(x, 0, false); }},
      row{"tril<-2>", [](auto x) { return ts::tril<-2>(x); }, [](tensor const& x) { return band(x, -2, false); }},
      row{"eye", [](auto x) { return ts::sum(x) * ts::eye<4, 3, 1>(); },
          [](tensor const& x) {
            return oracle::generate({4, 3},
                                    [&](auto const& at) { return at[1] == at[0] + 1 ? oracle::sum(x).item() : 0; });
          },
          1e-5},
      row{"linspace", [](auto x) { return ts::linspace<5>(ts::max(x), 2); },
          [](tensor const& x) {
            double const from = oracle::max(x).item();
            return oracle::generate({5}, [&](auto const& at) { return from + (2 - from) * double(at[0]) / 4; });
          }},
      row{"linspace of one", [](auto x) { return ts::linspace<1>(ts::min(x), 2.0); },
          [](tensor const& x) { return oracle::reshape(oracle::min(x), {1}); }}};
};
struct integers {
  static constexpr auto rows = std::tuple{
      row{"var", [](auto x) { return ts::var<0>(x); }, [](tensor const& x) { return oracle::var(x, {0}); }, 1e-5},
      row{"ptp", [](auto x) { return ts::ptp<0>(x); },
          [](tensor const& x) { return oracle::max(x, {0}) - oracle::min(x, {0}); }},
      row{"triu", [](auto x) { return ts::triu(x); }, [](tensor const& x) { return band(x, 0, true); }}};
};
struct pending {
  static constexpr auto rows = std::tuple{
      row{"scattered", [](auto x) { return ts::reduce_sum<0>(x, ts::out_sharding<P<dp>>); },
          [](tensor const& x) { return oracle::sum(x, {0}); }, 1e-5},
      row{"pending",
          [](auto x) { return ts::reshard<P<mp>>(ts::reduce_sum<0>(x, ts::out_sharding<P<mp, ts::unreduced<dp>>>)); },
          [](tensor const& x) { return oracle::sum(x, {0}); }, 1e-5}};
};
struct products {
  static constexpr auto rows =
      std::tuple{row{"vdot", [](auto x, auto y) { return ts::vdot(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::sum(x * y); }, 1e-5},
                 row{"inner", [](auto x, auto y) { return ts::inner(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,kj->ik", x, y); }, 1e-5},
                 row{"tensordot<1>", [](auto x, auto y) { return ts::tensordot<1>(x, ts::transpose(y)); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,kj->ik", x, y); }, 1e-5},
                 row{"tensordot", [](auto x, auto y) { return ts::tensordot(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::sum(x * y); }, 1e-5},
                 row{"vecdot", [](auto x, auto y) { return ts::vecdot(x, y); },
                     [](tensor const& x, tensor const& y) { return oracle::sum(x * y, {1}); }, 1e-5},
                 row{"outer", [](auto x, auto y) { return ts::outer(ts::sum<0>(x), ts::sum<0>(y)); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::einsum("i,j->ij", oracle::sum(x, {0}), oracle::sum(y, {0}));
                     },
                     1e-5}};
};
struct asked {
  static constexpr auto rows =
      std::tuple{row{"vdot", [](auto x, auto y) { return ts::vdot(x, y, ts::out_sharding<P<>>); },
                     [](tensor const& x, tensor const& y) { return oracle::sum(x * y); }, 1e-5},
                 row{"inner", [](auto x, auto y) { return ts::inner(x, y, ts::out_sharding<P<none, dp>>); },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,kj->ik", x, y); }, 1e-5},
                 row{"tensordot", [](auto x, auto y) { return ts::tensordot(x, y, ts::out_sharding<P<>>); },
                     [](tensor const& x, tensor const& y) { return oracle::sum(x * y); }, 1e-5},
                 row{"vecdot", [](auto x, auto y) { return ts::vecdot(x, y, ts::out_sharding<P<dp>>); },
                     [](tensor const& x, tensor const& y) { return oracle::sum(x * y, {1}); }, 1e-5}};
};
struct chains {
  static constexpr auto rows = std::tuple{
      row{"ij,jk,kl->il", [](auto x, auto y, auto z) { return ts::einsum<"ij,jk,kl->il">(x, y, z); },
          [](tensor const& x, tensor const& y, tensor const& z) {
            return oracle::einsum("ij,jk->ik", oracle::einsum("ij,jk->ik", x, y), z);
          },
          1e-5},
      row{"three with a shared letter",
          [](auto x, auto y, auto z) { return ts::einsum<"ij,jk,kj->ik">(x, y, ts::transpose(y) + ts::sum(z)); },
          [](tensor const& x, tensor const& y, tensor const& z) {
            return oracle::einsum("ij,jk->ik", x, y * (y + oracle::sum(z)));
          },
          1e-5},
      row{"a scalar of four",
          [](auto x, auto y, auto z) {
            return ts::einsum<"ij,jk,kl,l->">(std::tuple{x, y, z, ts::ones<float, 6>()});
          },
          [](tensor const& x, tensor const& y, tensor const& z) {
            return oracle::sum(oracle::einsum("ij,jk->ik", oracle::einsum("ij,jk->ik", x, y), z));
          },
          1e-5}};
};
struct wide {
  static constexpr auto rows =
      std::tuple{row{"preferred",
                     [](auto x, auto y) {
                       return ts::dot_general<ts::contract<ts::dims<1>, ts::dims<0>>>(x, y, ts::preferred<float>);
                     },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,jk->ik", x, y); }, 1e-5},
                 row{"preferred, asked",
                     [](auto x, auto y) {
                       return ts::dot_general<ts::contract<ts::dims<1>, ts::dims<0>>>(x, y, ts::preferred<double>,
                                                                                      ts::out_sharding<P<>>);
                     },
                     [](tensor const& x, tensor const& y) { return oracle::einsum("ij,jk->ik", x, y); }, 1e-12}};
};

TEST(statistics, over_layouts) {
  dense<float, 4, 8, 6> const x(-3, 3);
  check<spreads, on<grid, P<dp, none, mp>>, jitted>(x);
  check<spreads, nowhere, interpreted>(x);
  check<spreads, on<cube, P<axes<b, a>, c>>, interpreted>(dense<double, 4, 8, 6>(-3, 3));
  check<integers, on<grid, P<dp, mp>>, interpreted>(dense<std::int32_t, 8, 4>(-9, 9));
  check<pending, on<grid, P<dp, mp>>, jitted>(dense<float, 8, 4>(-3, 3));
}

TEST(products, over_layouts) {
  dense<float, 8, 4> const x(-1, 1), y(-1, 1, 3);
  check<products, on<grid, P<>>, jitted>(x, y);
  check<products, nowhere, interpreted>(x, y);
  check<asked, on<grid, P<dp>>, jitted>(x, y);
  check<asked, on<grid, P<axes<dp, mp>>>, interpreted>(x, y);
  check<wide, on<grid, P<dp>, P<none, mp>>, jitted>(dense<ts::bfloat16, 8, 4>(-1, 1), dense<ts::bfloat16, 4, 6>(-1, 1));
}

TEST(einsum, of_several) {
  dense<float, 8, 4> const x(-1, 1);
  dense<float, 4, 2> const y(-1, 1, 3);
  dense<float, 2, 6> const z(-1, 1, 4);
  check<chains, on<grid, P<dp>, P<>, P<>>, jitted>(x, y, z);
  check<chains, nowhere, interpreted>(x, y, z);
  check<chains, on<grid, P<mp, dp>, P<>, P<>>, interpreted>(x, y, z);
}

// Ten thousand times fewer multiplications: the last two first.
struct skewed {
  constexpr auto operator()(auto x, auto y, auto z) const { return ts::einsum<"ij,jk,k->i">(x, y, z); }
};
TEST(einsum, takes_the_cheapest_order) {
  using matrix = ts::array_type<float, ts::shape<64, 64>, P<>, ts::no_mesh>;
  using T = ts::trace_of<skewed, matrix, matrix, ts::array_type<float, ts::shape<64>, P<>, ts::no_mesh>>;
  int products = 0;
  for (auto const& n : T::program.nodes) {
    if (n.op->kind != ts::op_class::dot) continue;
    ++products;
    EXPECT_EQ(n.facts.rank, 1);
  }
  EXPECT_EQ(products, 2);
}

}  // namespace
