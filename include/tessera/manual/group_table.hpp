// SPDX-License-Identifier: Apache-2.0
#pragma once
// Groups of devices as a table, checked while compiling: each device is in one group.

#include <tessera/manual/psum_scatter.hpp>

namespace tessera {

template <int... Position>
struct group {};

template <class... Group>
struct axis_index_groups_t {};
template <class... Group>
inline constexpr axis_index_groups_t<Group...> axis_index_groups{};

namespace detail {

template <int Count, int Members>
struct group_table {
  std::array<std::int32_t, device_groups::head + Count + 1 + Members> table{};
  int groups = 0, members = 0;

  constexpr explicit group_table(int devices) {
    table[0] = devices;
    table[1] = Count;
    table[3] = device_groups::no_fault;
  }
  constexpr void add(std::initializer_list<int> positions) {
    auto const size = static_cast<std::int32_t>(positions.size());
    table[2] = groups == 0 || table[2] == size ? size : 0;
    for (int p : positions) {
      if (p < 0 || p >= table[0]) table[3] = p;
      for (int k = 0; k < members; ++k)
        if (member(k) == p) table[3] = p;
      member(members++) = p;
    }
    ++groups;
    table[device_groups::head + groups] = members;
  }
  constexpr void close() {
    for (int p = table[0] - 1; p >= 0; --p) {
      bool found = false;
      for (int k = 0; k < members; ++k) found = found || member(k) == p;
      if (!found && table[3] == device_groups::no_fault) table[3] = p;
    }
  }
  constexpr std::int32_t& member(int k) { return table[device_groups::head + Count + 1 + k]; }
};

template <class G>
struct group_members;
template <int... Position>
struct group_members<group<Position...>> {
  static constexpr int size = sizeof...(Position);
  template <class Table>
  static constexpr void add_to(Table& table) {
    table.add({Position...});
  }
};
template <int Devices, class Groups>
struct table_of_groups;
template <int Devices, class... G>
struct table_of_groups<Devices, axis_index_groups_t<G...>> {
  static constexpr auto value = [] {
    group_table<static_cast<int>(sizeof...(G)), (0 + ... + group_members<G>::size)> t(Devices);
    (group_members<G>::add_to(t), ...);
    t.close();
    return t;
  }();
};

}  // namespace detail
}  // namespace tessera
