// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a program communicates, as a constant: collectives by kind and axis, bytes per device, each with the user's line.
//   static_assert(cost.count(collective::all_reduce) == 1 && cost.bytes_over<dp>() == 0);
// Bytes follow the ring model of plan/message.hpp. A collective over several axes counts for each of them.

#include <tessera/mesh/mesh.hpp>
#include <tessera/plan/message.hpp>

#include <array>

namespace tessera {

template <Mesh M, std::size_t Messages>
class communication {
public:
  using mesh = M;
  constexpr communication() = default;
  constexpr communication(std::array<message, Messages> const& messages, std::int64_t peak_bytes)
      : messages_(messages), peak_bytes_(peak_bytes) {}

  constexpr std::array<message, Messages> const& messages() const { return messages_; }
  constexpr int count() const {
    int n = 0;
    for (message const& m : messages_) n += m.kind != collective::none;
    return n;
  }
  constexpr int count(collective kind) const { return counted(kind, M::value.axes()); }
  template <Axis A>
  constexpr int count() const {
    int n = 0;
    for (message const& m : messages_) n += m.axes.contains(position<A>());
    return n;
  }
  template <Axis A>
  constexpr int count(collective kind) const {
    return counted(kind, axis_set::of(position<A>()));
  }
  // Sent per device in one call.
  constexpr std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (message const& m : messages_) sum += m.bytes;
    return sum;
  }
  constexpr std::int64_t bytes(collective kind) const {
    std::int64_t sum = 0;
    for (message const& m : messages_) sum += m.kind == kind ? m.bytes : 0;
    return sum;
  }
  template <Axis A>
  constexpr std::int64_t bytes_over() const {
    std::int64_t sum = 0;
    for (message const& m : messages_) sum += m.axes.contains(position<A>()) ? m.bytes : 0;
    return sum;
  }
  // Memory of one device at the worst step: arguments, results so far and temporaries alive.
  constexpr std::int64_t peak_bytes() const { return peak_bytes_; }

private:
  template <Axis A>
  static constexpr int position() {
    static_assert(M::template index<A> < M::rank, "tessera: the program's mesh has no such axis.");
    return M::template index<A>;
  }
  constexpr int counted(collective kind, axis_set over) const {
    int n = 0;
    for (message const& m : messages_) n += m.kind == kind && !(m.axes & over).empty();
    return n;
  }

  std::array<message, Messages> messages_{};
  std::int64_t peak_bytes_ = 0;
};

constexpr std::string_view name_of(collective kind) {
  constexpr std::string_view names[]{"none", "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "permute"};
  return names[static_cast<int>(kind)];
}

}  // namespace tessera
