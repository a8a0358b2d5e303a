// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts operator new of the whole program; heap.cpp is linked into each.

#include <cstdint>

namespace cases {
std::int64_t heap_allocations();
}
