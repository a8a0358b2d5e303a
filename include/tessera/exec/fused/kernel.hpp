// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compiled code of one step.

#include <tessera/base/level.hpp>
#include <tessera/graph/op_info.hpp>

#include <cstdint>
#include <string>

namespace tessera {

struct fused_work;  // exec/fused/fused_work.hpp
struct strip_start;
struct opaque_work;  // op/base/opaque_work.hpp

namespace detail {
struct fused_arguments;  // exec/fused/fused_arguments.hpp
}

// The loops of a compiled group: exec/fused/compiled.hpp. `at`: by instruction, the address of its lanes or its value.
struct compiled_strip {
  using function = void (*)(fused_work const& work, std::byte* const* at, std::int64_t count);
  struct pass {
    function each = nullptr;       // for a run, or for a block whose last lanes repeat the first; null: nothing
    function once = nullptr;       // values that are the same for a row; null: none
    bool const* needed = nullptr;  // by instruction: it takes part in `each`
  };
  // All passes over rows that are runs in memory, one block each: nothing is gathered or scattered.
  using rows_function = void (*)(fused_work const& work, strip_start const* starts, std::byte** at, std::int64_t rows,
                                 std::int64_t columns);
  rows_function rows = nullptr;  // null: the program has an index
  pass const* passes = nullptr;
  int pass_count = 0;
  int stride = 16;                                            // a run has a multiple of so many elements
  bool const* kept = nullptr;                                 // by instruction: later passes read its lanes
  compiled_strip const *for_v3 = nullptr, *for_v4 = nullptr;  // the same for other levels; null where not requested

  compiled_strip const& at(detail::level l) const {
    if (l == detail::level::x86_64_v4 && for_v4) return *for_v4;
    return l >= detail::level::x86_64_v3 && for_v3 ? *for_v3 : *this;
  }
};

// Computes rows x columns elements, the two innermost loops. A row that is spread over several blocks has `segments`
// times that many columns.
using strip_function = void (*)(fused_work const& work, strip_start const* at, std::int64_t rows, std::int64_t columns);

// Launches a fused program on the device.
using fused_launch = void (*)(std::string const& label, fused_work const& work,
                              detail::fused_arguments const& arguments, std::int64_t count, std::int64_t columns);
using opaque_launch = void (*)(std::string const& label, opaque_work const& work, std::byte* const* frame);

// The compiled code of a step. A fused step has a strip on the host or a launch on an accelerator; an opaque step has a
// kernel for its element type. All null: interpreted, or chosen at run time.
struct fused_kernel {
  compiled_strip const* strip = nullptr;
  fused_launch launch = nullptr;
  tile_function tile = nullptr;
  opaque_launch opaque = nullptr;
};

}  // namespace tessera
