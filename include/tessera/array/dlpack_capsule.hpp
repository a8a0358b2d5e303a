// SPDX-License-Identifier: Apache-2.0
#pragma once
// DLPack tensors in capsules, by which Python's libraries pass them to each other. Call these functions with the GIL.
//   to_capsule(to_dlpack(x))               a new reference: what __dlpack__(max_version=(1, 0)) returns
//   to_capsule(to_dlpack_unversioned(x))   what __dlpack__() returns to libraries before version 1
//   from_dlpack<float, shape<8, 4>>(from_capsule(c))   c is the result of their __dlpack__, of either kind
// A capsule that is not used deletes its tensor; a capsule is used once. Memory from Python is freed when the last
// array is destroyed, on any thread: the deleters of NumPy's and PyTorch's tensors allow that. Source: DLPack's Python
// specification; the names are Python's C API.

#include <tessera/array/dlpack.hpp>

struct _object;
extern "C" {
_object* PyCapsule_New(void* pointer, char const* name, void (*destructor)(_object*));
void* PyCapsule_GetPointer(_object* capsule, char const* name);
int PyCapsule_IsValid(_object* capsule, char const* name);
int PyCapsule_SetName(_object* capsule, char const* name);
}

namespace tessera {

namespace detail {

template <class Managed>
struct capsule_names {
  static constexpr char const *full = "dltensor_versioned", *used = "used_dltensor_versioned";
};
template <>
struct capsule_names<dlpack::managed_tensor> {
  static constexpr char const *full = "dltensor", *used = "used_dltensor";
};

template <class Managed>
Managed* tensor_in(_object* capsule) {
  constexpr char const* name = capsule_names<Managed>::full;
  return PyCapsule_IsValid(capsule, name) ? static_cast<Managed*>(PyCapsule_GetPointer(capsule, name)) : nullptr;
}
template <class Managed>
Managed* taken_out(_object* capsule) {
  Managed* const tensor = tensor_in<Managed>(capsule);
  if (tensor) PyCapsule_SetName(capsule, capsule_names<Managed>::used);
  return tensor;
}
template <class Owner>
_object* in_capsule(Owner tensor) {
  using managed = typename Owner::element_type;
  auto const give_back = [](_object* self) { static_cast<void>(Owner(tensor_in<managed>(self))); };
  _object* const capsule = PyCapsule_New(tensor.get(), capsule_names<managed>::full, give_back);
  if (capsule) static_cast<void>(tensor.release());
  return capsule;  // null: Python has an exception
}
}  // namespace detail

inline _object* to_capsule(dlpack_tensor tensor) { return detail::in_capsule(std::move(tensor)); }
inline _object* to_capsule(dlpack_tensor_unversioned tensor) { return detail::in_capsule(std::move(tensor)); }

// Throws std::invalid_argument if it is not a capsule of a tensor, or if its tensor was used before.
inline dlpack_tensor from_capsule(_object* capsule) {
  if (auto* const tensor = detail::taken_out<dlpack::managed_tensor_versioned>(capsule)) return dlpack_tensor(tensor);
  if (auto* const tensor = detail::taken_out<dlpack::managed_tensor>(capsule))
    return detail::with_version(dlpack_tensor_unversioned(tensor));
  detail::no_capsule();
}

}  // namespace tessera
