# SPDX-License-Identifier: Apache-2.0
"""What JAX 0.10.2's Pallas, interpreted, gives for the kernels of recorded_kernels_test.cpp: writes recorded/kernels.hpp.

  python3 tests/kernel/record_kernels.py"""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def wave(shape, phase=0.0):
    return jnp.asarray(np.sin(0.7 * np.arange(np.prod(shape)) + phase).astype(np.float32).reshape(shape))


def call(body, grid, ins, outs, shape, *operands, scratch=(), dtype=np.float32):
    return pl.pallas_call(body, grid=grid, in_specs=[pl.BlockSpec(*s) if s else pl.BlockSpec() for s in ins], out_specs=pl.BlockSpec(*outs),
                          out_shape=jax.ShapeDtypeStruct(shape, dtype), scratch_shapes=list(scratch), interpret=True)(*operands)


def add(x, y, o):
    o[...] = x[...] + 2 * y[...]


def product(x, y, o):
    @pl.when(pl.program_id(2) == 0)
    def _():
        o[...] = jnp.zeros_like(o)

    o[...] += x[...] @ y[...]


def turned(x, o):
    o[...] = x[...].T + pl.program_id(0) * 10 + pl.program_id(1) + 100 * pl.num_programs(1)


def grouped(q, k, o):
    o[...] = q[...] @ k[...].T


def running(x, o, s):
    @pl.when(pl.program_id(1) == 0)
    def _():
        s[...] = jnp.zeros_like(s)

    s[...] += x[...]
    o[...] = s[...] * pl.program_id(1)


def looped(x, o):
    o[...] = jax.lax.fori_loop(0, 4, lambda i, sum: sum + i * x[pl.ds(i * 2, 2), :], jnp.zeros((2, 4), jnp.float32))


def remainder(x, o):
    o[...] = jnp.sum(x[...], keepdims=True) + pl.program_id(0)


def paged(table, x, o):
    @pl.when(pl.program_id(1) == 0)
    def _():
        o[...] = jnp.zeros_like(o)

    o[...] += x[...] * (1 + table[pl.program_id(0), pl.program_id(1)])


def by_tables(body, tables, grid, ins, outs, shape, *operands, aliases={}):
    spec = pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=len(tables), grid=grid, in_specs=[pl.BlockSpec(*s) for s in ins],
                                        out_specs=pl.BlockSpec(*outs))
    tables = [jnp.asarray(t, jnp.int32) for t in tables]
    return pl.pallas_call(body, grid_spec=spec, out_shape=jax.ShapeDtypeStruct(shape, np.float32), input_output_aliases=aliases, interpret=True)(*tables, *operands)


def ordered(order, x, o):
    o[...] = x[...] + order[pl.program_id(0)]


def stencil(x, o):
    o[...] = x[0:4, :] + 2 * x[1:5, :] + 3 * x[2:6, :]


def padded(x, o):
    row = pl.program_id(0) * 4 + jax.lax.broadcasted_iota(jnp.int32, (6, 4), 0)  # in the array with a row before and behind it
    inside = jnp.where((row >= 1) & (row <= 12), x[...], 0)  # JAX leaves what is around the array undefined
    o[...] = inside[0:4, :] + 2 * inside[1:5, :] + 3 * inside[2:6, :]


def added(order, x, sums, o):
    o[...] += x[...] * 2


none = None
cases = {
    "add": call(add, (4,), [((4, 8), lambda i: (i, 0))] * 2, ((4, 8), lambda i: (i, 0)), (16, 8), wave((16, 8)), wave((16, 8), 1)),
    "product": call(product, (3, 2, 4), [((4, 8), lambda i, j, k: (i, k)), ((8, 4), lambda i, j, k: (k, j))],
                    ((4, 4), lambda i, j, k: (i, j)), (12, 8), wave((12, 32)), wave((32, 8), 1)),
    "turned": call(turned, (5, 2), [((none, 2, 3), lambda i, j: (i, j, 0))], ((3, none, 2), lambda i, j: (0, i, j)), (3, 5, 4), wave((5, 4, 3))),
    "grouped": call(grouped, (4, 3), [((none, 2, 4), lambda h, i: (h, i, 0)), ((none, 5, 4), lambda h, i: (h // 2, 0, 0))],
                    ((none, 2, 5), lambda h, i: (h, i, 0)), (4, 6, 5), wave((4, 6, 4)), wave((2, 5, 4), 1)),
    "running": call(running, (2, 6), [((1, 4), lambda i, k: (k, i))], ((1, 4), lambda i, k: (k, i)), (6, 8), wave((6, 8)),
                    scratch=[pltpu.VMEM((1, 4), jnp.float32)]),
    "looped": call(looped, (3,), [((8, 4), lambda i: (0, i))], ((2, 4), lambda i: (0, i)), (2, 12), wave((8, 12))),
    "remainder": call(remainder, (8,), [((2, 2), lambda i: (i % 4, i // 4))], ((1, 1), lambda i: (i // 2, i % 2)), (4, 2), wave((8, 4))),
    "paged": by_tables(paged, [[[4, 0, 2], [1, 1, 3]]], (2, 3), [((none, 2, 4), lambda b, p, t: (t[b, p], 0, 0))],
                       ((none, 2, 4), lambda b, p, t: (b, 0, 0)), (2, 2, 4), wave((5, 2, 4))),
    "ordered": by_tables(ordered, [[2, 0, 3, 1]], (4,), [((2, 4), lambda i, t: (i, t[i] // 2))],
                         ((2, 4), lambda i, t: (3 - t[i], 0)), (8, 4), wave((8, 8))),
    "stencil": call(stencil, (3, 2), [((pl.Element(6), 4), lambda i, j: (i * 4, j))], ((4, 4), lambda i, j: (i, j)), (12, 8), wave((14, 8))),
    "padded": call(padded, (3, 2), [((pl.Element(6, (1, 1)), 4), lambda i, j: (i * 4, j))], ((4, 4), lambda i, j: (i, j)), (12, 8),
                   wave((12, 8))),
    "aliased": by_tables(added, [[3, 0]], (2,), [((2, 4), lambda i, t: (i, 0)), ((8, 4), lambda i, t: (0, 0))],
                         ((2, 4), lambda i, t: (t[i], 0)), (8, 4), wave((4, 4)), wave((8, 4), 1), aliases={2: 0}),
}

lines = ["// SPDX-License-Identifier: Apache-2.0", "#pragma once", "// Written by tests/kernel/record_kernels.py.", "",
         "#include <vector>", "", "namespace recorded_kernels {", ""]
for name, value in cases.items():
    numbers = [f"{float(v)!r}" for v in np.asarray(value).reshape(-1)]
    lines.append(f"inline std::vector<double> const {name}{{")
    lines += ["    " + ", ".join(numbers[i:i + 6]) + "," for i in range(0, len(numbers), 6)]
    lines += ["};", ""]
lines.append("}  // namespace recorded_kernels")
(pathlib.Path(__file__).parent / "recorded" / "kernels.hpp").write_text("\n".join(lines) + "\n")
