// SPDX-License-Identifier: Apache-2.0
#pragma once
// permute: whole blocks change devices. The axes attrs.first name the positions blocks come from, attrs.second those
// they go to, in groups of attrs.third axes (of one each when empty): the device whose position along a group of the
// second (major first) is p gets the block of the device whose position along that group of the first is p.
// P<dp, mp> becomes P<mp, dp>, P<dp> becomes P<mp>, P<axes<dp, mp>> becomes P<axes<mp, dp>> (one group of two).
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
  static constexpr mesh_coordinates source(mesh_value const& mesh, attributes const& attrs,
                                           mesh_coordinates const& to) {
    mesh_coordinates from = to;
    int const groups = attrs.third.empty() ? attrs.first.size() : attrs.third.size();
    for (int g = 0, start = 0; g < groups; ++g) {
      int const size = attrs.third.empty() ? 1 : static_cast<int>(attrs.third[g]);
      std::int64_t position = 0;
      for (int k = start; k < start + size; ++k)
        position =
            position * mesh.size(static_cast<int>(attrs.second[k])) + to[static_cast<std::size_t>(attrs.second[k])];
      for (int k = start + size - 1; k >= start; --k) {
        from[static_cast<std::size_t>(attrs.first[k])] = position % mesh.size(static_cast<int>(attrs.first[k]));
        position /= mesh.size(static_cast<int>(attrs.first[k]));
      }
      start += size;
    }
    return from;
  }
};

}  // namespace tessera::collectives
