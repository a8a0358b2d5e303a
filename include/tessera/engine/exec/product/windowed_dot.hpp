// SPDX-License-Identifier: Apache-2.0
#pragma once
// A product with windows cut out of an array (a convolution) on the host: each tile copies the windows of some places
// to memory that stays in a cache, and multiplies them there. The windows of all places are never in memory together.

#include <tessera/engine/exec/product/bind_product.hpp>
#include <tessera/engine/exec/product/cblas.hpp>
#include <tessera/engine/exec/product/gemm_host.hpp>
#include <tessera/exec/memory/buffer.hpp>
#include <tessera/op/window/window_dims.hpp>
#include <tessera/op/window/windows.hpp>

#include <optional>

namespace tessera::detail {

struct windowed_product {
  dtype element = dtype::float32;
  product::dims batch{};  // a: the other operand, b: the array that windows are cut from, c: the result
  product_dim m{}, k{};   // (m, k) times (k, places)
  int a_slot = 0, x_slot = 0, c_slot = 0;
  std::int64_t a_offset = 0, x_offset = 0, c_offset = 0;
  blas_layout a{}, c{};
  ops::window_dims windows{};
  double fill = 0;
  std::int64_t channels = 1, channel_step = 0;  // of x; each channel has a window
  std::int64_t extents[3]{}, steps[3]{};        // of x along the dimensions of the windows
  std::int64_t places = 1, row = 1;             // places along the first dimension, and places per such row
  std::int64_t rows_a_tile = 1, tiles = 0, bytes = 0;
};

template <class T>
void windowed_tile_of(windowed_product const& w, std::byte* const* frame, std::int64_t tile) {
  std::int64_t const pieces_each = pieces(w.places, w.rows_a_tile), first = tile % pieces_each * w.rows_a_tile;
  std::int64_t const rows = std::min(w.rows_a_tile, w.places - first), columns = rows * w.row;
  product_offsets const at = locate(w.batch, tile / pieces_each);
  buffer const memory(w.k.extent * columns * sizeof(T), memory_kind::host);
  T* const patches = reinterpret_cast<T*>(memory.data());

  ops::window_dims windows = w.windows;
  windows.at[ops::window_dims::low][0] -= first * windows.at[ops::window_dims::stride][0];
  std::int64_t extents[6], steps[6], window = 1;
  for (int i = 0; i < windows.rank; ++i) {
    extents[i] = windows.at[ops::window_dims::size][i];
    extents[windows.rank + i] = i == 0 ? rows : windows.places(i);
    window *= extents[i];
  }
  std::int64_t step = 1;
  for (int i = 2 * windows.rank - 1; i >= 0; step *= extents[i], --i) steps[i] = step;
  auto const* const x = reinterpret_cast<T const*>(frame[w.x_slot]) + w.x_offset + at.b;
  for (std::int64_t c = 0; c < w.channels; ++c)
    ops::each_window_run(windows, dense_view<T const>{x + c * w.channel_step, w.extents, w.steps, windows.rank},
                         dense_view<T>{patches + c * window * columns, extents, steps, 2 * windows.rank},
                         ops::copy_window_run<T>{static_cast<T>(w.fill)});
  blas_product(w.a.transposed, false, static_cast<int>(w.m.extent), static_cast<int>(columns),
               static_cast<int>(w.k.extent), T(1), reinterpret_cast<T const*>(frame[w.a_slot]) + w.a_offset + at.a,
               w.a.leading, patches, static_cast<int>(columns), T(0),
               reinterpret_cast<T*>(frame[w.c_slot]) + w.c_offset + at.c + first * w.row, w.c.leading);
}

inline void windowed_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
  auto const& w = *static_cast<windowed_product const*>(work);
  if (w.element == dtype::float32)
    windowed_tile_of<float>(w, frame, tile);
  else
    windowed_tile_of<double>(w, frame, tile);
}

inline void run_windowed(std::string const& label, windowed_product const& w, std::byte* const* frame) {
  single_threaded_blas();
  launch_tiles(label, {&windowed_tile, &w, frame}, w.tiles, w.bytes);
}

// Binds a product whose second operand is windows that nothing else reads (plan/fuse/steps.hpp), if it has the form
// that ops::conv gives it: (n, group, m, window) times (n, group, window, places of each dimension). `windows`: the
// node that cuts them.
struct bound_windows {
  windowed_product work;
  int windows = -1;
};
TESSERA_COLD inline std::optional<bound_windows> bind_windowed(plan_view const& plan, step const& at,
                                                               locations const& where) {
  node const& n = plan.local[at.node];
  dtype const element = n.facts.element;
  if (!runs_on_host || !has_cblas || at.inputs.count != 3 || at.exchanges.count != 0 || !at.across.empty() ||
      (element != dtype::float32 && element != dtype::float64))
    return {};
  int const a_id = plan.local.operand(at.node, 0), b_id = plan.local.operand(at.node, 1);
  int const x_id = plan.lists[at.inputs.first + 2];
  int cut = b_id;
  while (shows_operand(plan.local[cut].op->kind)) cut = plan.local.operand(cut, 0);
  bound_windows made;
  made.windows = cut;
  windowed_product& w = made.work;
  if (!plan.local[cut].op->cuts_windows) return {};
  w.windows = plan.local[cut].attrs.as<ops::window_dims>();
  location const &a = where[a_id], &b = where[b_id], &x = where[x_id], &c = where[at.node];
  array_value const &left = plan.local[a_id].facts, &right = plan.local[b_id].facts, &from = plan.local[x_id].facts;
  auto const is = [](extents_list const& list, std::initializer_list<std::int64_t> wanted) {
    return std::equal(list.begin(), list.end(), wanted.begin(), wanted.end());
  };
  int const rank = w.windows.rank;
  dot_params const& dims = n.attrs.as<dot_params>();
  bool fits = w.windows.before && from.rank == rank + 2 && right.rank == rank + 3 && left.rank == 4 &&
              is(dims.lhs_contracting, {3}) && is(dims.rhs_contracting, {2}) && is(dims.lhs_batch, {0, 1}) &&
              is(dims.rhs_batch, {0, 1}) && b.slot == where[cut].slot && b.bytes == where[cut].bytes && a.slot >= 0 &&
              x.slot >= 0 && c.slot >= 0 && right.size() == plan.local[cut].facts.size();
  std::int64_t window = 1;
  for (int i = 0; i < rank; ++i) {
    fits = fits && w.windows.at[ops::window_dims::dim][i] == 2 + i;
    window *= w.windows.at[ops::window_dims::size][i];
  }
  if (!fits || n.facts.size() == 0 || window == 0 || right.extent(2) == 0) return {};

  auto const dim = [](location const& l, int d) { return l.at.dim_stride[d]; };
  auto const size = bytes_of(element);
  w.element = element;
  w.fill = w.windows.fill;
  w.a_slot = a.slot, w.x_slot = x.slot, w.c_slot = c.slot;
  w.a_offset = a.at.offset + a.bytes / size;
  w.x_offset = x.at.offset + x.bytes / size;
  w.c_offset = c.at.offset + c.bytes / size;
  mesh_value const& mesh = *plan.local.mesh;
  for (int m = 0; m < mesh.rank; ++m)
    if (n.facts.varying.contains(m)) {
      w.batch.push_back({mesh.held(m), a.at.axis_stride[m], x.at.axis_stride[m], c.at.axis_stride[m]});
    }
  w.channels = right.extent(2) / window;
  w.channel_step = dim(x, 1);
  w.batch.push_back({right.extent(0), dim(a, 0), dim(x, 0), dim(c, 0)});
  w.batch.push_back({right.extent(1), dim(a, 1), w.channels * dim(x, 1), dim(c, 1)});
  w.m = {left.extent(2), dim(a, 2), 0, dim(c, 2)};
  w.k = {right.extent(2), dim(a, 3), 0, 0};
  w.places = w.windows.places(0);
  for (int i = 0; i < rank; ++i) {
    w.extents[i] = from.extent(2 + i);
    w.steps[i] = dim(x, 2 + i);
    if (i > 0) w.row *= w.windows.places(i);
  }
  w.a = blas_layout_of(w.m.extent, w.k.extent, w.m.a, w.k.a);
  std::int64_t columns_of_all = w.places * w.row, step = dim(c, rank + 2), together = step;
  for (int i = rank - 1; i >= 0; together *= right.extent(3 + i), --i)
    if (right.extent(3 + i) != 1 && dim(c, 3 + i) != together) return {};
  w.c = blas_layout_of(w.m.extent, columns_of_all, w.m.c, step);
  if (!w.a.possible || !w.c.possible || w.c.transposed) return {};

  // Half a MiB of windows, but at least 256 columns: each tile packs the other operand again.
  constexpr std::int64_t cache_bytes = 512 * 1024, fewest = 256;
  std::int64_t const columns = std::max(fewest, cache_bytes / (w.k.extent * size));
  w.rows_a_tile = std::clamp<std::int64_t>(pieces(columns, w.row), 1, w.places);
  w.rows_a_tile = pieces(w.places, pieces(w.places, w.rows_a_tile));
  w.tiles = extents_product(w.batch) * pieces(w.places, w.rows_a_tile);
  w.bytes = extents_product(w.batch) * w.m.extent * columns_of_all * std::max<std::int64_t>(size, w.k.extent / 2);
  return made;
}

}  // namespace tessera::detail
