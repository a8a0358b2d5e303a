// SPDX-License-Identifier: Apache-2.0
#pragma once
// expect_comm<F, Args...>(expected): compiles only if expected(comm_of<F, Args...>) is true; the error shows the table
// of F's communication, which a static_assert on a count cannot.
//   ts::expect_comm<step, X, W>([](auto const& cost) { return cost.count(ts::collective::all_reduce) == 1; });
// Args: array types or arrays; expected: a lambda without captures, on constants, so that it can be called while
// compiling. It returns true, for static_assert(ts::expect_comm<...>(...)) outside of functions.

#include <tessera/api/jit.hpp>
#include <tessera/error/communicates_otherwise.hpp>

namespace tessera {
namespace detail {

// Message I of Cost::value as a fact.
template <class Cost, std::size_t I>
struct sent {
  static constexpr message what = Cost::value.messages()[I];
  static constexpr auto cause() {
    if constexpr (what.cause != nullptr)
      return error::facts<error::by<op_at<what.cause>>>{};
    else
      return error::facts<>{};
  }
  static constexpr auto line() {
    if constexpr (what.at.line != 0)
      return error::facts<error::at_line<what.at.line>>{};
    else
      return error::facts<>{};
  }
  template <class... Fact>
  static constexpr auto as_fact(error::facts<Fact...>) {
    return error::facts<error::sends<what.kind, error::spelled_axes<typename Cost::mesh, what.axes.bits>,
                                     error::bytes<what.bytes>, error::times<what.times>, Fact...>>{};
  }
};
// The first messages of a program as facts, 12 at most.
template <class F, class... Args>
struct communicated {
  static constexpr auto const& value = comm_of<F, Args...>;
  using mesh = typename std::remove_cvref_t<decltype(value)>::mesh;
  static constexpr std::size_t count = value.messages().size(), limit = 12;
  template <std::size_t... I>
  static constexpr auto shown(std::index_sequence<I...>) {
    return (error::facts<F>{} + ... +
            sent<communicated, I>::as_fact(sent<communicated, I>::cause() + sent<communicated, I>::line()));
  }
  static constexpr auto rest() {
    if constexpr (count > limit)
      return error::facts<error::and_more<static_cast<int>(count - limit)>>{};
    else
      return error::facts<>{};
  }
  static constexpr auto total() {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value.bytes())>, std::int64_t>)
      return error::facts<error::bytes_in_all<value.bytes()>>{};
    else
      return error::facts<>{};
  }
  template <class... Fact>
  static error::communicates_otherwise<Fact...> as_error(error::facts<Fact...>);
  using error_type =
      decltype(as_error(shown(std::make_index_sequence<(count < limit ? count : limit)>{}) + rest() + total()));
};

}  // namespace detail

namespace functions {

template <class F, class... Args, class Expected>
constexpr bool expect_comm(Expected const&) {
  static_assert(std::is_empty_v<Expected>,
                "tessera: what is expected is asked while compiling. Fix: a lambda without captures, on constants.");
  using refused = why<F, signature_of<Args>...>;
  if constexpr (!std::is_void_v<refused>)
    refused::explain();
  else if constexpr (!Expected{}(comm_of<F, Args...>))
    detail::communicated<F, Args...>::error_type::explain();
  return true;  // as far as anybody gets to ask
}

}  // namespace functions

}  // namespace tessera
