// SPDX-License-Identifier: Apache-2.0
#pragma once
// eval_shape<F, Args...>: the type of what F returns for arguments of these types (arrays, array types, numbers, trees of
// them): array types in the tree that F returns. Nothing is planned or run; a call that F refuses is reported.
//   using state = ts::eval_shape<first_state, parameters>;      what jit<first_state>(p) gives, as types
// Source: JAX jax.eval_shape.

#include <tessera/api/jit.hpp>

namespace tessera {
namespace detail {

struct what_it_returns {
  static constexpr poisoned<explained<>> refused{};
  template <class T>
  static constexpr typename T::result value{};
  template <class T>
  static constexpr auto const& of() {
    return value<T>;
  }
};

}  // namespace detail

template <class F, class... Args>
using eval_shape = std::remove_cvref_t<
    decltype(detail::asked_of_program<detail::what_it_returns, std::remove_cv_t<F>, signature_of<Args>...>())>;

}  // namespace tessera
