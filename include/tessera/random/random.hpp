// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers: keys, bits, distributions.

// First: each file between a program and an error's header would be a line of every error's text.
#include <tessera/error/all.hpp>

#include <tessera/random/by_quantile.hpp>
#include <tessera/random/choice.hpp>
#include <tessera/random/choose.hpp>
#include <tessera/random/gamma.hpp>
#include <tessera/random/integers.hpp>
#include <tessera/random/key.hpp>
#include <tessera/random/key_arrays.hpp>
#include <tessera/random/like.hpp>
#include <tessera/random/normal.hpp>
#include <tessera/random/of_normal.hpp>
#include <tessera/random/stochastic_round.hpp>
#include <tessera/random/uniform.hpp>
