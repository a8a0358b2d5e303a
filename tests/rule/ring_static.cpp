// SPDX-License-Identifier: Apache-2.0
#include <tessera/rule/bytes.hpp>

namespace {
using namespace tessera;

// Of a block of 10 bytes, over 4 devices.
static_assert(bytes_sent(collective::all_reduce, 10, 4) == 15);
static_assert(bytes_sent(collective::all_gather, 10, 4) == 30);
static_assert(bytes_sent(collective::ragged_all_to_all, 10, 4) == 30);
static_assert(bytes_sent(collective::reduce_scatter, 10, 4) == 8);  // 7.5, rounded up
static_assert(bytes_sent(collective::all_to_all, 10, 4) == 8);
static_assert(bytes_sent(collective::permute, 10, 4) == 10);
static_assert(bytes_sent(collective::none, 10, 4) == 0);

// Alone, a device has nobody to send to; permute is what names who sends.
static_assert(bytes_sent(collective::all_reduce, 10, 1) == 0);
static_assert(bytes_sent(collective::all_gather, 10, 1) == 0);

static_assert(bytes_sent(collective::all_gather, dynamic, 4) == dynamic);
static_assert(bytes_sent(collective::all_gather, 10, dynamic) == dynamic);

constexpr array_value matrix(std::int64_t rows, entry_value entry = {}) {
  array_value x;
  x.add_dim(rows, entry);
  x.add_dim(4);
  return x;
}
static_assert(bytes_sent(collective::all_gather, matrix(8), 4) == 3 * 8 * 4 * 4);
static_assert(bytes_sent(collective::all_gather, matrix(dynamic), 4) == dynamic);

// What refusals name is the same of a device's block, and 0 where a size is not known.
constexpr mesh_value four = [] {
  mesh_value m;
  m.rank = 1;
  m.sizes[0] = 4;
  return m;
}();
constexpr axis_set all = four.axes();
static_assert(rule::gather_bytes(matrix(8, only(0)), all, four) == 3 * 2 * 4 * 4);
static_assert(rule::gather_bytes(matrix(8), all, four) == 0);
static_assert(rule::gather_bytes(matrix(dynamic, only(0)), all, four) == 0);
static_assert(rule::all_reduce_bytes(matrix(8), all, four) == 2 * 3 * 8 * 4 * 4 / 4);
static_assert(rule::all_reduce_bytes(matrix(dynamic), all, four) == 0);
}  // namespace
