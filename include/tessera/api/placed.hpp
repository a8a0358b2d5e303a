// SPDX-License-Identifier: Apache-2.0
#pragma once
// jit and shard_map on a mesh that the call names.
//   jit<out_shardings<P<dp>>>(f, mesh)                    values without a mesh on it: transform/shardings.hpp
// Arguments of shard_map may be anywhere, and are put on the mesh by in_specs.
//   shard_map<in_specs<P<dp>>, out_specs<P<>>>(f, mesh)         on these devices, outside of traced code
//   shard_map<in_specs<P<dp>>, out_specs<P<>>, grid>(f)         on the current mesh of type grid; in traced code, too
// Host data, constants, arrays without a mesh, on another mesh or on other devices are put on it, and a transfer_log
// records it; an array that is on it must have the layout of its in_spec, as without a mesh.
// Source: JAX 0.10.2 jax.shard_map(f, mesh=mesh, ...).

#include <tessera/api/asarray.hpp>
#include <tessera/base/functions_otherwise.hpp>
#include <tessera/manual/shard_map.hpp>

namespace tessera {
namespace detail {

template <class S, Mesh M>
struct put_leaf {
  device_mesh<M> const& mesh;
  template <class X>
  auto operator()(X const& x) const {
    if constexpr (std::is_void_v<S>)
      return x;
    else
      return placed(x);
  }

private:
  template <class T, class Shape>
  auto placed(host_view<T, Shape> const& x) const {
    return device_put<S>(x, mesh);
  }
  template <ArrayType A>
  auto placed(array<A> const& x) const {
    if constexpr (std::is_same_v<typename A::mesh, M>)
      return x.mesh() == mesh ? x : device_put<typename A::spec>(x, mesh);
    else
      return device_put<S>(x, mesh);
  }
  template <class X>
  auto placed(X const& x) const {
    if constexpr (!is_constant<X>)
      return x;
    else if constexpr (X::type::rank == 0)
      return x;
    else
      return device_put<S>(x, mesh);
  }
};

// A tree of specs that does not fit its argument is refused when it is traced.
template <Mesh M>
struct put_by_specs {
  device_mesh<M> const& mesh;
  template <class S>
  auto leaf() const {
    return put_leaf<S, M>{mesh};
  }
  template <int, int>
  auto miscounted() const {
    return put_leaf<void, M>{mesh};
  }
};

template <class In, Mesh M>
struct place_arguments {
  template <class... X>
  static auto of(device_mesh<M> const&, X const&... x) {
    return std::tuple<X...>(x...);
  }
};
template <class... S, Mesh M>
struct place_arguments<in_specs<S...>, M> {
  template <class... X>
  static auto of(device_mesh<M> const& mesh, X const&... x) {
    if constexpr (sizeof...(S) == sizeof...(X))
      return std::tuple<decltype(by_specs<S>(put_by_specs<M>{mesh}, x))...>{
          by_specs<S>(put_by_specs<M>{mesh}, x)...};  // in order
    else
      return std::tuple<X...>(x...);  // refused when it is traced
  }
};

// Without std::apply, whose calls would add lines to an error's text.
template <class F, std::size_t... I, class List>
auto run_on_parts(std::index_sequence<I...>, List const& arguments) {
  return jit<F>(std::get<I>(arguments)...);
}
template <class In, class F, Mesh M, class... X>
auto run_placed(device_mesh<M> const& mesh, X const&... x) {
  use_mesh<M> const current{mesh};  // of values whose mesh no argument has
  return run_on_parts<F>(std::index_sequence_for<X...>{}, place_arguments<In, M>::of(mesh, x...));
}

// The result of shard_map<...>(f, mesh).
template <class In, class F, Mesh M>
struct shard_mapped_on {
  device_mesh<M> mesh;
  template <class... X>
  auto operator()(X const&... x) const {
    return run_placed<In, F>(mesh, x...);
  }
};

}  // namespace detail

namespace functions {

template <class... Settings, class F, Mesh M>
auto shard_map(F const&, device_mesh<M> const& mesh) {
  using mapped = decltype(shard_map<Settings..., M>(std::declval<F const&>()));
  using given = detail::shard_map_settings<void, void, axis_names<>, true, Settings...>;
  return detail::shard_mapped_on<typename given::in, mapped, M>{mesh};
}
template <class... Settings, class F, Mesh M>
auto shard_map(F const&, M const&) {
  written::mesh_without_devices<M>::explain();
  return poisoned<explained<>>{};
}

}  // namespace functions

namespace detail {
// A program for which `mesh` is the current one.
template <class F, Mesh M>
struct jitted_on {
  device_mesh<M> mesh;
  jitted<F> program;
  template <class... X>
  auto operator()(X&&... x) const {
    use_mesh<M> const current{mesh};
    return program(std::forward<X>(x)...);
  }
};
}  // namespace detail

namespace functions {

template <class First, class... Rest, class F, Mesh M>
  requires(detail::is_shardings<First>)
auto jit(F const& f, device_mesh<M> const& mesh) {
  return detail::jitted_on<detail::with_settings<F, M, First, Rest...>, M>{mesh, {{f}}};
}
template <class... Settings, class F, Mesh M>
auto jit(F const&, M const&) {
  written::mesh_without_devices<M>::explain();
  return poisoned<explained<>>{};
}

}  // namespace functions

}  // namespace tessera
