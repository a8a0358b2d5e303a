// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products on an accelerator: cuBLAS where the build has it and the strides allow it, else a thread per result.

#include <tessera/engine/exec/product/gemm_cuda.hpp>
#include <tessera/engine/exec/product/gemm_host.hpp>

namespace tessera {

namespace detail {

template <class T>
struct device_product {
  using A = register_of<T>;
  product_work w;
  T const *a, *b;
  T* c;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t const n = flat % w.n.extent, m = flat / w.n.extent % w.m.extent;
    std::int64_t from_a = m * w.m.a, from_b = n * w.n.b, to = m * w.m.c + n * w.n.c;
    unravel(w.what.batch.items, w.what.batch.count, flat / w.n.extent / w.m.extent, [&](int d, std::int64_t i) {
      auto const& dim = w.what.batch.items[d];
      from_a += i * dim.a;
      from_b += i * dim.b;
      to += i * dim.c;
    });
    A sum{};
    for (std::int64_t outer = 0; outer < w.outer_k; ++outer) {
      std::int64_t at_a = from_a, at_b = from_b;
      unravel(w.what.k.items, w.what.k.count, outer, [&](int d, std::int64_t i) {
        at_a += i * w.what.k.items[d].a;
        at_b += i * w.what.k.items[d].b;
      });
      for (std::int64_t k = 0; k < w.k.extent; ++k) {
        A const x = static_cast<A>(a[at_a + k * w.k.a]), y = static_cast<A>(b[at_b + k * w.k.b]);
        if constexpr (std::is_same_v<A, bool>)
          sum = sum || (x && y);
        else
          sum += x * y;
      }
    }
    if constexpr (std::is_same_v<A, bool>) {
      c[to] = sum;
    } else {
      A const beta = static_cast<A>(w.what.beta);
      A const kept = beta == A{} ? A{} : static_cast<A>(beta * static_cast<A>(c[to]));
      c[to] = static_cast<T>(static_cast<A>(w.what.alpha) * sum + kept);
    }
  }
};

template <class T>
void launch_product(std::string const& label, product_work const& w, std::byte* const* frame) {
  auto const* const a = reinterpret_cast<T const*>(frame[w.what.a_slot]) + w.what.a_offset;
  auto const* const b = reinterpret_cast<T const*>(frame[w.what.b_slot]) + w.what.b_offset;
  auto* const c = reinterpret_cast<T*>(frame[w.what.c_slot]) + w.what.c_offset;
  launch_counters.launches.fetch_add(1, std::memory_order_relaxed);
  if constexpr (has_cublas && (std::is_same_v<T, float> || std::is_same_v<T, double>))
    if (w.by_blas) return cublas_product(w, a, b, c);
  std::int64_t const outputs = w.batches * w.m.extent * w.n.extent;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>>(0, outputs),
                       device_product<T>{w, a, b, c});
}

template <bool OnHost = runs_on_host>
void run_product(std::string const& label, product_work const& w, std::byte* const* frame) {
  if constexpr (OnHost)
    run_product_on_host(label, w, frame);
  else if (w.tiles > 0)
    with_element(w.what.element, [&]<class T>(std::type_identity<T>) { launch_product<T>(label, w, frame); });
}

}  // namespace detail

// One product on memories of the execution space, prepared and run. Blocks on host spaces.
inline void run(product what, std::byte* c, std::byte const* a, std::byte const* b,
                std::string const& label = "tessera product") {
  what.c_slot = 0;
  what.a_slot = 1;
  what.b_slot = 2;
  std::byte* const frame[]{c, const_cast<std::byte*>(a), const_cast<std::byte*>(b)};
  detail::run_product(label, detail::prepare(what), frame);
}

}  // namespace tessera
