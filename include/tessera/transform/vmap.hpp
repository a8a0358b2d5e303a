// SPDX-License-Identifier: Apache-2.0
#pragma once
// vmap(f): f over the slices of its arguments along a dimension, computed for all of them together. Inside, arrays have
// one dimension less; results get it back. shard_map keeps the rank (blocks), vmap reduces it (elements).
//   vmap(f)(xs, ys)                                       dimension 0 of everything
//   vmap<in_axes<0, unmapped>, out_axes<1>>(f)(xs, w)     one for each argument; w is the same for all slices
//   vmap<axis_names<batch>>(f)                            psum<batch>(x) and the other collectives combine the slices
// One number applies to all leaves of an argument; one in out_axes to all results, several to those of a std::tuple. f
// may read any value around it. Constants have slices, too; a C++ number is the same for all. Mapped dimensions have the
// same extent and layout, which the results' dimension gets, too. Only values that differ are repeated: a product with
// the same matrix for all slices is one product. If elements choose different branches in f, all branches are computed;
// a loop runs until the last element has stopped. Bytes: those of the operations on whole batches. Source: JAX 0.10.2
// jax.vmap. Differs: an axis name belongs to values that the call receives as arguments.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/control/carried_types.hpp>
#include <tessera/manual/shard_map.hpp>
#include <tessera/trace/mapped_as.hpp>
#include <tessera/trace/on_arrays.hpp>
#include <tessera/trace/own_program.hpp>
#include <tessera/trace/refused_call.hpp>
#include <tessera/trace/with_line.hpp>
#include <tessera/transform/batch.hpp>
#include <tessera/transform/mapped_dim.hpp>
#include <tessera/transform/mapped_slices.hpp>

namespace tessera {

template <int... Dim>
struct in_axes {};
template <int... Dim>
struct out_axes {};

namespace detail {

// The n-th of a list of dimensions; a single one applies to all.
template <class List, std::size_t N>
inline constexpr int axis_of = 0;
template <template <int...> class List, int... Dim, std::size_t N>
inline constexpr int axis_of<List<Dim...>, N> = [] {
  if constexpr (sizeof...(Dim) == 0) {
    return 0;
  } else {
    constexpr int dims[]{Dim...};
    return dims[sizeof...(Dim) == 1 ? 0 : N];
  }
}();
template <class List>
inline constexpr std::size_t axes_given = 0;
template <template <int...> class List, int... Dim>
inline constexpr std::size_t axes_given<List<Dim...>> = sizeof...(Dim);

}  // namespace detail

template <class In, class Out, class Name, class F>
struct vmapped : detail::with_line<vmapped<In, Out, Name, F>> {
  [[no_unique_address]] F function;
  constexpr vmapped() = default;
  constexpr explicit vmapped(F const& f) : function(f) {}

  template <class... X>
  constexpr auto at_line(site at, X const&... x) const {
    if constexpr (sizeof...(X) == 0) {
      written::function_or_value_missing<F>::explain();
      return poisoned<explained<>>{};
    } else if constexpr (maps_any_otherwise<X...>(std::index_sequence_for<X...>{})) {
      return with_mapped(std::index_sequence_for<X...>{}, at, x...);
    } else if constexpr ((detail::no_argument<X>::value || ...) && !detail::any_traced<X...> &&
                         !(contains_array<X>() || ...)) {
      using refused = detail::argument_refused<ops::argument, X...>;
      refused::explain();
      return poisoned<explained<refused>>{at};
    } else if constexpr ((contains_array<X>() || ...)) {
      using call = run_traced<vmapped, X...>;
      call::refused::explain();
      return call::run(x...);
    } else if constexpr (detail::alone_with<operand_kind::constant, X...>) {
      using M = typename detail::leaf_meshes<std::tuple<signature_of<X>...>>::type;
      auto const on = [&]<bool Look>(std::bool_constant<Look>, auto const& f, builder& b) {
        return map<Look>(f, std::index_sequence_for<X...>{}, at, tree_map(detail::enter_constant<false>{&b}, x)...);
      };
      auto const made = detail::recorded_where_it_reads<M>(
          function, [&](auto const& f, builder& alone) { return on(std::true_type{}, f, alone); },
          [&](builder& b) { return on(std::false_type{}, function, b); });
      // Written here: each call in between would add three lines to an error.
      detail::said_here<decltype(made)>::explain();
      return detail::as_said(made);
    } else if constexpr (detail::any_traced<X...>) {
      // Constants have slices, too.
      detail::enter_constant<false> const enter{detail::builder_among(x...)};
      return map<false>(function, std::index_sequence_for<X...>{}, at, tree_map(enter, x)...);
    } else {
      return map<false>(function, std::index_sequence_for<X...>{}, at, x...);
    }
  }

private:
  template <std::size_t I>
  static constexpr int in = detail::axis_of<In, I>;

  template <class... X, std::size_t... I>
  static constexpr bool maps_any_otherwise(std::index_sequence<I...>) {
    return ((in<I> != unmapped && detail::maps_otherwise<X>) || ...);
  }
  template <std::size_t... I, class... X>
  constexpr auto with_mapped(std::index_sequence<I...>, site at, X const&... x) const {
    return at_line(at, in_its_place<in<I> == unmapped>(x, at)...);
  }
  template <bool Whole, class X>
  static constexpr auto in_its_place(X const& x, site at) {
    if constexpr (Whole)
      return x;
    else
      return detail::as_mapped{at}(x);
  }

  // What the types of arguments say of the mapped dimension.
  template <class Which, class... X>
  struct typed_batch;
  template <std::size_t... I, class... X>
  struct typed_batch<std::index_sequence<I...>, X...> {
    static constexpr detail::batch_dim value = [] {
      detail::batch_dim batch;
      ((in<I> != unmapped ? tree_each(detail::add_type{&batch, in<I>}, signature_of<X>{}) : void()), ...);
      return batch;
    }();
    static constexpr verdict what = value.what;
    struct first {
      static constexpr array_value facts = value.first;
    };
    struct other {
      static constexpr array_value facts = value.other;
    };
    template <Mesh M>
    using error = tessera::error::of<ops::vmap, M, typed_batch, void,
                                     boost::mp11::mp_list<array_type_of<first, M>, array_type_of<other, M>>>;
  };

  // Look: the result of f for constants instead of the slices.
  template <bool Look, std::size_t... I, class... X>
  static constexpr auto map(F const& f, std::index_sequence<I...>, site at, X const&... x) {
    using M = typename detail::leaf_meshes<std::tuple<signature_of<X>...>>::type;
    using types = typed_batch<std::index_sequence<I...>, X...>;
    constexpr detail::batch_dim typed = types::value;
    builder* const graph = detail::builder_among(x...);
    static_assert(op_register<ops::vmap>::done);
    if constexpr (detail::axes_given < In >> 1 && detail::axes_given<In> != sizeof...(X)) {
      return detail::miscounted<ops::vmap, detail::axes_given<In>, error::arguments, sizeof...(X)>(graph, at);
    } else if constexpr (!typed.asked && Look) {
      return std::tuple<>{};
    } else if constexpr (!typed.asked) {
      constexpr bool refused = !std::is_void_v<detail::error_in<X...>>;
      static_assert(
          refused,
          "tessera: vmap maps none of its arguments. Fix: in_axes<0, ...> for an array with a batch dimension.");
      if constexpr (refused)
        return f(x...);  // as many results as f has
      else
        return poisoned<explained<F>>{at};
    } else if constexpr (!typed.what) {
      refusal const found{typed.what, &bare_info<ops::vmap>, at, typed.first, typed.other, 2};
      if (graph) graph->refuse(found);
      poisoned<typename types::template error<M>> const refused{found, graph};
      return f(tree_map([refused](auto const&) { return refused; }, x)...);  // as many results as f has
    } else {
      using inner = typename detail::naming<M, Name, typed.size>::type;
      builder& b = *graph;
      detail::deeper const inside(b);
      b.here = at;
      detail::batch_dim batch;
      ((in<I> != unmapped ? tree_each(detail::add_node{&batch, in<I>}, x) : void()), ...);
      ((in<I> == unmapped ? tree_each(detail::check_unmapped{&batch, at}, x) : void()), ...);
      if (!batch.what) b.refuse(refusal{batch.what, &bare_info<ops::vmap>, at, batch.first, batch.other, 2});
      constexpr bool named = !std::is_same_v<M, inner>;
      graph_size const before = b.recorded.size();
      mesh_value const outside = b.recorded.mesh;
      if constexpr (named) {
        b.recorded.mesh = inner::value;
        for (int a = 0; a < M::rank; ++a) b.recorded.mesh.sizes[a] = outside.size(a);
        b.recorded.mesh.sizes[M::rank] = batch.size;
      }
      axis_set const axis = named ? axis_set::of(M::rank) : axis_set{};
      growable<detail::entered_slice> entered;
      auto const slices = std::tuple<decltype(tree_map(detail::enter_slices<in<I>, M, inner>{}, x))...>{
          tree_map(detail::enter_slices<in<I>, M, inner>{&b, at, axis, &entered}, x)...};
      if constexpr (Look) {
        return detail::call_in(graph, at, f, std::make_tuple(tree_map(detail::seen_leaf{}, std::get<I>(slices))...));
      } else {
        auto const out = tree_map(detail::place_leaf<inner>{}, detail::call_in(graph, at, f, slices));
        growable<int> results;
        tree_each(detail::note_result<inner>{&b, &results}, out);
        if constexpr (named) {
          b.recorded.mesh = outside;
          b.refused.lhs.varying = b.refused.lhs.varying - axis;
          b.refused.rhs.varying = b.refused.rhs.varying - axis;
        }
        batching made(b, before, named ? M::rank : -1, batch.size, batch.entry);
        for (auto const& e : entered) made.enter(e.inner, e.outer, e.dim);
        if (b.refused.what.why == reason::none) made.run();
        b.here = at;
        std::size_t next = 0;
        auto const leave = [&]<int Dim>(std::integral_constant<int, Dim>) {
          return detail::leave_slices<Dim, typed.size, typed.entry.code, M, Name>{&b, at, &made, &results, &next};
        };
        using out_type = std::remove_cvref_t<decltype(out)>;
        if constexpr (detail::axes_given<Out> <= 1) {
          return tree_map(leave(std::integral_constant<int, detail::axis_of<Out, 0>>{}), out);
        } else if constexpr (detail::parts_in<out_type> != detail::axes_given<Out>) {
          return detail::miscounted<ops::vmap, detail::axes_given<Out>, error::results, detail::parts_in<out_type>>(&b,
                                                                                                                    at);
        } else {
          return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return std::tuple<decltype(tree_map(leave(std::integral_constant<int, detail::axis_of<Out, K>>{}),
                                                std::get<K>(out)))...>{
                tree_map(leave(std::integral_constant<int, detail::axis_of<Out, K>>{}), std::get<K>(out))...};
          }
          (std::make_index_sequence<detail::axes_given<Out>>{});
        }
      }
    }
  }
};

namespace detail {
template <class In, class Out, class Name, class... Settings>
struct vmap_settings {
  using in = In;
  using out = Out;
  using name = Name;
};
template <class In, class Out, class Name, int... Dim, class... Rest>
struct vmap_settings<In, Out, Name, in_axes<Dim...>, Rest...> : vmap_settings<in_axes<Dim...>, Out, Name, Rest...> {};
template <class In, class Out, class Name, int... Dim, class... Rest>
struct vmap_settings<In, Out, Name, out_axes<Dim...>, Rest...> : vmap_settings<In, out_axes<Dim...>, Name, Rest...> {};
template <class In, class Out, class Name, Axis A, class... Rest>
struct vmap_settings<In, Out, Name, axis_names<A>, Rest...> : vmap_settings<In, Out, axis_names<A>, Rest...> {};
}  // namespace detail

namespace functions {

template <class... Settings, class F>
constexpr auto vmap(F const& f) {
  using given = detail::vmap_settings<in_axes<>, out_axes<>, void, Settings...>;
  return vmapped<typename given::in, typename given::out, typename given::name, F>(f);
}

}  // namespace functions

}  // namespace tessera
