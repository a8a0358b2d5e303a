// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds an opaque step: outer loops over blocks and batch elements, and the working dimensions of its kernel.

#include <tessera/engine/exec/memory/locations.hpp>
#include <tessera/op/base/opaque_work.hpp>

#include <algorithm>

namespace tessera::detail {

class opaque_binder {
public:
  TESSERA_COLD opaque_binder(plan_view const& plan, step const& at, locations const& where)
      : plan_(plan), step_(at), where_(where), node_(plan.local[at.node]) {}

  TESSERA_COLD opaque_work bind() {
    array_value const* operands[opaque_shape::most_operands]{};
    for (int k = 0; k < step_.inputs.count; ++k) operands[k] = &facts(step_.inputs, k);
    opaque_shape const shape = node_.op->shape({mesh(), operands, step_.inputs.count, node_.attrs});
    work_.call.attrs = node_.attrs;
    work_.element = operands[0]->element;
    work_.inputs = step_.inputs.count;
    work_.launches = shape.launches;
    for (int a = 0; a < mesh().rank; ++a)
      if (node_.facts.varying.contains(a)) {
        axes_.push_back(a);
        work_.extent[work_.loops++] = mesh().held(a);
      }
    for (auto d : rule::batch_dims(node_.facts.rank, shape.result[0].dims))
      work_.extent[work_.loops++] = node_.facts.extent(static_cast<int>(d));
    if (shape.panel > 0) {
      panel_ = last_ = 1;
      // One thread of an accelerator takes one line, so that neighbors read neighbors.
      if (work_.loops > 0) cut(work_.extent[work_.loops - 1], runs_on_host ? shape.panel : 1);
    }
    for (int k = 0; k < step_.inputs.count; ++k) operand(step_.inputs, k, shape.operand[k]);
    for (int k = 0; k < step_.outputs.count; ++k) operand(step_.outputs, k, shape.result[k].dims);
    work_.elements = 1;
    for (int i = 0; i < work_.loops; ++i) work_.elements *= work_.extent[i];
    constexpr std::int64_t tile_bytes = 32 * 1024;
    std::int64_t const most =
        shape.launches ? 1 : std::max<std::int64_t>(1, std::min(work_.elements, work_.bytes / tile_bytes));
    work_.grain = (work_.elements + most - 1) / most;
    work_.tiles = work_.elements == 0 ? 0 : (work_.elements + work_.grain - 1) / work_.grain;
    return work_;
  }

private:
  mesh_value const& mesh() const { return *plan_.local.mesh; }
  array_value const& facts(span_of list, int k) const { return plan_.local[plan_.lists[list.first + k]].facts; }

  // Cuts the last loop in panels of `most` neighbors; the last panel has the rest.
  void cut(std::int64_t& extent, std::int64_t most) {
    panel_ = std::max<std::int64_t>(1, std::min(most, extent));
    last_ = extent == 0 ? 0 : (extent - 1) % panel_ + 1;
    extent = (extent + panel_ - 1) / panel_;
  }

  TESSERA_COLD void operand(span_of list, int k, extents_list const& working) {
    int const id = plan_.lists[list.first + k];
    array_value const& own = plan_.local[id].facts;
    location const& at = where_[id];
    if (at.slot < 0)
      throw std::logic_error("tessera: an operand of a kernel has no memory: " + std::string(plan_.local[id].op->name));
    std::int64_t const size = bytes_of(own.element);
    opaque_operand& o = work_.operand[work_.operands++];
    o.slot = at.slot;
    o.element_bytes = static_cast<int>(size);
    o.bytes = at.bytes + at.at.offset * size;
    for (int a = 0; a < axes_.size(); ++a) o.step[a] = at.at.axis_stride[axes_[a]] * size;
    extents_list const batch = rule::batch_dims(own.rank, working);
    for (int b = 0; b < batch.size(); ++b) o.step[axes_.size() + b] = at.at.dim_stride[batch[b]] * size;
    if (panel_ > 0) {
      std::int64_t& last = o.step[work_.loops > 0 ? work_.loops - 1 : 0];
      o.extents[0] = panel_;
      o.last[0] = last_;
      o.strides[o.rank++] = last / size;
      last *= panel_;
    }
    for (auto d : working) {
      o.extents[o.rank] = o.last[o.rank] = own.extent(static_cast<int>(d));
      o.strides[o.rank++] = at.at.dim_stride[d];
    }
    work_.bytes += own.size() * size * mesh().held_devices(own.varying);
  }

  plan_view const& plan_;
  step const& step_;
  locations const& where_;
  node const& node_;
  inplace_list<int, max_rank> axes_;
  opaque_work work_{};
  std::int64_t panel_ = 0, last_ = 0;  // 0: the kernel takes one batch element
};

}  // namespace tessera::detail
