// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communicator of devices that one process simulates, and the reference for all others: every collective is one
// bulk launch that reads the other blocks where they are. Equal blocks of several devices are stored once.

#include <tessera/engine/comm/channel/communicator.hpp>
#include <tessera/engine/exec/move/in_groups.hpp>
#include <tessera/engine/exec/move/transfer_run.hpp>

namespace tessera {

class in_process {
public:
  struct prepared {
    std::vector<detail::transfer_work> works;
    std::vector<std::vector<detail::transfer_work>> before;  // phases that run first, in order
    collective kind{};
    axis_set axes{};
    std::int64_t block = 0, devices = 1, bytes = 0;
    std::int64_t scratch_bytes = 0;
  };

  TESSERA_COLD prepared prepare(exchange const& e, int out_slot = 0, int in_slot = 1, int scratch_slot = 2) const {
    prepared ready;
    ready.kind = e.kind;
    ready.axes = e.axes.axes();
    ready.block = e.in.size() * bytes_of(e.in.element);
    ready.devices = e.parts();
    ready.bytes = bytes_sent(e.kind, ready.block, ready.devices);
    auto const add = [&](transfer t) {
      t.out_slot = out_slot;
      t.in_slot = in_slot;
      t.scratch_slot = scratch_slot;
      ready.works.push_back(detail::prepare(t));
    };
    if (!e.groups.empty()) {
      prepare_groups(ready, {e, out_slot, in_slot, scratch_slot});
      return ready;
    }
    switch (e.kind) {
      case collective::all_reduce: add(reduced(e)); break;
      case collective::all_gather: add(gathered(e)); break;
      case collective::reduce_scatter: add(scattered(e)); break;
      case collective::all_to_all: add(exchanged(e)); break;
      case collective::permute:
        if (!e.from.empty()) {
          add(axes_exchanged(e));
          break;
        }
        for (std::int64_t target = 0, together = 0; target < e.positions(); target += together) {
          together = moving_together(e, target);
          add(permuted(e, target, together));
        }
        break;
      case collective::ragged_all_to_all:  // engine/exec/move/ragged.hpp: sizes are known only at run time
      case collective::none: break;
    }
    detail::number_tiles(ready.works.data(), static_cast<int>(ready.works.size()));
    for (auto const& w : ready.works) ready.scratch_bytes = std::max(ready.scratch_bytes, w.scratch_bytes);
    return ready;
  }
  // Joins exchanges of one kind over the same axes in one launch, counted as one message.
  TESSERA_COLD void join(prepared& ready, prepared const& more) const {
    ready.block += more.block;
    ready.bytes = bytes_sent(ready.kind, ready.block, ready.devices);
    ready.works.insert(ready.works.end(), more.works.begin(), more.works.end());
    for (auto& w : ready.works) detail::without_splits(w);  // splits would share scratch memory
    detail::number_tiles(ready.works.data(), static_cast<int>(ready.works.size()));
    ready.scratch_bytes = 0;
  }
  void run(prepared const& ready, std::string const& label, std::byte* const* frame) {
    counted_.count(ready.kind, ready.axes, ready.bytes);
    for (auto const& phase : ready.before)
      detail::run_transfers(label, {phase.data(), static_cast<int>(phase.size())}, frame);
    detail::run_transfers(label, {ready.works.data(), static_cast<int>(ready.works.size())}, frame);
  }

  void all_reduce(exchange const& e, std::byte* out, std::byte const* in) { once(e, out, in); }
  void all_gather(exchange const& e, std::byte* out, std::byte const* in) { once(e, out, in); }
  void reduce_scatter(exchange const& e, std::byte* out, std::byte const* in) { once(e, out, in); }
  void all_to_all(exchange const& e, std::byte* out, std::byte const* in) { once(e, out, in); }
  void permute(exchange const& e, std::byte* out, std::byte const* in) { once(e, out, in); }

  traffic& counted() { return counted_; }
  traffic const& counted() const { return counted_; }

private:
  TESSERA_COLD static void prepare_groups(prepared& ready, detail::group_transfers const& how) {
    for (auto const& phase : how.phases) {
      std::vector<detail::transfer_work> works;
      for (transfer const& t : phase) works.push_back(detail::prepare(t));
      detail::number_tiles(works.data(), static_cast<int>(works.size()));
      if (&phase == &how.phases.back())
        ready.works = std::move(works);
      else
        ready.before.push_back(std::move(works));
    }
    ready.scratch_bytes = how.scratch_bytes;
  }
  static std::int64_t stride(by_dim<std::int64_t> const& of, int i) { return of[i]; }

  // Loops over the blocks of the result. Along an axis in S the input does not depend on the reader, unless `parts`
  // gives the distance in elements between the parts that neighboring readers take.
  TESSERA_COLD static transfer over_results(exchange const& e, std::int64_t const* parts = nullptr) {
    transfer t;
    t.element = e.in.element;
    t.in_offset = e.in_at.offset;
    t.out_offset = e.out_at.offset;
    for (int a = 0; a < e.mesh.rank; ++a) {
      if (!e.out.varying.contains(a)) continue;
      bool const joined = e.axes.axes().contains(a);
      std::int64_t const in = !joined ? stride(e.in_at.axis_stride, a) : parts ? parts[a] : 0;
      t.keep(e.mesh.size(a), in, stride(e.out_at.axis_stride, a));
    }
    return t;
  }
  // Calls f(axis, the number of parts over the axes after it) for the axes of S.
  template <class F>
  static void each_axis(exchange const& e, F const& f) {
    std::int64_t faster = 1;
    for (int k = e.axes.count() - 1; k >= 0; --k) {
      f(e.axes.axis(k), faster);
      faster *= e.mesh.size(e.axes.axis(k));
    }
  }
  static void over_dims(transfer& t, exchange const& e, array_value const& extents) {
    for (int d = 0; d < extents.rank; ++d)
      t.keep(extents.extent(d), stride(e.in_at.dim_stride, d), stride(e.out_at.dim_stride, d));
  }
  static void reduce_group(transfer& t, exchange const& e) {
    t.combine = e.combine;
    t.in_order = true;
    for (int a = 0; a < e.mesh.rank; ++a)
      if (e.axes.axes().contains(a)) t.reduce(e.mesh.size(a), stride(e.in_at.axis_stride, a));
  }

  TESSERA_COLD static transfer reduced(exchange const& e) {
    transfer t = over_results(e);
    over_dims(t, e, e.in);
    reduce_group(t, e);
    return t;
  }
  TESSERA_COLD static transfer gathered(exchange const& e) {
    transfer t = over_results(e);
    each_axis(e, [&](int a, std::int64_t faster) {
      t.keep(e.mesh.size(a), stride(e.in_at.axis_stride, a),
             faster * e.in.extent(e.dim) * stride(e.out_at.dim_stride, e.dim));
    });
    over_dims(t, e, e.in);
    return t;
  }
  static by_dim<std::int64_t> parts_along(exchange const& e, int dim) {
    by_dim<std::int64_t> steps{};
    std::int64_t const length = e.in.extent(dim) / e.parts();
    each_axis(e, [&](int a, std::int64_t faster) { steps[a] = faster * length * stride(e.in_at.dim_stride, dim); });
    return steps;
  }
  TESSERA_COLD static transfer scattered(exchange const& e) {
    auto const parts = parts_along(e, e.dim);
    transfer t = over_results(e, parts.data());
    over_dims(t, e, e.out);
    reduce_group(t, e);
    return t;
  }
  TESSERA_COLD static transfer exchanged(exchange const& e) {
    auto const parts = parts_along(e, e.dim);
    transfer t = over_results(e, parts.data());
    array_value piece = e.in;
    piece.extent(e.dim) = e.in.extent(e.dim) / e.parts();
    each_axis(e, [&](int a, std::int64_t faster) {
      t.keep(e.mesh.size(a), stride(e.in_at.axis_stride, a),
             faster * piece.extent(e.other_dim) * stride(e.out_at.dim_stride, e.other_dim));
    });
    over_dims(t, e, piece);
    return t;
  }
  TESSERA_COLD static transfer axes_exchanged(exchange const& e) {
    transfer t;
    t.element = e.in.element;
    t.in_offset = e.in_at.offset;
    t.out_offset = e.out_at.offset;
    for (int a = 0; a < e.mesh.rank; ++a) {
      if (!e.out.varying.contains(a)) continue;
      int const k = e.to.find(a);
      std::int64_t const in = k >= 0               ? stride(e.in_at.axis_stride, static_cast<int>(e.from[k]))
                              : e.from.contains(a) ? 0
                                                   : stride(e.in_at.axis_stride, a);
      t.keep(e.mesh.size(a), in, stride(e.out_at.axis_stride, a));
    }
    over_dims(t, e, e.in);
    return t;
  }
  // The number of devices from `target` on that one transfer can serve: their sources are consecutive, or none has a
  // source.
  static std::int64_t moving_together(exchange const& e, std::int64_t target) {
    std::int64_t count = 1;
    auto const source = [&](std::int64_t to) { return e.source[to]; };
    auto const next = [&] { return source(target) < 0 ? -1 : source(target) + count; };
    while (e.axes.count() == 1 && target + count < e.positions() && source(target + count) == next()) ++count;
    return count;
  }
  TESSERA_COLD static transfer permuted(exchange const& e, std::int64_t target, std::int64_t together) {
    transfer t;
    t.element = e.in.element;
    t.in_offset = e.in_at.offset;
    t.out_offset = e.out_at.offset;
    for (int a = 0; a < e.mesh.rank; ++a)
      if (e.out.varying.contains(a) && !e.axes.axes().contains(a))
        t.keep(e.mesh.size(a), stride(e.in_at.axis_stride, a), stride(e.out_at.axis_stride, a));
    if (together > 1)
      t.keep(together, stride(e.in_at.axis_stride, e.axes.axis(0)), stride(e.out_at.axis_stride, e.axes.axis(0)));
    over_dims(t, e, e.in);
    std::int64_t const source = e.source[target];
    each_axis(e, [&](int a, std::int64_t faster) {
      t.out_offset += target / faster % e.mesh.size(a) * stride(e.out_at.axis_stride, a);
      if (source >= 0) t.in_offset += source / faster % e.mesh.size(a) * stride(e.in_at.axis_stride, a);
    });
    if (source < 0) {
      t.combine = monoid::sum;  // an empty sum: zeros
      t.reduce(0, 0);
    }
    return t;
  }

  TESSERA_COLD void once(exchange const& e, std::byte* out, std::byte const* in) {
    prepared const ready = prepare(e);
    buffer const scratch(ready.scratch_bytes);
    std::byte* const frame[]{out, const_cast<std::byte*>(in), scratch.data()};
    run(ready, "tessera collective", frame);
  }

  traffic counted_;
};

static_assert(Communicator<in_process>);

// The communicator of this process' devices.
inline in_process& local_communicator() {
  static in_process comm;
  return comm;
}

}  // namespace tessera
