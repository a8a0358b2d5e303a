// SPDX-License-Identifier: Apache-2.0
#pragma once
// device_put of arrays: moves arrays to other layouts, meshes, devices and memories.
//   device_put<P<mp>>(x)          another layout on x's mesh, as reshard; nothing moves if x has it already
//   device_put<P<dp>>(x, mesh)    onto another mesh, through the host if the meshes differ
//   device_put<P<dp>, grid>(x)    onto the current mesh of type grid, for any x
//   device_put<P<mp>>(x, any_order)  on a mesh of x's devices in the order in which least is sent, nothing if whole
//                                 parts would only change their devices. One operation does not take arrays on x's
//                                 own mesh together with the result
//   device_put(x, sharding)       in the layout and memory of a named_sharding, or of another array's sharding()
//   reshard(x, sharding)          the same; reshard<P<dp>, grid>(x): onto the current mesh of type grid
//   device_put(x, device)         onto one device, without a mesh; in one process a whole array's memory is shared
// An array in host memory stays in host memory.
// Source: JAX jax.device_put.

#include <tessera/api/eager.hpp>
#include <tessera/array/device_put.hpp>
#include <tessera/array/put_in_memory.hpp>
#include <tessera/array/relabeled.hpp>
#include <tessera/op/shape/reshard.hpp>

namespace tessera {

struct any_order_t {};
inline constexpr any_order_t any_order{};

namespace detail {

// The values of an array for another mesh; all processes that have some call it.
template <ArrayType A>
struct host_copy {
  using element = typename array<A>::element;
  host_array<typename array<A>::host_element> values;
  extents_list extents;
  explicit host_copy(array<A> const& x)
      : values(gathered_on_host(x.stored(), x.mesh().value()), x.shape()), extents(x.shape()) {}
  host_view<element, typename A::shape_type> view() const {
    return {reinterpret_cast<element const*>(values.data()), extents};
  }
};

// The bytes of an array's distinct blocks.
template <ArrayType A>
std::int64_t stored_bytes(array<A> const& x) {
  mesh_value const mesh = x.mesh().value();
  return bytes_written(stored_block(x.stored().facts, mesh), mesh);
}

// Another layout whose spec may name Auto axes: since types do not have it, it is planned at run time.
template <Spec S, ArrayType A>
auto put_over_auto_axes(array<A> const& x, spec_value const& spec = spec_value_of<typename A::mesh, S>) {
  using checked = checked_sharding<typename A::element, typename A::shape_type, S, typename A::mesh>;
  if constexpr (!checked::accepted) {
    checked::error::explain();
    return poisoned<explained<typename checked::error>>{};
  } else if constexpr (A::value.memory == memory_kind::host) {
    return device_put(put_over_auto_axes<S>(device_put(x, on_device{}), spec), on_host{});
  } else {
    array_value plain = x.stored().facts;
    for (int d = 0; d < A::rank; ++d) plain.entry(d) = {};
    array_value const wanted = value_in_layout(plain, spec, x.mesh().value());
    using type = array_type_of<checked, typename A::mesh>;
    if (x.stored().facts.same_spec(wanted)) return array<type>(x.mesh(), x.stored());
    timed_transfer timed("reshard");
    array<type> const made(x.mesh(), laid_out_now(x.stored(), wanted, x.mesh().value()));
    timed.wrote(stored_bytes(made));
    return made;
  }
}

}  // namespace detail

template <Spec S, ArrayType A>
auto device_put(array<A> const& x, site at = std::source_location::current()) {
  using mesh_type = typename A::mesh;
  constexpr bool in_host_memory = A::value.memory == memory_kind::host;
  constexpr bool same = [] {
    constexpr spec_value wanted = spec_value_of<mesh_type, S>;
    for (int d = 0; d < A::rank; ++d)
      if (!(A::value.entry(d) == wanted[d])) return false;
    return wanted.rank <= A::rank && wanted.unreduced == A::value.unreduced;
  }();
  if constexpr (!mesh_type::value.of_kind(axis_kind::automatic).empty())
    return detail::put_over_auto_axes<S>(x);
  else if constexpr (same)
    return x;
  else if constexpr (in_host_memory)
    return device_put(device_put<S>(device_put(x, on_device{}), at), on_host{});
  else {
    detail::timed_transfer timed("reshard");
    auto moved = invoke<ops::reshard, with_out<no_params, S>>(at, x);
    if constexpr (is_array<decltype(moved)>) timed.wrote(detail::stored_bytes(moved));
    return moved;
  }
}

template <Spec S, ArrayType A, Mesh M>
auto device_put(array<A> const& x, device_mesh<M> const& mesh) {
  using checked = checked_sharding<typename A::element, typename A::shape_type, S, M>;
  if constexpr (!checked::accepted) {
    checked::error::explain();
    return poisoned<explained<typename checked::error>>{};
  } else {
    if constexpr (std::is_same_v<M, typename A::mesh>) {
      if (mesh == x.mesh()) return device_put<S>(x);
    }
    auto const put = device_put<S>(detail::host_copy<A>(x).view(), mesh);
    if constexpr (A::value.memory == memory_kind::host)
      return device_put(put, on_host{});
    else
      return put;
  }
}

namespace functions {

// The order in which device_put<S>(x, any_order) would put the devices of x's mesh. Moves nothing.
template <Spec S, ArrayType A>
relabeling relabeled(array<A> const& x) {
  return relabeled(x.sharding(), spec_value_of<typename A::mesh, S>, x.shape());
}
template <Spec S, Refused X>
refused_answer relabeled(X const&) {
  return {};
}

}  // namespace functions
template <Spec S, ArrayType A>
auto device_put(array<A> const& x, any_order_t) {
  using mesh_type = typename A::mesh;
  relabeling const found = relabeled<S>(x);
  return device_put<S>(x, device_mesh<mesh_type>(found.mesh));
}

template <ArrayType A>
auto device_put(array<A> const& x, device const& where) {
  if constexpr (A::mesh::rank == 0) {
    return array<A>(device_mesh<no_mesh>::on(where), x.stored());
  } else {
    auto const put = device_put(detail::host_copy<A>(x).view(), where);
    if constexpr (A::value.memory == memory_kind::host)
      return device_put(put, on_host{});
    else
      return put;
  }
}

// In the layout of a sharding with a type.
template <ArrayType A, Spec S, Mesh M, memory_kind Kind>
auto device_put(array<A> const& x, named_sharding<S, M, Kind> const& to) {
  if constexpr (M::rank == 0) {
    return detail::kept_in<Kind>(device_put(x, to.devices().front()));
  } else {
    if constexpr (std::is_same_v<M, typename A::mesh>)
      if (to.mesh() == x.mesh()) {
        if constexpr (!M::value.of_kind(axis_kind::automatic).empty())
          return detail::kept_in<Kind>(detail::put_over_auto_axes<S>(x, to.spec().value));
        else
          return detail::kept_in<Kind>(device_put<S>(x));
      }
    return detail::kept_in<Kind>(detail::put_as<S>(detail::host_copy<A>(x).view(), to.mesh(), to.spec().value));
  }
}
namespace functions {

template <class X, Spec S, Mesh M, memory_kind Kind>
auto reshard(X const& x, named_sharding<S, M, Kind> const& to) {
  return device_put(x, to);
}

template <class X, Refused To>
auto reshard(X const& x, To const& to) {
  return detail::absorbed(x, to);
}

// Onto the current mesh of type M, for any x: host data, a constant, an array without a mesh or on another one. Source:
// JAX jax.sharding.reshard under jax.set_mesh. Differs: the call names the mesh's type.
template <detail::SpecTree S, Mesh M, class X>
  requires(!detail::InProgram<X>)
auto reshard(X const& x) { return device_put<S>(x, current_mesh<M>()); }

}  // namespace functions

// The same; in traced code: transform/device_put.hpp.
template <detail::SpecTree S, Mesh M, class X>
  requires(!detail::InProgram<X>)
auto device_put(X const& x) { return device_put<S>(x, current_mesh<M>()); }

}  // namespace tessera
