// SPDX-License-Identifier: Apache-2.0
#pragma once
// The dtype in which the partial sums of a gradient are sent and added: the last argument of grad.

#include <tessera/aval/dtype.hpp>
#include <tessera/error/error.hpp>

namespace tessera {

template <class T>
struct reduce_dtype_t {};
// The last argument of grad and value_and_grad: floating partial sums that the gradient leaves on several devices are
// cast to T, sent, added up, and cast back; before that, each device adds its own in their dtype. float needs twice the
// bytes of bfloat16; bfloat16 half those of float. Source: reduce_dtype of torch.distributed.fsdp's
// MixedPrecisionPolicy.
template <class T>
inline constexpr reduce_dtype_t<T> reduce_dtype{};

namespace detail {

// F, whose gradient is summed over devices as T.
template <class F, class T>
struct summed_as {
  static_assert(
      is_floating(dtype_of<T>()),
      "tessera: sums of a gradient are floating. Fix: reduce_dtype<float>, of float16, bfloat16, float or double.");
  static constexpr dtype sums = dtype_of<T>();
  [[no_unique_address]] F function;
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return function(x...);
  }
};
template <class F>
inline constexpr dtype sums_of = dtype::boolean;
template <class F, class T>
inline constexpr dtype sums_of<summed_as<F, T>> = summed_as<F, T>::sums;

}  // namespace detail
}  // namespace tessera
