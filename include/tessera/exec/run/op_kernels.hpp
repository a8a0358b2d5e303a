// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels that ops declare and do not define: sorting, matrices, Fourier transforms. With tessera::engine they are
// compiled there for all element types that the ops accept (engine/exec/run/engine_kernels.hpp), else in the program
// that calls them.

#include <tessera/op/index/heap_sort.hpp>
#include <tessera/op/index/sort_kernel.hpp>
#include <tessera/op/linalg/eigen_host.hpp>
#include <tessera/op/linalg/fft_host.hpp>
#include <tessera/op/linalg/linalg_host.hpp>
