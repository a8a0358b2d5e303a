// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tracing: a function object is called once, at compile time, with handles; the operations that it calls become a
// constant graph.

#include <tessera/base/unpack.hpp>
#include <tessera/graph/keys.hpp>
#include <tessera/trace/apply.hpp>
#include <tessera/trace/enter_leave.hpp>
#include <tessera/trace/enter_numbers.hpp>
#include <tessera/trace/error_in.hpp>
#include <tessera/trace/leaf_meshes.hpp>
#include <tessera/trace/leaves.hpp>
#include <tessera/trace/tree.hpp>
#include <tessera/trace/tree_parts.hpp>
#include <tessera/trace/with_line.hpp>

namespace tessera {

// The signature of an argument: a tree with array types as its leaves. Arrays and numbers become their types, and equal
// layouts become one type: P<dp> of a matrix is P<dp, none>, so that a function is traced and planned once for both.
// Anything else (std::integral_constant, tags) is unchanged: a static argument.
struct to_signature {
  template <class A>
  using spelled_out = array_type_of<detail::facts_given<A>, typename A::mesh>;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (ArrayType<X>)
      return spelled_out<X>{};
    else if constexpr (Refused<X>)
      return x;
    else if constexpr (requires { typename operand_traits<X>::signature; })
      return typename operand_traits<X>::signature{};
    else if constexpr (Operand<X>)
      return spelled_out<typename operand_traits<X>::type>{};
    else
      return x;
  }
};
template <class X>
using signature_of = decltype(tree_map(to_signature{}, std::declval<X const&>()));

namespace detail {

// A recorded program: in room for most programs, from which a constant of its own size is cut.
struct kept_trace {
  static constexpr graph_size room{TESSERA_ROOM, 4 * TESSERA_ROOM, TESSERA_ROOM / 4, TESSERA_ROOM / 4,
                                   512,          TESSERA_ROOM};
  graph_size size{};
  refusal refused{};  // the first refusal
  bool whole = false;
  graph<room> in{};

  constexpr explicit kept_trace(builder const& b)
      : size(b.recorded.size()), refused(b.refused), whole(room.holds(size)) {
    if (whole) in.take(b.recorded.view());
  }
};
// Whether the function of trace T only calls constexpr functions: shown by a call with absent values, or else by its
// recording.
template <class T>
auto calls_constexpr(int) -> std::bool_constant<T::tried()>;
template <class T>
auto calls_constexpr(long) -> std::false_type;
template <class T>
auto records(int) -> std::bool_constant<(T::record().size() >= 0)>;
template <class T>
auto records(long) -> std::false_type;
template <class T, bool Tried = decltype(calls_constexpr<T>(0))::value>
inline constexpr bool is_constexpr = true;
template <class T>
inline constexpr bool is_constexpr<T, false> = decltype(records<T>(0))::value;
// The mesh of the arguments; if they have none, that of the results.
template <class Handles, class... Args>
struct traced_mesh : leaf_meshes<std::tuple<Args...>> {};
template <class Handles, class... Args>
  requires(leaf_meshes<std::tuple<Args...>>::type::rank == 0)
struct traced_mesh<Handles, Args...> : leaf_meshes<std::tuple<signature_of<Handles>>> {};

}  // namespace detail

// F traced for arguments of these signatures (trees of array types): its graph and its results' types, or its refusal.
template <class F, class... Args>
struct trace_of {
  using handles = decltype(F{}(tree_map(detail::enter_argument{nullptr}, Args{})...));
  using mesh = typename detail::traced_mesh<handles, Args...>::type;
  using error = typename detail::first_error<handles>::type;  // void if accepted
  static constexpr bool poisoned_result = !std::is_void_v<error>;

  template <class Handles>
  static constexpr auto call(Handles const& arguments) {
    return detail::unpack(
        [](auto const&... x) {
          if constexpr (std::is_base_of_v<detail::with_line<std::remove_cv_t<F>>, F>)
            return F{}.at_line(site{}, x...);  // this call has no line of the user's
          else
            return F{}(x...);
        },
        arguments);
  }
  static constexpr builder record() {
    builder b;
    b.recorded.mesh = mesh::value;
    detail::leave(b, call(tree_map(detail::enter_argument{&b}, std::tuple<Args...>{})));
    return b;
  }
  // Records with known facts of the argument leaves and the mesh, for dynamic sizes.
  static constexpr builder record(mesh_value const& at, array_value const* facts) {
    builder b;
    b.recorded.mesh = at;
    int next = 0;
    detail::leave(b, call(tree_map(detail::enter_known_argument{&b, facts, &next}, std::tuple<Args...>{})));
    return b;
  }
  // Calls everything that the function calls, except its operations: the program counts as refused.
  static constexpr bool tried() {
    builder b;
    b.recorded.mesh = mesh::value;
    b.refused.what = refuse(reason::not_constexpr);
    call(tree_map(detail::enter_absent{&b}, std::tuple<Args...>{}));
    return true;
  }
  static constexpr bool is_constant = detail::is_constexpr<trace_of>;
  static constexpr detail::kept_trace kept = [] {
    if constexpr (is_constant)
      return detail::kept_trace(record());
    else
      return detail::kept_trace(builder{});
  }();
  static constexpr bool accepted = is_constant && kept.refused.what;
  static constexpr refusal refused = kept.refused;  // its own, since code at run time reads it
  static constexpr graph_size traced_size = kept.size;
  static constexpr graph<traced_size> program = [] {
    if constexpr (kept.whole)
      return graph<traced_size>(kept.in.view(traced_size));
    else
      return graph<traced_size>(record().recorded);
  }();
  // The program, at compile time only: code at run time uses `program`, not the large room that this may point to.
  static constexpr graph_view traced() {
    if constexpr (kept.whole)
      return kept.in.view(traced_size);
    else
      return program.view();
  }

  // The global facts of the results, in order.
  static constexpr std::array<array_value, traced_size.outputs> results = [] {
    std::array<array_value, traced_size.outputs> facts{};
    graph_view const g = traced();
    for (int i = 0; i < g.output_count; ++i) facts.data()[i] = g[g.outputs[i]].facts;
    return facts;
  }();

  using result = decltype(tree_map(detail::result_type<mesh>{}, std::declval<handles>()));
};

}  // namespace tessera
