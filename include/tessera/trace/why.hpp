// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks a whole function without running it. Args: array types, arrays, numbers, trees of them.
//   why<F, Args...>         the error type, with the user's line; void if F accepts arguments of these types
//   why_text<F, Args...>()  the same as text, with all names and numbers; "" if F accepts them
//   check<F, Args...>()     does not compile if F does not accept them, and reports why

#include <tessera/error/checked_sharding.hpp>
#include <tessera/error/explain_text.hpp>
#include <tessera/trace/enter_leave.hpp>
#include <tessera/trace/error_in.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {
namespace ops {
struct result;  // names a refusal of a traced function's result
}

namespace detail {

// Each answer has `type`, the error or void, and `text()`.
struct no_refusal {
  using type = void;
  static std::string text() { return {}; }
};
template <reason Why, class Error>
struct plain_refusal {
  using type = Error;
  static std::string text() { return explain(refuse(Why), "trace", nullptr, nullptr, {}); }
};

// An array_type in the user's code that no array can have.
template <ArrayType A>
struct unlawful_type {
  using checked = typename checked_type<A>::checked;
  using type = typename checked::error;
  static std::string text() {
    return explain(checked::judged::what, "array_type", &checked::judged::unsharded::value, nullptr, A::mesh::value);
  }
};

// The refusal of a leaf of the arguments or of the result, whatever the function does.
template <class Leaf>
struct wrong_argument
    : std::conditional_t<std::is_empty_v<Leaf>, no_refusal,
                         plain_refusal<reason::not_an_array, error::not_an_array<ops::argument, error::given<Leaf>>>> {
};
template <ArrayType A>
struct wrong_argument<A> : std::conditional_t<checked_type<A>::accepted, no_refusal, unlawful_type<A>> {};
template <class Storage, class A>
struct wrong_argument<number_type<Storage, A>> : no_refusal {};
template <class Leaf>
struct wrong_result
    : std::conditional_t<Operand<Leaf> || Refused<Leaf> || is_no_leaf<Leaf>, no_refusal,
                         plain_refusal<reason::not_an_array, error::not_an_array<ops::result, error::given<Leaf>>>> {};
// An array that the function captured, or made by what runs at once: device_put, reshard<S, M>.
template <class Leaf>
struct captured_leaf : no_refusal {};
template <Operand Leaf>
  requires is_stored_array<Leaf>
struct captured_leaf<Leaf>
    : plain_refusal<reason::captured_array, error::captured_array<ops::result, error::given<Leaf>>> {
};
template <Operand Leaf>
  requires is_stored_array<Leaf>
struct wrong_result<Leaf> : captured_leaf<Leaf> {
};

// The first answer among the leaves of tree T that is a refusal.
template <template <class> class Test, class T>
struct first_wrong : Test<T> {};
template <template <class> class Test, class... T>
struct first_wrong_of : no_refusal {};
template <template <class> class Test, class T, class... Rest>
struct first_wrong_of<Test, T, Rest...> : std::conditional_t<std::is_void_v<typename first_wrong<Test, T>::type>,
                                                             first_wrong_of<Test, Rest...>, first_wrong<Test, T>> {};
template <template <class> class Test, class... T>
struct first_wrong<Test, std::tuple<T...>> : first_wrong_of<Test, T...> {};
template <template <class> class Test, class A, class B>
struct first_wrong<Test, std::pair<A, B>> : first_wrong_of<Test, A, B> {};
template <template <class> class Test, class T, std::size_t N>
struct first_wrong<Test, std::array<T, N>> : first_wrong<Test, T> {};
template <template <class> class Test, template <class...> class T, class... L>
  requires NamedTree<T<L...>>
struct first_wrong<Test, T<L...>> : first_wrong_of<Test, L...> {
};

// The error type of a refused operation. For a call that must be written differently in this library, it is that call's
// error.
template <class Op, class Error>
struct error_of_op {
  using type = Error;
};
template <template <class...> class Written, class Error>
struct error_of_op<ops::otherwise<Written>, Error> {
  using type = Written<>;
};

// A refusal that the result does not show: of an op whose result is not used, or of a step of a gradient.
template <class T>
struct refused_inside {
  static constexpr refusal found = T::refused;
  static constexpr verdict what = found.what;
  struct lhs {
    static constexpr array_value facts = found.lhs;
  };
  struct rhs {
    static constexpr array_value facts = found.rhs;
  };
  using operands = boost::mp11::mp_take_c<
      boost::mp11::mp_list<array_type_of<lhs, typename T::mesh>, array_type_of<rhs, typename T::mesh>>, found.operands>;
  using type = typename error_of_op<op_at<found.op>,
                                    error::of<op_at<found.op>, typename T::mesh, refused_inside, void, operands>>::type;
};

template <class Error>
inline constexpr bool is_explained = false;
template <class... Error>
inline constexpr bool is_explained<explained<Error...>> = true;
template <class T>
constexpr auto error_of_trace() {
  // A type that says nothing stands for what the compiler has printed, or for what the record refused.
  if constexpr (T::poisoned_result && (!is_explained<typename T::error> || T::refused.what))
    return std::type_identity<typename T::error>{};
  else
    return std::type_identity<typename refused_inside<T>::type>{};
}
template <class T, bool Constant = T::is_constant>
struct refused_trace {
  using type = typename T::error;
  static std::string text() { return explain(refuse(reason::not_constexpr), "trace", nullptr, nullptr, {}); }
};
template <class T>
struct refused_trace<T, true> {
  using type = error::at<typename decltype(error_of_trace<T>())::type, T::refused.at.line>;
  static std::string text() { return explain(T::refused, T::mesh::value); }
};

template <class Arg>
using handle_of = decltype(tree_map(enter_argument{nullptr}, std::declval<Arg const&>()));

// What F returns in traced code that gives it a captured array beside traced values: a tree like F's.
template <class F, class... X>
constexpr auto captured(X const&... x) {
  using error = typename first_wrong_of<captured_leaf, X...>::type;
  if (builder* const b = builder_among(x...))
    b->refuse(refusal{refuse(reason::captured_array), nullptr, b->line_of({}), {}, {}, 0});
  if constexpr (std::is_invocable_v<F, handle_of<signature_of<X>>...>)
    return decltype(tree_map(poison_leaf<error>{},
                             std::declval<std::invoke_result_t<F, handle_of<signature_of<X>>...> const&>())){};
  else
    return poisoned<error>{};
}

// std::is_invocable would add five lines to each error of a body.
template <class F, class... X>
concept Calls = requires(F const& f, X const&... x) {
  f(x...);
};

// Also a lambda [&] that captures nothing has no default constructor, with which a function is called while compiling.
template <class F>
concept Stateless = std::is_empty_v<F> && requires {
  F();
};

template <class F, class... Args>
constexpr auto judge_call() {
  if constexpr (!std::is_void_v<error_in<Args...>>) {
    return no_refusal{};  // reported already
  } else if constexpr (!Stateless<F>) {
    return plain_refusal<reason::function_with_state, error::function_with_state<F>>{};
  } else if constexpr (!std::is_void_v<typename first_wrong_of<wrong_argument, Args...>::type>) {
    return first_wrong_of<wrong_argument, Args...>{};
  } else if constexpr (!Calls<F, handle_of<Args>...>) {
    return plain_refusal<reason::not_callable, error::not_callable<F, error::arguments<sizeof...(Args)>>>{};
  } else {
    using handles = std::invoke_result_t<F, handle_of<Args>...>;
    if constexpr (std::is_void_v<handles>) {
      return plain_refusal<reason::not_an_array, error::not_an_array<ops::result, error::given<void>>>{};
    } else if constexpr (!std::is_void_v<typename first_wrong<wrong_result, handles>::type>) {
      return first_wrong<wrong_result, handles>{};
    } else {
      using traced = trace_of<F, Args...>;
      if constexpr (!traced::is_constant && !traced::poisoned_result)
        return plain_refusal<reason::not_constexpr, error::not_constexpr<F, error::arguments<sizeof...(Args)>>>{};
      else if constexpr (traced::poisoned_result || !traced::accepted)
        return refused_trace<traced>{};
      else
        return no_refusal{};
    }
  }
}
template <class F, class... Args>
using judged_call = decltype(judge_call<F, signature_of<Args>...>());

}  // namespace detail

template <class F, class... Args>
using why = typename detail::judged_call<F, Args...>::type;

namespace functions {

template <class F, class... Args>
std::string why_text() {
  return detail::judged_call<F, Args...>::text();
}

template <class F, class... Args>
constexpr void check() {
  using refused = why<F, Args...>;
  if constexpr (!std::is_void_v<refused>) refused::explain();
}

}  // namespace functions

}  // namespace tessera
