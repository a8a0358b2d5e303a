// SPDX-License-Identifier: Apache-2.0
#include <tessera/mesh/describe.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;

// Each text is str() of the same object in JAX 0.10.2.
TEST(mesh, prints_as_jax) {
  EXPECT_EQ(describe(grid::value), "AbstractMesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit))");
  EXPECT_EQ(describe(grid::value, "Mesh"), "Mesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit))");
  EXPECT_EQ(describe(mesh<auto_axis<dp, 2>>::value), "AbstractMesh('dp': 2, axis_types=(Auto,))");
  EXPECT_EQ(describe(mesh<auto_axis<dp, 4>, manual_axis<mp, 2>>::value, "Mesh"),
            "Mesh('dp': 4, 'mp': 2, axis_types=(Auto, Manual))");
  EXPECT_EQ(describe(no_mesh::value), "AbstractMesh((), axis_types=())");
}

TEST(mesh, a_dynamic_size_prints_a_question_mark) {
  EXPECT_EQ(describe(mesh<explicit_axis<dp, dynamic>>::value), "AbstractMesh('dp': ?, axis_types=(Explicit,))");
}

TEST(mesh, the_abstract_mesh_prints_to_a_stream) {
  std::ostringstream out;
  out << abstract_mesh<grid>;
  EXPECT_EQ(out.str(), "AbstractMesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit))");
}

}  // namespace
