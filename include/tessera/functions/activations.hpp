// SPDX-License-Identifier: Apache-2.0
#pragma once
// Activations of neural networks: x -> the same shape and layout; integers become floats.
//   relu6(x): x limited to [0, 6]               hard_tanh(x): x limited to [-1, 1]
//   leaky_relu(x, slope = 0.01): slope x below 0
//   elu(x, alpha = 1): alpha (e^x - 1) below 0   selu(x): a scaled elu       celu(x, alpha = 1): alpha (e^(x / alpha) - 1)
//   hard_sigmoid(x): relu6(x + 3) / 6            hard_silu(x), hard_swish(x): x hard_sigmoid(x)        swish(x): silu(x)
//   log_sigmoid(x): log(sigmoid(x))              soft_sign(x): x / (1 + |x|)       mish(x): x tanh(softplus(x))
//   squareplus(x, b = 4): (x + sqrt(x x + b)) / 2
//   sparse_plus(x): 0 below -1, x above 1, (x + 1)^2 / 4 between        sparse_sigmoid(x): its slope
//   log1mexp(x): log(1 - e^-x)
//   glu<Dim = -1>(x): of two halves of a dimension, the first times sigmoid of the second
//   logmeanexp<Dims...>(x): log of the mean of e^x over dimensions, of all by default
// Move 0 bytes, glu what split moves, logmeanexp what logsumexp moves. Source: JAX 0.10.2 jax.nn.

#include <tessera/op/elementwise.hpp>
#include <tessera/op/index/split.hpp>
#include <tessera/op/reduce/softmax.hpp>
#include <tessera/op/shape/unstack.hpp>
#include <tessera/trace/composed.hpp>

namespace tessera {
namespace detail::bodies {

// Its slope is 0 at 0 and 6, as JAX's.
struct relu6 {
  constexpr auto operator()(auto const& x) const {
    return where(logical_and(x > 0, x < 6), x, stop_gradient(minimum(maximum(x, 0), 6.0)));
  }
};
struct hard_tanh {
  constexpr auto operator()(auto const& x) const { return where(x > 1, 1, where(x < -1, -1, x)); }
};
struct leaky_relu {
  constexpr auto operator()(auto const& x, auto slope) const { return where(x >= 0, x, slope * x); }
};
struct elu {
  constexpr auto operator()(auto const& x, auto alpha) const {
    return where(x > 0, x, alpha * expm1(where(x > 0, 0.0, x)));
  }
};
struct selu {
  constexpr auto operator()(auto const& x) const {
    return 1.0507009873554804934193349852946 * elu{}(x, 1.6732632423543772848170429916717);
  }
};
struct celu {
  constexpr auto operator()(auto const& x, auto alpha) const {
    return maximum(x, 0.0) + alpha * expm1(minimum(x, 0.0) / alpha);
  }
};
struct hard_sigmoid {
  constexpr auto operator()(auto const& x) const { return relu6{}(x + 3.0) / 6.0; }
};
struct hard_silu {
  constexpr auto operator()(auto const& x) const { return x * hard_sigmoid{}(x); }
};
struct log_sigmoid {
  constexpr auto operator()(auto const& x) const { return -softplus(-x); }
};
struct soft_sign {
  constexpr auto operator()(auto const& x) const { return x / (abs(x) + 1); }
};
struct mish {
  constexpr auto operator()(auto const& x) const { return x * tanh(softplus(x)); }
};
struct squareplus {
  constexpr auto operator()(auto const& x, auto b) const { return 0.5 * (x + sqrt(square(x) + b)); }
};
struct sparse_plus {
  constexpr auto operator()(auto const& x) const { return where(x <= -1, 0.0, where(x >= 1, x, square(x + 1.0) / 4)); }
};
struct sparse_sigmoid {
  constexpr auto operator()(auto const& x) const { return 0.5 * clip(x + 1.0, 0.0, 2.0); }
};
struct log1mexp {
  constexpr auto operator()(auto const& x) const {
    auto const near = x < 0.6931471805599453;
    return where(near, log(-expm1(-where(near, x, 0.5))), log1p(-exp(-where(near, 1.0, x))));
  }
};
template <int Dim>
struct glu {
  constexpr auto operator()(auto const& x) const {
    auto const halves = split<2, Dim>(x);
    return halves[0] * sigmoid(halves[1]);
  }
};
template <int... Dims>
struct logmeanexp {
  template <class X>
  constexpr auto operator()(X const& x) const {
    constexpr std::int64_t count =
        sizeof...(Dims) == 0 ? facts_in_body<X>.size() : (static_extent<Dims, X>() * ... * 1);
    return logsumexp<Dims...>(x) - log(static_cast<double>(count));
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::relu6> relu6;
inline constexpr detail::composed_door<detail::bodies::hard_tanh> hard_tanh;
inline constexpr detail::composed_door<detail::bodies::selu> selu;
inline constexpr detail::composed_door<detail::bodies::hard_sigmoid> hard_sigmoid;
inline constexpr detail::composed_door<detail::bodies::hard_silu> hard_silu;
inline constexpr detail::composed_door<detail::bodies::hard_silu> hard_swish;
inline constexpr unary_door<ops::silu> swish;
inline constexpr detail::composed_door<detail::bodies::log_sigmoid> log_sigmoid;
inline constexpr detail::composed_door<detail::bodies::soft_sign> soft_sign;
inline constexpr detail::composed_door<detail::bodies::mish> mish;
inline constexpr detail::composed_door<detail::bodies::sparse_plus> sparse_plus;
inline constexpr detail::composed_door<detail::bodies::sparse_sigmoid> sparse_sigmoid;
inline constexpr detail::composed_door<detail::bodies::log1mexp> log1mexp;

namespace functions {

template <class X, class S = double>
constexpr auto leaky_relu(X const& x, S const& slope = 0.01, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::leaky_relu>(at, x, slope);
}
template <class X, class S = double>
constexpr auto elu(X const& x, S const& alpha = 1.0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::elu>(at, x, alpha);
}
template <class X, class S = double>
constexpr auto celu(X const& x, S const& alpha = 1.0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::celu>(at, x, alpha);
}
template <class X, class S = double>
constexpr auto squareplus(X const& x, S const& b = 4.0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::squareplus>(at, x, b);
}
template <int Dim = -1, class X>
constexpr auto glu(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::glu<Dim>>(at, x);
}
template <int... Dims, class X>
constexpr auto logmeanexp(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::logmeanexp<Dims...>>(at, x);
}

}  // namespace functions
}  // namespace tessera
