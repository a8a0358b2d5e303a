// SPDX-License-Identifier: Apache-2.0
#pragma once
// <tessera/tessera.hpp> for those who have Kokkos: Views in and out, kernels of a user's in a program. Includes
// <Kokkos_Core.hpp>; a file that needs neither Views nor kernels does not include this one. docs/interop.md

#include <tessera/tessera.hpp>

#include <tessera/interop/local_kernel.hpp>
#include <tessera/interop/view_source.hpp>
#include <tessera/interop/views.hpp>
#include <tessera/memory.hpp>
