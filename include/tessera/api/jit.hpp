// SPDX-License-Identifier: Apache-2.0
#pragma once
// jit<F>(x, ...) and jit(f): a whole function as one program, traced, checked, planned and fused while this file
// compiles. F is a function object without state or a lambda without captures; arguments are arrays, C++ numbers
// (run-time scalars, weakly typed as in JAX: each operand's dtype at full value, std::out_of_range if an integer type
// cannot hold it), trees of them, and static arguments (anything else, by type). Results are arrays with the traced
// types. In traced code it is a call of F. Arrays given as rvalues are donated, jit<step>(std::move(params)): they are
// released, and a result reuses the memory of one if the plan and other handles allow it. Source: JAX jax.jit,
// donate_argnums.

#include <tessera/api/loaded_program.hpp>
#include <tessera/api/release_arguments.hpp>
#include <tessera/array/current_mesh.hpp>
#include <tessera/error/explain_text.hpp>
#include <tessera/graph/canonical.hpp>
#include <tessera/plan/make/planned.hpp>
#include <tessera/plan/sizes/cost_of_sizes.hpp>
#include <tessera/trace/why.hpp>
#include <tessera/transform/shardings.hpp>

namespace tessera {
namespace detail {

template <class T>
inline constexpr bool over_auto_axes = !T::mesh::value.of_kind(axis_kind::automatic).empty();

template <class T>
inline constexpr bool all_static = [] {
  for (int i = 0; i < T::mesh::value.rank; ++i)
    if (T::mesh::value.size(i) == dynamic) return false;
  graph_view const g = T::traced();
  for (int i = 0; i < g.input_count; ++i)
    if (g[g.inputs[i]].facts.size() == dynamic) return false;
  return true;
}();

// The plan with numbers instead of unknown sizes, where the axes in Ones have one device.
template <class T, std::uint32_t Ones>
struct stand_in_program {
  static constexpr graph_size traced_size = T::traced_size;
  static constexpr growable_plan make() {
    mesh_value mesh = sizes_of<T>::value.mesh;
    for (int a = 0; a < mesh.rank; ++a)
      if (axis_set{Ones}.contains(a)) mesh.sizes[a] = 1;
    growable_graph const traced = canonical(sizes_of<T>::traced(mesh, sizes_of<T>::value.values).recorded);
    return plan_traced(traced.view());
  }
};
template <class T, std::uint32_t Ones>
using stand_in_plan = planned_once<stand_in_program<T, Ones>>;

// Kernels of a program over Auto axes: those of its plan with chosen layouts of the arguments. The actual layouts are
// known when it is called.
template <class T>
struct kernels_for_any_layout {
  static constexpr compiled_plan value[1]{{planned<T>::value.view(), tessera::kernels_of<planned<T>::value, false>()}};
};

// Kernels of a program with unknown sizes: those of its plan with several devices along all axes of unknown size, and
// of those with one device along some, which need fewer steps. For more than two such axes: one device along all.
template <class T>
struct kernels_for_any_size {
  static constexpr axis_set axes = [] {
    axis_set set;
    for (int a = 0; a < T::mesh::rank; ++a)
      if (T::mesh::value.size(a) == dynamic) set |= axis_set::of(a);
    return set;
  }();
  static constexpr std::size_t count = !sizes_of<T>::value.found ? 0 : axes.empty() ? 1 : axes.size() == 2 ? 4 : 2;
  static constexpr std::uint32_t ones(std::size_t i) {
    if (axes.size() != 2) return i == 0 ? 0u : axes.bits;
    auto const lowest = axes.bits & (~axes.bits + 1);
    return i == 0 ? 0u : i == 1 ? lowest : i == 2 ? axes.bits ^ lowest : axes.bits;
  }
  template <std::size_t... I>
  static constexpr std::array<compiled_plan, count> make(std::index_sequence<I...>) {
    return {compiled_plan{stand_in_plan<T, ones(I)>::value.view(),
                          tessera::kernels_of<stand_in_plan<T, ones(I)>::value, false>()}...};
  }
  static constexpr std::array<compiled_plan, count> value = make(std::make_index_sequence<count>{});
};

template <class T, bool Compiled>
constexpr std::span<compiled_plan const> known_kernels() {
  if constexpr (!Compiled || kernels_from_engine)
    return {};
  else if constexpr (all_static<T>)
    return kernels_for_any_layout<T>::value;
  else
    return kernels_for_any_size<T>::value;
}

// The plan at run time.
template <class T>
struct program_to_plan {
  static constexpr auto value = [] {
    auto program = T::program;
    for (int i = 0; i < program.view().node_count; ++i)
      if (op_info const*& op = program.nodes.data()[i].op; op && op->for_planning) op = op->for_planning;
    return program;
  }();
};
// The kernels of the plan for one process, most of which several processes use, too.
template <class T>
struct kernels_of_one_process {
  static constexpr compiled_plan value[1]{{planned<T>::value.view(), tessera::kernels_of<planned<T>::value>()}};
};
template <class T, bool Compiled>
constexpr std::span<compiled_plan const> kernels_elsewhere() {
  if constexpr (!Compiled || kernels_from_engine)
    return {};
  else
    return kernels_of_one_process<T>::value;
}

// The mesh of a program without an argument that has one. Throws if no mesh of that type is current.
template <Mesh M>
device_mesh<M> default_mesh() {
  if constexpr (M::rank == 0)
    return device_mesh<M>::anywhere(default_device());
  else
    return current_mesh<M>();
}

// An argument of a program on meshes of type M, given to a call.
template <Mesh M>
struct give_argument {
  program_call* call;
  template <class X>
  void operator()(X const& x) const {
    if constexpr (TypedNumber<X>) {
      call->give(std::as_bytes(std::span(&x, 1)), dtype_of<X>());
    } else if constexpr (ElementNumber<X>) {
      call->give(number_value_of(x));
    } else if constexpr (requires { typename operand_traits<X>::signature; }) {
      auto const store = [](void const* constant, mesh_value const& mesh, dtype element, bool asked) {
        return store_constant(*static_cast<X const*>(constant), mesh, element, asked);
      };
      auto const program = [](void const* constant) { return static_cast<X const*>(constant)->program.view(); };
      call->give(X::type::value, {&x, store, program});
    } else if constexpr (is_array<X>) {
      if constexpr (std::is_same_v<typename X::mesh_type, M>)
        call->give(x.stored(), x.mesh());
      else
        call->give_beside(x.stored(), x.mesh());
    } else if constexpr (Operand<X>) {
      call->give(store_operand(x));
    }
  }
};
// The mesh of a call's arrays.
template <Mesh M>
device_mesh<M> mesh_of(program_call const& call) {
  return call.mesh() ? static_cast<device_mesh<M> const&>(*call.mesh()) : default_mesh<M>();
}

template <class T, bool Compiled>
constexpr unsettled_program unsettled() {
  unsettled_program program{program_to_plan<T>::value.view(), T::results.data(), nullptr, known_kernels<T, Compiled>()};
  if constexpr (!all_static<T>) program.record = &T::record;
  return program;
}

// The program of trace T for a call's arguments. Compiled: its fused steps are kernels of their own; otherwise they are
// interpreted, and nothing is instantiated for this program.
template <class T, bool Compiled>
void load(program_call& call, mesh_value const& mesh) {
  if constexpr (!all_static<T> || over_auto_axes<T>) {
    static constexpr unsettled_program program = unsettled<T, Compiled>();
    static program_cache cache;
    call.load(program, cache, mesh);
  } else if (mesh.processes) {
    static program_cache cache;
    call.load_across(program_to_plan<T>::value.view(), kernels_elsewhere<T, Compiled>(), cache, mesh);
  } else if constexpr (Compiled) {
    static loaded_program const program{planned<T>::value.view(), T::results, tessera::kernels_of<planned<T>::value>()};
    call.load(program, program_to_plan<T>::value.view());
  } else {
    static run_time_program const program{program_to_plan<T>::value.view()};
    call.load(program.program, program.global.view());
  }
}

// The error of F for these arguments: an error type, or void. An argument that is a refused call's result has that
// call's error, which is reported only once.
template <class F, class... X>
constexpr auto refusal_of_call() {
  if constexpr (!std::is_void_v<error_in<X...>>)
    return std::type_identity<error_in<X...>>{};
  else
    return std::type_identity<why<F, X...>>{};
}
template <class F, class... X>
using call_refused = typename decltype(refusal_of_call<F, X...>())::type;

// The result of a refused call: a tree like F's, if it has one.
template <class Error, class F, class... X>
constexpr auto refused_result() {
  if constexpr (!Stateless<F> || is_rigid_tree<Error>) {
    return poisoned<explained<Error>>{};
  } else if constexpr (std::is_void_v<error_in<X...>> &&
                       !std::is_void_v<typename first_wrong_of<wrong_argument, signature_of<X>...>::type>) {
    return poisoned<explained<Error>>{};
  } else if constexpr (!std::is_invocable_v<F, handle_of<signature_of<X>>...>) {
    return poisoned<explained<Error>>{};
  } else {
    using handles = std::invoke_result_t<F, handle_of<signature_of<X>>...>;
    if constexpr (std::is_void_v<handles>)
      return poisoned<explained<Error>>{};
    else
      return decltype(tree_map(poison_leaf<explained<Error>>{}, std::declval<handles const&>())){};
  }
}

template <class... X>
inline constexpr bool in_traced_code = any_traced<X...> || (contains<operand_kind::poisoned, X> || ...);

template <class F, bool Compiled = true, class... X>
auto run_jitted(X&&... x) {
  using T = trace_of<F, signature_of<std::remove_cvref_t<X>>...>;
  using mesh_type = typename T::mesh;
  program_call call;
  (tree_each(give_argument<mesh_type>{&call}, x), ...);
  auto const mesh = mesh_of<mesh_type>(call);
  load<T, Compiled>(call, mesh.value());
  (release_if_given(std::forward<X>(x)), ...);
  call.run(mesh);
  std::size_t next = 0;
  return tree_map(
      [&]<class A>(A const&) {
        if constexpr (std::is_same_v<typename A::mesh, mesh_type>)
          return array<A>(mesh, call.take(next++));
        else
          return array<A>(default_mesh<typename A::mesh>(), call.take(next++));
      },
      typename T::result{});
}

// F on arrays; after a refusal, which the caller reports, the result of a refused call.
template <class F, class... X>
constexpr auto run_or_refused(X&&... x) {
  using refused = call_refused<F, std::remove_cvref_t<X>...>;
  if constexpr (std::is_void_v<refused>)
    return run_jitted<F>(std::forward<X>(x)...);
  else
    return refused_result<refused, F, std::remove_cvref_t<X>...>();
}

}  // namespace detail

template <class F>
struct jitted {
  [[no_unique_address]] F function;
  template <class... X>
  constexpr auto operator()(X&&... x) const {
    if constexpr (detail::in_traced_code<std::remove_cvref_t<X>...>) {
      return function(x...);
    } else {
      detail::error_or_silence<detail::call_refused<F, std::remove_cvref_t<X>...>>::explain();
      return detail::run_or_refused<F>(std::forward<X>(x)...);
    }
  }
};

namespace functions {

// jit<F>(x, ...): runs F on arrays; in traced code a call of F.
template <class F, class... X>
  requires(!detail::is_shardings<F>)
constexpr auto jit(X&&... x) {
  // Written here: each call in between would add three lines to an error.
  if constexpr (detail::in_traced_code<std::remove_cvref_t<X>...>) {
    return F{}(x...);
  } else {
    detail::error_or_silence<detail::call_refused<F, std::remove_cvref_t<X>...>>::explain();
    return detail::run_or_refused<F>(std::forward<X>(x)...);
  }
}
// jit<f>(x, ...): the same for an object, constexpr auto f = [](auto x) { ... }.
template <auto F, class... X>
  requires(std::is_class_v<decltype(F)>)
constexpr auto jit(X&&... x) { return jit<std::remove_cv_t<decltype(F)>>(std::forward<X>(x)...); }
// jit(f): a callable that does.
template <class F>
constexpr jitted<F> jit(F const& f) {
  return {f};
}
// jit<in_shardings<...>, out_shardings<...>>(f), or one of both, and the mesh of values without one, by its type or as
// an object (api/placed.hpp): transform/shardings.hpp.
template <class First, class... Rest, class F>
  requires(detail::is_shardings<First>)
constexpr auto jit(F const& f) { return jitted<detail::with_settings<F, no_mesh, First, Rest...>>{{f}}; }

}  // namespace functions

namespace detail {
template <class In, class F, Mesh M, class... X>
auto run_placed(device_mesh<M> const& mesh, X const&... x);
}  // namespace detail

// Calls of grad(f), value_and_grad(f) and similar functions with arrays: see trace/on_arrays.hpp.
template <class F, class... X>
struct run_traced {
  using refused = detail::error_or_silence<detail::call_refused<F, X...>>;
  static constexpr auto run(X const&... x) { return detail::run_or_refused<F>(x...); }
  template <class In, Mesh M>
  static auto run_on(X const&... x) {
    return detail::run_placed<In, F>(current_mesh<M>(), x...);  // api/placed.hpp
  }
};

// In traced code, with an array that was captured: nothing runs.
template <class F, class... X>
  requires(detail::any_traced<X...>)
struct run_traced<F, X...> {
  using refused = explained<>;
  static constexpr auto run(X const&... x) { return detail::captured<F>(x...); }
  template <class In, Mesh M>
  static constexpr auto run_on(X const&... x) {
    return run(x...);
  }
};

namespace detail {
// The traced function for questions about jit(f), which would run without arguments.
template <class F>
struct without_jit {
  using type = F;
};
template <class F>
struct without_jit<jitted<F>> {
  using type = F;
};
// The answer Answer::of<T>() about the program, whose error is reported if it is not accepted; for a refused one
// Answer::refused.
template <class Answer, class Given, class... Args>
constexpr auto const& asked_of_program() {
  using F = typename without_jit<Given>::type;
  using refused = why<F, Args...>;
  if constexpr (!std::is_void_v<error_in<Args...>>) {
    return (Answer::refused);
  } else if constexpr (!std::is_void_v<refused>) {
    refused::explain();
    return (Answer::refused);
  } else {
    using program = trace_of<F, Args...>;
    if constexpr (requires { requires !Answer::template known<program>; }) Answer::template unknown<program>::explain();
    return Answer::template of<program>();
  }
}
struct what_it_sends {
  static constexpr refused_communication refused{};
  template <class T>
  static constexpr bool known = [] {
    if constexpr (all_static<T>)
      return true;
    else
      return cost_of_sizes<T>::found;
  }();
  template <class T>
  using unknown = typename cost_of_sizes<T>::refused;
  template <class T>
  static constexpr auto const& of() {
    if constexpr (all_static<T>)
      return planned<T>::cost;
    else
      return cost_of_sizes<T>::value;
  }
};
}  // namespace detail

// The communication of F called with these arguments (arrays or array types): a constant. See plan/cost/cost.hpp, and
// plan/sizes/cost_of_sizes.hpp for unknown sizes.
template <class F, class... Args>
inline constexpr auto const& comm_of =
    detail::asked_of_program<detail::what_it_sends, std::remove_cv_t<F>, signature_of<Args>...>();

}  // namespace tessera
