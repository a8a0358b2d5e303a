// SPDX-License-Identifier: Apache-2.0
#pragma once
// Models: parameters declared once, their initializers, and layers.

#include <tessera/nn/initializers.hpp>
#include <tessera/nn/layers.hpp>
#include <tessera/nn/parameter.hpp>
#include <tessera/types.hpp>
