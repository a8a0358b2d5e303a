// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations with a kernel of their own on whole dimensions. An op derives from opaque<Self, arity, domain> and has
//   name     as users know it
//   shape    rule_input -> opaque_shape: working dimensions of operands and results (rule/opaque.hpp has the usual ones)
//   run      (opaque_call, dense_view<T const> x..., dense_view<T> y...): one element of the batch. TESSERA_FUNCTION
//   run_on_host   the same, for code that only the host can run, or runs faster
//   run_by_team   (team, threads, opaque_call, views...): the same, by a team of an accelerator
//   results<T>, operands<T>   opaque_types of the results and operands for operand 0's element type T; T by default
//   of_complex    true: it also takes complex elements
//   wide_floats   true: the kernel takes no 16-bit floats; operands of these are computed in float32, results rounded
//   own_types   for an op with one list of types that accepts any element types: `shape` gives the results' types
//   transpose     its vector-Jacobian product; transpose_of<K> for result K where there are several
// Batch dimensions keep their layout, working ones must not be sharded. One launch for all blocks; moves 0 bytes.

#include <tessera/graph/backward.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/elementwise.hpp>
#include <tessera/op/base/opaque_types.hpp>
#include <tessera/op/base/opaque_work.hpp>

#include <tuple>

namespace tessera {

namespace detail {

// The forms of Op's kernel, with the types of its views.
template <class Op, class In, class Out>
struct opaque_forms;
template <class Op, class... X, class... Y>
struct opaque_forms<Op, opaque_types<X...>, opaque_types<Y...>> {
  static constexpr bool anywhere = requires(opaque_call const& c, dense_view<X const>... x, dense_view<Y>... y) {
    Op::run(c, x..., y...);
  };
  static constexpr bool on_host = requires(opaque_call const& c, dense_view<X const>... x, dense_view<Y>... y) {
    Op::run_on_host(c, x..., y...);
  };
  struct any_team {};
  static constexpr bool by_team =
      requires(any_team const& team, opaque_call const& c, dense_view<X const>... x, dense_view<Y>... y) {
    Op::run_by_team(team, 1, c, x..., y...);
  };
  static_assert(anywhere || on_host,
                "tessera: an opaque op has no kernel for this element type. Fix: give it run(call, x..., y...).");

  template <class T>
  TESSERA_FUNCTION static dense_view<T> view(opaque_work const& w, std::int64_t e, std::byte* const* at, int k) {
    auto const& o = w.operand[k];
    return {reinterpret_cast<T*>(at[k]), w.extents(k, e), o.strides, o.rank};
  }
  template <std::size_t... I, std::size_t... J>
  TESSERA_FUNCTION static void run(opaque_work const& w, std::int64_t e, std::byte* const* at,
                                   std::index_sequence<I...>, std::index_sequence<J...>) {
    Op::run(w.call, view<X const>(w, e, at, I)..., view<Y>(w, e, at, sizeof...(X) + J)...);
  }
  template <class Team, std::size_t... I, std::size_t... J>
  TESSERA_FUNCTION static void run_by_team(Team const& team, int threads, opaque_work const& w, std::int64_t e,
                                           std::byte* const* at, std::index_sequence<I...>, std::index_sequence<J...>) {
    Op::run_by_team(team, threads, w.call, view<X const>(w, e, at, I)..., view<Y>(w, e, at, sizeof...(X) + J)...);
  }
  template <std::size_t... I, std::size_t... J>
  static void run_on_host(opaque_work const& w, std::int64_t e, std::byte* const* at, std::index_sequence<I...>,
                          std::index_sequence<J...>) {
    Op::run_on_host(w.call, view<X const>(w, e, at, I)..., view<Y>(w, e, at, sizeof...(X) + J)...);
  }
};

// The batch elements of a step for operand 0 of type T.
template <class Op, class T>
struct opaque_kernel {
  using operands = std::make_index_sequence<Op::arity>;
  using results = std::make_index_sequence<Op::result_count>;
  using forms = opaque_forms<Op, decltype(opaque_operands<Op, T>(operands{})), decltype(opaque_results<Op, T>())>;

  // A tile of the host: `grain` elements of the batch.
  static void tile(void const* work, std::byte* const* frame, std::int64_t number) {
    auto const& w = *static_cast<opaque_work const*>(work);
    std::int64_t const end = (number + 1) * w.grain < w.elements ? (number + 1) * w.grain : w.elements;
    for (std::int64_t e = number * w.grain; e < end; ++e) {
      std::byte* at[opaque_work::most];
      for (int k = 0; k < w.operands; ++k) at[k] = frame[w.operand[k].slot] + w.offset(k, e);
      if constexpr (forms::on_host)
        forms::run_on_host(w, e, at, operands{}, results{});
      else
        forms::run(w, e, at, operands{}, results{});
    }
  }
};

// The same for any element type, for a kernel that was not compiled with the program.
template <class Op>
void opaque_tile(void const* work, std::byte* const* frame, std::int64_t tile) {
  if constexpr (has_own_types<Op>)
    opaque_kernel<Op, float>::tile(work, frame, tile);
  else
    with_accepted<Op>(static_cast<opaque_work const*>(work)->element,
                      [&]<class T>(std::type_identity<T>) { opaque_kernel<Op, T>::tile(work, frame, tile); });
}

}  // namespace detail

namespace ops {

// Another result of the local opaque operation that is the operand.
struct opaque_part {
  static constexpr std::string_view name = "result";
  static constexpr op_class kind = op_class::opaque_part;
};

// Result K of Op as an operation of its own; in a program all results of one call are computed together.
template <class Op, int K>
struct part;

template <class Self, int Arity = 1, accepts Domain = accepts::numbers, int Results = 1>
struct opaque {
  static constexpr op_class kind = op_class::opaque;
  static constexpr int arity = Arity;
  static constexpr accepts domain = Domain;
  static constexpr int result_count = Results;
  static constexpr int result_index = 0;
  using call = Self;

  static constexpr opaque_shape local_shape(rule_input const& in) { return tessera::detail::opaque_shape_of<Self>(in); }
  static constexpr verdict rule(rule_input const& in) { return tessera::rule::opaque(in, local_shape(in), 0); }
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    return tessera::detail::widened<Self, Self, 0>(b, x, count, attrs);
  }
  static void tile(void const* work, std::byte* const* frame, std::int64_t number) {
    tessera::detail::opaque_tile<Self>(work, frame, number);
  }
  template <class B>
    requires requires(B& b) { Self::template transpose_of<0>(b); }
  static constexpr void transpose(B& back, int) { Self::template transpose_of<0>(back); }
};

template <class Op, int K>
struct part {
  static constexpr std::string_view name = Op::name;
  static constexpr op_class kind = op_class::opaque;
  static constexpr int result_index = K;
  using call = Op;
  static constexpr op_info const* whole = &info<Op>;
  static constexpr opaque_shape local_shape(rule_input const& in) { return tessera::detail::opaque_shape_of<Op>(in); }
  static constexpr verdict rule(rule_input const& in) {
    static_assert(op_register<Op>::done);
    return tessera::rule::opaque(in, local_shape(in), K);
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    return tessera::detail::widened<part, Op, K>(b, x, count, attrs);
  }
  template <class B>
    requires requires(B& b) { Op::template transpose_of<K>(b); }
  static constexpr void transpose(B& back, int) { Op::template transpose_of<K>(back); }
};

}  // namespace ops

namespace detail {
// The results after the first; if they are refused, each of them is the refusal.
template <class Op, class Params, class First, class... X>
constexpr auto with_other_results(First const& first, site at, X const&... x) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    if constexpr (is_poisoned<First>)
      return std::tuple{first, (static_cast<void>(K), first)...};
    else
      return std::tuple{first, invoke<ops::part<Op, static_cast<int>(K) + 1>, Params>(at, x...)...};
  }
  (std::make_index_sequence<Op::result_count - 1>{});
}
}  // namespace detail

// The door of an opaque op with one operand and several results: std::tuple(result 0, result 1, ...).
template <class Op, class Params = no_params>
struct results_door {
  template <class X>
  constexpr auto operator()(X const& x, site at = std::source_location::current()) const {
    return detail::with_other_results<Op, Params>(invoke<Op, Params>(at, x), at, x);
  }
  template <class X, class Number>
    requires std::is_arithmetic_v<Number>
  constexpr auto operator()(X const& x, Number const&, site at = std::source_location::current()) const {
    return detail::refused_as<written::numbers_as_arguments>(x, at);
  }
};

}  // namespace tessera
