// SPDX-License-Identifier: Apache-2.0
#pragma once
// auto_axes<out_shardings<P<dp>>>(f)(x...): f with its mesh's axes Auto: types inside do not have them, the planner
// chooses layouts, and results get the given ones. explicit_axes<in_shardings<P<dp>, P<none, mp>>>(f)(x...): f with the
// axes Explicit: arguments are resharded to the given layouts, and rules and types use them; if the mesh outside is
// Auto, the types of results do not have them. axis_names<dp>: these axes alone. One spec for each result (argument),
// or one for all; numbers have none. If the Auto axes of a mesh are exactly those named, f runs unchanged. Bytes: those
// of reshards inside and at the borders. Source: JAX 0.10.2 jax.sharding.auto_axes, explicit_axes; conformance surprise
// 10.

#include <tessera/base/unpack.hpp>
#include <tessera/error/manual_axis_changed.hpp>
#include <tessera/error/shardings_missing.hpp>
#include <tessera/manual/shard_map.hpp>
#include <tessera/transform/constrain.hpp>
#include <tessera/transform/shardings.hpp>

namespace tessera {
namespace ops {

// The axes become Auto and leave the type. Moves 0 bytes.
struct to_auto_axes {
  static constexpr std::string_view name = "auto_axes";
  static constexpr op_class kind = op_class::mesh_cast;
  static constexpr kind_border border = kind_border::to_auto;
  static constexpr verdict rule(rule_input const& in) {
    return rule::without_axes(in[0], in.attrs.as<mesh_cast_params>().axes);
  }
  template <class B>
  static constexpr void transpose(B& back, int id);
};
// attrs.out: the layout of a value that leaves.
struct from_auto_axes {
  static constexpr std::string_view name = "auto_axes result";
  static constexpr op_class kind = op_class::mesh_cast;
  static constexpr kind_border border = kind_border::from_auto;
  static constexpr verdict rule(rule_input const& in) { return rule::laid_out_anew(in[0], in.attrs.out, in.mesh); }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<to_auto_axes>(back, {back.cotangent()}, back.attrs()));
  }
};
// The axes become Explicit; attrs.out is the layout there.
struct to_explicit_axes {
  static constexpr std::string_view name = "explicit_axes";
  static constexpr op_class kind = op_class::mesh_cast;
  static constexpr kind_border border = kind_border::to_explicit;
  static constexpr verdict rule(rule_input const& in) { return rule::laid_out_anew(in[0], in.attrs.out, in.mesh); }
  template <class B>
  static constexpr void transpose(B& back, int);
};
// The axes are Auto outside and leave the type. Moves 0 bytes.
struct from_explicit_axes {
  static constexpr std::string_view name = "explicit_axes result";
  static constexpr op_class kind = op_class::mesh_cast;
  static constexpr kind_border border = kind_border::from_explicit;
  static constexpr verdict rule(rule_input const& in) {
    return rule::without_axes(in[0], in.attrs.as<mesh_cast_params>().axes);
  }
  template <class B>
  static constexpr void transpose(B& back, int id);
};

// The cotangent by Back, the reverse border, in the operand's layout.
template <class Back, class B>
constexpr void give_laid_out(B& back) {
  attributes attrs = back.attrs();
  attrs.has_out = true;
  attrs.out = layout_of(back.operand(0).facts());
  back.give(0, make<Back>(back, {back.cotangent()}, attrs));
}
template <class B>
constexpr void to_auto_axes::transpose(B& back, int) {
  give_laid_out<from_auto_axes>(back);
}
template <class B>
constexpr void to_explicit_axes::transpose(B& back, int) {
  back.give(0, make<from_explicit_axes>(back, {back.cotangent()}, back.attrs()));
}
template <class B>
constexpr void from_explicit_axes::transpose(B& back, int) {
  give_laid_out<to_explicit_axes>(back);
}

}  // namespace ops

namespace detail {

// The mesh M with another kind for the named axes, or for all that are not Manual.
template <class M, axis_kind Kind, class... Names>
struct mesh_with_kinds;
template <class... Sized, axis_kind Kind, class... Names>
struct mesh_with_kinds<mesh<Sized...>, Kind, Names...> {
  template <class S>
  static constexpr bool named = sizeof...(Names) == 0 || (std::is_same_v<typename S::tag, Names> || ...);
  template <class S>
  using changed =
      std::conditional_t<!named<S> || S::kind == Kind || S::kind >= axis_kind::manual, S,
                         std::conditional_t<Kind == axis_kind::automatic, auto_axis<typename S::tag, S::size>,
                                            explicit_axis<typename S::tag, S::size>>>;
  using type = mesh<changed<Sized>...>;
  // One past the mesh's axes stands for axes that it does not have.
  static constexpr axis_set axes =
      positions_where<named<Sized>...,
                      !((mesh<Sized...>::template index<Names> < static_cast<int>(sizeof...(Sized))) && ...)>();
  static constexpr axis_set differ = positions_where<(Sized::kind != changed<Sized>::kind)...>();
};

// The border where Axes change their kind: with spec S (void: none) on mesh M.
template <class M, class S, std::uint32_t Axes>
struct kind_border_at {
  static constexpr attributes attrs = [] {
    attributes a = mesh_cast_params{axis_set{Axes}};
    if constexpr (!std::is_void_v<S>) {
      a.has_out = true;
      a.out = spec_value_of<M, S>;
    }
    return a;
  }();
  template <class, class>
  static constexpr bool takes = true;
};
template <class Op, class S, class Judge, class To, std::uint32_t Axes>
struct cross_kinds {
  builder* graph;
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (is_poisoned<X> || !Operand<X> || std::is_same_v<S, unspecified>)
      return x;
    else if constexpr (is_constant<X> && X::type::rank == 0)
      return x;
    else
      return across_border<Op, typename operand_traits<X>::type, S, Judge, To, kind_border_at<Judge, S, Axes>>(
          *graph, at, operand_traits<X>::enter(*graph, x));
  }
};
// While it exists, operations are judged on a mesh with these kinds of axes.
class kinds_inside {
public:
  constexpr kinds_inside(builder& b, mesh_value const& inner, axis_set changed)
      : b_(b), outside_(b.recorded.mesh.kinds) {
    b_.recorded.mesh.kinds = inner.kinds;
    b_.recorded.mesh.of_both_kinds |= changed;
  }
  constexpr ~kinds_inside() { b_.recorded.mesh.kinds = outside_; }
  kinds_inside(kinds_inside const&) = delete;
  kinds_inside& operator=(kinds_inside const&) = delete;

private:
  builder& b_;
  by_dim<axis_kind> outside_;
};

// The common part of auto_axes and explicit_axes. Given: in_shardings or out_shardings, void if it is missing.
template <axis_kind Kind, class Given, class F, class... Names>
struct with_kinds : with_line<with_kinds<Kind, Given, F, Names...>> {
  [[no_unique_address]] F function;
  constexpr with_kinds() = default;
  constexpr explicit with_kinds(F const& f) : function(f) {}
  static constexpr bool automatic = Kind == axis_kind::automatic;
  using into = std::conditional_t<automatic, ops::to_auto_axes, ops::to_explicit_axes>;
  using out_of = std::conditional_t<automatic, ops::from_auto_axes, ops::from_explicit_axes>;

  using with_line<with_kinds>::operator();

  template <class... X>
  constexpr auto at_line(site at, X const&... x) const {
    if constexpr ((contains_array<X>() || ...)) {
      using call = run_traced<with_kinds, X...>;
      call::refused::explain();
      return call::run(x...);
    } else if constexpr (!any_traced<X...>) {
      return function(x...);
    } else {
      using M = typename leaf_meshes<std::tuple<signature_of<X>...>>::type;
      return inside<M>(at, *builder_among(x...), x...);
    }
  }

private:
  template <class M, class... X>
  constexpr auto inside(site at, builder& b, X const&... x) const {
    using kinds = mesh_with_kinds<M, Kind, Names...>;
    constexpr axis_set manual = M::value.of_kind(axis_kind::manual) | M::value.unseen();
    if constexpr (std::is_void_v<Given>) {
      return refused<reason::shardings_missing>(at, b);
    } else if constexpr (!(kinds::axes - M::value.axes()).empty()) {
      return refused<reason::axis_not_in_mesh, error::mesh_has_all<M>>(at, b);
    } else if constexpr (!(kinds::axes & manual).empty()) {
      return refused<reason::manual_axis_changed>(at, b);
    } else if constexpr (!(kinds::axes & M::value.uneven).empty()) {
      return refused<reason::uneven_unsupported>(at, b);
    } else if constexpr (automatic && kinds::axes == M::value.of_kind(axis_kind::automatic)) {
      return function(x...);
    } else {
      constexpr axis_set changed = kinds::differ;
      auto const results = [&] {
        kinds_inside const scope(b, kinds::type::value, changed);
        using each = std::index_sequence_for<X...>;
        return detail::unpack(function, entered<M, typename kinds::type, changed.bits>(each{}, at, b, x...));
      }();
      return left<M, typename kinds::type, changed.bits>(at, b, results);
    }
  }
  template <reason Why, class... Facts>
  static constexpr auto refused(site at, builder& b) {
    refusal const found{refuse(Why), &bare_info<into>, at, {}, {}, 0};
    b.refuse(found);
    return poisoned<error::typed<Why, into, Facts...>>{found, &b};
  }
  template <class M, class Inner, std::uint32_t Changed, std::size_t... I, class... X>
  static constexpr auto entered(std::index_sequence<I...>, site at, builder& b, X const&... x) {
    if constexpr (automatic) {
      return std::make_tuple(tree_map(cross_kinds<into, void, M, Inner, Changed>{&b, at}, x)...);
    } else {
      using specs = shardings_list<Given>;
      if constexpr (specs::count > 1 && specs::count != sizeof...(X))
        return std::make_tuple(
            miscounted<into, static_cast<int>(specs::count), error::arguments, sizeof...(X)>((void(x), &b), at)...);
      else
        return std::make_tuple(
            tree_map(cross_kinds<into, typename specs::template at<I>, Inner, Inner, Changed>{&b, at}, x)...);
    }
  }
  template <class M, class Inner, std::uint32_t Changed, class R>
  static constexpr auto left(site at, builder& b, R const& results) {
    if constexpr (!automatic) {
      return tree_map(cross_kinds<out_of, void, M, M, Changed>{&b, at}, results);
    } else {
      using specs = shardings_list<Given>;
      if constexpr (specs::count == 1)
        return tree_map(cross_kinds<out_of, typename specs::template at<0>, M, M, Changed>{&b, at}, results);
      else if constexpr (specs::count != parts_in<R>)
        return miscounted<into, static_cast<int>(specs::count), error::results, parts_in<R>>(&b, at);
      else
        return each<M, Changed>(std::make_index_sequence<specs::count>{}, at, b, results);
    }
  }
  template <class M, std::uint32_t Changed, std::size_t... I, class R>
  static constexpr auto each(std::index_sequence<I...>, site at, builder& b, R const& results) {
    using specs = shardings_list<Given>;
    return std::make_tuple(
        tree_map(cross_kinds<out_of, typename specs::template at<I>, M, M, Changed>{&b, at}, std::get<I>(results))...);
  }
};

template <axis_kind Kind, class Given, class Names, class... Settings>
struct kinds_settings;
template <axis_kind Kind, class Given, class... A>
struct kinds_settings<Kind, Given, axis_names<A...>> {
  template <class F>
  using type = with_kinds<Kind, Given, F, A...>;
};
template <axis_kind Kind, class Given, class Names, Axis... A, class... Rest>
struct kinds_settings<Kind, Given, Names, axis_names<A...>, Rest...>
    : kinds_settings<Kind, Given, axis_names<A...>, Rest...> {};
template <axis_kind Kind, class Given, class Names, class Shardings, class... Rest>
struct kinds_settings<Kind, Given, Names, Shardings, Rest...> : kinds_settings<Kind, Shardings, Names, Rest...> {};

}  // namespace detail

namespace functions {

template <class... Settings, class F>
constexpr auto auto_axes(F const& f) {
  return typename detail::kinds_settings<axis_kind::automatic, void, axis_names<>, Settings...>::template type<F>(f);
}
template <class... Settings, class F>
constexpr auto explicit_axes(F const& f) {
  return typename detail::kinds_settings<axis_kind::explicit_, void, axis_names<>, Settings...>::template type<F>(f);
}

}  // namespace functions

}  // namespace tessera
