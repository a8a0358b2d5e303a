// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sharding as boxes of text, one per part, with the devices that hold it: CPU 0,1.
// Source: JAX 0.10.2 jax.debug.visualize_sharding (drawn by rich). Differs: any rank, by a table per part of the
// leading dimensions; boxes too wide for the line shrink and labels wrap (JAX's lose their label); our own colors.

#include <tessera/array/sharding_object.hpp>

#include <iosfwd>
#include <string>
#include <utility>

namespace tessera {

struct visualize_options {
  bool use_color = false;  // boxes of color instead of lines
  double scale = 1;        // 1: all tables together are about ten lines high
  int min_width = 9;       // of a box, its lines included
  int max_width = 80;      // of a table
};

// The result of visualize(x): prints in color on a terminal, with lines elsewhere. to_svg (view/svg.hpp) draws it.
struct sharding_picture {
  extents_list extents{};
  concrete_sharding sharding{};
  std::string title{};  // of the drawing

  std::string text(visualize_options const& options = {}) const;
  friend std::ostream& operator<<(std::ostream& out, sharding_picture const& picture);
};

namespace functions {

// The picture of an array of this shape. Its text throws std::invalid_argument if the spec does not fit the shape.
inline sharding_picture visualize_sharding(extents_list const& extents, concrete_sharding sharding,
                                           std::string title = {}) {
  return {extents, std::move(sharding), std::move(title)};
}

}  // namespace functions

namespace detail {
// To std::cout.
void print_picture(sharding_picture const& picture);
}  // namespace detail

}  // namespace tessera
