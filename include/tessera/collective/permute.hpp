// SPDX-License-Identifier: Apache-2.0
#pragma once
// permute: whole blocks change devices. The axes `from` name the positions blocks come from, `to` those
// they go to, in groups of axes (of one each when empty): the device whose position along a group of the
// second (major first) is p gets the block of the device whose position along that group of the first is p.
// P<dp, mp> becomes P<mp, dp>, P<dp> becomes P<mp>, P<axes<dp, mp>> becomes P<axes<mp, dp>> (one group of two).
// With `further`, from the axes to themselves: the block of the device so many places before it along them, round the ring.
// Block {V} -> block {V, the first axes replaced by the second}. Bytes: B. Transpose: the lists exchanged.

#include <tessera/graph/op_info.hpp>
#include <tessera/mesh/coordinates.hpp>
#include <tessera/rule/collective.hpp>

namespace tessera::collectives {

struct permute {
  static constexpr std::string_view name = "permute";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::permute;
  static constexpr verdict rule(rule_input const& in) { return rule::exchange_axes(in); }

  // Where the device at `to` gets its block from.
  static constexpr mesh_coordinates source(mesh_value const& mesh, exchange_params const& axes,
                                           mesh_coordinates const& there) {
    mesh_coordinates here = there;
    int const groups = axes.groups.empty() ? axes.from.size() : axes.groups.size();
    for (int g = 0, start = 0; g < groups; ++g) {
      int const size = axes.groups.empty() ? 1 : static_cast<int>(axes.groups[g]);
      std::int64_t position = 0;
      for (int k = start; k < start + size; ++k)
        position = position * mesh.size(static_cast<int>(axes.to[k])) + there[axes.to[k]];
      if (axes.further != 0) position = before(mesh, axes, position);
      for (int k = start + size - 1; k >= start; --k) {
        here[axes.from[k]] = position % mesh.size(static_cast<int>(axes.from[k]));
        position /= mesh.size(static_cast<int>(axes.from[k]));
      }
      start += size;
    }
    return here;
  }

private:
  // The position from which blocks come to this one, so many places further.
  static constexpr std::int64_t before(mesh_value const& mesh, exchange_params const& axes, std::int64_t position) {
    std::int64_t devices = 1;
    for (auto a : axes.from) devices *= mesh.size(static_cast<int>(a));
    return (position + devices - axes.further % devices) % devices;
  }
};

}  // namespace tessera::collectives
