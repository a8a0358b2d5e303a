// SPDX-License-Identifier: Apache-2.0
#include <tessera/view/svg.hpp>

#include <gtest/gtest.h>

namespace {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;

template <class... E>
std::string drawing(P<E...> spec, extents_list const& extents, std::string title = {}) {
  std::vector<device> devices;
  for (int i = 0; i < 8; ++i) devices.push_back({i});
  return to_svg(visualize_sharding(extents, named_sharding(make_mesh<grid>(devices), spec), title));
}

int count(std::string const& text, std::string const& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(svg, has_a_labeled_box_for_each_part) {
  auto const svg = drawing(P<dp, mp>{}, {8, 4}, "float32[8@dp,4@mp]");
  EXPECT_EQ(count(svg, "<rect "), 1 + 8);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(count(svg, ">CPU " + std::to_string(i) + "</text>"), 1);
  EXPECT_EQ(count(svg, "<title>float32[8@dp,4@mp]</title>"), 1);
  EXPECT_EQ(count(svg, ">dim 0: 8@dp<"), 1);
  EXPECT_EQ(count(svg, ">dim 1: 4@mp<"), 1);
  EXPECT_EQ(count(svg, ">P('dp', 'mp') on Mesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit))</text>"), 1);
}

TEST(svg, every_element_is_closed) {
  auto const svg = drawing(P<axes<dp, mp>, none, none>{}, {8, 4, 2});
  EXPECT_EQ(count(svg, "<text "), count(svg, "</text>"));
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(svg, draws_slices_side_by_side) {
  auto const svg = drawing(P<dp, none, mp>{}, {4, 4, 4});
  EXPECT_EQ(count(svg, "<rect "), 1 + 8);
  EXPECT_EQ(count(svg, ">[2:3, :, :]</text>"), 1);
}

TEST(svg, escapes_a_title) {
  EXPECT_EQ(count(drawing(P<>{}, {8}, "float32<host>[8] & \"more\""),
                  "<title>float32&lt;host&gt;[8] &amp; &quot;more&quot;</title>"),
            1);
}

TEST(svg, draws_a_scalar) { EXPECT_EQ(count(drawing(P<>{}, {}), ">CPU 0,1,2,3,4,5,6,7</text>"), 1); }

}  // namespace
