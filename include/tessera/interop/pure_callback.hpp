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

#include <algorithm>
#include <memory>
#include <ranges>
#include <stdexcept>
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
  if constexpr (std::ranges::sized_range<R const&>)
    if (auto const size = static_cast<std::size_t>(std::ranges::size(given)); size != count)
      throw std::invalid_argument("tessera: pure_callback: the function returned " + std::to_string(size) +
                                  " elements of result " + std::to_string(number) + ", which has " +
                                  std::to_string(count) +
                                  ". Fix: return all of them, or name the result's type: block_type<float, 2, 8>.");
  auto const fill = [&](T* out) {
    if constexpr (std::ranges::sized_range<R const&>)
      std::ranges::copy(given, out);
    else
      *out = given;
  };
  row_major_block<T, Rank> const block(y);
  auto* const at = reinterpret_cast<T*>(block.view().data());
  if constexpr (runs_on_host) {
    fill(at);
  } else {
    auto const all = std::make_unique<T[]>(count);
    fill(all.get());
    copy_bytes(reinterpret_cast<std::byte*>(at), reinterpret_cast<std::byte const*>(all.get()), count * sizeof(T),
               true);
  }
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
    : tessera::detail::on_blocks<pure_callback<F, opaque_types<X...>, opaque_types<Y...>>, opaque_types<X...>,
                                 opaque_types<Y...>> {
  static constexpr std::string_view name = "pure_callback";

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

// The operation that a call is, or what is said of it.
template <class F, class Results, class Positions, class... X>
struct callback_on_arrays;
template <class F, class... R, std::size_t... I, class... X>
struct callback_on_arrays<F, opaque_types<R...>, std::index_sequence<I...>, X...> {
  template <std::size_t K, class Y>
  using element = typename operand_block<Y, static_cast<int>(K)>::type;
  using operands = opaque_types<element<I, X>...>;
  using results = typename blocks_of_results<operands, R...>::type;
  static constexpr bool good = [] {
    if constexpr (std::is_invocable_v<F const&, callback_value<typename element<I, X>::element> const&...>)
      return are_returned<returned_by<F, element<I, X>...>, results>;
    else
      return false;
  }();
  static constexpr bool several = sizeof...(R) > 1;
  using op = ops::pure_callback<F, operands, results>;
  template <class... Y>
  using sentence = written::callback_results<Y...>;
};
// An operand that is none: the operation that is refused.
struct callback_on_others {
  static constexpr bool good = true, several = false;
  using op = ops::pure_callback<void, opaque_types<>, opaque_types<>>;
};
struct callback_that_holds_state {
  static constexpr bool good = false;
  template <class... Y>
  using sentence = written::callback_with_state<Y...>;
};
struct callback_of_too_many {
  static constexpr bool good = false;
  template <class... Y>
  using sentence = written::callback_of_too_many<Y...>;
};
template <class F, class Results, class... X>
constexpr auto callback_call_of() {
  if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>)
    return callback_that_holds_state{};
  else if constexpr (boost::mp11::mp_size<Results>::value > opaque_shape::most_results)
    return callback_of_too_many{};
  else if constexpr (!(is_kernel_operand<X> && ...))
    return callback_on_others{};
  else
    return callback_on_arrays<F, Results, std::index_sequence_for<X...>, X...>{};
}
template <class Call, class... X>
constexpr auto refused_callback(site at, X const&... x) {
  if constexpr (any_traced<X...>)
    return refused_as<Call::template sentence>(first_traced(x...), at);
  else
    Call::template sentence<X...>::explain();
}

}  // namespace detail

// Each calls invoke itself: a function in between would be lines of every error's text.
namespace functions {

template <class... Results, class F, class First>
constexpr auto pure_callback(F const&, First const& a, site at = std::source_location::current()) {
  using call = decltype(detail::callback_call_of<F, opaque_types<Results...>, First>());
  if constexpr (!call::good)
    return detail::refused_callback<call>(at, a);
  else if constexpr (call::several)
    return detail::with_other_results<typename call::op, no_params>(invoke<typename call::op, no_params>(at, a), at, a);
  else
    return invoke<typename call::op, no_params>(at, a);
}
template <class... Results, class F, class First, class Second>
constexpr auto pure_callback(F const&, First const& a, Second const& b, site at = std::source_location::current()) {
  using call = decltype(detail::callback_call_of<F, opaque_types<Results...>, First, Second>());
  if constexpr (!call::good)
    return detail::refused_callback<call>(at, a, b);
  else if constexpr (call::several)
    return detail::with_other_results<typename call::op, no_params>(invoke<typename call::op, no_params>(at, a, b), at,
                                                                    a, b);
  else
    return invoke<typename call::op, no_params>(at, a, b);
}
template <class... Results, class F, class First, class Second, class Third>
constexpr auto pure_callback(F const&, First const& a, Second const& b, Third const& c,
                             site at = std::source_location::current()) {
  using call = decltype(detail::callback_call_of<F, opaque_types<Results...>, First, Second, Third>());
  if constexpr (!call::good)
    return detail::refused_callback<call>(at, a, b, c);
  else if constexpr (call::several)
    return detail::with_other_results<typename call::op, no_params>(invoke<typename call::op, no_params>(at, a, b, c),
                                                                    at, a, b, c);
  else
    return invoke<typename call::op, no_params>(at, a, b, c);
}
template <class... Results, class F, class First, class Second, class Third, class Fourth>
constexpr auto pure_callback(F const&, First const& a, Second const& b, Third const& c, Fourth const& d,
                             site at = std::source_location::current()) {
  using call = decltype(detail::callback_call_of<F, opaque_types<Results...>, First, Second, Third, Fourth>());
  if constexpr (!call::good)
    return detail::refused_callback<call>(at, a, b, c, d);
  else if constexpr (call::several)
    return detail::with_other_results<typename call::op, no_params>(
        invoke<typename call::op, no_params>(at, a, b, c, d), at, a, b, c, d);
  else
    return invoke<typename call::op, no_params>(at, a, b, c, d);
}
template <class... Results, class F, class First, class Second, class Third, class Fourth, class Fifth>
constexpr auto pure_callback(F const&, First const& a, Second const& b, Third const& c, Fourth const& d, Fifth const& e,
                             site at = std::source_location::current()) {
  using call = decltype(detail::callback_call_of<F, opaque_types<Results...>, First, Second, Third, Fourth, Fifth>());
  if constexpr (!call::good)
    return detail::refused_callback<call>(at, a, b, c, d, e);
  else if constexpr (call::several)
    return detail::with_other_results<typename call::op, no_params>(
        invoke<typename call::op, no_params>(at, a, b, c, d, e), at, a, b, c, d, e);
  else
    return invoke<typename call::op, no_params>(at, a, b, c, d, e);
}

}  // namespace functions
}  // namespace tessera
