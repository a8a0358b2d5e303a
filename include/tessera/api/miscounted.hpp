// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions called with too few values or too many, where(mask, x), clamp(0, x), sum(x, y): one sentence instead of a
// list of candidates. Those that are doors (op/base/door.hpp) say so themselves.

#include <tessera/api/misplaced.hpp>

namespace tessera::functions {

// What it returns is written where the macro is used: misplaced.hpp.
#define TESSERA_MISCOUNTED(NAME, TAKEN, ...) \
  template <class... X>                      \
    requires detail::Miscounted<TAKEN, X...> \
  constexpr auto NAME(X const&... x) {       \
    using namespace detail;                  \
    return __VA_ARGS__;                      \
  }
// Where a number in another place says something else: sum(x, 0).
#define TESSERA_MISCOUNTED_ARRAYS(NAME, TAKEN, ...)                         \
  template <class... X>                                                     \
    requires(detail::Miscounted<TAKEN, X...> && (detail::Handle<X> && ...)) \
  constexpr auto NAME(X const&... x) {                                      \
    using namespace detail;                                                 \
    return __VA_ARGS__;                                                     \
  }

TESSERA_MISCOUNTED(where, 3, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED(clamp, 3, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED(clip, 3, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(matmul, 2, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(dot, 2, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(vdot, 2, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(inner, 2, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(tensordot, 2, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(dot_general, 2, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(take, 2, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(conv, 2, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(sum, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(prod, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(mean, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(cumsum, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(cumprod, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(softmax, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(logsumexp, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(sort, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(argmax, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))
TESSERA_MISCOUNTED_ARRAYS(argmin, 1, refused_as<written::another_number_of_values>(first_traced(x...), site{}))

#undef TESSERA_MISCOUNTED
#undef TESSERA_MISCOUNTED_ARRAYS

template <class X, class Y>
constexpr auto dot_general(X const& x, Y const&, site at = std::source_location::current()) {
  return detail::refused_as<written::contraction_as_argument>(x, at);
}
template <class X>
constexpr auto one_hot(X const& labels, site at = std::source_location::current()) {
  return detail::refused_as<written::shape_as_argument>(labels, at);
}

}  // namespace tessera::functions
