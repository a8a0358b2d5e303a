# SPDX-License-Identifier: Apache-2.0
"""Calls of products of rows in groups, for record.py."""

import jax
import jax.numpy as jnp
import numpy as np
from record import call, f32

dot = jax.lax.ragged_dot
x = f32(8, 3)
for name, sizes in {"": [2, 0, 5, 1], " few": [1, 3], " more": [3, 2, 9], " one": [8], " many": [0, 0, 1, 2, 0, 3, 0, 1, 1, 0]}.items():
    call(f"ragged_dot{name}", dot, x, f32(len(sizes), 3, 2, seed=1), np.array(sizes, np.int32))
holes = x.copy()
holes[3, 1] = np.nan
call("ragged_dot holes", dot, holes, f32(3, 3, 2, seed=1), np.array([3, 2, 3], np.int32))
blocks = f32(2, 6, 8, seed=2), f32(2, 5, 8, seed=3), f32(2, 6, 2, low=0.5, high=2), f32(2, 5, 2, low=0.5, high=2, seed=1)
# jax.nn.scaled_matmul runs on GPUs only: the formula of its page.
call("scaled_matmul", lambda a, b, s, t: jnp.einsum("bmk,bnk->bmn", a * jnp.repeat(s, 4, -1), b * jnp.repeat(t, 4, -1)), *blocks, slopes=False)
