// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of plan that the engine compiles.

#include <tessera/plan/explain.hpp>
#include <tessera/plan/explain_messages.hpp>
