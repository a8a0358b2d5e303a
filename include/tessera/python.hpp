// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arrays to Python and from it, for extension modules of any binding: tensors in capsules. Beside <tessera/tessera.hpp>; needs no
// Python.h, next to which `_object*` is PyObject*. docs/interop.md

#include <tessera/array/dlpack_capsule.hpp>
#include <tessera/dlpack.hpp>
