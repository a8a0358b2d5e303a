// SPDX-License-Identifier: Apache-2.0
// Operands of different dtypes, and literals, which are weak: numbers are those of the promoted dtype, where both operands
// are converted first. Result types: elementwise_static.cpp.

#include "support/op_case.hpp"

namespace {

using namespace op_case;

struct promotions {
  static constexpr auto rows = std::tuple{
      row{"i + f", [](auto i, auto f, auto, auto) { return i + f; },
          [](auto& i, auto& f, auto&, auto&) { return i + f; }},
      row{"i * 0.5", [](auto i, auto, auto, auto) { return i * 0.5; },
          [](auto& i, auto&, auto&, auto&) { return i * 0.5; }},
      row{"i * 3", [](auto i, auto, auto, auto) { return i * 3; }, [](auto& i, auto&, auto&, auto&) { return i * 3; }},
      row{"i / 2", [](auto i, auto, auto, auto) { return i / 2; }, [](auto& i, auto&, auto&, auto&) { return i / 2; }},
      row{"h + f", [](auto, auto f, auto h, auto) { return h + f; },
          [](auto&, auto& f, auto& h, auto&) { return h + f; }},
      row{"h * 0.3", [](auto, auto, auto h, auto) { return h * 0.3; },
          [](auto&, auto&, auto& h, auto&) { return h * 0.3; }},
      row{"h + i", [](auto i, auto, auto h, auto) { return h + i; },
          [](auto& i, auto&, auto& h, auto&) { return h + i; }},
      row{"m + i", [](auto i, auto, auto, auto m) { return m + i; },
          [](auto& i, auto&, auto&, auto& m) { return m + i; }},
      row{"m * f", [](auto, auto f, auto, auto m) { return m * f; },
          [](auto&, auto& f, auto&, auto& m) { return m * f; }},
      row{"where(m, i, f)", [](auto i, auto f, auto, auto m) { return ts::where(m, i, f); },
          [](auto& i, auto& f, auto&, auto& m) { return oracle::where(m, i, f); }},
      row{"concatenate", [](auto i, auto f, auto h, auto) { return ts::concatenate<1>(h, i, f); },
          [](auto& i, auto& f, auto& h, auto&) {
            return oracle::concatenate({h, i, f}, 1);
          }},
      row{"matmul", [](auto, auto f, auto h, auto) { return ts::einsum<"ij,ij->i">(h, f, ts::out_sharding<P<>>); },
          [](auto&, auto& f, auto& h, auto&) { return oracle::sum(h * f, {1}); }, 1e-5},
      row{"equal", [](auto i, auto, auto, auto m) { return m == i; },
          [](auto& i, auto&, auto&, auto& m) { return oracle::equal(m, i); }}};
};

TEST(promotion, of_arrays_and_literals) {
  dense<std::int32_t, 8, 4> const i(-9, 9);
  dense<float, 8, 4> const f(-2, 2, 3);
  dense<ts::bfloat16, 8, 4> const h(-2, 2, 4);
  dense<bool, 8, 4> const m(oracle::greater(oracle::scattered({8, 4}), 0));
  check<promotions, on<grid, P<dp, mp>>, interpreted>(i, f, h, m);
  check<promotions, on<cube, P<axes<a, b>>>, interpreted>(i, f, h, m);
}

}  // namespace
