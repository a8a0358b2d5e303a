// SPDX-License-Identifier: Apache-2.0
#pragma once
// The checkpoints in one folder, each named after its step.

#include <tessera/engine/checkpoint/files.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tessera::detail {

inline std::string step_name(std::int64_t step) {
  char name[40];
  std::snprintf(name, sizeof name, "step-%012lld", static_cast<long long>(step));
  return name;
}
// The step, if the name is exactly step_name(step).
inline std::optional<std::int64_t> step_named(std::string_view name) {
  std::int64_t step = 0;
  if (!take_text(name, "step-") || std::from_chars(name.data(), name.data() + name.size(), step).ec != std::errc{})
    return std::nullopt;
  if (step < 0 || step_name(step).substr(5) != name) return std::nullopt;
  return step;
}
// The steps of complete checkpoints, in ascending order.
inline std::vector<std::int64_t> steps_in(std::string const& path) {
  std::vector<std::int64_t> steps;
  if (path.empty() || kind_of_path(path) != path_kind::folder) return steps;
  for (auto const& name : open_folder(path, &refuse_checkpoint).names()) {
    // A former folder stays if a program was killed while replacing it.
    bool const former = ends_with(name, former_name(""));
    auto const step = step_named(former ? name.substr(0, name.size() - former_name("").size()) : name);
    if (step && kind_of_path(joined_path(joined_path(path, name), index_name)) == path_kind::file)
      steps.push_back(*step);
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}
// Renames the folder before removing its files, so that it is never an incomplete checkpoint. A folder that is a link
// or has other files stays.
inline void remove_step(open_folder const& in, std::int64_t step) {
  for (auto const& name : {former_name(step_name(step)), step_name(step)}) {
    auto const saved = in.inside(name);
    if (!saved || !foreign_name(*saved, is_of_save).empty()) continue;
    auto const gone = aside_name(step_name(step), fresh_number());
    if (::renameat(in.handle(), name.c_str(), in.handle(), gone.c_str()) != 0) in.refused(name, "cannot be removed");
    in.sync();
    remove_saved(in, gone);
  }
}
inline void remove_early_steps(std::string const& path, int keep) {
  auto const steps = steps_in(path);
  open_folder const in(path, &refuse_checkpoint);
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < steps.size(); ++i) remove_step(in, steps[i]);
}

}  // namespace tessera::detail
