// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operators of traced values, constants and arrays, as hidden friends that know the line they were written on.

#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/graph/op_names.hpp>
#include <tessera/trace/invoke.hpp>
#include <tessera/trace/located.hpp>
#include <tessera/trace/no_methods.hpp>
#include <tessera/trace/refused.hpp>

#include <type_traits>

namespace tessera {

template <class X, class... Index>
struct indexed;  // op/index/at.hpp
template <class Error>
struct poisoned;  // trace/handle.hpp
template <class... Error>
struct explained;

namespace detail {
template <class X, class Y>
constexpr auto assign(X& x, Y const& y);  // trace/assign.hpp
struct located_index {
  site at;
  template <class I>
  constexpr located_index(I const&, std::source_location s = std::source_location::current()) : at(s) {}
};
template <class T>
concept Number = ElementNumber<T>;
template <class T>
concept Handle = std::is_base_of_v<comparand<T>, T>;
}  // namespace detail

// Written out: a macro would put three more lines into every error of an operator.
template <class Self>
struct operators : comparand<Self>, detail::no_methods<Self> {
  // x.at(index...).get(), .set(v) and so on: op/index/at.hpp.
  template <class... Index>
  constexpr auto at(Index const&... index) const {
    return indexed<Self, Index...>{{static_cast<Self const&>(*this), {index...}}};
  }
  template <class Y>
  friend constexpr auto operator+(located<Self> x, Y const& y) {
    return invoke<ops::add, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator+=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::add, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator+(N n, located<Self> y) {
    return invoke<ops::add, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator-(located<Self> x, Y const& y) {
    return invoke<ops::subtract, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator-=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::subtract, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator-(N n, located<Self> y) {
    return invoke<ops::subtract, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator*(located<Self> x, Y const& y) {
    return invoke<ops::multiply, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator*=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::multiply, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator*(N n, located<Self> y) {
    return invoke<ops::multiply, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator/(located<Self> x, Y const& y) {
    return invoke<ops::divide, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator/=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::divide, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator/(N n, located<Self> y) {
    return invoke<ops::divide, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator%(located<Self> x, Y const& y) {
    return invoke<ops::remainder, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator%=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::remainder, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator%(N n, located<Self> y) {
    return invoke<ops::remainder, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator&(located<Self> x, Y const& y) {
    return invoke<ops::bitwise_and, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator&=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::bitwise_and, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator&(N n, located<Self> y) {
    return invoke<ops::bitwise_and, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator|(located<Self> x, Y const& y) {
    return invoke<ops::bitwise_or, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator|=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::bitwise_or, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator|(N n, located<Self> y) {
    return invoke<ops::bitwise_or, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator^(located<Self> x, Y const& y) {
    return invoke<ops::bitwise_xor, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator^=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::bitwise_xor, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator^(N n, located<Self> y) {
    return invoke<ops::bitwise_xor, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator<<(located<Self> x, Y const& y) {
    return invoke<ops::left_shift, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator<<=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::left_shift, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator<<(N n, located<Self> y) {
    return invoke<ops::left_shift, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator>>(located<Self> x, Y const& y) {
    return invoke<ops::right_shift, no_params>(x.at, x.value, y);
  }
  template <class Y>
  friend constexpr auto& operator>>=(assigned<Self> x, Y const& y) {
    detail::assign(x.variable, invoke<ops::right_shift, no_params>(x.at, x.variable, y));
    return x.variable;
  }
  template <detail::Number N>
  friend constexpr auto operator>>(N n, located<Self> y) {
    return invoke<ops::right_shift, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator==(comparand<Self> x, comparand<Y> const& y) {
    return invoke<ops::equal, no_params>(x.at, *x.value, static_cast<Y const&>(y));
  }
  template <class Y>
    requires(!detail::Handle<Y>)
  friend constexpr auto operator==(comparand<Self> x, Y const& y) {
    return invoke<ops::equal, no_params>(x.at, *x.value, y);
  }
  template <detail::Number N>
  friend constexpr auto operator==(N n, comparand<Self> y) {
    return invoke<ops::equal, no_params>(y.at, n, *y.value);
  }
  template <class Y>
  friend constexpr auto operator!=(comparand<Self> x, comparand<Y> const& y) {
    return invoke<ops::not_equal, no_params>(x.at, *x.value, static_cast<Y const&>(y));
  }
  template <class Y>
    requires(!detail::Handle<Y>)
  friend constexpr auto operator!=(comparand<Self> x, Y const& y) {
    return invoke<ops::not_equal, no_params>(x.at, *x.value, y);
  }
  template <detail::Number N>
  friend constexpr auto operator!=(N n, comparand<Self> y) {
    return invoke<ops::not_equal, no_params>(y.at, n, *y.value);
  }
  template <class Y>
  friend constexpr auto operator<(located<Self> x, Y const& y) {
    return invoke<ops::less, no_params>(x.at, x.value, y);
  }
  template <detail::Number N>
  friend constexpr auto operator<(N n, located<Self> y) {
    return invoke<ops::less, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator<=(located<Self> x, Y const& y) {
    return invoke<ops::less_equal, no_params>(x.at, x.value, y);
  }
  template <detail::Number N>
  friend constexpr auto operator<=(N n, located<Self> y) {
    return invoke<ops::less_equal, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator>(located<Self> x, Y const& y) {
    return invoke<ops::greater, no_params>(x.at, x.value, y);
  }
  template <detail::Number N>
  friend constexpr auto operator>(N n, located<Self> y) {
    return invoke<ops::greater, no_params>(y.at, n, y.value);
  }
  template <class Y>
  friend constexpr auto operator>=(located<Self> x, Y const& y) {
    return invoke<ops::greater_equal, no_params>(x.at, x.value, y);
  }
  template <detail::Number N>
  friend constexpr auto operator>=(N n, located<Self> y) {
    return invoke<ops::greater_equal, no_params>(y.at, n, y.value);
  }

  template <class = void>
  constexpr auto operator[](detail::located_index i) const {
    return detail::refused_as<written::subscript>(static_cast<Self const&>(*this), i.at);
  }

  // for (auto row : x), std::accumulate(x.begin(), x.end(), 0.f)
  template <class = void>
  constexpr refused_answer* begin(site at = std::source_location::current()) const {
    (void)detail::refused_as<written::as_range>(static_cast<Self const&>(*this), at);
    return nullptr;
  }
  template <class = void>
  constexpr refused_answer* end() const {
    return nullptr;
  }

  // The dimensions reversed.
  constexpr auto T(site at = std::source_location::current()) const {
    return invoke<ops::permute, no_params>(at, static_cast<Self const&>(*this));
  }
  template <class = void>  // nvcc refuses one that is no template and, for arrays, not constexpr
  friend constexpr auto operator-(located<Self> x) {
    return invoke<ops::negative, no_params>(x.at, x.value);
  }
  template <class = void>
  friend constexpr auto operator~(located<Self> x) {
    return invoke<ops::bitwise_not, no_params>(x.at, x.value);
  }
};

}  // namespace tessera
