// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compares a checkpoint with the requested tree, then reads it.

#include <tessera/array/device_put.hpp>
#include <tessera/checkpoint/restore.hpp>
#include <tessera/engine/checkpoint/json_text.hpp>
#include <tessera/engine/checkpoint/meet.hpp>
#include <tessera/engine/checkpoint/read_pieces.hpp>
#include <tessera/engine/checkpoint/stored_name.hpp>
#include <tessera/rule/spec.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace tessera::detail {

class restoring {
public:
  restoring(std::string const& path, wanted_leaves const& wanted, restore_options const& options)
      : from_(open_checkpoint(path)), wanted_(wanted), options_(options), reader_(from_) {}

  restored_leaves all() {
    match();
    std::vector<array_value> facts;
    for (std::size_t i = 0; i < wanted_.arrays.size(); ++i) facts.push_back(placed(i));
    restored_leaves out;
    for (std::size_t i = 0, moved = 0; i < wanted_.arrays.size(); ++i) {
      out.arrays.push_back(room_for(i, facts[i]));
      if (reader_.waiting() < most_waiting && i + 1 < wanted_.arrays.size()) continue;
      reader_.read_all();
      for (; moved <= i; ++moved)
        if (auto& memory = out.arrays[moved].memory; wanted_.arrays[moved].memory == memory_kind::device)
          if (arrays_[moved] || !wanted_.arrays[moved].former.memory) memory = moved_to(memory_kind::device, memory);
    }
    for (auto const* value : values_)
      if (value) {
        std::string where = from_.index.path;
        where += ": ";
        where += value->name;
        out.values.push_back({value->json, where});
      } else {
        out.values.emplace_back();
      }
    return out;
  }

private:
  // Finds the stored array or value of every leaf; throws with the leaves that do not fit, at most 5 of them by name.
  void match() {
    std::string problems;
    int count = 0;
    auto const problem = [&](std::string const& name, std::string const& what) {
      if (++count > 5) return;
      problems += "\n  ";
      problems += name;
      problems += ": ";
      problems += what;
    };
    auto const missing = [&](std::string const& name, std::string const& stored) {
      if (!may_be_missing(name, options_)) problem(name, stored == name ? "is not there" : stored + " is not there");
    };
    for (auto const& want : wanted_.arrays) {
      auto const stored = stored_name(want.name, options_);
      auto const* const found = find_named(from_.index.arrays, stored);
      arrays_.push_back(found);
      if (!found) {
        missing(want.name, stored);
        continue;
      }
      std::vector<std::int64_t> const shape(want.shape.begin(), want.shape.end());
      bool fits = found->known && found->element == want.element && found->shape.size() == shape.size();
      for (std::size_t d = 0; fits && d < shape.size(); ++d) fits = shape[d] == dynamic || shape[d] == found->shape[d];
      if (!fits)
        problem(want.name, type_of_stored(name_of(want.element), shape) + " is wanted, " +
                               type_of_stored(found->known ? name_of(found->element) : found->dtype, found->shape) +
                               " is there");
    }
    for (auto const& want : wanted_.values) {
      auto const stored = stored_name(want.name, options_);
      values_.push_back(find_named(from_.index.values, stored));
      if (!values_.back()) missing(want.name, stored);
    }
    if (count == 0) return;
    std::string text = "tessera: ";
    text += from_.index.path;
    text += ": ";
    append_number(text, count);
    text += count == 1 ? " leaf of the tree does not fit:" : " leaves of the tree do not fit:";
    text += problems;
    if (count > 5) text += "\n  ...";
    text +=
        "\nFix: the tree that was saved; restore_options has rename and may_be_missing; describe_checkpoint(path) "
        "lists what is there.";
    throw checkpoint_error(text);
  }

  // The array's facts on its mesh, with known extents.
  array_value placed(std::size_t i) const {
    wanted_array const& want = wanted_.arrays[i];
    array_value plain;
    plain.element = want.element;
    plain.memory = want.memory;
    for (int d = 0; d < want.shape.size(); ++d) {
      auto const extent = arrays_[i] ? arrays_[i]->shape[d] : want.shape[d];
      if (extent == dynamic)
        refuse_checkpoint(from_.index.path, want.name + " is missing, and its type does not say how long it is",
                          "restore(path, tree), with a tree that has it");
      plain.add_dim(extent);
    }
    mesh_value const& mesh = want.mesh.value();
    spec_value spec = want.spec;
    if (!want.exact_spec && arrays_[i]) {
      spec_value const split = with_auto_axes(spec, arrays_[i]->spec, mesh);
      if (verdict const judged = rule::with_spec(plain, split, mesh, true); judged) spec = split;
    }
    array_value facts;
    std::string const failure = failure_of([&] { facts = value_in_layout(plain, spec, mesh); });
    if (!failure.empty()) refuse_checkpoint(want.name, failure, "a mesh on which it can lie so");
    return facts;
  }
  // Adds to `spec` the Auto axes that split a dimension when it was saved, if the type leaves this dimension whole.
  static spec_value with_auto_axes(spec_value spec, std::vector<std::vector<std::string>> const& saved,
                                   mesh_value const& mesh) {
    axis_set used;
    for (int d = 0; d < spec.rank; ++d) used |= spec[d].axes();
    for (std::size_t d = 0; d < saved.size() && d < static_cast<std::size_t>(max_rank); ++d) {
      if (!spec[static_cast<int>(d)].empty()) continue;
      entry_value entry;
      for (auto const& name : saved[d])
        for (int a = 0; a < mesh.rank; ++a)
          if (mesh.name(a) == name && mesh.kind(a) == axis_kind::automatic && !used.contains(a)) {
            used |= axis_set::of(a);
            entry.append(a);
          }
      if (entry.empty()) continue;
      spec.rank = std::max(spec.rank, static_cast<int>(d) + 1);
      spec.entries.items[d] = entry;
    }
    return spec;
  }

  // Host memory that read_all fills, or the tree's own array if the checkpoint does not have the leaf.
  stored_array room_for(std::size_t i, array_value const& facts) {
    wanted_array const& want = wanted_.arrays[i];
    if (!arrays_[i] && want.former.memory) return want.former;
    mesh_value const& mesh = want.mesh.value();
    array_value const block = stored_block(facts, mesh);
    buffer memory(storage_bytes(block, mesh), memory_kind::host);
    auto const parts = local_parts(facts, want.mesh, memory.data());
    bool padded = !arrays_[i];
    for (auto const& part : parts) padded = padded || part.box.elements() != block.size();
    padded = padded || static_cast<std::int64_t>(parts.size()) != mesh.held_devices(block.varying);
    if (padded && memory.size() > 0) std::memset(memory.data(), 0, memory.size());
    if (arrays_[i]) reader_.want(*arrays_[i], parts);
    return {facts, memory};
  }

  static constexpr std::int64_t most_waiting = std::int64_t{256} << 20;
  opened_checkpoint from_;
  wanted_leaves const& wanted_;
  restore_options const& options_;
  piece_reader reader_;
  std::vector<index_array const*> arrays_;
  std::vector<index_value const*> values_;
};

TESSERA_ENGINE restored_leaves restore_leaves(std::string const& path, wanted_leaves const& wanted,
                                              restore_options const& options) {
  auto const all = channel_of_all(wanted.arrays);
  restored_leaves out;
  agree(all.get(), failure_of([&] { out = restoring(path, wanted, options).all(); }), "restore");
  return out;
}

}  // namespace tessera::detail

namespace tessera {

TESSERA_ENGINE std::string describe_checkpoint(std::string const& path) {
  auto const from = detail::open_checkpoint(path);
  std::string text;
  for (auto const& array : from.index.arrays) {
    bool const plain =
        std::all_of(array.name.begin(), array.name.end(), [](char c) { return c < 0 || (c >= ' ' && c < 127); });
    if (plain)
      text += array.name;
    else
      detail::append_shown(text, array.name);
    text += "  ";
    text += detail::type_of_stored(array.known ? name_of(array.element) : array.dtype, array.shape);
    for (std::size_t d = 0; d < array.spec.size(); ++d)
      for (auto const& axis : array.spec[d]) {
        text += " @";
        text += axis;
        text += " on dimension ";
        append_number(text, static_cast<std::int64_t>(d));
      }
    text += '\n';
  }
  for (auto const& value : from.index.values) {
    text += value.name;
    text += " = ";
    text += value.json;
    text += '\n';
  }
  return text;
}

}  // namespace tessera
