// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fourier transforms by pocketfft: include this in one file of a program, with pocketfft_hdronly.h on its include path.
// Without that header nothing changes: TESSERA_HAS_POCKETFFT says whether it is there.

#include <tessera/op/fft_host.hpp>

#if __has_include(<pocketfft_hdronly.h>)
#define TESSERA_HAS_POCKETFFT 1

#if !defined(POCKETFFT_CACHE_SIZE)
#define POCKETFFT_CACHE_SIZE 16
#endif
#include <pocketfft_hdronly.h>

namespace tessera::detail {

template <class T>
struct pocketfft_lines {
  using number = complex_number<T>;
  static std::complex<T> const* in(number const* z) { return reinterpret_cast<std::complex<T> const*>(z); }
  static std::complex<T>* out(number* z) { return reinterpret_cast<std::complex<T>*>(z); }
  static pocketfft::shape_t shape(ops::fourier::lines const& l) {
    return {static_cast<std::size_t>(l.count), static_cast<std::size_t>(l.n)};
  }
  template <class X>
  static pocketfft::stride_t strides(std::int64_t line, std::int64_t step) {
    auto const size = static_cast<std::int64_t>(sizeof(X));
    return {static_cast<std::ptrdiff_t>(line * size), static_cast<std::ptrdiff_t>(step * size)};
  }

  static void complex_to_complex(ops::fourier::lines const& l, number const* x, number* y, bool inverse, T scale) {
    pocketfft::c2c(shape(l), strides<number>(l.in_line, l.in_step), strides<number>(l.out_line, l.out_step), {1},
                   !inverse, in(x), out(y), scale);
  }
  static void real_to_complex(ops::fourier::lines const& l, T const* x, number* y, T scale) {
    pocketfft::r2c(shape(l), strides<T>(l.in_line, l.in_step), strides<number>(l.out_line, l.out_step), std::size_t{1},
                   true, x, out(y), scale);
  }
  static void complex_to_real(ops::fourier::lines const& l, number const* x, T* y, T scale) {
    pocketfft::c2r(shape(l), strides<number>(l.in_line, l.in_step), strides<T>(l.out_line, l.out_step), std::size_t{1},
                   false, in(x), y, scale);
  }
  static constexpr ops::fourier::functions<T> all{&complex_to_complex, &real_to_complex, &complex_to_real};
};

inline bool const pocketfft_ready = (ops::fourier::library<float> = &pocketfft_lines<float>::all,
                                     ops::fourier::library<double> = &pocketfft_lines<double>::all, true);

}  // namespace tessera::detail

#else
#define TESSERA_HAS_POCKETFFT 0
#endif
