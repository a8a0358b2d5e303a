// SPDX-License-Identifier: Apache-2.0
#include <tessera/mesh/describe.hpp>
#include <tessera/spec/named_spec.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
struct pp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;

// Each text is str() of the same object in JAX 0.10.2.
TEST(spec, prints_as_jax) {
  EXPECT_EQ(describe(P<>{}), "P()");
  EXPECT_EQ(describe(P<dp>{}), "P('dp',)");
  EXPECT_EQ(describe(P<none>{}), "P(None,)");
  EXPECT_EQ(describe(P<dp, none>{}), "P('dp', None)");
  EXPECT_EQ(describe(P<axes<dp, mp>, none>{}), "P(('dp', 'mp'), None)");
  EXPECT_EQ(describe(P<axes<dp>, none>{}), "P('dp', None)");
  EXPECT_EQ(describe(P<dp, unreduced<mp>>{}), "P('dp', unreduced={'mp'})");
  EXPECT_EQ(describe(P<dp, reduced<mp>>{}), "P('dp', reduced={'mp'})");
  EXPECT_EQ(describe(P<unreduced<dp, mp>>{}), "P(unreduced={'dp', 'mp'})");
  EXPECT_EQ(describe(P<dp, unreduced<mp>, reduced<pp>>{}), "P('dp', unreduced={'mp'}, reduced={'pp'})");
  EXPECT_EQ(describe(spec_value_of<grid, P<none, axes<mp, dp>>>, grid::value), "P(None, ('mp', 'dp'))");
}

TEST(spec, prints_to_a_stream) {
  std::ostringstream out;
  out << P<dp, none>{} << ' ' << named(P<mp>{});
  EXPECT_EQ(out.str(), "P('dp', None) P('mp',)");
}

static_assert(named(P<dp, none>{}) == P<dp, none>{});
static_assert(named_spec{spec_value_of<grid, P<mp>>, grid::value} == named(P<mp>{}), "by name, not by position");
static_assert(named(P<dp>{}) != P<dp, none>{});
static_assert(named(P<axes<dp>>{}) == P<dp>{});
static_assert(named(P<axes<dp, mp>>{}) != P<axes<mp, dp>>{});
static_assert(named(P<axes<>>{}) == P<none>{});
static_assert(named(P<unreduced<dp, mp>>{}) == P<unreduced<mp, dp>>{});
static_assert(named(P<unreduced<dp>>{}) != P<unreduced<mp>>{});
static_assert(named(P<unreduced<dp>>{}) != P<reduced<dp>>{});

}  // namespace
