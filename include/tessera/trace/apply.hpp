// SPDX-License-Identifier: Apache-2.0
#pragma once
// The body of the typed door (declared in invoke.hpp): record, keep as a constant, run, or poison.

#include <tessera/trace/judged.hpp>
#include <tessera/trace/operand.hpp>
#include <tessera/trace/unplaced.hpp>

namespace tessera {

// Runs an op on arrays at once: defined in api/eager.hpp.
template <class Op, class Params>
struct eager;

namespace detail {

template <class X>
constexpr builder* builder_in(X const& x) {
  if constexpr (Operand<X>)
    if constexpr (is_traced<X>) return x.graph;
  return nullptr;
}

// Poison for what is no matter of facts: an operand that has none. Given: the C++ type at fault.
template <class Op, reason Why, class Given, class... X>
constexpr auto poison(site at, X const&... x) {
  builder* b = nullptr;
  ((b = b ? b : builder_in(x)), ...);
  if (b) b->refuse(refusal{refuse(Why), &info<Op>, at, {}, {}, 0});
  using error = decltype(error::typed(error::because<Why>{}, error::facts<Op, error::given<Given>>{}));
  return poisoned<error>{at};
}

template <class X>
using no_operand = std::bool_constant<!Operand<X>>;
template <class X>
using stored = std::bool_constant<operand_traits<X>::kind == operand_kind::array>;
template <template <class> class Test, class... X>
using first_where = boost::mp11::mp_front<boost::mp11::mp_copy_if<boost::mp11::mp_list<X...>, Test>>;

template <class X>
inline constexpr bool is_stored_array = operand_traits<X>::kind == operand_kind::array;

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
    for (std::size_t i = 0; i != sizeof...(X); ++i) {
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
  if constexpr ((is_grown<X> || ...)) {
    builder b;
    b.recorded.mesh = J::mesh::value;
    return grow_constant<type>(b, record_into<Op, Params, typename J::mesh>(b, at, x...).id);
  } else {
    // The size depends on operand types only: the same ops are built for any literal's value.
    constexpr graph_size size = [] {
      builder b;
      b.recorded.mesh = J::mesh::value;
      term const terms[sizeof...(X) + 1]{operand_traits<X>::stand_in(b)...};
      (void)b.make<Op>(terms, sizeof...(X), Params::template on<typename J::mesh>());
      return graph_size{b.recorded.nodes.size(), b.recorded.operands.size(), 0, 1};
    }();
    builder b;
    b.recorded.mesh = J::mesh::value;
    term const result = record_into<Op, Params, typename J::mesh>(b, at, x...);
    if (!result) return refused_constant<constant<type, size.nodes, size.operands>>(b.refused, J::mesh::value);
    b.recorded.outputs.push_back(result.id);
    return constant<type, size.nodes, size.operands>{{},
                                                     graph<graph_size{size.nodes, size.operands, 0, 1}>(b.recorded)};
  }
}

}  // namespace detail

template <class Op, class Params, class... X>
constexpr auto invoke(site at, X const&... x) {
  if constexpr (detail::asks_for_place<Params, X...>()) {
    return detail::invoke_placed<Op, Params>(at, x...);
  } else if constexpr (!(Operand<X> && ...)) {
    return detail::poison<Op, reason::not_an_array, detail::first_where<detail::no_operand, X...>>(at, x...);
  } else if constexpr ((is_poisoned<X> || ...)) {
    return detail::first_poisoned(x...);
  } else {
    constexpr bool any_array = (detail::is_stored_array<X> || ...);
    if constexpr (any_array && (is_traced<X> || ...)) {
      return detail::poison<Op, reason::captured_array, typename detail::first_where<detail::stored, X...>::type>(at,
                                                                                                                  x...);
    } else if constexpr (any_array) {
      using J = judged<Op, Params, typename operand_traits<X>::type...>;
      if constexpr (J::accepted) {
        using refused = typename eager<Op, Params>::template refused<X...>;  // where nothing can run, or void
        if constexpr (std::is_void_v<refused>) {
          return eager<Op, Params>::run(at, x...);
        } else {
          refused::explain();
          return poisoned<explained<refused>>{at};
        }
      } else {
        error_of<Op, J>::explain();
        return poisoned<explained<error_of<Op, J>>>{at};
      }
    } else {
      using J = judged<Op, Params, typename operand_traits<X>::type...>;
      if constexpr (!J::accepted) {
        refusal found = J::value.refused;
        found.at = at;
        if (builder* b = detail::builder_of(x...)) b->refuse(found);
        return poisoned<error_of<Op, J>>{found};
      } else if constexpr ((is_traced<X> || ...)) {
        builder& b = *detail::builder_of(x...);
        return traced<array_type_of<J, typename J::mesh>>{
            &b, detail::record_into<Op, Params, typename J::mesh>(b, at, x...).id};
      } else {
        return detail::keep_constant<Op, Params, J>(at, x...);
      }
    }
  }
}

}  // namespace tessera
