// SPDX-License-Identifier: Apache-2.0
#include <tessera/trace/apply.hpp>
#include <tessera/view/typeof.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using x_type = array_type<float, shape<8, 4>, P<dp>, grid>;
struct handle {  // as traced handles and arrays are
  using type = x_type;
};
constexpr handle x;

static_assert(typeof_(x) == "float32[8@dp,4]");
static_assert(typeof_(x) == typeof_result<array_type<float, shape<8, 4>, P<dp, none>, grid>>{},
              "a spec's length is not a fact");
static_assert(!(typeof_(x) == typeof_result<array_type<float, shape<8, 4>, P<mp>, grid>>{}));
static_assert(typeof_(x).shape() == extents_list{8, 4});
static_assert(typeof_(x).ndim() == 2 && typeof_(x).dtype() == dtype::float32 && !typeof_(x).weak_type());
static_assert(typeof_(x).sharding().mesh() == abstract_mesh<grid>);
static_assert(typeof_(x).sharding().spec() == P<dp, none>{});
static_assert(!(typeof_(x).sharding().spec() == P<dp>{}), "as in JAX");
static_assert(typeof_t<array_type<float, shape<>, P<>, grid, unreduced<mp>>>::sharding().spec() == P<unreduced<mp>>{});
static_assert(std::is_base_of_v<out_sharding_t<P<dp>, grid>, decltype(typeof_(x).sharding())>,
              "as a layout that is chosen");
static_assert(typeof_t<array_type<float, shape<2>, P<>, grid, varying<mp>>>::vma()[0] == "mp");
static_assert(typeof_t<array_type<float, shape<2>, P<>, grid, on_host>>::memory() == memory_kind::host);
static_assert(typeof_(2.0) == "~float32[]" && typeof_(2) == "~int32[]" && typeof_(true) == "bool[]");

static_assert(typeof_(traced<x_type>{}) == "float32[8@dp,4]");
static_assert(std::string_view(type_text<poisoned<int>>) == "(refused)");

TEST(typeof_, prints) {
  std::ostringstream out;
  out << typeof_(x) << '\n'
      << typeof_(x).sharding() << '\n'
      << typeof_(x).dtype() << '\n'
      << typeof_(x).sharding().spec();
  EXPECT_EQ(out.str(),
            "float32[8@dp,4]\n"
            "NamedSharding(mesh=AbstractMesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit)), spec=P('dp', None))\n"
            "float32\n"
            "P('dp', None)");
  EXPECT_EQ(std::string(typeof_(x)), "float32[8@dp,4]");
}

}  // namespace
