// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory of other libraries: mdspans and strided data become arrays and are written by them. Beside
// <tessera/tessera.hpp> or <tessera/arrays.hpp>; needs no Kokkos. docs/interop.md

#include <tessera/array/adopt.hpp>
#include <tessera/array/device_put_strided.hpp>
#include <tessera/array/stepped.hpp>
#include <tessera/array/strided.hpp>

// Behind all that it defines.
#include <tessera/headers_alone.hpp>
