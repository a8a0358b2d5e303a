// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads and replaces a part of an array.

#include <tessera/api/at.hpp>
#include <tessera/error/explain_text.hpp>
#include <tessera/op/base/relayout.hpp>

#include <algorithm>
#include <stdexcept>

namespace tessera::detail {

// The index as text: 3, or [3, 7).
TESSERA_COLD inline std::string text_of(index_span const& asked) {
  if (asked.single) return std::to_string(asked.start);
  std::string text = "[";
  text += std::to_string(asked.start);
  text += ", ";
  text += std::to_string(asked.stop);
  return text += ")";
}

TESSERA_ENGINE array_part::array_part(extents_list const& shape, std::initializer_list<index_span> index) {
  int d = 0;
  for (index_span part : index) {
    std::int64_t const n = shape[d];
    index_span const asked = part;
    if (part.whole) part = {0, n};
    if (part.start < 0) part.start += n;
    if (part.stop < 0) part.stop += n;
    if (part.start < 0 || part.start > n || part.stop < 0 || part.stop > n || (part.single && part.start == n)) {
      if (outside_.empty()) outside_ = outside_text(text_of(asked), d, n);
      dropped_ = dropped_ || part.single;
      nothing_ = nothing_ || (part.single && n == 0);
      part.start = std::clamp<std::int64_t>(part.start, 0, part.single && n > 0 ? n - 1 : n);
      if (!part.single) part.stop = std::clamp<std::int64_t>(part.stop, part.start, n);
    }
    if (part.single && n > 0) part.stop = part.start + 1;
    if (part.stop < part.start) part.stop = part.start;
    starts_.push_back(part.start);
    extents_.push_back(part.stop - part.start);
    if (!part.single) kept_.push_back(part.stop - part.start);
    ++d;
  }
  for (; d < shape.size(); ++d) {
    starts_.push_back(0);
    extents_.push_back(shape[d]);
    kept_.push_back(shape[d]);
  }
}
TESSERA_ENGINE array_part::~array_part() = default;

TESSERA_ENGINE void array_part::require_inside() const {
  if (!outside_.empty()) throw std::out_of_range(outside_);
}

// The dimensions of which only a part is read or written. Each must be whole on every device.
TESSERA_ENGINE axis_set array_part::cut(array_value const& facts) const {
  axis_set dims;
  for (int d = 0; d < starts_.size(); ++d)
    if (extents_[d] != facts.extent(d)) dims |= axis_set::of(d);
  return dims;
}
TESSERA_ENGINE slice_params array_part::bounds() const {
  slice_params part;
  part.start = starts_;
  for (int d = 0; d < starts_.size(); ++d) part.limit.push_back(starts_[d] + extents_[d]);
  return part;
}

TESSERA_ENGINE stored_array array_part::get(stored_array const& whole, mesh_value const& mesh,
                                            array_value (*facts_of)(array_value const&)) const {
  if (nothing_) throw std::out_of_range(outside_);
  builder b;
  b.recorded.mesh = explicit_twin(mesh);
  term const x = b.argument(info<ops::argument>, array_value(whole.facts));
  term part = b.make<ops::slice>({with_whole_dims(b, x, cut(whole.facts))}, bounds());
  if (part) part = b.make<ops::reshape>({part}, reshape_params{kept_});
  array_value wanted = facts_of(whole.facts);
  for (int d = 0; d < wanted.rank; ++d) wanted.extents[d] = kept_[d];
  if (part) part = laid_out_as(b, part, wanted);
  return run_once(std::move(b), part, {whole});
}

inline term combined(builder& b, term old, term value, part_update how) {
  switch (how) {
    case part_update::add: return b.make<ops::add>({old, value});
    case part_update::multiply: return b.make<ops::multiply>({old, value});
    case part_update::min: return b.make<ops::minimum>({old, value});
    case part_update::max: return b.make<ops::maximum>({old, value});
    default: return value;
  }
}
TESSERA_ENGINE stored_array array_part::updated(stored_array const& whole, stored_array const& given,
                                                mesh_value const& mesh, part_update how) const {
  builder b;
  b.recorded.mesh = explicit_twin(mesh);
  term const x = b.argument(info<ops::argument>, array_value(whole.facts));
  term value = b.argument(info<ops::argument>, array_value(given.facts));
  dtype const element = whole.facts.element;
  if (value.facts().element != element) value = b.make<ops::cast>({value}, cast_params{element});
  if (value) value = b.make<ops::broadcast_to>({value}, broadcast_params{{}, kept_});
  if (value) value = b.make<ops::reshape>({value}, reshape_params{extents_});
  term const all = with_whole_dims(b, x, cut(whole.facts));
  term const old = b.make<ops::slice>({all}, bounds());
  term replaced = combined(b, old, value, how);
  if (replaced && old) replaced = laid_out_as(b, replaced, array_value(old.facts()));
  term result = b.make<ops::update_slice>({all, replaced}, update_slice_params{starts_});
  if (result) result = laid_out_as(b, result, whole.facts);
  return run_once(std::move(b), result, {whole, given});
}

}  // namespace tessera::detail
