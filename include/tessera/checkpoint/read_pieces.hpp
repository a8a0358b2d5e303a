// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bytes of a checkpoint's files into blocks: of each piece the chunks that have elements of this process' blocks. What lies
// in a block as it lies in the file is read there; the rest goes through 8 MiB.

#include <tessera/checkpoint/local_parts.hpp>
#include <tessera/checkpoint/opened.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tessera::detail {

class piece_reader {
public:
  explicit piece_reader(opened_checkpoint const& from) : from_(from), files_(from.index.files.size()) {}

  // The array's elements into `parts`: boxes in memory of their own. Throws checkpoint_error.
  void read(index_array const& array, std::vector<local_part> const& parts) {
    for (auto const& piece : array.pieces) read(array, piece, parts);
  }
  std::int64_t bytes_read() const { return bytes_; }

private:
  static constexpr std::int64_t window = 8 * chunk_bytes;
  static constexpr std::size_t windows_ahead = 4;

  void read(index_array const& array, index_piece const& piece, std::vector<local_part> const& parts) {
    auto const element = std::int64_t{bytes_of(array.element)};
    array_box box;
    box.rank = static_cast<int>(array.shape.size());
    for (int d = 0; d < box.rank; ++d) {
      auto const k = static_cast<std::size_t>(d);
      box.start.items[d] = piece.start[k];
      box.stop.items[d] = piece.stop[k];
      box.room.items[d] = box.extent(d);
    }
    std::vector<shared_runs> runs;
    std::vector<std::byte*> to;
    for (auto const& part : parts)
      if (shared_runs const shared(box, part.box); shared.count() > 0) {
        runs.push_back(shared);
        to.push_back(part.data);
      }
    if (runs.empty()) return;
    auto const total = box.elements() * element;
    // Without hashes less than a chunk may be read.
    auto const unit = piece.hashes.empty() ? std::int64_t{1} << 16 : chunk_bytes;
    auto const needed = [&](std::int64_t from) {
      bool found = false;
      for (auto const& shared : runs)
        if (auto const i = shared.after(from / element); i < shared.count())
          found = found || shared[i].outer * element < from + unit;
      return found;
    };
    checkpoint_file const& file = opened(piece.file);
    struct range {
      std::int64_t from, end;
    };
    std::vector<range> ranges;
    for (std::int64_t from = 0; from < total; from += unit)
      if (needed(from)) {
        auto const end = std::min(from + unit, total);
        if (!ranges.empty() && ranges.back().end == from && end - ranges.back().from <= window)
          ranges.back().end = end;
        else
          ranges.push_back({from, end});
      }
    // The disk reads the next ones while these are looked at.
    std::size_t asked = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      for (; asked < ranges.size() && asked < i + windows_ahead; ++asked)
        file.will_read(piece.offset + ranges[asked].from,
                       static_cast<std::size_t>(ranges[asked].end - ranges[asked].from));
      read_window(array, piece, file, ranges[i].from, ranges[i].end, element, runs, to);
    }
  }
  void read_window(index_array const& array, index_piece const& piece, checkpoint_file const& file, std::int64_t from,
                   std::int64_t end, std::int64_t element, std::vector<shared_runs> const& runs,
                   std::vector<std::byte*> const& to) {
    auto const first = from / element, last = end / element;
    std::byte* target = nullptr;
    int takers = 0;
    for (std::size_t i = 0; i < runs.size(); ++i)
      runs[i].within(first, last, [&](std::int64_t outer, std::int64_t inner, std::int64_t count) {
        ++takers;
        if (outer == first && count == last - first) target = to[i] + inner * element;
      });
    bool const direct = target && takers == 1;
    auto const bytes = static_cast<std::size_t>(end - from);
    if (!direct) {
      staged_.resize(static_cast<std::size_t>(window));
      target = staged_.data();
    }
    file.read(target, bytes, piece.offset + from);
    bytes_ += end - from;
    if (!piece.hashes.empty())
      for (std::int64_t at = from; at < end; at += chunk_bytes) {
        auto const hash = hash_of(target + (at - from), static_cast<std::size_t>(std::min(chunk_bytes, end - at)));
        if (hash != piece.hashes[static_cast<std::size_t>(at / chunk_bytes)])
          damaged(array, file.path(), piece.offset + at);
      }
    if (array.element == dtype::boolean)
      for (std::size_t i = 0; i < bytes; ++i)
        if (static_cast<unsigned char>(target[i]) > 1)
          refuse_checkpoint(file.path(), array.name + " is bool and has bytes that are neither 0 nor 1",
                            "another copy of the file, this one is damaged");
    if (direct) return;
    for (std::size_t i = 0; i < runs.size(); ++i)
      runs[i].within(first, last, [&](std::int64_t outer, std::int64_t inner, std::int64_t count) {
        std::memcpy(to[i] + inner * element, target + (outer - first) * element,
                    static_cast<std::size_t>(count * element));
      });
  }
  [[noreturn]] static void damaged(index_array const& array, std::string const& path, std::int64_t at) {
    std::string what = array.name;
    what += ": the MiB from byte ";
    append_number(what, at);
    what += " on does not have the hash that was written with it: the file has changed since";
    refuse_checkpoint(path, what, "an earlier checkpoint, or another copy of this one");
  }
  // Opened once, and of ours the size and the head are checked then.
  checkpoint_file const& opened(int number) {
    auto& file = files_[static_cast<std::size_t>(number)];
    if (file) return *file;
    index_file const& facts = from_.index.files[static_cast<std::size_t>(number)];
    auto const path = joined_path(from_.folder, facts.name);
    file = std::make_unique<checkpoint_file>(checkpoint_file::read(path));
    if (auto const bytes = file->size(); bytes != facts.bytes) {
      std::string what = "has ";
      append_number(what, bytes);
      what += " bytes instead of ";
      append_number(what, facts.bytes);
      refuse_checkpoint(path, what,
                        "an earlier checkpoint, or another copy of this one: the file was cut off or replaced");
    }
    if (from_.ours) {
      if (facts.head > most_head + 8) refuse_checkpoint(path, "has a head of more than 100 MB", "another copy of it");
      std::vector<std::byte> head(static_cast<std::size_t>(facts.head));
      file->read(head.data(), head.size(), 0);
      if (hash_of(head.data(), head.size()) != facts.head_hash)
        refuse_checkpoint(path, "does not have the head that was written: the file has changed since",
                          "an earlier checkpoint, or another copy of this one");
    }
    return *file;
  }

  opened_checkpoint const& from_;
  std::vector<std::unique_ptr<checkpoint_file>> files_;
  std::vector<std::byte> staged_;
  std::int64_t bytes_ = 0;
};

}  // namespace tessera::detail
