// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of data that TESSERA_ENGINE is written before.

#include <tessera/data/batches.hpp>
#include <tessera/data/copy_part.hpp>
#include <tessera/data/map_file.hpp>
#include <tessera/data/read_csv.hpp>
#include <tessera/data/read_npy.hpp>
#include <tessera/data/read_tokens.hpp>
#include <tessera/data/show_progress.hpp>
#include <tessera/data/shuffle.hpp>
#include <tessera/data/write_metrics.hpp>
#include <tessera/data/write_npy.hpp>
#include <tessera/data/write_report.hpp>
