// SPDX-License-Identifier: Apache-2.0
#pragma once
// named_scope<"attention">(f): f, whose operations have this name wherever a program is shown: explain, plan pages,
// timelines, Kokkos Tools, the messages of debug_nans. Scopes nest, block/attention; gradients have the names of what they
// differentiate. Types and values are f's; 0 bytes move. A scope is also a budget:
//   static_assert(ts::comm_of<step, P, X>.bytes_in("attention") == 0);
// Outside of jit, f is called and nothing is named.
// Source: JAX 0.10.2 jax.named_scope, jax.named_call. Differs: a function, not a context.

#include <tessera/base/text.hpp>
#include <tessera/trace/look.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera {
namespace detail {

// When it is destroyed, the operations that were recorded since it was made are in scope `name`.
class open_scope {
public:
  constexpr open_scope(builder* b, char const* name) : b_(b), first_(b ? b->size() : 0), name_(name) {}
  constexpr ~open_scope() {
    for (int id = first_; b_ && id < b_->size(); ++id) b_->recorded.nodes[id].at.scope.enter(name_);
  }
  open_scope(open_scope const&) = delete;
  open_scope& operator=(open_scope const&) = delete;

private:
  builder* b_;
  int first_;
  char const* name_;
};

template <fixed_string Name, class F>
struct scoped {
  [[no_unique_address]] F function;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    auto const call = [&](builder* b) { return call_in(b, site{}, function, std::tuple<X const&...>{x...}); };
    if constexpr (any_traced<X...>) {
      builder* const b = builder_among(x...);
      open_scope const here(b, Name.chars);
      return call(b);
    } else if constexpr (std::is_empty_v<F> || (contains_array<X>() || ...)) {
      error_or_silence<error_at_once<function_refused<F, X...>, std::tuple<>>>::explain();
      return call(nullptr);
    } else {  // it may read values of a program
      auto const seen = look([&] { return call(nullptr); });
      open_scope const here(builder_among(seen), Name.chars);
      return call(nullptr);
    }
  }
};

}  // namespace detail

namespace functions {

template <fixed_string Name, class F>
constexpr detail::scoped<Name, F> named_scope(F const& f) {
  static_assert(!Name.view().empty() && Name.view().find('/') == std::string_view::npos,
                "tessera: the name of a scope is empty or contains '/'. Fix: one scope in the other.");
  return {f};
}

}  // namespace functions
}  // namespace tessera
