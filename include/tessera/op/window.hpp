// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions and reductions over windows.

#include <tessera/op/window/convolution.hpp>
#include <tessera/op/window/pool.hpp>
#include <tessera/op/window/reduce_window.hpp>
#include <tessera/op/window/window_options.hpp>
#include <tessera/op/window/windows.hpp>
