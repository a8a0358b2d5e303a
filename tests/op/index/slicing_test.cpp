// SPDX-License-Identifier: Apache-2.0
// slice, flip, split, pad, update_slice, concatenate and stack along whole and sharded dimensions.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct slices {
  static constexpr auto rows = std::tuple{
      row{"slice", [](auto x) { return ts::slice(x, ts::starts<4, 0>, ts::limits<12, 4>); },
          [](tensor const& x) {
            return oracle::slice(x, {4, 0}, {12, 4});
          }},
      row{"strided", [](auto x) { return ts::slice(x, ts::starts<1, 0>, ts::limits<ts::to_end, 4>, ts::steps<2, 1>); },
          [](tensor const& x) {
            return oracle::slice(x, {1, 0}, {16, 4}, {2, 1});
          }},
      row{"slice_in_dim", [](auto x) { return ts::slice_in_dim<0, 8, 16>(x); },
          [](tensor const& x) {
            return oracle::slice(x, {8, 0}, {16, 4});
          }},
      row{"slice_in_dim strided", [](auto x) { return ts::slice_in_dim<-1, 0, 4, 2>(x); },
          [](tensor const& x) {
            return oracle::slice(x, {0, 0}, {16, 4}, {1, 2});
          }},
      row{"of nothing", [](auto x) { return ts::slice_in_dim<0, 4, 4>(x); },
          [](tensor const&) {
            return oracle::zeros({0, 4});
          }},
      row{"flip<0>", [](auto x) { return ts::flip<0>(x); }, [](tensor const& x) { return oracle::flip(x, {0}); }},
      row{"flip<-1>", [](auto x) { return ts::flip<-1>(x); }, [](tensor const& x) { return oracle::flip(x, {1}); }},
      row{"flip", [](auto x) { return ts::flip(x); },
          [](tensor const& x) {
            return oracle::flip(x, {0, 1});
          }},
      row{"split<2>", [](auto x) { return ts::split<2>(x)[1]; },
          [](tensor const& x) {
            return oracle::slice(x, {8, 0}, {16, 4});
          }},
      row{"split<2, 1>", [](auto x) { return ts::split<2, 1>(x)[0] * 2.0; },
          [](tensor const& x) {
            return oracle::slice(x, {0, 0}, {16, 2}) * 2;
          }},
      row{"of a slice", [](auto x) { return ts::slice_in_dim<0, 0, 4>(ts::flip<0>(ts::slice_in_dim<0, 8, 16>(x))); },
          [](tensor const& x) {
            return oracle::slice(oracle::flip(x, {0}), {0, 0}, {4, 4});
          }}};
};
struct pads {
  static constexpr auto rows =
      std::tuple{row{"high", [](auto x) { return ts::pad(x, 0.0, ts::low<0>, ts::high<8>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 0, {0, 0}, {8, 0});
                     }},
                 row{"low and high", [](auto x) { return ts::pad(x, -1.5, ts::low<3, 2>, ts::high<5, 2>); },
                     [](tensor const& x) {
                       return oracle::pad(x, -1.5, {3, 2}, {5, 2});
                     }},
                 row{"interior", [](auto x) { return ts::pad(x, 7, ts::low<1, 0>, ts::high<0, 0>, ts::interior<1>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 7, {1, 0}, {0, 0}, {1, 0});
                     }},
                 row{"high alone", [](auto x) { return ts::pad(x, 0.0, ts::high<8>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 0, {0, 0}, {8, 0});
                     }},
                 row{"interior alone", [](auto x) { return ts::pad(x, 7, ts::interior<1, 2>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 7, {0, 0}, {0, 0}, {1, 2});
                     }},
                 row{"another order", [](auto x) { return ts::pad(x, 7, ts::interior<1>, ts::high<1, 0>, ts::low<2>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 7, {2, 0}, {1, 0}, {1, 0});
                     }},
                 row{"cut", [](auto x) { return ts::pad(x, 1.0, ts::low<-4, 0>, ts::high<-4, 0>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 1, {-4, 0}, {-4, 0});
                     }},
                 row{"cut and interior",
                     [](auto x) { return ts::pad(x, 1.0, ts::low<-2, 1>, ts::high<3, 0>, ts::interior<1, 2>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 1, {-2, 1}, {3, 0}, {1, 2});
                     }},
                 row{"by a computed value", [](auto x) { return ts::pad(x, ts::sum(x), ts::low<4>, ts::high<4>); },
                     [](tensor const& x) {
                       return oracle::pad(x, oracle::sum(x).item(), {4, 0}, {4, 0});
                     },
                     1e-5}};
};
struct even_pads {
  static constexpr auto rows =
      std::tuple{row{"high", [](auto x) { return ts::pad(x, 0.0, ts::low<0>, ts::high<8>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 0, {0, 0}, {8, 0});
                     }},
                 row{"low and high", [](auto x) { return ts::pad(x, -1.5, ts::low<3, 2>, ts::high<5, 2>); },
                     [](tensor const& x) {
                       return oracle::pad(x, -1.5, {3, 2}, {5, 2});
                     }},
                 row{"cut", [](auto x) { return ts::pad(x, 1.0, ts::low<-4, 0>, ts::high<-4, 0>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 1, {-4, 0}, {-4, 0});
                     }},
                 row{"interior", [](auto x) { return ts::pad(x, 7, ts::low<1, 0>, ts::high<0, 0>, ts::interior<1>); },
                     [](tensor const& x) {
                       return oracle::pad(x, 7, {1, 0}, {0, 0}, {1, 0});
                     }}};
};
struct joins {
  static constexpr auto rows =
      std::tuple{row{"concatenate", [](auto x, auto y) { return ts::concatenate(x, y); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::concatenate({x, y}, 0);
                     }},
                 row{"concatenate<1>", [](auto x, auto y) { return ts::concatenate<-1>(x, y, x); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::concatenate({x, y, x}, 1);
                     }},
                 row{"of five",
                     [](auto x, auto y) {
                       return ts::concatenate<0>(std::tuple{x, y, x * 2.0, y, x});
                     },
                     [](tensor const& x, tensor const& y) {
                       return oracle::concatenate({x, y, x * 2, y, x}, 0);
                     }},
                 row{"stack", [](auto x, auto y) { return ts::stack(x, y); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::stack({x, y}, 0);
                     }},
                 row{"stack<-1>", [](auto x, auto y) { return ts::stack<-1>(x, y, x + y); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::stack({x, y, x + y}, 2);
                     }},
                 row{"stack<1>",
                     [](auto x, auto y) {
                       return ts::stack<1>(std::array{y, x});
                     },
                     [](tensor const& x, tensor const& y) {
                       return oracle::stack({y, x}, 1);
                     }}};
};
struct updates {
  static constexpr auto rows =
      std::tuple{row{"rows", [](auto x, auto y) { return ts::update_slice(x, y, ts::starts<4, 0>); },
                     [](tensor const& x, tensor const& y) {
                       return oracle::update_slice(x, y, {4, 0});
                     }},
                 row{"twice",
                     [](auto x, auto y) {
                       return ts::update_slice(ts::update_slice(x, y, ts::starts<0, 0>), y * 2.0, ts::starts<8, 0>);
                     },
                     [](tensor const& x, tensor const& y) {
                       return oracle::update_slice(oracle::update_slice(x, y, {0, 0}), y * 2, {8, 0});
                     }}};
};
struct unequal_joins {
  static constexpr auto rows = std::tuple{row{"concatenate", [](auto x, auto y) { return ts::concatenate(x, y); },
                                              [](tensor const& x, tensor const& y) {
                                                return oracle::concatenate({x, y}, 0);
                                              }},
                                          row{"concatenate 3", [](auto x, auto y) { return ts::concatenate(y, x, y); },
                                              [](tensor const& x, tensor const& y) {
                                                return oracle::concatenate({y, x, y}, 0);
                                              }}};
};

using matrix = dense<float, 16, 4>;
using part = dense<float, 8, 4>;

TEST(slicing, slices) {
  matrix const x(-1, 1);
  check<slices, on<grid, P<dp, mp>>, jitted>(x);
  check<slices, nowhere, interpreted>(x);
  check<slices, on<cube, P<axes<c, a>>>, interpreted>(x);
}

TEST(slicing, pads) {
  matrix const x(-1, 1);
  check<pads, nowhere, interpreted>(x);
  check<pads, on<grid, P<>>, jitted>(x);
  check<even_pads, on<grid, P<dp, mp>>, jitted>(x);
  check<even_pads, on<cube, P<none, axes<b, a>>>, interpreted>(x);
}

#ifndef TESSERA_BY_DAY
TEST(slicing, joins) {
  part const x(-1, 1), y(-1, 1, 5);
  check<joins, on<grid, P<dp, mp>>, jitted>(x, y);
  check<joins, nowhere, interpreted>(x, y);
  check<joins, on<cube, P<axes<b, c>>>, interpreted>(x, y);
  check<unequal_joins, on<grid, P<dp, mp>>, interpreted>(matrix(-1, 1), x);
  check<unequal_joins, nowhere, interpreted>(dense<std::int32_t, 3, 2>(-9, 9), dense<std::int32_t, 5, 2>(-9, 9));
}

TEST(slicing, updates) {
  matrix const x(-1, 1);
  part const y(-1, 1, 5);
  check<updates, on<grid, P<dp, mp>>, jitted>(x, y);
  check<updates, nowhere, interpreted>(x, y);
  check<updates, on<cube, P<none, c>>, interpreted>(x, y);
}
#endif

}  // namespace
