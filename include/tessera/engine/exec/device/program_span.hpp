// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records the time from its construction to the end of the scope as a span of this process in the timeline.

#include <tessera/comm/timeline/timeline.hpp>
#include <tessera/comm/world/world.hpp>

#include <string_view>

namespace tessera::detail {

class program_span {
public:
  program_span(span_kind kind, std::string_view label) : timed_(kind, label, rank()) {}

private:
  static int rank() { return timeline_on.load(std::memory_order_relaxed) && world() ? world()->rank() : 0; }
  timed_span timed_;
};

}  // namespace tessera::detail
