// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of view that TESSERA_ENGINE is written before.

#include <tessera/view/array_layout.hpp>
#include <tessera/view/boxes.hpp>
#include <tessera/view/drawing.hpp>
#include <tessera/view/explain_page.hpp>
#include <tessera/view/own_parts.hpp>
#include <tessera/view/printed.hpp>
#include <tessera/view/standard_streams.hpp>
