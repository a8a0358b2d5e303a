// SPDX-License-Identifier: Apache-2.0
#pragma once
// A plan with its addresses worked out: a table of steps that run without deciding or allocating anything.

#include <tessera/exec/fused/bind.hpp>
#include <tessera/exec/fused/device.hpp>
#include <tessera/exec/fused/kernel.hpp>
#include <tessera/exec/move/bind_copy.hpp>
#include <tessera/exec/move/bind_exchange.hpp>
#include <tessera/exec/move/bind_index.hpp>
#include <tessera/exec/move/bind_moves.hpp>
#include <tessera/exec/move/in_process.hpp>
#include <tessera/exec/move/ragged.hpp>
#include <tessera/exec/product/bind.hpp>
#include <tessera/exec/product/gemm_device.hpp>
#include <tessera/exec/product/lapack.hpp>
#include <tessera/exec/product/windowed_dot.hpp>
#include <tessera/exec/run/bind_effect.hpp>
#include <tessera/exec/run/bind_loop.hpp>
#include <tessera/exec/run/bind_opaque.hpp>
#include <tessera/exec/run/chain_memory.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>

namespace tessera {

namespace detail {

struct fused_step {
  fused_work work;
  fused_launch launch;
  device_fused_work device;
};

// A collective that another step does.
struct done_exchange {
  collective kind{};
  axis_set axes{};
  std::int64_t bytes = 0;  // as if it had been sent
};

struct opaque_step {
  opaque_work work;
  tile_function tile;
  opaque_launch launch;
};

struct bound_step {
  step_kind kind{};
  std::string label;  // "add+exp digits.cpp:28": what Kokkos Tools show
  std::vector<done_exchange> exchanges;
  int chain = -1;  // of bound_plan::chains: begins here
  std::variant<fused_step, product_work, std::vector<transfer_work>, index_step, in_process::prepared, opaque_step,
               loop_step, effect_step, ragged_step, windowed_product>
      work;
};

struct bound_plan {
  std::vector<bound_step> steps;
  std::vector<step_chain> chains;    // in the steps' order
  std::vector<std::string> chained;  // their labels
  int own_steps = 0;                 // the first ones; loops run the others
  int slots = 0, arena_slot = 0;
  std::int64_t arena_bytes = 0;  // temporaries, then scratch
  std::int64_t scratch_offset = 0;
};

TESSERA_COLD inline std::string label_of(plan_view const& plan, step const& s) {
  std::string text;
  if (s.kind == step_kind::fused) {
    for (int i = 0; i < s.code.count; ++i)
      if (auto const& it = plan.code[s.code.first + i]; it.op && text.size() < 60)
        text += (text.empty() ? "" : "+") + std::string(it.op->name);
    if (text.empty()) text = "copy";
  } else {
    text = plan.local[s.node].op->name;
  }
  for (int i = 0; i < s.exchanges.count; ++i)
    if (plan.lists[s.exchanges.first + i] != s.node)
      text += "+" + std::string(plan.local[plan.lists[s.exchanges.first + i]].op->name);
  site const at = plan.local[s.node].at;
  if (at.line) {
    std::string_view file = at.file;
    if (auto const slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
    text += " " + std::string(file) + ":" + std::to_string(at.line);
  }
  return text;
}

TESSERA_COLD inline std::vector<done_exchange> exchanges_of(plan_view const& plan, step const& s) {
  std::vector<done_exchange> all;
  for (int i = 0; i < s.exchanges.count; ++i) {
    int const id = plan.lists[s.exchanges.first + i];
    node const& n = plan.local[id];
    array_value const& x = plan.local[plan.local.operand(id, 0)].facts;
    axis_set const axes = axes_joined(n.attrs);
    all.push_back({n.op->message, axes, bytes_sent(n.op->message, x, plan.local.mesh->devices(axes))});
  }
  return all;
}

TESSERA_COLD inline void find_chains(plan_view const& plan, locations const& where, bound_plan& bound) {
  auto const step_at = [&](int i) -> bound_step& { return bound.steps[static_cast<std::size_t>(i)]; };
  auto const product = [&](int i) { return std::get_if<product_work>(&step_at(i).work); };
  auto const fused = [&](int i) -> fused_work const* {
    auto const* const s = std::get_if<fused_step>(&step_at(i).work);
    return s ? &s->work : nullptr;
  };
  std::int64_t const cache = this_machine().l2;
  auto const nothing = [&](int i) {
    auto const* const w = std::get_if<std::vector<transfer_work>>(&step_at(i).work);
    return w && w->empty();
  };
  auto const add = [&](step_chain chain) {
    step_at(chain.first).chain = static_cast<int>(bound.chains.size());
    chain_memory(plan, where, cache).keep(chain, where.slots(), [&](auto const& f) {
      for (int i = chain.first; i < chain.first + chain.count; ++i) {
        if (auto* const s = std::get_if<fused_step>(&step_at(i).work)) f(s->work);
        if (auto* const p = std::get_if<product_work>(&step_at(i).work)) f(*p);
      }
    });
    bound.slots = std::max(bound.slots, where.slots() + static_cast<int>(chain.kept.size()));
    bound.chains.push_back(chain);
    std::string label;
    for (int i = chain.first; i < chain.first + chain.count; ++i) {
      label += (label.empty() ? "" : ", ") + step_at(i).label;
      if (auto* const s = std::get_if<fused_step>(&step_at(i).work)) s->work.streams = false;  // the next step reads it
    }
    bound.chained.push_back(std::move(label));
  };
  chain_finder finder(plan.local.input_count, plan.local.output_count, host_threads(), cache);
  finder.find(0, plan.own_steps, product, fused, nothing, add);
  for (int r = 0; r < plan.region_count; ++r) {
    plan_region const& region = plan.regions[r];
    finder.find(region.first_step, region.first_step + region.step_count, product, fused, nothing, add);
  }
}

// `arguments`: strides of each argument, or null for own_strides. `kernels`: one a step, or null.
TESSERA_COLD inline bound_plan bind(plan_view const& plan, strides const* arguments, fused_kernel const* kernels,
                                    in_process const& comm) {
  bound_plan bound;
  locations const where(plan, arguments);
  bound.slots = where.slots();
  bound.arena_slot = where.arena();
  bound.own_steps = plan.own_steps;
  bound.scratch_offset = (plan.arena_bytes + 63) / 64 * 64;
  std::int64_t scratch = 0;
  bound.steps.reserve(static_cast<std::size_t>(plan.step_count));
  for (int s = 0; s < plan.step_count; ++s) {
    step const& at = plan.steps[s];
    bound_step made{at.kind, label_of(plan, at), exchanges_of(plan, at), -1, {}};
    switch (at.kind) {
      case step_kind::fused: {
        fused_kernel const kernel = kernels ? kernels[s] : fused_kernel{};
        fused_step fused{fused_binder(plan, at, where).bind(kernel.strip), kernel.launch, {}};
        fused.device = upload(fused.work);
        made.work = std::move(fused);
        break;
      }
      case step_kind::dot:
        if (auto windowed = bind_windowed(plan, at, where)) {
          for (int k = 0; k < s; ++k)
            if (plan.steps[k].node == windowed->windows)
              std::get<opaque_step>(bound.steps[static_cast<std::size_t>(k)].work).work.tiles = 0;
          made.work = windowed->work;
        } else {
          made.work = prepare(bind_product(plan, at, where));
        }
        break;
      case step_kind::reduce:
      case step_kind::copy: {
        bool const moves = plan.local[at.node].op->kind == op_class::collective;
        auto works = moves ? move_binder(plan, at, where).bind() : copy_binder(plan, at, where).bind();
        for (auto const& w : works) scratch = std::max(scratch, w.scratch_bytes);
        made.work = std::move(works);
        break;
      }
      case step_kind::gather: made.work = index_binder(plan, at, where).bind(); break;
      case step_kind::effect: made.work = bind_effect(plan, at, where); break;
      case step_kind::loop: made.work = loop_binder(plan, at, where).bind(); break;
      case step_kind::collective: {
        if (plan.local[at.node].op->message == collective::ragged_all_to_all) {
          made.work = bind_ragged(plan, at, where);
          break;
        }
        auto const prepared = [&](int which) {
          auto const bound_exchange = bind_exchange(plan, at, where, which);
          return comm.prepare(bound_exchange.what, bound_exchange.out_slot, bound_exchange.in_slot, where.scratch());
        };
        auto ready = prepared(0);
        if (std::any_of(where.relays().begin(), where.relays().end(), [&](relay const& r) { return r.step == s; })) {
          made.exchanges.push_back({ready.kind, ready.axes, ready.bytes});
          made.kind = step_kind::copy;
          made.work = std::vector<transfer_work>{};
          break;
        }
        for (int k = 1; k < at.outputs.count; ++k) comm.join(ready, prepared(k));
        scratch = std::max(scratch, ready.scratch_bytes);
        made.work = std::move(ready);
        break;
      }
      case step_kind::opaque: {
        fused_kernel const kernel = kernels ? kernels[s] : fused_kernel{};
        made.work = opaque_step{opaque_binder(plan, at, where).bind(),
                                kernel.tile ? kernel.tile : plan.local[at.node].op->tile, kernel.opaque};
        break;
      }
    }
    bound.steps.push_back(std::move(made));
  }
  bound.arena_bytes = bound.scratch_offset + scratch;
  if constexpr (runs_on_host) find_chains(plan, where, bound);
  return bound;
}

}  // namespace detail

}  // namespace tessera
