// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files and batches: CSV, NumPy's .npy, tokens; loaders that make global arrays of them; progress, metrics and reports.

#include <tessera/data/csv.hpp>
#include <tessera/data/loader.hpp>
#include <tessera/data/metrics.hpp>
#include <tessera/data/npy.hpp>
#include <tessera/data/progress_bar.hpp>
#include <tessera/data/run_report.hpp>
#include <tessera/data/tokens.hpp>

// Behind all that it defines.
#include <tessera/headers_alone.hpp>
