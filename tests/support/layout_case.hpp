// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rows of tests/conformance/layout_table.hpp, and how a row's mesh and spec become tessera's.

#include <tessera/array/sharding_object.hpp>

namespace tessera::testing {

struct case_axis {
  std::string_view name;
  std::int64_t size = 0;
};
using case_spec = inplace_list<inplace_list<int, 4>, 4>;  // per dimension the positions of its axes in the mesh

struct case_region {
  int device_id = 0;
  inplace_list<index_range, 4> index{};
};

struct indices_map_case {
  char const* id;
  inplace_list<case_axis, 4> mesh;
  inplace_list<int, 8> device_order;  // empty: 0, 1, 2, ...
  extents_list shape;
  case_spec spec;
  std::string_view error;
  extents_list shard_shape;
  bool fully_replicated;
  inplace_list<case_region, 8> indices;
  inplace_list<inplace_list<int, 2>, 8> replica_ids;  // device id, replica id
};

struct spec_equal_case {
  char const* id;
  inplace_list<case_axis, 4> mesh;
  case_spec a, b;
  int rank;
  bool equal, equivalent;
  char const *a_text, *b_text;
};

struct make_mesh_case {
  char const* id;
  inplace_list<case_axis, 4> mesh;
  inplace_list<int, 8> device_ids;
  bool all_explicit;  // the kinds of axes that are not said
};

struct memory_kind_case {
  char const* id;
  inplace_list<case_axis, 4> mesh;
  case_spec spec;
  std::string_view asked, known;  // known: empty where it is refused
};

inline concrete_mesh mesh_of(inplace_list<case_axis, 4> const& axes, inplace_list<int, 8> const& order = {}) {
  mesh_value mesh;
  for (case_axis const& a : axes) {
    auto const i = static_cast<std::size_t>(mesh.rank++);
    mesh.names[i] = a.name;
    mesh.sizes[i] = a.size;
    mesh.kinds[i] = axis_kind::explicit_;
  }
  std::vector<device> devices;
  for (std::int64_t i = 0; i < mesh.devices(); ++i)
    devices.push_back({order.empty() ? static_cast<int>(i) : order[static_cast<int>(i)]});
  return {mesh, devices};
}

inline spec_value spec_of(case_spec const& entries) {
  spec_value spec;
  for (auto const& entry : entries) {
    auto& mine = spec.entries[static_cast<std::size_t>(spec.rank++)];
    for (int axis : entry) mine.append(axis);
  }
  return spec;
}

}  // namespace tessera::testing
