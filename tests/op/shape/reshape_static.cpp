// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/shape/expand_dims.hpp>

#include "support/typed.hpp"

namespace reshape_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
struct s : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>, explicit_axis<s, 1>>;
template <class Shape, class Spec>
constexpr traced<array_type<float, Shape, Spec, grid>> of{};

constexpr auto& x = of<shape<8, 4>, P<dp, mp>>;
constexpr auto& flat = of<shape<32>, P<axes<dp, mp>>>;

// Split: leading factors take the mesh axes in order.
TYPE_IS((reshape<4, 2, 4>(x)), "float32[4@dp,2,4@mp]");
TYPE_IS((reshape<4, 8>(flat)), "float32[4@dp,8@mp]");
TYPE_IS((reshape<4, 2, 4>(flat)), "float32[4@dp,2@mp,4]");
TYPE_IS((reshape<16, 2>(flat)), "float32[16@(dp,mp),2]");
REFUSED(ambiguous_reshape, reshape<2, 16>(flat));
REFUSED(ambiguous_reshape, reshape<2, 4, 4>(x));
TYPE_IS((reshape<2, 16>(flat, out_sharding<P<none, dp>>)), "float32[2,16@dp]");

// Merge: trailing dimensions may be whole, a hole before a sharded one is ambiguous.
TYPE_IS((reshape<32>(x)), "float32[32@(dp,mp)]");
TYPE_IS((reshape<32>(of<shape<8, 4>, P<dp>>)), "float32[32@dp]");
REFUSED(ambiguous_reshape, ravel(of<shape<8, 4>, P<none, mp>>));
TYPE_IS((ravel(of<shape<8, 4>, P<none, mp>>, out_sharding<P<mp>>)), "float32[32@mp]");

// Two groups, one of each rank: ask. Unsharded operands always pass.
REFUSED(ambiguous_reshape, reshape<4, 8>(x));
REFUSED(ambiguous_reshape, reshape<4, 2, 2, 2>(x));
TYPE_IS((reshape<4, 8>(of<shape<8, 4>, P<>>)), "float32[4,8]");
TYPE_IS((reshape<infer, 2>(of<shape<8, 4>, P<>>)), "float32[16,2]");
TYPE_IS((reshape<infer, 2>(of<shape<dynamic, 4>, P<>>)), "float32[?,2]");
REFUSED(shapes_disagree, reshape<infer, 5>(of<shape<8, 4>, P<>>));

// Dimensions of size 1 come and go; what was sharded over an axis of size 1 there is forgotten.
TYPE_IS((reshape<8, 1, 4>(x)), "float32[8@dp,1,4@mp]");
TYPE_IS((reshape<1, 8>(of<shape<8, 1>, P<dp, s>>)), "float32[1,8@dp]");
TYPE_IS((reshape<4, 2, 1>(of<shape<8, 1>, P<dp, s>>)), "float32[4@dp,2,1@s]");
TYPE_IS((expand_dims<0, 2>(x)), "float32[1,8@dp,1,4@mp]");
TYPE_IS((expand_dims<-1>(x)), "float32[8@dp,4@mp,1]");
TYPE_IS((squeeze(of<shape<1, 8, 1>, P<s, dp>>)), "float32[8@dp]");
TYPE_IS((squeeze<1>(of<shape<8, 1, 4>, P<dp, none, mp>>)), "float32[8@dp,4@mp]");

REFUSED(shapes_disagree, reshape<5, 6>(x));
REFUSED(axis_used_twice, reshape<4, 8>(x, out_sharding<P<dp, dp>>));
REFUSED(shapes_disagree, squeeze<0>(x));
REFUSED(dim_out_of_range, squeeze<2>(x));
REFUSED(dim_out_of_range, expand_dims<3, 3>(x));

// law: every node of kind reshape keeps every device's block: what moves is a reshard.
template <class... Nodes>
constexpr bool recorded_kinds(auto const& f, array_value const& facts, std::initializer_list<op_class> kinds) {
  builder b;
  b.recorded.mesh = grid::value;
  f(traced<array_type<float, shape<8, 4>, P<dp, mp>, grid>>{&b, b.argument(info<ops::argument>, facts).id});
  if (b.size() != static_cast<int>(kinds.size()) + 1) return false;
  int i = 1;
  for (auto kind : kinds)
    if (b.at(i++).op->kind != kind) return false;
  return true;
}
constexpr array_value facts = array_type<float, shape<8, 4>, P<dp, mp>, grid>::value;
static_assert(recorded_kinds([](auto y) { return reshape<4, 2, 4>(y); }, facts, {op_class::reshape}));
static_assert(recorded_kinds([](auto y) { return reshape<32>(y); }, facts, {op_class::reshard, op_class::reshape}));
static_assert(recorded_kinds([](auto y) { return reshape<8, 2, 2>(y, out_sharding<P<mp, none, none>>); }, facts,
                             {op_class::reshape, op_class::reshard}));

}  // namespace reshape_cases
