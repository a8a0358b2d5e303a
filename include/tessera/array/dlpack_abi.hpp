// SPDX-License-Identifier: Apache-2.0
#pragma once
// The structs by which libraries pass tensors to each other, in C's layout: DLPack 1.x, and the one before it. Source:
// the public ABI of DLPack (dlpack.h), with our names; reinterpret_cast to and from its own types.

#include <cstddef>
#include <cstdint>

namespace tessera::dlpack {

struct device {
  std::int32_t type = 1;  // device_kind
  std::int32_t id = 0;
};
enum device_kind : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, rocm = 10, rocm_host = 11, cuda_managed = 13 };

enum class type_code : std::uint8_t {
  signed_int,
  unsigned_int,
  floating,
  opaque,
  bfloat,
  complex,
  boolean,
  float8_e4m3fn = 10,
  float8_e5m2 = 12
};
struct data_type {
  type_code code = type_code::floating;
  std::uint8_t bits = 32;
  std::uint16_t lanes = 1;
};

struct tensor {
  void* data = nullptr;
  dlpack::device device{};
  std::int32_t rank = 0;
  data_type type{};
  std::int64_t* extents = nullptr;
  std::int64_t* steps = nullptr;  // in elements; null: row-major
  std::uint64_t byte_offset = 0;
};

// Before version 1: PyCapsules named "dltensor".
struct managed_tensor {
  dlpack::tensor tensor{};
  void* context = nullptr;
  void (*deleter)(managed_tensor*) = nullptr;
};

struct version_number {
  std::uint32_t major = 1, minor = 0;
};
inline constexpr std::uint64_t read_only = 1, is_copied = 2;
// Since version 1: PyCapsules named "dltensor_versioned".
struct managed_tensor_versioned {
  version_number version{};
  void* context = nullptr;
  void (*deleter)(managed_tensor_versioned*) = nullptr;
  std::uint64_t flags = 0;
  dlpack::tensor tensor{};
};

static_assert(sizeof(void*) != 8 ||
              (sizeof(tensor) == 48 && offsetof(tensor, device) == 8 && offsetof(tensor, rank) == 16 &&
               offsetof(tensor, type) == 20 && offsetof(tensor, extents) == 24 && offsetof(tensor, steps) == 32 &&
               offsetof(tensor, byte_offset) == 40 && sizeof(managed_tensor) == 64 &&
               offsetof(managed_tensor_versioned, flags) == 24 && offsetof(managed_tensor_versioned, tensor) == 32 &&
               sizeof(managed_tensor_versioned) == 80));

}  // namespace tessera::dlpack
