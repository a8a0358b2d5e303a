// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations on one element at a time.

#include <tessera/op/elementwise/activation.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/bitcast.hpp>
#include <tessera/op/elementwise/bitwise.hpp>
#include <tessera/op/elementwise/cast.hpp>
#include <tessera/op/elementwise/clamp.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/complex.hpp>
#include <tessera/op/elementwise/erf.hpp>
#include <tessera/op/elementwise/exponential.hpp>
#include <tessera/op/elementwise/floor_divide.hpp>
#include <tessera/op/elementwise/hyperbolic.hpp>
#include <tessera/op/elementwise/logarithmic.hpp>
#include <tessera/op/elementwise/powers.hpp>
#include <tessera/op/elementwise/round_decimals.hpp>
#include <tessera/op/elementwise/rounding.hpp>
#include <tessera/op/elementwise/trigonometric.hpp>
#include <tessera/op/elementwise/where.hpp>
