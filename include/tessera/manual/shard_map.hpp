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
// A spec applies to all leaves of its argument; f returns an array, or a std::tuple with one spec for each element.
// Inside traced code the nodes become part of its program; called with arrays, it runs as by jit (f without captures).
// With constants only, its results are constants, too. Over all axes of a mesh, all Explicit, in_specs are the layouts
// that the arguments have (reshard first); over some axes, or if some are Auto, arguments are resharded to them. A
// result that varies over an axis which its spec leaves out is refused; one that does not vary over an axis named there
// is repeated along it. Bytes: those of resharding arguments to their in_specs. Source: JAX 0.10.2 jax.shard_map.

#include <tessera/error/error.hpp>
#include <tessera/graph/backward.hpp>
#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/base/varying.hpp>
#include <tessera/op/shape/reshard.hpp>
#include <tessera/rule/manual.hpp>
#include <tessera/trace/enter_leave.hpp>
#include <tessera/trace/error_in.hpp>
#include <tessera/trace/leaf_meshes.hpp>
#include <tessera/trace/look.hpp>
#include <tessera/trace/on_arrays.hpp>
#include <tessera/trace/own_program.hpp>
#include <tessera/trace/record.hpp>
#include <tessera/trace/refused_call.hpp>
#include <tessera/trace/with_line.hpp>

namespace tessera {
namespace ops {
struct shard_map;  // the place of a refusal
}

template <Spec... S>
struct in_specs {};
template <Spec... S>
struct out_specs {};
template <Axis... A>
struct axis_names {};
template <bool On>
struct check_vma {};

namespace ops {

struct leave_shard_map;

// attrs.out: the in_spec.
struct enter_shard_map {
  static constexpr std::string_view name = "shard_map";
  static constexpr op_class kind = op_class::enter;
  static constexpr verdict rule(rule_input const& in) { return rule::enter_manual(in); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    attributes attrs = back.attrs();
    shard_map_params const& border = attrs.as<shard_map_params>();
    collective_params over;
    attrs.out.unreduced = back.cotangent().facts().unreduced;
    attrs.out.reduced = back.cotangent().facts().reduced;
    if (border.unchecked) over.axes = over.unchecked = border.axes - rule::detail::named(attrs.out);
    auto const whole = over.axes.empty() ? back.cotangent() : make<psum>(back, {back.cotangent()}, over);
    back.give(0, make<leave_shard_map>(back, {whole}, attrs));
  }
};
struct leave_shard_map {
  static constexpr std::string_view name = "shard_map";
  static constexpr op_class kind = op_class::leave;
  static constexpr verdict rule(rule_input const& in) { return rule::leave_manual(in); }
  // Unchecked, each of the devices whose results are taken as equal gets its share.
  template <class B>
  static constexpr void transpose(B& back, int) {
    attributes attrs = back.attrs();
    shard_map_params const& border = attrs.as<shard_map_params>();
    attrs.out.unreduced = back.cotangent().facts().unreduced;
    attrs.out.reduced = {};
    auto const shares = back.graph().mesh().devices(border.axes - rule::detail::named(attrs.out));
    bool const shared = border.unchecked && shares != 1;
    auto const share = shared ? back.cotangent() / static_cast<double>(shares) : back.cotangent();
    back.give(0, make<enter_shard_map>(back, {share}, attrs));
  }
};

}  // namespace ops

namespace detail {

// The axes that are mapped over, axes left out because they are Manual already, none for all axes; whether values are
// checked; whether in_specs are given.
template <class Names, bool Checked, bool Given>
struct mapped_axes;

template <class M, class Region>
struct manual_over;
template <class... Sized, Axis... A, bool Checked, bool Given>
struct manual_over<mesh<Sized...>, mapped_axes<axis_names<A...>, Checked, Given>> {
  static constexpr bool checked = Checked;
  template <class S>
  static constexpr bool named = (std::is_same_v<typename S::tag, A> || ...);
  template <class S>
  static constexpr bool chosen = S::kind < axis_kind::manual && (sizeof...(A) == 0 || named<S>);
  template <class S>
  using within =
      std::conditional_t<Checked, manual_axis<typename S::tag, S::size>, unchecked_axis<typename S::tag, S::size>>;
  template <class S>
  using entered = std::conditional_t<chosen<S>, within<S>, S>;
  using type = mesh<entered<Sized>...>;  // of code inside
  template <class Name>
  static constexpr bool known = (std::is_same_v<typename Sized::tag, Name> || ...);
  // One past the mesh's axes stands for axes that it does not have.
  static constexpr axis_set axes = positions_where<chosen<Sized>..., !(known<A> && ...)>();
  static constexpr axis_set again = positions_where<(named<Sized> && !chosen<Sized>)...>();
  // Arguments must have the layouts of in_specs. If other axes are kept, or are not in types, arguments are resharded.
  static constexpr bool as_it_is =
      mesh<Sized...>::value.of_kind(axis_kind::explicit_) == mesh<Sized...>::value.axes() &&
      (!Given || axes == mesh<Sized...>::value.axes());
};

// A border of the region: with spec S on mesh M.
template <class M, class S, class Region>
struct region_border {
  using over = manual_over<M, Region>;
  static constexpr attributes attrs{shard_map_params{over::axes, over::again, over::as_it_is, !over::checked},
                                    spec_value_of<M, S>};
  template <class Op, class A>
  static constexpr bool takes = common_mesh<M, typename A::mesh>::agree || !std::is_same_v<Op, ops::enter_shard_map>;
};

// Crosses a border: Op on A with the border's attributes, judged on mesh M; the result is on mesh To. S is the spec for
// errors.
template <class Op, class A, class S, class M, class To, class Border>
struct crossing {
  static constexpr verdict what = [] {
    if (!Border::template takes<Op, A>) return refuse(reason::meshes_differ);
    array_value const x = A::value;
    array_value const* const operands[]{&x};
    return Op::rule({M::value, operands, 1, Border::attrs});
  }();
  static constexpr bool accepted = what.why == reason::none;
  static constexpr array_value facts = what.result;
  template <class Self>
  static constexpr auto made() {
    if constexpr (accepted)
      return std::type_identity<traced<array_type_of<Self, To>>>{};
    else
      return std::type_identity<poisoned<error::of<Op, M, Self, S, boost::mp11::mp_list<A>>>>{};
  }
};
template <class Op, class A, class S, class M, class To, class Border>
constexpr auto cross(builder& b, site at, term x) {
  static_assert(op_register<Op>::done);
  using C = crossing<Op, A, S, M, To, Border>;
  using result = typename decltype(C::template made<C>())::type;
  if (at.line == 0 && x) at = b.at(x.id).at;  // run on arrays: the line of the crossing
  b.here = at;
  if constexpr (C::accepted) {
    return result{&b, b.emit(info<Op>, {x}, Border::attrs).id};
  } else {
    b.refuse(refusal{C::what, &bare_info<Op>, at, A::value, {}, 1});
    return result{at};
  }
}

// The in_spec of a leaf: S, or if S is void its own layout over Manual axes.
template <class S, class A, class Region>
struct spec_of_entry {
  using type = S;
};
template <class A, class Region>
struct spec_of_entry<void, A, Region> {
  static constexpr array_value facts = [] {
    array_value x = A::value;
    for (int d = 0; d < x.rank; ++d)
      x.entry(d) = rule::leading(x.entry(d), manual_over<typename A::mesh, Region>::axes);
    x.unreduced = x.reduced = x.varying = {};
    return x;
  }();
  using type = typename array_type_of<spec_of_entry, typename A::mesh>::spec;
};

// Converts one argument's leaves to blocks. Numbers are equal on all devices and do not change; nor do constants
// without a spec. Values without a mesh are put on M first.
template <class S, class M, class To, class Region>
struct enter_leaf {
  builder* graph;
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_traced<X>) {
      if constexpr (X::type::mesh::rank == 0 && M::rank != 0 && !std::is_void_v<S>)
        return (*this)(put_onto_mesh(x));
      else
        return entered<typename spec_of_entry<S, typename X::type, Region>::type>(x);
    } else if constexpr (is_constant<X> && !std::is_void_v<S>) {
      if constexpr (X::type::rank == 0)
        return x;
      else
        return (*this)(in_program(put_onto_mesh(x)));
    } else if constexpr (is_constant<X> &&
                         leaf_meshes<signature_of<X>>::type::rank != 0) {  // its type says how it is split
      return (*this)(in_program(x));
    } else {
      return x;
    }
  }

private:
  template <class X>
  constexpr auto put_onto_mesh(X const& x) const {
    using layout = std::conditional_t<manual_over<M, Region>::as_it_is, S, P<>>;
    return invoke<ops::reshard, with_out<no_params, layout, M>>(at, x);
  }
  template <class Said, class X>
  constexpr auto entered(X const& x) const {
    return cross<ops::enter_shard_map, typename X::type, Said, M, To, region_border<M, Said, Region>>(
        *graph, at, term{x.graph, x.node});
  }
  template <class X>
  constexpr auto in_program(X const& x) const {
    if constexpr (is_constant<X>)
      return traced<typename X::type>{graph, operand_traits<X>::enter(*graph, x).id};
    else
      return x;
  }
};
template <class S, class M, class Region>
struct leave_leaf {
  builder* graph;
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X>) {
      return x;
    } else if constexpr (is_unplaced<X>) {
      return (*this)(put_on<typename manual_over<M, Region>::type>(x));
    } else {
      graph->here = at;
      return cross<ops::leave_shard_map, typename operand_traits<X>::type, S, M, M, region_border<M, S, Region>>(
          *graph, at, operand_traits<X>::enter(*graph, x));
    }
  }
};

// The number of specs in In; if it is void, the number of arguments.
template <class In, int Arguments>
inline constexpr int specs_given = Arguments;
template <class... S, int Arguments>
inline constexpr int specs_given<in_specs<S...>, Arguments> = sizeof...(S);

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
  template <class M, class To, Spec... S, class... X>
  static constexpr auto with_specs(in_specs<S...>, [[maybe_unused]] builder& b, [[maybe_unused]] site at,
                                   X const&... x) {
    return std::make_tuple(tree_map(enter_leaf<S, M, To, Region>{&b, at}, x)...);
  }
  template <class M, class R>
  static constexpr auto left(builder& b, site at, R const& out) {
    if constexpr (sizeof...(OutSpec) == 1) {
      using S = boost::mp11::mp_first<boost::mp11::mp_list<OutSpec...>>;
      return tree_map(leave_leaf<S, M, Region>{&b, at}, out);
    } else if constexpr (sizeof...(OutSpec) != parts_in<R>) {
      return miscounted<ops::shard_map, sizeof...(OutSpec), error::results, parts_in<R>>(&b, at);
    } else {
      return each<M>(std::index_sequence_for<OutSpec...>{}, b, at, out);
    }
  }
  template <class M, std::size_t... I, class R>
  static constexpr auto each(std::index_sequence<I...>, builder& b, site at, R const& out) {
    return std::make_tuple(tree_map(leave_leaf<OutSpec, M, Region>{&b, at}, std::get<I>(out))...);
  }
};

}  // namespace detail

// On: the mesh that the call names, or no_mesh.
template <class In, class Out, class Region, class F, Mesh On = no_mesh>
struct shard_mapped : detail::with_line<shard_mapped<In, Out, Region, F, On>> {
  [[no_unique_address]] F function{};
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
template <class In, class Out, class Names, bool Checked, Spec... S, class... Rest>
struct shard_map_settings<In, Out, Names, Checked, in_specs<S...>, Rest...>
    : shard_map_settings<in_specs<S...>, Out, Names, Checked, Rest...> {};
template <class In, class Out, class Names, bool Checked, Spec... S, class... Rest>
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
