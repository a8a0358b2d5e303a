// SPDX-License-Identifier: Apache-2.0
// Reductions over whole and sharded dimensions, kept or not, over layouts. Positions and masks: reduce_more_test.cpp.
// optimized at night

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

struct numbers {
  static constexpr auto rows = std::tuple{
      row{"sum", [](auto x) { return ts::sum(x); }, [](tensor const& x) { return oracle::sum(x); }, 1e-5},
      row{"sum<0>", [](auto x) { return ts::sum<0>(x); }, [](tensor const& x) { return oracle::sum(x, {0}); }, 4e-6},
      row{"sum<-1, 0>", [](auto x) { return ts::sum<-1, 0>(x); },
          [](tensor const& x) {
            return oracle::sum(x, {0, 2});
          },
          1e-5},
      row{"sum<1> keepdims", [](auto x) { return ts::sum<1>(x, ts::keepdims); },
          [](tensor const& x) { return oracle::sum(x, {1}, true); }, 4e-6},
      row{"prod", [](auto x) { return ts::prod(x); }, [](tensor const& x) { return oracle::prod(x); }, 1e-5},
      row{"prod<0>", [](auto x) { return ts::prod<0>(x); }, [](tensor const& x) { return oracle::prod(x, {0}); }, 4e-6},
      row{"prod<-1, 0>", [](auto x) { return ts::prod<-1, 0>(x); },
          [](tensor const& x) {
            return oracle::prod(x, {0, 2});
          },
          1e-5},
      row{"prod<1> keepdims", [](auto x) { return ts::prod<1>(x, ts::keepdims); },
          [](tensor const& x) { return oracle::prod(x, {1}, true); }, 4e-6},
      row{"max", [](auto x) { return ts::max(x); }, [](tensor const& x) { return oracle::max(x); }, 1e-5},
      row{"max<0>", [](auto x) { return ts::max<0>(x); }, [](tensor const& x) { return oracle::max(x, {0}); }, 4e-6},
      row{"max<-1, 0>", [](auto x) { return ts::max<-1, 0>(x); },
          [](tensor const& x) {
            return oracle::max(x, {0, 2});
          },
          1e-5},
      row{"max<1> keepdims", [](auto x) { return ts::max<1>(x, ts::keepdims); },
          [](tensor const& x) { return oracle::max(x, {1}, true); }, 4e-6},
      row{"min", [](auto x) { return ts::min(x); }, [](tensor const& x) { return oracle::min(x); }, 1e-5},
      row{"min<0>", [](auto x) { return ts::min<0>(x); }, [](tensor const& x) { return oracle::min(x, {0}); }, 4e-6},
      row{"min<-1, 0>", [](auto x) { return ts::min<-1, 0>(x); },
          [](tensor const& x) {
            return oracle::min(x, {0, 2});
          },
          1e-5},
      row{"min<1> keepdims", [](auto x) { return ts::min<1>(x, ts::keepdims); },
          [](tensor const& x) { return oracle::min(x, {1}, true); }, 4e-6},
      row{"mean", [](auto x) { return ts::mean(x); }, [](tensor const& x) { return oracle::mean(x); }, 1e-5},
      row{"mean<0>", [](auto x) { return ts::mean<0>(x); }, [](tensor const& x) { return oracle::mean(x, {0}); }, 4e-6},
      row{"mean<-1, 0>", [](auto x) { return ts::mean<-1, 0>(x); },
          [](tensor const& x) {
            return oracle::mean(x, {0, 2});
          },
          1e-5},
      row{"mean<1> keepdims", [](auto x) { return ts::mean<1>(x, ts::keepdims); },
          [](tensor const& x) { return oracle::mean(x, {1}, true); }, 4e-6}};
};
struct nested {
  static constexpr auto rows =
      std::tuple{row{"sum of sums", [](auto x) { return ts::sum<0>(ts::sum<1>(x)) + ts::sum<0>(ts::sum<0>(x)); },
                     [](tensor const& x) {
                       return oracle::sum(x, {0, 1}) * 2;
                     },
                     1e-5},
                 row{"centered", [](auto x) { return x - ts::mean<0>(x, ts::keepdims); },
                     [](tensor const& x) { return x - oracle::mean(x, {0}, true); }, 4e-6},
                 row{"variance", [](auto x) { return ts::mean<1>(ts::square(x - ts::mean<1>(x, ts::keepdims))); },
                     [](tensor const& x) { return oracle::var(x, {1}); }, 1e-5},
                 row{"count", [](auto x) { return ts::sum(x > 0); },
                     [](tensor const& x) { return oracle::sum(oracle::greater(x, 0)); }}};
};

using three = dense<float, 4, 8, 2>;

TEST(reduce, over_layouts) {
  three const x(0.5, 1.5);
  check<numbers, nowhere, interpreted>(x);
  check<numbers, on<grid, P<dp, none, mp>>, jitted>(x);
  check<numbers, on<grid, P<none, axes<dp, mp>>>, interpreted>(x);
  check<numbers, on<cube, P<b, axes<c, a>>>, interpreted>(x);
  check<numbers, on<cube, P<axes<a, b>, none, c>>, interpreted>(x);
}

#ifndef TESSERA_BY_DAY
TEST(reduce, within_other_ops) {
  three const x(-2, 2);
  check<nested, on<grid, P<dp, mp>>, jitted>(x);
  check<nested, on<cube, P<a, axes<b, c>>>, interpreted>(x);
  check<nested, nowhere, interpreted>(x);
}
#endif

}  // namespace
