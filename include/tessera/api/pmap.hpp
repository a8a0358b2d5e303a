// SPDX-License-Identifier: Apache-2.0
#pragma once
// pmap(f): each device runs f on its slice of the arguments along dimension 0, which has one element for each device.
//   pmap<axis_names<batch>>(f)(xs)                        psum<batch>(x) and the other collectives combine the devices
//   pmap<in_axes<0, unmapped>, out_axes<0>>(f)(xs, w)     w is the same on every device
// As in JAX 0.10 it is jit of shard_map over a mesh of one axis, with the mapped dimension removed inside and restored
// outside; docs/pmap.md shows the equivalent. Arguments are arrays, trees of them, C++ numbers; arguments with another
// layout are put on the mesh. A result whose entry in out_axes is `unmapped` is the same on all devices: psum<axis>(y).
// Throws if there are fewer devices than slices. Bytes: those of f's collectives, and of moving arguments. Source: JAX
// 0.10.2 jax.pmap. Differs: no static_broadcasted_argnums, a type is static; no donate_argnums, std::move.

#include <tessera/api/device_put.hpp>
#include <tessera/api/jit.hpp>
#include <tessera/exec/device/runtime.hpp>
#include <tessera/op/shape/expand_dims.hpp>
#include <tessera/transform/mapped_dim.hpp>
#include <tessera/transform/vmap.hpp>

namespace tessera {

namespace ops {
struct pmap;  // the place of a refusal
}

// The mesh axis of a pmap that names none.
struct pmap_axis : axis {};

namespace detail {

// A split along dimension Dim, of a value of any rank that has it; nothing is split where Dim is `unmapped`.
template <class A, int Dim>
struct slice_spec {
  static_assert(Dim >= 0, "tessera: pmap counts dimensions from the first. Fix: in_axes<0, ...>, out_axes<0>.");
  using type = boost::mp11::mp_push_back<boost::mp11::mp_repeat_c<P<none>, Dim>, A>;
};
template <class A>
struct slice_spec<A, unmapped> {
  using type = P<>;
};

template <int Dim>
struct take_slice {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Dim == unmapped || !Operand<X>)
      return x;
    else if constexpr (operand_traits<X>::kind == operand_kind::number)
      return x;
    else
      return squeeze<Dim>(x);
  }
};
template <int Dim>
struct give_slice {
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (Dim == unmapped)
      return x;
    else
      return expand_dims<Dim>(x);
  }
};

// f on blocks that have one slice.
template <class In, class Out, class F>
struct on_slices {
  [[no_unique_address]] F function;
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return given_back(function(tree_map(take_slice<axis_of<In, I>>{}, x)...));
    }
    (std::index_sequence_for<X...>{});
  }

private:
  template <class R>
  static constexpr auto given_back(R const& out) {
    if constexpr (axes_given<Out> <= 1)
      return tree_map(give_slice<axis_of<Out, 0>>{}, out);
    else
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::make_tuple(tree_map(give_slice<axis_of<Out, K>>{}, std::get<K>(out))...);
      }
    (std::make_index_sequence<axes_given<Out>>{});
  }
};

template <class A, class In, class Out, class F, std::size_t... I, std::size_t... K>
constexpr auto over_devices(F const& f, std::index_sequence<I...>, std::index_sequence<K...>) {
  return shard_map<in_specs<typename slice_spec<A, axis_of<In, I>>::type...>,
                   out_specs<typename slice_spec<A, axis_of<Out, K>>::type...>>(on_slices<In, Out, F>{f});
}

// An argument, put on the mesh.
template <class S, Mesh M>
struct put_slices {
  device_mesh<M> const& mesh;
  template <class X>
  auto operator()(X const& x) const {
    if constexpr (is_array<X> || is_host_view<X>)
      return device_put<S>(x, mesh);
    else
      return x;
  }
};

}  // namespace detail

template <class A, class In, class Out, class F>
struct pmapped {
  [[no_unique_address]] F function;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    constexpr bool counted = detail::axes_given<In> <= 1 || detail::axes_given<In> == sizeof...(X);
    if constexpr (!counted) {
      using error =
          error::specs_miscounted<ops::pmap, error::entries<detail::axes_given<In>>, error::arguments<sizeof...(X)>>;
      error::explain();
      return poisoned<explained<error>>{};
    } else {
      constexpr auto arguments = std::index_sequence_for<X...>{};
      constexpr auto results =
          std::make_index_sequence < detail::axes_given<Out> == 0 ? 1 : detail::axes_given < Out >> {};
      auto const mapped = detail::over_devices<A, In, Out>(function, arguments, results);
      if constexpr ((contains_array<X>() || ...))
        return on_arrays(arguments, mapped, x...);
      else
        return mapped(x...);
    }
  }

private:
  template <std::size_t... I, class Mapped, class... X>
  static auto on_arrays(std::index_sequence<I...>, Mapped const& mapped, X const&... x) {
    constexpr detail::batch_dim typed = [] {
      detail::batch_dim slices;
      ((detail::axis_of<In, I> != unmapped
            ? tree_each(detail::add_type{&slices, detail::axis_of<In, I>}, signature_of<X>{})
            : void()),
       ...);
      return slices;
    }();
    static_assert(typed.any,
                  "tessera: pmap maps none of its arguments. Fix: in_axes<0, ...> for an array with one slice for each "
                  "device.");
    static_assert(typed.what.why != reason::shapes_disagree,
                  "tessera: arguments of pmap have different numbers of slices. Fix: as many elements along the mapped "
                  "dimensions as there are devices.");
    using M = mesh<explicit_axis<A, typed.size>>;
    device_mesh<M> const mesh = make_mesh<M>(devices());
    return jit(mapped)(
        tree_map(detail::put_slices<typename detail::slice_spec<A, detail::axis_of<In, I>>::type, M>{mesh}, x)...);
  }
};

namespace detail {
template <class Name>
struct axis_named {
  using type = pmap_axis;
};
template <Axis A>
struct axis_named<axis_names<A>> {
  using type = A;
};
}  // namespace detail

namespace functions {

template <class... Settings, class F>
constexpr auto pmap(F const& f) {
  using given = detail::vmap_settings<in_axes<>, out_axes<>, void, Settings...>;
  return pmapped<typename detail::axis_named<typename given::name>::type, typename given::in, typename given::out, F>{
      f};
}

}  // namespace functions

}  // namespace tessera
