// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sharding as an SVG document: the boxes of view/visualize.hpp with index ticks, dimension captions and a title.
//   std::ofstream("w1.svg") << to_svg(visualize(w1));

#include <tessera/view/visualize.hpp>

#include <string>

namespace tessera {

// Self-contained. Throws std::invalid_argument when the spec does not fit the shape.
std::string to_svg(sharding_picture const& picture);

}  // namespace tessera
