# SPDX-License-Identifier: Apache-2.0
"""Writes promotion_table.hpp: what JAX, with 64-bit types, makes of each pair of dtypes, weak ones included; bool of numbers that it refuses. Run it with a
Python that has JAX 0.10.2. A weak result is of 32 bits here, as in JAX without 64-bit types."""

import pathlib

import jax

jax.config.update("jax_enable_x64", True)
from jax._src import dtypes  # noqa: E402
import jax.numpy as jnp  # noqa: E402

STRONG = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
KINDS = [(name, False) for name in STRONG] + [("int32", True), ("float32", True)]
WIDE = {"int64": "int32", "float64": "float32"}
SPELLED = {"bool": "boolean"}


def operand(name, weak):
    return {"int32": 1, "float32": 1.0}[name] if weak else jnp.ones((2,), name)


lines = []
for left in KINDS:
    for right in KINDS:
        try:
            dtype, weak = dtypes.lattice_result_type(operand(*left), operand(*right))
        except dtypes.TypePromotionError:  # written as bool
            dtype, weak = "bool", False
        name = str(jnp.dtype(dtype))
        name = WIDE.get(name, name) if weak else name
        row = [*left, *right, name, weak]
        cells = (f"dtype::{SPELLED.get(c, c)}" if isinstance(c, str) else str(c).lower() for c in row)
        lines.append("    {" + ", ".join(cells) + "},")
header = f"""// SPDX-License-Identifier: Apache-2.0
#pragma once
// Type promotion of JAX {jax.__version__}, written by promotion_table.py.

#include <tessera/aval/dtype.hpp>

namespace promotion {{

using tessera::dtype;

struct pair {{
  dtype lhs;
  bool lhs_weak;
  dtype rhs;
  bool rhs_weak;
  dtype result;
  bool weak;
}};

inline constexpr pair table[]{{
    // clang-format off
{chr(10).join(lines)}
    // clang-format on
}};

}}  // namespace promotion
"""
pathlib.Path(__file__).with_name("promotion_table.hpp").write_text(header)
