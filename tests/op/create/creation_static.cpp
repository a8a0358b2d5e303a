// SPDX-License-Identifier: Apache-2.0
#include <tessera/op/create/fill.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/where.hpp>

#include "support/typed.hpp"

namespace creation_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using other_grid = mesh<explicit_axis<dp, 2>, explicit_axis<mp, 2>>;
template <class Shape, class Spec, class Element = float>
constexpr traced<array_type<Element, Shape, Spec, grid>> of{};
constexpr auto& x = of<shape<8, 4>, P<dp, mp>>;

TYPE_IS((zeros<float, 8, 4>()), "float32[8,4]");
TYPE_IS((ones<bfloat16, 8>(out_sharding<P<dp>, grid>)), "bfloat16[8@dp]");
TYPE_IS((zeros<int32>()), "int32[]");
TYPE_IS((full<8, 4>(2.5)), "~float32[8,4]");
TYPE_IS((full<8, 4>(3)), "~int32[8,4]");
TYPE_IS((full<float, 8, 4>(3)), "float32[8,4]");
TYPE_IS((full<float, 8>(of<shape<>, P<>>, out_sharding<P<mp>>)), "float32[8@mp]");
TYPE_IS((zeros_like(x)), "float32[8@dp,4@mp]");
TYPE_IS((ones_like<int32>(x)), "int32[8@dp,4@mp]");
TYPE_IS((full_like(x, 2.5)), "float32[8@dp,4@mp]");
TYPE_IS((zeros_like(x, out_sharding<P<axes<mp, dp>>>)), "float32[8@(mp,dp),4]");
TYPE_IS((ones_like<int32>(x, out_sharding<P<mp>>)), "int32[8@mp,4]");
TYPE_IS((full_like(x, 2.5, out_sharding<P<>>)), "float32[8,4]");
TYPE_IS((zeros_like(of<shape<>, P<>>, out_sharding<P<>>)), "float32[]");
REFUSED(dims_disagree, zeros_like(x, out_sharding<P<mp>>) + x);
REFUSED(ranks_disagree, full<8>(x));

TYPE_IS((iota<int32, 1, 8, 4>(out_sharding<P<dp, mp>, grid>)), "int32[8@dp,4@mp]");
TYPE_IS((arange<8>()), "int32[8]");
TYPE_IS((arange<2, 9, 2>()), "int32[4]");
TYPE_IS((arange<9, 2, -2>()), "int32[4]");
TYPE_IS((arange<float, 8>(out_sharding<P<dp>, grid>)), "float32[8@dp]");

// A constant has neither graph nor storage; it joins what it meets, and constants make constants.
static_assert(operand_traits<decltype(zeros<float, 8, 4>())>::kind == operand_kind::constant);
static_assert(operand_traits<decltype(zeros<float, 8, 4>() + 1.0)>::kind == operand_kind::constant);
TYPE_IS((zeros<float, 8, 4>() + x), "float32[8@dp,4@mp]");
TYPE_IS((ones<float, 8, 4>(out_sharding<P<dp>, grid>) + x), "float32[8@dp,4@mp]");
REFUSED(meshes_differ, zeros<float, 8, 4>(out_sharding<P<dp>, other_grid>) + x);
REFUSED(dims_disagree, zeros<float, 8, 4>(out_sharding<P<mp>, grid>) + x);
static_assert([] {  // literal, broadcast, literal, add: then they are copied behind x
  builder b;
  b.recorded.mesh = grid::value;
  using type = array_type<float, shape<8, 4>, P<dp, mp>, grid>;
  auto const y = traced<type>{&b, b.argument(info<ops::argument>, type::value).id};
  auto const z = (full<8, 4>(2.0) + 1.0) + y;
  return b.at(z.node).op == &info<ops::add> && b.at(1).op->kind == op_class::literal &&
         b.at(1).attrs.as<literal_params>().number == 2.0;
}());

constexpr auto& mask = of<shape<8, 4>, P<dp, mp>, bool>;
TYPE_IS((where(mask, x, 0.0)), "float32[8@dp,4@mp]");
TYPE_IS((where(mask, 1, 0.0)), "~float32[8@dp,4@mp]");
TYPE_IS((where(x, x, x)), "float32[8@dp,4@mp]");
TYPE_IS((where(of<shape<4>, P<mp>, bool>, x, of<shape<8, 1>, P<dp>>)), "float32[8@dp,4@mp]");
TYPE_IS((where(of<shape<>, P<>, bool>, x, x)), "float32[8@dp,4@mp]");
REFUSED(dims_disagree, where(mask, x, of<shape<8, 4>, P<>>));
REFUSED(dims_disagree, where(mask, x, zeros<float, 8, 4>()));
REFUSED(shapes_disagree, where(mask, x, of<shape<3>, P<>>));

TYPE_IS((astype<bfloat16>(x)), "bfloat16[8@dp,4@mp]");
TYPE_IS((astype<float>(2)), "float32[]");
static_assert(decltype(astype<int32>(2.5)){}.program.nodes.size() == 2);  // the literal and its int32 twin

}  // namespace creation_cases
