// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a choice between branches is recorded: each as a region, or all of them where devices choose differently.

#include <tessera/control/carried_error.hpp>
#include <tessera/control/check_carried.hpp>
#include <tessera/control/checkpoint_policies.hpp>
#include <tessera/control/choice.hpp>
#include <tessera/control/recordable.hpp>
#include <tessera/op/elementwise/clamp.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera {
namespace detail {

// Nodes recorded since `first` must not communicate over axes along which the choice varies.
constexpr void check_no_messages(builder& b, int first, array_value const& selector, site at) {
  for (int id = first; id < b.size(); ++id) {
    node const& n = b.at(id);
    axis_set const over = axes_joined(n.attrs) & selector.varying;
    if (n.op->message != collective::none && !over.empty())
      b.refuse(refusal{refuse(reason::collective_in_branch, -1, over), n.op, n.at.line ? n.at : at, selector, {}, 1});
  }
}

template <class Error>
struct poisoned_or_none {
  using type = poisoned<Error>;
};
template <>
struct poisoned_or_none<void> {
  using type = error::leaf;
};
template <class Error>
using poisoned_between = typename poisoned_or_none<Error>::type;

// The error of branches that do not return what the first one does, or void.
template <class Op, Mesh M, class Outs>
struct branches_refused;
template <class Op, Mesh M, class First, class... Rest>
struct branches_refused<Op, M, std::tuple<First, Rest...>> {
private:
  using tree = error_in<poisoned_between<trees_refused<Op, First, Rest>>...>;
  static constexpr auto found() {
    if constexpr (other_tree)
      return std::type_identity<tree>{};
    else
      return std::type_identity<
          error_in<poisoned_between<error_between<Op, reason::branches_differ, M, "result", First, Rest>>...>>{};
  }

public:
  static constexpr bool other_tree = !std::is_void_v<tree>;
  using type = typename decltype(found())::type;
};

template <Mesh M>
struct choose_leaf {
  builder* graph;
  int selector;
  int branch;  // of `other`
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& other) const {
    builder& b = *graph;
    term const chosen = pick(b, {&b, selector});
    term const made = make<ops::where>(b, {chosen, operand_traits<Y>::enter(b, other), operand_traits<X>::enter(b, x)});
    using type = array_type_of<joined<type_of_leaf<X>, type_of_leaf<Y>>, M>;
    return traced<type>{&b, made.id};
  }

private:
  // The result of where() for both.
  template <class A, class B>
  struct joined {
    static constexpr array_value facts = [] {
      array_value f = A::value;
      f.weak = A::value.weak && B::value.weak;
      f.varying |= B::value.varying;
      return f;
    }();
  };
  constexpr term pick(builder& b, term which) const {
    if (!which || which.facts().element == dtype::boolean) return which;
    literal_params number;
    number.element = which.facts().element;
    number.integer = branch;
    return make<ops::greater_equal>(b, {which, b.emit(info<ops::literal>, {}, number)});
  }
};

// The last branch whose number is at most the selector.
template <class M, std::size_t I, class Outs, class Y>
constexpr auto select_branch(builder& b, int selector, Outs const& outs, Y const& so_far) {
  if constexpr (I == std::tuple_size_v<Outs>)
    return so_far;
  else
    return select_branch<M, I + 1>(
        b, selector, outs, tree_map(choose_leaf<M>{&b, selector, static_cast<int>(I)}, so_far, std::get<I>(outs)));
}

// Saves: the policy of a checkpoint, void for other branches.
template <class Op, class Saves, class S, class Branches, class... X>
struct branch_run : recordable<branch_run<Op, Saves, S, Branches, X...>> {
  S given;
  Branches branches;
  site at;
  std::tuple<X...> operands;
  constexpr branch_run(S const& which, Branches const& all, site where, X const&... x)
      : given(which), branches(all), at(where), operands(x...) {}

  template <class Around>
  constexpr auto in(builder& b) const {
    constexpr std::size_t count = std::tuple_size_v<Branches>;
    deeper const inside(b);
    b.here = at;
    auto const selector = as_choice<ops::branch, Around, true>(b, at, put_on<Around>(given));
    using selector_type = std::remove_cvref_t<decltype(selector)>;
    term chosen{&b, -1};
    if constexpr (!is_poisoned<selector_type>) chosen = operand_traits<selector_type>::enter(b, selector);
    using type = type_of_leaf<std::conditional_t<is_poisoned<selector_type>, bool, selector_type>>;
    growable<graph_region> regions;
    growable<int> like;
    int const start = b.size();
    // Records each branch; its result.
    auto const record = [&](auto const& branch, bool as_region) {
      int const first = b.size();
      auto const out = tree_map(place_leaf<Around>{}, call_in(&b, at, branch, operands));
      using out_type = std::remove_cvref_t<decltype(out)>;
      if constexpr (std::is_void_v<error_in<out_type>>) {
        growable<int> outputs;
        b.here = at;
        if (like.empty())
          tree_each(enter_leaves{&b, &like}, out), outputs = like;
        else
          check_all_carried<Op>(b, at, reason::branches_differ, like, outputs, out);
        if constexpr (!std::is_void_v<Saves>)
          for (int id : values_to_save<Saves>(b, first, like)) outputs.push_back(id);
        if (as_region) regions.push_back(b.close_region(first, {}, outputs));
      }
      return out;
    };
    bool const as_region = type::value.varying.empty();
    auto const outs = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple<std::remove_cvref_t<decltype(record(std::get<I>(branches), as_region))>...>{
          record(std::get<I>(branches), as_region)...};
    }
    (std::make_index_sequence<count>{});
    using outs_type = std::remove_cvref_t<decltype(outs)>;
    using refused = error_in<selector_type, outs_type>;
    if constexpr (!std::is_void_v<refused>) {
      return tree_map(poison_leaf<refused>{}, std::get<0>(outs));
    } else {
      using M = joined_mesh<Around, mesh_of_leaves<outs_type>>;
      using between = branches_refused<Op, M, outs_type>;
      using differs = typename between::type;
      if constexpr (between::other_tree) refuse_tree<Op>(b, at);
      if constexpr (!type::value.varying.empty()) check_no_messages(b, start, type::value, at);
      if constexpr (!std::is_void_v<differs>) {
        return tree_map(poison_leaf<differs>{}, std::get<0>(outs));
      } else {
        b.here = at;
        if constexpr (type::value.varying.empty()) {
          loop_shape shape;
          shape.kind = loop_kind::branch;
          if constexpr (!std::is_void_v<Saves>) shape.results = static_cast<int>(like.size());
          growable<int> operands;
          operands.push_back(chosen.id);
          int const loop = push_loop<Op>(b, regions, operands, shape);
          if constexpr (!std::is_void_v<Saves>) push_saved(b, loop, regions[0], shape.results);
          int k = 0;
          return tree_map(carried_value<M, true>{&b, loop, &k, &like}, std::get<0>(outs));
        } else {
          return select_branch<M, 1>(b, chosen.id, outs, std::get<0>(outs));
        }
      }
    }
  }
  template <class Probed>
  static constexpr auto like(Probed const& probed) {
    return std::get<0>(std::get<sizeof...(X) + 1>(probed));
  }
};

}  // namespace detail
}  // namespace tessera
