// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes .npy files. All processes write their parts of an array that is on several processes.

#include <tessera/comm/channel/mesh_processes.hpp>
#include <tessera/data/npy.hpp>
#include <tessera/engine/array/own_blocks.hpp>
#include <tessera/engine/base/new_file.hpp>
#include <tessera/engine/data/npy_header.hpp>

#include <sys/mman.h>
#include <cstring>
#include <exception>
#include <optional>

namespace tessera::detail {

// A file that is written through a memory mapping.
class mapped_output {
public:
  mapped_output(open_file const& file, std::size_t size) : file_(file), size_(size) {
    void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.handle(), 0);
    if (at == MAP_FAILED) file.fail("cannot be mapped");
    data_ = static_cast<std::byte*>(at);
  }
  mapped_output(mapped_output const&) = delete;
  mapped_output& operator=(mapped_output const&) = delete;
  ~mapped_output() { ::munmap(data_, size_); }
  std::byte* data() const { return data_; }
  void to_disk() const {
    if (::msync(data_, size_, MS_SYNC) != 0) file_.fail("cannot be written to the disk");
    file_.sync();
  }

private:
  open_file const& file_;
  std::size_t size_;
  std::byte* data_ = nullptr;
};

// Writes row-major elements of a block to part [start, stop) of an array with these steps, in bytes.
inline void write_part(std::byte* to, std::byte const* from, region const& part, extents_list const& block,
                       extents_list const& steps, int bytes) {
  if (size_of(part) == 0) return;
  extents_list const own = steps_of(block, bytes);
  int const last = part.size() - 1;
  extents_list at;
  for (int d = 0; d <= last; ++d) at.push_back(0);
  while (true) {
    std::byte* there = to;
    std::byte const* here = from;
    for (int d = 0; d <= last; ++d) {
      there += (part[d].start + at[d]) * steps[d];
      here += at[d] * own[d];
    }
    int d = last;
    if (last < 0) {
      std::memcpy(there, here, bytes);
    } else if (steps[last] == bytes) {
      std::memcpy(there, here, part[last].size() * bytes);
      --d;
    } else {
      for (std::int64_t i = 0; i < part[last].size(); ++i)
        std::memcpy(there + i * steps[last], here + i * bytes, bytes);
      --d;
    }
    while (d >= 0 && ++at[d] == part[d].size()) at[d--] = 0;
    if (d < 0) return;
  }
}

// Calls write(turn) in turns of all processes. If it throws in one process, all throw after this turn. `among`: null if
// there is only this process.
template <class F>
void in_turns(channel* among, std::string const& path, int turns, F const& write) {
  for (int turn = 0; turn < turns; ++turn) {
    std::exception_ptr own;
    try {
      write(turn);
    } catch (...) {
      own = std::current_exception();
    }
    std::int32_t failed = own ? 1 : 0, any = failed;
    if (among) among->all_reduce(&any, &failed, 1, dtype::int32, monoid::max, "save_npy " + path).wait();
    if (own) std::rethrow_exception(own);
    if (any) bad_file(path, -1, "another process could not write its part", "see what that process says");
  }
}

inline void save_parts(std::string const& path, npy_header header, bool first, channel* among,
                       std::vector<own_block> const& blocks, extents_list const& block, std::byte const* data) {
  std::string const text = npy_header_text(header);
  int const bytes = bytes_of(header.element);
  extents_list const steps = steps_of(header.extents, bytes, header.order == npy_order::fortran);
  std::int64_t size = bytes;
  for (std::int64_t extent : header.extents) size *= extent;
  std::size_t const length = text.size() + size;
  std::optional<new_file> whole;  // of the first process
  in_turns(among, path, 3, [&](int turn) {
    if (turn == 0 && first) {
      whole.emplace(path, &refuse_file);
      // Reserves the space now, so that a full disk is an error here and not a signal later.
      whole->made().take_space(length);
      whole->made().write(text.data(), text.size(), 0);
    } else if (turn == 1) {
      std::optional<open_file> begun;
      if (!first) begun.emplace(new_file::begun(path, &refuse_file));
      mapped_output const file(first ? whole->made() : *begun, length);
      for (own_block const& own : blocks)
        write_part(file.data() + text.size(), data + own.offset * bytes, own.index, block, steps, bytes);
      file.to_disk();
    } else if (turn == 2 && first) {
      whole->put_in_place();
    }
  });
}

TESSERA_ENGINE void write_npy(std::string const& path, stored_array const& x, concrete_mesh const& mesh,
                              npy_order order) {
  if (!x.memory) gone();
  mesh_value const& all = mesh.value();
  array_value const block = stored_block(x.facts, all);
  buffer const here = x.facts.memory == memory_kind::host ? x.memory : moved_to(memory_kind::host, x.memory);
  auto const among = channel_of(all);
  std::vector<own_block> blocks;
  if (has_first_replicas(x.facts, all)) blocks = own_blocks(x.facts, mesh);
  save_parts(path, {x.facts.element, order, x.facts.shape()}, !among || among->rank() == 0, among.get(), blocks,
             block.shape(), here.data());
}

TESSERA_ENGINE void write_npy(std::string const& path, dtype element, extents_list const& extents, void const* data,
                              npy_order order) {
  own_block whole;
  for (std::int64_t extent : extents) whole.index.push_back({0, extent});
  save_parts(path, {element, order, extents}, true, nullptr, {whole}, extents, static_cast<std::byte const*>(data));
}

}  // namespace tessera::detail
