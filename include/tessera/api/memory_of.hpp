// SPDX-License-Identifier: Apache-2.0
#pragma once
// memory_of<F, Args...>: the memory of one device that F, called with these arguments (arrays or array types), needs, a
// constant: plan/memory/memory_use.hpp. Moves 0 bytes; it needs no plan other than jit's.
//   static_assert(ts::memory_of<step, P, X>.peak < 16e9 && ts::memory_of<step, P, X>.kept_for_backward < 4e9);
// comm_free<F, Args...>: whether F sends nothing, for all its unknown sizes.

#include <tessera/api/jit.hpp>
#include <tessera/plan/memory/memory_use.hpp>

namespace tessera {
namespace detail {

template <class T>
struct memory_of_trace {
  static constexpr memory_use value = [] {
    if constexpr (all_static<T>) {
      return memory_use_of(planned<T>::value.view());
    } else {
      return memory_use::of_unknown_sizes();
    }
  }();
};
struct what_it_needs {
  static constexpr refused_memory refused{};
  template <class T>
  static constexpr auto const& of() {
    return memory_of_trace<T>::value;
  }
};

}  // namespace detail

// For unknown sizes: all its numbers are `dynamic`.
template <class F, class... Args>
inline constexpr auto const& memory_of =
    detail::asked_of_program<detail::what_it_needs, std::remove_cv_t<F>, signature_of<Args>...>();

template <class F, class... Args>
inline constexpr bool comm_free = comm_of<F, Args...>.messages().empty();

}  // namespace tessera
