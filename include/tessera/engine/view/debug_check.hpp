// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of op/effect/debug_check.hpp: the condition, and the text of the error.

#include <tessera/engine/view/print_effect.hpp>
#include <tessera/op/effect/debug_check.hpp>

#include <algorithm>

namespace tessera {

TESSERA_ENGINE void ops::debug_check::act(effect_call const& call) {
  effect_operand const& held = call.operands[0];
  std::byte const* const end = held.data + held.facts.size();
  std::byte const* const wrong = std::find(held.data, end, std::byte{0});
  if (wrong == end) return;
  effect_call shown = call;
  ++shown.operands;
  --shown.count;
  std::string_view const line = call.label.substr(std::min(call.label.find(' '), call.label.size()));
  throw check_failed("tessera: a check failed" + (line.empty() ? "" : "," + std::string(line)) + ": " +
                     detail::text_of_effect(shown));
}

}  // namespace tessera
