// SPDX-License-Identifier: Apache-2.0
#pragma once
// The body of the typed door (declared in invoke.hpp): record, keep as a constant, run, or poison.

#include <tessera/trace/judged.hpp>
#include <tessera/trace/operand.hpp>

namespace tessera {

// Runs an op on arrays at once: defined in api/eager.hpp.
template <class Op, class Params>
struct eager;

namespace detail {

template <class X, class... Rest>
constexpr auto first_poisoned(X const& x, Rest const&... rest) {
  if constexpr (is_poisoned<X>)
    return x;
  else
    return first_poisoned(rest...);
}

constexpr builder* builder_of() { return nullptr; }
template <class X, class... Rest>
constexpr builder* builder_of(X const& x, Rest const&... rest) {
  if constexpr (is_traced<X>)
    return x.graph;
  else
    return builder_of(rest...);
}

template <class Op, class Params, class M, class... X>
constexpr term record_into(builder& b, site at, X const&... x) {
  b.here = at;
  term const terms[sizeof...(X) + 1]{operand_traits<X>::enter(b, x)...};
  bool const lawful_so_far = b.refused.what.why == reason::none;
  term const result = b.make<Op>(terms, sizeof...(X), Params::template on<M>());
  if (!result && lawful_so_far) {  // only sizes that were not known while compiling can be refused here
    array_value facts[sizeof...(X) + 1]{};
    array_value const* given[sizeof...(X) + 1]{};
    for (std::size_t i = 0; i < sizeof...(X); ++i) {
      facts[i] = terms[i].facts();
      given[i] = &facts[i];
    }
    speak_of<Op>(b.refused, given, sizeof...(X));
  }
  return result;
}

template <class Op, class Params, class J, class... X>
constexpr auto keep_constant(site at, X const&... x) {
  using type = array_type_of<J, typename J::mesh>;
  auto const recorded = [&] {
    builder b;
    b.recorded.mesh = J::mesh::value;
    term const result = record_into<Op, Params, typename J::mesh>(b, at, x...);
    b.recorded.outputs.push_back(result.id);
    return b.recorded;
  };
  // The size depends on operand types only: the same ops are built for any literal's value.
  constexpr graph_size size = [] {
    builder b;
    b.recorded.mesh = J::mesh::value;
    term const terms[sizeof...(X) + 1]{operand_traits<X>::stand_in(b)...};
    (void)b.make<Op>(terms, sizeof...(X), Params::template on<typename J::mesh>());
    return graph_size{b.recorded.nodes.size(), b.recorded.operands.size(), 0, 1};
  }();
  return constant<type, size.nodes, size.operands>{{}, graph<size.nodes, size.operands, 0, 1>(recorded())};
}

}  // namespace detail

template <class Op, class Params, class... X>
constexpr auto invoke(site at, X const&... x) {
  static_assert((Operand<X> && ...), "tessera: this is not an array, a traced value or a number. Fix: pass one of those.");
  if constexpr ((is_poisoned<X> || ...)) {
    return detail::first_poisoned(x...);
  } else {
    constexpr bool any_array = ((operand_traits<X>::kind == operand_kind::array) || ...);
    static_assert(!any_array || !(is_traced<X> || ...),
                  "tessera: traced code captured an array. Fix: pass the array as an argument of the traced function.");
    if constexpr (any_array) {
      return eager<Op, Params>::run(at, x...);
    } else {
      using J = judged<Op, Params, typename operand_traits<X>::type...>;
      if constexpr (!J::accepted) {
        if (builder* b = detail::builder_of(x...)) {
          refusal found = J::value.refused;
          found.at = at;
          b->refuse(found);
        }
        return poisoned<error_of<Op, J>>{at};
      } else if constexpr ((is_traced<X> || ...)) {
        builder& b = *detail::builder_of(x...);
        return traced<array_type_of<J, typename J::mesh>>{&b, detail::record_into<Op, Params, typename J::mesh>(b, at, x...).id};
      } else {
        return detail::keep_constant<Op, Params, J>(at, x...);
      }
    }
  }
}

}  // namespace tessera
