// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files and batches: CSV, NumPy's .npy, tokens; loaders that make global arrays of them; progress, metrics and reports.

#include <tessera/data/csv.hpp>
#include <tessera/data/loader.hpp>
#include <tessera/data/npy.hpp>
#include <tessera/data/tokens.hpp>
