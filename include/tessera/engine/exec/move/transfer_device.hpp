// SPDX-License-Identifier: Apache-2.0
#pragma once
// Transfers on an accelerator: a thread per result, or a team where few results take much input.

#include <tessera/engine/exec/move/transfer.hpp>
#include <tessera/exec/device/launch_counters.hpp>
#include <tessera/exec/device/space.hpp>

#include <string>

namespace tessera::detail {

// What the device needs of a transfer: all dimensions, flat.
struct device_transfer {
  int kept = 0, reduced = 0;
  std::int64_t extent[transfer::capacity], in[transfer::capacity], out[transfer::capacity];
  std::int64_t reduce_extent[transfer::capacity], reduce_in[transfer::capacity];
  std::int64_t reduce_count = 1;
  monoid combine = monoid::none;

  TESSERA_FUNCTION void locate(std::int64_t flat, std::int64_t& from, std::int64_t& to) const {
    unravel(extent, kept, flat, [&](int d, std::int64_t i) {
      from += i * in[d];
      to += i * out[d];
    });
  }
  TESSERA_FUNCTION std::int64_t reduced_offset(std::int64_t flat) const {
    std::int64_t offset = 0;
    unravel(reduce_extent, reduced, flat, [&](int d, std::int64_t i) { offset += i * reduce_in[d]; });
    return offset;
  }
};

inline device_transfer flat_transfer(transfer_work const& w) {
  device_transfer t;
  auto const add = [&](std::int64_t extent, std::int64_t in, std::int64_t out) {
    t.extent[t.kept] = extent;
    t.in[t.kept] = in;
    t.out[t.kept++] = out;
  };
  for (auto const& d : w.what.kept) add(d.extent, d.in, d.out);
  if (w.inner.rows != 1) add(w.inner.rows, w.inner.row_in, w.inner.row_out);
  if (w.inner.columns != 1) add(w.inner.columns, w.inner.column_in, w.inner.column_out);
  for (auto const& d : w.what.reduced) {
    t.reduce_extent[t.reduced] = d.extent;
    t.reduce_in[t.reduced++] = d.in;
  }
  t.reduce_count = w.reduce_count;
  t.combine = w.what.combine;
  return t;
}

template <class Word>
struct device_copy {
  device_transfer t;
  Word* out;
  Word const* in;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t from = 0, to = 0;
    t.locate(flat, from, to);
    out[to] = in[from];
  }
};

// Asked per element rather than instantiated per monoid: the loop waits for memory anyway.
template <class A>
TESSERA_FUNCTION A combine_by(monoid m, A x, A y) {
  if constexpr (is_complex_type<A>)  // have no order: rules let only sums and products through
    return m == monoid::product ? combine<monoid::product, A>(x, y) : combine<monoid::sum, A>(x, y);
  else
    switch (m) {
      case monoid::product: return combine<monoid::product, A>(x, y);
      case monoid::max: return combine<monoid::max, A>(x, y);
      case monoid::min: return combine<monoid::min, A>(x, y);
      case monoid::logical_and: return combine<monoid::logical_and, A>(x, y);
      case monoid::logical_or: return combine<monoid::logical_or, A>(x, y);
      default: return combine<monoid::sum, A>(x, y);
    }
}
template <class A>
TESSERA_FUNCTION A identity_by(monoid m) {
  switch (m) {
    case monoid::product: return identity_of<monoid::product, A>();
    case monoid::max: return identity_of<monoid::max, A>();
    case monoid::min: return identity_of<monoid::min, A>();
    case monoid::logical_and: return identity_of<monoid::logical_and, A>();
    default: return identity_of<monoid::sum, A>();
  }
}

template <class T>
struct device_reduction {
  using A = register_of<T>;
  device_transfer t;
  T* out;
  T const* in;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t from = 0, to = 0;
    t.locate(flat, from, to);
    A result = identity_by<A>(t.combine);
    for (std::int64_t r = 0; r < t.reduce_count; ++r)
      result = combine_by<A>(t.combine, result, static_cast<A>(in[from + t.reduced_offset(r)]));
    out[to] = static_cast<T>(result);
  }
};

// A team a result: each thread takes every n-th input, then a tree in scratch memory, in a fixed order.
template <class T>
struct device_team_reduction {
  using A = register_of<T>;
  using member = Kokkos::TeamPolicy<execution_space>::member_type;
  static constexpr int threads = 256;
  device_transfer t;
  T* out;
  T const* in;
  TESSERA_FUNCTION void operator()(member const& team) const {
    auto* const lanes = static_cast<A*>(team.team_shmem().get_shmem(threads * sizeof(A)));
    int const own = team.team_rank();
    std::int64_t from = 0, to = 0;
    t.locate(team.league_rank(), from, to);
    A result = identity_by<A>(t.combine);
    for (std::int64_t r = own; r < t.reduce_count; r += threads)
      result = combine_by<A>(t.combine, result, static_cast<A>(in[from + t.reduced_offset(r)]));
    lanes[own] = result;
    for (int half = threads / 2; half > 0; half /= 2) {
      team.team_barrier();
      if (own < half) lanes[own] = combine_by<A>(t.combine, lanes[own], lanes[own + half]);
    }
    if (own == 0) out[to] = static_cast<T>(lanes[0]);
  }
};

template <class Word>
void launch_device_copy(std::string const& label, transfer_work const& w, std::byte* out, std::byte const* in) {
  device_copy<Word> const job{flat_transfer(w), reinterpret_cast<Word*>(out) + w.what.out_offset,
                              reinterpret_cast<Word const*>(in) + w.what.in_offset};
  Kokkos::parallel_for(label, Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>>(0, w.outputs()),
                       job);
}

template <class T>
void launch_device_reduction(std::string const& label, transfer_work const& w, std::byte* out, std::byte const* in) {
  auto* const to = reinterpret_cast<T*>(out) + w.what.out_offset;
  auto const* const from = reinterpret_cast<T const*>(in) + w.what.in_offset;
  if (w.reduce_count >= 512 && w.outputs() < 65536) {
    using job = device_team_reduction<T>;
    auto policy = Kokkos::TeamPolicy<execution_space>(static_cast<int>(w.outputs()), job::threads);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(job::threads * sizeof(typename job::A))));
    Kokkos::parallel_for(label, policy, job{flat_transfer(w), to, from});
  } else {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>>(0, w.outputs()),
                         device_reduction<T>{flat_transfer(w), to, from});
  }
}

// A template, so that host builds instantiate none of this.
template <bool OnHost = runs_on_host>
void launch_transfer(std::string const& label, transfer_work const& w, std::byte* const* frame) {
  if constexpr (!OnHost) {
    if (w.outputs() == 0) return;
    launch_counters.launches.fetch_add(1, std::memory_order_relaxed);
    std::byte* const out = frame[w.what.out_slot];
    std::byte const* const in = frame[w.what.in_slot];
    if (w.lanes) {
      with_element(w.what.element,
                   [&]<class T>(std::type_identity<T>) { launch_device_reduction<T>(label, w, out, in); });
      return;
    }
    switch (bytes_of(w.what.element)) {
      case 1: return launch_device_copy<raw_word<std::uint8_t>>(label, w, out, in);
      case 2: return launch_device_copy<raw_word<std::uint16_t>>(label, w, out, in);
      case 4: return launch_device_copy<raw_word<std::uint32_t>>(label, w, out, in);
      case 8: return launch_device_copy<raw_word<std::uint64_t>>(label, w, out, in);
      default: return launch_device_copy<wide_word>(label, w, out, in);
    }
  }
}

}  // namespace tessera::detail
