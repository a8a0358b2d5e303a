// SPDX-License-Identifier: Apache-2.0
#pragma once
// Losses, one for each example or element: take their mean yourself. Dim, -1 by default, has the classes or the vector.
//   softmax_cross_entropy<Dim>(logits, labels): labels are probabilities of the classes, as logits
//   softmax_cross_entropy_with_integer_labels(logits, labels): classes in the last dimension, labels (...) integers; labels from
//     the end count, -1 is the last class; NaN for a label that is no class
//   sigmoid_binary_cross_entropy(logits, labels): of each element, labels from 0 to 1
//   sigmoid_focal_loss(logits, labels, gamma = 2): the same by (1 - p)^gamma, p the probability of the label
//   squared_error(x, y)   l2_loss(x, y): its half   huber_loss(x, y, delta = 1)   log_cosh(x, y)   y is 0 if it is not given
//   hinge_loss(x, y): max(0, 1 - x y), y is 1 or -1
//   cosine_similarity<Dim>(x, y, epsilon = 0): of vectors; squared lengths are at least epsilon   cosine_distance: 1 minus it
//   kl_divergence<Dim>(log_p, q): the sum of q (log q - log_p)   smooth_labels<Dim>(labels, alpha): (1 - alpha) labels + alpha / n
// Elementwise but for sums over Dim, which may be split: they move what sum moves, one number for each example; integer labels
// are compared with the number of each class, so that split logits are not gathered. Source: optax 0.2.8 optax.losses.

#include <tessera/functions/activations.hpp>
#include <tessera/functions/arranging.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/reduce/reduce.hpp>

namespace tessera {
namespace detail::bodies {

template <int Dim>
struct softmax_cross_entropy {
  constexpr auto operator()(auto const& logits, auto const& labels) const {
    return -sum<Dim>(labels * log_softmax<Dim>(logits));
  }
};
struct softmax_cross_entropy_with_integer_labels {
  template <class X, class L>
  constexpr auto operator()(X const& logits, L const& labels) const {
    constexpr extents_list extents = extents_of<X>;
    if constexpr (extents.size() != extents_of<L>.size() + 1 || !is_integer(facts_in_body<L>.element)) {
      return refused_call<call_fault::labels_of_other_extents>(logits, labels);
    } else {
      constexpr auto classes = static_cast<std::int32_t>(extents[extents.size() - 1]);
      auto const label = where(labels < 0, labels + classes, labels);
      auto const own = expand_dims<-1>(label) == arange<std::int32_t, classes>();
      auto const loss = logsumexp<-1>(logits) - sum<-1>(where(own, logits, 0));
      return where(logical_and(label >= 0, label < classes), loss, std::numeric_limits<double>::quiet_NaN());
    }
  }
};
struct sigmoid_binary_cross_entropy {
  constexpr auto operator()(auto const& logits, auto const& labels) const {
    return labels * softplus(-logits) + (1.0 - labels) * softplus(logits);
  }
};
struct sigmoid_focal_loss {
  constexpr auto operator()(auto const& logits, auto const& labels, auto const& gamma) const {
    auto const log_other = logaddexp(log(1.0 - labels) - softplus(-logits), log(labels) - softplus(logits));
    return exp(gamma * log_other) * sigmoid_binary_cross_entropy{}(logits, labels);
  }
};
struct squared_error {
  constexpr auto operator()(auto const& x) const { return square(x); }
  constexpr auto operator()(auto const& x, auto const& y) const { return square(x - y); }
};
struct l2_loss {
  constexpr auto operator()(auto const&... x) const { return 0.5 * squared_error{}(x...); }
};
struct huber_loss {
  constexpr auto operator()(auto const& error, auto const& delta) const {
    auto const size = abs(error);
    auto const inside = minimum(size, delta);
    return 0.5 * square(inside) + delta * (size - inside);
  }
  constexpr auto operator()(auto const& x, auto const& y, auto const& delta) const { return (*this)(x - y, delta); }
};
struct log_cosh {
  constexpr auto operator()(auto const& x) const { return softplus(-2.0 * x) + x - std::numbers::ln2; }
  constexpr auto operator()(auto const& x, auto const& y) const { return (*this)(x - y); }
};
struct hinge_loss {
  constexpr auto operator()(auto const& x, auto const& y) const { return maximum(1.0 - x * y, 0); }
};
template <int Dim>
struct cosine_similarity {
  constexpr auto operator()(auto const& x, auto const& y, auto const& epsilon) const {
    return sum<Dim>(unit(x, epsilon) * unit(y, epsilon));
  }

private:
  static constexpr auto unit(auto const& x, auto const& epsilon) {
    return x / sqrt(maximum(sum<Dim>(square(x), keepdims), epsilon));
  }
};
template <int Dim>
struct cosine_distance {
  constexpr auto operator()(auto const& x, auto const& y, auto const& epsilon) const {
    return 1.0 - cosine_similarity<Dim>{}(x, y, epsilon);
  }
};
template <int Dim>
struct kl_divergence {
  constexpr auto operator()(auto const& log_p, auto const& q) const {
    return sum<Dim>(q * (where(q == 0, 0.0, log(where(q == 0, 1.0, q))) - log_p));
  }
};
template <int Dim>
struct smooth_labels {
  template <class L>
  constexpr auto operator()(L const& labels, auto const& alpha) const {
    constexpr extents_list extents = extents_of<L>;
    constexpr auto classes = static_cast<double>(extents[Dim < 0 ? Dim + extents.size() : Dim]);
    return (1.0 - alpha) * labels + alpha / classes;
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::softmax_cross_entropy_with_integer_labels>
    softmax_cross_entropy_with_integer_labels;
inline constexpr detail::composed_door<detail::bodies::sigmoid_binary_cross_entropy> sigmoid_binary_cross_entropy;
inline constexpr detail::composed_door<detail::bodies::squared_error> squared_error;
inline constexpr detail::composed_door<detail::bodies::l2_loss> l2_loss;
inline constexpr detail::composed_door<detail::bodies::log_cosh> log_cosh;
inline constexpr detail::composed_door<detail::bodies::hinge_loss> hinge_loss;

namespace functions {

template <int Dim = -1, class X, class L>
constexpr auto softmax_cross_entropy(X const& logits, L const& labels, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::softmax_cross_entropy<Dim>>(at, logits, labels);
}
template <class X, class L>
constexpr auto sigmoid_focal_loss(X const& logits, L const& labels, double gamma = 2,
                                  site at = std::source_location::current()) {
  return detail::composed<detail::bodies::sigmoid_focal_loss>(at, logits, labels, gamma);
}
template <class X>
constexpr auto huber_loss(X const& error, double delta = 1, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::huber_loss>(at, error, delta);
}
template <class X, class Y>
  requires(!std::is_arithmetic_v<Y>)
constexpr auto huber_loss(X const& x, Y const& y, double delta = 1, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::huber_loss>(at, x, y, delta);
}
template <int Dim = -1, class X, class Y>
constexpr auto cosine_similarity(X const& x, Y const& y, double epsilon = 0,
                                 site at = std::source_location::current()) {
  return detail::composed<detail::bodies::cosine_similarity<Dim>>(at, x, y, epsilon);
}
template <int Dim = -1, class X, class Y>
constexpr auto cosine_distance(X const& x, Y const& y, double epsilon = 0, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::cosine_distance<Dim>>(at, x, y, epsilon);
}
template <int Dim = -1, class P, class Q>
constexpr auto kl_divergence(P const& log_p, Q const& q, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::kl_divergence<Dim>>(at, log_p, q);
}
template <int Dim = -1, class L>
constexpr auto smooth_labels(L const& labels, double alpha, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::smooth_labels<Dim>>(at, labels, alpha);
}

}  // namespace functions
}  // namespace tessera
