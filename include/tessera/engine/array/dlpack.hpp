// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes and reads DLPack tensors.

#include <tessera/array/dlpack.hpp>
#include <tessera/engine/array/adopt.hpp>
#include <tessera/engine/array/strided.hpp>

#include <limits>
#include <stdexcept>
#include <string>

namespace tessera::detail {

TESSERA_COLD inline dlpack::data_type type_of(dtype element) {
  using enum dlpack::type_code;
  auto const code = element == dtype::boolean         ? boolean
                    : element == dtype::bfloat16      ? bfloat
                    : element == dtype::float8_e4m3fn ? float8_e4m3fn
                    : element == dtype::float8_e5m2   ? float8_e5m2
                    : is_complex(element)             ? complex
                    : is_floating(element)            ? floating
                    : is_unsigned(element)            ? unsigned_int
                                                      : signed_int;
  return {code, static_cast<std::uint8_t>(8 * bytes_of(element)), 1};
}

// A tensor with the buffer, extents and strides that it refers to; its deleter destroys them.
template <class Managed>
struct exported {
  Managed tensor{};
  buffer held{};
  std::int64_t extents[max_rank]{}, steps[max_rank]{};

  TESSERA_COLD static Managed* make(array_value const& block, void const* data, buffer held) {
    auto* const made = new exported;
    made->held = std::move(held);
    extents_list const steps = row_major(block.shape());
    for (int d = 0; d < block.rank; ++d) {
      made->extents[d] = block.extent(d);
      made->steps[d] = steps[d];
    }
    dlpack::device const where{runs_on_host || block.memory == memory_kind::host ? dlpack::cpu : dlpack::cuda, 0};
    made->tensor.tensor = {const_cast<void*>(data), where,       block.rank, type_of(block.element),
                           made->extents,           made->steps, 0};
    made->tensor.context = made;
    made->tensor.deleter = [](Managed* self) { delete static_cast<exported*>(self->context); };
    return &made->tensor;
  }
};

TESSERA_ENGINE dlpack_tensor tensor_of(array_value const& block, void const* data, buffer held, std::uint64_t flags) {
  dlpack_tensor made(exported<dlpack::managed_tensor_versioned>::make(block, data, std::move(held)));
  made->flags = flags;
  return made;
}
TESSERA_ENGINE dlpack_tensor_unversioned unversioned_of(array_value const& block, void const* data, buffer held) {
  return dlpack_tensor_unversioned(exported<dlpack::managed_tensor>::make(block, data, std::move(held)));
}
TESSERA_ENGINE buffer copied_block(array_value const& block, void const* data) {
  buffer made(block.size() * bytes_of(block.element), block.memory);
  auto const* const from = static_cast<std::byte const*>(data);
  if (runs_on_host || block.memory == memory_kind::host)
    copy_from(memory_kind::host, made.data(), from, made.size());
  else
    copy_blocks(whole_of(block), {}, made.data(), own_strides(whole_of(block), {}), from,
                own_strides(whole_of(block), {}));
  fence();
  return made;
}
TESSERA_ENGINE void require_one_block(stored_array const& x, mesh_value const& mesh) {
  fence();
  auto const blocks = mesh.devices(stored_block(x.facts, mesh).varying);
  if (blocks != 1)
    throw std::invalid_argument("tessera: to_dlpack: " + describe(x.facts, mesh) + " is in " + std::to_string(blocks) +
                                " blocks, and a tensor is one. Fix: to_dlpack(shard) of its addressable_shards(), or "
                                "reshard<P<>>(x) first.");
}

TESSERA_COLD inline std::string name_of_type(dlpack::data_type t) {
  constexpr char const* names[]{"int", "uint", "float", "opaque ", "bfloat", "complex", "bool"};
  auto const code = static_cast<unsigned>(t.code);
  using enum dlpack::type_code;
  if (t.code == float8_e4m3fn || t.code == float8_e5m2)
    return t.code == float8_e4m3fn ? "float8_e4m3fn" : "float8_e5m2";
  std::string text = code < 7 ? names[code] : "code " + std::to_string(code) + " of ";
  if (t.code != dlpack::type_code::boolean || t.bits != 8) text += std::to_string(t.bits);
  if (t.lanes != 1) text += " x" + std::to_string(t.lanes);
  return text;
}
[[noreturn]] TESSERA_COLD inline void refuse_tensor(std::string const& why) {
  throw std::invalid_argument("tessera: from_dlpack: " + why);
}

TESSERA_ENGINE extents_list extents_of(foreign_tensor const& given, dtype element, extents_list const& type) {
  if (!given.keeper) refuse_tensor("no tensor was given. Fix: a capsule's pointer, once.");
  if (given.version.major != 1)
    refuse_tensor("the tensor is of DLPack " + std::to_string(given.version.major) + "." +
                  std::to_string(given.version.minor) + ". Fix: ask for one of 1.x: x.__dlpack__(max_version=(1, 0)).");
  dlpack::tensor const& t = given.tensor;
  dlpack::data_type const wanted = type_of(element);
  if (t.type.code != wanted.code || t.type.bits != wanted.bits || t.type.lanes != 1)
    refuse_tensor("the tensor's elements are " + name_of_type(t.type) + ", and " + std::string(name_of(element)) +
                  " was asked for. Fix: from_dlpack of their own type, or another tensor.");
  bool const host =
      t.device.type == dlpack::cpu || t.device.type == dlpack::cuda_host || t.device.type == dlpack::rocm_host;
  bool const accelerator =
      t.device.type == dlpack::cuda || t.device.type == dlpack::rocm || t.device.type == dlpack::cuda_managed;
  if (!host && (runs_on_host || !accelerator))
    refuse_tensor("the tensor is on a device of kind " + std::to_string(t.device.type) + ", and programs run on '" +
                  platform_name + "'. Fix: bring it to the host first: x.cpu(), or __dlpack__(dl_device=(1, 0)).");
  extents_list own;
  if (t.rank < 0 || t.rank > max_rank || (t.rank > 0 && !t.extents))
    refuse_tensor("the tensor has " + std::to_string(t.rank) + " dimensions. Fix: at most 8.");
  std::int64_t size = bytes_of(element);
  bool empty = false;
  for (int d = 0; d < t.rank; ++d) {
    own.push_back(t.extents[d]);
    if (own[d] < 0 || (own[d] != 0 && __builtin_mul_overflow(size, own[d], &size)))
      refuse_tensor("the tensor has extents " + tuple_text(own) + ", which no memory has. Fix: see who made it.");
    empty = empty || own[d] == 0;
  }
  std::int64_t reach = 0;
  for (int d = 0; d < t.rank && t.steps && !empty; ++d) {
    std::int64_t way = 0;
    bool const beyond = __builtin_mul_overflow(own[d] - 1, t.steps[d], &way) ||
                        (way < 0 && __builtin_mul_overflow(way, -1, &way)) ||
                        __builtin_add_overflow(reach, way, &reach);
    if (beyond || reach > std::numeric_limits<std::int64_t>::max() / 16)
      refuse_tensor("the tensor's steps reach farther than memory. Fix: see who made it.");
  }
  bool fits = type.size() == own.size();
  for (int d = 0; fits && d < own.size(); ++d) fits = type[d] == dynamic || type[d] == own[d];
  if (!fits)
    refuse_tensor("the tensor has extents " + tuple_text(own) + ", and " + tuple_text(type) +
                  " was asked for. Fix: the shape that it has, or ts::dynamic where it is open.");
  return own;
}

TESSERA_ENGINE stored_array stored_of_tensor(foreign_tensor const& given, array_value const& facts,
                                             mesh_value const& mesh, dlpack_copy copy) {
  dlpack::tensor const& t = given.tensor;
  extents_list steps = row_major(facts.shape());
  for (int d = 0; d < facts.rank && t.steps; ++d) steps[d] = t.steps[d];
  auto const* const data = t.data ? static_cast<std::byte const*>(t.data) + t.byte_offset : nullptr;
  bool const host =
      t.device.type == dlpack::cpu || t.device.type == dlpack::cuda_host || t.device.type == dlpack::rocm_host;
  memory_kind const memory = host && !runs_on_host ? memory_kind::host : memory_kind::device;
  if (copy == dlpack_copy::never || (copy == dlpack_copy::if_needed && is_adoptable(facts, mesh, data, steps, memory)))
    return adopted(facts, mesh, data, steps, memory, given.keeper);
  require_data(data, facts);
  if (is_aligned(data, facts.element) || facts.size() == 0) return store_strided(facts, mesh, data, steps, memory);
  refuse_tensor("the tensor begins at an address that is no place of a " + std::string(name_of(facts.element)) +
                ". Fix: a copy of it.");
}

TESSERA_ENGINE dlpack_tensor with_version(dlpack_tensor_unversioned tensor) {
  struct renewed {
    dlpack::managed_tensor_versioned tensor{};
    dlpack_tensor_unversioned old{};
  };
  auto* const made = new renewed{{}, std::move(tensor)};
  made->tensor.tensor = made->old->tensor;
  made->tensor.context = made;
  made->tensor.deleter = [](dlpack::managed_tensor_versioned* self) { delete static_cast<renewed*>(self->context); };
  return dlpack_tensor(&made->tensor);
}
TESSERA_ENGINE void no_capsule() {
  throw std::invalid_argument(
      "tessera: from_capsule: the object is no capsule of a tensor, or its tensor was taken before. Fix: what "
      "x.__dlpack__(max_version=(1, 0)) returned, once.");
}

}  // namespace tessera::detail
