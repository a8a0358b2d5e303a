// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of checkpoint/checkpoints.hpp.

#include <tessera/checkpoint/checkpoints.hpp>
#include <tessera/engine/checkpoint/numbered.hpp>

namespace tessera {

TESSERA_ENGINE checkpoints::checkpoints(std::string folder, int keep)
    : folder_(detail::without_end_slashes(std::move(folder))), keep_(keep) {
  if (folder_.empty() || keep < 0)
    detail::refuse_checkpoint(folder_, "is no folder, or less than no checkpoints shall be kept",
                              "a path, and 0 or more");
}
TESSERA_ENGINE std::vector<std::int64_t> checkpoints::steps() const { return detail::steps_in(folder_); }
TESSERA_ENGINE std::int64_t checkpoints::last() const {
  auto const all = steps();
  if (all.empty())
    detail::refuse_checkpoint(folder_, "has no checkpoint", "begin anew: empty() asks; or the folder of the run");
  return all.back();
}
TESSERA_ENGINE std::string checkpoints::path(std::int64_t step) const {
  return detail::joined_path(folder_, detail::step_name(step));
}
TESSERA_ENGINE void checkpoints::remove_after(std::int64_t step) {
  auto const all = steps();
  if (all.empty() || all.back() <= step) return;
  detail::open_folder const in(folder_, &detail::refuse_checkpoint);
  for (auto const later : all)
    if (later > step)
      if (auto const saved = in.inside(detail::step_name(later))) detail::require_only_checkpoint(*saved);
  for (auto const later : all)
    if (later > step) detail::remove_step(in, later);
  if (auto const left = steps(); !left.empty() && left.back() > step)
    detail::refuse_checkpoint(path(left.back()), "cannot be removed: it is a link, or has files of others",
                              "remove it yourself");
}
TESSERA_ENGINE detail::save_request checkpoints::request(std::int64_t step) const {
  if (step < 0) detail::refuse_checkpoint(folder_, "steps count from 0", "a step that is not negative");
  return {path(step), folder_, keep_, step};
}

}  // namespace tessera
