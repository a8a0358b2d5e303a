// SPDX-License-Identifier: Apache-2.0
#pragma once
// A function on the host as an operation: pure_callback(f, x, ...) calls f, a function object without state, with a
// callback_value of each operand: a std::span of its elements, row-major, with its shape(). What f returns is the result:
//   pure_callback([](auto v) { return std::vector<float>(v.rbegin(), v.rend()); }, x)                as operand 0
//   pure_callback<block_type<float>>([](auto v) { return *std::ranges::max_element(v); }, x)         an element, no dimensions
//   auto [y, n] = pure_callback<block_type<float, 4>, block_type<int>>(f, x)                         f returns a std::tuple
// A result is a range of its elements, row-major; of no dimensions it may be the element. In shard_map f is called once for
// each device's block, elsewhere once, and operands must be whole; inside vmap once for each element. The calls are made one
// after the other by the thread that runs the program, but f must be pure: a call may be left out, moved out of a loop, or
// joined with another one. What f throws leaves the call of the program. Moves 0 bytes between devices; on accelerators
// operands and results are copied. One to five operands, up to three results. No gradient: custom_vjp gives one.
// std::invalid_argument if f returns another number of elements than the result has.
// Source: JAX 0.10.2 jax.pure_callback, vmap_method "sequential". Differs: a sharded operand is not gathered unasked.

#include <tessera/interop/block_type.hpp>
#include <tessera/interop/row_major_block.hpp>
#include <tessera/op/effect/debug_check.hpp>
#include <tessera/trace/refused.hpp>

#include <memory>
#include <ranges>
#include <string>

namespace tessera {

namespace detail {

// A block's elements in host memory, row-major.
template <class T, int Rank>
class block_on_host {
public:
  explicit block_on_host(dense_view<T const> const& x) : block_(x) {
    auto const* const at = reinterpret_cast<T const*>(block_.view().data());
    auto const count = static_cast<std::size_t>(x.size());
    T const* elements = at;
    if constexpr (!runs_on_host) {
      copy_ = std::make_unique<T[]>(count);
      copy_bytes(reinterpret_cast<std::byte*>(copy_.get()), reinterpret_cast<std::byte const*>(at), count * sizeof(T),
                 false);
      elements = copy_.get();
    }
    value = {{elements, count}, {}};
    for (int d = 0; d < Rank; ++d) value.extents.push_back(x.extent(d));
  }
  callback_value<T> value{};

private:
  row_major_block<T const, Rank> block_;
  std::unique_ptr<T[]> copy_;
};

// Whether R is what a function returns for a result of T elements and Rank dimensions.
template <class R, class T, int Rank>
inline constexpr bool is_returned = [] {
  if constexpr (std::ranges::sized_range<R const&>)
    return std::is_same_v<std::ranges::range_value_t<R const&>, T>;
  else
    return Rank == 0 && std::is_same_v<R, T>;
}();
template <class Given, class Results>
inline constexpr bool are_returned = false;
template <class R, class Y>
inline constexpr bool are_returned<R, opaque_types<Y>> = is_returned<R, typename Y::element, Y::rank>;
template <class... R, class... Y>
  requires(sizeof...(R) == sizeof...(Y) && sizeof...(Y) > 1)
inline constexpr bool are_returned<std::tuple<R...>, opaque_types<Y...>> =
    (is_returned<R, typename Y::element, Y::rank> && ...);

template <class T, int Rank, class R>
void take_result(dense_view<T> const& y, R const& given, int number) {
  auto const count = static_cast<std::size_t>(y.size());
  auto const all = std::make_unique<T[]>(count);
  if constexpr (std::ranges::sized_range<R const&>) {
    if (auto const size = static_cast<std::size_t>(std::ranges::size(given)); size != count)
      throw std::invalid_argument("tessera: pure_callback: the function returned " + std::to_string(size) +
                                  " elements of result " + std::to_string(number) + ", which has " +
                                  std::to_string(count) +
                                  ". Fix: return all of them, or name the result's type: block_type<float, 2, 8>.");
    std::ranges::copy(given, all.get());
  } else {
    all[0] = given;
  }
  row_major_block<T, Rank> const block(y);
  copy_bytes(reinterpret_cast<std::byte*>(block.view().data()), reinterpret_cast<std::byte const*>(all.get()),
             count * sizeof(T), true);
  block.finish();
}

template <class F, class... X>
using returned_by = std::remove_cvref_t<std::invoke_result_t<F const&, callback_value<typename X::element> const&...>>;

}  // namespace detail

namespace ops {

template <class F, class Operands, class Results>
struct pure_callback;
template <class F, class... X, class... Y>
struct pure_callback<F, opaque_types<X...>, opaque_types<Y...>>
    : opaque<pure_callback<F, opaque_types<X...>, opaque_types<Y...>>, sizeof...(X), accepts::any, sizeof...(Y)> {
  static constexpr std::string_view name = "pure_callback";
  static constexpr bool own_types = true;
  template <class>
  using operands = opaque_types<typename X::element...>;
  template <class>
  using results = opaque_types<typename Y::element...>;

  static constexpr opaque_shape shape(rule_input const& in) {
    opaque_shape made = tessera::detail::shape_of_blocks<opaque_types<X...>, opaque_types<Y...>>(in);
    made.launches = true;
    return made;
  }
  static void run_on_host(opaque_call const&, dense_view<typename X::element const>... x,
                          dense_view<typename Y::element>... y) {
    fence();
    auto const given = F{}(tessera::detail::block_on_host<typename X::element, X::rank>(x).value...);
    if constexpr (sizeof...(Y) == 1)
      (tessera::detail::take_result<typename Y::element, Y::rank>(y, given, 0), ...);
    else
      take(given, std::index_sequence_for<Y...>{}, y...);
  }

private:
  template <class Given, std::size_t... K>
  static void take(Given const& given, std::index_sequence<K...>, dense_view<typename Y::element> const&... y) {
    (tessera::detail::take_result<typename Y::element, Y::rank>(y, std::get<K>(given), static_cast<int>(K)), ...);
  }
};

}  // namespace ops

namespace detail {

template <class F, class Results, class Positions, class... X>
struct callback_call;
template <class F, class... R, std::size_t... I, class... X>
struct callback_call<F, opaque_types<R...>, std::index_sequence<I...>, X...> {
  using operands = opaque_types<typename operand_block<X, static_cast<int>(I)>::type...>;
  using results = typename blocks_of_results<operands, R...>::type;
  using op = ops::pure_callback<F, operands, results>;
  static constexpr int count = sizeof...(R) == 0 ? 1 : static_cast<int>(sizeof...(R));
  static constexpr bool fits = [] {
    if constexpr (std::is_invocable_v<
                      F const&,
                      callback_value<typename operand_block<X, static_cast<int>(I)>::type::element> const&...>)
      return are_returned<returned_by<F, typename operand_block<X, static_cast<int>(I)>::type...>, results>;
    else
      return false;
  }();
};

template <class... R>
struct calls_back_purely {
  template <class F, class... X>
  static constexpr auto call(site at, F const&, X const&... x) {
    constexpr bool counts =
        sizeof...(X) > 0 && sizeof...(X) <= opaque_shape::most_operands && sizeof...(R) <= opaque_shape::most_results;
    if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>)
      return said<written::callback_with_state, F>(at, x...);
    else if constexpr (!counts)
      return said<written::callback_of_no_program, F>(at, x...);
    else if constexpr ((Refused<X> || ...))
      return first_refused(x...);
    else if constexpr (!(Operand<X> && ...))
      return invoke<ops::debug_print, no_params>(at, x...);
    else
      return called<callback_call<F, opaque_types<R...>, std::index_sequence_for<X...>, X...>>(at, x...);
  }

private:
  template <class Call, class... X>
  static constexpr auto called(site at, X const&... x) {
    using op = typename Call::op;
    if constexpr (!Call::fits)
      return said<written::callback_results, op>(at, x...);
    else if constexpr (Call::count > 1)
      return with_other_results<op, no_params>(invoke<op, no_params>(at, x...), at, x...);
    else
      return invoke<op, no_params>(at, x...);
  }
  template <template <class...> class Sentence, class F, class... X>
  static constexpr auto said(site at, X const&... x) {
    if constexpr (any_traced<X...>)
      return refused_as<Sentence>(first_traced(x...), at);
    else
      Sentence<F>::explain();
  }
};

}  // namespace detail

namespace functions {

template <class... Results, class F, class A>
constexpr auto pure_callback(F const& f, A const& a, site at = std::source_location::current()) {
  return detail::calls_back_purely<Results...>::call(at, f, a);
}
template <class... Results, class F, class A, class B>
constexpr auto pure_callback(F const& f, A const& a, B const& b, site at = std::source_location::current()) {
  return detail::calls_back_purely<Results...>::call(at, f, a, b);
}
template <class... Results, class F, class A, class B, class C>
constexpr auto pure_callback(F const& f, A const& a, B const& b, C const& c,
                             site at = std::source_location::current()) {
  return detail::calls_back_purely<Results...>::call(at, f, a, b, c);
}
template <class... Results, class F, class A, class B, class C, class D>
constexpr auto pure_callback(F const& f, A const& a, B const& b, C const& c, D const& d,
                             site at = std::source_location::current()) {
  return detail::calls_back_purely<Results...>::call(at, f, a, b, c, d);
}
template <class... Results, class F, class A, class B, class C, class D, class E>
constexpr auto pure_callback(F const& f, A const& a, B const& b, C const& c, D const& d, E const& e,
                             site at = std::source_location::current()) {
  return detail::calls_back_purely<Results...>::call(at, f, a, b, c, d, e);
}

}  // namespace functions
}  // namespace tessera
