// SPDX-License-Identifier: Apache-2.0
// Rows that do not divide by a mesh axis: padded, split, masked and cut off again, against the oracle on what is there.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

tensor padded(tensor const& x, std::int64_t more) { return oracle::pad(x, 0, {0, 0}, {more, 0}); }

struct of_ten_rows {
  static constexpr auto rows = std::tuple{
      row{"pad_to_multiple<0, dp>", [](auto x) { return ts::pad_to_multiple<0, dp>(x); },
          [](tensor const& x) { return padded(x, 2); }},
      row{"pad_to_multiple<0, dp, mp>", [](auto x) { return ts::pad_to_multiple<0, dp, mp>(x); },
          [](tensor const& x) { return padded(x, 6); }},
      row{"pad_to_multiple<-2, mp> of what divides", [](auto x) { return ts::pad_to_multiple<-2, mp>(x) * 2.0; },
          [](tensor const& x) { return x * 2; }},
      row{"pad_to_multiple<0, 7>", [](auto x) { return ts::pad_to_multiple<0, 7>(x); },
          [](tensor const& x) { return padded(x, 4); }},
      row{"valid_mask", [](auto x) { return ts::valid_mask<1>(x, 2); },
          [](tensor const& x) {
            return oracle::generate(x.extents, [](oracle::ints const& at) { return at[1] < 2; });
          }},
      row{"valid_mask of a late number", [](auto x) { return ts::valid_mask<0>(x, ts::sum(x * 0.0) + 3.0); },
          [](tensor const& x) {
            return oracle::generate(x.extents, [](oracle::ints const& at) { return at[0] < 3; });
          }},
      row{"unpad", [](auto x) { return ts::unpad<0>(ts::exp(ts::pad_to_multiple<0, dp>(x)), x); },
          [](tensor const& x) { return oracle::exp(x); }}};
};
// Each device has rows of its own, the last one rows that are not there.
template <class X>
constexpr auto split(X x) {
  return ts::reshard<P<dp>>(ts::pad_to_multiple<0, dp>(x));
}
template <class Y>
constexpr auto masked(Y y, double otherwise) {
  return ts::where(ts::valid_mask<0>(y, 10), y, otherwise);
}
struct over_uneven_rows {
  static constexpr auto rows =
      std::tuple{row{"sum<0>", [](auto x) { return ts::sum<0>(masked(ts::exp(split(x)), 0.0)); },
                     [](tensor const& x) { return oracle::sum(oracle::exp(x), {0}); }},
                 row{"mean", [](auto x) { return ts::sum(masked(ts::cos(split(x)), 0.0)) / 30.0; },
                     [](tensor const& x) { return oracle::mean(oracle::cos(x)); }},
                 row{"max<0>", [](auto x) { return ts::max<0>(masked(split(x), -1e30)); },
                     [](tensor const& x) { return oracle::max(x, {0}); }},
                 row{"softmax<0>",
                     [](auto x) { return ts::unpad<0>(ts::reshard<P<>>(ts::softmax<0>(masked(split(x), -1e30))), x); },
                     [](tensor const& x) {
                       auto const e = oracle::exp(x);
                       return e / oracle::broadcast_to(oracle::sum(e, {0}, true), x.extents);
                     }},
                 row{"x' x",
                     [](auto x) {
                       auto const y = split(x);
                       return ts::matmul(y.T(), y, ts::out_sharding<P<>>);
                     },
                     [](tensor const& x) { return oracle::matmul(oracle::transpose(x), x); }},
                 row{"rows one by one", [](auto x) { return ts::unpad<0>(ts::reshard<P<>>(ts::sin(split(x))), x); },
                     [](tensor const& x) { return oracle::sin(x); }}};
};

TEST(padding, of_rows) {
  dense<float, 10, 3> const x(-1, 1);
  check<of_ten_rows, on<grid, P<>>, jitted>(x);
  check<of_ten_rows, on<grid, P<>>, interpreted>(x);
}
TEST(padding, computes_on_uneven_rows) {
  dense<float, 10, 3> const x(-1, 1);
  check<over_uneven_rows, on<grid, P<>>, jitted>(x);
  check<over_uneven_rows, on<grid, P<>>, interpreted>(x);
}

// Of rows that the type knows, to a multiple that it does not.
struct slope {
  constexpr auto operator()(auto x) const {
    return ts::value_and_grad([](auto z) { return ts::sum(masked(ts::exp(split(z)), 0.0)); })(x);
  }
};
TEST(padding, to_a_multiple_known_late) {
  dense<float, 10, 3> const x(-1, 1);
  auto const memory = x.stored();
  for (std::int64_t const size : {1, 3, 4, 7}) {
    auto const mesh = ts::make_mesh<unsized_of<grid>::type>(ts::devices(), {size, 1});
    auto const [value, gradient] = ts::jit<slope>(ts::device_put<P<>>(x.view(memory), mesh));
    static_assert(ts::type_text<decltype(gradient)> == "float32[10,3]");
    auto const want = oracle::exp(x.values);
    EXPECT_NEAR(value.item(), oracle::sum(want).item(), 1e-4);
    EXPECT_LE(oracle::difference(tensor_of(gradient), want), 1e-5);
  }
}

}  // namespace
