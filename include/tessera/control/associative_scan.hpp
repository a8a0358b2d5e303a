// SPDX-License-Identifier: Apache-2.0
#pragma once
// associative_scan(f, xs): all prefixes x0, f(x0, x1), f(f(x0, x1), x2) ... along dimension 0, in log2(n) rounds of f
// on whole arrays: f takes two trees like xs with equal numbers of elements, and combines them element by element. f
// must be associative: elements are not combined in the order of a loop.
//   associative_scan(f, xs)   associative_scan<1>(f, xs)   associative_scan(f, xs, reversed): suffixes
// The dimension must not be sharded, and its extent must be known. Bytes: those of f. Source: JAX 0.10.2
// lax.associative_scan.

#include <tessera/control/scan.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/reshape.hpp>

namespace tessera {
namespace ops {
// The operation that refusals of associative_scan name.
struct associative_scan {
  static constexpr std::string_view name = "associative_scan";
  static constexpr op_class kind = op_class::identity;
};
}  // namespace ops

namespace detail {

// Refuses the leaves that do not have such a dimension, of the extent that the first one has there.
template <int Dim, ArrayType A, ArrayType First>
struct no_prefixes {
  static constexpr verdict what = [] {
    if (A::rank <= Dim) return refuse(reason::dim_out_of_range, Dim, {}, Dim, A::rank);
    std::int64_t const wanted = First::value.extent(Dim), found = A::value.extent(Dim);
    return wanted == found ? verdict{} : refuse(reason::shapes_disagree, Dim, {}, wanted, found);
  }();
};
template <int Dim, class First>
struct check_dim {
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>) {
      return x;
    } else {
      using A = type_of_leaf<X>;
      using why = no_prefixes<Dim, A, First>;
      builder* graph = nullptr;
      if constexpr (is_traced<X>) graph = x.graph;
      if constexpr (why::what)
        return x;
      else if constexpr (why::what.why == reason::shapes_disagree)
        return refuse_leaf<ops::associative_scan, typename A::mesh, why, First, A>(graph, at);
      else
        return refuse_leaf<ops::associative_scan, typename A::mesh, why, A>(graph, at);
    }
  }
};

template <int Dim, std::int64_t Start, std::int64_t Limit, std::int64_t Stride>
struct every_nth {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return slice_in_dim<Dim, Start, Limit, Stride>(x);
  }
};
template <int Dim>
struct join_leaves {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return concatenate<Dim>(x, y);
  }
};
// x0 y0 x1 y1 ...
template <int Dim>
struct interleave_leaves {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    auto const pairs = stack<Dim + 1>(x, y);
    if constexpr (is_poisoned<std::remove_cvref_t<decltype(pairs)>>)
      return pairs;
    else
      return merged<type_of_leaf<X>>(pairs, std::make_index_sequence<type_of_leaf<X>::rank>{});
  }

private:
  template <class One, class Pairs, std::size_t... D>
  static constexpr auto merged(Pairs const& pairs, std::index_sequence<D...>) {
    constexpr array_value one = One::value;
    return reshape<(D == Dim ? 2 * one.extents[D] : one.extents[D])...>(pairs);
  }
};

template <int Dim>
struct flip_leaf {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return flip<Dim>(x);
  }
};

template <int Dim, std::int64_t N, class F, class X>
constexpr auto prefixes(F const& f, X const& xs) {
  if constexpr (N < 2) {
    return xs;
  } else {
    auto const pairs = f(tree_map(every_nth<Dim, 0, N - 1, 2>{}, xs), tree_map(every_nth<Dim, 1, N, 2>{}, xs));
    auto const odd = prefixes<Dim, N / 2>(f, pairs);
    auto const first = tree_map(every_nth<Dim, 0, 1, 1>{}, xs);
    if constexpr (N == 2) {
      return tree_map(join_leaves<Dim>{}, first, odd);
    } else {
      auto const before = tree_map(every_nth<Dim, 0, (N - 1) / 2, 1>{}, odd);
      auto const later = f(before, tree_map(every_nth<Dim, 2, N, 2>{}, xs));
      auto const even = tree_map(join_leaves<Dim>{}, first, later);
      if constexpr (N % 2 == 0) {
        return tree_map(interleave_leaves<Dim>{}, even, odd);
      } else {
        auto const paired = tree_map(interleave_leaves<Dim>{}, tree_map(every_nth<Dim, 0, N / 2, 1>{}, even), odd);
        return tree_map(join_leaves<Dim>{}, paired, tree_map(every_nth<Dim, N / 2, N / 2 + 1, 1>{}, even));
      }
    }
  }
}

template <class F, class Left, class Right>
constexpr auto refusal_of_pair() {
  using refused = function_refused<F, Left, Right>;
  if constexpr (!std::is_void_v<refused>) {
    return std::type_identity<refused>{};
  } else {
    using made = decltype(std::declval<F const&>()(std::declval<Left const&>(), std::declval<Right const&>()));
    if constexpr (!std::is_void_v<error_in<std::remove_cvref_t<made>>>)
      return std::type_identity<void>{};
    else
      return std::type_identity<trees_refused<ops::associative_scan, Left, std::remove_cvref_t<made>>>{};
  }
}
// Why f cannot combine the first elements of pairs with the second ones: an error, or void.
template <int Dim, std::int64_t N, class F, class X>
constexpr auto refusal_of_pairs() {
  if constexpr (N < 2)
    return std::type_identity<void>{};
  else
    return refusal_of_pair<F, decltype(tree_map(every_nth<Dim, 0, N - 1, 2>{}, std::declval<X const&>())),
                           decltype(tree_map(every_nth<Dim, 1, N, 2>{}, std::declval<X const&>()))>();
}
template <int Dim, std::int64_t N, class F, class X>
using pairs_refused = typename decltype(refusal_of_pairs<Dim, N, F, X>())::type;

template <int Dim, bool Reverse, class F>
struct scanned_at_once {
  static_assert(Dim >= 0,
                "tessera: associative_scan counts dimensions from the first. Fix: associative_scan<0>(f, xs).");
  [[no_unique_address]] F function;
  template <class X>
  constexpr auto operator()(X const& xs) const {
    return at_line(site{}, xs);
  }
  template <class X>
  constexpr auto at_line(site at, X const& xs) const {
    using first = first_leaf_type<X>;
    using checked = decltype(tree_map(check_dim<Dim, first>{}, xs));
    if constexpr (contains_array<X>()) {
      using call = run_traced<scanned_at_once, X>;
      call::refused::explain();
      return call::run(xs);
    } else if constexpr (!std::is_void_v<error_in<checked>>) {
      auto const refused = tree_map(check_dim<Dim, first>{at}, xs);
      using error = std::conditional_t<any_traced<X>, error_in<checked>, unsaid<error_in<checked>>>;
      auto const results = tree_map(poison_leaf<error>{refusal_in(refused)}, xs);
      said_here<decltype(results)>::explain();
      return as_said(results);
    } else {
      constexpr std::int64_t n = extent_along<Dim, X>;
      static_assert(n != dynamic,
                    "tessera: associative_scan over an unknown number of elements. Fix: scan, or a static extent.");
      using refused = pairs_refused<Dim, n, F, X>;
      if constexpr (!std::is_void_v<refused>) {
        error_at_once<refused, X>::explain();
        return tree_map(
            poison_leaf<later_error<refused, X>>{poisoned_in<refused>(builder_among(xs), reason::not_callable, at).why},
            xs);
      } else if constexpr (Reverse) {
        return tree_map(flip_leaf<Dim>{}, prefixes<Dim, n>(function, tree_map(flip_leaf<Dim>{}, xs)));
      } else {
        return prefixes<Dim, n>(function, xs);
      }
    }
  }
};

}  // namespace detail

namespace functions {

template <int Dim = 0, class F, class X>
constexpr auto associative_scan(F const& f, X const& xs, site at = std::source_location::current()) {
  return detail::scanned_at_once<Dim, false, F>{f}.at_line(at, xs);
}
template <int Dim = 0, class F, class X>
constexpr auto associative_scan(F const& f, X const& xs, reversed_t, site at = std::source_location::current()) {
  return detail::scanned_at_once<Dim, true, F>{f}.at_line(at, xs);
}

}  // namespace functions

}  // namespace tessera
