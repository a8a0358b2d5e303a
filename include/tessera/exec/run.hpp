// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program ready to be called: bound once, then each call walks a table, one launch a step, nothing allocated.

#include <tessera/exec/bind.hpp>
#include <tessera/exec/kernels.hpp>
#include <tessera/exec/loop.hpp>

#include <cstring>
#include <mutex>

namespace tessera {

class executable {
public:
  // `plan` and what it points to must outlive this. `kernels`: kernels_of<Plan>() or null, then fused steps are
  // interpreted (host only). Collectives go through `comm` and are counted there.
  explicit executable(plan_view const& plan, fused_kernel const* kernels = nullptr,
                      in_process& comm = local_communicator())
      : plan_(plan), kernels_(kernels), comm_(&comm), bound_(bind(nullptr)) {
    for (int i = 0; i < plan.local.input_count; ++i) own_strides_.push_back(own_strides(argument(i), *plan.local.mesh));
  }

  // Base addresses of the storages. Arguments lie by `argument_strides`, or as own_strides says when that is null;
  // results always as own_strides of the result's node. Host spaces: returns when all is done; else only launches.
  // Any thread may call, several at once, too: launches on one execution space take turns, steps without one need not.
  void run(std::byte* const* arguments, strides const* argument_strides, std::byte* const* results) const {
    std::shared_ptr<detail::bound_plan const> const bound = bound_for(argument_strides);
    buffer const arena(static_cast<std::size_t>(bound->arena_bytes));
    constexpr int most = 128;
    std::byte* few[most];
    std::vector<std::byte*> many;
    std::byte** frame = few;
    if (bound->slots > most) {
      many.resize(static_cast<std::size_t>(bound->slots));
      frame = many.data();
    }
    for (int i = 0; i < plan_.local.input_count; ++i) frame[i] = arguments[i];
    for (int i = 0; i < plan_.local.output_count; ++i) frame[plan_.local.input_count + i] = results[i];
    frame[bound->arena_slot] = arena.data();
    frame[bound->arena_slot + 1] = arena.data() + bound->scratch_offset;
    run(*bound, 0, bound->own_steps, frame);
  }

  int step_count() const { return plan_.step_count; }
  std::string const& label(int step) const { return bound_->steps[static_cast<std::size_t>(step)].label; }
  // Bytes of temporaries that one call takes from the pool.
  std::int64_t arena_bytes() const { return bound_->arena_bytes; }
  plan_view const& plan() const { return plan_; }

private:
  TESSERA_COLD std::shared_ptr<detail::bound_plan const> bind(strides const* arguments) const {
    return std::make_shared<detail::bound_plan const>(detail::bind(plan_, arguments, kernels_, *comm_));
  }
  // Arguments that are views are rare and then come again: the last binding is kept.
  std::shared_ptr<detail::bound_plan const> bound_for(strides const* given) const {
    bool own = true;
    for (int i = 0; given && i < plan_.local.input_count; ++i)
      own = own && same_elements(given[i], own_strides_[static_cast<std::size_t>(i)], i);
    if (own) return bound_;
    std::lock_guard const lock(*mutex_);
    bool known = viewed_ != nullptr;
    for (int i = 0; known && i < plan_.local.input_count; ++i)
      known = same_elements(given[i], viewed_strides_[static_cast<std::size_t>(i)], i);
    if (!known) {
      viewed_ = bind(given);
      viewed_strides_.assign(given, given + plan_.local.input_count);
    }
    return viewed_;
  }
  array_value const& argument(int i) const { return plan_.local[plan_.local.inputs[i]].facts; }
  // Equal where it matters: steps along dimensions of one element and along axes of equal blocks do not.
  bool same_elements(strides const& l, strides const& r, int i) const {
    array_value const& facts = argument(i);
    if (l.offset != r.offset) return false;
    for (std::size_t d = 0; d < static_cast<std::size_t>(facts.rank); ++d)
      if (facts.extents[d] != 1 && l.dim_stride[d] != r.dim_stride[d]) return false;
    for (int a = 0; a < plan_.local.mesh->rank; ++a) {
      auto const at = static_cast<std::size_t>(a);
      if (plan_.local.mesh->size(a) != 1 && l.axis_stride[at] != r.axis_stride[at]) return false;
    }
    return true;
  }

  void run(detail::bound_plan const& bound, int first, int count, std::byte** frame) const {
    for (int i = first; i < first + count; ++i) {
      auto const& s = bound.steps[static_cast<std::size_t>(i)];
      if (s.kind == step_kind::loop)
        run_loop(bound, s.label, std::get<detail::loop_step>(s.work), frame);
      else
        run(s, frame);
    }
  }
  void run_loop(detail::bound_plan const& bound, std::string const& label, detail::loop_step const& loop,
                std::byte** frame) const {
    detail::watched_region const watched(label);
    detail::loop_runner(loop, frame).run([&](int region) {
      auto const& steps = loop.regions[static_cast<std::size_t>(region)];
      run(bound, steps.first, steps.count, frame);
    });
  }
  void run(detail::bound_step const& s, std::byte* const* frame) const {
    for (auto const& e : s.exchanges) comm_->counted().count(e.kind, e.axes, e.bytes);
    switch (s.kind) {
      case step_kind::fused: {
        auto const& fused = std::get<detail::fused_step>(s.work);
        if constexpr (runs_on_host)
          detail::launch_tiles(s.label, {&detail::fused_tile, &fused.work, frame}, fused.work.tiles, fused.work.bytes);
        else
          detail::launch_fused(s.label, fused.launch, fused.work, fused.device, frame);
        break;
      }
      case step_kind::dot: detail::run_product(s.label, std::get<detail::product_work>(s.work), frame); break;
      case step_kind::gather: detail::run_indexed(s.label, std::get<detail::index_step>(s.work), frame); break;
      case step_kind::collective:
        if (auto const* ragged = std::get_if<detail::ragged_step>(&s.work))
          detail::ragged_runner(*ragged, frame).run(s.label, comm_->counted());
        else
          comm_->run(std::get<in_process::prepared>(s.work), s.label, frame);
        break;
      case step_kind::effect: detail::run_effect(std::get<detail::effect_step>(s.work), frame); break;
      case step_kind::opaque: {
        auto const& opaque = std::get<detail::opaque_step>(s.work);
        if constexpr (runs_on_host)
          detail::launch_tiles(s.label, {opaque.tile, &opaque.work, frame}, opaque.work.tiles, opaque.work.bytes);
        else if (opaque.launch)
          opaque.launch(s.label, opaque.work, frame);
        else
          throw std::logic_error("tessera: an accelerator runs compiled programs only (" + s.label + ").");
        break;
      }
      default: {
        auto const& works = std::get<std::vector<detail::transfer_work>>(s.work);
        detail::run_transfers(s.label, {works.data(), static_cast<int>(works.size())}, frame);
        break;
      }
    }
  }

  plan_view plan_;
  fused_kernel const* kernels_;
  in_process* comm_;
  std::shared_ptr<detail::bound_plan const> bound_;
  std::vector<strides> own_strides_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  mutable std::shared_ptr<detail::bound_plan const> viewed_;
  mutable std::vector<strides> viewed_strides_;
};

}  // namespace tessera
