// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reductions, running sums, softmax and norms.

#include <tessera/op/reduce/argmax.hpp>
#include <tessera/op/reduce/cumlogsumexp.hpp>
#include <tessera/op/reduce/cumulative.hpp>
#include <tessera/op/reduce/cumulative_extreme.hpp>
#include <tessera/op/reduce/isclose.hpp>
#include <tessera/op/reduce/nan_reductions.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/reduce/reduce_sum.hpp>
#include <tessera/op/reduce/softmax.hpp>
#include <tessera/op/reduce/statistics.hpp>
#include <tessera/op/reduce/summary.hpp>
