// SPDX-License-Identifier: Apache-2.0
#pragma once
// XXH64 with seed 0: the checksum of a checkpoint's bytes. Every flipped bit changes it, it needs no special
// instructions, and it is faster than disks. Source: the XXH64 specification (github.com/Cyan4973/xxHash, doc).

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tessera::detail {

static_assert(std::endian::native == std::endian::little, "tessera: checkpoints are read and written little-endian.");

namespace xxh {
inline constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87u, prime2 = 0xC2B2AE3D27D4EB4Fu, prime3 = 0x165667B19E3779F9u,
                               prime4 = 0x85EBCA77C2B2AE63u, prime5 = 0x27D4EB2F165667C5u;

inline std::uint64_t round(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * prime2, 31) * prime1;
}
inline std::uint64_t merged(std::uint64_t hash, std::uint64_t lane) {
  return (hash ^ round(0, lane)) * prime1 + prime4;
}
template <class Word>
Word load(std::byte const* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
}  // namespace xxh

inline std::uint64_t hash_of(std::byte const* data, std::size_t bytes) {
  using namespace xxh;
  std::byte const* const end = data + bytes;
  std::uint64_t hash = prime5;
  if (bytes >= 32) {
    std::uint64_t a = prime1 + prime2, b = prime2, c = 0, d = 0 - prime1;
    for (; end - data >= 32; data += 32) {
      a = round(a, load<std::uint64_t>(data));
      b = round(b, load<std::uint64_t>(data + 8));
      c = round(c, load<std::uint64_t>(data + 16));
      d = round(d, load<std::uint64_t>(data + 24));
    }
    hash = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
    hash = merged(merged(merged(merged(hash, a), b), c), d);
  }
  hash += bytes;
  for (; end - data >= 8; data += 8) hash = std::rotl(hash ^ round(0, load<std::uint64_t>(data)), 27) * prime1 + prime4;
  if (end - data >= 4) {
    hash = std::rotl(hash ^ load<std::uint32_t>(data) * prime1, 23) * prime2 + prime3;
    data += 4;
  }
  for (; data != end; ++data) hash = std::rotl(hash ^ static_cast<std::uint64_t>(*data) * prime5, 11) * prime1;
  hash = (hash ^ (hash >> 33)) * prime2;
  hash = (hash ^ (hash >> 29)) * prime3;
  return hash ^ (hash >> 32);
}

}  // namespace tessera::detail
