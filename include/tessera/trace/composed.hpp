// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions that the library composes of its operations. In traced code they are part of the program that is traced, and
// their operations have the line of the call; with arrays each call is one program.

#include <tessera/error/malformed_call.hpp>
#include <tessera/trace/apply.hpp>
#include <tessera/trace/on_arrays.hpp>
#include <tessera/trace/own_program.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera::detail {

// Until it is destroyed, operations that are recorded have the line `at`, which is that of the outermost call.
class call_of_library {
public:
  constexpr call_of_library(builder* b, site at) : b_(b && !b->in_call ? b : nullptr) {
    if (!b_) return;
    b_->call = at;
    b_->in_call = true;
  }
  constexpr ~call_of_library() {
    if (b_) b_->in_call = false;
  }
  call_of_library(call_of_library const&) = delete;
  call_of_library& operator=(call_of_library const&) = delete;

private:
  builder* b_;
};

template <class F, class... X>
constexpr auto composed(site at, X const&... x);

// F, whose operations have no line: there is no user's line in it.
template <class F>
struct without_lines {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return composed<F>(site{}, x...);
  }
};

// F{}(x...) of arrays, traced values, constants and numbers, and trees of them. F's operands are values of a program: a
// constant would be copied into each operation that reads it.
template <class F, class... X>
constexpr auto composed(site at, X const&... x) {
  if constexpr ((no_argument<X>::value || ...) && any_traced<X...>) {
    return poison<ops::argument, reason::not_an_array, first_where<no_argument, X...>>(at, x...);
  } else if constexpr ((no_argument<X>::value || ...)) {
    using refused = argument_refused<ops::argument, X...>;
    refused::explain();
    return poisoned<explained<refused>>{at};
  } else if constexpr ((contains_array<X>() || ...)) {
    using call = run_traced<without_lines<F>, X...>;
    call::refused::explain();
    return call::run(x...);
  } else if constexpr (any_traced<X...>) {
    builder* const b = builder_among(x...);
    call_of_library const here(b, at);
    return F{}(tree_map(enter_constant<true>{b}, x)...);
  } else if constexpr (!std::is_void_v<error_in<X...>>) {
    return F{}(x...);
  } else {
    using M = typename leaf_meshes<std::tuple<signature_of<X>...>>::type;
    auto const results = in_own_program<M>([&](builder& own) {
      call_of_library const here(&own, at);
      return F{}(tree_map(enter_constant<true>{&own}, x)...);
    });
    said_here<decltype(results)>::explain();
    return as_said(results);
  }
}

// What a body asks of its values: facts; of a refused one those of a matrix, so that nothing more is said of it.
template <class X>
inline constexpr array_value facts_in_body = [] {
  if constexpr (is_poisoned<X>) {
    array_value matrix{};
    matrix.add_dim(1);
    matrix.add_dim(1);
    return matrix;
  } else {
    return X::type::value;
  }
}();

// The result of a composed function that does not take x: error/malformed_call.hpp says why.
template <call_fault Fault, class... X>
constexpr auto refused_call(X const&... x) {
  if constexpr ((is_poisoned<X> || ...)) {
    return first_refused(x...);
  } else {
    builder* const b = builder_among(x...);
    return poisoned_in<error::malformed_call<error::in_call<Fault>>>(b, reason::malformed_call, b ? b->call : site{});
  }
}

// F as a function object of one to three values.
template <class F>
struct composed_door {
  template <class X>
  constexpr auto operator()(X const& x, site at = std::source_location::current()) const {
    return composed<F>(at, x);
  }
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y, site at = std::source_location::current()) const {
    return composed<F>(at, x, y);
  }
  template <class X, class Y, class Z>
  constexpr auto operator()(X const& x, Y const& y, Z const& z, site at = std::source_location::current()) const {
    return composed<F>(at, x, y, z);
  }
};

}  // namespace tessera::detail
