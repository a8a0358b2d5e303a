// SPDX-License-Identifier: Apache-2.0
#pragma once
// An operation on constants, as a constant: its program is recorded once per types, with different literals per value.

#include <tessera/trace/judged.hpp>
#include <tessera/trace/operand.hpp>

namespace tessera {
namespace detail {

// Not constexpr, so that a program that calls it does not compile.
inline void a_value_of_another_program_is_read() {}

template <class Op, class Params, class M, class... X>
constexpr term record_into(builder& b, site at, X const&... x) {
  b.here = b.line_of(at);
  if constexpr (M::rank != 0)
    if (b.recorded.mesh.rank == 0) b.recorded.mesh = M::value;  // the first value on a mesh
  term const terms[sizeof...(X) + 1]{operand_traits<X>::enter(b, x)...};
  for (std::size_t i = 0; i != sizeof...(X); ++i)
    if (terms[i] && terms[i].graph != &b) a_value_of_another_program_is_read();
  bool const lawful_so_far = b.refused.what.why == reason::none;
  term const result = b.make<Op>(terms, sizeof...(X), Params::template on<M>());
  if (!result && lawful_so_far) {  // only sizes unknown at compile time can be refused here
    array_value facts[sizeof...(X) + 1]{};
    array_value const* given[sizeof...(X) + 1]{};
    for (std::size_t i = 0; i != sizeof...(X); ++i) {
      facts[i] = terms[i].facts();
      given[i] = &facts[i];
    }
    speak_of<Op>(b.refused, given, sizeof...(X));
  }
  return result;
}

// The program of Op on numbers of the types X, made at compile time: a call only sets its literals and its line, if no
// other node depends on them. So a call at run time brings no rules into the binary.
template <class Op, class Params, class J, class... X>
struct constant_of_numbers {
  static constexpr int numbers = sizeof...(X);
  static constexpr builder record([[maybe_unused]] double value) {
    builder b;
    b.recorded.mesh = J::mesh::value;
    b.keeps_literal_casts = true;
    term const terms[sizeof...(X) + 1]{operand_traits<X>::enter(b, static_cast<X>(value))...};
    term const result = b.make<Op>(terms, numbers, Params::template on<typename J::mesh>());
    b.recorded.outputs.push_back(result.id);
    return b;
  }
  struct counts {
    graph_size nodes;
    std::size_t casts;
  };
  static constexpr counts counted = [] {
    builder const b = record(1);
    return counts{b.recorded.size(), b.literal_casts.size()};
  }();
  static constexpr graph_size size = counted.nodes;
  using type = constant_array<array_type_of<J, typename J::mesh>, size.nodes, size.operands>;

  struct prototype {
    tessera::graph<size> program;
    std::array<literal_cast, counted.casts> casts;
  };
  static constexpr prototype known = [] {
    builder const b = record(1);
    prototype p{tessera::graph<size>(b.recorded), {}};
    for (node& n : p.program.nodes)
      if (n.op->for_planning) n.op = n.op->for_planning;
    put_into(p.casts, b.literal_casts.data(), counted.casts);
    return p;
  }();
  static constexpr auto with_literals(literal_params const* given) {
    auto made = known.program;
    auto const node_at = [&](int id) -> node& { return made.nodes[id]; };
    for (int i = 0; i < numbers; ++i) node_at(i).attrs = given[i];
    for (literal_cast const& c : known.casts)
      node_at(c.made).attrs = cast_literal(node_at(c.from).attrs.template as<literal_params>(), c.to);
    return made;
  }
  template <class Y>
  static constexpr literal_params literal_from(Y const& y) {
    return weak_literal_of(number_value_of(y), operand_traits<Y>::element);
  }
  static constexpr bool literals_only = [] {
    literal_params const zeros[sizeof...(X) + 1]{literal_from(X{})...};
    auto const made = with_literals(zeros);
    builder const b = record(0);
    for (int i = 0; i < static_cast<int>(size.nodes); ++i) {
      node const &n = made.nodes[i], &m = b.at(i);
      if (bare_of(n.op) != bare_of(m.op) || !(n.attrs == m.attrs) || !(n.facts == m.facts)) return false;
    }
    return true;
  }();
  static type with(site at, X const&... x) {
    literal_params const given[sizeof...(X) + 1]{literal_from(x)...};
    type made{{}, with_literals(given)};
    for (node& n : made.program.nodes) n.at = at;
    return made;
  }
};

template <class Op, class Params, class J, class... X>
constexpr auto keep_constant(site at, X const&... x) {
  using type = array_type_of<J, typename J::mesh>;
  if constexpr ((is_grown<X> || ...)) {
    builder b;
    b.recorded.mesh = J::mesh::value;
    return grow_constant<type>(b, record_into<Op, Params, typename J::mesh>(b, at, x...).id);
  } else {
    if constexpr ((std::is_arithmetic_v<X> && ...)) {
      using on_numbers = constant_of_numbers<Op, Params, J, X...>;
      if constexpr (on_numbers::literals_only)
        if (!std::is_constant_evaluated()) return on_numbers::with(at, x...);
    }
    // The size depends on operand types only: an op records as many nodes for any literal.
    constexpr graph_size size = [] {
      builder b;
      b.recorded.mesh = J::mesh::value;
      term const terms[sizeof...(X) + 1]{operand_traits<X>::stand_in(b)...};
      (void)b.make<Op>(terms, sizeof...(X), Params::template on<typename J::mesh>());
      return graph_size{b.recorded.nodes.size(), b.recorded.operands.size(), 0, 1};
    }();
    builder b;
    b.recorded.mesh = J::mesh::value;
    term const result = record_into<Op, Params, typename J::mesh>(b, at, x...);
    if (!result) return refused_constant<constant_array<type, size.nodes, size.operands>>(b.refused, J::mesh::value);
    b.recorded.outputs.push_back(result.id);
    return constant_array<type, size.nodes, size.operands>{
        {}, graph<graph_size{size.nodes, size.operands, 0, 1}>(b.recorded)};
  }
}

}  // namespace detail
}  // namespace tessera
