// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kinds of operands in user code, and how each enters a program.

#include <tessera/graph/canonical.hpp>
#include <tessera/graph/join.hpp>
#include <tessera/graph/literal.hpp>
#include <tessera/graph/op_names.hpp>
#include <tessera/trace/handle.hpp>

namespace tessera {
namespace detail {

// A constant refused by a value, such as an index out of range: the refusal is reported when the constant enters a
// program.
template <class C>
constexpr C refused_constant(refusal const& why, mesh_value const& mesh) {
  C refused{};
  refused.program.mesh = mesh;
  refused.program.outputs[0] = -1;
  node& n = refused.program.nodes[0];
  n.op = why.op;
  n.at = why.at;
  n.facts = why.lhs;
  n.attrs = refused_params{why.what.why, why.what.lhs_dim, why.what.size, why.what.other};
  return refused;
}
template <class C>
constexpr refusal refusal_of_constant(C const& x) {
  if (x.program.outputs[0] >= 0) return {};
  node const& n = x.program.nodes[0];
  auto const& said = n.attrs.as<refused_params>();
  return {refuse(said.why, said.dim, {}, said.size, said.other), n.op, n.at, n.facts, {}, 1};
}

}  // namespace detail

enum class operand_kind { traced, poisoned, constant, number, array };

template <class X>
struct operand_traits;  // kind; type (the array_type) unless poisoned. Arrays add theirs in array/

template <ArrayType A>
struct operand_traits<traced<A>> {
  static constexpr operand_kind kind = operand_kind::traced;
  using type = A;
  static constexpr term enter(builder&, traced<A> const& x) { return {x.graph, x.node}; }
};

template <class E>
struct operand_traits<poisoned<E>> {
  static constexpr operand_kind kind = operand_kind::poisoned;
  using type = array_type<float, shape<>, P<>, no_mesh>;
};

// The signature of a C++ number, or of a constant of them, which has more than its weak type: its full value as a
// Storage. Inside the program it is a Handled, without a Storage.
template <class Storage, ArrayType Handled>
struct number_type : Handled {
  using handled = Handled;
};
template <bool Weak, ArrayType A>
struct constant_signature {
  using signature = number_type<std::conditional_t<is_inexact(A::value.element), double, std::int64_t>, A>;
};
template <ArrayType A>
struct constant_signature<false, A> {};

template <ArrayType A, std::size_t N, std::size_t O>
struct operand_traits<constant_array<A, N, O>> : constant_signature<A::value.weak, A> {
  static constexpr operand_kind kind = operand_kind::constant;
  using type = A;
  static constexpr term enter(builder& b, constant_array<A, N, O> const& x) {
    if (b.recorded.mesh.rank == 0) b.recorded.mesh = x.program.mesh;
    if (refusal const why = detail::refusal_of_constant(x); !why.what) return b.refuse(why);
    int const base = b.size();
    for (auto const& n : x.program.nodes) {
      int ids[builder::max_operands]{};
      for (int k = 0; k < n.operand_count; ++k) ids[k] = base + x.program.operands[n.first_operand + k];
      b.push(*n.op, ids, n.operand_count, n.attrs, n.facts);
    }
    return {&b, base + x.program.outputs[0]};
  }
  // The same number of nodes with the same facts and without values: enough to count what an op on it records. A scalar
  // without operands is a literal, which ops may test, or a device's position.
  template <class Spread = ops::broadcast_to>
  static constexpr term stand_in(builder& b) {
    if constexpr (A::value.weak && A::rank > 0 && N == 2 && O == 1) {  // full<8>(0.5): its cast is a cast of the number
      array_value one = A::value;
      one.rank = 0;
      one.extents = {};
      one.spec = {};
      int const number = b.push(info<ops::literal>, nullptr, 0, weak_literal_of({}, one.element), one);
      broadcast_params to;
      for (int d = 0; d < A::rank; ++d) to.shape.push_back(A::value.extent(d));
      return {&b, b.push(info<Spread>, &number, 1, {to, layout_of(A::value)}, A::value)};
    }
    constexpr bool position = !A::value.varying.empty() ||
                              (!A::mesh::value.unseen().empty() && A::value.element == dtype::int32 && !A::value.weak);
    auto const& op = A::rank == 0 && O == 0 && !position ? info<ops::literal> : info<ops::argument>;
    for (std::size_t i = 0; i != N; ++i) b.push(op, nullptr, 0, {}, A::value);
    for (std::size_t i = 0; i != O; ++i) b.recorded.operands.push_back(0);
    return {&b, b.size() - 1};
  }
};

template <ArrayType A>
struct operand_traits<grown_constant<A>> : constant_signature<A::value.weak, A> {
  static constexpr operand_kind kind = operand_kind::constant;
  using type = A;
  static constexpr term enter(builder& b, grown_constant<A> const& x) {
    if (!x.why.what) return b.refuse(x.why);
    return join(b, x.program);
  }
};
// A value of a program without inputs, with the nodes that it needs.
template <ArrayType A>
constexpr grown_constant<A> grow_constant(builder& b, int id) {
  b.recorded.outputs.clear();
  if (id < 0) return {{}, {}, b.refused};
  b.recorded.outputs.push_back(id);
  return {{}, canonical(b.recorded), b.refused};
}

template <class X>
  requires std::is_arithmetic_v<X>
struct operand_traits<X> {
  static constexpr operand_kind kind = operand_kind::number;
  static constexpr dtype element = std::is_same_v<X, bool>       ? dtype::boolean
                                   : std::is_floating_point_v<X> ? dtype::float32
                                                                 : dtype::int32;
  using type = array_type<weak<element_of<element>>, shape<>, P<>, no_mesh>;
  using signature = std::conditional_t<std::is_same_v<X, bool>, type, number_type<number_storage<X>, type>>;
  static constexpr term enter(builder& b, X x) {
    return b.emit(info<ops::literal>, {}, weak_literal_of(number_value_of(x), element));
  }
  static constexpr term stand_in(builder& b) { return enter(b, X{}); }
};

template <TypedNumber X>
  requires(!std::is_arithmetic_v<X>)
struct operand_traits<X> {
  static constexpr operand_kind kind = operand_kind::number;
  static constexpr dtype element = dtype_of<X>();
  using type = array_type<element_of<element>, shape<>, P<>, no_mesh>;
  template <class Complex = ops::complex>
  static constexpr term enter(builder& b, X x) {
    if constexpr (is_complex(element)) {
      static_assert(op_register<Complex>::done);
      auto const part = [&](auto value) {
        return b.emit(info<ops::literal>, {}, literal_of(number_value_of(value), real_of(element)));
      };
      return b.emit(info<Complex>, {part(x.real()), part(x.imag())});
    } else {
      return b.emit(info<ops::literal>, {}, literal_of(number_value_of(x), element));
    }
  }
  static constexpr term stand_in(builder& b) { return enter(b, X{}); }
};

template <class X>
concept Operand = requires {
  operand_traits<X>::kind;
};
// Not of static arguments either, which are no operands.
template <class X>
inline constexpr bool is_traced = false;
template <Operand X>
inline constexpr bool is_traced<X> = operand_traits<X>::kind == operand_kind::traced;
template <class X>
inline constexpr bool is_poisoned = false;
template <Operand X>
inline constexpr bool is_poisoned<X> = operand_traits<X>::kind == operand_kind::poisoned;

namespace functions {

// The mesh of a value as code that has the value sees it: in shard_map its axes are Manual. It is printed and compared
// as abstract_mesh<M>. Source: JAX jax.sharding.get_abstract_mesh. Differs: it takes a value, since a traced function
// is a constant, without any current mesh.
template <Operand X>
constexpr mesh_value const& get_abstract_mesh(X const&) {
  return operand_traits<X>::type::mesh::value;
}

}  // namespace functions

}  // namespace tessera
