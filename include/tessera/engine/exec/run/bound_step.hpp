// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kinds of steps, in the order in which they are asked who runs a step of the plan, and one of them bound.

#include <tessera/engine/exec/fused/fused_step.hpp>
#include <tessera/engine/exec/move/bind_index.hpp>
#include <tessera/engine/exec/move/bind_message.hpp>
#include <tessera/engine/exec/move/copy_step.hpp>
#include <tessera/engine/exec/move/exchange_step.hpp>
#include <tessera/engine/exec/move/ragged.hpp>
#include <tessera/engine/exec/product/product_step.hpp>
#include <tessera/engine/exec/run/bind_effect.hpp>
#include <tessera/engine/exec/run/loop.hpp>
#include <tessera/engine/exec/run/nothing_step.hpp>
#include <tessera/engine/exec/run/opaque_step.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

namespace tessera::detail {

template <class... Kind>
struct step_kinds {
  using work = std::variant<Kind...>;

  // By the first kind that takes it.
  TESSERA_COLD static work bind(step_binding& b) {
    std::optional<work> made;
    bool const taken = ((Kind::takes(b) && (made.emplace(Kind::bind(b)), true)) || ...);
    if (!taken) throw std::logic_error("tessera: no kind of step runs " + std::string(b.its_node().op->name));
    return std::move(*made);
  }
};

using known_steps = step_kinds<message_step,   // engine/exec/move/channel_message.hpp
                               nothing_step,   // engine/exec/run/nothing_step.hpp
                               fused_step,     // engine/exec/fused/fused_step.hpp
                               windowed_step,  // engine/exec/product/product_step.hpp
                               product_step,
                               copy_step,      // engine/exec/move/copy_step.hpp
                               index_step,     // engine/exec/move/bind_index.hpp
                               exchange_step,  // engine/exec/move/exchange_step.hpp
                               ragged_step,    // engine/exec/move/ragged.hpp
                               opaque_step,    // engine/exec/run/opaque_step.hpp
                               loop_step,      // engine/exec/run/bind_loop.hpp, loop.hpp
                               effect_step>;   // engine/exec/run/bind_effect.hpp

struct bound_step {
  std::string label;  // "add+exp digits.cpp:28": what Kokkos Tools show
  std::vector<done_exchange> exchanges;
  std::optional<message_step> then;  // to other processes, with what the step has made,
  int then_until = 0;                // which is there before this step
  bool ahead = false;                // a message that an earlier step has started
  int chain = -1;                    // of bound_plan::chains: begins here
  known_steps::work work;

  void run(step_run const& r) const {
    std::visit([&](auto const& kind) { kind.run(r); }, work);
  }
};

}  // namespace tessera::detail
