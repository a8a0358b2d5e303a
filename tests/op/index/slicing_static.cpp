// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/index/slice.hpp>
#include <tessera/op/index/split.hpp>
#include <tessera/op/index/update_slice.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/pad.hpp>

#include "support/typed.hpp"

namespace slicing_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
constexpr auto& x = of<shape<8, 4>, P<dp, mp>>;
constexpr auto& whole = of<shape<8, 4>, P<>>;

TYPE_IS((slice(x, starts<0, 0>, limits<4, to_end>)), "float32[4@dp,4@mp]");
TYPE_IS((slice(x, starts<0, 0>, limits<8, 4>, steps<2, 1>)), "float32[4@dp,4@mp]");
TYPE_IS((slice(whole, starts<1, 0>, limits<8, 3>, steps<3, 2>)), "float32[3,2]");
TYPE_IS((slice_in_dim<-1, 1, 3>(whole)), "float32[8,2]");
TYPE_IS((slice_in_dim<0, 0, 0>(x)), "float32[0@dp,4@mp]");
TYPE_IS((slice_in_dim<1, 0, 2>(of<shape<dynamic, 4>, P<dp>>)), "float32[?@dp,2]");
REFUSED(not_divisible, slice_in_dim<0, 0, 3>(x));
REFUSED(index_out_of_range, slice_in_dim<0, 0, 9>(x));
REFUSED(index_out_of_range, slice_in_dim<0, 5, 4>(x));
REFUSED(dim_out_of_range, slice_in_dim<2, 0, 4>(x));
REFUSED(ranks_disagree, slice(x, starts<0>, limits<4>));

TYPE_IS((flip<0>(x)), "float32[8@dp,4@mp]");
TYPE_IS((flip(of<shape<dynamic, 4>, P<dp>>)), "float32[?@dp,4]");
REFUSED(dim_out_of_range, flip<2>(x));

TYPE_IS((split<2>(x)[1]), "float32[4@dp,4@mp]");
TYPE_IS((split<2, -1>(x)[0]), "float32[8@dp,2@mp]");
REFUSED(not_divisible, split<4>(x)[0]);
REFUSED(shapes_disagree, split<3>(x)[0]);

TYPE_IS((pad(x, 0.0, low<0>, high<8>)), "float32[16@dp,4@mp]");
TYPE_IS((pad(whole, 0.0, low<1, 0>, high<0, -1>, interior<1>)), "float32[16,3]");
REFUSED(not_divisible, pad(x, 0.0, low<1>, high<1>));
REFUSED(index_out_of_range, pad(whole, 0.0, low<-5>, high<-5>));

TYPE_IS((concatenate(x, x)), "float32[16@dp,4@mp]");
TYPE_IS((concatenate<-1>(x, x, x)), "float32[8@dp,12@mp]");
TYPE_IS((concatenate<0>(std::tuple{x, x, x, x, x})), "float32[40@dp,4@mp]");
TYPE_IS((concatenate(whole, of<shape<3, 4>, P<>, bfloat16>)), "float32[11,4]");
REFUSED(dims_disagree, concatenate(x, whole));
REFUSED(shapes_disagree, concatenate<1>(whole, of<shape<3, 4>, P<>>));
REFUSED(ranks_disagree, concatenate(whole, of<shape<8>, P<>>));
REFUSED(dim_out_of_range, concatenate<2>(x, x));
TYPE_IS((stack(x, x)), "float32[2,8@dp,4@mp]");
TYPE_IS((stack<-1>(std::array{x, x, x})), "float32[8@dp,4@mp,3]");
REFUSED(dims_disagree, stack(x, whole));
REFUSED(shapes_disagree, stack(whole, of<shape<3, 4>, P<>>));

TYPE_IS((update_slice(x, of<shape<4, 4>, P<dp, mp>>, starts<4, 0>)), "float32[8@dp,4@mp]");
REFUSED(index_out_of_range, update_slice(x, of<shape<4, 4>, P<dp, mp>>, starts<5, 0>));
REFUSED(dims_disagree, update_slice(x, of<shape<4, 4>, P<>>, starts<4, 0>));

// law: what a node of kind slice, pad, concatenate or update_slice changes is whole on every device.
constexpr int reshards_in(auto const& f) {
  builder b;
  b.recorded.mesh = grid::value;
  using type = array_type<float, shape<8, 4>, P<dp, mp>, grid>;
  f(traced<type>{&b, b.argument(info<ops::argument>, type::value).id});
  int count = 0;
  for (int i = 0; i < b.size(); ++i) count += b.at(i).op->kind == op_class::reshard;
  return count;
}
static_assert(reshards_in([](auto y) { return slice_in_dim<0, 0, 4>(y); }) == 2);
static_assert(reshards_in([](auto y) { return flip<1>(y); }) == 2);
static_assert(reshards_in([](auto y) { return slice_in_dim<0, 0, 8>(y); }) == 0);
static_assert(reshards_in([](auto y) { return stack(y, y); }) == 0);

}  // namespace slicing_cases
