// SPDX-License-Identifier: Apache-2.0
#pragma once
// The layout of a local value in memory. Broadcasts, permutations, slices and a device's part of a dimension are
// strides over other values' memory. The memory of a value has its distinct blocks, in mesh order over its varying
// axes, for the devices of this process.

#include <tessera/mesh/value.hpp>
#include <tessera/plan/base/plan.hpp>

namespace tessera {

// Whether a node of this class may be a view of its operand's memory.
constexpr bool shows_operand(op_class kind) {
  return kind == op_class::broadcast || kind == op_class::permute || kind == op_class::reshape ||
         kind == op_class::slice || kind == op_class::shard_slice;
}

// Whether node id is its operand in the other memory: a device's, or its host's.
constexpr bool changes_memory(graph_view const& g, int id) {
  return g[id].op->kind == op_class::identity && g[id].facts.memory != g[g.operand(id, 0)].facts.memory;
}

// The address of element (i0, i1, ...) in the block of the device at mesh coordinates (c0, c1, ...) is
//   offset + sum(i[d] * dim_stride[d]) + sum(c[a] * axis_stride[a])      (all in elements)
// where c counts the devices of this process only.
struct strides {
  std::int64_t offset = 0;
  by_dim<std::int64_t> dim_stride{};
  by_dim<std::int64_t> axis_stride{};
};

// Elements between the starts of distinct blocks: the block's size, rounded up to whole 64-byte lines.
constexpr std::int64_t block_stride(array_value const& local) {
  std::int64_t const line = 64 / bytes_of(local.element);
  std::int64_t const size = local.size();
  return size <= 1 ? size : (size + line - 1) / line * line;
}

// Strides of a value with memory of its own: contiguous row-major blocks.
constexpr strides own_strides(array_value const& local, mesh_value const& mesh) {
  strides result;
  std::int64_t step = 1;
  for (int d = local.rank - 1; d >= 0; --d) {
    result.dim_stride[d] = step;
    step *= local.extent(d);
  }
  step = block_stride(local);
  for (int a = mesh.rank - 1; a >= 0; --a)
    if (local.varying.contains(a)) {
      result.axis_stride[a] = step;
      step *= mesh.held(a);
    }
  return result;
}

// Bytes of all distinct blocks of a value.
constexpr std::int64_t storage_bytes(array_value const& local, mesh_value const& mesh) {
  return block_stride(local) * mesh.held_devices(local.varying) * bytes_of(local.element);
}

// Strides of a row-major reshape from shape `from`, with strides `in`, to shape `to`. False if no strides describe it.
// Precondition: both shapes have the same number of elements.
constexpr bool reshaped_strides(array_value const& from, array_value const& to, strides const& in, strides& out) {
  out = in;
  out.dim_stride = {};
  if (from.size() == 0) return true;
  int f = 0, t = 0;
  while (f < from.rank || t < to.rank) {
    // The shortest groups of dimensions of both shapes with equal numbers of elements.
    int const f0 = f, t0 = t;
    std::int64_t a = f < from.rank ? from.extent(f++) : 1, b = t < to.rank ? to.extent(t++) : 1;
    while (a != b)
      if (a < b)
        a *= from.extent(f++);
      else
        b *= to.extent(t++);
    // The operand's group must be one run: the stride of the last dimension determines those of the others. Extents of
    // 1 do not count.
    std::int64_t step = 0, expected = 0;
    bool first = true;
    for (int d = f - 1; d >= f0; --d) {
      if (from.extent(d) == 1) continue;
      std::int64_t const stride = in.dim_stride[d];
      if (first)
        step = stride;
      else if (stride != expected)
        return false;
      first = false;
      expected = stride * from.extent(d);
    }
    for (int d = t - 1; d >= t0; --d) {
      out.dim_stride[d] = step;
      step *= to.extent(d);
    }
  }
  return true;
}

// Strides of a node that is a view of its operand, whose strides are `in`. False if it cannot be a view.
constexpr bool view_strides(node const& n, array_value const& from, mesh_value const& mesh, strides const& in,
                            strides& out) {
  auto const dim = [](strides const& s, std::int64_t d) { return s.dim_stride[d]; };
  out = in;
  switch (n.op->kind) {
    case op_class::identity:
    case op_class::effect: return true;  // a barrier's result is a copy
    case op_class::broadcast: {
      extents_list const& dims = n.attrs.as<broadcast_params>().dims;
      out.dim_stride = {};
      for (int i = 0; i < from.rank; ++i) {
        auto const to = dims[i];
        bool const repeated = from.extent(i) == 1 && n.facts.extent(static_cast<int>(to)) != 1;
        out.dim_stride[to] = repeated ? 0 : dim(in, i);
      }
      return true;
    }
    case op_class::permute: {
      extents_list const& order = n.attrs.as<permute_params>().order;
      for (int d = 0; d < n.facts.rank; ++d) out.dim_stride[d] = dim(in, order[d]);
      return true;
    }
    case op_class::slice: {
      slice_params const& part = n.attrs.as<slice_params>();
      for (int d = 0; d < n.facts.rank; ++d) {
        std::int64_t const step = d < part.stride.size() ? part.stride[d] : 1;
        out.offset += part.start[d] * dim(in, d);
        out.dim_stride[d] = dim(in, d) * step;
      }
      return true;
    }
    case op_class::shard_slice: {  // part p of dimension d starts p blocks after the first
      collective_params const& along = n.attrs.as<collective_params>();
      for (int a = 0; a < mesh.rank; ++a)
        if (along.axes.contains(a)) out.axis_stride[a] = 0;  // first_block
      if (along.order.empty()) return true;
      auto const d = static_cast<int>(along.dim);
      std::int64_t part = n.facts.extent(d) * dim(in, d);
      entry_value const by = along.order;
      for (int k = by.count() - 1; k >= 0; --k) {
        out.axis_stride[by.axis(k)] += part;
        out.offset += mesh.first_held(by.axis(k)) * part;
        part *= mesh.size(by.axis(k));
      }
      return true;
    }
    case op_class::reshape: return reshaped_strides(from, n.facts, in, out);
    default: return false;
  }
}
constexpr bool view_strides(graph_view const& g, int id, strides const& in, strides& out) {
  return view_strides(g[id], g[g.operand(id, 0)].facts, *g.mesh, in, out);
}

// Whether both strides reach the same elements of a value with these facts. Dimensions of one element and axes of one
// device do not matter.
constexpr bool same_elements(strides const& l, strides const& r, array_value const& facts, mesh_value const& mesh) {
  if (l.offset != r.offset) return false;
  for (int d = 0; d < facts.rank; ++d) {
    if (facts.extent(d) != 1 && l.dim_stride[d] != r.dim_stride[d]) return false;
  }
  for (int a = 0; a < mesh.rank; ++a) {
    if (mesh.held(a) != 1 && l.axis_stride[a] != r.axis_stride[a]) return false;
  }
  return true;
}

namespace detail {

// Where operand k begins in the memory of a node that is assembled from its operands, each of which it holds whole: a
// concatenation, a padded value, a slice that is replaced. False for other operands.
constexpr bool operand_start(graph_view const& g, int id, int k, by_dim<std::int64_t>& first) {
  node const& n = g[id];
  switch (n.op->kind) {
    case op_class::concatenate: {
      auto const dim = static_cast<int>(n.attrs.as<concatenate_params>().dim);
      for (int before = 0; before < k; ++before) first[dim] += g[g.operand(id, before)].facts.extent(dim);
      return true;
    }
    case op_class::pad: {
      auto const& by = n.attrs.as<pad_params>();
      for (int d = 0; d < n.facts.rank; ++d) {
        bool const grows = (d >= by.low.size() || by.low[d] >= 0) && (d >= by.high.size() || by.high[d] >= 0);
        if (!grows || (d < by.interior.size() && by.interior[d] != 0)) return false;
        first[d] = d < by.low.size() ? by.low[d] : 0;
      }
      return k == 0;
    }
    case op_class::update_slice:
      for (int d = 0; d < n.facts.rank; ++d) first[d] = n.attrs.as<update_slice_params>().start[d];
      return k == 1;
    default: return false;
  }
}

}  // namespace detail

// The value of an iota or axis_index as strides over its position; it needs no memory.
constexpr strides index_strides(node const& n, mesh_value const& mesh) {
  strides value;
  std::int64_t part = 1;
  entry_value by;
  if (n.op->kind == op_class::iota) {
    iota_params const& counted = n.attrs.as<iota_params>();
    auto const d = static_cast<int>(counted.dim);
    by = counted.split;
    value.dim_stride[d] = 1;
    part = n.facts.extent(d);
  } else {
    by = n.attrs.as<collective_params>().order;
  }
  for (int k = by.count() - 1; k >= 0; --k) {
    value.axis_stride[by.axis(k)] = part;
    value.offset += mesh.first_held(by.axis(k)) * part;
    part *= mesh.size(by.axis(k));
  }
  return value;
}

}  // namespace tessera
