// SPDX-License-Identifier: Apache-2.0
#pragma once
// The calls of a channel; each begins one message.

#include <tessera/comm/channel/channel.hpp>
#include <tessera/comm/timeline/timeline.hpp>

namespace tessera {

TESSERA_ENGINE request channel::all_reduce(void* out, void const* in, std::int64_t count, dtype element, monoid combine,
                                           std::string_view label, combine_order order) {
  return begin({.kind = message_kind::all_reduce,
                .element = element,
                .combine = combine,
                .order = order,
                .out = static_cast<std::byte*>(out),
                .in = static_cast<std::byte const*>(in),
                .count = count},
               label);
}
TESSERA_ENGINE request channel::reduce_scatter(void* out, void const* in, std::int64_t count, dtype element,
                                               monoid combine, std::string_view label, combine_order order) {
  return begin({.kind = message_kind::reduce_scatter,
                .element = element,
                .combine = combine,
                .order = order,
                .out = static_cast<std::byte*>(out),
                .in = static_cast<std::byte const*>(in),
                .count = count},
               label);
}
TESSERA_ENGINE request channel::all_gather(void* out, void const* in, std::int64_t bytes, std::string_view label) {
  return begin({.kind = message_kind::all_gather,
                .out = static_cast<std::byte*>(out),
                .in = static_cast<std::byte const*>(in),
                .count = bytes},
               label);
}
TESSERA_ENGINE request channel::all_to_all(void* out, void const* in, std::int64_t bytes, std::string_view label) {
  return begin({.kind = message_kind::all_to_all,
                .out = static_cast<std::byte*>(out),
                .in = static_cast<std::byte const*>(in),
                .count = bytes},
               label);
}
TESSERA_ENGINE request channel::exchange(void* out, std::span<message_part const> received, void const* in,
                                         std::span<message_part const> sent, std::string_view label) {
  return begin({.kind = message_kind::exchange,
                .out = static_cast<std::byte*>(out),
                .in = static_cast<std::byte const*>(in),
                .sent = sent,
                .received = received},
               label);
}
TESSERA_ENGINE request channel::broadcast(void* data, std::int64_t bytes, int root, std::string_view label) {
  return begin({.kind = message_kind::broadcast, .out = static_cast<std::byte*>(data), .count = bytes, .root = root},
               label);
}
TESSERA_ENGINE request channel::barrier(std::string_view label) {
  return begin({.kind = message_kind::barrier}, label);
}

}  // namespace tessera
