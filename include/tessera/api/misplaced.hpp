// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arguments in Python's positions, sum(x, 0), reshape(x, {8, 4}), psum(x, "dp"): one error sentence instead of a list
// of candidates. Each overload is chosen only if no other can be called.

#include <tessera/array/device_mesh.hpp>
#include <tessera/base/written_otherwise.hpp>
#include <tessera/manual/manual.hpp>
#include <tessera/op/ops.hpp>
#include <tessera/transform/grad.hpp>
#include <tessera/transform/shardings.hpp>

#include <initializer_list>
#include <string_view>
#include <vector>

namespace tessera {
namespace detail {

// dim<1> or shape<8, 4>{} as an argument.
template <class T>
inline constexpr bool is_dim_or_shape = false;
template <int D>
inline constexpr bool is_dim_or_shape<dim_t<D>> = true;
template <std::int64_t... Extents>
inline constexpr bool is_dim_or_shape<shape<Extents...>> = true;

// A number, a list of them, a string, an enumerator, an axis, a dimension, or an array where none belongs.
struct misplaced {
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T> || is_std_tree<T> || std::is_same_v<T, extents_list> ||
             std::is_base_of_v<axis, T> || Handle<T> || is_dim_or_shape<T> ||
             std::is_convertible_v<T const&, std::string_view>)
  constexpr misplaced(T const&) {}
  constexpr misplaced(std::initializer_list<std::int64_t>) {}
  template <class Text>  // no 0, which is a char const*, too
    requires std::is_convertible_v<Text, std::string_view>
  constexpr misplaced(std::initializer_list<Text>) {}
};

template <class T>
inline constexpr bool is_setting =
    std::is_same_v<T, keepdims_t> || std::is_same_v<T, reverse_t> || std::is_same_v<T, descending_t> ||
    std::is_same_v<T, has_aux_t> || std::is_same_v<T, exact_t> || std::is_same_v<T, by_matrix_t> ||
    std::is_same_v<T, after_equals_t> || std::is_same_v<T, tiled_t>;
template <int Dim>
inline constexpr bool is_setting<split_t<Dim>> = true;
template <int Dim>
inline constexpr bool is_setting<concat_t<Dim>> = true;
// What stands behind one: sum(x, 0, keepdims).
struct misplaced_behind : misplaced {
  using misplaced::misplaced;
  template <class T>
    requires is_setting<T>
  constexpr misplaced_behind(T const&) : misplaced(0) {}
};

}  // namespace detail

namespace functions {

// f(x, ...) with arguments in Python's positions. What it returns is written where the macro is used, so that notes of
// compilers show that line, and none of the macro's.
#define TESSERA_MISPLACED(NAME, ...)                                                                             \
  template <auto... Given, class X>                                                                              \
  constexpr auto NAME(X const& x, detail::misplaced, detail::misplaced_behind = 0, detail::misplaced_behind = 0, \
                      detail::misplaced_behind = 0, site at = std::source_location::current()) {                 \
    using namespace detail;                                                                                      \
    return __VA_ARGS__;                                                                                          \
  }
// f(x, y, ...), f(x, y, z, ...) and f<type>(x, ...).
#define TESSERA_MISPLACED_AFTER_TWO(NAME, ...)                                                   \
  template <auto... Given, class X, class Y>                                                     \
  constexpr auto NAME(X const& x, Y const&, detail::misplaced, detail::misplaced_behind = 0,     \
                      detail::misplaced_behind = 0, site at = std::source_location::current()) { \
    using namespace detail;                                                                      \
    return __VA_ARGS__;                                                                          \
  }
#define TESSERA_MISPLACED_AFTER_THREE(NAME, ...)                                                       \
  template <auto... Given, class X, class Y, class Z>                                                  \
  constexpr auto NAME(X const& x, Y const&, Z const&, detail::misplaced, detail::misplaced_behind = 0, \
                      detail::misplaced_behind = 0, site at = std::source_location::current()) {       \
    using namespace detail;                                                                            \
    return __VA_ARGS__;                                                                                \
  }
#define TESSERA_MISPLACED_AFTER_TYPE(NAME, ...)                                    \
  template <class Given, auto... More, class X>                                    \
  constexpr auto NAME(X const& x, detail::misplaced, detail::misplaced_behind = 0, \
                      site at = std::source_location::current()) {                 \
    using namespace detail;                                                        \
    return __VA_ARGS__;                                                            \
  }
// f<"axis">(x), f<0>(x).
#define TESSERA_NAMED_AXIS(NAME, ...)                                          \
  template <auto First, auto... Given, class X>                                \
  constexpr auto NAME(X const& x, site at = std::source_location::current()) { \
    using namespace detail;                                                    \
    return __VA_ARGS__;                                                        \
  }                                                                            \
  template <fixed_string Axis, class X>                                        \
  constexpr auto NAME(X const& x, site at = std::source_location::current()) { \
    using namespace detail;                                                    \
    return __VA_ARGS__;                                                        \
  }

TESSERA_MISPLACED(sum, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(prod, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(max, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(min, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(mean, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(any, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(all, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(argmax, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(argmin, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(var, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(softmax, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(logsumexp, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(transpose, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(expand_dims, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(squeeze, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(flip, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(cumsum, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(sort, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(concatenate, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(cumprod, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(cummax, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(cummin, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(cumlogsumexp, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(stddev, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(nansum, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(nanmean, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(nanprod, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(nanmax, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(nanmin, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(log_softmax, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(fftshift, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(ifftshift, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(unstack, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(reduce_sum, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(reduce_max, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(reduce_min, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(reduce_prod, refused_as<written::dims_as_arguments>(x, at))
TESSERA_MISPLACED(roll, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(repeat, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(tile, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(moveaxis, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(swapaxes, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(norm, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(rot90, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(diff, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(ptp, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(median, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(count_nonzero, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(argsort, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(fft, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(ifft, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(rfft, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(irfft, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(fft2, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(ifft2, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(rfft2, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(irfft2, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(fftn, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(ifftn, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(rfftn, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(irfftn, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(triu, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(tril, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(trace, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(diag, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(diagonal, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(cov, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(integer_pow, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(matrix_power, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(reduce_precision, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(zeros_like, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(ones_like, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(fliplr, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(flipud, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(bincount, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(dynamic_slice, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(vander, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED(reshape, refused_as<written::shape_as_argument>(x, at))
TESSERA_MISPLACED(broadcast_to, refused_as<written::shape_as_argument>(x, at))
TESSERA_MISPLACED(one_hot, refused_as<written::shape_as_argument>(x, at))
TESSERA_MISPLACED(pad, refused_as<written::padding_as_argument>(x, at))
TESSERA_MISPLACED(psum, refused_as<written::axes_as_arguments>(x, at))
TESSERA_MISPLACED(pmean, refused_as<written::axes_as_arguments>(x, at))
TESSERA_MISPLACED(pmax, refused_as<written::axes_as_arguments>(x, at))
TESSERA_MISPLACED(pmin, refused_as<written::axes_as_arguments>(x, at))
TESSERA_MISPLACED(all_gather, refused_as<written::axes_as_arguments>(x, at))
TESSERA_MISPLACED(psum_scatter, refused_as<written::axes_as_arguments>(x, at))
TESSERA_MISPLACED(ppermute, refused_as<written::axes_as_arguments>(x, at))
TESSERA_MISPLACED(split, refused_as<written::parts_as_argument>(x, at))
TESSERA_MISPLACED(slice, refused_as<written::bounds_as_arguments>(x, at))
TESSERA_MISPLACED(reshard, refused_as<written::spec_in_brackets>(x, at))
TESSERA_MISPLACED(with_sharding_constraint, refused_as<written::spec_in_brackets>(x, at))

TESSERA_MISPLACED_AFTER_TWO(quantile, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(conv, refused_as<written::options_as_text>(x, at))
TESSERA_MISPLACED_AFTER_TWO(conv_transpose, refused_as<written::options_as_text>(x, at))
TESSERA_MISPLACED_AFTER_TWO(tensordot, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(take, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(take_along_axis, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(average, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(matmul, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(vdot, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(vecdot, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(dot, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(inner, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(valid_mask, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(unpad, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(full_like, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(linspace, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(segment_sum, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(segment_max, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(segment_min, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TWO(meshgrid, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_THREE(conv, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_THREE(reduce_window_sum, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_THREE(reduce_window_max, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_THREE(reduce_window_min, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_THREE(max_pool, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_THREE(avg_pool, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_THREE(select, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_THREE(interp, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_THREE(update_slice, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TYPE(astype, refused_as<written::another_number_of_values>(x, at))
TESSERA_MISPLACED_AFTER_TYPE(bitcast, refused_as<written::another_number_of_values>(x, at))
TESSERA_MISPLACED_AFTER_TYPE(bitcast_convert_type, refused_as<written::another_number_of_values>(x, at))
TESSERA_MISPLACED_AFTER_TYPE(zeros_like, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TYPE(ones_like, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TYPE(broadcast_in_dim, refused_as<written::numbers_as_arguments>(x, at))
TESSERA_MISPLACED_AFTER_TYPE(reshard, refused_as<written::spec_in_brackets>(x, at))
TESSERA_MISPLACED_AFTER_TYPE(with_sharding_constraint, refused_as<written::spec_in_brackets>(x, at))

TESSERA_NAMED_AXIS(psum, refused_as<written::axes_as_arguments>(x, at))
TESSERA_NAMED_AXIS(pmean, refused_as<written::axes_as_arguments>(x, at))
TESSERA_NAMED_AXIS(pmax, refused_as<written::axes_as_arguments>(x, at))
TESSERA_NAMED_AXIS(pmin, refused_as<written::axes_as_arguments>(x, at))
TESSERA_NAMED_AXIS(all_gather, refused_as<written::axes_as_arguments>(x, at))
TESSERA_NAMED_AXIS(psum_scatter, refused_as<written::axes_as_arguments>(x, at))

#undef TESSERA_MISPLACED
#undef TESSERA_MISPLACED_AFTER_TWO
#undef TESSERA_MISPLACED_AFTER_THREE
#undef TESSERA_MISPLACED_AFTER_TYPE
#undef TESSERA_NAMED_AXIS

template <class X, class Y>
  requires std::is_base_of_v<operators<Y>, Y>
constexpr auto max(X const& x, Y const&, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <class X, class Y>
  requires std::is_base_of_v<operators<Y>, Y>
constexpr auto min(X const& x, Y const&, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(x, at);
}
template <class X>
constexpr auto concatenate(std::initializer_list<X> list, detail::misplaced,
                           site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(*list.begin(), at);
}
template <class X>
constexpr auto stack(std::initializer_list<X> list, detail::misplaced, site at = std::source_location::current()) {
  return detail::refused_as<written::dims_as_arguments>(*list.begin(), at);
}
template <int Dim = 0, class X>
constexpr auto concatenate(std::initializer_list<X> list, site at = std::source_location::current()) {
  return detail::refused_as<written::list_of_values>(*list.begin(), at);
}
template <int Dim = 0, class X>
constexpr auto stack(std::initializer_list<X> list, site at = std::source_location::current()) {
  return detail::refused_as<written::list_of_values>(*list.begin(), at);
}
template <int Dim = 0, class X>
constexpr auto concatenate(std::vector<X> const& list, site at = std::source_location::current()) {
  return detail::refused_as<written::list_of_values>(list.front(), at);
}
template <int Dim = 0, class X>
constexpr auto stack(std::vector<X> const& list, site at = std::source_location::current()) {
  return detail::refused_as<written::list_of_values>(list.front(), at);
}

template <class X, class... Pairs>
constexpr auto ppermute(X const& x, detail::misplaced, std::initializer_list<std::initializer_list<int>>,
                        site at = std::source_location::current()) {
  return detail::refused_as<written::axes_as_arguments>(x, at);
}

// A layout that is not P<...> in angle brackets.
template <class... A, class X>
  requires(std::is_base_of_v<axis, A>&&...)
constexpr auto reshard(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class X, class... S>
constexpr auto reshard(X const& x, P<S...>, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <Spec S, class X, class M>
constexpr auto reshard(X const& x, device_mesh<M> const&, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class X, class M>
constexpr auto reshard(X const& x, device_mesh<M> const&, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class... S, class X, Mesh M>
constexpr auto reshard(X const& x, M const&, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class... A, class X>
  requires(std::is_base_of_v<axis, A>&&...)
constexpr auto with_sharding_constraint(X const& x, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}
template <class X, class... S>
constexpr auto with_sharding_constraint(X const& x, P<S...>, site at = std::source_location::current()) {
  return detail::refused_as<written::spec_in_brackets>(x, at);
}

template <class X, class... Y>
constexpr auto einsum(char const* const&, X const& x, Y const&...) {
  return detail::refused_as<written::subscripts_as_argument>(x, site{});
}

template <class... X>
constexpr auto slice(detail::misplaced, detail::misplaced, X const&...) {
  written::bounds_as_arguments<X...>::explain();
  return poisoned<explained<>>{};
}
template <class X, class Y, class... More>
constexpr auto dot_general(X const& x, Y const&, std::initializer_list<std::initializer_list<int>>, More const&...) {
  return detail::refused_as<written::contraction_as_argument>(x, site{});
}

}  // namespace functions

}  // namespace tessera
