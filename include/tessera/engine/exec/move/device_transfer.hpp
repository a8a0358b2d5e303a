// SPDX-License-Identifier: Apache-2.0
#pragma once
// A transfer in the form that device code reads, and kernels that copy with one thread per element.

#include <tessera/engine/exec/move/transfer.hpp>

namespace tessera::detail {

// The part of a transfer that the device needs: all dimensions, flat.
struct device_transfer {
  int kept = 0, reduced = 0;
  std::int64_t extent[transfer::capacity]{}, in[transfer::capacity]{}, out[transfer::capacity]{};
  std::int64_t reduce_extent[transfer::capacity]{}, reduce_in[transfer::capacity]{};
  monoid combine = monoid::none;

  TESSERA_FUNCTION void locate(std::int64_t flat, std::int64_t& from, std::int64_t& to) const {
    unravel(extent, kept, flat, [&](int d, std::int64_t i) {
      from += i * in[d];
      to += i * out[d];
    });
  }
};

inline device_transfer flat_transfer(transfer_work const& w) {
  device_transfer t;
  auto const add = [&](std::int64_t extent, std::int64_t in, std::int64_t out) {
    t.extent[t.kept] = extent;
    t.in[t.kept] = in;
    t.out[t.kept++] = out;
  };
  for (auto const& d : w.what.kept) add(d.extent, d.in, d.out);
  if (w.inner.rows != 1) add(w.inner.rows, w.inner.row_in, w.inner.row_out);
  if (w.inner.columns != 1) add(w.inner.columns, w.inner.column_in, w.inner.column_out);
  for (auto const& d : w.what.reduced) {
    t.reduce_extent[t.reduced] = d.extent;
    t.reduce_in[t.reduced++] = d.in;
  }
  t.combine = w.what.combine;
  return t;
}

// A copy of one run of memory to another.
inline bool is_one_run(device_transfer const& t) {
  return t.kept == 0 || (t.kept == 1 && t.in[0] == 1 && t.out[0] == 1);
}

template <class Word>
struct device_copy {
  device_transfer t;
  Word* out;
  Word const* in;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t from = 0, to = 0;
    t.locate(flat, from, to);
    out[to] = in[from];
  }
};

// Several copies of few dimensions in one launch; copy k has threads [first[k], first[k + 1]).
template <class Word>
struct device_copies {
  static constexpr int most = 16, dims = 6;  // 3 KB; older cards allow 4 KB of arguments
  struct one {
    Word* out = nullptr;
    Word const* in = nullptr;
    std::int64_t rank = 0, extent[dims]{}, from[dims]{}, to[dims]{};
  };
  std::int64_t count = 0, first[most + 1]{};  // first thread of each copy
  one works[most]{};

  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t k = 0;
    while (flat >= first[k + 1]) ++k;
    one const& w = works[k];
    std::int64_t from = 0, to = 0;
    unravel(w.extent, static_cast<int>(w.rank), flat - first[k], [&](int d, std::int64_t i) {
      from += i * w.from[d];
      to += i * w.to[d];
    });
    w.out[to] = w.in[from];
  }
  static bool takes(transfer_work const& w) {
    return !w.lanes && w.what.kept.size() + (w.inner.rows != 1) + (w.inner.columns != 1) <= dims;
  }
  void add(transfer_work const& w, std::byte* const* frame) {
    device_transfer const t = flat_transfer(w);
    one& to = works[count];
    to.out = reinterpret_cast<Word*>(frame[w.what.out_slot]) + w.what.out_offset;
    to.in = reinterpret_cast<Word const*>(frame[w.what.in_slot]) + w.what.in_offset;
    to.rank = t.kept;
    for (int d = 0; d < t.kept; ++d) {
      to.extent[d] = t.extent[d];
      to.from[d] = t.in[d];
      to.to[d] = t.out[d];
    }
    first[count + 1] = first[count] + w.outputs();
    ++count;
  }
};

}  // namespace tessera::detail
