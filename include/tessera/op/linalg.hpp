// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrices and Fourier transforms.

#include <tessera/op/linalg/factors.hpp>
#include <tessera/op/linalg/fft.hpp>
#include <tessera/op/linalg/fft_host.hpp>
#include <tessera/op/linalg/fft_passes.hpp>
#include <tessera/op/linalg/linalg.hpp>
#include <tessera/op/linalg/linalg_host.hpp>
#include <tessera/op/linalg/linalg_kernel.hpp>
