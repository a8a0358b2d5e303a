// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arguments enter a recorded program, and results leave it.

#include <tessera/graph/custom_rule.hpp>
#include <tessera/graph/keys.hpp>
#include <tessera/trace/enter_numbers.hpp>
#include <tessera/trace/leaf_meshes.hpp>
#include <tessera/trace/tree.hpp>

namespace tessera {
namespace detail {

template <class A>
struct facts_given {
  static constexpr array_value facts = A::value;
};

struct enter_argument {
  builder* graph;
  template <class Storage, class A>
  constexpr auto operator()(number_type<Storage, A> const&) const {
    return traced<A>{graph, enter_number(*graph, A::value, dtype_of<Storage>()).id};
  }
  template <class A>
  constexpr auto operator()(A const& leaf) const {
    if constexpr (ArrayType<A>) {
      array_value facts = A::value;
      return traced<A>{graph, graph->argument(info<ops::argument>, facts).id};
    } else {
      return leaf;
    }
  }
};

// The same at run time, where the extents of dynamic arguments are known: the facts come from a list.
struct enter_known_argument {
  builder* graph;
  array_value const* facts;
  int* next;
  template <class Storage, class A>
  constexpr auto operator()(number_type<Storage, A> const& leaf) const {
    ++*next;
    return enter_argument{graph}(leaf);
  }
  template <class A>
  constexpr auto operator()(A const& leaf) const {
    if constexpr (ArrayType<A>)
      return traced<A>{graph, graph->argument(info<ops::argument>, facts[(*next)++]).id};
    else
      return leaf;
  }
};

// Absent arguments: every operation on them returns an absent value at once.
struct enter_absent {
  builder* graph;
  template <class Storage, class A>
  constexpr auto operator()(number_type<Storage, A> const&) const {
    return traced<A>{graph, -1};
  }
  template <class A>
  constexpr auto operator()(A const& leaf) const {
    if constexpr (ArrayType<A>)
      return traced<A>{graph, -1};
    else
      return leaf;
  }
};

struct leave_result {
  builder* graph;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (is_traced<X>)
      graph->recorded.outputs.push_back(x.node);
    else if constexpr (is_poisoned<X>)
      graph->refuse(x.why);
    else if constexpr (!std::is_same_v<X, refused_answer>)
      graph->recorded.outputs.push_back(operand_traits<X>::enter(*graph, x).id);
  }
};

// Adds a program's results and completes it. (B is builder, as a template parameter: operations are looked up when all
// are defined.)
template <class B, class Results>
constexpr void leave(B& b, Results const& results) {
  tree_each(leave_result{&b}, results);
  forget_rules(b);
  judge_pairs(b);
  judge_keys(b);
  settle_numbers(b);
}

// A constant among a program's results has the program's mesh, as in JAX. A value computed from arguments without a
// mesh has no mesh either.
template <Mesh M>
struct result_type {
  template <class X>
  constexpr auto operator()(X const&) const {
    if constexpr (is_poisoned<X>)
      return typename X::error{};
    else if constexpr (std::is_same_v<X, refused_answer>)
      return explained<>{};
    else if constexpr (M::rank != 0 && !is_traced<X> && operand_traits<X>::type::mesh::rank == 0)
      return array_type_of<facts_given<typename operand_traits<X>::type>, M>{};
    else
      return typename operand_traits<X>::type{};
  }
};

}  // namespace detail
}  // namespace tessera
