// SPDX-License-Identifier: Apache-2.0
#pragma once
// Describes the environment: compiler, processor, threads, BLAS, devices.

#include <tessera/engine/exec/device/levels.hpp>
#include <tessera/engine/exec/product/cblas.hpp>
#include <tessera/exec/device/machine.hpp>
#include <tessera/exec/device/runtime.hpp>
#include <tessera/exec/run/environment.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace tessera {
namespace detail {

// The rate of one thread's product of 256 x 256 matrices, in FLOP/s: the best of 4.
TESSERA_COLD inline double product_rate() {
  double best = 0;
  if constexpr (has_cblas) {
    single_threaded_blas();
    constexpr int n = 256;
    std::vector<float> const a(n * n, 1.0f), b(n * n, 1.0f);
    std::vector<float> c(n * n);
    for (int k = 0; k < 4; ++k) {
      auto const start = std::chrono::steady_clock::now();
      blas_product(false, false, n, n, n, 1.0f, a.data(), n, b.data(), n, 0.0f, c.data(), n);
      double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      best = std::max(best, 2.0 * n * n * n / std::max(seconds, 1e-9));
    }
  }
  return best;
}

TESSERA_COLD inline std::string cache_text(std::int64_t bytes) {
  if (bytes == 0) return "unknown";
  return bytes < (1 << 20) ? std::to_string(bytes >> 10) + " KiB" : std::to_string(bytes >> 20) + " MiB";
}

}  // namespace detail

TESSERA_ENGINE std::string environment_info() {
  detail::machine const& m = detail::this_machine();
  std::string text;
  auto const line = [&text](std::string_view name, std::string const& value) {
    text.append(name).append(": ").append(value).append("\n");
  };
#if defined(__clang__)
  line("compiler", "clang " __clang_version__);
#else
  line("compiler", "g++ " __VERSION__);
#endif
  line("compiled", TESSERA_CONFIGURATION);
  line("engine's loops", std::string(detail::level_names[static_cast<int>(detail::running_level())]));
  line("processor",
       (m.processor.empty() ? "unknown" : m.processor) + ", up to " +
           std::string(m.highest == detail::level::as_compiled ? "what it was compiled for"
                                                               : detail::level_names[static_cast<int>(m.highest)]));
  line("caches", detail::cache_text(m.l1) + ", " + detail::cache_text(m.l2) + " a core, " + detail::cache_text(m.l3) +
                     " for " + std::to_string(m.cores_an_l3));
  line("threads", std::to_string(host_threads()) + " on " + std::to_string(m.cores) + " cores");
  std::string blas = blas_name();
  if (double const rate = detail::product_rate(); rate > 0) {
    blas += ", " + std::to_string(static_cast<int>(rate * 1e-9)) + " GFLOP/s a thread";
    if (rate < 10e9) blas += ": SLOW. Fix: OpenBLAS, MKL or BLIS, by -D TESSERA_CBLAS_LIBRARY and _INCLUDE_DIR";
  }
  line("BLAS", blas);
  line("devices", std::to_string(local_devices().size()) + " x " + platform_name);
  return text;
}
TESSERA_ENGINE void print_environment_info() { std::fputs(environment_info().c_str(), stdout); }

}  // namespace tessera
