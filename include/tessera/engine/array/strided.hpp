// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies values with any strides into an array's blocks and back.

#include <tessera/array/stepped.hpp>
#include <tessera/array/strided.hpp>
#include <tessera/engine/exec/memory/buffer_for.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::detail {

// The list as text: (8, 4).
TESSERA_COLD inline std::string tuple_text(extents_list const& list) {
  std::string text = "(";
  for (int d = 0; d < list.size(); ++d) {
    if (d) text += ", ";
    if (list[d] == dynamic)
      text += "?";
    else
      text += std::to_string(list[d]);
  }
  return text += ")";
}

[[noreturn]] TESSERA_ENGINE void refuse_layout() {
  throw std::invalid_argument(
      "tessera: the elements of this mdspan are not a fixed step apart in each dimension. Fix: copy it into one of "
      "layout_right.");
}
TESSERA_ENGINE void require_extents(extents_list const& type, extents_list const& have) {
  bool fits = type.size() == have.size();
  for (int d = 0; fits && d < type.size(); ++d) fits = type[d] == dynamic || type[d] == have[d];
  if (!fits)
    throw std::invalid_argument("tessera: stepped<...> says " + tuple_text(type) + ", and the data has extents " +
                                tuple_text(have) +
                                ". Fix: the extents that it has, or ts::dynamic where they are open.");
}
TESSERA_ENGINE void require_inside(std::size_t count, extents_list const& extents, extents_list const& steps) {
  std::int64_t low = 0, high = 0;
  bool wrong = false;
  for (int d = 0; d < extents.size(); ++d) {
    if (extents[d] == 0) return;
    std::int64_t reach = 0;
    wrong = wrong || extents[d] < 0 || __builtin_mul_overflow(extents[d] - 1, steps[d], &reach) ||
            __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high);
  }
  if (!wrong && low >= 0 && high < static_cast<std::int64_t>(count)) return;
  throw std::invalid_argument("tessera: stepped: extents " + tuple_text(extents) + " with steps " + tuple_text(steps) +
                              " lead out of the " + std::to_string(count) +
                              " elements that were given. Fix: steps in elements, the first element first.");
}

TESSERA_ENGINE array_value value_in_layout(dtype element, extents_list const& extents, spec_value const& spec,
                                           concrete_mesh const& mesh) {
  array_value plain;
  plain.element = element;
  for (auto extent : extents) plain.add_dim(extent);
  return value_in_layout(plain, spec, mesh.value());
}

TESSERA_ENGINE stored_array without_values(array_value const& facts, mesh_value const& mesh) {
  if (with_padding(facts, mesh).same_shape(facts))
    return {facts, buffer_for(storage_bytes(stored_block(facts, mesh), mesh),
                              [&] { return "an array " + describe(facts, mesh); })};
  std::vector<std::byte> const zeros(facts.size() * bytes_of(facts.element));
  return store_from_host(facts, mesh, zeros.data());
}

// The same element type and extents, without a mesh.
TESSERA_COLD inline array_value whole_of(array_value const& facts) {
  array_value whole;
  whole.element = facts.element;
  for (auto extent : facts.shape()) whole.add_dim(extent);
  return whole;
}
TESSERA_COLD inline void copy_whole(array_value const& facts, void* out, extents_list const& out_steps, void const* in,
                                    extents_list const& in_steps) {
  array_value const plain = whole_of(facts);
  mesh_value const alone{};
  copy_blocks(plain, alone, static_cast<std::byte*>(out), whole_strides(plain, alone, out_steps),
              static_cast<std::byte const*>(in), whole_strides(plain, alone, in_steps));
  fence();
}
TESSERA_COLD inline void copy_strided(array_value const& facts, void* out, extents_list const& out_steps,
                                      void const* in, extents_list const& in_steps) {
  if constexpr (runs_on_host) {
    copy_whole(facts, out, out_steps, in, in_steps);
  } else {  // the device cannot access this host memory
    std::size_t const size = bytes_of(facts.element);
    for (std::int64_t i = 0; i < facts.size(); ++i) {
      std::int64_t to = 0, from = 0, rest = i;
      for (int d = facts.rank - 1; d >= 0; --d) {
        to += rest % facts.extent(d) * out_steps[d];
        from += rest % facts.extent(d) * in_steps[d];
        rest /= facts.extent(d);
      }
      std::memcpy(static_cast<std::byte*>(out) + to * bytes_of(facts.element),
                  static_cast<std::byte const*>(in) + from * bytes_of(facts.element), size);
    }
  }
}

TESSERA_COLD inline void require_data(void const* data, array_value const& facts) {
  if (!data && facts.size() > 0)
    throw std::invalid_argument("tessera: the data of " + describe(whole_of(facts), mesh_value{}) +
                                " is a null pointer. Fix: a view of memory that has been allocated.");
}

TESSERA_ENGINE stored_array store_strided(array_value const& facts, mesh_value const& mesh, void const* data,
                                          extents_list const& steps, memory_kind memory) {
  require_data(data, facts);
  array_value const block = stored_block(facts, mesh);
  bool const padded = !with_padding(facts, mesh).same_shape(facts),
             near = runs_on_host || memory == memory_kind::device;
  if (near && !padded) {
    stored_array stored{facts,
                        buffer_for(storage_bytes(block, mesh), [&] { return "an array " + describe(facts, mesh); })};
    if (block.size() == 0) return stored;
    timed_transfer const timed("device_put", bytes_written(block, mesh));
    copy_blocks(block, mesh, stored.memory.data(), own_strides(block, mesh), static_cast<std::byte const*>(data),
                whole_strides(facts, mesh, steps));
    fence();
    return stored;
  }
  std::size_t const bytes = facts.size() * bytes_of(facts.element);
  std::vector<std::byte> dense(bytes);
  if (near && !runs_on_host) {
    buffer const staged(bytes);
    copy_whole(facts, staged.data(), row_major(facts.shape()), data, steps);
    copy_bytes(dense.data(), staged.data(), bytes, false);
  } else if (bytes > 0) {
    copy_strided(facts, dense.data(), row_major(facts.shape()), data, steps);
  }
  return store_from_host(facts, mesh, dense.data());
}

TESSERA_ENGINE void copy_to_strided(stored_array const& x, mesh_value const& mesh, void* out,
                                    extents_list const& extents, extents_list const& steps, memory_kind memory) {
  extents_list const own = x.facts.shape();
  bool same = own.size() == extents.size(), once = true;
  for (int d = 0; same && d < own.size(); ++d) {
    same = own[d] == extents[d];
    once = once && (own[d] < 2 || steps[d] != 0);
  }
  if (!same)
    throw std::invalid_argument("tessera: copy_to: the array has extents " + tuple_text(own) + ", the view " +
                                tuple_text(extents) + ". Fix: a view of as many.");
  if (!once)
    throw std::invalid_argument("tessera: copy_to: the view has several elements in one place: steps " +
                                tuple_text(steps) + ". Fix: a view with memory for each.");
  require_data(out, x.facts);
  if (x.facts.size() == 0) return;
  bool const padded = !with_padding(x.facts, mesh).same_shape(x.facts);
  bool const near = runs_on_host ? true : memory == memory_kind::device && x.facts.memory == memory_kind::device;
  if (near && !padded && is_addressable(x.facts, mesh) && x.memory) {
    array_value const block = stored_block(x.facts, mesh);
    timed_transfer const timed("device_get", x.facts.size() * bytes_of(x.facts.element));
    copy_blocks(block, mesh, static_cast<std::byte*>(out), whole_strides(x.facts, mesh, steps), x.memory.data(),
                own_strides(block, mesh));
    return fence();
  }
  std::vector<std::byte> dense(x.facts.size() * bytes_of(x.facts.element));
  copy_to_host(x, mesh, dense.data());
  if (runs_on_host || memory == memory_kind::host)
    return copy_strided(x.facts, out, steps, dense.data(), row_major(own));
  buffer const staged(dense.size());
  copy_bytes(staged.data(), dense.data(), dense.size(), true);
  copy_whole(x.facts, out, steps, staged.data(), row_major(own));
}

}  // namespace tessera::detail
