// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program in which a loop or branch is recorded: that of the values it receives or reads, or one of its own.

#include <tessera/control/carried.hpp>
#include <tessera/control/carried_types.hpp>
#include <tessera/trace/look.hpp>
#include <tessera/trace/own_program.hpp>

namespace tessera {
namespace detail {

// The arguments of a loop or branch; if they belong to no program, the result of `call`, which may read values around
// it: it is called only for this.
template <class Call, class... X>
constexpr auto probe(Call const& call, X const&... x) {
  if constexpr (any_traced<X...>)
    return std::make_tuple(x...);
  else
    return std::make_tuple(x..., look([&] { return call(x...); }));
}
template <class Probed>
constexpr builder& graph_of(Probed const& probed) {
  return *builder_among(probed);
}

struct unplaced_type {
  template <class X>
  constexpr auto operator()(X const&) const {
    return std::bool_constant<is_unplaced<X>>{};
  }
};
template <class T>
inline constexpr bool any_unplaced = [] {
  bool any = false;
  tree_each(any_leaf_true{&any}, decltype(tree_map(unplaced_type{}, std::declval<T const&>())){});
  return any;
}();

// Results that wait for a mesh, as a tree like this one.
template <class Run, std::size_t... Path, class T>
constexpr auto waiting(Run const& run, T const& like) {
  if constexpr (Tree<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return typename rebuild<T>::template with<decltype(waiting<Run, Path..., I>(run, part<I>(parts_of(like))))...>{
          waiting<Run, Path..., I>(run, part<I>(parts_of(like)))...};
    }
    (positions_in<T>{});
  } else {
    return unplaced_result<Run, Path...>{{}, run};
  }
}
// A loop or branch, recorded by Self::in<M>(builder&) in the program it belongs to. If it neither receives nor reads a
// value of a program, it becomes a program of its own, with constants as results, or an error that is unsaid.
template <class Self>
struct recordable {
  // On the mesh that it waited for: in a program.
  template <class M>
  constexpr auto alone() const {
    return as_reported_later(unsaid_alone<M>());
  }
  // Self::like(probed) has the types of its results.
  template <class Probed>
  constexpr auto recorded(Probed const& probed) const {
    using M = mesh_of_leaves<Probed>;
    if constexpr (any_traced<Probed>)
      return self().template in<M>(graph_of(probed));
    else if constexpr (M::rank == 0 && any_unplaced<Probed>)
      return waiting(self(), Self::like(probed));
    else
      return unsaid_alone<M>();
  }

private:
  template <class M>
  constexpr auto unsaid_alone() const {
    return in_own_program<M>([this](builder& own) { return self().template in<M>(own); });
  }
  constexpr Self const& self() const { return static_cast<Self const&>(*this); }
};

}  // namespace detail
}  // namespace tessera
