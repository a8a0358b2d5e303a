// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of checkpoint that TESSERA_ENGINE is written before.

#include <tessera/checkpoint/checkpoints_run.hpp>
#include <tessera/checkpoint/json_text_run.hpp>
#include <tessera/checkpoint/restore_run.hpp>
#include <tessera/checkpoint/save_run.hpp>
