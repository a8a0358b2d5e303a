// SPDX-License-Identifier: Apache-2.0
#pragma once
// One element of an elementwise operation, as host loops and device kernels compute it.

#include <tessera/graph/monoid.hpp>

namespace tessera::detail {

template <dtype D>
using lane_of = register_of<element_of<D>>;

template <class Op, class R, class... X>
concept converts_to = requires(X... x) {
  Op::template convert<R>(x...);
};

// Evaluates Op for one element. A cast to a type of 8 or 16 bits rounds.
template <class Op, dtype D, class... X>
TESSERA_FUNCTION inline lane_of<D> evaluate_op(X... x) {
  using R = lane_of<D>;
  if constexpr (rounds_once(D) && converts_to<Op, R, X...> &&
                ((std::is_same_v<X, double> || std::is_same_v<X, complex128>)&&...)) {
    return static_cast<R>(element_of<D>(Op::template convert<double>(x...)));  // rounded once
  } else if constexpr (converts_to<Op, R, X...>) {
    R const converted = Op::template convert<R>(x...);
    if constexpr (std::is_same_v<R, element_of<D>>)
      return converted;
    else
      return static_cast<R>(element_of<D>(converted));
  } else {
    TESSERA_INLINE_CALLS return settled<element_of<D>>(static_cast<R>(Op::eval(x...)));
  }
}

}  // namespace tessera::detail
