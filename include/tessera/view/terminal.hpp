// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a stream goes to a terminal that shows colors. Only standard streams can; NO_COLOR and TERM=dumb turn colors
// off.

#include <tessera/base/config.hpp>

#include <iosfwd>

namespace tessera {

bool shows_colors(std::ostream const& out);

}  // namespace tessera
