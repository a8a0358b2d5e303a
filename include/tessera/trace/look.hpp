// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which program does a function read that is called on constants only? Its captures do not show it. So it is called
// once for this purpose, on constants; values of a program among its results belong to the program that it reads.

#include <tessera/base/unpack.hpp>
#include <tessera/trace/error_in.hpp>
#include <tessera/trace/own_program.hpp>
#include <tessera/trace/record.hpp>
#include <tessera/trace/refused_call.hpp>

namespace tessera::detail {

// Effects and reads of random keys: nodes that count even if nothing reads them.
class deeds {
public:
  constexpr explicit deeds(builder& b) : b_(b) {}
  constexpr int count() const {
    int n = 0;
    for (int id = 0; id < b_.size(); ++id) n += counts(id);
    return n;
  }
  // Undoes the last n of them.
  constexpr void undo(int n) {
    for (int id = b_.size() - 1; n > 0; --id)
      if (counts(id)) b_.recorded.nodes[id].op = &undone, --n;
  }

private:
  static constexpr op_info undone{"undone", op_class::effect};
  // Not those of constants, which are shared by all their readers.
  constexpr bool counts(int id) const {
    if (!b_.at(id).op->act && b_.at(id).op->key != key_role::consumed) return false;
    for (joined_part const& p : b_.joined)
      if (p.first <= id && id < p.first + p.count) return false;
    return true;
  }
  builder& b_;
};

// The results of call(), for their types and their program. A second call shows how many deeds one call adds; those of
// both calls are undone, since the actual call follows.
template <class Call>
constexpr auto look(Call const& call) {
  auto seen = call();
  if constexpr (any_traced<decltype(seen)>)
    if (builder* const b = builder_among(seen))
      if (deeds done(*b); int const once = done.count()) {
        (void)call();
        done.undo(2 * (done.count() - once));
      }
  return seen;
}

// Finds the first refusal among the results of that call, if no program recorded it.
struct find_refusal {
  refusal* found;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (is_poisoned<X>)
      if (found->what) *found = x.why;
  }
};
template <class Probed>
constexpr refusal refusal_in(Probed const& probed) {
  refusal found;
  tree_each(find_refusal{&found}, probed);
  return found;
}

// A constant of type A, otherwise unknown.
template <ArrayType A>
constexpr grown_constant<A> some_constant() {
  builder alone;
  return grow_constant<A>(alone, alone.push(info<ops::argument>, nullptr, 0, {}, A::value));
}
// The arguments of that call: a number or a value of a program becomes a constant of its type.
struct seen_leaf {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (ElementNumber<X>) {
      builder alone;
      return grow_constant<typename operand_traits<X>::type>(alone, operand_traits<X>::enter(alone, x).id);
    } else if constexpr (is_traced<X>) {
      return some_constant<typename operand_traits<X>::type>();
    } else {
      return x;
    }
  }
};

// For seen_by: f on these arguments.
template <class... X>
struct see_call {
  std::tuple<X const&...> arguments;
  constexpr explicit see_call(X const&... x) : arguments(x...) {}
  template <class F>
  constexpr auto operator()(F const& f, builder&) const {
    return unpack(
        [&](auto const&... x) { return call_in(nullptr, site{}, f, std::make_tuple(tree_map(seen_leaf{}, x)...)); },
        arguments);
  }
};

struct poison_seen {
  template <class Seen>
  constexpr auto operator()(Seen const& seen) const {
    return tree_map(poison_leaf<error_in<Seen>>{refusal_in(seen)}, seen);
  }
};
// What F returns for constants, to find the program that it reads: see(f, alone) calls it on constants that it makes with
// the program `alone`, on mesh M. F without captures reads its arguments only, and is not called.
template <Mesh M, class F, class See>
constexpr auto seen_by(F const& f, See const& see) {
  if constexpr (std::is_empty_v<F>)
    return std::tuple<>{};
  else
    return look([&] {
      builder alone;
      alone.recorded.mesh = M::value;
      return see(f, alone);
    });
}
// What run(builder&) records of F on constants: in the program that F reads, or in one of its own on mesh M. If F is
// refused where it is seen, the result is refused(seen).
template <Mesh M, class F, class See, class Run, class Refused = poison_seen>
constexpr auto recorded_where_it_reads(F const& f, See const& see, Run const& run, Refused const& refused = {}) {
  auto const seen = seen_by<M>(f, see);
  using Seen = std::remove_cvref_t<decltype(seen)>;
  if constexpr (!std::is_void_v<error_in<Seen>>)
    return refused(seen);
  else if constexpr (any_traced<Seen>)
    return run(*builder_among(seen));
  else
    return in_own_program<M>(run);
}

}  // namespace tessera::detail
