// SPDX-License-Identifier: Apache-2.0
#pragma once
// Headers alone: a program that is not linked with tessera::engine reads the engine's definitions with each umbrella.

#ifndef TESSERA_SEPARATE_ENGINE
#include <tessera/engine.hpp>
#endif
