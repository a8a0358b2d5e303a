// SPDX-License-Identifier: Apache-2.0
#pragma once
// Images in another size, in any dimensions:
//   image::resize<8, 32, 32, 3>(x, image::linear): x (8, h, w, 3) -> (8, 32, 32, 3); dimensions of the same extent are kept
//   image::scale_and_translate<32, 32, 3>(x, image::spatial<0, 1>, scale, translation, image::cubic): what was at place p
//     of dimension k is at scale[k] p + translation[k]; the centers of elements are at 0.5, 1.5, ...; zeros outside of x
// Methods: image::nearest (of resize), linear, cubic (Keys 1981, a = -1/2), lanczos3, lanczos5, area, cubic_pytorch. A
// smaller image is the mean of what its elements cover, unless image::without_antialias is the last argument. Integers
// become floats, but for nearest. Each dimension that changes is a product with a matrix (old extent, new extent), which
// is computed from arange where it is read: of a split one each device multiplies its block, and the products are added
// up. nearest takes elements, of dimensions that are whole. Dimensions that are kept keep their layout. Bytes: those of
// einsum and take. Gradients by x, scale, translation.
// Source: JAX 0.10.2 jax.image.

#include <tessera/functions/arranging.hpp>
#include <tessera/functions/numbers.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/product/einsum.hpp>
#include <tessera/op/shape/expand_dims.hpp>

#include <numbers>

namespace tessera {
namespace image {

struct nearest_t {};
struct linear_t {};
struct cubic_t {};
struct cubic_pytorch_t {};  // without antialiasing: a = -3/4, and the elements at the ends count again outside of x
struct lanczos3_t {};
struct lanczos5_t {};
struct area_t {};
struct without_antialias_t {};
inline constexpr nearest_t nearest{};
inline constexpr linear_t linear{};
inline constexpr linear_t bilinear{};
inline constexpr linear_t trilinear{};
inline constexpr linear_t triangle{};
inline constexpr cubic_t cubic{};
inline constexpr cubic_t bicubic{};
inline constexpr cubic_t tricubic{};
inline constexpr cubic_pytorch_t cubic_pytorch{};
inline constexpr lanczos3_t lanczos3{};
inline constexpr lanczos5_t lanczos5{};
inline constexpr area_t area{};
inline constexpr without_antialias_t without_antialias{};
template <int... Dims>
struct spatial_t {};
template <int... Dims>
inline constexpr spatial_t<Dims...> spatial{};  // the dimensions of scale and translation

}  // namespace image

namespace detail {

template <class T>
inline constexpr bool weighs = false;  // by the distance of an element from the place that is asked for
template <>
inline constexpr bool weighs<image::linear_t> = true;
template <>
inline constexpr bool weighs<image::cubic_t> = true;
template <>
inline constexpr bool weighs<image::cubic_pytorch_t> = true;
template <>
inline constexpr bool weighs<image::lanczos3_t> = true;
template <>
inline constexpr bool weighs<image::lanczos5_t> = true;
template <>
inline constexpr bool weighs<image::area_t> = true;
template <class T>
concept Resampling = weighs<T>;

// einsum of x with a matrix for each of these dimensions: "abc,aA,cC->AbC".
template <int Rank, int... Dims>
constexpr auto resampling_text() {
  constexpr int count = sizeof...(Dims);
  constexpr std::size_t size = static_cast<std::size_t>(2 * Rank + 3 * count + 3);
  char text[size]{};
  std::size_t at = 0;
  auto const letter = [](char first, int d) { return static_cast<char>(first + d); };
  for (int d = 0; d < Rank; ++d) text[at++] = letter('a', d);
  for (int d : {Dims...}) {
    text[at++] = ',';
    text[at++] = letter('a', d);
    text[at++] = letter('A', d);
  }
  text[at++] = '-';
  text[at++] = '>';
  for (int d = 0; d < Rank; ++d) text[at++] = letter(((Dims == d) || ...) ? 'A' : 'a', d);
  return fixed_string<size>(text);
}

}  // namespace detail

namespace detail::bodies {

template <class X>
inline constexpr bool is_wide = facts_in_body<X>.element == dtype::float64;

// The weight of an element at a distance.
constexpr auto weight_at(image::linear_t, bool, auto const& x) { return maximum(0.0, 1.0 - x); }
constexpr auto weight_at(image::cubic_t, bool, auto const& x) {
  auto const inner = (1.5 * x - 2.5) * x * x + 1.0;
  auto const outer = ((2.5 - 0.5 * x) * x - 4.0) * x + 2.0;
  return where(x >= 2.0, 0.0, where(x >= 1.0, outer, inner));
}
constexpr auto weight_at(image::cubic_pytorch_t, bool antialias, auto const& x) {
  double const a = antialias ? -0.5 : -0.75;
  auto const inner = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
  auto const outer = ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a;
  return where(x >= 2.0, 0.0, where(x >= 1.0, outer, inner));
}
constexpr auto lanczos_at(double radius, auto const& x) {
  auto const angle = std::numbers::pi * x;
  auto const product = radius * sin(angle) * sin(angle / radius);
  auto const inside = where(x > 1e-3, product / where(x != 0.0, square(angle), 1.0), 1.0);
  return where(x > radius, 0.0, inside);
}
constexpr auto weight_at(image::lanczos3_t, bool, auto const& x) { return lanczos_at(3.0, x); }
constexpr auto weight_at(image::lanczos5_t, bool, auto const& x) { return lanczos_at(5.0, x); }

// Of each column the share of each weight in their sum; 0 where the sum is next to nothing.
constexpr auto shares(auto const& weights) {
  auto const all = sum<0>(weights);
  auto const some = abs(all) > 1.1920928955078125e-4;
  return where(some, weights / where(all != 0.0, all, 1.0), 0.0);
}

// (M, N): how much each of M elements counts in each of N, where `back` is 1 / scale and `shift` translation / scale.
template <class T, std::int64_t M, std::int64_t N, class Method, bool Antialias>
struct resampling_weights {
  constexpr auto operator()(auto const& back, auto const& shift) const {
    if constexpr (std::is_same_v<Method, image::area_t>) {
      auto const low = arange<T, N>() * back - shift;
      auto const own = expand_dims<1>(arange<T, M>());
      return inside(back, shift, shares(maximum(0.0, minimum(low + back, own + 1.0) - maximum(low, own))));
    } else if constexpr (edges > 0) {
      constexpr std::int64_t all = M + 2 * edges;
      auto const given = weights(back, shift, arange<T, all>() - static_cast<double>(edges));
      auto const first = sum<0>(slice_in_dim<0, 0, edges>(given));
      auto const last = sum<0>(slice_in_dim<0, all - edges, all>(given));
      auto const own = expand_dims<1>(arange<std::int32_t, M>());
      return shares(slice_in_dim<0, edges, all - edges>(given) + where(own == 0, first, 0.0) +
                    where(own == static_cast<std::int32_t>(M - 1), last, 0.0));
    } else {
      return inside(back, shift, shares(weights(back, shift, arange<T, M>())));
    }
  }

private:
  // How many elements beyond each end count as the one at the end.
  static constexpr std::int64_t edges = std::is_same_v<Method, image::cubic_pytorch_t> && !Antialias ? 2 : 0;

  static constexpr auto places(auto const& back, auto const& shift) {
    return (arange<T, N>() + 0.5) * back - shift - 0.5;
  }
  static constexpr auto weights(auto const& back, auto const& shift, auto const& own) {
    auto const apart = abs(places(back, shift) - expand_dims<1>(own));
    if constexpr (Antialias)
      return weight_at(Method{}, true, apart / maximum(back, 1.0));
    else
      return weight_at(Method{}, false, apart);
  }
  static constexpr auto inside(auto const& back, auto const& shift, auto const& weights) {
    auto const at = places(back, shift);
    return where(logical_and(at >= -0.5, at <= static_cast<double>(M) - 0.5), weights, 0.0);
  }
};

template <int Rank, int... Dims, class X, class... W>
constexpr auto resampled(X const& x, W const&... weights) {
  if constexpr (sizeof...(Dims) == 0)
    return x;
  else
    return einsum<resampling_text<Rank, Dims...>()>(
        std::tuple{x, astype<element_of<facts_in_body<X>.element>>(weights)...});
}

// The dimensions whose extents change, of as many as X has.
template <class X, std::int64_t... E>
constexpr extents_list resized_dims() {
  extents_list dims;
  extents_list const wanted{E...};
  for (int d = 0; d < wanted.size(); ++d)
    if (extents_of<X>[d] != wanted[d]) dims.push_back(d);
  return dims;
}
template <class X, std::int64_t... E>
inline constexpr extents_list resized = resized_dims<X, E...>();

template <std::int64_t... E>
struct resize_nearest {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (extents_of<X>.size() != sizeof...(E))
      return refused_call<call_fault::extents_miscounted>(x);
    else
      return along<X, 0>(x);
  }

private:
  // x, some dimensions of Given resized, with those from number K on resized, too.
  template <class Given, int K>
  static constexpr auto along(auto const& x) {
    constexpr extents_list dims = resized<Given, E...>, wanted{E...};
    if constexpr (K == dims.size()) {
      return x;
    } else {
      constexpr int d = static_cast<int>(dims[K]);
      constexpr float step = static_cast<float>(extents_of<Given>[d]) * (1.0f / static_cast<float>(wanted[d]));
      auto const places = astype<std::int32_t>(floor((arange<float, wanted[d]>() + 0.5) * step));
      return along<Given, K + 1>(take<d>(x, places, mode::clip));
    }
  }
};
template <class Method, bool Antialias, std::int64_t... E>
struct resize_weighted {
  template <class X>
  constexpr auto operator()(X const& given, auto const& none) const {
    if constexpr (extents_of<X>.size() != sizeof...(E))
      return refused_call<call_fault::extents_miscounted>(given);
    else
      return of(given, none);
  }

private:
  template <class X>
  static constexpr auto of(X const& given, auto const& none) {
    constexpr extents_list dims = resized<X, E...>, wanted{E...}, old = extents_of<X>;
    auto const x = in_floats(given);
    using T = std::conditional_t<is_wide<std::remove_cvref_t<decltype(x)>>, double, float>;
    auto const zero = astype<T>(none);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return resampled<static_cast<int>(sizeof...(E)), static_cast<int>(dims[I])...>(
          x, resampling_weights<T, old[dims[I]], wanted[dims[I]], Method, Antialias>{}(
                 zero + static_cast<double>(old[dims[I]]) / static_cast<double>(wanted[dims[I]]), zero)...);
    }
    (std::make_index_sequence<dims.size()>{});
  }
};

template <class Method, bool Antialias, class Dims, std::int64_t... E>
struct scale_and_translate;
template <class Method, bool Antialias, int... Dims, std::int64_t... E>
struct scale_and_translate<Method, Antialias, image::spatial_t<Dims...>, E...> {
  template <class X, class S, class T>
  constexpr auto operator()(X const& given, S const& scale, T const& translation) const {
    constexpr extents_list one_each{static_cast<std::int64_t>(sizeof...(Dims))};
    if constexpr (extents_of<X>.size() != sizeof...(E))
      return refused_call<call_fault::extents_miscounted>(given);
    else if constexpr (extents_of<S> != one_each || extents_of<T> != one_each)
      return refused_call<call_fault::scales_miscounted>(given);
    else if constexpr (!only(resized<X, E...>))
      return refused_call<call_fault::other_dimension_resized>(given);
    else
      return of(given, scale, translation);
  }

private:
  template <class X, class S, class T>
  static constexpr auto of(X const& given, S const& scale, T const& translation) {
    constexpr int rank = static_cast<int>(sizeof...(E));
    constexpr extents_list wanted{E...}, old = extents_of<X>;
    constexpr bool wide = is_wide<S> || is_wide<T>;
    using Real = std::conditional_t<wide, double, float>;
    auto const scales = astype<Real>(scale);
    auto const shifts = astype<Real>(translation);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return resampled<rank, at(Dims)...>(
          in_floats(given),
          weights<Real, old[at(Dims)], wanted[at(Dims)], static_cast<std::int64_t>(I)>(scales, shifts)...);
    }
    (std::make_index_sequence<sizeof...(Dims)>{});
  }

  static constexpr int at(int d) { return d < 0 ? d + static_cast<int>(sizeof...(E)) : d; }
  static constexpr bool only(extents_list const& changed) {
    for (std::int64_t d : changed)
      if (!((at(Dims) == d) || ...)) return false;
    return true;
  }
  template <class Real, std::int64_t M, std::int64_t N, std::int64_t I>
  static constexpr auto weights(auto const& scales, auto const& shifts) {
    auto const back = 1.0 / squeeze<0>(slice_in_dim<0, I, I + 1>(scales));
    return resampling_weights<Real, M, N, Method, Antialias>{}(back,
                                                               squeeze<0>(slice_in_dim<0, I, I + 1>(shifts)) * back);
  }
};

}  // namespace detail::bodies

namespace image {

template <std::int64_t... E, class X>
constexpr auto resize(X const& x, nearest_t, site at = std::source_location::current()) {
  return tessera::detail::composed<tessera::detail::bodies::resize_nearest<E...>>(at, x);
}
template <std::int64_t... E, class X, tessera::detail::Resampling Method>
constexpr auto resize(X const& x, Method, site at = std::source_location::current()) {
  return tessera::detail::composed<tessera::detail::bodies::resize_weighted<Method, true, E...>>(at, x, 0.0);
}
template <std::int64_t... E, class X, tessera::detail::Resampling Method>
constexpr auto resize(X const& x, Method, without_antialias_t, site at = std::source_location::current()) {
  return tessera::detail::composed<tessera::detail::bodies::resize_weighted<Method, false, E...>>(at, x, 0.0);
}
template <std::int64_t... E, class X, int... Dims, class S, class T, tessera::detail::Resampling Method>
constexpr auto scale_and_translate(X const& x, spatial_t<Dims...>, S const& scale, T const& translation, Method,
                                   site at = std::source_location::current()) {
  using body = tessera::detail::bodies::scale_and_translate<Method, true, spatial_t<Dims...>, E...>;
  return tessera::detail::composed<body>(at, x, scale, translation);
}
template <std::int64_t... E, class X, int... Dims, class S, class T, tessera::detail::Resampling Method>
constexpr auto scale_and_translate(X const& x, spatial_t<Dims...>, S const& scale, T const& translation, Method,
                                   without_antialias_t, site at = std::source_location::current()) {
  using body = tessera::detail::bodies::scale_and_translate<Method, false, spatial_t<Dims...>, E...>;
  return tessera::detail::composed<body>(at, x, scale, translation);
}

}  // namespace image
}  // namespace tessera
