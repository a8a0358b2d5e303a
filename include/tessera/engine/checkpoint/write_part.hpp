// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes one process' part: a safetensors file with its pieces of the arrays. A window of bytes that is contiguous in a
// block is written from there; others go through a buffer of 8 MiB, row by row.

#include <tessera/checkpoint/leaves.hpp>
#include <tessera/engine/checkpoint/files.hpp>
#include <tessera/engine/checkpoint/index.hpp>
#include <tessera/engine/checkpoint/local_parts.hpp>
#include <tessera/engine/checkpoint/safetensors.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::detail {

inline constexpr std::int64_t window_bytes = 8 * chunk_bytes;

struct planned_piece {
  std::string key;  // the array's name; for a part with its bounds
  array_box box;
  std::vector<local_part> parts;
};
struct planned_array {
  std::string name;
  array_value facts;
  std::vector<std::vector<std::string>> spec;
  std::vector<planned_piece> pieces;
  buffer held;  // host memory; not modified while it is held
};

// "name" for a whole array, "name[0:4,8:16]" for a part.
inline std::string piece_key(std::string const& name, array_value const& facts, array_box const& box) {
  bool whole = true;
  std::string part = "[";
  for (int d = 0; d < box.rank; ++d) {
    whole = whole && box.extent(d) == facts.extent(d);
    if (d) part += ',';
    append_number(part, box.start.items[d]);
    part += ':';
    append_number(part, box.stop.items[d]);
  }
  return whole ? name : name + part + "]";
}

// `order`: the array's number in the tree; processes with equal blocks write arrays in turn by it. `ranks`: the number
// of processes that write together.
inline planned_array planned_save(saved_array const& array, std::int64_t order, int rank, int ranks) {
  array_value const& facts = array.stored.facts;
  mesh_value const& mesh = array.mesh.value();
  if (!array.stored.memory && facts.size() != 0)
    refuse_checkpoint(array.name, "has no memory: it was released, moved from, or never made",
                      "give save the array before it is given away");
  planned_array plan{array.name, facts, {}, {}, {}};
  for (int d = 0; d < facts.rank; ++d) {
    plan.spec.emplace_back();
    for (int k = 0; k < facts.entry(d).count(); ++k) plan.spec.back().emplace_back(mesh.name(facts.entry(d).axis(k)));
  }
  auto const copy = copy_of_process(facts, mesh);
  bool const mine = mesh.processes ? order % copy.count == copy.number : ranks == 1 || rank == 0;
  if (!mine || facts.size() == 0) return plan;
  plan.held =
      facts.memory == memory_kind::device ? moved_to(memory_kind::host, array.stored.memory) : array.stored.memory;
  auto const parts = local_parts(facts, array.mesh, plan.held.data());
  std::vector<array_box> boxes;
  for (auto const& part : parts) {
    boxes.push_back(part.box);
    for (int d = 0; d < facts.rank; ++d) boxes.back().room.items[d] = part.box.extent(d);
  }
  auto const joined = joined_boxes(boxes);
  for (std::size_t i = 0; i < joined.size(); ++i)
    plan.pieces.push_back({piece_key(array.name, facts, joined[i]), joined[i],
                           joined.size() == 1 ? parts : std::vector<local_part>{parts[i]}});
  return plan;
}

// Writes the bytes of a piece and returns the hashes of its chunks.
inline std::vector<std::uint64_t> write_piece(open_file const& file, std::int64_t offset, planned_piece const& piece,
                                              std::int64_t element, std::vector<std::byte>& staged) {
  std::vector<std::uint64_t> hashes;
  std::vector<shared_runs> runs;
  for (auto const& part : piece.parts) runs.emplace_back(piece.box, part.box);
  auto const total = piece.box.elements() * element;
  for (std::int64_t from = 0; from < total; from += window_bytes) {
    auto const bytes = std::min(window_bytes, total - from);
    auto const first = from / element, last = (from + bytes) / element;
    std::byte const* source = nullptr;
    for (std::size_t i = 0; i < runs.size() && !source; ++i)
      runs[i].within(first, last, [&](std::int64_t outer, std::int64_t inner, std::int64_t count) {
        if (outer == first && count == last - first) source = piece.parts[i].data + inner * element;
      });
    if (!source) {
      staged.resize(window_bytes);
      for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].within(first, last, [&](std::int64_t outer, std::int64_t inner, std::int64_t count) {
          std::memcpy(staged.data() + (outer - first) * element, piece.parts[i].data + inner * element,
                      count * element);
        });
      source = staged.data();
    }
    for (std::int64_t at = 0; at < bytes; at += chunk_bytes)
      hashes.push_back(hash_of(source + at, std::min(chunk_bytes, bytes - at)));
    file.write(source, bytes, offset + from);
    file.start_writing(offset + from, bytes);
  }
  return hashes;
}

// Writes the file to the disk, and returns the index of a checkpoint that has only this file.
inline checkpoint_index write_part(open_folder const& folder, std::string const& name, int number,
                                   std::vector<planned_array> const& arrays) {
  struct placed {
    std::size_t array, piece;
    std::int64_t element;
  };
  std::vector<placed> order;
  for (std::size_t a = 0; a < arrays.size(); ++a)
    for (std::size_t p = 0; p < arrays[a].pieces.size(); ++p)
      order.push_back({a, p, bytes_of(arrays[a].facts.element)});
  // Wide elements come first, so that each begins at a multiple of its size.
  std::sort(order.begin(), order.end(), [](placed const& l, placed const& r) {
    return std::tuple(-l.element, l.array, l.piece) < std::tuple(-r.element, r.array, r.piece);
  });
  std::vector<stored_tensor> tensors;
  std::int64_t end = 0;
  for (auto const& at : order) {
    planned_piece const& piece = arrays[at.array].pieces[at.piece];
    auto const written = safetensors_dtype(arrays[at.array].facts.element);
    stored_tensor t{piece.key, std::string(written.name), {}, end, end + piece.box.elements() * at.element};
    for (int d = 0; d < piece.box.rank; ++d) t.shape.push_back(piece.box.extent(d));
    if (written.as_two_parts) t.shape.push_back(2);
    end = t.end;
    tensors.push_back(std::move(t));
  }
  std::string const head = safetensors_head(tensors);
  auto const begin = static_cast<std::int64_t>(head.size());
  if (begin - 8 > most_head)
    refuse_checkpoint(name, "would have a head of more than 100 MB", "a tree of fewer arrays, or several checkpoints");

  checkpoint_index index;
  for (auto const& array : arrays) {
    index_array described{array.name, array.facts.element, {}, true, {}, array.spec, {}};
    for (auto extent : array.facts.shape()) described.shape.push_back(extent);
    index.arrays.push_back(std::move(described));
  }
  auto file = folder.create(name);
  file.write(head.data(), head.size(), 0);
  std::vector<std::byte> staged;
  for (std::size_t i = 0; i < order.size(); ++i) {
    planned_piece const& piece = arrays[order[i].array].pieces[order[i].piece];
    index_piece described{number, begin + tensors[i].begin, {}, {}, {}};
    for (int d = 0; d < piece.box.rank; ++d) {
      described.start.push_back(piece.box.start.items[d]);
      described.stop.push_back(piece.box.stop.items[d]);
    }
    described.hashes = write_piece(file, described.offset, piece, order[i].element, staged);
    index.arrays[order[i].array].pieces.push_back(std::move(described));
  }
  file.sync();
  file.close();
  index.files.push_back(
      {name, begin + end, begin, hash_of(reinterpret_cast<std::byte const*>(head.data()), head.size())});
  return index;
}

}  // namespace tessera::detail
