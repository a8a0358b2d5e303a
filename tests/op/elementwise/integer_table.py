# SPDX-License-Identifier: Apache-2.0
"""Writes integer_table.hpp: what JAX makes of integers of every width, at the ends of their ranges above all. Run it with a
Python that has JAX 0.10.2. The names are those of tests/op/elementwise/integers_test.cpp."""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
OPS = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "negative": lambda x, y: -x,
    "abs": lambda x, y: abs(x),
    "sign": lambda x, y: jnp.sign(x),
    "square": lambda x, y: jnp.square(x),
    "floor_divide": lambda x, y: x // y,
    "remainder": lambda x, y: x % y,
    "fmod": lambda x, y: jnp.fmod(x, y),
    "power": lambda x, y: jnp.power(x, y % 7),
    "maximum": lambda x, y: jnp.maximum(x, y),
    "minimum": lambda x, y: jnp.minimum(x, y),
    "bitwise_and": lambda x, y: x & y,
    "bitwise_or": lambda x, y: x | y,
    "bitwise_xor": lambda x, y: x ^ y,
    "bitwise_not": lambda x, y: ~x,
    "left_shift": lambda x, y: x << y,
    "right_shift": lambda x, y: x >> y,
    "shift_right_logical": lambda x, y: lax.shift_right_logical(x, y),
    "less": lambda x, y: x < y,
    "greater_equal": lambda x, y: x >= y,
    "equal": lambda x, y: x == y,
    "plus 3": lambda x, y: x + 3,
    "chain": lambda x, y: ((x + y) * x - y) // 3,
    "where": lambda x, y: jnp.where(x < y, x, y),
    "clip": lambda x, y: jnp.clip(x, 1, 100),
    "sum": lambda x, y: jnp.sum(x),
    "prod": lambda x, y: jnp.prod(x + 3),
    "max": lambda x, y: jnp.max(x),
    "min": lambda x, y: jnp.min(x),
    "argmax": lambda x, y: jnp.argmax(x),
    "cumsum": lambda x, y: jnp.cumsum(x),
    "cumprod": lambda x, y: jnp.cumprod(x + 3),
    "cummax": lambda x, y: lax.cummax(x),
    "sort": lambda x, y: jnp.sort(x),
    "argsort": lambda x, y: jnp.argsort(x),
    "top_k": lambda x, y: lax.top_k(x, 3)[0],
    "matmul": lambda x, y: x @ y,
    "take": lambda x, y: jnp.take(x, jnp.clip(y, 0, 7), axis=0),
    "segment_max": lambda x, y: jax.ops.segment_max(x, jnp.array([0, 0, 2, 2, 0, 0, 2, 2]), 3),
    "segment_min": lambda x, y: jax.ops.segment_min(x, jnp.array([0, 0, 2, 2, 0, 0, 2, 2]), 3),
    "iota": lambda x, y: lax.iota(x.dtype, 8) * 40 + x,
    "mean of small ones": lambda x, y: jnp.mean(jnp.clip(x, 0, 7)) * 8,
    **{f"to {t}": (lambda x, y, t=t: x.astype(t)) for t in TYPES},
}
FLOATS = [-1e10, -130.5, -1.5, 0.5, 127.9, 300.7, 70000.2, 5e9]


def values(dtype):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return ([low, low + 1, 0, 1, 2, high - 1, high, 77], [high, 3, 5, high, 0, 2, high, 9])


def cells(result):
    flat = np.asarray(result).reshape(-1)
    whole = flat.astype(np.uint64).view(np.int64) if flat.dtype == np.uint64 else flat.astype(np.int64)
    return "{" + ", ".join("lowest" if int(v) == -(2**63) else str(int(v)) for v in whole) + "}"


lines = []
for name in TYPES:
    with jax.enable_x64(True):
        wide = np.iinfo(name).bits == 64
        x, y = values(name)
        lines.append(f'    {{dtype::{name}, "x", {cells(np.array(x, name))}}},')
        lines.append(f'    {{dtype::{name}, "y", {cells(np.array(y, name))}}},')
        if np.iinfo(name).bits < 32:
            lines.append(f'    {{dtype::{name}, "from floats", {cells(jnp.array(FLOATS, "float32").astype(name))}}},')
    for op, f in OPS.items():
        if op.startswith("to ") and op.endswith("64") and not wide:
            continue
        with jax.enable_x64(wide):
            lines.append(f'    {{dtype::{name}, "{op}", {cells(f(jnp.array(x, name), jnp.array(y, name)))}}},')
header = f"""// SPDX-License-Identifier: Apache-2.0
#pragma once
// Integers as JAX {jax.__version__} computes with them, written by integer_table.py. Of uint64: the bits, as int64.

#include <tessera/aval/dtype.hpp>

#include <limits>
#include <string_view>
#include <vector>

namespace integers {{

using tessera::dtype;
inline constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

struct line {{
  dtype element;
  std::string_view name;
  std::vector<std::int64_t> values;
}};

inline std::vector<line> const table{{
    // clang-format off
{chr(10).join(lines)}
    // clang-format on
}};

}}  // namespace integers
"""
pathlib.Path(__file__).with_name("integer_table.hpp").write_text(header)
