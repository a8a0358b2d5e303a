// SPDX-License-Identifier: Apache-2.0
#pragma once
// shard_map<in_specs<P<dp, mp>, P<mp>>, out_specs<P<dp>>>(f): f sees one device's blocks, and the axes over which they
// vary: float32[8@dp,4@mp] becomes float32[2,2]{V:(dp,mp)}. Blocks keep the rank. f calls the collectives: psum,
// all_gather, ...; out_specs join the results along the dimensions that name axes.
//   shard_map<out_specs<P<dp>>>(f)                       the arguments' own layouts are the in_specs
//   shard_map<in_specs<...>, out_specs<...>, axis_names<mp>>(f)   over mp only: other axes do not change; without
//                                                                 axis_names over all axes that are not Manual
//   shard_map<in_specs<...>, out_specs<...>, grid>(f)   on that mesh: host data, constants and arrays on other devices
//                                                 are put on the current mesh of that type by in_specs; f may have no
//                                                 arguments. shard_map<...>(f, mesh): api/placed.hpp
//   shard_map<in_specs<...>, out_specs<...>, check_vma<false>>(f)   types do not show over which axes blocks vary, and
//                                                                 results are not checked
// A spec applies to all leaves of its argument, or is a tree of specs: layer<P<none, mp>, P<mp>>; f returns one value, or
// a std::tuple with one spec for each element.
// Inside traced code the nodes become part of its program; called with arrays, it runs as by jit (f without captures).
// With constants only, its results are constants, too. Over all axes of a mesh, all Explicit, in_specs are the layouts
// that the arguments have (reshard first); over some axes, or if some are Auto, arguments are resharded to them. A
// result that varies over an axis which its spec leaves out is refused; one that does not vary over an axis named there
// is repeated along it. Bytes: those of resharding arguments to their in_specs. Source: JAX 0.10.2 jax.shard_map.

#include <tessera/base/functions_otherwise.hpp>
#include <tessera/error/error.hpp>
#include <tessera/manual/region_borders.hpp>
#include <tessera/trace/by_specs.hpp>
#include <tessera/trace/error_in.hpp>
#include <tessera/trace/leaf_meshes.hpp>
#include <tessera/trace/look.hpp>
#include <tessera/trace/on_arrays.hpp>
#include <tessera/trace/own_program.hpp>
#include <tessera/trace/record.hpp>
#include <tessera/trace/refused_call.hpp>
#include <tessera/trace/with_line.hpp>

namespace tessera {
namespace detail {

// The number of specs in In; if it is void, the number of arguments.
template <class In, int Arguments>
inline constexpr int specs_given = Arguments;
template <class... S, int Arguments>
inline constexpr int specs_given<in_specs<S...>, Arguments> = sizeof...(S);

// How a leaf crosses the border with its spec.
template <class M, class To, class Region>
struct enter_by_specs {
  builder* graph;
  site at;
  template <class S>
  constexpr auto leaf() const {
    return enter_leaf<S, M, To, Region>{graph, at};
  }
  template <int Said, int Parts>
  constexpr auto miscounted() const {
    return poisoned_leaf<ops::shard_map, Said, Parts>{graph, at};
  }
};
template <class M, class Region>
struct leave_by_specs {
  builder* graph;
  site at;
  template <class S>
  constexpr auto leaf() const {
    return leave_leaf<S, M, Region>{graph, at};
  }
  template <int Said, int Parts>
  constexpr auto miscounted() const {
    return poisoned_leaf<ops::shard_map, Said, Parts>{graph, at};
  }
};

template <class In, class Out, class Region>
struct border_of;
template <class In, class... OutSpec, class Region>
struct border_of<In, out_specs<OutSpec...>, Region> {
  template <class M, class To, class... X>
  static constexpr auto entered(builder& b, site at, X const&... x) {
    if constexpr (std::is_void_v<In>)
      return std::make_tuple(tree_map(enter_leaf<void, M, To, Region>{&b, at}, x)...);
    else
      return with_specs<M, To>(In{}, b, at, x...);
  }
  template <class M, class To, class... S, class... X>
  static constexpr auto with_specs(in_specs<S...>, [[maybe_unused]] builder& b, [[maybe_unused]] site at,
                                   X const&... x) {
    return std::make_tuple(by_specs<S>(enter_by_specs<M, To, Region>{&b, at}, x)...);
  }
  template <class M, class R>
  static constexpr auto left(builder& b, site at, R const& out) {
    if constexpr (sizeof...(OutSpec) == 1) {
      using S = boost::mp11::mp_first<boost::mp11::mp_list<OutSpec...>>;
      return by_specs<S>(leave_by_specs<M, Region>{&b, at}, out);
    } else if constexpr (sizeof...(OutSpec) != parts_in<R>) {
      return miscounted<ops::shard_map, sizeof...(OutSpec), error::results, parts_in<R>>(&b, at);
    } else {
      return each<M>(std::index_sequence_for<OutSpec...>{}, b, at, out);
    }
  }
  template <class M, std::size_t... I, class R>
  static constexpr auto each(std::index_sequence<I...>, builder& b, site at, R const& out) {
    return std::make_tuple(by_specs<OutSpec>(leave_by_specs<M, Region>{&b, at}, std::get<I>(out))...);
  }
};

}  // namespace detail

// On: the mesh that the call names, or no_mesh.
template <class In, class Out, class Region, class F, Mesh On = no_mesh>
struct shard_mapped : detail::with_line<shard_mapped<In, Out, Region, F, On>> {
  [[no_unique_address]] F function;
  constexpr shard_mapped() = default;
  constexpr explicit shard_mapped(F const& f) : function(f) {}

  using detail::with_line<shard_mapped>::operator();
  constexpr auto operator()(site at = std::source_location::current()) const { return at_line(at); }

  template <class... X>
  constexpr auto at_line(site at, X const&... x) const {
    if constexpr (On::rank != 0 && (contains_array<X>() || ...)) {
      return run_traced<shard_mapped, X...>::template run_on<In, On>(x...);
    } else if constexpr ((contains_array<X>() || ...)) {
      using call = run_traced<shard_mapped, X...>;
      call::refused::explain();
      return call::run(x...);
    } else {
      using M =
          typename detail::common_mesh<On, typename detail::leaf_meshes<std::tuple<signature_of<X>...>>::type>::type;
      using inner = typename detail::manual_over<M, Region>::type;
      using border = detail::border_of<In, Out, Region>;
      using refused = detail::error_in<X...>;
      auto const record = [&](auto& b) {
        auto const blocks = border::template entered<M, inner>(b, at, x...);
        auto const out = detail::call_in(&b, at, function, blocks);
        if constexpr (Refused<std::remove_cvref_t<decltype(out)>>)
          return out;
        else
          return border::template left<M>(b, at, out);
      };
      if constexpr (!std::is_void_v<refused> && !detail::any_traced<X...>) {
        return tree_map(detail::poison_leaf<refused>{}, function(x...));
      } else if constexpr (detail::specs_given<In, sizeof...(X)> != sizeof...(X)) {
        builder* const graph = detail::builder_among(x...);
        auto const made =
            detail::miscounted<ops::shard_map, detail::specs_given<In, sizeof...(X)>, error::arguments, sizeof...(X)>(
                graph, at);
        if constexpr (detail::any_traced<X...>) {
          return made;
        } else {
          using wrong = detail::error_in<std::remove_cvref_t<decltype(made)>>;
          wrong::explain();
          return poisoned<explained<wrong>>{at};
        }
      } else if constexpr (!detail::any_traced<X...> && M::rank == 0) {
        using wrong = error::axis_not_in_mesh<ops::shard_map, error::mesh_has<>, error::given<F>>;
        wrong::explain();
        return poisoned<explained<wrong>>{at};
      } else if constexpr (!detail::any_traced<X...>) {
        auto const made = detail::recorded_where_it_reads<M>(
            function,
            [&](auto const& f, builder& alone) {
              auto const blocks = border::template entered<M, inner>(alone, at, x...);
              return detail::call_in(&alone, at, f, tree_map(detail::seen_leaf{}, blocks));
            },
            record);
        // Written here: each call in between would add three lines to an error.
        detail::said_here<decltype(made)>::explain();
        return detail::as_said(made);
      } else {
        return record(*detail::builder_among(x...));
      }
    }
  }
};

namespace detail {
template <class In, class Out, class Names, bool Checked, class... Settings>
struct shard_map_settings {
  using in = In;
  using out = Out;
  using axes = detail::mapped_axes<Names, Checked, !std::is_void_v<In>>;
  using on = no_mesh;
};
template <class In, class Out, class Names, bool Checked, Mesh M, class... Rest>
struct shard_map_settings<In, Out, Names, Checked, M, Rest...> : shard_map_settings<In, Out, Names, Checked, Rest...> {
  using on = M;
};
template <class In, class Out, class Names, bool Checked, class... S, class... Rest>
struct shard_map_settings<In, Out, Names, Checked, in_specs<S...>, Rest...>
    : shard_map_settings<in_specs<S...>, Out, Names, Checked, Rest...> {};
template <class In, class Out, class Names, bool Checked, class... S, class... Rest>
struct shard_map_settings<In, Out, Names, Checked, out_specs<S...>, Rest...>
    : shard_map_settings<In, out_specs<S...>, Names, Checked, Rest...> {};
template <class In, class Out, class Names, bool Checked, Axis... A, class... Rest>
struct shard_map_settings<In, Out, Names, Checked, axis_names<A...>, Rest...>
    : shard_map_settings<In, Out, axis_names<A...>, Checked, Rest...> {};
template <class In, class Out, class Names, bool Checked, bool On, class... Rest>
struct shard_map_settings<In, Out, Names, Checked, check_vma<On>, Rest...>
    : shard_map_settings<In, Out, Names, On, Rest...> {};
}  // namespace detail

namespace functions {

template <class... Settings, class F>
constexpr auto shard_map(F const& f) {
  using given = detail::shard_map_settings<void, void, axis_names<>, true, Settings...>;
  if constexpr (std::is_void_v<typename given::out>) {
    written::results_not_placed<F>::explain();
    return detail::takes_anything{};
  } else {
    return shard_mapped<typename given::in, typename given::out, typename given::axes, F, typename given::on>(f);
  }
}

}  // namespace functions

}  // namespace tessera
