// SPDX-License-Identifier: Apache-2.0
#pragma once
// The values of traced code: their type has the facts, their value is a node number. Also poisoned values.

#include <tessera/aval/array_type.hpp>
#include <tessera/trace/members.hpp>
#include <tessera/trace/operators.hpp>
#include <tessera/trace/refused.hpp>

#include <iosfwd>
#include <tuple>
#include <type_traits>

namespace tessera {

// A value of the program being traced. Its type does not depend on its history.
template <ArrayType A>
struct traced : typed_members<traced<A>>, recorded {
  using type = A;
  constexpr traced() = default;
  constexpr traced(builder* g, int n) : recorded{g, n} {}
  constexpr typename A::element item() const { return on_host(), typename A::element{}; }
  constexpr traced const& block_until_ready() const { return on_host(), *this; }
  // x = y, if y has this type or is a constant that fits it; another type is refused at the entry of the program.
  template <class Y>
    requires(!std::is_same_v<Y, traced>)
  constexpr traced& operator=(Y const& y) {
    detail::assign(*this, y);
    return *this;
  }
};

// Printing is not constexpr: it is refused at the entry of the program.
template <class Traits, ArrayType A>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, traced<A> const&) {
  return out;
}

// The types to which a refused result may be assigned: variables of traced code, arrays
// (array/array.hpp), trees (trace/poison.hpp).
template <class T>
inline constexpr bool takes_refused = false;
template <ArrayType A>
inline constexpr bool takes_refused<traced<A>> = true;
namespace detail {
// Never called, since no program with a refused value is compiled to its end.
template <class T>
T never_made();
}  // namespace detail

// The result of a refused operation. Every op returns it again, and its reason is reported once, at the entry of the
// program. Its members return a refused_answer.
template <class Error>
struct poisoned : operators<poisoned<Error>>, refused_members {
  using error = Error;
  using mesh_type = no_mesh;
  using element = float;
  using host_element = float;
  site line{};
  refusal why{};             // if no program could record it
  builder* graph = nullptr;  // the program that recorded it, if known
  constexpr poisoned() = default;
  constexpr explicit poisoned(site s) : line(s) {}
  constexpr explicit poisoned(refusal const& found, builder* b = nullptr) : line(found.at), why(found), graph(b) {}
  template <class Y>
  constexpr poisoned& operator=(Y const&) {
    return *this;
  }

  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit operator T() const { return {}; }
  template <class I>
  constexpr poisoned operator[](I const&) const {
    return *this;
  }
  template <class... X>
  constexpr poisoned operator()(X const&...) const {
    return *this;
  }
  // For auto [value, slope] = f(x), where f is refused as a whole: the number of names is unknown, and two are common.
  template <std::size_t>
  constexpr poisoned get() const {
    return *this;
  }
  template <class T>
    requires takes_refused<T>
  constexpr operator T() const {
    if constexpr (requires(T t) { t.node; })
      return {graph, -1};
    else
      return detail::never_made<T>();
  }
  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, poisoned const&) {
    return out;
  }
};

template <class Error>
inline constexpr bool is_refused<poisoned<Error>> = true;

}  // namespace tessera

template <class Error>
struct std::tuple_size<tessera::poisoned<Error>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I, class Error>
struct std::tuple_element<I, tessera::poisoned<Error>> {
  using type = tessera::poisoned<Error>;
};

namespace tessera {

// An error that was reported at the call: it reports nothing more.
template <class... Error>
struct explained {
  static consteval void explain() {}
};

namespace detail {
// An error type, or for void a type whose explain() does nothing.
template <class Error>
using error_or_silence = std::conditional_t<std::is_void_v<Error>, explained<>, Error>;

// The result of a call with refused arguments: the first of them.
constexpr poisoned<explained<>> absorbed() { return {}; }
template <class X, class... Rest>
constexpr auto absorbed(X const& x, Rest const&... rest) {
  if constexpr (Refused<X> && !std::is_same_v<X, refused_answer>)
    return x;
  else
    return absorbed(rest...);
}

// Takes the place of a function that was not made.
struct takes_anything {
  template <class... X>
  constexpr auto operator()(X const&...) const {
    return poisoned<explained<>>{};
  }
};
// For tree_map: poisons every leaf.
template <class Error>
struct poison_leaf {
  refusal why{};
  template <class X>
  constexpr auto operator()(X const&) const {
    return poisoned<Error>{why};
  }
};
}  // namespace detail

// A constant without storage or graph (zeros, iota, operations on them): a small program of its own, which is joined to
// the program or array that it meets.
template <ArrayType A, std::size_t Nodes, std::size_t Operands>
struct constant_array : constant_members<constant_array<A, Nodes, Operands>> {
  using type = A;
  tessera::graph<graph_size{Nodes, Operands, 0, 1}> program{};
  template <class Y>
    requires(!std::is_same_v<Y, constant_array>)
  constexpr constant_array& operator=(Y const& y) {
    detail::assign(*this, y);
    return *this;
  }
};

// A constant whose program has a loop or a branch, so that its type does not give its size. It exists while its
// function is traced, or at run time.
template <ArrayType A>
struct grown_constant : constant_members<grown_constant<A>> {
  using type = A;
  growable_graph program;
  refusal why{};  // the refusal for the program that it joins
};

template <class X>
inline constexpr bool is_grown = false;
template <ArrayType A>
inline constexpr bool is_grown<grown_constant<A>> = true;
template <class X>
inline constexpr bool is_constant = is_grown<X>;
template <ArrayType A, std::size_t Nodes, std::size_t Operands>
inline constexpr bool is_constant<constant_array<A, Nodes, Operands>> = true;
template <class X>
concept ConstantValue = is_constant<X>;

}  // namespace tessera
