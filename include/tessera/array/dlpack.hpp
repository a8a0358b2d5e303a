// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays as DLPack tensors and tensors as arrays, without a copy if both have one layout: NumPy, PyTorch, JAX, CuPy.
//   to_dlpack(x), to_dlpack(shard)        a tensor of an array that is one block, or of a device's block; read-only
//   to_dlpack(std::move(x))               a tensor that may be written, if nothing else shares the memory
//   to_dlpack_unversioned(x)              for libraries before version 1, without a read-only flag: a copy, unless x
//                                         is moved in and nothing else shares its memory
//   from_dlpack<P<dp>, float, shape<8, 4>>(tensor, mesh), from_dlpack<float, shape<8, 4>>(tensor)
//                                         an array of these elements, on the tensor's memory if that has the array's
//                                         layout (adopt.hpp), otherwise a copy: dlpack_copy::always, never choose
// A tensor is owned as by std::unique_ptr; dlpack_capsule.hpp has Python's capsules of tensors. Precondition, as for
// adopt: the producer of a tensor does not write it any more. Source: DLPack 1.x; JAX jax.dlpack, numpy.from_dlpack.

#include <tessera/array/adopt.hpp>
#include <tessera/array/dlpack_abi.hpp>

#include <memory>

namespace tessera {

namespace detail {
struct tensor_deleter {
  template <class T>
  void operator()(T* tensor) const {
    if (tensor->deleter) tensor->deleter(tensor);
  }
};
}  // namespace detail

using dlpack_tensor = std::unique_ptr<dlpack::managed_tensor_versioned, detail::tensor_deleter>;
using dlpack_tensor_unversioned = std::unique_ptr<dlpack::managed_tensor, detail::tensor_deleter>;

enum class dlpack_copy { if_needed, always, never };

namespace detail {

// A block, and the owner of its memory.
dlpack_tensor tensor_of(array_value const& block, void const* data, buffer held, std::uint64_t flags);
dlpack_tensor_unversioned unversioned_of(array_value const& block, void const* data, buffer held);
// The same tensor without a version.
dlpack_tensor with_version(dlpack_tensor_unversioned tensor);
[[noreturn]] void no_capsule();
// The same values in memory that nothing else shares.
buffer copied_block(array_value const& block, void const* data);
// Throws if the array is not one block of this process.
void require_one_block(stored_array const& x, mesh_value const& mesh);

// A tensor as an array with these facts. Throws if elements, extents, device, or the tensor's own fields do not fit.
struct foreign_tensor {
  dlpack::tensor tensor{};
  dlpack::version_number version{};
  std::shared_ptr<void const> keeper{};
};
extents_list extents_of(foreign_tensor const& given, dtype element, extents_list const& type);
stored_array stored_of_tensor(foreign_tensor const& given, array_value const& facts, mesh_value const& mesh,
                              dlpack_copy copy);

inline foreign_tensor kept(dlpack_tensor given) {
  if (!given) return {};
  auto const shared = std::shared_ptr<dlpack::managed_tensor_versioned>(std::move(given));
  if (shared->version.major != 1) return {{}, shared->version, shared};
  return {shared->tensor, shared->version, shared};
}
inline foreign_tensor kept(dlpack_tensor_unversioned given) {
  if (!given) return {};
  auto const shared = std::shared_ptr<dlpack::managed_tensor>(std::move(given));
  return {shared->tensor, {}, shared};
}
template <class Tensor>
concept TensorOwner = requires(Tensor t) {
  kept(std::move(t));
};

template <ArrayType A>
array_value block_of(array<A> const& x) {
  if (x.is_released()) gone();
  require_one_block(x.stored(), x.mesh().value());
  return stored_block(x.stored().facts, x.mesh().value());
}

}  // namespace detail

template <ArrayType A>
dlpack_tensor to_dlpack(array<A> const& x) {
  return detail::tensor_of(detail::block_of(x), x.stored().memory.data(), x.stored().memory, dlpack::read_only);
}
template <ArrayType A>
dlpack_tensor to_dlpack(array<A>&& x) {
  array_value const block = detail::block_of(x);
  bool const own = x.stored().memory.unique();
  buffer memory = x.stored().memory;
  x.release();
  auto const* const data = memory.data();
  return detail::tensor_of(block, data, std::move(memory), own ? 0 : dlpack::read_only);
}
template <Refused X>
refused_answer to_dlpack(X const&) {
  return {};
}
template <class Element>
dlpack_tensor to_dlpack(addressable_shard<Element> const& shard) {
  array_value block;
  block.element = dtype_of<Element>();
  block.memory = shard.memory;
  bool full = true;
  for (int d = 0; d < shard.block.size(); ++d) {
    block.add_dim(shard.index[d].size());
    full = full && (d == 0 || shard.index[d].size() == shard.block[d]);
  }
  if (full) return detail::tensor_of(block, shard.data, shard.held, dlpack::read_only);
  auto const values = shard.to_host();
  buffer copy = detail::copied_block(block, values.data());
  auto const* const data = copy.data();
  return detail::tensor_of(block, data, std::move(copy), dlpack::is_copied);
}

template <ArrayType A>
dlpack_tensor_unversioned to_dlpack_unversioned(array<A> const& x) {
  array_value const block = detail::block_of(x);
  buffer copy = detail::copied_block(block, x.stored().memory.data());
  auto const* const data = copy.data();
  return detail::unversioned_of(block, data, std::move(copy));
}
template <ArrayType A>
dlpack_tensor_unversioned to_dlpack_unversioned(array<A>&& x) {
  array_value const block = detail::block_of(x);
  if (!x.stored().memory.unique()) return to_dlpack_unversioned(static_cast<array<A> const&>(x));
  buffer memory = x.stored().memory;
  x.release();
  auto const* const data = memory.data();
  return detail::unversioned_of(block, data, std::move(memory));
}

template <Spec S, class T, class Shape, detail::TensorOwner Tensor, Mesh M>
auto from_dlpack(Tensor tensor, device_mesh<M> const& mesh, dlpack_copy copy = dlpack_copy::if_needed) {
  auto const given = detail::kept(std::move(tensor));
  strided_view<T, Shape> shown;
  shown.extents = detail::extents_of(given, dtype_of<T>(), detail::extents_of_shape<Shape>::value);
  return detail::made_of<S>(shown, mesh, spec_value_of<M, S>, [&](array_value const& facts) {
    return detail::stored_of_tensor(given, facts, mesh.value(), copy);
  });
}
template <Spec S, class T, class Shape, detail::TensorOwner Tensor, Mesh M>
auto from_dlpack(Tensor const&, M const&, dlpack_copy = dlpack_copy::if_needed) {
  written::mesh_without_devices<M>::explain();
  return poisoned<explained<>>{};
}
// On the default device, or on another one.
template <class T, class Shape, detail::TensorOwner Tensor>
auto from_dlpack(Tensor tensor, dlpack_copy copy = dlpack_copy::if_needed) {
  return from_dlpack<P<>, T, Shape>(std::move(tensor), device_mesh<no_mesh>::anywhere(default_device()), copy);
}

}  // namespace tessera
