// SPDX-License-Identifier: Apache-2.0
#pragma once
// debug_check and debug_callback as operations: effects without a result. view/debug_check.hpp and
// view/debug_callback.hpp have the functions for users.

#include <tessera/aval/dtype.hpp>
#include <tessera/graph/effect.hpp>
#include <tessera/op/effect/debug_print.hpp>

#include <span>
#include <stdexcept>
#include <utility>

namespace tessera {

// A debug_check did not hold.
class check_failed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// What a callback is given of an operand: its elements, row-major, in host memory, as long as the callback runs.
template <class T>
struct callback_value : std::span<T const> {
  extents_list extents{};
  extents_list const& shape() const { return extents; }
};

namespace ops {

// (bool, values of the format) -> nothing. Throws check_failed if an element is false.
struct debug_check {
  static constexpr std::string_view name = "debug_check";
  static constexpr op_class kind = op_class::effect;
  static constexpr verdict rule(rule_input const& in) {
    if (in[0].element != dtype::boolean) return refuse(reason::element_unsupported);
    return debug_print::rule(in);
  }
  static void act(effect_call const& call);
};

// (values) -> nothing. Calls F with a callback_value<T> for each.
template <class F, class... T>
struct debug_callback {
  static constexpr std::string_view name = "debug_callback";
  static constexpr op_class kind = op_class::effect;
  static constexpr verdict rule(rule_input const& in) { return debug_print::rule(in); }
  static void act(effect_call const& call) { with_values(call, std::index_sequence_for<T...>{}); }

private:
  template <std::size_t... I>
  static void with_values(effect_call const& call, std::index_sequence<I...>) {
    auto const value = [&]<class E>(std::type_identity<E>, std::size_t k) {
      auto const& x = call.operands[k];
      return callback_value<E>{{reinterpret_cast<E const*>(x.data), static_cast<std::size_t>(x.facts.size())},
                               x.facts.shape()};
    };
    F{}(value(std::type_identity<T>{}, I)...);
  }
};

}  // namespace ops
}  // namespace tessera
