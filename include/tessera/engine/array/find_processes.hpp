// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the processes of a mesh's devices: each must have a box of the mesh, all boxes of equal size.

#include <tessera/base/settings.hpp>
#include <tessera/comm/channel/mesh_processes.hpp>
#include <tessera/comm/world/world.hpp>
#include <tessera/exec/device/device.hpp>
#include <tessera/mesh/coordinates.hpp>
#include <tessera/mesh/describe.hpp>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>

namespace tessera::detail {

inline bool reproducible_sums() {
  static bool const asked = reproducible_setting();
  return asked;
}

class process_finder {
public:
  process_finder(mesh_value const& mesh, std::vector<device> const& devices, int me)
      : mesh_(mesh), devices_(devices), me_(me) {}

  // Throws std::invalid_argument if the boxes of processes are not equal, or this process has no device.
  TESSERA_COLD std::unique_ptr<mesh_processes> find() const {
    auto made = std::make_unique<mesh_processes>();
    made->rank = mesh_.rank;
    mesh_coordinates low{}, high{};
    std::int64_t own = 0;
    for (std::int64_t p = 0; p < mesh_.devices(); ++p) {
      if (process_at(p) != me_) continue;
      mesh_coordinates const at = coordinates_of(mesh_, p);
      for (int a = 0; a < at.size(); ++a) {
        low[a] = own == 0 ? at[a] : std::min(low[a], at[a]);
        high[a] = own == 0 ? at[a] : std::max(high[a], at[a]);
      }
      ++own;
    }
    if (own == 0)
      refuse("has no device of process " + std::to_string(me_) +
             ", which makes it. Fix: give every process that makes the mesh a part of it.");
    mesh_coordinates box{};
    std::int64_t count = 1;
    for (int a = 0; a < mesh_.rank; ++a) {
      box[a] = high[a] - low[a] + 1;
      count *= box[a];
      if (mesh_.size(a) % box[a] != 0 || low[a] % box[a] != 0) uneven();
      made->sizes[a] = mesh_.size(a) / box[a];
      made->here[a] = low[a] / box[a];
    }
    if (count != own) uneven();
    std::int64_t grid = 1;
    for (int a = 0; a < mesh_.rank; ++a) grid *= made->sizes[a];
    made->ranks.assign(grid, -1);
    for (std::int64_t p = 0; p < mesh_.devices(); ++p) {
      mesh_coordinates at = coordinates_of(mesh_, p);
      for (int a = 0; a < mesh_.rank; ++a) at[a] /= box[a];
      int& there = made->ranks[made->number(at)];
      if (there >= 0 && there != process_at(p)) uneven();
      there = process_at(p);
    }
    std::vector<int> sorted = made->ranks;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) uneven();
    return made;
  }

private:
  int process_at(std::int64_t position) const { return devices_[position].process_index; }
  [[noreturn]] TESSERA_COLD void refuse(std::string const& why) const {
    throw std::invalid_argument("tessera: " + describe(mesh_, "Mesh") + " " + why);
  }
  // The error shows the process of each device, one line per row of the last axis.
  [[noreturn]] TESSERA_COLD void uneven() const {
    std::string text = "does not give each process a box of it, all alike. The processes of its devices:\n";
    std::int64_t const row = mesh_.rank == 0 ? 1 : mesh_.size(mesh_.rank - 1);
    for (std::int64_t p = 0; p < mesh_.devices(); ++p) {
      text += p % row == 0 ? "  " : " ";
      text += std::to_string(process_at(p));
      if (p % row == row - 1) text += '\n';
    }
    refuse(text +
           "Fix: an order of the devices in which those of a process are neighbors along each axis, or other "
           "sizes.");
  }

  mesh_value const& mesh_;
  std::vector<device> const& devices_;
  int me_;
};

// Null if all devices belong to this process, unless reproducible sums are set.
TESSERA_COLD inline process_grid const* processes_of(mesh_value const& mesh, std::vector<device> const& devices) {
  auto const& all = world();
  int const me = all ? all->rank() : 0;
  bool const own = std::all_of(devices.begin(), devices.end(), [&](device const& d) { return d.process_index == me; });
  if ((own && !reproducible_sums()) || devices.empty()) return nullptr;
  auto made = process_finder(mesh, devices, me).find();
  made->reproducible = reproducible_sums();
  if (own) {
    static std::shared_ptr<channel> const none = alone();
    made->all = none;
    std::fill(made->ranks.begin(), made->ranks.end(), 0);
  } else if (made->count() == all->size()) {
    made->all = all;
  } else {
    std::vector<int> ranks = made->ranks;
    std::sort(ranks.begin(), ranks.end());
    made->all = kept_part(ranks);
    for (int& rank : made->ranks)
      rank = static_cast<int>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
  }
  return kept_processes(std::move(made));
}

}  // namespace tessera::detail
