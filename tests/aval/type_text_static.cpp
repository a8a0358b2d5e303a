// SPDX-License-Identifier: Apache-2.0
#include <tessera/aval/type_text.hpp>

namespace {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
struct an_axis_with_a_long_name_that_fills_a_line : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using x = array_type<float, shape<8, 4>, P<dp, mp>, grid>;
struct holder {  // whatever has a nested array_type: an array, a traced handle
  using type = x;
};
struct refused {  // whatever has a nested error: the result of a refused operation
  using error = int;
};

static_assert(type_text<x> == "float32[8@dp,4@mp]");
static_assert(type_text<x const&> == "float32[8@dp,4@mp]");
static_assert(type_text<holder&> == "float32[8@dp,4@mp]");
static_assert(std::string_view(type_text<refused>) == "(refused)" && type_text<refused> == "float32[8]");
static_assert(type_text<decltype(2.0)> == "~float32[]");
static_assert(type_text<decltype(2)> == "~int32[]");
static_assert(type_text<bool> == "bool[]");
static_assert(std::is_same_v<array_type_in<holder const&>, x>);

using long_mesh = mesh<explicit_axis<an_axis_with_a_long_name_that_fills_a_line, 2>>;
using long_spec = P<an_axis_with_a_long_name_that_fills_a_line>;
static_assert(type_text<array_type<float, shape<dynamic>, long_spec, long_mesh>> ==
              "float32[?@an_axis_with_a_long_name_that_fills_a_line]");
static_assert(type_text<array_type<float, shape<8>, P<axes<dp, mp>>, grid, varying<dp>>> == "float32[8@(dp,mp)]{V:dp}");

}  // namespace
