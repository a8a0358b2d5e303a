// SPDX-License-Identifier: Apache-2.0
// The pictures of rank 1 and 2 are what JAX 0.10.2 prints with rich for the same shape, mesh and spec.
#include <tessera/engine/view/palette.hpp>
#include <tessera/view/visualize.hpp>

#include <gtest/gtest.h>

#include <sstream>

#include "support/throws.hpp"

namespace {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using square = mesh<explicit_axis<dp, 2>, explicit_axis<mp, 2>>;
using pair = mesh<explicit_axis<mp, 2>>;

template <class Mesh = grid, class... E>
sharding_picture picture(P<E...> spec, extents_list const& extents) {
  std::vector<device> devices;
  for (int i = 0; i < Mesh::value.devices(); ++i) devices.push_back({i});
  return visualize_sharding(extents, named_sharding(make_mesh<Mesh>(devices), spec));
}

TEST(visualize, a_box_for_each_part) {
  EXPECT_EQ(picture(P<dp, mp>{}, {8, 4}).text(),
            "┌───────┬───────┐\n"
            "│ CPU 0 │ CPU 1 │\n"
            "├───────┼───────┤\n"
            "│ CPU 2 │ CPU 3 │\n"
            "├───────┼───────┤\n"
            "│ CPU 4 │ CPU 5 │\n"
            "├───────┼───────┤\n"
            "│ CPU 6 │ CPU 7 │\n"
            "└───────┴───────┘\n");
}

TEST(visualize, replicas_share_a_box) {
  EXPECT_EQ(picture(P<dp>{}, {8, 4}).text(),
            "┌──────────┐\n"
            "│ CPU 0,1  │\n"
            "├──────────┤\n"
            "│ CPU 2,3  │\n"
            "├──────────┤\n"
            "│ CPU 4,5  │\n"
            "├──────────┤\n"
            "│ CPU 6,7  │\n"
            "└──────────┘\n");
}

TEST(visualize, boxes_are_as_high_as_their_parts) {
  EXPECT_EQ(picture(P<mp, dp>{}, {8, 4}).text(),
            "┌───────┬───────┬───────┬───────┐\n"
            "│       │       │       │       │\n"
            "│ CPU 0 │ CPU 2 │ CPU 4 │ CPU 6 │\n"
            "│       │       │       │       │\n"
            "│       │       │       │       │\n"
            "├───────┼───────┼───────┼───────┤\n"
            "│       │       │       │       │\n"
            "│ CPU 1 │ CPU 3 │ CPU 5 │ CPU 7 │\n"
            "│       │       │       │       │\n"
            "│       │       │       │       │\n"
            "└───────┴───────┴───────┴───────┘\n");
}

TEST(visualize, rank_one_is_a_row) {
  EXPECT_EQ(picture(P<dp>{}, {8}).text(),
            "┌───────┬───────┬───────┬───────┐\n"
            "│CPU 0,1│CPU 2,3│CPU 4,5│CPU 6,7│\n"
            "└───────┴───────┴───────┴───────┘\n");
  EXPECT_EQ(picture(P<>{}, {8}).text(),
            "┌───────────────────┐\n"
            "│CPU 0,1,2,3,4,5,6,7│\n"
            "└───────────────────┘\n");
}

TEST(visualize, rank_zero_is_a_box) {
  EXPECT_EQ(picture<pair>(P<>{}, {}).text({.max_width = 18}),
            "┌────────────────┐\n"
            "│    CPU 0,1     │\n"
            "└────────────────┘\n");
}

TEST(visualize, without_a_mesh_there_is_one_box) {
  named_sharding const one(device_mesh<no_mesh>::on({3}), P<>{});
  EXPECT_EQ(visualize_sharding({3}, one).text(),
            "┌───────┐\n"
            "│ CPU 3 │\n"
            "└───────┘\n");
}

TEST(visualize, higher_ranks_are_slices) {
  EXPECT_EQ(picture<square>(P<dp, none, mp>{}, {4, 2, 6}).text(),
            "[0:2, :, :]\n"
            "┌────────────────┬────────────────┐\n"
            "│                │                │\n"
            "│     CPU 0      │     CPU 1      │\n"
            "│                │                │\n"
            "│                │                │\n"
            "└────────────────┴────────────────┘\n"
            "[2:4, :, :]\n"
            "┌────────────────┬────────────────┐\n"
            "│                │                │\n"
            "│     CPU 2      │     CPU 3      │\n"
            "│                │                │\n"
            "│                │                │\n"
            "└────────────────┴────────────────┘\n");
}

TEST(visualize, what_is_too_wide_shrinks_and_keeps_its_labels) {
  auto const text = picture(P<dp, mp>{}, {8, 1024}).text();
  EXPECT_NE(text.find("│                CPU 0                 │                CPU 1                 │\n"),
            std::string::npos);
  auto const narrow = picture(P<none, mp>{}, {8, 8}).text({.max_width = 19});
  EXPECT_NE(narrow.find("│CPU 0,2,│CPU 1,3,│\n│  4,6   │  5,7   │\n"), std::string::npos) << narrow;
}

TEST(visualize, colors_differ_between_parts) {
  auto const text = picture(P<mp>{}, {8}).text({.use_color = true});
  EXPECT_NE(text.find("\x1b[38;2;0;0;0;48;2;119;170;221m CPU 0,2,4,6 \x1b[0m"), std::string::npos);
  EXPECT_NE(text.find("\x1b[38;2;0;0;0;48;2;238;221;136m CPU 1,3,5,7 \x1b[0m"), std::string::npos);
  std::vector<std::string> seen;
  for (int part = 0; part < 8; ++part) seen.push_back(hex(part_color(part / 4, part % 4, 2, 4)));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

TEST(visualize, a_stream_that_is_no_terminal_gets_lines) {
  std::ostringstream out;
  out << picture(P<>{}, {8});
  EXPECT_EQ(out.str(), picture(P<>{}, {8}).text());
}

TEST(visualize, a_spec_that_does_not_fit_says_so) {
  EXPECT_THROW_TEXT(picture(P<dp>{}, {6}).text(),
                    "dimension 0 (size 6) does not divide into the 4 parts of P('dp',). Fix: pad it to 8");
}

}  // namespace
