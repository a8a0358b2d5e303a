// SPDX-License-Identifier: Apache-2.0
#pragma once
// work_of<F, Args...>: flops and bytes of memory of each step of F called with these arguments (arrays or array types),
// and its communication, a constant: plan/cost/work.hpp. predict takes it. Sizes are in the types.
//   static_assert(ts::work_of<step, P, X>.flops() == 6 * parameters * tokens);

#include <tessera/api/jit.hpp>
#include <tessera/plan/cost/predict.hpp>

namespace tessera {
namespace detail {

template <class T>
struct work_of_trace {
  static_assert(all_static<T>,
                "tessera: the work of a program of unknown sizes is not known. Fix: sizes in the types.");
  static constexpr std::size_t steps = work_counter<plan_view>(planned<T>::value.view()).steps.size();
  static constexpr program_work<typename T::mesh, steps, planned<T>::size.messages> value{
      work_counter<plan_view>(planned<T>::value.view()), planned<T>::cost};
};
struct what_it_does {
  static constexpr refused_work refused{};
  template <class T>
  static constexpr auto const& of() {
    return work_of_trace<T>::value;
  }
};

}  // namespace detail

template <class F, class... Args>
inline constexpr auto const& work_of =
    detail::asked_of_program<detail::what_it_does, std::remove_cv_t<F>, signature_of<Args>...>();

}  // namespace tessera
