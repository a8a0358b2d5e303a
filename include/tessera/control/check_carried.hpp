// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a body returns for carried values is of the same types as these, or refused.

#include <tessera/control/carried.hpp>
#include <tessera/error/error.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {
namespace detail {

// Whether a body F counts turns in addition to the user's carried values, which are then the second part.
template <class F>
inline constexpr bool counts_turns = false;

// The error of a body F that returns another tree than it carries, or void.
template <class F, class Carry>
struct users_carry {
  using type = Carry;
};
template <class F, class Carry>
  requires counts_turns<F>
struct users_carry<F, Carry> {
  using type = std::tuple_element_t<1, Carry>;
};
template <class Op, class F, class Carry, class Returned>
using carried_tree_refused =
    trees_refused<Op, typename users_carry<F, Carry>::type, typename users_carry<F, Returned>::type>;

// The values that a body returns for carried ones, with their types. `later`: a refusal of a value that no longer
// varies, which is reported only if there is no other refusal, since the value varies again if the others begin with
// their returned types. `counted`: the first value counts turns.
template <class Op>
struct check_carried {
  static_assert(op_register<Op>::done);
  builder* graph;
  site at;
  reason why;
  growable<int> const* like;
  growable<int>* outputs;
  refusal* later;
  bool counted;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (!is_poisoned<X>) {
      term const given = operand_traits<X>::enter(*graph, x);
      if (!given) return;
      if (outputs->size() >= like->size()) return;  // another tree: refused by type
      int const begun = (*like)[outputs->size()];
      array_value wanted = begun < 0 ? given.facts() : graph->facts(begun), found = given.facts();  // -1: refused
      wanted.weak = found.weak = false;
      if (!(wanted == found)) {
        refusal differs{refuse(why), &bare_info<Op>, at, wanted, found, 2};
        differs.what.size = static_cast<std::int64_t>(outputs->size()) - counted;
        array_value as_before = found;
        as_before.varying = wanted.varying;
        if (as_before == wanted && wanted.varying.contains(found.varying))
          *later = differs;
        else
          graph->refuse(differs);
      }
      outputs->push_back(given.id);
    }
  }
};
template <class Op, class T>
constexpr void check_all_carried(builder& b, site at, reason why, growable<int> const& like, growable<int>& outputs,
                                 T const& returned, bool counted = false) {
  refusal later;
  tree_each(check_carried<Op>{&b, at, why, &like, &outputs, &later, counted}, returned);
  if (later.what.why != reason::none) b.refuse(later);
}

}  // namespace detail
}  // namespace tessera
