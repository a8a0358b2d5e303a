// SPDX-License-Identifier: Apache-2.0
#pragma once
// Type promotion of JAX 0.10.2, written by promotion_table.py.

#include <tessera/aval/dtype.hpp>

namespace promotion {

using tessera::dtype;

struct pair {
  dtype lhs;
  bool lhs_weak;
  dtype rhs;
  bool rhs_weak;
  dtype result;
  bool weak;
};

inline constexpr pair table[]{
    // clang-format off
    {dtype::boolean, false, dtype::boolean, false, dtype::boolean, false},
    {dtype::boolean, false, dtype::int32, false, dtype::int32, false},
    {dtype::boolean, false, dtype::int64, false, dtype::int64, false},
    {dtype::boolean, false, dtype::float16, false, dtype::float16, false},
    {dtype::boolean, false, dtype::bfloat16, false, dtype::bfloat16, false},
    {dtype::boolean, false, dtype::float32, false, dtype::float32, false},
    {dtype::boolean, false, dtype::float64, false, dtype::float64, false},
    {dtype::boolean, false, dtype::int32, true, dtype::int32, true},
    {dtype::boolean, false, dtype::float32, true, dtype::float32, true},
    {dtype::int32, false, dtype::boolean, false, dtype::int32, false},
    {dtype::int32, false, dtype::int32, false, dtype::int32, false},
    {dtype::int32, false, dtype::int64, false, dtype::int64, false},
    {dtype::int32, false, dtype::float16, false, dtype::float16, false},
    {dtype::int32, false, dtype::bfloat16, false, dtype::bfloat16, false},
    {dtype::int32, false, dtype::float32, false, dtype::float32, false},
    {dtype::int32, false, dtype::float64, false, dtype::float64, false},
    {dtype::int32, false, dtype::int32, true, dtype::int32, false},
    {dtype::int32, false, dtype::float32, true, dtype::float32, true},
    {dtype::int64, false, dtype::boolean, false, dtype::int64, false},
    {dtype::int64, false, dtype::int32, false, dtype::int64, false},
    {dtype::int64, false, dtype::int64, false, dtype::int64, false},
    {dtype::int64, false, dtype::float16, false, dtype::float16, false},
    {dtype::int64, false, dtype::bfloat16, false, dtype::bfloat16, false},
    {dtype::int64, false, dtype::float32, false, dtype::float32, false},
    {dtype::int64, false, dtype::float64, false, dtype::float64, false},
    {dtype::int64, false, dtype::int32, true, dtype::int64, false},
    {dtype::int64, false, dtype::float32, true, dtype::float32, true},
    {dtype::float16, false, dtype::boolean, false, dtype::float16, false},
    {dtype::float16, false, dtype::int32, false, dtype::float16, false},
    {dtype::float16, false, dtype::int64, false, dtype::float16, false},
    {dtype::float16, false, dtype::float16, false, dtype::float16, false},
    {dtype::float16, false, dtype::bfloat16, false, dtype::float32, false},
    {dtype::float16, false, dtype::float32, false, dtype::float32, false},
    {dtype::float16, false, dtype::float64, false, dtype::float64, false},
    {dtype::float16, false, dtype::int32, true, dtype::float16, false},
    {dtype::float16, false, dtype::float32, true, dtype::float16, false},
    {dtype::bfloat16, false, dtype::boolean, false, dtype::bfloat16, false},
    {dtype::bfloat16, false, dtype::int32, false, dtype::bfloat16, false},
    {dtype::bfloat16, false, dtype::int64, false, dtype::bfloat16, false},
    {dtype::bfloat16, false, dtype::float16, false, dtype::float32, false},
    {dtype::bfloat16, false, dtype::bfloat16, false, dtype::bfloat16, false},
    {dtype::bfloat16, false, dtype::float32, false, dtype::float32, false},
    {dtype::bfloat16, false, dtype::float64, false, dtype::float64, false},
    {dtype::bfloat16, false, dtype::int32, true, dtype::bfloat16, false},
    {dtype::bfloat16, false, dtype::float32, true, dtype::bfloat16, false},
    {dtype::float32, false, dtype::boolean, false, dtype::float32, false},
    {dtype::float32, false, dtype::int32, false, dtype::float32, false},
    {dtype::float32, false, dtype::int64, false, dtype::float32, false},
    {dtype::float32, false, dtype::float16, false, dtype::float32, false},
    {dtype::float32, false, dtype::bfloat16, false, dtype::float32, false},
    {dtype::float32, false, dtype::float32, false, dtype::float32, false},
    {dtype::float32, false, dtype::float64, false, dtype::float64, false},
    {dtype::float32, false, dtype::int32, true, dtype::float32, false},
    {dtype::float32, false, dtype::float32, true, dtype::float32, false},
    {dtype::float64, false, dtype::boolean, false, dtype::float64, false},
    {dtype::float64, false, dtype::int32, false, dtype::float64, false},
    {dtype::float64, false, dtype::int64, false, dtype::float64, false},
    {dtype::float64, false, dtype::float16, false, dtype::float64, false},
    {dtype::float64, false, dtype::bfloat16, false, dtype::float64, false},
    {dtype::float64, false, dtype::float32, false, dtype::float64, false},
    {dtype::float64, false, dtype::float64, false, dtype::float64, false},
    {dtype::float64, false, dtype::int32, true, dtype::float64, false},
    {dtype::float64, false, dtype::float32, true, dtype::float64, false},
    {dtype::int32, true, dtype::boolean, false, dtype::int32, true},
    {dtype::int32, true, dtype::int32, false, dtype::int32, false},
    {dtype::int32, true, dtype::int64, false, dtype::int64, false},
    {dtype::int32, true, dtype::float16, false, dtype::float16, false},
    {dtype::int32, true, dtype::bfloat16, false, dtype::bfloat16, false},
    {dtype::int32, true, dtype::float32, false, dtype::float32, false},
    {dtype::int32, true, dtype::float64, false, dtype::float64, false},
    {dtype::int32, true, dtype::int32, true, dtype::int32, true},
    {dtype::int32, true, dtype::float32, true, dtype::float32, true},
    {dtype::float32, true, dtype::boolean, false, dtype::float32, true},
    {dtype::float32, true, dtype::int32, false, dtype::float32, true},
    {dtype::float32, true, dtype::int64, false, dtype::float32, true},
    {dtype::float32, true, dtype::float16, false, dtype::float16, false},
    {dtype::float32, true, dtype::bfloat16, false, dtype::bfloat16, false},
    {dtype::float32, true, dtype::float32, false, dtype::float32, false},
    {dtype::float32, true, dtype::float64, false, dtype::float64, false},
    {dtype::float32, true, dtype::int32, true, dtype::float32, true},
    {dtype::float32, true, dtype::float32, true, dtype::float32, true},
    // clang-format on
};

}  // namespace promotion
