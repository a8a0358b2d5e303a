// SPDX-License-Identifier: Apache-2.0
#pragma once
// Discrete Fourier transforms along unsharded dimensions, the last one unless told otherwise.
//   fft(x), ifft(z), rfft(x), irfft(z)   fft<0>(x), rfft<-1, 16>(x): dimension, and length to cut or pad to with zeros
//   fft2, ifft2, rfft2, irfft2, fftn, ifftn, rfftn, irfftn: of several dimensions, fftn<0, 2>(x); real ones halve the last
//   fftfreq<n>(d), rfftfreq<n>(d): the frequencies; fftshift(x), ifftshift(x): the zero frequency in the middle, and back
//   fft(x, ortho), fft(x, forward_norm): the factor 1 / n by halves on both sides, or in the forward transform
// Real or complex -> complex64, of 64-bit types complex128; rfft (..., n, ...) -> (..., n / 2 + 1, ...), irfft back to
// an even n or the given length. Other dimensions keep their layout. Moves 0 bytes. With a GPU the host computes it
// (decision 013).
// Source: JAX 0.10.2 jax.numpy.fft.

#include <tessera/op/base/opaque.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/op/linalg/kernels.hpp>
#include <tessera/op/shape/pad.hpp>
#include <tessera/op/shape/roll.hpp>

namespace tessera {
namespace ops {

namespace fourier {

enum class way : int { forward, inverse, of_real, to_real };
constexpr std::string_view names[]{"fft", "ifft", "rfft", "irfft"};

// Which direction has the factor 1 / n. A transform's transpose is the other direction.
enum class scaling : int { inverse, both, forward };
constexpr scaling other_side(scaling s) { return static_cast<scaling>(2 - static_cast<int>(s)); }

inline double scale_of(scaling where, bool inverse, std::int64_t n) {
  if (where == scaling::both) return 1 / std::sqrt(static_cast<double>(n));
  bool const here = inverse == (where == scaling::inverse);
  return here ? 1 / static_cast<double>(n) : 1;
}

}  // namespace fourier

struct transform_params {
  dimension dim{};
  fourier::scaling scaling = fourier::scaling::inverse;
  std::int64_t length = 0;  // of irfft's result
  static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.scaling, p.length); }
};

// Of one dimension.
template <fourier::way Way>
struct transform : opaque<transform<Way>, 1, Way == fourier::way::of_real ? accepts::floats : accepts::complex> {
  static constexpr std::string_view name = fourier::names[static_cast<int>(Way)];
  static constexpr bool inverse = Way == fourier::way::inverse || Way == fourier::way::to_real;

  template <class T>
  static constexpr auto result_type() {
    using R = typename tessera::detail::real_type<T>::type;
    if constexpr (Way == fourier::way::to_real)
      return opaque_types<R>{};
    else
      return opaque_types<complex_number<std::conditional_t<std::is_same_v<R, double>, double, float>>>{};
  }
  template <class T>
  using results = decltype(result_type<T>());

  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape shape = tessera::rule::along_dim(in, in.attrs.as<transform_params>().dim);
    if (!shape.refused) return shape;
    auto const d = static_cast<int>(shape.operand[0][0]);
    auto const n = in[0].extent(d);
    shape.panel = n < 256 ? 64 : 16;
    std::int64_t& made = shape.result[0].extents[0];
    if constexpr (Way == fourier::way::of_real) made = n == dynamic ? n : n / 2 + 1;
    if constexpr (Way == fourier::way::to_real) made = in.attrs.as<transform_params>().length;
    if (n == 0 || made == 0) shape.refused = refuse(reason::shapes_disagree, d, {}, 1, 0);
    return shape;
  }
  template <class T, class R>
  static void run_on_host(opaque_call const& call, dense_view<T const> x, dense_view<R> y) {
    using real = typename tessera::detail::real_type<T>::type;
    if constexpr (sizeof(real) >= 4) {
      std::int64_t const n = Way == fourier::way::to_real ? y.extent(1) : x.extent(1);
      fourier::lines const l{x.extent(0), n, x.step(0), x.step(1), y.step(0), y.step(1)};
      auto const scale = static_cast<real>(fourier::scale_of(call.attrs.as<transform_params>().scaling, inverse, n));
      if constexpr (Way == fourier::way::of_real)
        fourier::real_to_complex(l, x.elements, y.elements, scale);
      else if constexpr (Way == fourier::way::to_real)
        fourier::complex_to_real(l, x.elements, y.elements, scale);
      else
        fourier::complex_to_complex(l, x.elements, y.elements, inverse, scale);
    }
  }
  // The matrix of a complex transform is symmetric. Real transforms are each other's transposes, except for conjugates
  // and weights: each number of the half spectrum counts twice, except those that are their own conjugates.
  template <class B>
  static constexpr void transpose(B& back, int) {
    using fourier::way;
    transform_params along = back.attrs().template as<transform_params>();
    if constexpr (Way == way::forward || Way == way::inverse) {
      back.give(0, make<transform>(back, {back.cotangent()}, along));
    } else {
      auto const d = static_cast<int>(along.dim);
      auto const n = (Way == way::of_real ? back.operand(0) : back.result()).facts().extent(d);
      if (n == dynamic) {
        back.graph().template refuse<transform>(refuse(reason::not_differentiable), back.result().facts());
        return;
      }
      along.scaling = fourier::other_side(along.scaling);
      if constexpr (Way == way::of_real) {
        along.length = n;
        auto const weights = stands_for(back, back.cotangent().facts(), d, n);
        auto const halved = make<conj>(back, {back.cotangent()}) / weights;
        back.give(0, make<transform<way::to_real>>(back, {halved}, along));
      } else {
        along.length = 0;
        auto const half = make<transform<way::of_real>>(back, {back.cotangent()}, along);
        if (!half) return;
        auto const weights = stands_for(back, half.facts(), d, n);
        back.give(0, make<conj>(back, {half}) * weights);
      }
    }
  }

private:
  template <class B>
  static constexpr term stands_for(B& back, array_value const half, int d, std::int64_t n) {
    auto& b = back.graph();
    attributes const positions{iota_params{dtype::int32, d, half.shape()}, layout_of(half)};
    auto const at = make<iota>(back, {}, positions);
    term own = make<equal>(back, {at, number(b, 0, dtype::int32)});
    if (n % 2 == 0) {
      auto const last = make<equal>(back, {at, number(b, static_cast<double>(n / 2), dtype::int32)});
      own = make<logical_or>(back, {own, last});
    }
    dtype const element = real_of(half.element);
    return make<where>(back, {own, number(b, 1.0, element), number(b, 2.0, element)});
  }
};

// Over several dimensions, or the `last` ones; over all if there are none.
struct transforms_params {
  extents_list dims{};
  fourier::scaling scaling = fourier::scaling::inverse;
  std::int64_t length = dynamic;  // of the only dimension; dynamic: unchanged
  int last = 0;
  static constexpr void fields(auto& p, auto&& each) { each(p.dims, p.scaling, p.length, p.last); }
};
template <fourier::way Way>
struct transforms {
  static constexpr std::string_view name = fourier::names[static_cast<int>(Way)];
  static constexpr op_class kind = op_class::opaque;
  template <class B>
  static constexpr term build(B& b, term const* operand, int, attributes const& attrs) {
    using fourier::way;
    term x = operand[0];
    array_value const facts = x.facts();
    transforms_params given = attrs.as<transforms_params>();
    for (auto k = given.last; k > 0; --k) given.dims.push_back(-k);
    extents_list dims;
    for (auto dim : given.dims) {
      auto const d = dim < 0 ? dim + facts.rank : dim;
      if (d < 0 || d >= facts.rank || dims.contains(d))
        return b.template refuse<transforms>(refuse(reason::dim_out_of_range, -1, {}, dim, facts.rank), facts);
      dims.push_back(d);
    }
    for (int d = 0; d < facts.rank && given.dims.empty(); ++d) dims.push_back(d);
    if (dims.empty()) return b.template refuse<transforms>(refuse(reason::ranks_disagree, -1, {}, 0, 1), facts);
    for (auto d : dims)
      if (entry_value const entry = facts.entry(static_cast<int>(d)); !entry.empty())
        return b.template refuse<transforms>(refuse(reason::sharded_dim_unsupported, static_cast<int>(d), entry.axes(),
                                                    facts.extent(static_cast<int>(d))),
                                             facts);
    if (Way == way::of_real && is_complex(facts.element))
      return b.template refuse<transforms>(refuse(reason::element_unsupported), facts);
    cast_params to;
    to.element = wide_float(inexact(facts.element));
    if (Way != way::of_real) to.element = complex_of(to.element);
    x = make<cast>(b, {x}, to);
    int const last = static_cast<int>(dims[dims.size() - 1]);
    auto const n = facts.extent(last);
    auto const length = given.length != dynamic ? given.length : Way != way::to_real || n == dynamic ? n : 2 * (n - 1);
    transform_params one;
    one.scaling = given.scaling;
    // A forward real transform is the first of several, one back to real numbers the last.
    if (Way == way::of_real) x = along<way::of_real>(b, resized(b, x, last, n, length), last, one);
    for (int k = 0; k < dims.size() && x; ++k) {
      bool const real_one = k == dims.size() - 1 && (Way == way::of_real || Way == way::to_real);
      if (real_one) continue;
      constexpr way whole = Way == way::of_real || Way == way::forward ? way::forward : way::inverse;
      int const d = static_cast<int>(dims[k]);
      x = along<whole>(b, d == last ? resized(b, x, d, n, length) : x, d, one);
    }
    if (Way != way::to_real || !x) return x;
    one.length = length;
    return along<way::to_real>(b, resized(b, x, last, n, length == dynamic ? n : length / 2 + 1), last, one);
  }

private:
  template <fourier::way Each, class B>
  static constexpr term along(B& b, term x, int d, transform_params one) {
    one.dim = d;
    return x ? b.template emit<transform<Each>>({x}, one) : x;
  }
  // The first `length` of n elements, followed by zeros if there are fewer.
  template <class B>
  static constexpr term resized(B& b, term x, int d, std::int64_t n, std::int64_t length) {
    if (n == length || !x) return x;
    if (n == dynamic)
      return b.template refuse<transforms>(refuse(reason::shapes_disagree, d, {}, n, length), x.facts());
    if (length < n) return make<slice>(b, {x}, slice_in_dim_params{d, 0, length});
    pad_params more;
    for (int k = 0; k <= d; ++k) {
      more.low.push_back(0);
      more.high.push_back(k == d ? length - n : 0);
    }
    return make<pad>(b, {x, number(b, 0.0, x.facts().element)}, more);
  }
};

// () -> [n] the frequencies of fft's result in cycles per unit, samples x[0] apart.
struct fftfreq_params {
  std::int64_t samples = 0;
  bool of_real = false;  // of rfft's result
  dtype element = dtype::float32;
  static constexpr void fields(auto& p, auto&& each) { each(p.samples, p.of_real, p.element); }
};
struct fftfreq {
  static constexpr std::string_view name = "fftfreq";
  static constexpr op_class kind = op_class::iota;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    if (array_value const own = x[0].facts(); own.rank != 0)
      return b.template refuse<fftfreq>(refuse(reason::ranks_disagree, -1, {}, own.rank, 0), own);
    auto const [n, of_real, element] = attrs.as<fftfreq_params>();
    iota_params positions{dtype::int32, 0, {of_real ? n / 2 + 1 : n}};
    cast_params const to{element};
    term at = make<iota>(b, {}, positions);
    if (!of_real) {
      auto const count = number(b, static_cast<double>(n), dtype::int32);
      auto const low = make<less>(b, {at, number(b, static_cast<double>((n + 1) / 2), dtype::int32)});
      at = make<where>(b, {low, at, at - count});
    }
    auto const span = make<multiply>(b, {make<cast>(b, {x[0]}, to), number(b, static_cast<double>(n), to.element)});
    return make<cast>(b, {at}, to) / span;
  }
};

// By half of each dimension; all dimensions if none is named.
struct fftshift_params {
  extents_list dims{};
  bool back = false;
  static constexpr void fields(auto& p, auto&& each) { each(p.dims, p.back); }
};
struct fftshift {
  static constexpr std::string_view name = "fftshift";
  static constexpr op_class kind = op_class::concatenate;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const facts = x[0].facts();
    auto const asked = attrs.as<fftshift_params>();
    roll_params to{{}, asked.dims};
    for (int d = 0; d < facts.rank && asked.dims.empty(); ++d) to.dims.push_back(d);
    for (auto dim : to.dims) {
      auto const d = static_cast<int>(dim < 0 ? dim + facts.rank : dim);
      auto const n = d < 0 || d >= facts.rank ? 0 : facts.extent(d);
      to.shift.push_back(n == dynamic ? 1 : asked.back ? -(n / 2) : n / 2);
    }
    return to.dims.empty() ? x[0] : make<roll>(b, {x[0]}, to);
  }
};

}  // namespace ops

template <ops::fourier::scaling>
struct fft_norm {};
inline constexpr fft_norm<ops::fourier::scaling::both> ortho{};
inline constexpr fft_norm<ops::fourier::scaling::forward> forward_norm{};
inline constexpr fft_norm<ops::fourier::scaling::inverse> backward_norm{};

template <ops::fourier::scaling Scaling, std::int64_t Length, int Last, int... Dims>
struct transformed {
  template <Mesh M>
  static constexpr ops::transforms_params on() {
    return {extents_list{static_cast<std::int64_t>(Dims)...}, Scaling, Length, Last};
  }
};

template <class Element, bool OfReal, std::int64_t N>
struct frequencies {
  static_assert(N >= 0, "tessera: fftfreq is of a number of samples.");
  template <Mesh M>
  static constexpr ops::fftfreq_params on() {
    return {N, OfReal, dtype_of<Element>()};
  }
};
template <bool Back, int... Dims>
struct shifted_half {
  template <Mesh M>
  static constexpr ops::fftshift_params on() {
    return {extents_list{static_cast<std::int64_t>(Dims)...}, Back};
  }
};

namespace functions {

// One dimension, and several; without dimensions the last `last`, all where that is 0.
#define TESSERA_TRANSFORM(op, how)                                                            \
  template <int Dim = -1, std::int64_t N = dynamic, class X>                                  \
  constexpr auto op(X const& x, site at = std::source_location::current()) {                  \
    using params = transformed<ops::fourier::scaling::inverse, N, 0, Dim>;                    \
    return invoke<ops::transforms<ops::fourier::way::how>, params>(at, x);                    \
  }                                                                                           \
  template <int Dim = -1, std::int64_t N = dynamic, class X, ops::fourier::scaling S>         \
  constexpr auto op(X const& x, fft_norm<S>, site at = std::source_location::current()) {     \
    return invoke<ops::transforms<ops::fourier::way::how>, transformed<S, N, 0, Dim>>(at, x); \
  }
#define TESSERA_TRANSFORMS(op, how, last)                                                                     \
  template <int... Dims, class X>                                                                             \
  constexpr auto op(X const& x, site at = std::source_location::current()) {                                  \
    using params = transformed<ops::fourier::scaling::inverse, dynamic, sizeof...(Dims) ? 0 : last, Dims...>; \
    return invoke<ops::transforms<ops::fourier::way::how>, params>(at, x);                                    \
  }                                                                                                           \
  template <int... Dims, class X, ops::fourier::scaling S>                                                    \
  constexpr auto op(X const& x, fft_norm<S>, site at = std::source_location::current()) {                     \
    using params = transformed<S, dynamic, sizeof...(Dims) ? 0 : last, Dims...>;                              \
    return invoke<ops::transforms<ops::fourier::way::how>, params>(at, x);                                    \
  }

TESSERA_TRANSFORM(fft, forward)
TESSERA_TRANSFORM(ifft, inverse)
TESSERA_TRANSFORM(rfft, of_real)
TESSERA_TRANSFORM(irfft, to_real)
TESSERA_TRANSFORMS(fft2, forward, 2)
TESSERA_TRANSFORMS(ifft2, inverse, 2)
TESSERA_TRANSFORMS(rfft2, of_real, 2)
TESSERA_TRANSFORMS(irfft2, to_real, 2)
TESSERA_TRANSFORMS(fftn, forward, 0)
TESSERA_TRANSFORMS(ifftn, inverse, 0)
TESSERA_TRANSFORMS(rfftn, of_real, 0)
TESSERA_TRANSFORMS(irfftn, to_real, 0)

#undef TESSERA_TRANSFORM
#undef TESSERA_TRANSFORMS

// fftfreq<16>(0.5), rfftfreq<16, double>(0.5): the frequencies of each result of fft or rfft over 16 samples 0.5 apart.
template <std::int64_t N, class Element = float, class X = double>
constexpr auto fftfreq(X const& apart = 1, site at = std::source_location::current()) {
  return invoke<ops::fftfreq, frequencies<Element, false, N>>(at, apart);
}
template <std::int64_t N, class Element = float, class X = double>
constexpr auto rfftfreq(X const& apart = 1, site at = std::source_location::current()) {
  return invoke<ops::fftfreq, frequencies<Element, true, N>>(at, apart);
}
// Moves the zero frequency to the middle of the dimensions, all by default; and back.
template <int... Dims, class X>
constexpr auto fftshift(X const& x, site at = std::source_location::current()) {
  return invoke<ops::fftshift, shifted_half<false, Dims...>>(at, x);
}
template <int... Dims, class X>
constexpr auto ifftshift(X const& x, site at = std::source_location::current()) {
  return invoke<ops::fftshift, shifted_half<true, Dims...>>(at, x);
}

}  // namespace functions

}  // namespace tessera
