// SPDX-License-Identifier: Apache-2.0
#pragma once
// A batched matrix product on strided operands: c[b,m,n] = alpha * sum over k of a[b,m,k] * b[b,k,n] + beta * c[b,m,n],
// where b, m, n and k each stand for any number of dimensions. This header has the form and its preparation as one
// (m,k)(k,n) product per block.

#include <tessera/base/vector.hpp>
#include <tessera/engine/exec/move/transfer.hpp>
#include <tessera/exec/device/machine.hpp>

#include <limits>
#include <memory>
#include <numeric>
#include <utility>

namespace tessera {

// One loop of a product: its strides in a, b and c, in elements; 0 for an operand without this dimension. For a batch
// dimension whose blocks of a or b have separate addresses: the distance in slots of the frame.
struct product_dim {
  std::int64_t extent = 1, a = 0, b = 0, c = 0;
  std::int64_t a_slots = 0, b_slots = 0;
};

struct product {
  using dims = inplace_list<product_dim, transfer::capacity>;

  dtype element = dtype::float32;
  bool wide = false;  // a and b are 16-bit floats of type `half`; c, and element, float32
  dtype half = dtype::bfloat16;
  dims batch{}, m{}, n{}, k{};
  std::int64_t a_offset = 0, b_offset = 0, c_offset = 0;
  double alpha = 1, beta = 0;
  int c_slot = 0, a_slot = 1, b_slot = 2;  // slots of the frame
  int scratch_slot = -1;                   // -1: none

  dtype operand() const { return wide ? half : element; }
};

namespace detail {

// The largest extent for BLAS, which uses int.
inline constexpr std::int64_t most_of_blas = std::numeric_limits<int>::max();

// The BLAS form of a matrix whose rows are `row` and whose columns are `column` elements apart.
struct blas_layout {
  bool possible = false, transposed = false;
  int leading = 1;
};
constexpr blas_layout blas_layout_of(std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column) {
  constexpr std::int64_t most = most_of_blas;
  auto const fits = [&](std::int64_t leading, std::int64_t length) { return leading >= length && leading <= most; };
  if (column == 1 || columns == 1) {
    if (rows == 1) return {columns <= most, false, static_cast<int>(std::max<std::int64_t>(columns, 1))};
    if (fits(row, std::max<std::int64_t>(columns, 1))) return {true, false, static_cast<int>(row)};
  }
  if (row == 1 || rows == 1) {
    if (columns == 1) return {rows <= most, true, static_cast<int>(std::max<std::int64_t>(rows, 1))};
    if (fits(column, std::max<std::int64_t>(rows, 1))) return {true, true, static_cast<int>(column)};
  }
  return {};
}

// What computes the panels of a product on the host.
enum class product_way : std::uint8_t {
  loops,      // any element type and strides
  blas,       // a call for each panel
  own_cache,  // engine/exec/product/small_product.hpp
  as_floats,  // engine/exec/product/half_product.hpp
  onednn      // engine/exec/product/product_by_onednn.hpp
};
class product_by_onednn;

struct product_work {
  product what{};  // `batch` and `k` have the dimensions that m, n and k below do not take
  product_dim m{}, n{}, k{};
  std::int64_t batches = 1, outer_k = 1;
  blas_layout a{}, b{}, c{};
  bool lies_for_blas = false;  // the strides are ones that BLAS takes
  product_way way = product_way::loops;
  std::shared_ptr<product_by_onednn const> library;
  std::int64_t row_panel = 1, column_panel = 1, row_panels = 1, column_panels = 1;
  std::int64_t tiles = 0;
  std::int64_t bytes = 0;  // an estimate of the work: decides whether threads are used
};

template <class Stride>
constexpr void simplify(product::dims& dims, Stride stride) {
  sort_loops(dims, stride);
  join_loops(dims, [](product_dim const& outer, product_dim const& inner) {
    return one_run(outer, inner, &product_dim::a, &product_dim::b, &product_dim::c, &product_dim::a_slots,
                   &product_dim::b_slots);
  });
}

// Takes from `dims` the dimension with stride 1 (or the longest one) and adds the others to `rest`.
template <class Stride>
constexpr product_dim chosen_dim(product::dims& dims, product::dims& rest, Stride stride) {
  int best = 0;
  for (int i = 1; i < dims.size(); ++i) {
    bool const unit = stride(dims[i]) == 1, best_unit = stride(dims[best]) == 1;
    if (unit != best_unit ? unit : dims[i].extent > dims[best].extent) best = i;
  }
  product_dim chosen;
  for (int i = 0; i < dims.size(); ++i)
    if (i == best)
      chosen = dims[i];
    else
      rest.push_back(dims[i]);
  dims = {};
  return chosen;
}

// Whether engine/exec/product/small_product.hpp is faster than BLAS: docs/decisions/026. With 256-bit vectors it is
// not.
inline bool suits_own_loops(product_work const& w) {
  bool const real = w.what.operand() == dtype::float32 || w.what.operand() == dtype::float64;
  if (!real || !fuses_vectors || sizeof(vector_of<float>::type) < 64 || w.n.c != 1) return false;
  std::int64_t const second = w.n.extent * w.k.extent, terms = w.m.extent * second;
  bool const fits = second * bytes_of(w.what.element) <= this_machine().l2 / 8;
  if (w.way != product_way::blas) return fits;
  return fits && w.m.extent >= 32 && w.n.extent >= 20 && (w.b.transposed || terms > (1 << 20));
}

// Whether engine/exec/product/half_product.hpp is faster than loops.
inline bool suits_float_blocks(product_work const& w) {
  return is_half(w.what.operand()) && w.m.extent * w.n.extent * w.k.extent >= 1024;
}

TESSERA_COLD inline product_work prepare(product const& what) {
  product_work w;
  w.what = what;
  auto& p = w.what;
  auto const by_c = [](product_dim const& d) { return d.c; };
  auto const by_a = [](product_dim const& d) { return d.a; };
  simplify(p.m, by_c);
  simplify(p.n, by_c);
  simplify(p.k, by_a);
  if (extents_product(p.k) == 0) p.k = {{0, 0, 0, 0}};  // writes the result once: zeros, if beta is 0
  w.m = chosen_dim(p.m, p.batch, by_c);
  w.n = chosen_dim(p.n, p.batch, by_c);
  product::dims outer_k;
  w.k = chosen_dim(p.k, outer_k, by_a);
  p.k = outer_k;
  if (w.n.c != 1 && w.m.c == 1) {  // c is column-major: compute its transpose
    std::swap(w.m, w.n);
    for (auto* d : {&w.m, &w.n, &w.k}) std::swap(d->a, d->b);
    for (auto* list : {&p.batch, &p.k})
      for (int i = 0; i < list->size(); ++i) {
        std::swap((*list)[i].a, (*list)[i].b);
        std::swap((*list)[i].a_slots, (*list)[i].b_slots);
      }
    std::swap(p.a_offset, p.b_offset);
    std::swap(p.a_slot, p.b_slot);
  }
  simplify(p.batch, by_c);
  w.batches = extents_product(p.batch);
  w.outer_k = extents_product(p.k);
  w.a = blas_layout_of(w.m.extent, w.k.extent, w.m.a, w.k.a);
  w.b = blas_layout_of(w.k.extent, w.n.extent, w.k.b, w.n.b);
  w.c = blas_layout_of(w.m.extent, w.n.extent, w.m.c, w.n.c);
  w.lies_for_blas = w.a.possible && w.b.possible && w.c.possible && !w.c.transposed && w.k.extent <= most_of_blas;
  bool const real = p.operand() == dtype::float32 || p.operand() == dtype::float64;
  if (w.lies_for_blas && real) w.way = product_way::blas;
  if (suits_own_loops(w)) w.way = product_way::own_cache;
  if (suits_float_blocks(w)) w.way = product_way::as_floats;
  if (w.batches * w.m.extent * w.n.extent == 0) return w;
  // The number of panels gives each thread the same number, but panels are not thinner than BLAS kernels need.
  std::int64_t const threads = host_threads();
  std::int64_t const wanted = threads / std::gcd(threads, w.batches);
  w.row_panels =
      std::clamp<std::int64_t>(std::max(wanted, pieces(w.m.extent, most_of_blas / 2)), 1, pieces(w.m.extent, 16));
  w.row_panel = pieces(pieces(w.m.extent, w.row_panels), 16) * 16;
  w.row_panels = pieces(w.m.extent, w.row_panel);
  if (w.row_panels < wanted)
    w.column_panels = std::clamp<std::int64_t>(wanted / w.row_panels, 1, pieces(w.n.extent, 64));
  w.column_panels = std::max(w.column_panels, pieces(w.n.extent, most_of_blas / 2));
  w.column_panel = pieces(pieces(w.n.extent, w.column_panels), 16) * 16;
  w.column_panels = pieces(w.n.extent, w.column_panel);
  w.tiles = w.batches * w.row_panels * w.column_panels;
  std::int64_t const outputs = w.batches * w.m.extent * w.n.extent;
  w.bytes = std::max(outputs * bytes_of(p.element), outputs * w.k.extent * w.outer_k / 2);
  return w;
}

}  // namespace detail

}  // namespace tessera
