// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads bytes of a checkpoint's files into blocks: of each piece, the chunks that have elements of this process'
// blocks. Bytes that are contiguous in a block, too, are read directly into it; others go through a buffer of 8 MiB. At
// most 4 threads read, hash and copy windows of at most 8 MiB each, since one thread is slower than a disk.

#include <tessera/engine/checkpoint/local_parts.hpp>
#include <tessera/engine/checkpoint/opened.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tessera::detail {

class piece_reader {
public:
  explicit piece_reader(opened_checkpoint const& from) : from_(from), files_(from.index.files.size()) {}

  // Requests the array's elements for `parts`, boxes with their memory. read_all reads them; until then the array and
  // the memory must stay valid. Throws checkpoint_error if a file is not the one that was written.
  void want(index_array const& array, std::vector<local_part> const& parts) {
    for (auto const& piece : array.pieces) want(array, piece, parts);
  }
  // Bytes that are requested and not read yet.
  std::int64_t waiting() const { return waiting_; }
  // Reads everything that is requested. Throws checkpoint_error for the first window, in the order of requests, that
  // cannot be read or is damaged; some of the others have been read then.
  void read_all() {
    auto const threads = std::min<std::size_t>(
        {most_threads, std::max<std::size_t>(1, std::thread::hardware_concurrency()), windows_.size()});
    std::vector<std::thread> helpers;
    for (std::size_t k = 1; k < threads; ++k) try {
        helpers.emplace_back([this] { read_windows(); });
      } catch (std::system_error const&) {
        break;  // fewer threads read the same bytes
      }
    read_windows();
    for (auto& helper : helpers) helper.join();
    windows_.clear();
    next_ = 0;
    waiting_ = 0;
    if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
  }
  std::int64_t bytes_read() const { return bytes_; }

private:
  static constexpr std::int64_t most_bytes = 8 * chunk_bytes;
  static constexpr std::size_t most_threads = 4, windows_ahead = 4;

  // The memory that a piece's elements go to.
  struct destinations {
    std::vector<shared_runs> runs;
    std::vector<std::byte*> to;
  };
  struct window {
    index_array const* array;
    index_piece const* piece;
    open_file const* file;
    std::shared_ptr<destinations const> where;
    std::int64_t from, end;  // bytes of the piece
  };

  void want(index_array const& array, index_piece const& piece, std::vector<local_part> const& parts) {
    auto const element = std::int64_t{bytes_of(array.element)};
    array_box box;
    box.rank = static_cast<int>(array.shape.size());
    for (int d = 0; d < box.rank; ++d) {
      box.start.items[d] = piece.start[d];
      box.stop.items[d] = piece.stop[d];
      box.room.items[d] = box.extent(d);
    }
    auto const where = std::make_shared<destinations>();
    for (auto const& part : parts)
      if (shared_runs const shared(box, part.box); shared.count() > 0) {
        where->runs.push_back(shared);
        where->to.push_back(part.data);
      }
    if (where->runs.empty()) return;
    auto const total = box.elements() * element;
    // Without hashes, units smaller than a chunk may be read.
    auto const unit = piece.hashes.empty() ? std::int64_t{1} << 16 : chunk_bytes;
    auto const needed = [&](std::int64_t from) {
      bool found = false;
      for (auto const& shared : where->runs)
        if (auto const i = shared.after(from / element); i < shared.count())
          found = found || shared[i].outer * element < from + unit;
      return found;
    };
    open_file const& file = opened(piece.file);
    auto const first = windows_.size();
    for (std::int64_t from = 0; from < total; from += unit)
      if (needed(from)) {
        auto const end = std::min(from + unit, total);
        waiting_ += end - from;
        if (windows_.size() > first && windows_.back().end == from && end - windows_.back().from <= most_bytes)
          windows_.back().end = end;
        else
          windows_.push_back({&array, &piece, &file, where, from, end});
      }
  }

  // Takes the next window until none is left. All windows before a failed one have been taken, so which failure is
  // reported does not depend on the threads.
  void read_windows() noexcept {
    std::vector<std::byte> staged;
    for (std::size_t k; (k = next_.fetch_add(1)) < windows_.size();) try {
        if (auto const later = k + windows_ahead; later < windows_.size()) {
          window const& w = windows_[later];  // the disk reads it while these are processed
          w.file->will_read(w.piece->offset + w.from, w.end - w.from);
        }
        read(windows_[k], staged);
      } catch (...) {
        std::lock_guard const one(failure_);
        if (!failed_ || k < failed_at_) {
          failed_ = std::current_exception();
          failed_at_ = k;
        }
        next_ = windows_.size();
      }
  }
  void read(window const& w, std::vector<std::byte>& staged) {
    index_array const& array = *w.array;
    std::vector<shared_runs> const& runs = w.where->runs;
    std::vector<std::byte*> const& to = w.where->to;
    auto const element = std::int64_t{bytes_of(array.element)};
    auto const first = w.from / element, last = w.end / element;
    std::byte* target = nullptr;
    int takers = 0;
    for (std::size_t i = 0; i < runs.size(); ++i)
      runs[i].within(first, last, [&](std::int64_t outer, std::int64_t inner, std::int64_t count) {
        ++takers;
        if (outer == first && count == last - first) target = to[i] + inner * element;
      });
    bool const direct = target && takers == 1;
    std::size_t const bytes = w.end - w.from;
    if (!direct) {
      staged.resize(most_bytes);
      target = staged.data();
    }
    // Reads and hashes chunk by chunk, while the chunk is in a cache.
    for (std::int64_t at = w.from; at < w.end; at += chunk_bytes) {
      std::size_t const some = std::min(chunk_bytes, w.end - at);
      std::byte* const chunk = target + (at - w.from);
      w.file->read(chunk, some, w.piece->offset + at);
      bytes_ += static_cast<std::int64_t>(some);
      if (!w.piece->hashes.empty() && hash_of(chunk, some) != w.piece->hashes[at / chunk_bytes])
        damaged(array, w.file->path(), w.piece->offset + at);
    }
    if (array.element == dtype::boolean)
      for (std::size_t i = 0; i < bytes; ++i)
        if (static_cast<unsigned char>(target[i]) > 1)
          refuse_checkpoint(w.file->path(), array.name + " is bool and has bytes that are neither 0 nor 1",
                            "another copy of the file, this one is damaged");
    if (direct) return;
    for (std::size_t i = 0; i < runs.size(); ++i)
      runs[i].within(first, last, [&](std::int64_t outer, std::int64_t inner, std::int64_t count) {
        std::memcpy(to[i] + inner * element, target + (outer - first) * element, count * element);
      });
  }
  [[noreturn]] static void damaged(index_array const& array, std::string const& path, std::int64_t at) {
    std::string what = array.name;
    what += ": the MiB from byte ";
    append_number(what, at);
    what += " on does not have the hash that was written with it: the file has changed since";
    refuse_checkpoint(path, what, "an earlier checkpoint, or another copy of this one");
  }
  // Opens a file once; the size is checked then, and the hash of the head if save wrote it.
  open_file const& opened(int number) {
    auto& file = files_[number];
    if (file) return *file;
    index_file const& facts = from_.index.files[number];
    auto const path = joined_path(from_.folder, facts.name);
    file = std::make_unique<open_file>(checkpoint_file(path));
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
      std::vector<std::byte> head(facts.head);
      file->read(head.data(), head.size(), 0);
      if (hash_of(head.data(), head.size()) != facts.head_hash)
        refuse_checkpoint(path, "does not have the head that was written: the file has changed since",
                          "an earlier checkpoint, or another copy of this one");
    }
    return *file;
  }

  opened_checkpoint const& from_;
  std::vector<std::unique_ptr<open_file>> files_;
  std::vector<window> windows_;
  std::int64_t waiting_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::int64_t> bytes_ = 0;
  std::mutex failure_;
  std::exception_ptr failed_;
  std::size_t failed_at_ = 0;
};

}  // namespace tessera::detail
