// SPDX-License-Identifier: Apache-2.0
#pragma once
// Training: initial values, optimizers, rates, clipping, dropout, mixed precision.

#include <tessera/train/adafactor.hpp>
#include <tessera/train/adagrad.hpp>
#include <tessera/train/dropout.hpp>
#include <tessera/train/gradients.hpp>
#include <tessera/train/initializers.hpp>
#include <tessera/train/layerwise.hpp>
#include <tessera/train/mixed_precision.hpp>
#include <tessera/train/optimizers.hpp>
#include <tessera/train/schedules.hpp>
