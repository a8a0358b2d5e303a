// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parts of arrays, read and written: slices, indices, segments, sorting.

#include <tessera/op/index/at.hpp>
#include <tessera/op/index/check_index.hpp>
#include <tessera/op/index/dynamic_slice.hpp>
#include <tessera/op/index/dynamic_slice_in_dim.hpp>
#include <tessera/op/index/gather.hpp>
#include <tessera/op/index/index_plan.hpp>
#include <tessera/op/index/roll_by.hpp>
#include <tessera/op/index/searchsorted.hpp>
#include <tessera/op/index/segment.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/index/sort.hpp>
#include <tessera/op/index/split.hpp>
#include <tessera/op/index/take.hpp>
#include <tessera/op/index/update_slice.hpp>
