// SPDX-License-Identifier: Apache-2.0
#pragma once
// What traced code handles instead of arrays: facts as the type, a node number as the value. Poisoned values too.

#include <tessera/aval/array_type.hpp>
#include <tessera/trace/operators.hpp>
#include <tessera/trace/refused.hpp>

#include <iosfwd>
#include <tuple>
#include <type_traits>

namespace tessera {

// A value of the program being traced. Its type never shows its history.
template <ArrayType A>
struct traced : operators<traced<A>> {
  using type = A;
  builder* graph = nullptr;
  int node = -1;
  constexpr traced() = default;
  constexpr traced(builder* g, int n) : graph(g), node(n) {}
  static constexpr int ndim() { return A::rank; }
  static constexpr extents_list shape() { return A::value.shape(); }
  static constexpr tessera::dtype dtype() { return A::value.element; }
  constexpr explicit operator bool() const { return graph->decide(node); }  // refused, where the program enters
  // x = y, y a value of this type or a constant that can be one; refused where the program enters if it is of another.
  template <class Y>
    requires(!std::is_same_v<Y, traced>)
  constexpr traced& operator=(Y const& y) {
    detail::assign(*this, y);
    return *this;
  }
};

// Printing is not constexpr: refused where the program enters.
template <class Traits, ArrayType A>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, traced<A> const&) {
  return out;
}

// What a refused result may be assigned to: variables of traced code, arrays (array/array.hpp).
template <class T>
inline constexpr bool takes_refused = false;
template <ArrayType A>
inline constexpr bool takes_refused<traced<A>> = true;

// The result of a refused operation: every op absorbs it, and the reason is explained once, where the program enters. What
// else it is asked has a refused_answer.
template <class Error>
struct poisoned : operators<poisoned<Error>>, refused_members {
  using error = Error;
  using mesh_type = no_mesh;
  using element = float;
  using host_element = float;
  site line{};
  refusal why{};             // where no program could note it
  builder* graph = nullptr;  // the program that did, if known
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
  // auto [value, slope] = f(x), refused as a whole: how many names stand there it cannot know, and two are common.
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
      return {};
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

// The error of a call that was explained where it was made: it says nothing more.
template <class... Error>
struct explained {
  static consteval void explain() {}
};

namespace detail {
// An error, or void, as what explain() can be called of.
template <class Error>
using error_or_silence = std::conditional_t<std::is_void_v<Error>, explained<>, Error>;

// The result of a call some of whose arguments were refused.
constexpr poisoned<explained<>> absorbed() { return {}; }
template <class X, class... Rest>
constexpr auto absorbed(X const& x, Rest const&... rest) {
  if constexpr (Refused<X> && !std::is_same_v<X, refused_answer>)
    return x;
  else
    return absorbed(rest...);
}

// What stands for a function that was not made.
struct takes_anything {
  template <class... X>
  constexpr auto operator()(X const&...) const {
    return poisoned<explained<>>{};
  }
};
// For tree_map: every leaf poisoned.
template <class Error>
struct poison_leaf {
  refusal why{};
  template <class X>
  constexpr auto operator()(X const&) const {
    return poisoned<Error>{why};
  }
};
}  // namespace detail

// A constant without storage or graph (zeros, iota, a chain of them): a small program of its own, which joins the
// program or the array it meets.
template <ArrayType A, std::size_t Nodes, std::size_t Operands>
struct constant : operators<constant<A, Nodes, Operands>> {
  using type = A;
  tessera::graph<graph_size{Nodes, Operands, 0, 1}> program{};
  template <class Y>
    requires(!std::is_same_v<Y, constant>)
  constexpr constant& operator=(Y const& y) {
    detail::assign(*this, y);
    return *this;
  }
  static constexpr int ndim() { return A::rank; }
  static constexpr extents_list shape() { return A::value.shape(); }
  static constexpr tessera::dtype dtype() { return A::value.element; }
};

// A constant with a loop or a branch in its program, whose size its type does not say: it exists while its function is
// traced, or at run time.
template <ArrayType A>
struct grown_constant : operators<grown_constant<A>> {
  using type = A;
  growable_graph program;
  refusal why{};  // what the program it joins has to say
  static constexpr int ndim() { return A::rank; }
  static constexpr extents_list shape() { return A::value.shape(); }
  static constexpr tessera::dtype dtype() { return A::value.element; }
};

template <class X>
inline constexpr bool is_grown = false;
template <ArrayType A>
inline constexpr bool is_grown<grown_constant<A>> = true;
template <class X>
inline constexpr bool is_constant = is_grown<X>;
template <ArrayType A, std::size_t Nodes, std::size_t Operands>
inline constexpr bool is_constant<constant<A, Nodes, Operands>> = true;
template <class X>
concept ConstantValue = is_constant<X>;

}  // namespace tessera
