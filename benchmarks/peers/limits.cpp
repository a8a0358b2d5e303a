// SPDX-License-Identifier: Apache-2.0
// limits.cpp -- what this machine can do, measured, and hand-written in-process "floors" for the
// peer workloads.  Prints one JSON line a figure, same fields as the other peers.
//
//   peer "limit": a property of the machine (bandwidth, GEMM rate, barrier, launch cost)
//   peer "floor": the workload W* written by hand for ONE address space and a 2-thread pool: shards are
//                 plain buffers, a collective reads the other devices' buffers directly, and (suffix
//                 "alias") a value that is the same on all devices is stored once.
//
// usage: limits [--budget SECONDS_PER_FIGURE] [--round N] [--stagger 1] [--only stream,mem,gemm,sync,w1..w8,kokkos]
//        limits --only probe     prints how much of two cores we get right now (1.0 = all)
#include <cblas.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#ifdef WITH_KOKKOS
#include <Kokkos_Core.hpp>
#endif
#include "wide.hpp"
extern "C" {
void openblas_set_num_threads(int);
char* openblas_get_corename(void);
char* openblas_get_config(void);
}

namespace {

double budget = 0.4;
int round_no = 0;
std::string only;
bool stagger = true;

using clk = std::chrono::steady_clock;
double now() { return std::chrono::duration<double>(clk::now().time_since_epoch()).count(); }

// ---------------------------------------------------------------------------------------------- timing
// One sample = `inner` back-to-back calls (so that a sample is at least ~50 us); reps samples until the
// budget is spent, at least 5.
struct Timing {
  std::vector<double> t;
  long calls;
};

template <class F>
Timing measure(F&& f) {
  f();
  double t0 = now();
  f();
  const double one = std::max(now() - t0, 1e-9);
  const long inner = std::max<long>(1, static_cast<long>(50e-6 / one));
  Timing r{{}, 0};
  const double stop = now() + budget;
  while (r.t.size() < 5 || (now() < stop && r.t.size() < 2000)) {
    t0 = now();
    for (long i = 0; i < inner; ++i) f();
    r.t.push_back((now() - t0) / double(inner));
    r.calls += inner;
  }
  std::sort(r.t.begin(), r.t.end());
  return r;
}

// err: largest error of the checked result, -1 where there is no result to check
void emit(const char* peer, const std::string& name, const std::string& params, const Timing& r, double bytes,
          double flops, double err = -1) {
  if (!(err < 1e-4)) {
    std::fprintf(stderr, "%s %s %s: wrong result, error %g\n", peer, name.c_str(), params.c_str(), err);
    std::exit(1);
  }
  std::printf(
      "{\"peer\":\"%s\",\"name\":\"%s\",\"params\":{%s},\"round\":%d,\"median_s\":%.9g,\"min_s\":%.9g,"
      "\"p90_s\":%.9g,\"reps\":%ld,\"bytes\":%.0f,\"flops\":%.0f,\"check\":%.3g}\n",
      peer, name.c_str(), params.c_str(), round_no, r.t[r.t.size() / 2], r.t[0], r.t[r.t.size() * 9 / 10], r.calls,
      bytes, flops, err);
  std::fflush(stdout);
}

bool want(const char* s) {
  return only.empty() || ("," + only + ",").find(std::string(",") + s + ",") != std::string::npos;
}

// ------------------------------------------------------------------------------------ 2-thread spin pool
// run(f) calls f(0) here and f(1) on a helper that spins for work; the join spins too.  After 2000 idle
// spins both sides yield, so an oversubscribed machine still makes progress.
inline void relax(unsigned& n) {
  if (++n < 2000)
    _mm_pause();
  else
    sched_yield();
}
class Pool {
public:
  Pool() : helper_([this] { loop(); }) {}
  ~Pool() {
    stop_ = true;
    go_.fetch_add(1);
    helper_.join();
  }
  template <class F>
  void run(F&& f) {
    call_ = [](void* p, int i) { (*static_cast<std::remove_reference_t<F>*>(p))(i); };
    arg_ = &f;
    const unsigned k = go_.load(std::memory_order_relaxed) + 1;
    go_.store(k, std::memory_order_release);
    f(0);
    for (unsigned n = 0; done_.load(std::memory_order_acquire) != k;) relax(n);
  }

private:
  void loop() {
    for (unsigned seen = 0;;) {
      unsigned k;
      for (unsigned n = 0; (k = go_.load(std::memory_order_acquire)) == seen;) relax(n);
      seen = k;
      if (stop_) return;
      call_(arg_, 1);
      done_.store(k, std::memory_order_release);
    }
  }
  alignas(64) std::atomic<unsigned> go_{0};
  alignas(64) std::atomic<unsigned> done_{0};
  alignas(64) void (*call_)(void*, int) = nullptr;
  void* arg_ = nullptr;
  std::atomic<bool> stop_{false};
  std::thread helper_;
};
Pool* pool = nullptr;

// [0,n) in two halves, cut at a multiple of 16 floats
template <class F>
void halves(size_t n, F&& f) {
  const size_t mid = (n / 2 + 15) / 16 * 16;
  pool->run([&](int i) { i == 0 ? f(size_t{0}, std::min(mid, n)) : f(std::min(mid, n), n); });
}

// ----------------------------------------------------------------------------------------------- buffers
// On huge pages, touched.  Successive buffers start at different offsets from a 2 MiB boundary: the same element of
// many shards is read at once, and equal offsets would put them all into the same few cache sets.
struct Buf {
  void* base = nullptr;
  float* p = nullptr;
  size_t n = 0;
  explicit Buf(size_t n_, float v = 0) : n(n_) {
    static unsigned made = 0;
    const size_t skew = stagger ? made++ % 64 * 4160 : 0;  // 65 cache lines apart
    const size_t b = (n * 4 + skew + (2 << 20) - 1) >> 21 << 21;
    base = std::aligned_alloc(2 << 20, b);
    if (!base) throw std::bad_alloc();
    madvise(base, b, MADV_HUGEPAGE);
    p = reinterpret_cast<float*>(static_cast<char*>(base) + skew);
    for (size_t i = 0; i < n; ++i) p[i] = v;
  }
  Buf(Buf&& o) noexcept : base(std::exchange(o.base, nullptr)), p(o.p), n(o.n) {}
  Buf(const Buf&) = delete;
  ~Buf() { std::free(base); }
};
void fill(Buf& b, unsigned seed, float scale = 1) {  // cheap deterministic noise in (-scale, scale)
  uint32_t s = seed * 2654435761u + 12345u;
  for (size_t i = 0; i < b.n; ++i) {
    s = s * 1664525u + 1013904223u;
    b.p[i] = (float(s >> 8) / 8388608.0f - 1.0f) * scale;
  }
}

// copy with non-temporal stores: a destination bigger than the cache is not read first.  The caller ends its run of
// copies with one _mm_sfence().
void nt_copy(float* d, const float* s, size_t n) {
  size_t i = 0;
  for (; i < n && (reinterpret_cast<uintptr_t>(d + i) & 63); ++i) d[i] = s[i];
  for (; i + 16 <= n; i += 16) _mm512_stream_ps(d + i, _mm512_loadu_ps(s + i));
  for (; i < n; ++i) d[i] = s[i];
}
// the copy an implementation would choose: plain while the whole job fits the caches, else non-temporal
void copy(float* d, const float* s, size_t n, bool big) { big ? nt_copy(d, s, n) : (void)std::memcpy(d, s, n * 4); }

// ------------------------------------------------------------------------------------------------ STREAM
void stream() {
  const size_t n = 64u << 20;  // 256 MiB an array, 8x the L3
  Buf a(n, 1), b(n, 2), c(n, 0);
  for (int th = 1; th <= 2; ++th) {
    auto par = [&](auto&& f) { th == 1 ? f(size_t{0}, n) : halves(n, f); };
    const std::string p = "\"threads\":" + std::to_string(th) + ",\"mib\":256";
    emit("limit", "read_sum", p, measure([&] {
           par([&](size_t lo, size_t hi) {
             __m512 s[8];
             for (auto& v : s) v = _mm512_setzero_ps();
             for (size_t i = lo; i + 128 <= hi; i += 128)
               for (int k = 0; k < 8; ++k) s[k] = _mm512_add_ps(s[k], _mm512_loadu_ps(a.p + i + 16 * k));
             float t = 0;
             for (auto& v : s) t += _mm512_reduce_add_ps(v);
             if (t == 12345.678f) c.p[0] = t;
           });
         }),
         4.0 * n, n);
    emit("limit", "write", p + ",\"store\":\"nt\"", measure([&] {
           par([&](size_t lo, size_t hi) {
             for (size_t i = lo; i + 16 <= hi; i += 16) _mm512_stream_ps(c.p + i, _mm512_setzero_ps());
             _mm_sfence();
           });
         }),
         4.0 * n, 0);
    emit("limit", "stream_copy", p + ",\"store\":\"plain\"", measure([&] {
           par([&](size_t lo, size_t hi) {
             for (size_t i = lo; i + 16 <= hi; i += 16) _mm512_storeu_ps(c.p + i, _mm512_loadu_ps(a.p + i));
           });
         }),
         8.0 * n, 0);
    emit("limit", "stream_copy", p + ",\"store\":\"nt\"",
         measure([&] { par([&](size_t lo, size_t hi) { nt_copy(c.p + lo, a.p + lo, hi - lo), _mm_sfence(); }); }),
         8.0 * n, 0);
    const __m512 s3 = _mm512_set1_ps(3);
    emit("limit", "stream_triad", p + ",\"store\":\"plain\"", measure([&] {
           par([&](size_t lo, size_t hi) {
             for (size_t i = lo; i + 16 <= hi; i += 16)
               _mm512_storeu_ps(c.p + i, _mm512_fmadd_ps(s3, _mm512_loadu_ps(b.p + i), _mm512_loadu_ps(a.p + i)));
           });
         }),
         12.0 * n, 2.0 * n);
    const auto t = measure([&] {
      par([&](size_t lo, size_t hi) {
        for (size_t i = lo; i + 16 <= hi; i += 16)
          _mm512_stream_ps(c.p + i, _mm512_fmadd_ps(s3, _mm512_loadu_ps(b.p + i), _mm512_loadu_ps(a.p + i)));
        _mm_sfence();
      });
    });
    emit("limit", "stream_triad", p + ",\"store\":\"nt\"", t, 12.0 * n, 2.0 * n, std::fabs(c.p[n / 3] - 7.0));
  }
}

// --------------------------------------------------------------- memcpy by size, and the price of new pages
void mem() {
  for (size_t kib : {256u, 4096u, 16384u, 262144u}) {
    const size_t n = kib * 256;
    Buf a(n, 1), b(n, 0);
    for (int th = 1; th <= 2; ++th) {
      const auto t = measure([&] {
        if (th == 1)
          std::memcpy(b.p, a.p, n * 4);
        else
          halves(n, [&](size_t lo, size_t hi) { std::memcpy(b.p + lo, a.p + lo, (hi - lo) * 4); });
      });
      emit("limit", "memcpy", "\"threads\":" + std::to_string(th) + ",\"kib\":" + std::to_string(kib), t, 8.0 * n, 0,
           std::fabs(b.p[n - 1] - 1.0));
    }
  }
  // a fresh 64 MiB mapping written once and unmapped: what an allocation per result costs
  for (int huge = 0; huge <= 1; ++huge)
    for (int th = 1; th <= 2; ++th) {
      const size_t b = 64u << 20;
      emit("limit", "first_touch", "\"threads\":" + std::to_string(th) + ",\"mib\":64,\"huge\":" + std::to_string(huge),
           measure([&] {
             void* m = mmap(nullptr, b, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
             if (huge) madvise(m, b, MADV_HUGEPAGE);
             float* f = static_cast<float*>(m);
             if (th == 1)
               std::memset(f, 1, b);
             else
               halves(b / 4, [&](size_t lo, size_t hi) { std::memset(f + lo, 1, (hi - lo) * 4); });
             munmap(m, b);
           }),
           double(b), 0);
    }
}

// -------------------------------------------------------------------------------------------------- GEMM
void gemm(bool at, bool bt, int m, int n, int k, const float* a, int lda, const float* b, int ldb, float* c, int ldc,
          float beta = 0) {
  cblas_sgemm(CblasRowMajor, at ? CblasTrans : CblasNoTrans, bt ? CblasTrans : CblasNoTrans, m, n, k, 1.0f, a, lda, b,
              ldb, beta, c, ldc);
}
// the same over the pool: each thread computes half of C's rows with single-thread OpenBLAS
void pgemm(bool at, bool bt, int m, int n, int k, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
  const int h = (m / 2 + 15) / 16 * 16;
  pool->run([&](int i) {
    const int r0 = i ? h : 0, rows = i ? m - h : h;
    if (rows > 0)
      gemm(at, bt, rows, n, k, a + (at ? size_t(r0) : size_t(r0) * lda), lda, b, ldb, c + size_t(r0) * ldc, ldc);
  });
}
double gemm_err(const float* a, const float* b, const float* c, int m, int n, int k, int lda, int ldb, int ldc) {
  double worst = 0;  // 200 spot entries in double
  for (int q = 0; q < 200; ++q) {
    const int i = int((q * 7919L) % m), j = int((q * 104729L) % n);
    double s = 0;
    for (int t = 0; t < k; ++t) s += double(a[size_t(i) * lda + t]) * b[size_t(t) * ldb + j];
    worst = std::max(worst, std::fabs(s - c[size_t(i) * ldc + j]) / std::sqrt(double(k)));
  }
  return worst;
}
// peak: a loop of 12 independent AVX-512 FMA chains held in registers
constexpr long fma_iters = 200000;
volatile float sink[2];  // keeps a result alive
#ifdef __AVX512F__
[[gnu::noinline]] void fma_body(int id) {
  __m512 a = _mm512_set1_ps(0.1f), b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a;
  const __m512 x = _mm512_set1_ps(0.999f), y = _mm512_set1_ps(0.001f);
  for (long n = 0; n < fma_iters; ++n) {
    a = _mm512_fmadd_ps(a, x, y), b = _mm512_fmadd_ps(b, x, y), c = _mm512_fmadd_ps(c, x, y),
    d = _mm512_fmadd_ps(d, x, y);
    e = _mm512_fmadd_ps(e, x, y), f = _mm512_fmadd_ps(f, x, y), g = _mm512_fmadd_ps(g, x, y),
    h = _mm512_fmadd_ps(h, x, y);
    i = _mm512_fmadd_ps(i, x, y), j = _mm512_fmadd_ps(j, x, y), k = _mm512_fmadd_ps(k, x, y),
    l = _mm512_fmadd_ps(l, x, y);
    asm volatile(""
                 : "+v"(a), "+v"(b), "+v"(c), "+v"(d), "+v"(e), "+v"(f), "+v"(g), "+v"(h), "+v"(i), "+v"(j), "+v"(k),
                   "+v"(l));
  }
  for (__m512 v : {b, c, d, e, f, g, h, i, j, k, l}) a = _mm512_add_ps(a, v);
  sink[id] = _mm512_reduce_add_ps(a);
}
#else
// The same with 256-bit registers: twice the iterations, so as many operations.
[[gnu::noinline]] void fma_body(int id) {
  __m256 a = _mm256_set1_ps(0.1f), b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a;
  const __m256 x = _mm256_set1_ps(0.999f), y = _mm256_set1_ps(0.001f);
  for (long n = 0; n < 2 * fma_iters; ++n) {
    a = _mm256_fmadd_ps(a, x, y), b = _mm256_fmadd_ps(b, x, y), c = _mm256_fmadd_ps(c, x, y),
    d = _mm256_fmadd_ps(d, x, y);
    e = _mm256_fmadd_ps(e, x, y), f = _mm256_fmadd_ps(f, x, y), g = _mm256_fmadd_ps(g, x, y),
    h = _mm256_fmadd_ps(h, x, y);
    i = _mm256_fmadd_ps(i, x, y), j = _mm256_fmadd_ps(j, x, y), k = _mm256_fmadd_ps(k, x, y),
    l = _mm256_fmadd_ps(l, x, y);
    asm volatile(""
                 : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f), "+x"(g), "+x"(h), "+x"(i), "+x"(j), "+x"(k),
                   "+x"(l));
  }
  for (__m256 v : {b, c, d, e, f, g, h, i, j, k, l}) a = _mm256_add_ps(a, v);
  sink[id] = _mm256_cvtss_f32(a);
}
#endif
// OpenBLAS with its own threads: before the pool exists, whose idle helper would take a core from them
void gemm_openblas() {
  for (int n : {512, 1024, 2048}) {
    Buf a(size_t(n) * n), b(size_t(n) * n), c(size_t(n) * n);
    fill(a, 1), fill(b, 2);
    for (int th = 1; th <= 2; ++th) {
      openblas_set_num_threads(th);
      const auto t = measure([&] { gemm(false, false, n, n, n, a.p, n, b.p, n, c.p, n); });
      emit("limit", "sgemm_openblas", "\"threads\":" + std::to_string(th) + ",\"n\":" + std::to_string(n), t,
           12.0 * n * n, 2.0 * n * n * n, gemm_err(a.p, b.p, c.p, n, n, n, n, n, n));
    }
  }
  openblas_set_num_threads(1);
}
void gemm_pool() {
  for (int th = 1; th <= 2; ++th)
    emit("limit", "fma_peak", "\"threads\":" + std::to_string(th),
         measure([&] { th == 1 ? fma_body(0) : pool->run([](int id) { fma_body(id); }); }), 0,
         32.0 * 12 * fma_iters * th);
  openblas_set_num_threads(1);
  for (int n : {512, 1024, 2048}) {
    Buf a(size_t(n) * n), b(size_t(n) * n), c(size_t(n) * n);
    fill(a, 1), fill(b, 2);
    const auto t = measure([&] { pgemm(false, false, n, n, n, a.p, n, b.p, n, c.p, n); });
    emit("limit", "sgemm_2x1thread", "\"threads\":2,\"n\":" + std::to_string(n), t, 12.0 * n * n, 2.0 * n * n * n,
         gemm_err(a.p, b.p, c.p, n, n, n, n, n, n));
  }
}

// --------------------------------------------------------------------------------------- synchronisation
void sync_costs() {
  emit("limit", "pool_fork_join_empty", "\"threads\":2", measure([&] { pool->run([](int) {}); }), 0, 0);
  // two threads, 2000 rounds of a barrier; time per barrier
  constexpr int k = 2000;
  auto per = [&](Timing t) {
    for (auto& x : t.t) x /= k;
    return t;
  };
  std::atomic<unsigned> count{0}, sense{0};
  emit("limit", "barrier_spin", "\"threads\":2", per(measure([&] {
         pool->run([&](int) {
           for (int i = 0; i < k; ++i) {
             const unsigned s = sense.load(std::memory_order_relaxed);
             if (count.fetch_add(1, std::memory_order_acq_rel) == 1) {
               count.store(0, std::memory_order_relaxed);
               sense.store(s + 1, std::memory_order_release);
             } else {
               for (unsigned n = 0; sense.load(std::memory_order_acquire) == s;) relax(n);
             }
           }
         });
       })),
       0, 0);
  std::barrier<> bar(2);
  emit("limit", "barrier_std", "\"threads\":2", per(measure([&] {
         pool->run([&](int) {
           for (int i = 0; i < k; ++i) bar.arrive_and_wait();
         });
       })),
       0, 0);
}

// ------------------------------------------------------------------------------------ W1: fused elementwise
// tanh by exp2 (degree-5 polynomial), ~1e-6 relative: vectorises to AVX-512 with no branches
inline __m512 exp_ps(__m512 x) {
  x = _mm512_min_ps(_mm512_max_ps(x, _mm512_set1_ps(-87.0f)), _mm512_set1_ps(88.0f));
  const __m512 t = _mm512_mul_ps(x, _mm512_set1_ps(1.44269504f));
  const __m512 r = _mm512_roundscale_ps(t, 0);
  const __m512 f = _mm512_sub_ps(t, r);
  __m512 p = _mm512_set1_ps(1.3333558e-3f);
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(9.6181291e-3f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(5.5504109e-2f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(2.4022651e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(6.9314718e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(1.0f));
  return _mm512_scalef_ps(p, r);
}
// gelu(z) (tanh form) = z * sigmoid(2u) = z - z / (1 + exp(2u)),  u = sqrt(2/pi) (z + 0.044715 z^3)
inline __m512 gelu_ps(__m512 z) {
  const __m512 z2 = _mm512_mul_ps(z, z);
  const __m512 u2 = _mm512_mul_ps(
      z, _mm512_fmadd_ps(z2, _mm512_set1_ps(2 * 0.7978845608f * 0.044715f), _mm512_set1_ps(2 * 0.7978845608f)));
  return _mm512_sub_ps(z, _mm512_div_ps(z, _mm512_add_ps(_mm512_set1_ps(1), exp_ps(u2))));
}
float gelu_ref(double z) { return float(0.5 * z * (1 + std::tanh(0.7978845608028654 * (z + 0.044715 * z * z * z)))); }

// y = gelu(x*a+b)*c + x over rows x cols; a, b, c one row each (stride 0) or whole arrays (stride cols)
void w1_rows(const float* x, const float* a, const float* b, const float* c, float* y, size_t rows, size_t cols,
             size_t abc_stride, bool nt) {
  for (size_t r = 0; r < rows; ++r)
    for (size_t j = 0; j < cols; j += 16) {
      const size_t i = r * cols + j, q = r * abc_stride + j;
      const __m512 xv = _mm512_loadu_ps(x + i);
      const __m512 z = _mm512_fmadd_ps(xv, _mm512_loadu_ps(a + q), _mm512_loadu_ps(b + q));
      const __m512 v = _mm512_fmadd_ps(gelu_ps(z), _mm512_loadu_ps(c + q), xv);
      nt ? _mm512_stream_ps(y + i, v) : _mm512_storeu_ps(y + i, v);
    }
  if (nt) _mm_sfence();
}
void w1() {
  for (size_t n : {256u, 4096u})
    for (int arr = 0; arr <= 1; ++arr) {
      const bool nt = n > 1024;
      const size_t abc = arr ? n * n : n;
      Buf x(n * n), a(abc), b(abc), c(abc), y(n * n);
      fill(x, 1), fill(a, 2), fill(b, 3), fill(c, 4);
      // 8 shards of a (4,2) mesh, each its own buffer in a real library; here rows of one buffer per shard, which
      // streams alike
      const auto t = measure([&] {
        pool->run([&](int id) {
          const size_t r0 = id * n / 2;
          const size_t o = arr ? r0 * n : 0;
          w1_rows(x.p + r0 * n, a.p + o, b.p + o, c.p + o, y.p + r0 * n, n / 2, n, arr ? n : 0, nt);
        });
      });
      double e = 0;
      for (size_t i = 0; i < n * n; i += 97) {
        const size_t q = arr ? i : i % n;
        e = std::max(e, std::fabs(double(gelu_ref(double(x.p[i]) * a.p[q] + b.p[q])) * c.p[q] + x.p[i] - y.p[i]));
      }
      emit("floor", "W1.elementwise", "\"n\":" + std::to_string(n) + ",\"abc\":\"" + (arr ? "array" : "vector") + "\"",
           t, 4.0 * n * n * (arr ? 5 : 2), 25.0 * n * n, e);
    }
}

// -------------------------------------------------------------------------------- W2: matmul, reduce, softmax
void w2() {
  openblas_set_num_threads(1);
  const int n = 2048;
  {
    Buf a(size_t(n) * n), b(size_t(n) * n), c(size_t(n) * n), d(size_t(n) * n);
    fill(a, 1), fill(b, 2);
    // (P(dp,None), P(None,mp)): 8 products [512,2048]x[2048,1024], no communication
    auto t = measure([&] {
      pool->run([&](int id) {
        for (int q = id; q < 8; q += 2) {
          const int i = q / 2, j = q % 2;
          gemm(false, false, 512, 1024, n, a.p + size_t(i) * 512 * n, n, b.p + j * 1024, n,
               c.p + size_t(i) * 512 * n + j * 1024, n);
        }
      });
    });
    emit("floor", "W2.matmul", "\"n\":2048,\"a\":\"dp,None\",\"b\":\"None,mp\"", t, 12.0 * n * n, 2.0 * n * n * n,
         gemm_err(a.p, b.p, c.p, n, n, n, n, n, n));
    // (P(None,mp), P(mp,None)): the result is the same on all devices, so it is computed once and aliased; the two
    // partial products accumulate into it in place (no separate all-reduce)
    t = measure([&] {
      pool->run([&](int id) {
        for (int h = 0; h < 2; ++h)
          gemm(false, false, 1024, n, 1024, a.p + size_t(id) * 1024 * n + h * 1024, n, b.p + size_t(h) * 1024 * n, n,
               c.p + size_t(id) * 1024 * n, n, h ? 1.0f : 0.0f);
      });
    });
    emit("floor", "W2.matmul", "\"n\":2048,\"a\":\"None,mp\",\"b\":\"mp,None\"", t, 12.0 * n * n, 2.0 * n * n * n,
         gemm_err(a.p, b.p, c.p, n, n, n, n, n, n));
    // (P(dp,mp), P(mp,None)) -> P(dp,None): per dp row block two partial products added in place
    t = measure([&] {
      pool->run([&](int id) {
        for (int i = id; i < 4; i += 2)
          for (int h = 0; h < 2; ++h)
            gemm(false, false, 512, n, 1024, a.p + size_t(i) * 512 * n + h * 1024, n, b.p + size_t(h) * 1024 * n, n,
                 c.p + size_t(i) * 512 * n, n, h ? 1.0f : 0.0f);
      });
    });
    emit("floor", "W2.matmul", "\"n\":2048,\"a\":\"dp,mp\",\"b\":\"mp,None\"", t, 12.0 * n * n, 2.0 * n * n * n,
         gemm_err(a.p, b.p, c.p, n, n, n, n, n, n));
  }
  const size_t m = 4096;
  Buf x(m * m), y(m * m), s(2 * m);
  fill(x, 3);
  // sum over dim 0 / dim 1 of [4096,4096] P(dp,mp)
  auto t = measure([&] {
    pool->run([&](int id) {
      float* acc = s.p + size_t(id) * m;
      std::fill(acc, acc + m, 0.0f);
      for (size_t r = id * m / 2; r < (id + 1) * m / 2; r += 4)
        for (size_t j = 0; j < m; j += 16) {
          const float* p = x.p + r * m + j;
          const __m512 v = _mm512_add_ps(_mm512_add_ps(_mm512_loadu_ps(p), _mm512_loadu_ps(p + m)),
                                         _mm512_add_ps(_mm512_loadu_ps(p + 2 * m), _mm512_loadu_ps(p + 3 * m)));
          _mm512_storeu_ps(acc + j, _mm512_add_ps(_mm512_loadu_ps(acc + j), v));
        }
    });
    for (size_t j = 0; j < m; ++j) s.p[j] += s.p[m + j];
  });
  double e = 0;
  for (size_t j = 0; j < m; j += 511) {
    double q = 0;
    for (size_t r = 0; r < m; ++r) q += x.p[r * m + j];
    e = std::max(e, std::fabs(q - s.p[j]) / 64);
  }
  emit("floor", "W2.sum", "\"n\":4096,\"dim\":0", t, 4.0 * m * m, double(m) * m, e);
  t = measure([&] {
    pool->run([&](int id) {
      for (size_t r = id * m / 2; r < (id + 1) * m / 2; ++r) {
        __m512 v[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
        for (size_t j = 0; j < m; j += 64)
          for (int k = 0; k < 4; ++k) v[k] = _mm512_add_ps(v[k], _mm512_loadu_ps(x.p + r * m + j + 16 * k));
        s.p[r] = _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(v[0], v[1]), _mm512_add_ps(v[2], v[3])));
      }
    });
  });
  e = 0;
  for (size_t r = 0; r < m; r += 127) {
    double q = 0;
    for (size_t j = 0; j < m; ++j) q += x.p[r * m + j];
    e = std::max(e, std::fabs(q - s.p[r]) / 64);
  }
  emit("floor", "W2.sum", "\"n\":4096,\"dim\":1", t, 4.0 * m * m, double(m) * m, e);
  // softmax over a row: max, exp+sum into the output (the row stays in cache), scale
  auto softmax_row = [&](const float* in, float* out) {
    __m512 mx = _mm512_set1_ps(-3e38f), sum = _mm512_setzero_ps();
    for (size_t j = 0; j < m; j += 16) mx = _mm512_max_ps(mx, _mm512_loadu_ps(in + j));
    const __m512 top = _mm512_set1_ps(_mm512_reduce_max_ps(mx));
    for (size_t j = 0; j < m; j += 16) {
      const __m512 v = exp_ps(_mm512_sub_ps(_mm512_loadu_ps(in + j), top));
      sum = _mm512_add_ps(sum, v);
      _mm512_storeu_ps(out + j, v);
    }
    const __m512 inv = _mm512_set1_ps(1.0f / _mm512_reduce_add_ps(sum));
    for (size_t j = 0; j < m; j += 16) _mm512_storeu_ps(out + j, _mm512_mul_ps(inv, _mm512_loadu_ps(out + j)));
  };
  t = measure([&] {
    pool->run([&](int id) {
      for (size_t r = id * m / 2; r < (id + 1) * m / 2; ++r) softmax_row(x.p + r * m, y.p + r * m);
    });
  });
  e = 0;
  for (size_t r = 0; r < m; r += 509) {
    double q = 0, mx = -1e30;
    for (size_t j = 0; j < m; ++j) mx = std::max(mx, double(x.p[r * m + j]));
    for (size_t j = 0; j < m; ++j) q += std::exp(x.p[r * m + j] - mx);
    for (size_t j = 0; j < m; j += 37)
      e = std::max(e, std::fabs(std::exp(x.p[r * m + j] - mx) / q - y.p[r * m + j]) * 4096);
  }
  emit("floor", "W2.softmax", "\"n\":4096,\"dim\":\"unsharded\"", t, 8.0 * m * m, 15.0 * m * m, e);
  emit("floor", "W2.softmax", "\"n\":4096,\"dim\":\"sharded\"", t, 8.0 * m * m, 15.0 * m * m, e);
  // layernorm over a row, gain and bias
  Buf g(m, 1.5f), b(m, 0.25f);
  t = measure([&] {
    pool->run([&](int id) {
      for (size_t r = id * m / 2; r < (id + 1) * m / 2; ++r) {
        const float* in = x.p + r * m;
        float* out = y.p + r * m;
        __m512 s1 = _mm512_setzero_ps(), s2 = _mm512_setzero_ps();
        for (size_t j = 0; j < m; j += 16) s1 = _mm512_add_ps(s1, _mm512_loadu_ps(in + j));
        const __m512 mu = _mm512_set1_ps(_mm512_reduce_add_ps(s1) / float(m));
        for (size_t j = 0; j < m; j += 16) {
          const __m512 d = _mm512_sub_ps(_mm512_loadu_ps(in + j), mu);
          s2 = _mm512_fmadd_ps(d, d, s2);
        }
        const __m512 is = _mm512_set1_ps(1.0f / std::sqrt(_mm512_reduce_add_ps(s2) / float(m) + 1e-5f));
        for (size_t j = 0; j < m; j += 16)
          _mm512_stream_ps(out + j, _mm512_fmadd_ps(_mm512_mul_ps(_mm512_sub_ps(_mm512_loadu_ps(in + j), mu), is),
                                                    _mm512_loadu_ps(g.p + j), _mm512_loadu_ps(b.p + j)));
      }
      _mm_sfence();
    });
  });
  e = 0;
  for (size_t r = 0; r < m; r += 509) {
    double mu = 0, v = 0;
    for (size_t j = 0; j < m; ++j) mu += x.p[r * m + j];
    mu /= m;
    for (size_t j = 0; j < m; ++j) v += (x.p[r * m + j] - mu) * (x.p[r * m + j] - mu);
    v = std::sqrt(v / m + 1e-5);
    for (size_t j = 0; j < m; j += 37)
      e = std::max(e, std::fabs((x.p[r * m + j] - mu) / v * 1.5 + 0.25 - y.p[r * m + j]));
  }
  emit("floor", "W2.layernorm", "\"n\":4096,\"dim\":\"unsharded\"", t, 8.0 * m * m, 8.0 * m * m, e);
  emit("floor", "W2.layernorm", "\"n\":4096,\"dim\":\"sharded\"", t, 8.0 * m * m, 8.0 * m * m, e);
}

// ------------------------------------------------------------------------------------------ W3: collectives
void w3() {
  for (int n : {2, 8})
    for (size_t kib : {4u, 256u, 16384u}) {
      const size_t e = kib * 256;  // floats a device
      const bool big = n * kib > 8192;
      std::vector<Buf> in, out;
      for (int d = 0; d < n; ++d) in.emplace_back(e), out.emplace_back(e), fill(in[d], d + 1);
      auto par = [&](auto&& f) { kib <= 4 ? f(size_t{0}, e) : halves(e, f); };  // 4 KiB: one thread does it all
      auto base = "\"n\":" + std::to_string(n) + ",\"kib\":" + std::to_string(kib);
      auto alias = base + ",\"mode\":\"alias\"", dup = base + ",\"mode\":\"copy\"";
      const double S = 4.0 * e;
      // psum into `outs` buffers: 1 = every device aliases one immutable result
      auto psum = [&](int outs) {
        par([&](size_t lo, size_t hi) {
          for (size_t i = lo; i < hi; i += 16) {
            __m512 v = _mm512_loadu_ps(in[0].p + i);
            for (int d = 1; d < n; ++d) v = _mm512_add_ps(v, _mm512_loadu_ps(in[d].p + i));
            for (int d = 0; d < outs; ++d) big ? _mm512_stream_ps(out[d].p + i, v) : _mm512_storeu_ps(out[d].p + i, v);
          }
          if (big) _mm_sfence();
        });
      };
      auto err = [&](int d) {
        double w = 0;
        for (size_t i = 0; i < e; i += 61) {
          double s = 0;
          for (int q = 0; q < n; ++q) s += in[q].p[i];
          w = std::max(w, std::fabs(s - out[d].p[i]));
        }
        return w;
      };
      auto t = measure([&] { psum(1); });
      emit("floor", "W3.psum", alias, t, (n + 1) * S, (n - 1) * double(e), err(0));
      t = measure([&] { psum(n); });
      emit("floor", "W3.psum", dup, t, 2 * n * S, (n - 1) * double(e), err(n - 1));
      if (kib ==
          4) {  // 32 dependent mean-reductions: each device owns its copy, so that the next one reads n buffers again
        std::vector<Buf> ping;
        for (int d = 0; d < n; ++d) ping.emplace_back(e);
        t = measure([&] {
          auto* src = &in;
          for (int c = 0; c < 32; ++c) {
            auto* dst = c % 2 ? &out : &ping;
            for (size_t i = 0; i < e; i += 16) {
              __m512 v = _mm512_loadu_ps((*src)[0].p + i);
              for (int d = 1; d < n; ++d) v = _mm512_add_ps(v, _mm512_loadu_ps((*src)[d].p + i));
              v = _mm512_mul_ps(v, _mm512_set1_ps(1.0f / float(n)));
              for (int d = 0; d < n; ++d) _mm512_storeu_ps((*dst)[d].p + i, v);
            }
            src = dst;
          }
        });
        double w = 0;
        for (size_t i = 0; i < e; i += 61) {
          double s = 0;
          for (int q = 0; q < n; ++q) s += in[q].p[i];
          w = std::max(w, std::fabs(s / n - out[n - 1].p[i]));
        }
        emit("floor", "W3.psum_chain32", dup, t, 64 * n * S, 32.0 * (n - 1) * double(e), w);
      }
      // psum_scatter: device d gets the sum of block d of every device's buffer (e/n floats)
      const size_t blk = e / n;
      t = measure([&] {
        pool->run([&](int id) {
          for (int d = id; d < n; d += 2)
            for (size_t i = 0; i < blk; i += 16) {
              __m512 v = _mm512_loadu_ps(in[0].p + d * blk + i);
              for (int q = 1; q < n; ++q) v = _mm512_add_ps(v, _mm512_loadu_ps(in[q].p + d * blk + i));
              _mm512_storeu_ps(out[d].p + i, v);
            }
        });
      });
      double w = 0;
      for (int d = 0; d < n; ++d)
        for (size_t i = 0; i < blk; i += 13) {
          double s = 0;
          for (int q = 0; q < n; ++q) s += in[q].p[d * blk + i];
          w = std::max(w, std::fabs(s - out[d].p[i]));
        }
      emit("floor", "W3.psum_scatter", alias, t, (n + 1) * S, (n - 1) * double(e), w);
      // all_to_all: block d of device q goes to block q of device d
      t = measure([&] {
        pool->run([&](int id) {
          for (int d = id; d < n; d += 2)
            for (int q = 0; q < n; ++q) copy(out[d].p + q * blk, in[q].p + d * blk, blk, big);
          _mm_sfence();
        });
      });
      w = 0;
      for (size_t i = 0; i < blk; i += 7)
        w = std::max(w, std::fabs(double(out[n - 1].p[i]) - in[0].p[(n - 1) * blk + i]));
      emit("floor", "W3.all_to_all", dup, t, 2 * n * S, 0, w);
      // ppermute ring: copied, and as a rotation of immutable buffers (pointers only)
      t = measure([&] {
        pool->run([&](int id) {
          for (int d = id; d < n; d += 2) copy(out[(d + 1) % n].p, in[d].p, e, big);
          _mm_sfence();
        });
      });
      emit("floor", "W3.ppermute", dup, t, 2 * n * S, 0, std::memcmp(out[0].p, in[n - 1].p, 4 * e) ? 1 : 0);
      std::vector<float*> ptr(n);
      for (int d = 0; d < n; ++d) ptr[d] = in[d].p;
      t = measure([&] {
        std::rotate(ptr.begin(), ptr.begin() + 1, ptr.end());
        asm volatile("" ::"r"(ptr.data()) : "memory");
      });
      emit("floor", "W3.ppermute", alias, t, 0, 0, std::count(ptr.begin(), ptr.end(), in[0].p) == 1 ? 0 : 1);
      // all_gather: one shared result, and one a device
      Buf whole(e * n);
      t = measure([&] {
        pool->run([&](int id) {
          for (int d = id; d < n; d += 2) copy(whole.p + d * e, in[d].p, e, big);
          _mm_sfence();
        });
      });
      emit("floor", "W3.all_gather", alias, t, 2 * n * S, 0,
           std::memcmp(whole.p + (n - 1) * e, in[n - 1].p, 4 * e) ? 1 : 0);
      std::vector<Buf> wholes;
      for (int d = 0; d < n; ++d) wholes.emplace_back(e * n);
      t = measure([&] {
        pool->run([&](int id) {
          for (int d = id; d < n; d += 2)
            for (int q = 0; q < n; ++q) copy(wholes[d].p + q * e, in[q].p, e, big);
          _mm_sfence();
        });
      });
      emit("floor", "W3.all_gather", dup, t, (1.0 * n + n * n) * S, 0,
           std::memcmp(wholes[n - 1].p, whole.p, 4 * e * n) ? 1 : 0);
    }
}

// ---------------------------------------------------------------------------------------------- W4: reshard
void w4() {
  const size_t m = 4096;
  struct Grid {
    size_t r, c;
  };  // how the global array is cut
  auto shards = [&](Grid g, int rep) {
    std::vector<Buf> v;
    for (size_t i = 0; i < g.r * g.c * rep; ++i) v.emplace_back(m / g.r * (m / g.c));
    return v;
  };
  // copy the intersection of every source block with every destination block, row by row
  auto move = [&](std::vector<Buf>& src, Grid s, std::vector<Buf>& dst, Grid d, int rep) {
    pool->run([&](int id) {
      const size_t dr = m / d.r, dc = m / d.c, sr = m / s.r, sc = m / s.c, nd = d.r * d.c;
      for (size_t q = 0; q < nd * rep; ++q)
        for (size_t i = id * dr / 2; i < (id + 1) * dr / 2; ++i) {  // the two threads take halves of each block
          const size_t gi = (q % nd) / d.c * dr + i, gj0 = (q % nd) % d.c * dc;
          for (size_t j = 0; j < dc;) {
            const size_t gj = gj0 + j, take = std::min(dc - j, sc - gj % sc);
            nt_copy(dst[q].p + i * dc + j, src[gi / sr * s.c + gj / sc].p + (gi % sr) * sc + gj % sc, take);
            j += take;
          }
        }
      _mm_sfence();
    });
  };
  auto one = [&](const char* from, const char* to, Grid s, Grid d, int rep, const char* mode, double bytes) {
    auto src = shards(s, 1), dst = shards(d, rep);
    for (size_t q = 0; q < src.size(); ++q)  // value = global index (exact in float up to 2^24)
      for (size_t i = 0; i < src[q].n; ++i) {
        const size_t sc = m / s.c, sr = m / s.r;
        src[q].p[i] = float((q / s.c * sr + i / sc) * m + q % s.c * sc + i % sc);
      }
    const auto t = measure([&] { move(src, s, dst, d, rep); });
    double e = 0;
    for (size_t q = 0; q < dst.size(); ++q)
      for (size_t i = 0; i < dst[q].n; i += 101) {
        const size_t dc = m / d.c, dr = m / d.r, k = q % (d.r * d.c);
        e = std::max(e, std::fabs(double(dst[q].p[i]) - double((k / d.c * dr + i / dc) * m + k % d.c * dc + i % dc)));
      }
    emit("floor", "W4.reshard",
         std::string("\"from\":\"") + from + "\",\"to\":\"" + to + "\",\"mode\":\"" + mode + "\"", t, bytes, 0, e);
  };
  const double A = 4.0 * m * m;
  one("dp,mp", "mp,dp", {4, 2}, {2, 4}, 1, "alias", 2 * A);
  one("dp,None", "None,dp", {4, 1}, {1, 4}, 1, "alias", 2 * A);
  one("dp,None", "None,dp", {4, 1}, {1, 4}, 2, "copy", 3 * A);
  one("dp,mp", "None,None", {4, 2}, {1, 1}, 1, "alias", 2 * A);
  one("dp,mp", "None,None", {4, 2}, {1, 1}, 8, "copy", 9 * A);
  one("None,None", "dp,mp", {1, 1}, {4, 2}, 1, "copy", 2 * A);
}

// --------------------------------------------------------- W5: the MLP step, once, with no mesh (pgemm)
// loss = mean((gelu(x w1) w2 - y)^2), then w -= lr * grad
struct Mlp {
  int B, D, H;
  float lr;
  Buf x, y, w1, w2, z, a, d, dz, g;
  Mlp(int B_, int D_, int H_, float lr_, float s1, float s2)
      : B(B_),
        D(D_),
        H(H_),
        lr(lr_),
        x(B * D),
        y(B * D),
        w1(D * H),
        w2(H * D),
        z(size_t(B) * H),
        a(size_t(B) * H),
        d(B * D),
        dz(size_t(B) * H),
        g(size_t(D) * H) {
    fill(x, 1), fill(y, 2), fill(w1, 3, s1), fill(w2, 4, s2);
  }
  template <class F>
  void each(size_t n, F&& f) {
    halves(n, [&](size_t lo, size_t hi) {
      for (size_t i = lo; i < hi; i += 16) f(i);
    });
  }
  void sgd(Buf& w) {
    each(w.n, [&](size_t i) {
      _mm512_storeu_ps(w.p + i,
                       _mm512_fnmadd_ps(_mm512_set1_ps(lr), _mm512_loadu_ps(g.p + i), _mm512_loadu_ps(w.p + i)));
    });
  }
  void step() {
    const __m512 one = _mm512_set1_ps(1), sc = _mm512_set1_ps(2.0f / float(B * D));
    pgemm(false, false, B, H, D, x.p, D, w1.p, H, z.p, H);
    each(z.n, [&](size_t i) { _mm512_storeu_ps(a.p + i, gelu_ps(_mm512_loadu_ps(z.p + i))); });
    pgemm(false, false, B, D, H, a.p, H, w2.p, D, d.p, D);
    each(d.n, [&](size_t i) {
      _mm512_storeu_ps(d.p + i, _mm512_mul_ps(sc, _mm512_sub_ps(_mm512_loadu_ps(d.p + i), _mm512_loadu_ps(y.p + i))));
    });
    pgemm(false, true, B, H, D, d.p, D, w2.p, D, dz.p, H);
    pgemm(true, false, H, D, B, a.p, H, d.p, D, g.p, D);
    sgd(w2);
    each(dz.n, [&](size_t i) {  // times gelu'(z), with s = sigmoid(2u): s + z s (1-s) 2u'
      const __m512 v = _mm512_loadu_ps(z.p + i), v2 = _mm512_mul_ps(v, v);
      const __m512 k0 = _mm512_set1_ps(2 * 0.7978845608f), k1 = _mm512_set1_ps(2 * 0.7978845608f * 0.044715f);
      const __m512 u2 = _mm512_mul_ps(v, _mm512_fmadd_ps(v2, k1, k0));
      const __m512 s = _mm512_sub_ps(one, _mm512_div_ps(one, _mm512_add_ps(one, exp_ps(u2))));
      const __m512 du = _mm512_fmadd_ps(v2, _mm512_mul_ps(_mm512_set1_ps(3), k1), k0);
      const __m512 q = _mm512_fmadd_ps(_mm512_mul_ps(v, du), _mm512_mul_ps(s, _mm512_sub_ps(one, s)), s);
      _mm512_storeu_ps(dz.p + i, _mm512_mul_ps(_mm512_loadu_ps(dz.p + i), q));
    });
    pgemm(true, false, D, H, B, x.p, D, dz.p, H, g.p, H);
    sgd(w1);
  }
  double loss(const std::vector<double>& v1, const std::vector<double>& v2) const {  // naive, double
    double l = 0;
    for (int b = 0; b < B; ++b) {
      std::vector<double> h(H);
      for (int j = 0; j < H; ++j) {
        double s = 0;
        for (int i = 0; i < D; ++i) s += x.p[b * D + i] * v1[i * H + j];
        h[j] = 0.5 * s * (1 + std::tanh(0.7978845608028654 * (s + 0.044715 * s * s * s)));
      }
      for (int o = 0; o < D; ++o) {
        double s = -y.p[b * D + o];
        for (int j = 0; j < H; ++j) s += h[j] * v2[j * D + o];
        l += s * s;
      }
    }
    return l / (B * D);
  }
};
// a small step against central differences of the loss at some weights
double mlp_err() {
  Mlp m(8, 16, 32, 1.0f, 0.3f, 0.2f);
  std::vector<double> v1(m.w1.p, m.w1.p + m.w1.n), v2(m.w2.p, m.w2.p + m.w2.n);
  m.step();
  double e = 0;
  for (size_t i = 0; i < v1.size(); i += 37) {
    for (auto [v, w] : {std::pair{&v1, m.w1.p}, std::pair{&v2, m.w2.p}}) {
      const double keep = (*v)[i], h = 1e-4;
      (*v)[i] = keep + h;
      const double up = m.loss(v1, v2);
      (*v)[i] = keep - h;
      const double down = m.loss(v1, v2);
      (*v)[i] = keep;
      e = std::max(e, std::fabs((up - down) / (2 * h) - (keep - w[i])));
    }
  }
  return e;
}
void w5() {
  openblas_set_num_threads(1);
  const double e = mlp_err();
  Mlp m(512, 1024, 4096, 1e-3f, 0.03f, 0.015f);
  const auto t = measure([&] { m.step(); });
  emit("floor", "W5.mlp_step", "\"variant\":\"unsharded\"", t,
       4.0 * (3.0 * 2 * m.D * m.H + 3.0 * m.B * m.D + 6.0 * m.B * m.H), 2.0 * 5 * m.B * m.D * double(m.H), e);
}

// ------------------------------------------------------------------------------ W6: attention, all in one address space
// The ring of n devices visits every K/V block; with shared memory a task (head, query block) just reads the blocks in
// turn.  Same arithmetic as the ring: running maximum and sum.
void w6() {
  openblas_set_num_threads(1);
  const int S = 2048, H = 4, E = 64, n = 8, T = S / n;
  Buf q(S * H * E), k(S * H * E), v(S * H * E), o(S * H * E);
  fill(q, 1), fill(k, 2), fill(v, 3);
  std::vector<Buf> score, part;
  for (int i = 0; i < 2; ++i) score.emplace_back(T * T), part.emplace_back(T * E);
  const float scale = 1 / std::sqrt(float(E));
  auto task = [&](int id, int h, int d) {
    float *s = score[id].p, *acc = part[id].p, mx[T], sum[T];
    std::fill(acc, acc + T * E, 0.0f), std::fill(mx, mx + T, -3e38f), std::fill(sum, sum + T, 0.0f);
    for (int step = 0; step < n; ++step) {
      const size_t src = size_t((d - step + n) % n) * T * H * E + h * E;  // the block the ring would bring
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, T, T, E, scale, q.p + size_t(d) * T * H * E + h * E, H * E,
                  k.p + src, H * E, 0, s, T);
      for (int r = 0; r < T; ++r) {
        __m512 m = _mm512_set1_ps(mx[r]), t = _mm512_setzero_ps();
        for (int j = 0; j < T; j += 16) m = _mm512_max_ps(m, _mm512_loadu_ps(s + r * T + j));
        const float top = _mm512_reduce_max_ps(m), fade = std::exp(mx[r] - top);
        for (int j = 0; j < T; j += 16) {
          const __m512 x = exp_ps(_mm512_sub_ps(_mm512_loadu_ps(s + r * T + j), _mm512_set1_ps(top)));
          t = _mm512_add_ps(t, x);
          _mm512_storeu_ps(s + r * T + j, x);
        }
        sum[r] = sum[r] * fade + _mm512_reduce_add_ps(t), mx[r] = top;
        for (int j = 0; j < E; j += 16)
          _mm512_storeu_ps(acc + r * E + j, _mm512_mul_ps(_mm512_loadu_ps(acc + r * E + j), _mm512_set1_ps(fade)));
      }
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, T, E, T, 1, s, T, v.p + src, H * E, 1, acc, E);
    }
    for (int r = 0; r < T; ++r)
      for (int j = 0; j < E; ++j) o.p[(size_t(d) * T + r) * H * E + h * E + j] = acc[r * E + j] / sum[r];
  };
  const auto t = measure([&] {
    pool->run([&](int id) {
      for (int w = id; w < H * n; w += 2) task(id, w % H, w / H);
    });
  });
  double e = 0;
  for (int r = 0; r < S; r += 211)
    for (int h = 0; h < H; ++h) {
      std::vector<double> p(S), out(E);
      double z = 0;
      for (int j = 0; j < S; ++j) {
        double d = 0;
        for (int i = 0; i < E; ++i) d += double(q.p[(size_t(r) * H + h) * E + i]) * k.p[(size_t(j) * H + h) * E + i];
        z += p[j] = std::exp(d * scale);
      }
      for (int j = 0; j < S; ++j)
        for (int i = 0; i < E; ++i) out[i] += p[j] / z * v.p[(size_t(j) * H + h) * E + i];
      for (int i = 0; i < E; ++i) e = std::max(e, std::fabs(out[i] - o.p[(size_t(r) * H + h) * E + i]));
    }
  emit("floor", "W6.ring_attention", "\"n\":8,\"seq\":2048,\"pass\":\"fwd\"", t, 16.0 * S * H * E,
       4.0 * H * double(S) * S * E, e);
}

// ------------------------------------------------------------------------------------- W7: no dispatch, fresh results
void w7() {
  const int n = 8;
  float in[n][8];
  for (int i = 0; i < 64; ++i) in[i / 8][i % 8] = float(i);
  float* out[n];
  double e = 0;
  auto t = measure([&] {  // each call allocates its 8 result shards and frees the last call's
    for (int d = 0; d < n; ++d) {
      out[d] = static_cast<float*>(std::malloc(32));
      for (int i = 0; i < 8; ++i) out[d][i] = in[d][i] + 1;
    }
    asm volatile("" ::"r"(out) : "memory");
    for (int d = 0; d < n; ++d) e = std::max(e, std::fabs(double(out[d][3]) - in[d][3] - 1)), std::free(out[d]);
  });
  emit("floor", "W7.add_8x8", "\"n\":8,\"mode\":\"blocking\"", t, 512, 64, e);
  float sum = 0;
  t = measure([&] {
    sum = 0;
    for (int d = 0; d < n; ++d) sum += in[d][0];
    asm volatile("" ::"r"(&sum), "r"(in) : "memory");
  });
  emit("floor", "W7.psum_scalar", "\"n\":8", t, 36, 8, std::fabs(sum - 8 * 28.0));
  for (size_t kib : {1u, 65536u}) {  // host array <-> 8 shards P(dp,mp), into buffers that exist
    const size_t m = kib == 1 ? 16 : 4096, r = m / 4, c = m / 2;
    Buf host(m * m), back(m * m);
    fill(host, 1);
    std::vector<Buf> sh;
    for (int d = 0; d < n; ++d) sh.emplace_back(r * c);
    auto move = [&](bool put) {
      auto half = [&](int id) {
        for (int d = 0; d < n; ++d)
          for (size_t i = id * r / 2; i < (id + 1) * r / 2; ++i) {
            float *g = (put ? host.p : back.p) + (d / 2 * r + i) * m + d % 2 * c, *l = sh[d].p + i * c;
            kib == 1 ? (void)std::memcpy(put ? l : g, put ? g : l, c * 4) : nt_copy(put ? l : g, put ? g : l, c);
          }
        _mm_sfence();
      };
      if (kib == 1)
        half(0), half(1);
      else
        pool->run(half);
    };
    const auto tp = measure([&] { move(true); }), tg = measure([&] { move(false); });
    const double bad = std::memcmp(host.p, back.p, 4 * m * m) ? 1 : 0;
    const std::string p = "\"kib\":" + std::to_string(kib) + ",\"n\":8";
    emit("floor", "W7.device_put", p, tp, 8.0 * m * m, 0, bad);
    if (kib > 1) emit("floor", "W7.device_get", p, tg, 8.0 * m * m, 0, bad);
  }
}

// ------------------------------------------------------------------------------ W8: the device count, the total fixed
void w8() {
  const size_t m = 4096;
  for (int n : {1, 2, 4, 8, 16, 32, 64}) {
    const size_t e = m * m / n, cols = n == 1 ? m : m / 2, rows = e / cols;
    std::vector<Buf> x, y;
    Buf a(m), b(m), c(m);
    fill(a, 2), fill(b, 3), fill(c, 4);
    for (int d = 0; d < n; ++d) x.emplace_back(e), y.emplace_back(e), fill(x[d], d + 1);
    auto t = measure([&] {  // each thread takes half the rows of every shard
      pool->run([&](int id) {
        for (int d = 0; d < n; ++d) {
          const size_t r0 = id * rows / 2, o = n == 1 ? 0 : d % 2 * cols;
          w1_rows(x[d].p + r0 * cols, a.p + o, b.p + o, c.p + o, y[d].p + r0 * cols, (id + 1) * rows / 2 - r0, cols, 0,
                  true);
        }
      });
    });
    double err = 0;
    for (int d = 0; d < n; ++d)
      for (size_t i = 0; i < e; i += 1009) {
        const size_t q = (n == 1 ? 0 : d % 2 * cols) + i % cols;
        err = std::max(
            err, std::fabs(double(gelu_ref(double(x[d].p[i]) * a.p[q] + b.p[q])) * c.p[q] + x[d].p[i] - y[d].p[i]));
      }
    emit("floor", "W8.elementwise", "\"n\":4096,\"abc\":\"vector\",\"devices\":" + std::to_string(n), t, 8.0 * m * m,
         25.0 * m * m, err);
  }
  for (int n : {1, 2, 4, 8, 16, 32, 64}) {
    const size_t e = (4 << 20) / n;
    std::vector<Buf> x, y;
    for (int d = 0; d < n; ++d) x.emplace_back(e), y.emplace_back(e), fill(x[d], d + 1);
    for (int outs : n == 1 ? std::vector{1} : std::vector{1, n}) {
      auto t = measure([&] {
        halves(e, [&](size_t lo, size_t hi) {
          for (size_t i = lo; i < hi; i += 16) {
            __m512 v = _mm512_loadu_ps(x[0].p + i);
            for (int d = 1; d < n; ++d) v = _mm512_add_ps(v, _mm512_loadu_ps(x[d].p + i));
            for (int d = 0; d < outs; ++d) _mm512_storeu_ps(y[d].p + i, v);
          }
        });
      });
      double err = 0;
      for (size_t i = 0; i < e; i += 97) {
        double s = 0;
        for (int d = 0; d < n; ++d) s += x[d].p[i];
        err = std::max(err, std::fabs(s - y[outs - 1].p[i]));
      }
      if (outs == n)
        emit("floor", "W8.psum", "\"total_mib\":16,\"devices\":" + std::to_string(n) + ",\"mode\":\"copy\"", t,
             32.0 * (1 << 20), (n - 1.0) * e, err);
      if (outs == 1)
        emit("floor", "W8.psum", "\"total_mib\":16,\"devices\":" + std::to_string(n) + ",\"mode\":\"alias\"", t,
             16.0 * (1 << 20) + 4.0 * e, (n - 1.0) * e, err);
    }
  }
}

#ifdef WITH_KOKKOS
void kokkos() {
  using Exec = Kokkos::DefaultExecutionSpace;
  auto fl = [](const char* n, const char* p, const Timing& t, double b = 0, double f = 0) {
    emit("kokkos", n, p, t, b, f);
  };
  fl("launch_empty", "\"what\":\"parallel_for+fence\"", measure([] {
       Kokkos::parallel_for("e", Kokkos::RangePolicy<Exec>(0, 2), KOKKOS_LAMBDA(int){});
       Kokkos::fence();
     }));
  fl("launch_empty", "\"what\":\"parallel_for\"",
     measure([] { Kokkos::parallel_for("e", Kokkos::RangePolicy<Exec>(0, 2), KOKKOS_LAMBDA(int){}); }));
  fl("launch_empty", "\"what\":\"parallel_for Serial\"",
     measure([] { Kokkos::parallel_for("e", Kokkos::RangePolicy<Kokkos::Serial>(0, 1), KOKKOS_LAMBDA(int){}); }));
  fl("launch_empty", "\"what\":\"parallel_reduce\"", measure([] {
       double s = 0;
       Kokkos::parallel_reduce(
           "e", Kokkos::RangePolicy<Exec>(0, 2), KOKKOS_LAMBDA(int, double& v) { v += 1; }, s);
     }));
  fl("view_alloc", "\"kib\":4",
     measure([] { Kokkos::View<float*> v(Kokkos::view_alloc("v", Kokkos::WithoutInitializing), 1024); }), 4096);
  fl("view_alloc", "\"kib\":4,\"init\":1", measure([] { Kokkos::View<float*> v("v", 1024); }), 4096);
  for (size_t n : {256u, 4096u}) {
    Kokkos::View<float*> x("x", n * n), y("y", n * n), a("a", n), b("b", n), c("c", n);
    Kokkos::deep_copy(x, 0.5f), Kokkos::deep_copy(a, 0.3f), Kokkos::deep_copy(b, 0.1f), Kokkos::deep_copy(c, 2.0f);
    auto t = measure([&] {
      Kokkos::parallel_for(
          "w1", Kokkos::RangePolicy<Exec>(0, n), KOKKOS_LAMBDA(size_t r) {
            const float *xp = x.data() + r * n, *ap = a.data(), *bp = b.data(), *cp = c.data();
            float* yp = y.data() + r * n;
#pragma omp simd
            for (size_t j = 0; j < n;
                 ++j) {  // scalar source, the compiler vectorises (tanhf from libmvec with -ffast-math)
              const float z = xp[j] * ap[j] + bp[j];
              const float u2 = z * (1.5957691216f + 0.0713548163f * z * z);
              yp[j] = (z - z / (1.0f + std::exp(u2))) * cp[j] + xp[j];
            }
          });
      Kokkos::fence();
    });
    emit("kokkos", "W1.elementwise", "\"n\":" + std::to_string(n) + ",\"abc\":\"vector\"", t, 8.0 * n * n, 25.0 * n * n,
         std::fabs(gelu_ref(0.5 * 0.3 + 0.1) * 2.0 + 0.5 - y.data()[n * n / 2 + 3]));
  }
}
#endif

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string k = argv[i];
    if (k == "--budget")
      budget = std::atof(argv[i + 1]);
    else if (k == "--round")
      round_no = std::atoi(argv[i + 1]);
    else if (k == "--only")
      only = argv[i + 1];
    else if (k == "--stagger")
      stagger = std::atoi(argv[i + 1]);
    else {
      std::fprintf(stderr, "unknown option %s\n", argv[i]);
      return 2;
    }
  }
  std::fprintf(stderr, "openblas: core %s, %s\n", openblas_get_corename(), openblas_get_config());
#ifdef WITH_KOKKOS
  if (want("kokkos")) {  // before the pool exists: two spinning teams on two cores would fight
    Kokkos::ScopeGuard guard(argc, argv);
    kokkos();
  }
#endif
  if (want("gemm")) gemm_openblas();
  Pool p;
  pool = &p;
  if (want("probe") && !only.empty()) {  // is the machine ours? 1.0 = two threads run twice as fast as one
    budget = 0.05;
    const Timing one = measure([] { fma_body(0); }), two = measure([] { pool->run([](int id) { fma_body(id); }); });
    std::printf("{\"peer\":\"probe\",\"name\":\"quiet\",\"params\":{},\"round\":%d,\"ratio\":%.3f}\n", round_no,
                one.t[0] / two.t[two.t.size() / 2]);
    return 0;
  }
  if (want("stream")) stream();
  if (want("mem")) mem();
  if (want("gemm")) gemm_pool();
  if (want("sync")) sync_costs();
  if (want("w1")) w1();
  if (want("w2")) w2();
  if (want("w3")) w3();
  if (want("w4")) w4();
  if (want("w5")) w5();
  if (want("w6")) w6();
  if (want("w7")) w7();
  if (want("w8")) w8();
}
