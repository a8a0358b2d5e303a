// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collectives in two halves: auto token = psum_start<dp>(x); ... auto y = psum_done(token), or token.done() as in JAX.
// psum, all_gather, psum_scatter, all_to_all, ppermute, with the same arguments; token.value_type is y's type. A token
// that is forgotten, used twice, or waited for in another loop body or function is an error at the end of the trace; if
// sizes are known only at run time and the program is traced then, a std::invalid_argument, as every refusal there.
// psend<dp>(x, perm<...>) and precv<dp>(token, perm<...>) are the two halves of a ppermute by the same permutation.
// Within a process a plan's steps run one after the other, in program order: nothing overlaps. Bytes and transposes are
// those of the collective. Source: JAX 0.10.2 jax._src.lax.parallel psum_start, ..., core.Future; lax.psend, precv.

#include <tessera/manual/all_to_all.hpp>
#include <tessera/manual/ppermute.hpp>
#include <tessera/manual/psum.hpp>
#include <tessera/manual/psum_scatter.hpp>

namespace tessera {
namespace ops {

// The two halves of a collective. Of: the operation that started it, for errors.
template <class Of>
struct start {
  static constexpr std::string_view name = "start";
  static constexpr op_class kind = op_class::identity;
  static constexpr pair_half pair = pair_half::start;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
  }
};
struct done {
  static constexpr std::string_view name = "done";
  static constexpr op_class kind = op_class::identity;
  static constexpr pair_half pair = pair_half::done;
  static constexpr verdict rule(rule_input const& in) { return accept(in[0]); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
  }
};

}  // namespace ops

// A collective in flight: Of is the collective, X the type of its result.
template <class Of, class X>
class [[nodiscard]] in_flight {
public:
  using value_type = X;
  constexpr explicit in_flight(X const& started) : started_(started) {}
  constexpr auto done(site at = std::source_location::current()) const {
    return invoke<ops::done, no_params>(at, started_);
  }

private:
  X started_;
};

namespace detail {
template <class Of, class X>
constexpr auto started(X const& result, site at) {
  auto const token = invoke<ops::start<Of>, no_params>(at, result);
  return in_flight<Of, std::remove_const_t<decltype(token)>>(token);
}
}  // namespace detail

namespace functions {

template <Axis... A, class X>
[[nodiscard]] constexpr auto psum_start(X const& x, site at = std::source_location::current()) {
  return detail::started<ops::psum>(psum<A...>(x, at), at);
}
template <class X>
constexpr auto psum_done(in_flight<ops::psum, X> const& token, site at = std::source_location::current()) {
  return token.done(at);
}

template <Axis... A, class X>
[[nodiscard]] constexpr auto all_gather_start(X const& x, site at = std::source_location::current()) {
  return detail::started<ops::all_gather>(all_gather<A...>(x, at), at);
}
template <Axis... A, class X, int D>
[[nodiscard]] constexpr auto all_gather_start(X const& x, dim_t<D>, site at = std::source_location::current()) {
  return detail::started<ops::all_gather>(all_gather<A...>(x, dim<D>, at), at);
}
template <Axis... A, class X>
[[nodiscard]] constexpr auto all_gather_start(X const& x, tiled_t, site at = std::source_location::current()) {
  return detail::started<ops::all_gather>(all_gather<A...>(x, tiled, at), at);
}
template <Axis... A, class X, int D>
[[nodiscard]] constexpr auto all_gather_start(X const& x, dim_t<D>, tiled_t,
                                              site at = std::source_location::current()) {
  return detail::started<ops::all_gather>(all_gather<A...>(x, dim<D>, tiled, at), at);
}
template <class X>
constexpr auto all_gather_done(in_flight<ops::all_gather, X> const& token, site at = std::source_location::current()) {
  return token.done(at);
}

template <Axis... A, class X>
[[nodiscard]] constexpr auto psum_scatter_start(X const& x, site at = std::source_location::current()) {
  return detail::started<ops::psum_scatter>(psum_scatter<A...>(x, at), at);
}
template <Axis... A, class X, int D>
[[nodiscard]] constexpr auto psum_scatter_start(X const& x, dim_t<D>, site at = std::source_location::current()) {
  return detail::started<ops::psum_scatter>(psum_scatter<A...>(x, dim<D>, at), at);
}
template <Axis... A, class X>
[[nodiscard]] constexpr auto psum_scatter_start(X const& x, tiled_t, site at = std::source_location::current()) {
  return detail::started<ops::psum_scatter>(psum_scatter<A...>(x, tiled, at), at);
}
template <Axis... A, class X, int D>
[[nodiscard]] constexpr auto psum_scatter_start(X const& x, dim_t<D>, tiled_t,
                                                site at = std::source_location::current()) {
  return detail::started<ops::psum_scatter>(psum_scatter<A...>(x, dim<D>, tiled, at), at);
}
template <class X>
constexpr auto psum_scatter_done(in_flight<ops::psum_scatter, X> const& token,
                                 site at = std::source_location::current()) {
  return token.done(at);
}

template <Axis... A, class X, int S, int C>
[[nodiscard]] constexpr auto all_to_all_start(X const& x, split_t<S>, concat_t<C>,
                                              site at = std::source_location::current()) {
  return detail::started<ops::all_to_all>(all_to_all<A...>(x, split_dim<S>, concat_dim<C>, at), at);
}
template <Axis... A, class X, int S, int C>
[[nodiscard]] constexpr auto all_to_all_start(X const& x, split_t<S>, concat_t<C>, tiled_t,
                                              site at = std::source_location::current()) {
  return detail::started<ops::all_to_all>(all_to_all<A...>(x, split_dim<S>, concat_dim<C>, tiled, at), at);
}
template <class X>
constexpr auto all_to_all_done(in_flight<ops::all_to_all, X> const& token, site at = std::source_location::current()) {
  return token.done(at);
}

// The permutation: perm<...> or rotate<...>.
template <Axis... A, class X, class How>
[[nodiscard]] constexpr auto ppermute_start(X const& x, How how, site at = std::source_location::current()) {
  return detail::started<ops::ppermute>(ppermute<A...>(x, how, at), at);
}
template <class X>
constexpr auto ppermute_done(in_flight<ops::ppermute, X> const& token, site at = std::source_location::current()) {
  return token.done(at);
}

}  // namespace functions

namespace ops {
template <class How, class... A>
struct psend {};
}  // namespace ops

namespace functions {

// A device to which no device sends receives zeros.
template <Axis... A, class X, class How>
[[nodiscard]] constexpr auto psend(X const& x, How how, site at = std::source_location::current()) {
  return detail::started<ops::psend<How, A...>>(ppermute<A...>(x, how, at), at);
}
template <Axis... A, class X, class How, class Sent>
constexpr auto precv(in_flight<Sent, X> const& token, How, site at = std::source_location::current()) {
  static_assert(
      std::is_same_v<Sent, ops::psend<How, A...>>,
      "tessera: precv waits for another permutation than psend began. Fix: the same axes and perm<...> in both.");
  return token.done(at);
}

}  // namespace functions

}  // namespace tessera
