// SPDX-License-Identifier: Apache-2.0
#pragma once
// grad and value_and_grad: functions of functions, on trees. Inside traced code the gradient's nodes are appended to
// the same program; called with arrays, the whole is traced and run as by jit.
//   grad(f)(params, x)            -> the gradient of f's scalar by its first argument, a tree like it
//   value_and_grad(f)(params, x)  -> std::tuple{value, gradient}
//   grad<1>(f), grad<0, 2>(f)     -> by other arguments (several: a tuple)
//   value_and_grad(f, has_aux)    -> f returns std::tuple{loss, aux}: std::tuple{std::tuple{loss, aux}, gradient}
//   grad(f, holomorphic)          -> of a complex scalar by complex arguments: the derivative df/dz
//   grad(f, reduce_dtype<float>)  -> its sums over devices, of bfloat16 for example, are sent and added as float
// A gradient has its argument's type, sharding included; by a `reduced` argument it is a partial sum (`unreduced`).
// Source: JAX jax.grad, jax.value_and_grad.

#include <tessera/transform/gradient.hpp>
#include <tessera/transform/reduce_dtype.hpp>

namespace tessera {

struct has_aux_t {};
inline constexpr has_aux_t has_aux{};
struct holomorphic_t {};
inline constexpr holomorphic_t holomorphic{};

namespace functions {

template <int... Wanted, class F>
constexpr auto grad(F const& f) {
  if constexpr (sizeof...(Wanted) == 0)
    return gradient<F, false, false, 0>{f};
  else
    return gradient<F, false, false, Wanted...>{f};
}
template <int... Wanted, class F>
constexpr auto grad(F const& f, has_aux_t) {
  if constexpr (sizeof...(Wanted) == 0)
    return gradient<F, false, true, 0>{f};
  else
    return gradient<F, false, true, Wanted...>{f};
}
template <int... Wanted, class F>
constexpr auto value_and_grad(F const& f) {
  if constexpr (sizeof...(Wanted) == 0)
    return gradient<F, true, false, 0>{f};
  else
    return gradient<F, true, false, Wanted...>{f};
}
template <int... Wanted, class F>
constexpr auto value_and_grad(F const& f, has_aux_t) {
  if constexpr (sizeof...(Wanted) == 0)
    return gradient<F, true, true, 0>{f};
  else
    return gradient<F, true, true, Wanted...>{f};
}
template <int... Wanted, class F>
constexpr auto grad(F const& f, holomorphic_t) {
  return grad<Wanted...>(detail::holomorphic_function<F>{f});
}
template <int... Wanted, class F>
constexpr auto grad(F const& f, has_aux_t, holomorphic_t) {
  return grad<Wanted...>(detail::holomorphic_function<F>{f}, has_aux);
}
template <int... Wanted, class F>
constexpr auto value_and_grad(F const& f, holomorphic_t) {
  return value_and_grad<Wanted...>(detail::holomorphic_function<F>{f});
}
template <int... Wanted, class F>
constexpr auto value_and_grad(F const& f, has_aux_t, holomorphic_t) {
  return value_and_grad<Wanted...>(detail::holomorphic_function<F>{f}, has_aux);
}
template <int... Wanted, class F, class T>
constexpr auto grad(F const& f, reduce_dtype_t<T>) {
  return grad<Wanted...>(detail::summed_as<F, T>{f});
}
template <int... Wanted, class F, class T>
constexpr auto grad(F const& f, has_aux_t, reduce_dtype_t<T>) {
  return grad<Wanted...>(detail::summed_as<F, T>{f}, has_aux);
}
template <int... Wanted, class F, class T>
constexpr auto value_and_grad(F const& f, reduce_dtype_t<T>) {
  return value_and_grad<Wanted...>(detail::summed_as<F, T>{f});
}
template <int... Wanted, class F, class T>
constexpr auto value_and_grad(F const& f, has_aux_t, reduce_dtype_t<T>) {
  return value_and_grad<Wanted...>(detail::summed_as<F, T>{f}, has_aux);
}

}  // namespace functions

}  // namespace tessera
