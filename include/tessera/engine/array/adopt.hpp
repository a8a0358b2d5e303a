// SPDX-License-Identifier: Apache-2.0
#pragma once
// Uses memory of the caller as the memory of an array.

#include <tessera/array/adopt.hpp>
#include <tessera/engine/array/strided.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tessera::detail {

[[noreturn]] TESSERA_ENGINE void refuse_unkept() {
  throw std::invalid_argument(
      "tessera: adopt: this view has no share in its memory, so that nothing would keep it: it is unmanaged, or a part of "
      "one that is. Fix: adopt(view, mesh, keeper), or adopt(view, mesh, outlives).");
}

// Whether the strides are those of an array's own blocks; the offset of the first element is not compared.
TESSERA_COLD inline bool lies_in_blocks(array_value const& facts, mesh_value const& mesh, extents_list const& steps) {
  if (!with_padding(facts, mesh).same_shape(facts)) return false;
  array_value const block = stored_block(facts, mesh);
  strides given = whole_strides(facts, mesh, steps), own = own_strides(block, mesh);
  given.offset = own.offset = 0;
  return facts.size() == 0 || same_elements(given, own, block, mesh);
}
TESSERA_COLD inline bool is_aligned(void const* data, dtype element) {
  int const parts = is_complex(element) ? 2 : 1;  // a complex number has the alignment of its parts
  return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(bytes_of(element) / parts) == 0;
}
inline bool is_near(memory_kind memory) { return runs_on_host || memory == memory_kind::device; }

TESSERA_ENGINE bool is_adoptable(array_value const& facts, mesh_value const& mesh, void const* data,
                                 extents_list const& steps, memory_kind memory) {
  return data && is_near(memory) && is_aligned(data, facts.element) && lies_in_blocks(facts, mesh, steps);
}

TESSERA_ENGINE stored_array adopted(array_value const& facts, mesh_value const& mesh, void const* data,
                                    extents_list const& steps, memory_kind memory, std::shared_ptr<void const> keeper) {
  require_data(data, facts);
  std::string const what = "tessera: adopt: " + describe(facts, mesh);
  if (!is_near(memory))
    throw std::invalid_argument(what + " is in host memory, and programs run on '" + platform_name +
                                "'. Fix: device_put copies it.");
  if (!is_aligned(data, facts.element))
    throw std::invalid_argument(what + " begins at an address that is no place of a " +
                                std::string(name_of(facts.element)) + ". Fix: device_put of a copy that is aligned.");
  if (!lies_in_blocks(facts, mesh, steps))
    throw std::invalid_argument(
        what +
        " lies in memory in blocks, row-major, one after the other at multiples of 64 bytes; this data has steps " +
        tuple_text(steps) +
        " from one end to the other. Fix: device_put copies it; or split its first dimension only, "
        "in blocks of such sizes.");
  array_value const block = stored_block(facts, mesh);
  std::int64_t const blocks = mesh.held_devices(block.varying), size = bytes_of(facts.element);
  std::int64_t const elements = block.size() == 0 ? 0 : (blocks - 1) * block_stride(block) + block.size();
  auto const* const first = static_cast<std::byte const*>(data);
  std::int64_t const begin = elements == 0 ? 0 : whole_strides(facts, mesh, steps).offset * size;
  return {facts, buffer(first + begin, elements * size, std::move(keeper))};
}

}  // namespace tessera::detail
