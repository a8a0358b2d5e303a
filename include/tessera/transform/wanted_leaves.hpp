// SPDX-License-Identifier: Apache-2.0
#pragma once
// The leaves that a gradient is taken by: marked before the function is called, their cotangents read behind it.

#include <tessera/error/error.hpp>
#include <tessera/graph/backward.hpp>
#include <tessera/op/base/foundation.hpp>
#include <tessera/op/base/identity.hpp>

namespace tessera {
namespace ops {
struct grad;  // transform/gradient.hpp
}

namespace detail {

// The node whose gradient is that of x: for a C++ number given to the program, its full value.
constexpr int wanted_node(builder const& b, int x) {
  node const& n = b.at(x);
  bool const number = is_op<ops::cast>(n.op) && n.attrs.as<cast_params>().role == cast_role::number;
  return number ? b.recorded.operands[n.first_operand] : x;
}
constexpr int marked(builder& b, int x) {
  if (x < 0) return x;
  int const wanted = wanted_node(b, x);
  attributes const role = b.at(x).attrs;
  term const mark = b.make<ops::identity>({term{&b, wanted}});
  return wanted == x ? mark.id : b.emit(info<ops::cast>, {mark}, role).id;
}

// Integers have no gradient: they are refused.
struct mark_wanted {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (!is_traced<X>)
      return x;
    else if constexpr (is_inexact(X::type::value.element))
      return X{x.graph, marked(*x.graph, x.node)};
    else
      return poisoned<error::element_unsupported<ops::grad, error::spelled<error::operand, typename X::type>>>{};
  }
};

struct collect_nodes {
  growable<int>* ids;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (is_traced<X>) ids->push_back(x.node < 0 ? x.node : wanted_node(*x.graph, x.node));
  }
};

template <ArrayType A>
struct cotangent_of {
  static constexpr array_value facts = cotangent_facts(A::value);
};

// The gradient by one leaf, zeros if the loss does not depend on it; on the leaf's mesh, or else on that of the loss.
template <class B, Mesh OfLoss = no_mesh>
struct read_cotangent {
  B const* back;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_traced<X>) {
      int const wanted = x.node < 0 ? x.node : wanted_node(*x.graph, x.node);
      int id = back->cotangent(wanted);
      if (id < 0 && back->alive()) id = zeros_of(*x.graph, cotangent_facts(x.graph->facts(wanted))).id;
      if (id >= 0 && wanted != x.node) {
        cast_params const to{X::type::value.element, cotangent_of<typename X::type>::facts.weak};
        id = make<ops::cast>(*x.graph, {term{x.graph, id}}, to).id;
      }
      using M = typename common_mesh<typename X::type::mesh, OfLoss>::type;
      return traced<array_type_of<cotangent_of<typename X::type>, M>>{x.graph, id};
    } else {
      return x;
    }
  }
};

}  // namespace detail
}  // namespace tessera
