// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products on an accelerator: cuBLAS if the build has it and the strides allow it, else a thread per result.

#include <tessera/base/wrapping.hpp>
#include <tessera/engine/exec/product/gemm_cuda.hpp>
#include <tessera/engine/exec/product/gemm_host.hpp>
#include <tessera/exec/device/device_launch.hpp>

namespace tessera {

namespace detail {

// The part of a product that a thread per result reads: a kernel's arguments are limited to a few KB.
struct device_product_dim {
  std::int64_t extent = 1, a = 0, b = 0, c = 0;
};
struct device_product_loops {
  static constexpr int most = transfer::capacity;
  device_product_dim m{}, n{}, k{};
  std::int64_t batch_count = 0, outer_count = 0, outer_k = 1;
  device_product_dim batch[most]{}, outer[most]{};
  double alpha = 1, beta = 0;
};
inline device_product_dim device_dim(product_dim const& d) { return {d.extent, d.a, d.b, d.c}; }
inline device_product_loops device_loops(product_work const& w) {
  device_product_loops l;
  l.m = device_dim(w.m);
  l.n = device_dim(w.n);
  l.k = device_dim(w.k);
  for (auto const& d : w.what.batch) l.batch[l.batch_count++] = device_dim(d);
  for (auto const& d : w.what.k) l.outer[l.outer_count++] = device_dim(d);
  l.outer_k = w.outer_k;
  l.alpha = w.what.alpha;
  l.beta = w.what.beta;
  return l;
}

template <class T>
struct device_product {
  using A = register_of<T>;
  device_product_loops l;
  T const *a, *b;
  T* c;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t const n = flat % l.n.extent, m = flat / l.n.extent % l.m.extent;
    std::int64_t from_a = m * l.m.a, from_b = n * l.n.b, to = m * l.m.c + n * l.n.c;
    unravel(l.batch, static_cast<int>(l.batch_count), flat / l.n.extent / l.m.extent, [&](int d, std::int64_t i) {
      from_a += i * l.batch[d].a;
      from_b += i * l.batch[d].b;
      to += i * l.batch[d].c;
    });
    A sum{};
    for (std::int64_t outer = 0; outer < l.outer_k; ++outer) {
      std::int64_t at_a = from_a, at_b = from_b;
      unravel(l.outer, static_cast<int>(l.outer_count), outer, [&](int d, std::int64_t i) {
        at_a += i * l.outer[d].a;
        at_b += i * l.outer[d].b;
      });
      for (std::int64_t k = 0; k < l.k.extent; ++k) {
        A const x = static_cast<A>(a[at_a + k * l.k.a]), y = static_cast<A>(b[at_b + k * l.k.b]);
        if constexpr (std::is_same_v<A, bool>)
          sum = sum || (x && y);
        else if constexpr (std::is_floating_point_v<A>)
          sum = Kokkos::fma(x, y, sum);  // as in BLAS: overflow only after the addition
        else
          sum = static_cast<decltype(sum)>(wrapping(sum) + wrapping(x) * wrapping(y));
      }
    }
    if constexpr (std::is_same_v<A, bool>) {
      c[to] = sum;
    } else {
      A const beta = static_cast<A>(l.beta);
      A const kept = beta == A{} ? A{} : static_cast<A>(beta * static_cast<A>(c[to]));
      c[to] = static_cast<T>(static_cast<A>(l.alpha) * sum + kept);
    }
  }
};

template <class T>
void launch_product(std::string const& label, product_work const& w, std::byte* const* frame) {
  auto const* const a = reinterpret_cast<T const*>(frame[w.what.a_slot]) + w.what.a_offset;
  auto const* const b = reinterpret_cast<T const*>(frame[w.what.b_slot]) + w.what.b_offset;
  auto* const c = reinterpret_cast<T*>(frame[w.what.c_slot]) + w.what.c_offset;
  if constexpr (cublas_type<T>::known)
    if (cublas_takes<T>(w)) {
      launch_counters.launches.fetch_add(1, std::memory_order_relaxed);
      void* const pointers = w.what.scratch_slot < 0 ? nullptr : frame[w.what.scratch_slot];
      return cublas_product<T>(w, a, b, c).run(label, pointers);
    }
  launch_elements(label, w.batches * w.m.extent * w.n.extent, device_product<T>{device_loops(w), a, b, c});
}

// A product prepared for the memory that programs compute in.
TESSERA_COLD inline product_work ready(product const& what) {
  product_work made = prepare(what);
  if (runs_on_host) use_onednn(made);
  return made;
}

template <bool OnHost = runs_on_host>
void run_product(std::string const& label, product_work const& w, std::byte* const* frame) {
  if constexpr (OnHost)
    run_product_on_host(label, w, frame);
  else if (w.tiles > 0)
    with_element(w.what.element, [&]<class T>(std::type_identity<T>) { launch_product<T>(label, w, frame); });
}

}  // namespace detail

// Prepares and runs one product in the memory of the execution space. On host spaces it returns when the product is
// done.
inline void run(product what, std::byte* c, std::byte const* a, std::byte const* b,
                std::string const& label = "tessera product") {
  what.c_slot = 0;
  what.a_slot = 1;
  what.b_slot = 2;
  std::byte* const frame[]{c, const_cast<std::byte*>(a), const_cast<std::byte*>(b)};
  detail::run_product(label, detail::ready(what), frame);
}

}  // namespace tessera
