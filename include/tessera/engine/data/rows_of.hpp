// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies parts of arrays in memory.

#include <tessera/data/rows_of.hpp>

#include <stdexcept>

namespace tessera::detail {

TESSERA_ENGINE extents_list steps_of(extents_list const& extents, int bytes, bool first_fastest) {
  extents_list steps = extents;
  std::int64_t step = bytes;
  int const rank = extents.size();
  for (int i = 0; i < rank; ++i) {
    int const d = first_fastest ? i : rank - 1 - i;
    steps[d] = step;
    step *= extents[d];
  }
  return steps;
}

// Copies n elements that are `step` bytes apart.
template <int Bytes>
void copy_apart(std::byte* out, std::byte const* from, std::int64_t n, std::int64_t step) {
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(out + i * Bytes, from + i * step, Bytes);
}
inline void copy_line(std::byte* out, std::byte const* from, std::int64_t n, std::int64_t step, int bytes) {
  if (step == bytes) {
    std::memcpy(out, from, n * bytes);
    return;
  }
  switch (bytes) {
    case 1: return copy_apart<1>(out, from, n, step);
    case 2: return copy_apart<2>(out, from, n, step);
    case 4: return copy_apart<4>(out, from, n, step);
    case 8: return copy_apart<8>(out, from, n, step);
    default: return copy_apart<16>(out, from, n, step);
  }
}

TESSERA_ENGINE void copy_part(std::byte* out, std::byte const* from, region const& part, extents_list const& steps,
                              int bytes) {
  if (size_of(part) == 0) return;
  int last = part.size() - 1;
  for (int d = 0; d <= last; ++d) from += part[d].start * steps[d];
  if (last < 0) return copy_line(out, from, 1, bytes, bytes);
  // The last dimensions are joined as long as their steps continue each other.
  std::int64_t line = part[last].size();
  while (last > 0 && steps[last - 1] == steps[last] * part[last].size()) {
    --last;
    line *= part[last].size();
  }
  std::int64_t const step = steps[part.size() - 1];
  extents_list at;
  for (int d = 0; d < last; ++d) at.push_back(0);
  while (true) {
    std::byte const* here = from;
    for (int d = 0; d < last; ++d) here += at[d] * steps[d];
    copy_line(out, here, line, step, bytes);
    out += line * bytes;
    int d = last - 1;
    while (d >= 0 && ++at[d] == part[d].size()) at[d--] = 0;
    if (d < 0) return;
  }
}

class memory_rows final : public row_source {
public:
  memory_rows(dtype element, extents_list const& extents, void const* data, std::shared_ptr<void const> keeper)
      : element_(element), count_(extents[0]), data_(static_cast<std::byte const*>(data)), keeper_(std::move(keeper)) {
    for (int d = 1; d < extents.size(); ++d) extents_.push_back(extents[d]);
    steps_ = steps_of(extents_, bytes_of(element));
    bytes_ = bytes_of(element);
    for (std::int64_t e : extents_) bytes_ *= e;
  }
  std::int64_t count() const override { return count_; }
  dtype element() const override { return element_; }
  extents_list extents() const override { return extents_; }
  void read(std::int64_t row, region const& part, std::byte* out) const override {
    copy_part(out, data_ + row * bytes_, part, steps_, bytes_of(element_));
  }

private:
  dtype element_;
  std::int64_t count_, bytes_ = 0;
  extents_list extents_{}, steps_{};
  std::byte const* data_;
  std::shared_ptr<void const> keeper_;
};

TESSERA_ENGINE std::shared_ptr<row_source const> rows_in_memory(dtype element, extents_list const& extents,
                                                                void const* data, std::shared_ptr<void const> keeper) {
  if (extents.size() == 0)
    throw std::invalid_argument(
        "tessera: rows_of: this data has no dimensions, so no rows. Fix: host<rows, extents...>(data).");
  return std::make_shared<memory_rows>(element, extents, data, std::move(keeper));
}

}  // namespace tessera::detail
