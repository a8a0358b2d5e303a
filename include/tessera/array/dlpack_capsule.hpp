// SPDX-License-Identifier: Apache-2.0
#pragma once
// DLPack tensors in the capsules by which Python's libraries hand them to each other. Called with the GIL.
//   to_capsule(to_dlpack(x))               a new reference: what __dlpack__(max_version=(1, 0)) returns
//   to_capsule(to_dlpack_unversioned(x))   what __dlpack__() returns to those who know no version
//   from_dlpack<float, shape<8, 4>>(from_capsule(c))   c is what their __dlpack__ returned, of either kind
// A capsule that nobody takes gives its tensor back when it goes; one is taken once. Memory that came from Python is given back
// where the last array goes, on whatever thread: NumPy's and PyTorch's tensors see to that themselves.
// Source: DLPack's Python specification; the names are Python's C API.

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

// Throws std::invalid_argument where it is no capsule of a tensor, or its tensor was taken before.
inline dlpack_tensor from_capsule(_object* capsule) {
  if (auto* const tensor = detail::taken_out<dlpack::managed_tensor_versioned>(capsule)) return dlpack_tensor(tensor);
  if (auto* const tensor = detail::taken_out<dlpack::managed_tensor>(capsule))
    return detail::with_version(dlpack_tensor_unversioned(tensor));
  detail::no_capsule();
}

}  // namespace tessera
