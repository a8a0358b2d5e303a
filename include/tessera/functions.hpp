// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions that are composed of operations: jax.nn's activations, the rest of jax.numpy, jax.scipy.special, jax.scipy.linalg.

// First: each file between a program and an error's header would be a line of every error's text.
#include <tessera/types.hpp>

#include <tessera/functions/activations.hpp>
#include <tessera/functions/arranging.hpp>
#include <tessera/functions/bessel.hpp>
#include <tessera/functions/bessel_jn.hpp>
#include <tessera/functions/choosing.hpp>
#include <tessera/functions/combinations.hpp>
#include <tessera/functions/complex_special.hpp>
#include <tessera/functions/convolutions.hpp>
#include <tessera/functions/factors.hpp>
#include <tessera/functions/flash_attention.hpp>
#include <tessera/functions/harmonics.hpp>
#include <tessera/functions/hypergeometric.hpp>
#include <tessera/functions/image.hpp>
#include <tessera/functions/implicit.hpp>
#include <tessera/functions/incomplete.hpp>
#include <tessera/functions/incomplete_beta.hpp>
#include <tessera/functions/integrals.hpp>
#include <tessera/functions/known_matrices.hpp>
#include <tessera/functions/linear_systems.hpp>
#include <tessera/functions/losses.hpp>
#include <tessera/functions/matrix_functions.hpp>
#include <tessera/functions/numbers.hpp>
#include <tessera/functions/owens_t.hpp>
#include <tessera/functions/places.hpp>
#include <tessera/functions/polynomials.hpp>
#include <tessera/functions/ragged.hpp>
#include <tessera/functions/segments.hpp>
#include <tessera/functions/sequences.hpp>
#include <tessera/functions/sets.hpp>
#include <tessera/functions/signals.hpp>
#include <tessera/functions/special.hpp>
#include <tessera/functions/special_matrices.hpp>
#include <tessera/functions/tridiagonal.hpp>
#include <tessera/functions/waves.hpp>
#include <tessera/functions/without_nan.hpp>
#include <tessera/interop/pure_callback.hpp>
#include <tessera/random/ball.hpp>
#include <tessera/random/counts.hpp>
