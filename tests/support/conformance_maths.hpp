// SPDX-License-Identifier: Apache-2.0
#pragma once
// jax.numpy / jax.lax / jax.nn names of what computes, as our ops.

#include "support/conformance.hpp"

#include <tessera/op/ops.hpp>

namespace conformance {

template <class Op>
std::vector<term> plain(call& c) {
  return c.make<Op>();
}
// axis, keepdims
template <class Op>
std::vector<term> along_axis(call& c) {
  attributes attrs;
  attrs.first = c.extents("axis");
  attrs.integer = c.params["keepdims"].flag;
  return c.make<Op>(attrs);
}

inline void add_elementwise(operation_table& table) {
  table["abs"] = plain<ops::absolute>;
  table["cos"] = plain<ops::cos>;
  table["erf"] = plain<ops::erf>;
  table["exp"] = plain<ops::exp>;
  table["expm1"] = plain<ops::expm1>;
  table["isfinite"] = plain<ops::isfinite>;
  table["log"] = plain<ops::log>;
  table["log1p"] = plain<ops::log1p>;
  table["logical_not"] = plain<ops::logical_not>;
  table["logistic"] = plain<ops::logistic>;
  table["negative"] = plain<ops::negative>;
  table["reciprocal"] = plain<ops::reciprocal>;
  table["rsqrt"] = plain<ops::rsqrt>;
  table["sign"] = plain<ops::sign>;
  table["sin"] = plain<ops::sin>;
  table["sqrt"] = plain<ops::sqrt>;
  table["square"] = plain<ops::square>;
  table["tanh"] = plain<ops::tanh>;
  table["relu"] = plain<ops::relu>;
  table["gelu"] = plain<ops::gelu>;
  table["silu"] = plain<ops::silu>;
  table["stop_gradient"] = plain<ops::stop_gradient>;
  table["copy"] = plain<ops::identity>;
  table["cast"] = [](call& c) {
    attributes attrs;
    attrs.element = dtype_named(c.params["dtype"].text);
    return c.make<ops::cast>(attrs);
  };
  table["add"] = plain<ops::add>;
  table["subtract"] = plain<ops::subtract>;
  table["multiply"] = plain<ops::multiply>;
  table["divide"] = plain<ops::divide>;
  table["power"] = plain<ops::power>;
  table["remainder"] = plain<ops::remainder>;
  table["maximum"] = plain<ops::maximum>;
  table["minimum"] = plain<ops::minimum>;
  table["equal"] = plain<ops::equal>;
  table["not_equal"] = plain<ops::not_equal>;
  table["less"] = plain<ops::less>;
  table["less_equal"] = plain<ops::less_equal>;
  table["greater"] = plain<ops::greater>;
  table["greater_equal"] = plain<ops::greater_equal>;
  table["logical_and"] = plain<ops::logical_and>;
  table["logical_or"] = plain<ops::logical_or>;
}

inline void add_reductions(operation_table& table) {
  table["sum"] = along_axis<ops::sum>;
  table["prod"] = along_axis<ops::prod>;
  table["max"] = along_axis<ops::max>;
  table["min"] = along_axis<ops::min>;
  table["mean"] = along_axis<ops::mean>;
  table["any"] = along_axis<ops::any>;
  table["all"] = along_axis<ops::all>;
  table["argmax"] = along_axis<ops::argmax>;
  table["argmin"] = along_axis<ops::argmin>;
  table["softmax"] = along_axis<ops::softmax>;
  table["log_softmax"] = along_axis<ops::log_softmax>;
  auto const primitive = [](call& c, attributes& attrs) {
    attrs.first = c.extents("axes");
    c.set_out(attrs);
  };
  table["lax_reduce_sum"] = [primitive](call& c) {
    attributes attrs;
    primitive(c, attrs);
    return c.make<ops::reduce_sum>(attrs);
  };
  table["lax_reduce_max"] = [primitive](call& c) {
    attributes attrs;
    primitive(c, attrs);
    return c.make<ops::reduce_max>(attrs);
  };
}

inline void add_contractions(operation_table& table) {
  auto const product = []<class Op>(std::type_identity<Op>) {
    return [](call& c) {
      attributes attrs;
      c.set_out(attrs);
      return c.make<Op>(attrs);
    };
  };
  table["matmul"] = product(std::type_identity<ops::matmul>{});
  table["dot"] = product(std::type_identity<ops::dot>{});
  table["dot_general"] = [](call& c) {
    attributes attrs;
    auto const list = [](json::value const& dims, extents_list& into) {
      for (auto const& d : dims.items) into.push_back(d.integer());
    };
    list(c.params["contract"][0], attrs.first);
    list(c.params["contract"][1], attrs.second);
    list(c.params["batch"][0], attrs.third);
    list(c.params["batch"][1], attrs.third);
    c.set_out(attrs);
    return c.make<ops::dot_general>(attrs);
  };
  table["one_hot"] = [](call& c) {
    auto const axis = c.number("axis", -1);
    if (axis != -1 && axis != c.x[0].facts().rank) throw not_covered{"one_hot along another dimension"};
    attributes attrs;
    attrs.integer = c.number("n");
    return c.make<ops::one_hot>(attrs);
  };
  table["logsumexp"] = [](call& c) {
    attributes attrs;
    attrs.first = c.extents("axis");
    auto const result = c.make<ops::logsumexp>(attrs);
    if (!result[0] || !c.params["keepdims"].flag) return result;
    return std::vector<term>{c.b.make<ops::expand_dims>({result[0]}, attrs)};
  };
}

}  // namespace conformance
