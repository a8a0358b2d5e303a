// SPDX-License-Identifier: Apache-2.0
#pragma once
// device_put: host data -> a sharded array; device_get: an array -> host data.
//   device_put<P<dp, none>>(host<512, 64>(x), mesh)   T[512,64] on the host -> array float32[512@dp,64]
//   device_put<P<dp>>(vector, mesh)                    a vector: float32[dynamic@dp]
//   device_put(host<3>(x), device)                     onto one device, no mesh
//   device_put(host<8>(x), sharding)                   in the layout of a named_sharding, or another array's sharding()
//   device_put(x, on_host{})                           an array into host memory: float32<host>[512@dp,64]; on_device{}
//                                                      brings it back, for computations
// Bytes: each distinct block is copied once; nothing moves if an array has the layout already. The spec is checked
// against shape and mesh while compiling; at run time only for unknown sizes.
// Source: JAX jax.device_put, jax.device_get.

#include <tessera/array/array.hpp>
#include <tessera/array/current_mesh.hpp>
#include <tessera/array/host.hpp>
#include <tessera/array/put_in_memory.hpp>
#include <tessera/array/stored_array.hpp>
#include <tessera/error/checked_sharding.hpp>
#include <tessera/trace/device_put_tree.hpp>

namespace tessera {
namespace detail {

// `global` with the spec that really splits it, Auto axes included. Throws for what could not be checked while
// compiling.
array_value value_in_layout(array_value const& unsharded, spec_value const& spec, mesh_value const& mesh);

// The bytes of the distinct blocks, without gaps between them.
std::int64_t bytes_written(array_value const& block, mesh_value const& mesh);

// Throws: the mesh has no such device.
[[noreturn]] void no_devices();

// Row-major data of a whole array, put in the layout of its facts.
stored_array store_from_host(array_value const& facts, mesh_value const& mesh, std::byte const* dense);
// Row-major data of these extents onto the mesh.
stored_array store_from_host(dtype element, extents_list const& extents, spec_value const& spec,
                             concrete_mesh const& mesh, void const* data);

template <class T>
inline constexpr bool says_where = Spec<T> || std::is_base_of_v<concrete_mesh, T> || is_mesh<T>;

// Host data -> sharded over a mesh by S in its type, and by `spec`, which has the Auto axes, too.
template <Spec S, class T, class Shape, Mesh M>
auto put_as(host_view<T, Shape> const& data, device_mesh<M> const& mesh, spec_value const& spec) {
  using checked = checked_sharding<T, Shape, S, M>;
  if constexpr (!checked::accepted) {
    checked::error::explain();
    return poisoned<explained<typename checked::error>>{};
  } else {
    using type = array_type_of<checked, M>;
    if (mesh.value().rank != M::rank) no_devices();
    return array<type>(mesh, store_from_host(dtype_of<T>(), data.extents, spec, mesh, data.data));
  }
}
}  // namespace detail

// Host data -> sharded over a mesh by S.
template <Spec S, class T, class Shape, Mesh M>
auto device_put(host_view<T, Shape> const& data, device_mesh<M> const& mesh) {
  return detail::put_as<S>(data, mesh, spec_value_of<M, S>);
}

// The same on the current mesh of type M: device_put<P<dp>, grid>(x).
template <Spec S, Mesh M, class T, class Shape>
auto device_put(host_view<T, Shape> const& data) {
  return device_put<S>(data, current_mesh<M>());
}

// The same for a vector, with its extent known at run time.
template <Spec S, class T, Mesh M>
auto device_put(std::vector<T> const& data, device_mesh<M> const& mesh) {
  return device_put<S>(host(data, {static_cast<std::int64_t>(data.size())}), mesh);
}

template <class T, Spec S, Mesh M, memory_kind Kind>
auto device_put(std::vector<T> const& data, named_sharding<S, M, Kind> const& to) {
  return device_put(host(data, {static_cast<std::int64_t>(data.size())}), to);
}

// A vector onto one device, the default one if none is said.
template <class T>
auto device_put(std::vector<T> const& data, device const& where) {
  return device_put(host(data, {static_cast<std::int64_t>(data.size())}), where);
}
template <class T>
auto device_put(std::vector<T> const& data) {
  return device_put(host(data, {static_cast<std::int64_t>(data.size())}));
}
// A number likewise, or whole on each device of a mesh.
template <ElementNumber T>
auto device_put(T value, device const& where) {
  return device_put(host_view<T, shape<>>{&value, {}}, where);
}
template <ElementNumber T>
auto device_put(T value) {
  return device_put(host_view<T, shape<>>{&value, {}});
}
template <Spec S, ElementNumber X, Mesh M>
auto device_put(X const& value, device_mesh<M> const& mesh) {
  return device_put<S>(host_view<X, shape<>>{&value, {}}, mesh);
}
template <ElementNumber T, Spec S, Mesh M, memory_kind Kind>
auto device_put(T value, named_sharding<S, M, Kind> const& to) {
  return device_put(host_view<T, shape<>>{&value, {}}, to);
}

// The spec as a value, or none; the type of a mesh as one.
template <class X, class... To>
  requires((detail::says_where<To> && ...) && sizeof...(To) > 0 && !Tree<X>)
auto device_put(X const&, To const&...) {
  if constexpr ((is_mesh<To> || ...))
    written::mesh_without_devices<X>::explain();
  else
    written::spec_as_argument<X>::explain();
  return poisoned<explained<>>{};
}
template <class A, class... Rest, class X, class... To>
  requires std::is_base_of_v<axis, A>
auto device_put(X const&, To const&...) {
  written::spec_as_argument<X>::explain();
  return poisoned<explained<>>{};
}
template <Spec S, class X, Mesh M>
auto device_put(device_mesh<M> const&, X const&) {
  written::spec_as_argument<X>::explain();
  return poisoned<explained<>>{};
}
template <Spec S, class X>
  requires(!Refused<X> && !detail::traces<X> && !Tree<X>)
auto device_put(X const&) {
  written::no_mesh<X>::explain();
  return poisoned<explained<>>{};
}

namespace detail {

// The error of putting a leaf, or nothing.
template <Mesh M>
struct refusals_of_puts {
  template <class S>
  struct one {
    template <class X>
    constexpr auto operator()(X const&) const {
      if constexpr (Spec<S> && requires { typename X::type::shape_type; }) {
        using checked = checked_sharding<typename X::type::element, typename X::type::shape_type, S, M>;
        if constexpr (!checked::accepted)
          return poisoned<typename checked::error>{};
        else
          return no_leaf{};
      } else {
        return no_leaf{};
      }
    }
  };
  template <class S>
  constexpr auto leaf() const {
    return one<S>{};
  }
  template <class Error>
  struct said {
    template <class X>
    constexpr auto operator()(X const&) const {
      return poisoned<Error>{};
    }
  };
  template <int Said, int Parts>
  constexpr auto miscounted() const {
    return said<typename poisoned_leaf<ops::device_put, Said, Parts>::refused>{};
  }
};

// A tree, checked before its leaves are put one by one.
template <class S, class X, Mesh M>
auto put_tree(X const& x, device_mesh<M> const& mesh) {
  using refused = error_in<decltype(by_specs<S>(refusals_of_puts<M>{}, x))>;
  if constexpr (!std::is_void_v<refused>) {
    refused::explain();
    return poisoned<explained<refused>>{};
  } else {
    return by_specs<S>(put_each<device_mesh<M>>{{mesh}}, x);
  }
}

}  // namespace detail

template <Tree S, Tree X, Mesh M>
  requires(!Refused<X>)
auto device_put(X const& x, device_mesh<M> const& mesh) { return detail::put_tree<S>(x, mesh); }
// Anything but arrays and constants (api/) does not compile.
template <Spec S, class X, Mesh M>
auto device_put(X const& x, device_mesh<M> const& mesh) {
  if constexpr (Tree<X>) {
    return detail::put_tree<S>(x, mesh);
  } else if constexpr (std::is_base_of_v<operators<X>, X>) {
    return x;  // a refused call's result
  } else {
    error::not_an_array<ops::device_put, error::given<X>>::explain();
    return poisoned<explained<error::not_an_array<ops::device_put, error::given<X>>>>{};
  }
}

template <Spec S, class T, Mesh M>
auto device_put(std::initializer_list<T> const&, device_mesh<M> const&) {
  error::not_an_array<ops::device_put, error::given<std::initializer_list<T>>>::explain();
  return poisoned<explained<>>{};
}

// A refused value, or a tree with a refused value, stays refused.
template <class... S, class X, class... To>
  requires(Refused<X> || (Refused<To> || ...))
auto device_put(X const& x, To const&... to) { return detail::absorbed(x, to...); }

// Host data -> one device; the default one if it is not committed.
template <class T, class Shape>
auto device_put(host_view<T, Shape> const& data, device const& where) {
  return device_put<P<>>(data, device_mesh<no_mesh>::on(where));
}
template <class T, class Shape>
auto device_put(host_view<T, Shape> const& data) {
  return device_put<P<>>(data, device_mesh<no_mesh>::anywhere(default_device()));
}

namespace functions {

template <ArrayType A>
auto device_get(array<A> const& x) {
  return x.to_host();
}
template <Refused X>
refused_answer device_get(X const&);
template <class X>
  requires(ConstantValue<X> || is_traced<X>)
constexpr auto device_get(X const& x);
template <Tree X>
  requires(!Refused<X>)
auto device_get(X const& tree) {
  return tree_map([](auto const& x) { return device_get(x); }, tree);
}
// A constant, or a value of traced code, which is refused.
template <class X>
  requires(ConstantValue<X> || is_traced<X>)
constexpr auto device_get(X const& x) { return x.to_host(); }
template <Refused X>
refused_answer device_get(X const&) {
  return {};
}

}  // namespace functions

namespace detail {
template <memory_kind Kind, class X>
auto kept_in(X const& put) {
  if constexpr (requires { put.stored(); })
    return put_in_memory<Kind>(put);
  else
    return put;  // refused, and reported
}
}  // namespace detail

// In the layout of a sharding with a type.
template <class T, class Shape, Spec S, Mesh M, memory_kind Kind>
auto device_put(host_view<T, Shape> const& data, named_sharding<S, M, Kind> const& to) {
  return detail::kept_in<Kind>(detail::put_as<S>(data, to.mesh(), to.spec().value));
}
template <class X>
  requires(!Refused<X>)
auto device_put(X const&, concrete_sharding const&) {
  static_assert(sizeof(X) == 0,
                "tessera: this sharding says only at run time how the array shall lie. Fix: named_sharding{mesh, "
                "P<...>{}}, or the sharding() of an array.");
}

}  // namespace tessera
