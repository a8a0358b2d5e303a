// SPDX-License-Identifier: Apache-2.0
#pragma once
// The name of a step in profilers and messages: its operations, and the user's line that they come from.

#include <tessera/plan/base/plan.hpp>
#include <tessera/plan/explain/text_table.hpp>

#include <string>

namespace tessera {
namespace detail {

// The place as text: "model.cpp:31".
TESSERA_COLD inline std::string text_of(site const& at) {
  std::string_view file = at.file;
  if (auto const slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return std::string(file) + ':' + std::to_string(at.line);
}

TESSERA_COLD inline std::string label_of(plan_view const& plan, step const& s) {
  std::string text;
  if (s.kind == step_kind::fused) {
    for (int i = 0; i < s.code.count; ++i)
      if (auto const& it = plan.code[s.code.first + i]; it.op && text.size() < 60)
        text += (text.empty() ? "" : "+") + std::string(it.op->name);
    if (text.empty()) text = "copy";
  } else {
    text = plan.local[s.node].op->name;
  }
  for (int i = 0; i < s.exchanges.count; ++i)
    if (plan.lists[s.exchanges.first + i] != s.node)
      text += "+" + std::string(plan.local[plan.lists[s.exchanges.first + i]].op->name);
  site const at = plan.local[s.node].at;
  if (!at.scope.empty()) text = scope_text<std::string>(at) + '/' + text;
  if (at.line) (text += ' ') += text_of(at);
  return text;
}

}  // namespace detail
}  // namespace tessera
