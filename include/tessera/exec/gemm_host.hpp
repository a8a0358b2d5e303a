// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products on the host: one launch over (block, panel), in each a single-threaded BLAS call, or own loops for other
// element types and strides.

#include <tessera/exec/cblas.hpp>
#include <tessera/exec/gemm.hpp>
#include <tessera/exec/launch.hpp>

#include <algorithm>

namespace tessera::detail {

struct panel {
  std::int64_t row, rows, column, columns;
};

struct product_offsets {
  std::int64_t a, b, c;
};
constexpr product_offsets locate(product::dims const& dims, std::int64_t flat) {
  product_offsets at{0, 0, 0};
  for (int d = dims.size() - 1; d >= 0 && flat; --d) {
    std::int64_t const i = flat % dims[d].extent;
    flat /= dims[d].extent;
    at.a += i * dims[d].a;
    at.b += i * dims[d].b;
    at.c += i * dims[d].c;
  }
  return at;
}

// Rows of c in strips of registers, k outermost within a strip: vectorises over n for any strides of a.
template <class T>
void portable_product(product_work const& w, panel const& p, T const* a, T const* b, T* c, bool accumulate) {
  using A = register_of<T>;
  constexpr std::int64_t strip = 128;
  A const alpha = static_cast<A>(w.what.alpha), beta = accumulate ? static_cast<A>(1) : static_cast<A>(w.what.beta);
  for (std::int64_t m = 0; m < p.rows; ++m)
    for (std::int64_t n0 = 0; n0 < p.columns; n0 += strip) {
      std::int64_t const count = std::min(strip, p.columns - n0);
      A sum[strip]{};
      for (std::int64_t k = 0; k < w.k.extent; ++k) {
        A const x = static_cast<A>(a[m * w.m.a + k * w.k.a]);
        T const* const y = b + k * w.k.b + n0 * w.n.b;
        if constexpr (std::is_same_v<T, bool>) {
          for (std::int64_t j = 0; j < count; ++j) sum[j] = sum[j] || (x && y[j * w.n.b]);
        } else if (w.n.b == 1) {
          for (std::int64_t j = 0; j < count; ++j) sum[j] += x * static_cast<A>(y[j]);
        } else {
          for (std::int64_t j = 0; j < count; ++j) sum[j] += x * static_cast<A>(y[j * w.n.b]);
        }
      }
      T* const out = c + m * w.m.c + n0 * w.n.c;
      for (std::int64_t j = 0; j < count; ++j) {
        if constexpr (std::is_same_v<T, bool>) {
          out[j * w.n.c] = sum[j] || (accumulate && out[j * w.n.c]);
        } else {
          A const kept = beta == A{} ? A{} : static_cast<A>(beta * static_cast<A>(out[j * w.n.c]));
          out[j * w.n.c] = static_cast<T>(alpha * sum[j] + kept);
        }
      }
    }
}

template <class T>
void product_panel(product_work const& w, panel const& p, T const* a, T const* b, T* c, bool accumulate) {
  a += p.row * w.m.a;
  b += p.column * w.n.b;
  c += p.row * w.m.c + p.column * w.n.c;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    if (has_cblas && w.by_blas) {
      blas_product(w.a.transposed, w.b.transposed, static_cast<int>(p.rows), static_cast<int>(p.columns),
                   static_cast<int>(w.k.extent), static_cast<T>(w.what.alpha), a, w.a.leading, b, w.b.leading,
                   accumulate ? T{1} : static_cast<T>(w.what.beta), c, w.c.leading);
      return;
    }
  }
  portable_product<T>(w, p, a, b, c, accumulate);
}

inline void product_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
  auto const& w = *static_cast<product_work const*>(work);
  std::int64_t const column = tile % w.column_panels * w.column_panel;
  std::int64_t const row = tile / w.column_panels % w.row_panels * w.row_panel;
  auto const block = locate(w.what.batch, tile / w.column_panels / w.row_panels);
  panel const p{row, std::min(w.row_panel, w.m.extent - row), column, std::min(w.column_panel, w.n.extent - column)};
  with_element(w.what.element, [&]<class T>(std::type_identity<T>) {
    auto const* const a = reinterpret_cast<T const*>(frame[w.what.a_slot]) + w.what.a_offset + block.a;
    auto const* const b = reinterpret_cast<T const*>(frame[w.what.b_slot]) + w.what.b_offset + block.b;
    auto* const c = reinterpret_cast<T*>(frame[w.what.c_slot]) + w.what.c_offset + block.c;
    for (std::int64_t k = 0; k < w.outer_k; ++k) {
      auto const at = locate(w.what.k, k);
      product_panel<T>(w, p, a + at.a, b + at.b, c, k > 0);
    }
  });
}

inline void run_product_on_host(std::string const& label, product_work const& w, std::byte* const* frame) {
  single_threaded_blas();
  launch_tiles(label, {&product_tile, &w, frame}, w.tiles, w.bytes);
}

}  // namespace tessera::detail
