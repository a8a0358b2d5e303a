// SPDX-License-Identifier: Apache-2.0
#pragma once
// Models: parameters declared once, their initializers, and layers.

// First: each file between a program and an error's header would be a line of every error's text.
#include <tessera/types.hpp>

#include <tessera/nn/initializers.hpp>
#include <tessera/nn/layers.hpp>
#include <tessera/nn/parameter.hpp>
