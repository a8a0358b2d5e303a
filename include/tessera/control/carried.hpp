// SPDX-License-Identifier: Apache-2.0
#pragma once
// Conversion of trees of values into and out of loops and branches, on the typed side.

#include <tessera/aval/promote.hpp>
#include <tessera/control/carried_types.hpp>
#include <tessera/control/loop_ops.hpp>
#include <tessera/error/error.hpp>
#include <tessera/op/base/identity.hpp>
#include <tessera/op/elementwise/cast.hpp>
#include <tessera/trace/on_arrays.hpp>

namespace tessera {

namespace detail {

// The facts of a node; none if it is refused.
constexpr array_value facts_of(builder const& b, int id) { return id < 0 ? array_value{} : b.facts(id); }

// A leaf of type A that Op refuses, or one of type B beside A: recorded if there is a program, and as its type.
template <class Op, Mesh M, class Why, ArrayType A, ArrayType... B>
constexpr auto refuse_leaf(builder* graph, site at) {
  static_assert(op_register<Op>::done);
  refusal found{Why::what, &bare_info<Op>, at, A::value, {}, 1 + static_cast<int>(sizeof...(B))};
  ((found.rhs = B::value), ...);
  if (graph != nullptr) graph->refuse(found);
  return poisoned<error::of<Op, M, Why, void, boost::mp11::mp_list<A, B...>>>{found};
}

// The leaves of trees as values of the program; numbers become strong ones.
struct enter_leaves {
  builder* graph;
  growable<int>* ids;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (!is_poisoned<X>) ids->push_back(operand_traits<X>::enter(*graph, x).id);
  }
};

// Arguments of a region, with the facts of the values `like`.
template <Mesh M>
struct carried_argument {
  builder* graph;
  growable<int> const* like;
  growable<int>* made;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>) {
      return x;
    } else {
      array_value const facts = facts_of(*graph, (*like)[made->size()]);
      made->push_back(graph->push(info<ops::argument>, nullptr, 0, {}, facts));
      return traced<carried_type<type_of_leaf<X>, M>>{graph, made->back()};
    }
  }
};

// Results with the types of carried values, or of a branch's results.
template <Mesh M, bool Strong = false>
struct carried_value {
  builder* graph;
  int loop;
  int* next;
  growable<int> const* like;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>) {
      return x;
    } else {
      std::size_t const k = (*next)++;
      array_value facts = facts_of(*graph, (*like)[k]);
      if (Strong) facts.weak = false;
      using A = type_of_leaf<X>;
      using type = std::conditional_t<Strong, hard_type<A, M>, carried_type<A, M>>;
      return traced<type>{graph, loop_result(*graph, loop, static_cast<int>(k), facts).id};
    }
  }
  // The type of a loop's value that began as x and for which a Y is returned: weak if both are.
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const&) const {
    if constexpr (is_poisoned<X> || is_poisoned<Y>)
      return (*this)(x);
    else if constexpr (type_of_leaf<Y>::value.weak)
      return (*this)(x);
    else
      return carried_value<M, true>{graph, loop, next, like}(x);
  }
};

// A number as an initial value is promoted to the element type that the body returns, as in JAX.
template <ArrayType A, ArrayType B>
inline constexpr bool hardens = A::value.weak&& A::value.element != B::value.element;
template <Mesh M>
struct harden_leaf {
  builder* graph;
  template <class X, class Y>
  constexpr auto operator()(X const& begin, Y const&) const {
    if constexpr (is_poisoned<X> || is_poisoned<Y>) {
      return begin;
    } else {
      using A = type_of_leaf<X>;
      using B = type_of_leaf<Y>;
      if constexpr (hardens<A, B>) {
        constexpr dtype element = promote({A::value.element, A::value.weak}, {B::value.element, B::value.weak}).element;
        cast_params const to{element};
        term const cast = make<ops::cast>(*graph, {operand_traits<X>::enter(*graph, begin)}, to);
        using type = array_type_of<hard_facts<A, element>, M>;
        int const id = cast ? graph->push(info<ops::identity>, &cast.id, 1, {}, type::value) : -1;
        return traced<type>{graph, id};
      } else {
        return begin;
      }
    }
  }
};
struct harden_type {
  template <class X, class Y>
  constexpr auto operator()(X const&, Y const&) const {
    if constexpr (is_poisoned<X> || is_poisoned<Y>)
      return std::false_type{};
    else
      return std::bool_constant<hardens<type_of_leaf<X>, type_of_leaf<Y>>>{};
  }
};
struct any_leaf_true {
  bool* any;
  template <class X>
  constexpr void operator()(X const&) const {
    *any = *any || X::value;
  }
};
// Whether there is such a number among the leaves of C, for which R is returned.
template <class C, class R>
inline constexpr bool any_hardens = [] {
  bool any = false;
  tree_each(any_leaf_true{&any},
            decltype(tree_map(harden_type{}, std::declval<C const&>(), std::declval<R const&>())){});
  return any;
}();

// Over axes that are not in types, carried values begin as varying if the body makes them vary: `begins` for a loop
// whose `turn` records one turn and returns its values. Nothing of it is kept in the program.
template <Mesh M, class Turn>
constexpr void differ_unseen(builder& b, growable<int>& begins, Turn const& turn) {
  if constexpr (!M::value.unseen().empty()) {
    for (bool more = true; more;) {
      graph_size const before = b.recorded.size();
      refusal const kept = b.refused;
      growable<int> returned;
      tree_each(enter_leaves{&b, &returned}, turn());
      growable<axis_set> over;
      for (std::size_t k = 0; k < returned.size() && k < begins.size(); ++k)
        over.push_back((facts_of(b, returned[k]).varying & M::value.unseen()) - facts_of(b, begins[k]).varying);
      b.take_back(before);
      b.refused = kept;
      more = false;
      for (std::size_t k = 0; k < over.size(); ++k) {
        if (over[k].empty() || begins[k] < 0) continue;
        array_value facts = b.facts(begins[k]);
        facts.varying |= over[k];
        begins[k] = b.push(info<ops::identity>, &begins[k], 1, {}, facts);
        more = true;
      }
    }
  }
}

// A tree without its leaves: equal for trees of one structure. A std::pair is a tuple, and so is a std::array: tree_map
// makes tuples of them.
template <class T>
struct without_leaves {
  using type = error::leaf;
};
template <class... T>
struct without_leaves<std::tuple<T...>> {
  using type = std::tuple<typename without_leaves<T>::type...>;
};
template <class A, class B>
struct without_leaves<std::pair<A, B>> {
  using type = std::tuple<typename without_leaves<A>::type, typename without_leaves<B>::type>;
};
template <class T, std::size_t N>
struct without_leaves<std::array<T, N>> {
  using type =
      boost::mp11::mp_rename<boost::mp11::mp_repeat_c<std::tuple<typename without_leaves<T>::type>, N>, std::tuple>;
};
template <template <class...> class T, class... L>
  requires NamedTree<T<L...>>
struct without_leaves<T<L...>> {
  using type = T<typename without_leaves<L>::type...>;
};
template <RigidTree T>
struct without_leaves<T> {
  using type = T;
};
template <class T>
using structure_of = typename without_leaves<std::remove_cvref_t<T>>::type;

// The error of a tree Given where one of Wanted's structure belongs, or void.
template <class Op, class Wanted, class Given>
using trees_refused =
    std::conditional_t<std::is_same_v<structure_of<Wanted>, structure_of<Given>>, void,
                       error::typed<reason::trees_differ, Op, error::needed_tree<structure_of<Wanted>>,
                                    error::given_tree<structure_of<Given>>>>;
template <class Op>
constexpr void refuse_tree(builder& b, site at) {
  static_assert(op_register<Op>::done);
  b.refuse(refusal{refuse(reason::trees_differ), &bare_info<Op>, at, {}, {}, 0});
}

}  // namespace detail
}  // namespace tessera
