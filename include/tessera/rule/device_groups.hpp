// SPDX-License-Identifier: Apache-2.0
#pragma once
// Replica groups of devices along the axes of a collective, as a constant table: JAX's axis_index_groups.

#include <tessera/rule/input.hpp>

namespace tessera {

// table: number of positions along the axes, number of groups, size of each group (0: they differ), a wrong position
// (or no_fault), offsets of the groups' members and their end, then the members. The first axis is major.
struct device_groups {
  static constexpr int head = 4;
  static constexpr std::int32_t no_fault = -2147483647;
  std::int32_t const* table = nullptr;

  constexpr explicit operator bool() const { return table != nullptr; }
  constexpr int positions() const { return table[0]; }
  constexpr int count() const { return table[1]; }
  constexpr int size() const { return table[2]; }
  constexpr bool broken() const { return table[3] != no_fault; }
  constexpr int fault() const { return table[3]; }
  constexpr int size(int group) const { return table[head + group + 1] - table[head + group]; }
  constexpr int member(int group, int k) const { return table[head + count() + 1 + table[head + group] + k]; }
  constexpr int largest() const {
    int most = 0;
    for (int g = 0; g < count(); ++g)
      if (size(g) > most) most = size(g);
    return most;
  }
};

// The axes along which an operation's devices communicate; none for operations without communication.
constexpr axis_set axes_joined(attributes const& attrs) {
  return attrs.kind() == params_kind::collective ? attrs.as<collective_params>().joined() : axis_set{};
}
// The axes along which an operation moves blocks between devices, by any kind of collective.
constexpr axis_set axes_crossed(attributes const& attrs) {
  if (attrs.kind() != params_kind::exchange) return axes_joined(attrs);
  axis_set axes;
  for (auto const* list : {&attrs.as<exchange_params>().from, &attrs.as<exchange_params>().to})
    for (auto a : *list) axes |= axis_set::of(static_cast<int>(a));
  return axes;
}
constexpr std::int32_t const* table_of(attributes const& attrs) {
  return attrs.kind() == params_kind::collective ? attrs.as<collective_params>().table : nullptr;
}

namespace rule {

// The number of devices that share a dimension in a collective.
constexpr std::int64_t sharers(mesh_value const& mesh, collective_params const& along) {
  if (device_groups const groups{along.table}) return groups.size();
  return mesh.devices(along.order.axes());
}
// Checks that groups have each device once and, unless `uneven`, equal sizes.
constexpr verdict lawful_groups(rule_input const& in, bool uneven) {
  auto const& along = in.attrs.as<collective_params>();
  device_groups const groups{along.table};
  if (!groups) return {};
  if (groups.broken())
    return refuse(reason::malformed_groups, -1, along.order.axes(), groups.fault(), groups.positions());
  if (!uneven && groups.size() == 0)
    for (int g = 1; g < groups.count(); ++g)
      if (groups.size(g) != groups.size(0))
        return refuse(reason::malformed_groups, -1, along.order.axes(), groups.size(g) ? groups.member(g, 0) : 0,
                      groups.positions());
  return {};
}

}  // namespace rule

}  // namespace tessera
