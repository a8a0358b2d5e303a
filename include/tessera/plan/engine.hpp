// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of plan that TESSERA_ENGINE is written before.

#include <tessera/plan/explain.hpp>
#include <tessera/plan/explain_messages.hpp>
