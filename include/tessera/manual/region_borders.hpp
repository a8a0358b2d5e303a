// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a value crosses the border of a shard_map: in as the block of each device, out as blocks joined by a spec.

#include <tessera/error/error.hpp>
#include <tessera/graph/backward.hpp>
#include <tessera/op/base/out_sharding.hpp>
#include <tessera/op/base/varying.hpp>
#include <tessera/op/shape/reshard.hpp>
#include <tessera/rule/manual.hpp>
#include <tessera/trace/by_specs.hpp>
#include <tessera/trace/enter_leave.hpp>
#include <tessera/trace/leaf_meshes.hpp>
#include <tessera/trace/record.hpp>

namespace tessera {
namespace ops {
struct shard_map;  // the place of a refusal
}

template <detail::SpecTree... S>
struct in_specs {};
template <detail::SpecTree... S>
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
constexpr auto across_border(builder& b, site at, term x) {
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
    return across_border<ops::enter_shard_map, typename X::type, Said, M, To, region_border<M, Said, Region>>(
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
      return across_border<ops::leave_shard_map, typename operand_traits<X>::type, S, M, M,
                           region_border<M, S, Region>>(*graph, at, operand_traits<X>::enter(*graph, x));
    }
  }
};

}  // namespace detail
}  // namespace tessera
