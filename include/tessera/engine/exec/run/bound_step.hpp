// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kinds of steps, in the order in which they are asked whether they run a step of the plan, and a bound step.

#include <tessera/engine/exec/fused/fused_step.hpp>
#include <tessera/engine/exec/move/bind_index.hpp>
#include <tessera/engine/exec/move/bind_message.hpp>
#include <tessera/engine/exec/move/copy_step.hpp>
#include <tessera/engine/exec/move/exchange_step.hpp>
#include <tessera/engine/exec/move/memory_step.hpp>
#include <tessera/engine/exec/move/ragged.hpp>
#include <tessera/engine/exec/product/convolution_step.hpp>
#include <tessera/engine/exec/product/product_step.hpp>
#include <tessera/engine/exec/run/bind_effect.hpp>
#include <tessera/engine/exec/run/loop.hpp>
#include <tessera/engine/exec/run/nothing_step.hpp>
#include <tessera/engine/exec/run/opaque_step.hpp>
#include <tessera/engine/exec/run/run_grid.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

namespace tessera::detail {

template <class... Kind>
struct step_kinds {
  using work = std::variant<Kind...>;

  // Binds the step with the first kind that takes it.
  TESSERA_COLD static work bind(step_binding& b) {
    std::optional<work> made;
    bool const taken = ((Kind::takes(b) && (made.emplace(Kind::bind(b)), true)) || ...);
    if (!taken) throw std::logic_error("tessera: no kind of step runs " + std::string(b.its_node().op->name));
    return std::move(*made);
  }
};

using known_steps = step_kinds<message_step,      // engine/exec/move/channel_message.hpp
                               nothing_step,      // engine/exec/run/nothing_step.hpp
                               fused_step,        // engine/exec/fused/fused_step.hpp
                               product_step,      // engine/exec/product/product_step.hpp
                               convolution_step,  // engine/exec/product/convolution_step.hpp
                               memory_step,       // engine/exec/move/memory_step.hpp
                               copy_step,         // engine/exec/move/copy_step.hpp
                               index_step,        // engine/exec/move/bind_index.hpp
                               exchange_step,     // engine/exec/move/exchange_step.hpp
                               ragged_step,       // engine/exec/move/ragged.hpp
                               opaque_step,       // engine/exec/run/opaque_step.hpp
                               grid_step,         // engine/exec/run/grid_step.hpp, run_grid.hpp
                               loop_step,         // engine/exec/run/bind_loop.hpp, loop.hpp
                               effect_step>;      // engine/exec/run/bind_effect.hpp

struct bound_step {
  std::string label;  // "add+exp digits.cpp:28": shown by Kokkos Tools
  std::vector<done_exchange> exchanges;
  std::optional<message_step> then;  // a message to other processes with the step's result,
  int then_until = 0;                // finished before this step
  bool ahead = false;                // a message that is started before an earlier step
  int chain = -1;                    // index in bound_plan::chains of the chain that begins here
  known_steps::work work;

  void run(step_run const& r) const {
    std::visit([&](auto const& kind) { kind.run(r); }, work);
  }
};

}  // namespace tessera::detail
