// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checkpoints of one folder, each named after its step.

#include <tessera/checkpoint/files.hpp>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tessera::detail {

// A folder with this in its name is being written, or was when its program was killed, or is being removed.
inline constexpr std::string_view aside_mark = ".saving-";

inline std::string step_name(std::int64_t step) {
  char name[40];
  std::snprintf(name, sizeof name, "step-%012lld", static_cast<long long>(step));
  return name;
}
// Those that are whole, the earliest first.
inline std::vector<std::int64_t> steps_in(std::string const& folder) {
  std::vector<std::int64_t> steps;
  if (folder.empty() || kind_of_path(folder) != path_kind::folder) return steps;
  for (auto const& name : names_in(folder)) {
    if (name.rfind("step-", 0) != 0) continue;
    std::int64_t step = 0;
    if (std::from_chars(name.data() + 5, name.data() + name.size(), step).ec != std::errc{}) continue;
    // The former one, where a program was killed while it replaced it.
    bool const counts = name == step_name(step) || name == former(step_name(step));
    if (counts && kind_of_path(joined_path(joined_path(folder, name), "index.json")) == path_kind::file)
      steps.push_back(step);
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}
// First it is none any more, then it is removed.
inline void remove_step(std::string const& folder, std::int64_t step) {
  for (auto const& name : {former(step_name(step)), step_name(step)}) {
    auto const path = joined_path(folder, name);
    if (kind_of_path(path) != path_kind::folder) continue;
    std::string gone = path;
    gone += aside_mark;
    gone += "removed";
    remove_folder(gone);
    move_path(path, gone);
    sync_folder(folder);
    remove_folder(gone);
  }
}
inline void remove_early_steps(std::string const& folder, int keep) {
  auto const steps = steps_in(folder);
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < steps.size(); ++i) remove_step(folder, steps[i]);
}

}  // namespace tessera::detail
