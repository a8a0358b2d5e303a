// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrices and Fourier transforms.

#include <tessera/op/linalg/eigen.hpp>
#include <tessera/op/linalg/factorizations.hpp>
#include <tessera/op/linalg/fft.hpp>
#include <tessera/op/linalg/least_squares.hpp>
#include <tessera/op/linalg/linalg.hpp>
#include <tessera/op/linalg/norms.hpp>
#include <tessera/op/linalg/svd.hpp>
