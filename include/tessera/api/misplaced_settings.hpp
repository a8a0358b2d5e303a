// SPDX-License-Identifier: Apache-2.0
#pragma once
// Settings in angle brackets, sum<0, keepdims>(x), and those of other functions, sort(x, keepdims): one error sentence
// instead of a list of candidates. Each overload is chosen only if no other can be called.

#include <tessera/api/misplaced.hpp>
#include <tessera/control/control.hpp>
#include <tessera/op/ops.hpp>
#include <tessera/transform/grad.hpp>

#include <type_traits>

namespace tessera {
namespace detail {

template <auto... Given>
concept NamesSetting = (std::is_class_v<decltype(Given)> || ...);

struct any_setting {
  constexpr any_setting() = default;
  template <class T>
    requires is_setting<T>
  constexpr any_setting(T const&) {}
};

// Of loops and gradients, whose first argument is a function.
template <class F>
constexpr auto refused_loop(F const&) {
  written::setting_in_brackets<F>::explain();
  return poisoned<explained<>>{};
}
template <class F>
constexpr auto refused_gradient(F const&) {
  written::setting_in_brackets<F>::explain();
  return takes_anything{};
}

}  // namespace detail

namespace functions {

// f<..., setting>(x, ...). What it returns is written where the macro is used, so that notes of compilers show that line.
#define TESSERA_SETTING_IN_BRACKETS(NAME, ...)     \
  template <auto... Given, class X, class... More> \
    requires detail::NamesSetting<Given...>        \
  constexpr auto NAME(X const& x, More const&...) { return __VA_ARGS__; }
// f(x, setting), f(x, setting, setting).
#define TESSERA_SETTING_OF_ANOTHER(NAME, ...)                                    \
  template <auto... Given, class X>                                              \
  constexpr auto NAME(X const& x, detail::any_setting, detail::any_setting = {}, \
                      site at = std::source_location::current()) {               \
    return __VA_ARGS__;                                                          \
  }

TESSERA_SETTING_IN_BRACKETS(sum, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(prod, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(max, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(min, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(mean, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(any, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(all, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(var, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(stddev, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(median, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(logsumexp, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(argmax, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(argmin, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(count_nonzero, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(ptp, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(softmax, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(log_softmax, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(cumsum, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(cumprod, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(cummax, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(cummin, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(cumlogsumexp, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(sort, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(argsort, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(slice, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(searchsorted, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(meshgrid, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(norm, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(quantile, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(average, detail::refused_as<written::setting_in_brackets>(x, site{}))
TESSERA_SETTING_IN_BRACKETS(scan, detail::refused_loop(x))
TESSERA_SETTING_IN_BRACKETS(associative_scan, detail::refused_loop(x))
TESSERA_SETTING_IN_BRACKETS(grad, detail::refused_gradient(x))
TESSERA_SETTING_IN_BRACKETS(value_and_grad, detail::refused_gradient(x))

TESSERA_SETTING_OF_ANOTHER(sum, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(prod, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(max, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(min, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(mean, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(any, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(all, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(var, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(stddev, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(median, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(logsumexp, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(argmax, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(argmin, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(count_nonzero, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(ptp, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(softmax, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(log_softmax, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(cumsum, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(cumprod, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(cummax, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(cummin, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(cumlogsumexp, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(sort, detail::refused_as<written::setting_of_another>(x, at))
TESSERA_SETTING_OF_ANOTHER(argsort, detail::refused_as<written::setting_of_another>(x, at))

#undef TESSERA_SETTING_OF_ANOTHER
#undef TESSERA_SETTING_IN_BRACKETS

}  // namespace functions
}  // namespace tessera
