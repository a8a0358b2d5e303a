// SPDX-License-Identifier: Apache-2.0
#pragma once
// A bound program, and the execution of its steps: each call fills a frame of addresses, and allocates only the arena.

#include <tessera/engine/exec/device/program_span.hpp>
#include <tessera/engine/exec/memory/buffer_for.hpp>
#include <tessera/engine/exec/run/bind.hpp>
#include <tessera/exec/run/executable.hpp>

#include <algorithm>
#include <mutex>
#include <vector>

namespace tessera {
namespace detail {

class bound_program {
public:
  bound_program(plan_view const& plan, fused_kernel const* kernels, in_process& comm)
      : plan_(plan), kernels_(kernels), comm_(&comm), bound_(bind(nullptr)) {
    fill_in_lapack();
    for (int i = 0; i < plan.local.input_count; ++i) own_strides_.push_back(own_strides(argument(i), *plan.local.mesh));
    int const steps = bound_->own_steps;
    label_ = steps == 0 ? "a program" : bound_->steps[steps - 1].label;
    if (steps > 1) label_ += ", " + std::to_string(steps) + " steps";
  }

  void run(std::byte* const* arguments, strides const* argument_strides, std::byte* const* results) const {
    std::shared_ptr<bound_plan const> const bound = bound_for(argument_strides);
    buffer const arena =
        buffer_for(bound->arena_bytes, [&] { return "the temporaries of the program that ends with " + label_; });
    buffer const on_host =
        plan_.host_bytes == 0
            ? buffer()
            : buffer_for(
                  plan_.host_bytes,
                  [&] { return "the temporaries in host memory of the program that ends with " + label_; },
                  memory_kind::host);
    constexpr int most = 128;
    std::byte* few[most];
    std::vector<std::byte*> many;
    std::byte** frame = few;
    if (bound->slots > most) {
      many.resize(bound->slots);
      frame = many.data();
    }
    if (!bound->chains.empty()) std::fill_n(frame, bound->slots, nullptr);  // threads copy the frame
    for (int i = 0; i < plan_.local.input_count; ++i) frame[i] = arguments[i];
    for (int i = 0; i < plan_.local.output_count; ++i) frame[plan_.local.input_count + i] = results[i];
    frame[bound->arena_slot] = arena.data();
    frame[bound->arena_slot + 1] = arena.data() + bound->scratch_offset;
    frame[bound->arena_slot + 2] = on_host.data();
    for (std::size_t part = 0; bound->sends && part + 1 < bound->staging.size(); ++part)
      frame[bound->arena_slot + 3 + static_cast<int>(part)] = arena.data() + bound->staging[part];
    program_span const timed(span_kind::call, label_);
    if (nan_watch* const watch = nan_watch::current()) watch->look_at_arguments(plan_, frame, argument_strides);
    run(*bound, 0, bound->own_steps, frame);
  }

  bound_plan const& bound() const { return *bound_; }
  plan_view const& plan() const { return plan_; }

private:
  TESSERA_COLD std::shared_ptr<bound_plan const> bind(strides const* arguments) const {
    return std::make_shared<bound_plan const>(tessera::detail::bind(plan_, arguments, kernels_, *comm_));
  }
  // Calls with views as arguments are rare but often repeated, so the last binding for views is kept.
  std::shared_ptr<bound_plan const> bound_for(strides const* given) const {
    bool own = true;
    for (int i = 0; given && i < plan_.local.input_count; ++i) own = own && same_elements(given[i], own_strides_[i], i);
    if (own) return bound_;
    std::lock_guard const lock(mutex_);
    bool known = viewed_ != nullptr;
    for (int i = 0; known && i < plan_.local.input_count; ++i) known = same_elements(given[i], viewed_strides_[i], i);
    if (!known) {
      viewed_ = bind(given);
      viewed_strides_.assign(given, given + plan_.local.input_count);
    }
    return viewed_;
  }
  array_value const& argument(int i) const { return plan_.local[plan_.local.inputs[i]].facts; }
  bool same_elements(strides const& l, strides const& r, int i) const {
    return tessera::same_elements(l, r, argument(i), *plan_.local.mesh);
  }

  // A started message.
  struct in_flight {
    int step, until;  // the message's step; it must be finished before step `until`
    message_step const* what;
    std::string const* label;
    sent_message sent;
  };
  void run(bound_plan const& bound, int first, int count, std::byte** frame) const {
    if (bound.sends) return run_between_messages(bound, first, count, frame);
    for (int i = first; i < first + count; ++i) i = run_at(bound, i, frame);
  }
  void run_between_messages(bound_plan const& bound, int first, int count, std::byte** frame) const {
    std::vector<in_flight> flights;
    bool const watched = nan_watch::current() != nullptr;  // each message ends where it begins
    auto const finish = [&](in_flight& f) { finish_message(*f.what, f.sent, *f.label, frame); };
    for (int i = first; i < first + count; ++i) {
      auto const& s = bound.steps[i];
      int const last = s.chain >= 0 ? i + bound.chains[s.chain].count - 1 : i;
      for (auto& f : flights)
        if (f.until <= last) finish(f);
      std::erase_if(flights, [&](in_flight const& f) { return f.until <= last; });
      for (int k = i; k <= last && !watched; ++k)
        for (int m : bound.starting[k]) start(bound, m, m + 1, flights, frame);
      under_way const polled(flights.empty() ? nullptr : flights.front().what->over.get());
      under_way::progress();
      auto const ahead = std::find_if(flights.begin(), flights.end(), [&](in_flight const& f) { return f.step == i; });
      if (s.ahead && ahead != flights.end()) {
        finish(*ahead);
        flights.erase(ahead);
        continue;
      }
      run_at(bound, i, frame);
      if (s.then && !watched)
        flights.push_back({i, s.then_until, &*s.then, &s.label, start_message(*s.then, s.label, frame)});
      i = last;
    }
    for (auto& f : flights) finish(f);
  }
  void start(bound_plan const& bound, int step, int until, std::vector<in_flight>& flights, std::byte** frame) const {
    auto const& s = bound.steps[step];
    auto const& message = std::get<message_step>(s.work);
    count_exchanges(s);
    flights.push_back({step, until, &message, &s.label, start_message(message, s.label, frame)});
  }
  // Returns the number of the last step that it has run.
  int run_at(bound_plan const& bound, int i, std::byte** frame) const {
    auto const& s = bound.steps[i];
    std::string const& label = s.chain >= 0 ? bound.chained[s.chain] : s.label;
    program_span const timed(std::holds_alternative<loop_step>(s.work) ? span_kind::loop : span_kind::step, label);
    if (s.chain >= 0) {
      run_chain(bound, s, frame);
      return i + bound.chains[s.chain].count - 1;
    }
    count_exchanges(s);
    s.run({s.label, frame, *comm_, steps_of{*this, bound}});
    if (nan_watch* const watch = nan_watch::current()) {
      if (s.then) s.then->run({s.label, frame, *comm_, steps_of{*this, bound}});
      watch->look_at(plan_, i, frame);
    }
    return i;
  }
  struct steps_of final : region_steps {
    steps_of(bound_program const& program, bound_plan const& bound) : program_(program), bound_(bound) {}
    void run(int first, int count, std::byte** frame) const override { program_.run(bound_, first, count, frame); }
    int slots() const override { return bound_.slots; }
    std::int64_t scratch_bytes() const override { return bound_.arena_bytes - bound_.scratch_offset; }

  private:
    bound_program const& program_;
    bound_plan const& bound_;
  };
  struct chain_work {
    bound_step const* steps;
    step_chain const& chain;
    int slots;
  };
  static void run_part(void const* work, std::byte* const* frame, std::int64_t part) {
    auto const& [steps, chain, slots] = *static_cast<chain_work const*>(work);
    thread_local std::vector<std::byte*> own;
    if (!chain.kept.empty()) {
      own.assign(frame, frame + slots);
      std::byte* const memory = thread_memory<step_chain>(chain.kept_bytes);
      for (kept_region const& r : chain.kept) own[r.slot] = memory + r.place - r.begin[part];
      frame = own.data();
    }
    for (int i = 0; i < chain.count; ++i) {
      auto const& step = steps[i].work;
      auto const* const fused = std::get_if<fused_step>(&step);
      auto const* const product = std::get_if<product_step>(&step);
      if (!fused && !product) continue;  // an empty step
      void const* const own = fused ? static_cast<void const*>(fused->work()) : &product->work;
      std::int64_t const tiles = (fused ? fused->tiles : product->work.tiles) / chain.parts;
      tile_function const tile = fused ? &fused_tile : &product_tile;
      for (std::int64_t t = part * tiles; t < (part + 1) * tiles; ++t) tile(own, frame, t);
    }
  }
  void run_chain(bound_plan const& bound, bound_step const& first, std::byte* const* frame) const {
    std::size_t const which = first.chain;
    step_chain const& chain = bound.chains[which];
    for (int i = 0; i < chain.count; ++i) count_exchanges((&first)[i]);
    single_threaded_blas();
    chain_work const work{&first, chain, bound.slots};
    launch_tiles(bound.chained[which], {&run_part, &work, frame}, chain.parts, chain.bytes);
  }
  void count_exchanges(bound_step const& s) const {
    for (auto const& e : s.exchanges) comm_->counted().count(e.kind, e.axes, e.bytes);
  }

  plan_view plan_;
  fused_kernel const* kernels_;
  in_process* comm_;
  std::shared_ptr<bound_plan const> bound_;
  std::string label_;  // names its calls in a timeline
  std::vector<strides> own_strides_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<bound_plan const> viewed_;
  mutable std::vector<strides> viewed_strides_;
};

}  // namespace detail
}  // namespace tessera
