// SPDX-License-Identifier: Apache-2.0
#pragma once
// The gradient of a function as a function object: the function is recorded, then walked backwards.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/base/unpack.hpp>
#include <tessera/error/error.hpp>
#include <tessera/graph/backward.hpp>
#include <tessera/op/base/custom_rule.hpp>
#include <tessera/op/base/identity.hpp>
#include <tessera/trace/error_in.hpp>
#include <tessera/trace/leaf_meshes.hpp>
#include <tessera/trace/look.hpp>
#include <tessera/trace/on_arrays.hpp>
#include <tessera/trace/own_program.hpp>
#include <tessera/trace/record.hpp>
#include <tessera/trace/refused_call.hpp>
#include <tessera/transform/reduce_dtype.hpp>
#include <tessera/transform/wanted_leaves.hpp>

namespace tessera {
namespace ops {

// The operation that refusals of grad name.
struct grad {
  static constexpr std::string_view name = "grad";
  static constexpr op_class kind = op_class::identity;
};

}  // namespace ops

namespace detail {

// F, whose gradient is that of a complex function.
template <class F>
struct holomorphic_function {
  [[no_unique_address]] F function;
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return function(x...);
  }
};
template <class F>
inline constexpr bool is_holomorphic = false;
template <class F>
inline constexpr bool is_holomorphic<holomorphic_function<F>> = true;

}  // namespace detail

// F's gradient as a function object. WithValue: also the value; Aux: F returns (loss, aux).
template <class F, bool WithValue, bool Aux, int... Wanted>
struct gradient {
  [[no_unique_address]] F function;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    if constexpr (sizeof...(X) == 0) {
      written::argument_beyond<F>::explain();
      return poisoned<explained<>>{};
    } else if constexpr ((contains_array<X>() || ...)) {
      using call = run_traced<gradient, X...>;
      call::refused::explain();
      return call::run(x...);
    } else if constexpr (detail::alone_with<operand_kind::constant, X...> ||
                         detail::alone_with<operand_kind::number, X...>) {
      using M = typename detail::leaf_meshes<std::tuple<signature_of<X>...>>::type;
      auto const made = detail::recorded_where_it_reads<M>(
          function, [&](auto const& f, builder&) { return f(tree_map(detail::seen_leaf{}, x)...); },
          [&](builder& b) {
            return differentiate(std::index_sequence_for<X...>{}, tree_map(detail::enter_constant<true>{&b}, x)...);
          },
          [&](auto const& seen) {
            using error = detail::error_in<std::remove_cvref_t<decltype(seen)>>;
            return refused_gradient<error>(seen, std::make_tuple(x...));
          });
      // Here: each call in between would be three more lines of an error's text.
      detail::said_here<decltype(made)>::explain();
      return detail::as_said(made);
    } else if constexpr (detail::any_traced<X...>) {
      return by_values(*detail::builder_among(x...), std::index_sequence_for<X...>{}, x...);
    } else if constexpr (!(detail::no_argument<X>::value || ...)) {
      return differentiate(std::index_sequence_for<X...>{}, x...);
    } else {
      using refused = detail::argument_refused<ops::argument, X...>;
      refused::explain();
      return poisoned<explained<refused>>{};
    }
  }

private:
  // The result of a gradient whose function was refused: trees like those of an accepted one.
  template <class Error, class Out, class Marked>
  static constexpr auto refused_gradient(Out const& out, Marked const& marked) {
    detail::poison_leaf<Error> const poison;
    auto const gradients = [&] {
      if constexpr (sizeof...(Wanted) == 1)
        return (tree_map(poison, std::get<Wanted>(marked)), ...);
      else
        return std::make_tuple(tree_map(poison, std::get<Wanted>(marked))...);
    }();
    if constexpr (WithValue)
      return std::make_tuple(tree_map(poison, out), gradients);
    else if constexpr (Aux)
      return std::make_tuple(gradients, std::get<1>(out));
    else
      return gradients;
  }

  static constexpr bool wanted(std::size_t i) { return ((static_cast<std::size_t>(Wanted) == i) || ...); }

  template <std::size_t I, class X>
  static constexpr auto mark(X const& x) {
    if constexpr (wanted(I))
      return tree_map(detail::mark_wanted{}, x);
    else
      return x;
  }

  // Constants and numbers of which the gradient is asked are values of the program, too.
  template <std::size_t... I, class... X>
  constexpr auto by_values(builder& b, std::index_sequence<I...> which, X const&... x) const {
    return differentiate(which, entered<I>(b, x)...);
  }
  template <std::size_t I, class X>
  static constexpr auto entered(builder& b, X const& x) {
    if constexpr (wanted(I) &&
                  (detail::contains<operand_kind::constant, X> || detail::contains<operand_kind::number, X>))
      return tree_map(detail::enter_constant<true>{&b}, x);
    else
      return x;
  }

  template <std::size_t... I, class... X>
  constexpr auto differentiate(std::index_sequence<I...> which, X const&... x) const {
    using refused = detail::aux_refused<Aux, F, decltype(mark<I>(x))...>;
    using integers =
        std::conditional_t<std::is_void_v<detail::error_in<X...>>, detail::error_in<decltype(mark<I>(x))...>, void>;
    if constexpr (((Wanted < 0 || Wanted >= static_cast<int>(sizeof...(X))) || ...))
      return detail::poisoned_in<written::argument_beyond<>>(detail::builder_among(x...), reason::not_callable, site{});
    else if constexpr (!std::is_void_v<integers>)
      return detail::poisoned_in<integers>(detail::builder_among(x...), reason::element_unsupported, site{});
    else if constexpr (!std::is_void_v<refused>)
      return detail::poisoned_in<refused>(detail::builder_among(x...), reason::not_callable, site{});
    else
      return differentiate_call(which, x...);
  }
  template <std::size_t... I, class... X>
  constexpr auto differentiate_call(std::index_sequence<I...>, X const&... x) const {
    builder* const graph = detail::builder_among(x...);
    int const start = graph ? graph->size() : 0;
    auto const marked = std::tuple<decltype(mark<I>(x))...>{mark<I>(x)...};
    detail::differentiated_call const call(graph, start);
    auto const out = detail::unpack(function, marked);
    if (graph) detail::hand_on_rules(*graph, graph->calls.back(), call.number);
    auto const loss = [&] {
      if constexpr (Aux)
        return std::get<0>(out);
      else
        return out;
    }();
    using loss_type = std::decay_t<decltype(loss)>;
    if constexpr (std::is_same_v<loss_type, refused_answer>) {
      return refused_gradient<explained<>>(poisoned<explained<>>{}, marked);
    } else if constexpr (!Operand<loss_type>) {
      return detail::poisoned_in<error::grad_of_non_scalar<ops::grad, error::given<loss_type>>>(
          graph, reason::grad_of_non_scalar, site{});
    } else if constexpr (is_poisoned<loss_type>) {
      return refused_gradient<typename loss_type::error>(out, marked);
    } else {
      using type = typename operand_traits<loss_type>::type;
      if constexpr (type::value.rank == 0 && !is_inexact(type::value.element)) {
        if (graph) graph->refuse(tessera::refuse(reason::element_unsupported), bare_info<ops::grad>, type::value);
        return refused_gradient<error::element_unsupported<ops::grad, error::spelled<error::operand, type>>>(out,
                                                                                                             marked);
      } else if constexpr (type::value.rank != 0 || is_complex(type::value.element) != detail::is_holomorphic<F>) {
        if (graph) graph->refuse(tessera::refuse(reason::grad_of_non_scalar), bare_info<ops::grad>, type::value);
        return refused_gradient<error::grad_of_non_scalar<ops::grad, error::spelled<error::operand, type>>>(out,
                                                                                                            marked);
      } else {
        int const output = operand_traits<loss_type>::enter(*graph, loss).id;
        growable<int> ids;
        (tree_each(detail::collect_nodes{&ids}, std::get<Wanted>(marked)), ...);
        backward back(*graph, start, ids.data(), static_cast<int>(ids.size()));
        detail::walk_of const walk(*graph, call.number);
        dtype const around = graph->here.sums;
        if constexpr (detail::sums_of<F> != dtype::boolean) graph->here.sums = detail::sums_of<F>;
        back.run(output, number(*graph, 1.0, type::value.element));
        graph->here.sums = around;
        auto const read = detail::read_cotangent<backward, typename type::mesh>{&back};
        auto const gradients = [&] {
          if constexpr (sizeof...(Wanted) == 1)
            return (tree_map(read, std::get<Wanted>(marked)), ...);
          else
            return tree_map(
                read, std::tuple<std::decay_t<decltype(std::get<Wanted>(marked))>...>{std::get<Wanted>(marked)...});
        }();
        if constexpr (WithValue)
          return std::tuple<std::decay_t<decltype(out)>, std::decay_t<decltype(gradients)>>{out, gradients};
        else if constexpr (Aux)
          return std::tuple<std::decay_t<decltype(gradients)>, std::decay_t<decltype(std::get<1>(out))>>{
              gradients, std::get<1>(out)};
        else
          return gradients;
      }
    }
  }
};

}  // namespace tessera
