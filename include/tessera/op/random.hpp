// SPDX-License-Identifier: Apache-2.0
#pragma once
// The operations below random numbers: random/ has the distributions.

#include <tessera/op/random/gamma.hpp>
#include <tessera/op/random/key_use.hpp>
#include <tessera/op/random/threefry.hpp>
