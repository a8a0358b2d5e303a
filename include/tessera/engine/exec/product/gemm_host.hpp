// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products on the host: one launch over (block, panel). Each panel is a single-threaded call of a library or, if they are
// faster or the libraries do not support the element type or strides, own loops.

#include <tessera/base/wrapping.hpp>
#include <tessera/engine/exec/fused/find_lanes.hpp>
#include <tessera/engine/exec/product/cblas.hpp>
#include <tessera/engine/exec/product/gemm.hpp>
#include <tessera/engine/exec/product/half_product.hpp>
#include <tessera/engine/exec/product/product_by_onednn.hpp>
#include <tessera/engine/exec/product/small_product.hpp>
#include <tessera/exec/device/launch.hpp>

#include <algorithm>
#include <cstring>

TESSERA_LOOPS_BEGIN
namespace tessera::detail {

struct panel {
  std::int64_t row, rows, column, columns;
};

struct product_offsets {
  std::int64_t a, b, c, a_slots = 0, b_slots = 0;
};
constexpr product_offsets locate(product::dims const& dims, std::int64_t flat) {
  product_offsets at{0, 0, 0};
  unravel(dims.begin(), dims.size(), flat, [&](int d, std::int64_t i) {
    at.a += i * dims[d].a;
    at.b += i * dims[d].b;
    at.c += i * dims[d].c;
    at.a_slots += i * dims[d].a_slots;
    at.b_slots += i * dims[d].b_slots;
  });
  return at;
}

// A block of c, 8 x 128, to which outer products of a column of a and a row of b are added.
inline constexpr int block_rows = 8, block_columns = 128;

template <class A>
struct register_block {
  // Precondition: `columns` is a multiple of 16.
  static void add_outer(void* sums, void const* column, void const* row, int rows, int columns) {
    auto* const sum = static_cast<A*>(sums);
    auto const *const x = static_cast<A const*>(column), *const y = static_cast<A const*>(row);
    for (int i = 0; i < rows; ++i)
      for (int j0 = 0; j0 < columns; j0 += 16) {
        TESSERA_VECTORIZE
        for (int j = i * block_columns + j0; j < i * block_columns + j0 + 16; ++j) {
          if constexpr (std::is_same_v<A, bool>)
            sum[j] = sum[j] || (x[i] && y[j - i * block_columns]);
          else
            sum[j] = static_cast<A>(wrapping(sum[j]) + wrapping(x[i]) * wrapping(y[j - i * block_columns]));
        }
      }
  }
  // sum = alpha * sum + beta * old; with beta 0, `old` is not read.
  static void scale(void* sums, void const* olds, double alpha, double beta, int count) {
    auto* const sum = static_cast<A*>(sums);
    auto const* const old = static_cast<A const*>(olds);
    for (int j = 0; j < count; ++j) {
      if constexpr (std::is_same_v<A, bool>)
        sum[j] = sum[j] || (beta != 0 && old[j]);
      else
        sum[j] = static_cast<A>(wrapping(static_cast<A>(alpha)) * wrapping(sum[j]) +
                                (beta != 0 ? wrapping(static_cast<A>(beta)) * wrapping(old[j]) : wrapping(A{})));
    }
  }
};
struct register_block_functions {
  void (*add_outer)(void*, void const*, void const*, int, int);
  void (*scale)(void*, void const*, double, double, int);
};
TESSERA_COLD inline register_block_functions block_functions_of(dtype element) {
  return with_element(element, []<class T>(std::type_identity<T>) {
    using A = register_of<T>;
    return register_block_functions{&register_block<A>::add_outer, &register_block<A>::scale};
  });
}

// Computes a panel for any element type and strides.
inline void portable_product(product_work const& w, panel const& p, std::byte const* a, std::byte const* b,
                             std::byte* c, bool accumulate) {
  dtype const element = w.what.element;
  auto const &memory = elements_of(element), &read = elements_of(w.what.operand());
  auto const block = block_functions_of(element);
  std::int64_t const size = bytes_of(element), own = bytes_of(w.what.operand()), width = register_bytes(element);
  double const beta = accumulate ? 1 : w.what.beta;
  constexpr int most = most_register_bytes;
  alignas(64) std::byte sums[block_rows * block_columns * most], row[block_columns * most], column[block_rows * most];
  for (std::int64_t m0 = 0; m0 < p.rows; m0 += block_rows)
    for (std::int64_t n0 = 0; n0 < p.columns; n0 += block_columns) {
      auto const rows = static_cast<int>(std::min<std::int64_t>(block_rows, p.rows - m0));
      auto const columns = static_cast<int>(std::min<std::int64_t>(block_columns, p.columns - n0));
      std::memset(sums, 0, block_rows * block_columns * width);
      std::memset(row, 0, sizeof(row));
      for (std::int64_t k = 0; k < w.k.extent; ++k) {
        read.gather(column, a + (m0 * w.m.a + k * w.k.a) * own, w.m.a, rows);
        read.gather(row, b + (n0 * w.n.b + k * w.k.b) * own, w.n.b, columns);
        block.add_outer(sums, column, row, rows, (columns + 15) / 16 * 16);
      }
      for (int i = 0; i < rows; ++i) {
        std::byte* const out = c + ((m0 + i) * w.m.c + n0 * w.n.c) * size;
        if (beta != 0) memory.gather(row, out, w.n.c, columns);
        block.scale(sums + i * block_columns * width, row, w.what.alpha, beta, columns);
        memory.scatter(out, w.n.c, sums + i * block_columns * width, columns);
      }
    }
}

inline void product_panel(product_work const& w, panel const& p, std::byte const* a, std::byte const* b, std::byte* c,
                          bool accumulate) {
  if (w.way == product_way::onednn) return w.library->run(p.rows, p.columns, a, b, c);
  bool const needs_blas = w.way == product_way::blas || w.way == product_way::as_floats;
  if (w.way == product_way::loops || (needs_blas && !has_cblas)) return portable_product(w, p, a, b, c, accumulate);
  auto const in_cache = [&]<class T>(T beta) {
    auto* const memory = reinterpret_cast<T*>(row_memory(small_product<T>::bytes(w.k.extent, p.columns)));
    small_product<T>(p.rows, p.columns, w.k.extent, static_cast<T>(w.what.alpha), beta)
        .run({reinterpret_cast<T const*>(a), w.m.a, w.k.a}, {reinterpret_cast<T const*>(b), w.k.b, w.n.b},
             reinterpret_cast<T*>(c), w.m.c, memory);
  };
  auto const by_library = [&]<class T>(T beta) {
    blas_product(w.a.transposed, w.b.transposed, static_cast<int>(p.rows), static_cast<int>(p.columns),
                 static_cast<int>(w.k.extent), static_cast<T>(w.what.alpha), reinterpret_cast<T const*>(a), w.a.leading,
                 reinterpret_cast<T const*>(b), w.b.leading, beta, reinterpret_cast<T*>(c), w.c.leading);
  };
  double const beta = accumulate ? 1 : w.what.beta;
  auto const call = [&](auto beta) { w.way == product_way::own_cache ? in_cache(beta) : by_library(beta); };
  if (w.what.element == dtype::float32)
    call(static_cast<float>(beta));
  else
    call(beta);
}

inline void product_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
  auto const& w = *static_cast<product_work const*>(work);
  std::int64_t const column = tile % w.column_panels * w.column_panel;
  std::int64_t const row = tile / w.column_panels % w.row_panels * w.row_panel;
  auto const block = locate(w.what.batch, tile / w.column_panels / w.row_panels);
  panel const p{row, std::min(w.row_panel, w.m.extent - row), column, std::min(w.column_panel, w.n.extent - column)};
  std::int64_t const own = bytes_of(w.what.operand()), size = bytes_of(w.what.element);
  std::byte const* const a = frame[w.what.a_slot + block.a_slots] + (w.what.a_offset + block.a + row * w.m.a) * own;
  std::byte const* const b = frame[w.what.b_slot + block.b_slots] + (w.what.b_offset + block.b + column * w.n.b) * own;
  std::byte* const c = frame[w.what.c_slot] + (w.what.c_offset + block.c + row * w.m.c + column * w.n.c) * size;
  auto const operands = [&](std::int64_t k) {
    auto const at = locate(w.what.k, k);
    return std::pair{a + at.a * own, b + at.b * own};
  };
  if (has_cblas && w.way == product_way::as_floats) return half_product(w).run(p.rows, p.columns, c, operands);
  for (std::int64_t k = 0; k < w.outer_k; ++k) {
    auto const [x, y] = operands(k);
    product_panel(w, p, x, y, c, k > 0);
  }
}

inline void run_product_on_host(std::string const& label, product_work const& w, std::byte* const* frame) {
  single_threaded_blas();
  launch_tiles(label, {&product_tile, &w, frame}, w.tiles, w.bytes);
}

}  // namespace tessera::detail
TESSERA_LOOPS_END
