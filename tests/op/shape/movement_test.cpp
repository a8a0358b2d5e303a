// SPDX-License-Identifier: Apache-2.0
// transpose, swapaxes, moveaxis, expand_dims, squeeze, broadcast_to, tile and reshape, over layouts.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct permutations {
  static constexpr auto rows = std::tuple{
      row{"transpose", [](auto x) { return ts::transpose(x); }, [](tensor const& x) { return oracle::transpose(x); }},
      row{"T", [](auto x) { return x.T(); }, [](tensor const& x) { return oracle::transpose(x); }},
      row{"transpose<1, 2, 0>", [](auto x) { return ts::transpose<1, 2, 0>(x); },
          [](tensor const& x) {
            return oracle::transpose(x, {1, 2, 0});
          }},
      row{"transpose<-1, 0, 1>", [](auto x) { return ts::transpose<-1, 0, 1>(x); },
          [](tensor const& x) {
            return oracle::transpose(x, {2, 0, 1});
          }},
      row{"swapaxes", [](auto x) { return ts::swapaxes<0, -1>(x); },
          [](tensor const& x) {
            return oracle::transpose(x, {2, 1, 0});
          }},
      row{"moveaxis<0, -1>", [](auto x) { return ts::moveaxis<0, -1>(x); },
          [](tensor const& x) {
            return oracle::transpose(x, {1, 2, 0});
          }},
      row{"moveaxis<2, 0>", [](auto x) { return ts::moveaxis<2, 0>(x); },
          [](tensor const& x) {
            return oracle::transpose(x, {2, 0, 1});
          }},
      row{"moveaxis of two", [](auto x) { return ts::moveaxis<ts::dims<0, 1>, ts::dims<-1, -2>>(x); },
          [](tensor const& x) {
            return oracle::transpose(x, {2, 1, 0});
          }},
      row{"of computed", [](auto x) { return ts::transpose<1, 0, 2>(x * 2.0) + 1.0; },
          [](tensor const& x) {
            return oracle::transpose(x * 2, {1, 0, 2}) + 1;
          }},
      row{"and back", [](auto x) { return ts::transpose<2, 0, 1>(ts::transpose<1, 2, 0>(x)); },
          [](tensor const& x) { return x; }}};
};
struct expansions {
  static constexpr auto rows = std::tuple{
      row{"expand_dims<0>", [](auto x) { return ts::expand_dims<0>(x); },
          [](tensor const& x) { return oracle::expand_dims(x, 0); }},
      row{"expand_dims<-1>", [](auto x) { return ts::expand_dims<-1>(x); },
          [](tensor const& x) { return oracle::expand_dims(x, -1); }},
      row{"expand_dims<1, 3>", [](auto x) { return ts::expand_dims<1, 3>(x); },
          [](tensor const& x) {
            return oracle::reshape(x, {4, 1, 6, 1, 2});
          }},
      row{"squeeze", [](auto x) { return ts::squeeze(ts::expand_dims<0, 2>(x)); }, [](tensor const& x) { return x; }},
      row{"optimization_barrier", [](auto x) { return ts::optimization_barrier(x * 2.0, ts::sum(x)) * 0.5; },
          [](tensor const& x) { return x; }},
      row{"squeeze<1>", [](auto x) { return ts::squeeze<1>(ts::expand_dims<0, 1>(x)); },
          [](tensor const& x) { return oracle::expand_dims(x, 0); }},
      row{"broadcast_to", [](auto x) { return ts::broadcast_to<3, 4, 6, 2>(x); },
          [](tensor const& x) {
            return oracle::broadcast_to(x, {3, 4, 6, 2});
          }},
      row{"broadcast_to of kept", [](auto x) { return ts::broadcast_to<4, 6, 2>(ts::sum<1>(x, ts::keepdims)); },
          [](tensor const& x) {
            return oracle::broadcast_to(oracle::sum(x, {1}, true), {4, 6, 2});
          }},
      row{"broadcast_in_dim", [](auto x) { return ts::broadcast_in_dim<ts::shape<4, 3, 6, 2>, 0, 2, 3>(x); },
          [](tensor const& x) {
            return oracle::transpose(oracle::broadcast_to(x, {3, 4, 6, 2}), {1, 0, 2, 3});
          }},
      row{"tile", [](auto x) { return ts::tile<3, 1, 1, 1>(x); },
          [](tensor const& x) {
            return oracle::tile(oracle::expand_dims(x, 0), {3, 1, 1, 1});
          }},
      row{"of a literal", [](auto x) { return ts::broadcast_to<2, 3>(1.5) + ts::sum(x * 0.0); },
          [](tensor const&) {
            return oracle::full({2, 3}, 1.5);
          }}};
};
struct whole_reshapes {
  static constexpr auto rows = std::tuple{
      row{"reshape<24, 2>", [](auto x) { return ts::reshape<24, 2>(x); },
          [](tensor const& x) {
            return oracle::reshape(x, {24, 2});
          }},
      row{"reshape<4, 12>", [](auto x) { return ts::reshape<4, 12>(x); },
          [](tensor const& x) {
            return oracle::reshape(x, {4, 12});
          }},
      row{"reshape<48>", [](auto x) { return ts::reshape<48>(x); },
          [](tensor const& x) { return oracle::reshape(x, {48}); }},
      row{"reshape<2, 2, 3, 2, 2>", [](auto x) { return ts::reshape<2, 2, 3, 2, 2>(x); },
          [](tensor const& x) {
            return oracle::reshape(x, {2, 2, 3, 2, 2});
          }},
      row{"reshape<8, 6>", [](auto x) { return ts::reshape<8, 6>(x); },
          [](tensor const& x) {
            return oracle::reshape(x, {8, 6});
          }},
      row{"reshape<ts::infer, 4>", [](auto x) { return ts::reshape<ts::infer, 4>(x); },
          [](tensor const& x) {
            return oracle::reshape(x, {-1, 4});
          }},
      row{"reshape<3, 16>", [](auto x) { return ts::reshape<3, 16>(x); },
          [](tensor const& x) {
            return oracle::reshape(x, {3, 16});
          }},
      row{"reshape<1, 48, 1>", [](auto x) { return ts::reshape<1, 48, 1>(x); },
          [](tensor const& x) {
            return oracle::reshape(x, {1, 48, 1});
          }},
      row{"ravel", [](auto x) { return ts::ravel(x); }, [](tensor const& x) { return oracle::reshape(x, {-1}); }},
      row{"tile of whole", [](auto x) { return ts::tile<2, 3>(x); },
          [](tensor const& x) {
            return oracle::tile(x, {1, 2, 3});
          }}};
};
struct kept_reshapes {
  static constexpr bool sized = true;  // the layout follows from the extents
  static constexpr auto rows =
      std::tuple{row{"split", [](auto x) { return ts::reshape<4, 3, 2, 2>(x); },
                     [](tensor const& x) {
                       return oracle::reshape(x, {4, 3, 2, 2});
                     }},
                 row{"of 1", [](auto x) { return ts::reshape<4, 1, 6, 2>(x); },
                     [](tensor const& x) {
                       return oracle::reshape(x, {4, 1, 6, 2});
                     }},
                 row{"merged trailing", [](auto x) { return ts::reshape<4, 12>(x); },
                     [](tensor const& x) {
                       return oracle::reshape(x, {4, 12});
                     }},
                 row{"back", [](auto x) { return ts::reshape<4, 6, 2>(ts::reshape<4, 3, 2, 2>(x)); },
                     [](tensor const& x) { return x; }}};
};
struct asked_reshapes {
  static constexpr auto rows = std::tuple{
      row{"<48> to dp", [](auto x) { return ts::reshape<48>(x, ts::out_sharding<P<dp>>); },
          [](tensor const& x) { return oracle::reshape(x, {48}); }},
      row{"<48> to axes<mp, dp>", [](auto x) { return ts::reshape<48>(x, ts::out_sharding<P<axes<mp, dp>>>); },
          [](tensor const& x) { return oracle::reshape(x, {48}); }},
      row{"<24, 2> to dp", [](auto x) { return ts::reshape<24, 2>(x, ts::out_sharding<P<dp>>); },
          [](tensor const& x) {
            return oracle::reshape(x, {24, 2});
          }},
      row{"<24, 2> to none, mp", [](auto x) { return ts::reshape<24, 2>(x, ts::out_sharding<P<none, mp>>); },
          [](tensor const& x) {
            return oracle::reshape(x, {24, 2});
          }},
      row{"<4, 12> to mp, dp", [](auto x) { return ts::reshape<4, 12>(x, ts::out_sharding<P<mp, dp>>); },
          [](tensor const& x) {
            return oracle::reshape(x, {4, 12});
          }},
      row{"<2, 24> to mp", [](auto x) { return ts::reshape<2, 24>(x, ts::out_sharding<P<mp>>); },
          [](tensor const& x) {
            return oracle::reshape(x, {2, 24});
          }},
      row{"<3, 16> to none, axes<dp, mp>",
          [](auto x) { return ts::reshape<3, 16>(x, ts::out_sharding<P<none, axes<dp, mp>>>); },
          [](tensor const& x) {
            return oracle::reshape(x, {3, 16});
          }},
      row{"<8, 6> to dp", [](auto x) { return ts::reshape<8, 6>(x, ts::out_sharding<P<dp>>); },
          [](tensor const& x) {
            return oracle::reshape(x, {8, 6});
          }},
      row{"ravel", [](auto x) { return ts::ravel(x, ts::out_sharding<P<mp>>); },
          [](tensor const& x) { return oracle::reshape(x, {-1}); }}};
};

using three = dense<float, 4, 6, 2>;

TEST(movement, permutes) {
  three const x(-1, 1);
  check<permutations, on<grid, P<dp, none, mp>>, jitted>(x);
  check<permutations, on<cube, P<axes<c, a>, b>>, interpreted>(x);
}

TEST(movement, expands) {
  three const x(-1, 1);
  check<expansions, on<grid, P<dp, mp>>, jitted>(x);
  check<expansions, nowhere, interpreted>(x);
  check<expansions, on<cube, P<axes<b, a>, none, c>>, interpreted>(x);
}

#ifndef TESSERA_BY_DAY
TEST(movement, reshapes) {
  three const x(-1, 1);
  check<whole_reshapes, nowhere, interpreted>(x);
  check<kept_reshapes, on<grid, P<dp>>, jitted>(x);
  check<kept_reshapes, on<cube, P<axes<a, c>>>, interpreted>(x);
}

TEST(movement, reshapes_to_a_layout) {
  three const x(-1, 1);
  check<asked_reshapes, on<grid, P<dp, none, mp>>, jitted>(x);
  check<asked_reshapes, on<grid, P<none, mp>>, interpreted>(x);
  check<asked_reshapes, on<grid, P<mp>>, interpreted>(x);
}

TEST(movement, of_other_dtypes) {
  check<permutations, on<grid, P<dp, none, mp>>, interpreted>(dense<std::int64_t, 4, 6, 2>(-9, 9));
  check<kept_reshapes, on<grid, P<dp>>, interpreted>(dense<ts::float16, 4, 6, 2>(-9, 9));
}
#endif

}  // namespace
