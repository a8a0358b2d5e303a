// SPDX-License-Identifier: Apache-2.0
#pragma once
// A fused group ready to run: its loops, the layout of each operand in them, its constants. The loops here are shared
// by all groups. A function computes a strip of elements: a compiled program or the interpreter.

#include <tessera/exec/fused/element_loops.hpp>
#include <tessera/exec/fused/kernel.hpp>
#include <tessera/exec/fused/lanes.hpp>
#include <tessera/exec/fused/patch.hpp>
#include <tessera/plan/base/plan.hpp>

#include <algorithm>
#include <vector>

namespace tessera {

// An operand's address is affine in the loop indices, in elements. An index is a value affine in them, without memory.
struct fused_operand {
  static constexpr int max_loops = 2 * max_rank;
  int slot = -1;  // slot of the frame; -1: an index
  dtype element = dtype::float32;
  std::int64_t offset = 0;
  std::array<std::int64_t, max_loops> step{};
  std::array<std::int64_t, max_loops> slots{};  // steps in slots of the frame; 0 in the last two loops
};

namespace detail {

// How many elements a compiled group computes at a time: of results that bypass the caches, of rows with repeated values
// or indices, and of several short rows.
inline constexpr std::int64_t stream_size = 4 * block_size;

// The maximum number of lanes in a block of an interpreted group.
inline constexpr std::int64_t lane_count = stream_size;

enum class lane_kind : std::uint8_t {
  load,    // memory to lanes: registers, in a compiled group elements; or memory used in place
  index,   // a value that follows from the position
  call,    // an op on lanes
  look,    // lanes kept by an earlier pass
  reduce,  // lanes to partial results
  store    // lanes to memory
};
struct lane_step {
  lane_kind kind{};
  bool direct = false;  // the operand is one run of what lanes hold; in a compiled group: may be one
  int out = -1, in[3]{0, 0, 0};
  int operand = -1;                               // of a call: the operand that its result may be written to, or -1
  std::int64_t row_step = 0, column_step = 0;     // the operand's
  int width = 0, bytes = 0;                       // bytes of what a lane holds, of an element
  std::int64_t place = -1;                        // offset of the lanes in a thread's memory; -1: kept, fixed or none
  std::int64_t block = -1;                        // of short rows that are one run: offset of their columns, per lane
  copy_function transpose = nullptr;              // of what a lane holds
  lanes_function run = nullptr, after = nullptr;  // `after`: runs on the result, in place
  element_functions const* element = nullptr;
  lane_functions const* reduction = nullptr;
};
struct lane_pass {
  std::vector<lane_step> once;  // a value for the row, or for the strip
  std::vector<lane_step> each;  // for each block
  std::vector<lane_step> reductions;
  bool stores = false;           // in a compiled group: `each` has a store
  std::int64_t block_bytes = 0;  // of all columns in blocks, per lane
};
// What a group needs besides its loops, and the loops of an interpreted group: engine/exec/fused/lane_program.hpp.
struct lane_program {
  // Bytes of a reduction's partial results, and of the result of the segments so far.
  static constexpr std::int64_t reduction_bytes = (block_size + 4) * most_register_bytes;
  struct literal {
    int out;
    std::size_t first;
  };
  std::vector<lane_pass> passes;
  std::vector<literal> literal_at;
  std::vector<std::byte> literals;          // each repeated in all lanes
  std::vector<std::int64_t> fixed;          // by instruction: offset of its value if it is uniform; else -1
  std::vector<std::int64_t> kept;           // by instruction: offset among the values kept for a row, per lane; or -1
  std::int64_t memory = 0, kept_bytes = 0;  // bytes per thread; bytes per lane of a row
};

}  // namespace detail

// Where an operand's strip starts.
struct strip_start {
  std::byte* address = nullptr;
  std::int64_t index = 0;
};

struct fused_work {
  strip_function strip = nullptr;
  int rank = 0;  // loops, outermost first, at least two
  std::array<std::int64_t, fused_operand::max_loops> extent{};
  int inputs = 0, outputs = 0;
  std::vector<fused_operand> operands;  // inputs, outputs, then indices
  std::vector<std::int64_t> literals;   // each the bytes of one register
  std::vector<instruction> code;        // a, b of literals and indices are positions here
  compiled_strip const* compiled = nullptr;
  detail::lane_program lanes;
  bool by_rows = false;              // the innermost loop is a row, computed as a whole
  bool runs = false;                 // along the innermost loop, operands are runs that are used in place, or one value
  bool repeats = false;              // there is such a load, or an index: lanes are filled for a few elements at a time
  bool streams = false;              // results are runs that bypass the caches
  int segments = 1;                  // blocks that a row is spread over
  std::vector<std::int64_t> shifts;  // by segment and operand: elements from the row's start

  struct advance {
    std::int64_t index, bytes;
  };
  std::vector<advance> advances;    // by operand: from one strip to the next
  std::vector<std::int64_t> ahead;  // by operand: bytes from an address to its prefetch, else 0
  std::int64_t rows_a_strip = 1, strips_a_tile = 1, columns_a_tile = 1;
  std::int64_t tiles = 0, bytes = 0;

  std::int64_t columns() const { return extent[rank - 1]; }
  std::int64_t rows() const { return extent[rank - 2]; }
  std::int64_t const* shift(int segment) const {
    return shifts.data() + static_cast<std::size_t>(segment) * operands.size();
  }
  std::int64_t step(int operand, int loop) const { return operands[operand].step[loop]; }
};

namespace detail {

inline void fused_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
  auto const& w = *static_cast<fused_work const*>(work);
  constexpr int most = 64;  // operands whose starts live on the stack
  strip_start few[most];
  std::vector<strip_start> many;
  strip_start* at = few;
  int const count = static_cast<int>(w.operands.size());
  if (count > most) {
    many.resize(w.operands.size());
    at = many.data();
  }
  std::int64_t const column_tiles = w.columns_a_tile ? (w.columns() + w.columns_a_tile - 1) / w.columns_a_tile : 1;
  std::int64_t const column = tile % column_tiles * w.columns_a_tile;
  std::int64_t const columns = std::min(w.columns_a_tile, w.columns() - column);
  std::int64_t const strips_a_row = (w.rows() + w.rows_a_strip - 1) / w.rows_a_strip;
  std::int64_t strips = strips_a_row;
  for (int i = 0; i < w.rank - 2; ++i) strips *= w.extent[i];
  std::int64_t const first = tile / column_tiles * w.strips_a_tile;
  std::int64_t const last = std::min(first + w.strips_a_tile, strips);
  std::array<std::int64_t, fused_operand::max_loops> index{};
  index[w.rank - 1] = column;
  std::int64_t row = first % strips_a_row;
  for (std::int64_t s = first; s < last; ++s, ++row) {
    if (s == first || row == strips_a_row) {  // a new iteration of the outer loops
      std::int64_t rest = s / strips_a_row;
      row = s % strips_a_row;
      index[w.rank - 2] = row * w.rows_a_strip;
      for (int i = w.rank - 3; i >= 0; --i) {
        index[i] = rest % w.extent[i];
        rest /= w.extent[i];
      }
      for (int k = 0; k < count; ++k) {
        auto const& o = w.operands[k];
        std::int64_t offset = o.offset, slot = o.slot;
        for (int i = 0; i < w.rank; ++i) {
          offset += index[i] * o.step[i];
          slot += index[i] * o.slots[i];
        }
        at[k].index = offset;
        if (o.slot >= 0) at[k].address = frame[slot] + offset * bytes_of(o.element);
      }
    } else {
      for (int k = 0; k < count; ++k) {
        at[k].index += w.advances[k].index;
        at[k].address += w.advances[k].bytes;
      }
    }
    w.strip(w, at, std::min(w.rows_a_strip, w.rows() - row * w.rows_a_strip), columns);
  }
  if (w.streams) stream_end();
}

}  // namespace detail

}  // namespace tessera
