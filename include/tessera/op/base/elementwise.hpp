// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bases of all elementwise ops: a struct with `eval` and a transpose derives from one of them.

#include <tessera/base/config.hpp>
#include <tessera/base/level.hpp>
#include <tessera/base/wrapping.hpp>
#include <tessera/graph/backward.hpp>
#include <tessera/graph/literal.hpp>
#include <tessera/op/base/promotion.hpp>
#include <tessera/rule/elementwise.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

TESSERA_LOOPS_BEGIN
namespace tessera {
namespace ops {
struct cast;          // op/elementwise/cast.hpp
struct broadcast_to;  // op/shape/broadcast_to.hpp
}  // namespace ops

namespace detail {

template <dtype D>
using compute_type = register_of<element_of<D>>;

// f(compute_type) for the compute type of `element`.
template <class F>
constexpr auto with_compute_type(dtype element, F&& f) {
  switch (element) {
    case dtype::boolean: return f(std::type_identity<bool>{});
    case dtype::int8:
    case dtype::int16:
    case dtype::int32:
    case dtype::uint8:
    case dtype::uint16: return f(std::type_identity<std::int32_t>{});
    case dtype::uint64: return f(std::type_identity<std::uint64_t>{});
    case dtype::uint32:
    case dtype::int64: return f(std::type_identity<std::int64_t>{});
    case dtype::float64: return f(std::type_identity<double>{});
    case dtype::complex64: return f(std::type_identity<complex64>{});
    case dtype::complex128: return f(std::type_identity<complex128>{});
    default: return f(std::type_identity<float>{});
  }
}

template <class Op, class... X>
concept evaluates = requires(X... x) {
  Op::eval(x...);
};

// A launch of F::eval over registers on an accelerator: exec/fused/lanes_on_device.hpp.
template <class F, class R, class... X>
void launch_lanes(R* out, void const* const* in, std::int64_t count);

// F::eval over registers of types X, with result type R: `run` is a lanes_function. The inner loop has a known length
// and no tail.
template <class F, class R, class... X>
class lane_loop {
public:
  static constexpr bool of_complex = is_complex_type<R> || (is_complex_type<X> || ...);

  static void run(void* out, void const* const* in, std::int64_t count) {
#if defined(TESSERA_ACCELERATOR)
    launch_lanes<F, R, X...>(static_cast<R*>(out), in, count);
#else
    start(static_cast<R*>(out), in, count, std::index_sequence_for<X...>{});
#endif
  }

private:
  template <std::size_t... I>
  static void start(R* out, void const* const* in, std::int64_t count, std::index_sequence<I...>) {
    evaluate(out, count, static_cast<X const*>(in[I])...);
  }
  TESSERA_FLATTEN static void evaluate(R* out, std::int64_t count, X const*... x) {
    constexpr std::int64_t stride = 16;
    for (std::int64_t first = 0; first < count; first += stride) {
      TESSERA_VECTORIZE
      for (std::int64_t j = first; j < first + stride; ++j) out[j] = F::eval(x[j]...);
    }
  }
};
template <level L, class Loop>
inline constexpr lanes_function loop_at = at_level<Loop::of_complex ? without_v4(L) : L, &Loop::run>;
// The loop of Op. For ops of the library, tessera::engine has one for each level of instructions.
template <class Op, class Loop>
lanes_function loop_of() {
#if !defined(TESSERA_ACCELERATOR)
  if constexpr (has_engine && in_engine<Op>)
    return with_level(running_level(), []<class L>(L) { return loop_at<L::value, Loop>; });
#endif
  return &Loop::run;
}
template <class Op, class... X>
lanes_function lanes_of_op() {
  if constexpr (evaluates<Op, X...>)
    return loop_of<Op, lane_loop<Op, decltype(Op::eval(X{}...)), X...>>();
  else
    return nullptr;
}

}  // namespace detail

namespace ops {

// The dtypes for which an op is defined; others are refused (element_unsupported).
enum class accepts { any, numbers, floats, integers, booleans, complex };

constexpr bool accepted(accepts what, dtype element) {
  switch (what) {
    case accepts::any: return !is_complex(element);
    case accepts::numbers: return element != dtype::boolean && !is_complex(element);
    case accepts::floats: return is_floating(element);
    case accepts::integers: return is_integer(element);
    case accepts::complex: return is_complex(element);
    default: return element == dtype::boolean || is_integer(element);
  }
}
// An op is defined for complex numbers if it says so: static constexpr bool of_complex = true.
template <class Op>
constexpr bool accepted_by(accepts what, dtype element) {
  if constexpr (requires { Op::of_complex; })
    if (is_complex(element)) return true;
  return accepted(what, element);
}

// x -> same shape, same spec. A floating function converts int64 to float64 first, bool and int32 to float32, as JAX.
template <class Op, accepts Domain = accepts::numbers>
struct unary {
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 1;
  static constexpr accepts domain = Domain;

  static constexpr verdict rule(rule_input const& in) {
    if (!accepted_by<Op>(Domain, in[0].element)) return refuse(reason::element_unsupported);
    if (!in[0].unreduced.empty() && !requires { Op::linear; })
      return refuse(reason::unreduced_operand, -1, in[0].unreduced);
    array_value out = in[0];
    if constexpr (requires { Op::gives_bool; }) out.element = dtype::boolean, out.weak = false;
    if constexpr (requires { Op::gives_real; }) out.element = real_of(out.element);
    return accept(out);
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    term operand = x[0];
    if constexpr (Domain == accepts::floats)
      if (!(operand = detail::as_inexact(b, operand))) return operand;
    return b.template emit<Op>({operand}, attrs);
  }
  static lanes_function block(dtype, dtype operand) {
    return detail::with_compute_type(operand, []<class T>(std::type_identity<T>) -> lanes_function {
      if constexpr (accepted_by<Op>(Domain, dtype_of<T>())) return detail::lanes_of_op<Op, T>();
      return nullptr;
    });
  }
};

}  // namespace ops

namespace detail {

// Brings operands to one dtype (unless `keep_dtypes`) and one shape, as every numpy-style op does first. Refuses in the
// name of `op`; false if refused.
template <class B>
constexpr bool unify(B& b, op_info const& op, term* x, int count, bool keep_first_dtype = false) {
  int const from = keep_first_dtype ? 1 : 0;
  if (!promote_dtypes(b, x + from, count - from)) return false;
  array_value const* facts[builder::max_operands]{};
  for (int i = 0; i < count; ++i) facts[i] = &x[i].facts();
  if (rule::detail::alike({b.mesh(), facts, count, {}})) return true;
  verdict const shape = rule::broadcast({b.mesh(), facts, count, {}}, rule::partial_sums::any);
  if (!shape) {
    b.refuse(shape, op, *facts[0], *facts[count > 1 ? 1 : 0]);
    return false;
  }
  for (int i = 0; i < count; ++i) {
    array_value const own = x[i].facts();
    if (own.rank == 0 || own.same_shape(shape.result)) continue;
    attributes to = broadcast_params{{}, shape.result.shape()};
    // In the common layout: a bias that is added to a split batch is repeated on each device, and its gradient is
    // summed there before the all_reduce.
    to.has_out = own.unreduced.empty();
    to.out = layout_of(shape.result);
    to.out.unreduced = {};  // a whole value does not become a partial sum by itself
    to.out.reduced = own.reduced;
    x[i] = make<ops::broadcast_to>(b, {x[i]}, to);
    if (!x[i]) return false;
  }
  return true;
}

}  // namespace detail

namespace ops {

// A function of one floating number whose derivative at the operand is Op::slope(back).
template <class Op>
struct floating : unary<Op, accepts::floats> {
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent() * Op::slope(back));
  }
};

// (x, y) -> broadcast shape, merged spec, promoted dtype.
template <class Op, accepts Domain = accepts::numbers>
struct binary {
  static constexpr op_class kind = op_class::elementwise;
  static constexpr int arity = 2;
  static constexpr accepts domain = Domain;

  static constexpr verdict rule(rule_input const& in) {
    if (!accepted_by<Op>(Domain, in[0].element)) return refuse(reason::element_unsupported);
    verdict v;
    if constexpr (requires { Op::partial; })
      v = rule::broadcast(in, Op::partial);
    else
      v = rule::broadcast(in);
    if constexpr (requires { Op::gives_bool; }) v.result.element = dtype::boolean;
    return v;
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    term both[]{x[0], x[1]};
    if constexpr (Domain == accepts::floats)
      if (!detail::promote_dtypes_inexact(b, both, 2)) return {&b, -1};
    if (!detail::unify(b, info<Op>, both, 2)) return {&b, -1};
    return b.template emit<Op>({both[0], both[1]}, attrs);
  }
  static lanes_function block(dtype, dtype operand) {
    return detail::with_compute_type(operand, []<class T>(std::type_identity<T>) -> lanes_function {
      if constexpr (accepted_by<Op>(Domain, dtype_of<T>())) return detail::lanes_of_op<Op, T, T>();
      return nullptr;
    });
  }
};

}  // namespace ops
}  // namespace tessera

#include <tessera/op/base/foundation.hpp>
TESSERA_LOOPS_END
