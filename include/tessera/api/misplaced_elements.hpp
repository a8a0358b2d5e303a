// SPDX-License-Identifier: Apache-2.0
#pragma once
// An element type or a shape where none belongs: zeros<8, float>(), zeros<float, shape<8, 4>>(), sum<float>(x),
// host<float, 8, 4>(v), reshape<shape<4, 8>>(x): one sentence instead of a list of candidates.

#include <tessera/api/misplaced.hpp>
#include <tessera/random/random.hpp>

namespace tessera {
namespace detail {

template <class T>
concept DimOrShape = is_dim_or_shape<T>;

}  // namespace detail

namespace functions {

// f<8, 4, float>(...), f<float, shape<8, 4>>(...), f<shape<8, 4>, float>(...). What is said stands where the macro is
// used, as in misplaced.hpp.
#define TESSERA_ELEMENT_BEHIND(NAME, ...)                           \
  template <std::int64_t, class Element, class... X>                \
  constexpr auto NAME(X const&...) {                                \
    __VA_ARGS__                                                     \
  }                                                                 \
  template <std::int64_t, std::int64_t, class Element, class... X>  \
  constexpr auto NAME(X const&...) {                                \
    __VA_ARGS__                                                     \
  }                                                                 \
  template <class Element, tessera::detail::DimOrShape, class... X> \
  constexpr auto NAME(X const&...) {                                \
    __VA_ARGS__                                                     \
  }                                                                 \
  template <tessera::detail::DimOrShape, class Element, class... X> \
  constexpr auto NAME(X const&...) {                                \
    __VA_ARGS__                                                     \
  }
// Also f<8, 4, 2, float>(...), which eye and tri have.
#define TESSERA_ELEMENT_BEHIND_THREE(NAME, ...)                                  \
  template <std::int64_t, std::int64_t, std::int64_t, class Element, class... X> \
  constexpr auto NAME(X const&...) {                                             \
    __VA_ARGS__                                                                  \
  }
TESSERA_ELEMENT_BEHIND(zeros, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(ones, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(full, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(arange, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(eye, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(tri, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(iota, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND_THREE(zeros, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND_THREE(ones, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND_THREE(full, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)

// f<shape<4, 8>>(x).
template <detail::DimOrShape Shape, class X>
constexpr auto reshape(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::shape_as_argument>(x, at);
}
template <detail::DimOrShape Shape, class X>
constexpr auto broadcast_to(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::shape_as_argument>(x, at);
}

// The element type of another array: f<float, 0>(x).
#define TESSERA_ELEMENT_OF_ANOTHER(NAME, ...)                   \
  template <class Element, int... Dims, class X, class... More> \
  constexpr auto NAME(X const& x, More const&...) {             \
    using namespace detail;                                     \
    return __VA_ARGS__;                                         \
  }
TESSERA_ELEMENT_OF_ANOTHER(sum, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(prod, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(mean, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(max, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(min, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(var, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(stddev, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(nansum, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(nanmean, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(cumsum, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(cumprod, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(matmul, refused_as<written::element_of_another>(x, site{}))
TESSERA_ELEMENT_OF_ANOTHER(dot, refused_as<written::element_of_another>(x, site{}))
#undef TESSERA_ELEMENT_OF_ANOTHER

template <class Element, std::int64_t... Extents, class Container>
constexpr auto host(Container const&) {
  written::element_of_another<Element>::explain();
  return poisoned<explained<>>{};
}

template <class Element, std::int64_t... Extents, class Container>
constexpr auto asarray(Container const&) {
  written::element_of_another<Element>::explain();
  return poisoned<explained<>>{};
}
// Without the number.
template <class Element, std::int64_t... Extents>
constexpr auto full() {
  written::another_number_of_values<Element>::explain();
  return poisoned<explained<>>{};
}
template <class X>
constexpr auto full_like(X const& x) {
  return detail::refused_as<written::another_number_of_values>(x, site{});
}

}  // namespace functions

namespace random {

TESSERA_ELEMENT_BEHIND(bits, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(uniform, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(normal, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(randint, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(truncated_normal, written::shape_without_element<Element>::explain();
                       return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(exponential, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(gumbel, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(laplace, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(logistic, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(cauchy, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND(rademacher, written::shape_without_element<Element>::explain(); return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND_THREE(uniform, written::shape_without_element<Element>::explain();
                             return poisoned<explained<>>{};)
TESSERA_ELEMENT_BEHIND_THREE(normal, written::shape_without_element<Element>::explain();
                             return poisoned<explained<>>{};)
#undef TESSERA_ELEMENT_BEHIND
#undef TESSERA_ELEMENT_BEHIND_THREE

}  // namespace random

}  // namespace tessera
