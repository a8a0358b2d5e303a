// SPDX-License-Identifier: Apache-2.0
// roll, repeat, unstack, split_at and atleast_1d over layouts.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

tensor rolled(tensor const& x, std::int64_t shift, int dim) {
  return oracle::generate(x.extents, [&](oracle::ints at) {
    auto& i = at[dim];
    auto const n = x.extents[dim];
    i = ((i - shift) % n + n) % n;
    return x[at];
  });
}
tensor repeated(tensor const& x, std::int64_t times, int dim) {
  auto extents = x.extents;
  extents[dim] *= times;
  return oracle::generate(extents, [&](oracle::ints at) {
    at[dim] /= times;
    return x[at];
  });
}

struct rearrangements {
  static constexpr auto rows = std::tuple{
      row{"roll<4, 0>", [](auto x) { return ts::roll<4, 0>(x); }, [](tensor const& x) { return rolled(x, 4, 0); }},
      row{"roll<1, 0>", [](auto x) { return ts::roll<1, 0>(x); }, [](tensor const& x) { return rolled(x, 1, 0); }},
      row{"roll<-3, 0>", [](auto x) { return ts::roll<-3, 0>(x); }, [](tensor const& x) { return rolled(x, -3, 0); }},
      row{"roll<-1, 1>", [](auto x) { return ts::roll<-1, 1>(x); }, [](tensor const& x) { return rolled(x, -1, 1); }},
      row{"roll<1, 1, 1>", [](auto x) { return ts::roll<1, 1, 1>(x); },
          [](tensor const& x) { return rolled(x, 2, 1); }},
      row{"roll<4>", [](auto x) { return ts::roll<4>(x); },
          [](tensor const& x) { return oracle::reshape(rolled(oracle::reshape(x, {-1}), 4, 0), x.extents); }},
      row{"repeat<3, 1>", [](auto x) { return ts::repeat<3, 1>(x); },
          [](tensor const& x) { return repeated(x, 3, 1); }},
      row{"split_at", [](auto x) { return std::get<1>(ts::split_at<1, 1, 3>(x)); },
          [](tensor const& x) {
            return oracle::slice(x, {0, 1}, {8, 3});
          }},
      row{"atleast_3d", [](auto x) { return ts::atleast_3d(x); },
          [](tensor const& x) { return oracle::expand_dims(x, 2); }}};
};
struct unstacked {
  static constexpr bool sized = true;  // how many results there are is part of the result's type
  static constexpr auto rows = std::tuple{row{"unstack", [](auto x) { return ts::unstack<1>(x)[2]; },
                                              [](tensor const& x) {
                                                return oracle::squeeze(oracle::slice(x, {0, 2}, {8, 3}), 1);
                                              }}};
};
struct asked {
  static constexpr auto rows =
      std::tuple{row{"repeat<2, 0>", [](auto x) { return ts::repeat<2, 0>(x, ts::out_sharding<P<dp>>); },
                     [](tensor const& x) { return repeated(x, 2, 0); }},
                 row{"repeat<2, 0> to mp", [](auto x) { return ts::repeat<2, 0>(x, ts::out_sharding<P<none, mp>>); },
                     [](tensor const& x) { return repeated(x, 2, 0); }},
                 row{"repeat<2>", [](auto x) { return ts::repeat<2>(x, ts::out_sharding<P<axes<mp, dp>>>); },
                     [](tensor const& x) { return repeated(oracle::reshape(x, {-1}), 2, 0); }}};
};
struct of_scalars {
  static constexpr auto rows =
      std::tuple{row{"atleast_1d", [](auto x) { return ts::atleast_1d(ts::sum(x)); },
                     [](tensor const& x) { return oracle::expand_dims(oracle::sum(x), 0); }},
                 row{"atleast_2d", [](auto x) { return ts::atleast_2d(ts::sum<1>(x)); },
                     [](tensor const& x) { return oracle::expand_dims(oracle::sum(x, {1}), 0); }}};
};

using matrix = dense<float, 8, 4>;

TEST(rearrange, moves_elements) {
  matrix const x(-1, 1);
  check<rearrangements, on<grid, P<dp>>, jitted>(x);
  check<rearrangements, nowhere, eagerly>(x);
  check<unstacked, on<grid, P<dp>>, jitted>(x);
  check<unstacked, on<cube, P<c>>, interpreted>(x);
  check<rearrangements, on<cube, P<c>>, interpreted>(x);
}

TEST(rearrange, to_a_layout) {
  matrix const x(-1, 1);
  check<asked, on<grid, P<dp, mp>>, jitted>(x);
  check<asked, on<grid, P<none, dp>>, interpreted>(x);
  check<of_scalars, on<grid, P<dp, mp>>, interpreted>(x);
}

TEST(rearrange, of_other_dtypes) {
  check<rearrangements, on<grid, P<dp>>, interpreted>(dense<std::int64_t, 8, 4>(-9, 9));
  check<rearrangements, on<grid, P<dp>>, interpreted>(dense<bool, 8, 4>(0, 2));
}

}  // namespace
