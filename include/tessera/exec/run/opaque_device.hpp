// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opaque steps on an accelerator: one thread per element of the batch. A kernel that exists for the host only (fft,
// eigh), or that was not compiled for the device, runs on the host: its operands are copied there and its results back,
// and the device waits.

#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/device/launch.hpp>
#include <tessera/exec/fused/kernel.hpp>
#include <tessera/exec/memory/blocks.hpp>
#include <tessera/graph/monoid.hpp>
#include <tessera/op/base/opaque.hpp>
#include <tessera/op/base/opaque_types.hpp>

#include <span>
#include <vector>

#if defined(TESSERA_ACCELERATOR)  // a kernel on the device needs the definitions of the functions that it calls
#include <tessera/exec/run/op_kernels.hpp>
#endif

namespace tessera {

namespace detail {

template <class Op, class T>
struct opaque_device {
  using kernel = opaque_kernel<Op, T>;
  opaque_work work;
  std::byte* base[opaque_work::most];
  // The addresses in this kernel. `work` also points to the op's record, which is in host memory and is read as a
  // value.
  std::span<std::byte const> addresses() const { return std::as_bytes(std::span(base)); }
  TESSERA_FUNCTION void operator()(std::int64_t e) const {
    std::byte* at[opaque_work::most];
    for (int k = 0; k < work.operands; ++k) at[k] = base[k] + work.offset(k, e);
    kernel::forms::run(work, e, at, typename kernel::operands{}, typename kernel::results{});
  }
};

// A team per element of the batch, for ops with run_by_team(team, threads, call, x..., y...).
template <class Op, class T>
struct opaque_by_team {
  using kernel = opaque_kernel<Op, T>;
  static constexpr int threads = 256;
  static constexpr std::int64_t fewest = 256;  // elements of a line; for shorter ones a thread is faster
  opaque_work work;
  std::byte* base[opaque_work::most];
  std::span<std::byte const> addresses() const { return std::as_bytes(std::span(base)); }
  TESSERA_FUNCTION void operator()(team_member const& team) const {
    std::int64_t const e = team.team();
    std::byte* at[opaque_work::most];
    for (int k = 0; k < work.operands; ++k) at[k] = base[k] + work.offset(k, e);
    kernel::forms::run_by_team(team, threads, work, e, at, typename kernel::operands{}, typename kernel::results{});
  }
};

// A host copy of one operand or result: all elements of the batch, from the first byte used to the last.
class opaque_on_host {
public:
  opaque_on_host() = default;
  opaque_on_host(opaque_work const& w, int which, std::int64_t element_bytes, std::byte* device) {
    std::int64_t low = 0, high = 0;
    for (std::int64_t e = 0; e < w.elements; ++e) {
      opaque_operand const& o = w.operand[which];
      std::int64_t first = w.offset(which, e), last = first;
      std::int64_t const* const extents = w.extents(which, e);
      bool empty = false;
      for (int d = 0; d < o.rank; ++d) {
        std::int64_t const reach = (extents[d] - 1) * o.strides[d] * element_bytes;
        (reach < 0 ? first : last) += reach;
        empty = empty || extents[d] == 0;
      }
      if (empty) continue;
      last += element_bytes;
      if (low == high || first < low) low = first;
      if (last > high) high = last;
    }
    device_ = device + low;
    low_ = low;
    bytes_.resize(high - low);
    copy_bytes(bytes_.data(), device_, bytes_.size(), false);
  }
  // The host address that corresponds to the operand's base address on the device.
  std::byte* base() { return bytes_.data() - low_; }
  void give_back() { copy_bytes(device_, bytes_.data(), bytes_.size(), true); }

private:
  std::vector<std::byte> bytes_;
  std::byte* device_ = nullptr;
  std::int64_t low_ = 0;
};

// Runs a host kernel: on copies in host memory or, for an op that launches by itself, with device addresses.
inline void run_from_host(std::string const& label, opaque_work work, tile_function tile, std::byte* const* frame) {
  watched_region const watched(label);
  if (work.launches) return tile(&work, frame, 0);
  fence();
  opaque_on_host moved[opaque_work::most];
  std::byte* own[opaque_work::most]{};
  for (int k = 0; k < work.operands; ++k) {
    moved[k] = opaque_on_host(work, k, work.operand[k].element_bytes, frame[work.operand[k].slot]);
    own[k] = moved[k].base();
  }
  for (int k = 0; k < work.operands; ++k) work.operand[k].slot = k;
  for (std::int64_t t = 0; t < work.tiles; ++t) tile(&work, own, t);
  for (int k = work.inputs; k < work.operands; ++k) moved[k].give_back();
}

template <class Op, class T>
void launch_opaque(std::string const& label, opaque_work const& work, std::byte* const* frame) {
  if constexpr (!has_own_types<Op> && opaque_kernel<Op, T>::forms::anywhere) {
    auto const job_of = [&]<class Job>(std::type_identity<Job>) {
      Job job{work, {}};
      for (int k = 0; k < work.operands; ++k) job.base[k] = frame[work.operand[k].slot];
      return job;
    };
    if constexpr (opaque_kernel<Op, T>::forms::by_team) {
      using job = opaque_by_team<Op, T>;
      opaque_operand const& x = work.operand[0];
      if (x.extents[x.rank - 1] >= job::fewest)
        return launch_teams(label, work.elements, job::threads, 2 * job::threads * most_register_bytes,
                            job_of(std::type_identity<job>{}));
    }
    launch_elements(label, work.elements, job_of(std::type_identity<opaque_device<Op, T>>{}));
  } else {
    run_from_host(label, work, &opaque_kernel<Op, T>::tile, frame);
  }
}

}  // namespace detail

}  // namespace tessera
