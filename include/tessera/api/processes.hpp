// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays whose blocks are in several processes: made from the data of each process, and gathered. Every process calls
// these functions, with arrays of the same types, in the same order; in one process they do the same. Source: JAX
// jax.make_array_from_process_local_data, jax.make_array_from_callback, jax.experimental.multihost_utils.

#include <tessera/api/device_put.hpp>
#include <tessera/array/array.hpp>
#include <tessera/array/stored_array.hpp>
#include <tessera/base/functions_otherwise.hpp>

#include <string_view>
#include <type_traits>
#include <vector>

namespace tessera {

namespace functions {

// The whole array on the host, in every process. Bytes: each process' distinct blocks to each other one.
// Source: JAX multihost_utils.process_allgather(tiled=True).
template <ArrayType A>
auto process_allgather(array<A> const& x) {
  using element = typename array<A>::host_element;
  return host_array<element>{detail::gathered_on_host(x.stored(), x.mesh().value()), x.shape()};
}
template <Refused X>
refused_answer process_allgather(X const&) {
  return {};
}

// Returns when all processes have called it.
void sync_global_devices(std::string_view name);

}  // namespace functions

namespace detail {
void broadcast_bytes(void* data, std::int64_t bytes);

// The extents of a shape without unknown ones.
extents_list known_extents(extents_list const& type, extents_list const& given);
// `data`: the blocks of this process' devices side by side, with extents `extents`. Throws if the array has others.
stored_array store_local(dtype element, extents_list const& global, spec_value const& spec, concrete_mesh const& mesh,
                         void const* data, extents_list const& extents);
// fill(index, out): the values of a part of the array, row-major; once for each distinct block of this process.
struct block_filler {
  void const* of;
  void (*call)(void const* of, region const& index, std::byte* out);
  void operator()(region const& index, std::byte* out) const { call(of, index, out); }
};
template <class F>
block_filler filler_of(F const& f) {
  return {&f, [](void const* of, region const& index, std::byte* out) { (*static_cast<F const*>(of))(index, out); }};
}
stored_array store_blocks(dtype element, extents_list const& global, spec_value const& spec, concrete_mesh const& mesh,
                          block_filler const& fill);
[[noreturn]] void wrong_block(std::size_t given, std::size_t wanted, region const& index);

template <Spec S, class Shape, class T, Mesh M, class Store>
auto made_of_parts(device_mesh<M> const& mesh, Store const& store) {
  using checked = checked_sharding<T, Shape, S, M>;
  if constexpr (!checked::accepted) {
    checked::error::explain();
    return poisoned<explained<typename checked::error>>{};
  } else {
    if (mesh.value().rank != M::rank) no_devices();
    return array<array_type_of<checked, M>>(mesh, store(spec_value_of<M, S>));
  }
}
}  // namespace detail

namespace functions {

// Process 0's values, in every process: numbers, trivially copyable structs, and vectors of these with the same size
// everywhere. Source: JAX multihost_utils.broadcast_one_to_all.
template <class T>
  requires std::is_trivially_copyable_v<T> T broadcast_one_to_all(T value) {
    detail::broadcast_bytes(&value, sizeof(T));
    return value;
  }
template <class T>
std::vector<T> broadcast_one_to_all(std::vector<T> values) {
  static_assert(std::is_trivially_copyable_v<T>,
                "tessera: broadcast_one_to_all takes values that can be copied as bytes.");
  detail::broadcast_bytes(values.data(), static_cast<std::int64_t>(values.size() * sizeof(T)));
  return values;
}

// An array of this shape over a mesh by S, from the data of each process: the blocks of its devices side by side,
// row-major.
//   make_array_from_process_local_data<P<dp>, shape<64, 4>>(host<16, 4>(rows), mesh)   // 4 processes of 16 rows each
// `global`: the extents, if the shape leaves some open. Nothing is sent. Throws std::invalid_argument if this process'
// part has other extents, or if devices do not divide the array evenly (use make_array_from_callback).
template <Spec S, class Shape, class T, class Local, Mesh M>
auto make_array_from_process_local_data(host_view<T, Local> const& local, device_mesh<M> const& mesh,
                                        extents_list const& global = detail::extents_of_shape<Shape>::value) {
  return detail::made_of_parts<S, Shape, T>(mesh, [&](spec_value const& spec) {
    return detail::store_local(dtype_of<T>(), detail::known_extents(detail::extents_of_shape<Shape>::value, global),
                               spec, mesh, local.data, local.extents);
  });
}
template <Spec S, class Shape, class T, class Local, Mesh M>
auto make_array_from_process_local_data(host_view<T, Local> const&, M const&, extents_list const& = {}) {
  written::mesh_without_devices<M>::explain();
  return poisoned<explained<>>{};
}

// An array of this shape over a mesh by S: f(index) returns the values of the part [start, stop) of each dimension,
// row-major, in a vector or another range of T with data() and size(). f is called once for each distinct block of this
// process' devices. Throws std::invalid_argument if it returns another number of values.
//   make_array_from_callback<P<dp>, shape<64, 4>, float>(mesh, f)
template <Spec S, class Shape, class T, Mesh M, class F>
auto make_array_from_callback(device_mesh<M> const& mesh, F const& f,
                              extents_list const& global = detail::extents_of_shape<Shape>::value) {
  return detail::made_of_parts<S, Shape, T>(mesh, [&](spec_value const& spec) {
    auto const fill = [&](region const& index, std::byte* out) {
      auto const values = f(index);
      std::size_t wanted = 1;
      for (index_range const& range : index) wanted *= range.size();
      if (std::size(values) != wanted) detail::wrong_block(std::size(values), wanted, index);
      auto* to = reinterpret_cast<detail::host_element_of<T>*>(out);
      for (auto const& value : values) *to++ = static_cast<detail::host_element_of<T>>(value);
    };
    return detail::store_blocks(dtype_of<T>(), detail::known_extents(detail::extents_of_shape<Shape>::value, global),
                                spec, mesh, detail::filler_of(fill));
  });
}
template <Spec S, class Shape, class T, Mesh M, class F>
auto make_array_from_callback(M const&, F const&, extents_list const& = {}) {
  written::mesh_without_devices<M>::explain();
  return poisoned<explained<>>{};
}

}  // namespace functions

}  // namespace tessera
