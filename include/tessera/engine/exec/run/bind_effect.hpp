// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binds and runs an effect step: the operands' blocks are copied to the host, device by device. Texts that devices of
// several processes print are sent to process 0, which prints them in the order of devices.

#include <tessera/comm/channel/mesh_processes.hpp>
#include <tessera/engine/exec/memory/device_blocks.hpp>
#include <tessera/engine/exec/memory/step_binding.hpp>
#include <tessera/exec/memory/blocks.hpp>
#include <tessera/graph/effect.hpp>
#include <tessera/op/effect/debug_check.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tessera::detail {

struct effect_step {
  struct source {
    array_value facts{};
    device_blocks blocks{};
  };
  effect_function act = nullptr;
  attributes attrs{};
  mesh_value mesh{};
  std::vector<source> sources;

  static bool takes(step_binding const& b) { return b.is(step_kind::effect); }
  static effect_step bind(step_binding& b);
  void run(step_run const& r) const;
};

TESSERA_COLD inline effect_step effect_step::bind(step_binding& b) {
  plan_view const& plan = b.plan;
  locations const& where = b.where;
  node const& n = b.its_node();
  effect_step made;
  made.act = n.op->act;
  made.attrs = n.attrs;
  made.mesh = *plan.local.mesh;
  for (int k = 0; k < n.operand_count; ++k) {
    int const id = plan.local.operand(b.at.node, k);
    location const& from = where[id];
    effect_step::source s;
    s.facts = plan.local[id].facts;
    std::int64_t step = 1;
    for (int d = s.facts.rank - 1; d >= 0; step *= s.facts.extent(d), --d)
      if (s.facts.extent(d) > 1 && from.at.dim_stride[d] != step)
        throw std::logic_error("tessera: an effect's operand does not lie row-major.");
    s.blocks = bind_blocks(plan, where, id);
    made.sources.push_back(s);
  }
  return made;
}

// The size of the text that a device prints.
struct device_text {
  std::int64_t device = 0, bytes = 0;
};
// Returns the texts of all processes' devices in process 0; `text` has those of this process, one after the other. Of
// devices with the same block, one text is kept. A collective of the mesh's processes.
TESSERA_COLD inline std::string texts_together(mesh_processes const& processes, std::vector<device_text> const& own,
                                               std::string const& text) {
  channel& all = *processes.all;
  std::size_t const ranks = all.size();
  std::vector<device_text> each(own.size() * ranks);
  all.all_gather(each.data(), own.data(), static_cast<std::int64_t>(own.size() * sizeof(device_text)), "debug_print")
      .wait();
  std::vector<message_part> sent(ranks), received(ranks);
  sent[0] = {0, static_cast<std::int64_t>(text.size())};
  std::vector<std::pair<std::int64_t, std::int64_t>> places;  // of each text
  std::int64_t end = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    std::int64_t const begin = end;
    for (std::size_t k = r * own.size(); k < (r + 1) * own.size(); ++k) {
      places.push_back({end, each[k].bytes});
      end += each[k].bytes;
    }
    if (all.rank() == 0) received[r] = {begin, end - begin};
  }
  std::string gathered(all.rank() == 0 ? end : 0, ' ');
  all.exchange(gathered.data(), received, text.data(), sent, "debug_print").wait();
  if (all.rank() != 0) return {};
  std::vector<std::size_t> order(each.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto l, auto r) { return std::pair(each[l].device, l) < std::pair(each[r].device, r); });
  std::string printed;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (k == 0 || each[order[k]].device != each[order[k - 1]].device)
      printed.append(gathered, places[order[k]].first, places[order[k]].second);
  return printed;
}

// The text of the process that has one of the lowest order, in all of them; empty if none has. A collective of the
// mesh's processes.
TESSERA_COLD inline std::string first_text(channel& all, std::string text, std::string_view label,
                                           std::int64_t order = 0) {
  struct known {
    std::int64_t order, length;
  };
  std::vector<known> each(all.size());
  known const own{order, static_cast<std::int64_t>(text.size())};
  all.all_gather(each.data(), &own, sizeof own, label).wait();
  int first = -1;
  for (int r = 0; r < static_cast<int>(each.size()); ++r)
    if (each[r].length != 0 && (first < 0 || each[r].order < each[first].order)) first = r;
  if (first < 0) return {};
  text.resize(each[first].length);
  all.broadcast(text.data(), each[first].length, first, label).wait();
  return text;
}

// What an effect has thrown, as text that travels: its kind, then its words.
TESSERA_COLD inline std::string error_as_text() {
  try {
    throw;
  } catch (std::out_of_range const& e) {
    return std::string("i") + e.what();
  } catch (check_failed const& e) {
    return std::string("c") + e.what();
  } catch (std::exception const& e) {
    return std::string("o") + e.what();
  } catch (...) {
    return "oan exception of another type";
  }
}
[[noreturn]] TESSERA_COLD inline void throw_as_text(std::string const& error) {
  std::string const words = error.substr(1);
  if (error[0] == 'i') throw std::out_of_range(words);
  if (error[0] == 'c') throw check_failed(words);
  throw std::runtime_error(words);
}

inline void effect_step::run(step_run const& r) const {
  effect_step const& s = *this;
  std::byte* const* const frame = r.frame;
  fence();
  std::vector<effect_operand> operands(s.sources.size());
  std::vector<std::vector<std::byte>> blocks(s.sources.size());
  auto const& what = s.attrs.as<effect_params>();
  axis_set const axes = what.axes;
  auto const* const processes = static_cast<mesh_processes const*>(s.mesh.processes);
  bool const prints = what.text && !what.checks;
  bool const together = processes && prints && processes->count() > 1;
  bool const fails_together = !prints && !(axes & s.mesh.shared()).empty();
  std::string error;
  std::string text;
  std::vector<device_text> texts;
  for (std::int64_t held = 0; held < s.mesh.held_devices(axes); ++held) {
    mesh_coordinates place = coordinates_of(s.mesh.held(), held, axes);
    for (std::size_t k = 0; k < s.sources.size(); ++k) {
      effect_step::source const& from = s.sources[k];
      blocks[k].resize(from.facts.size() * bytes_of(from.facts.element));
      copy_bytes(blocks[k].data(), from.blocks.of(frame, place), blocks[k].size(), false);
      operands[k] = {from.facts, blocks[k].data()};
    }
    for (int a = 0; a < s.mesh.rank; ++a)
      if (axes.contains(a)) place[a] += s.mesh.first_held(a);
    auto const device = position_of(s.mesh, place, axes);
    auto const before = text.size();
    try {
      s.act({&s.attrs, operands.data(), static_cast<int>(operands.size()), device, &s.mesh, place,
             together ? &text : nullptr, nullptr, r.label});
    } catch (...) {
      if (!fails_together) throw;
      if (error.empty()) error = error_as_text();
    }
    texts.push_back({device, static_cast<std::int64_t>(text.size() - before)});
  }
  if (fails_together)
    if (std::string const first = first_text(*processes->all, error, r.label); !first.empty()) throw_as_text(first);
  if (!together) return;
  if (!(axes & s.mesh.shared()).empty()) text = texts_together(*processes, texts, text);
  if (processes->all->rank() != 0) return;
  effect_call printed;
  printed.attrs = &s.attrs;
  printed.ready = &text;
  s.act(printed);
}

}  // namespace tessera::detail
