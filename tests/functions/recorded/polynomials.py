# SPDX-License-Identifier: Apache-2.0
"""Polynomials of jax.numpy, and jax.ops.segment_prod, for record.py."""

import jax
import jax.numpy as jnp
import numpy as np
from record import call, edges, f32, i32

p, q, x = f32(6), f32(4, seed=1), f32(8, 3, seed=2)

call("polyval", jnp.polyval, q, x)
call("polyval edges", jnp.polyval, q, edges(), slopes=False)
call("polyval of many", jnp.polyval, f32(40, seed=3), x / 3)
call("polyval of several", lambda p, x: jnp.polyval(p.T, x), f32(3, 4), x)
call("polyval of integers", jnp.polyval, i32(4), i32(8, seed=1))
call("polyadd", jnp.polyadd, p, q)
call("polysub", jnp.polysub, q, p)
call("polyadd of integers", jnp.polyadd, i32(3), i32(3, seed=1))
call("polymul", jnp.polymul, p, q)
call("polymul of integers", jnp.polymul, i32(3), i32(2, seed=1))
call("polydiv", jnp.polydiv, p, q)
call("polydiv by a number", jnp.polydiv, p, q[:1])
call("polydiv by a longer one", jnp.polydiv, q, p)
call("polyder", jnp.polyder, p)
call("polyder 2", lambda p: jnp.polyder(p, 2), p)
call("polyder of integers", lambda p: jnp.polyder(p, 0), i32(3))
call("polyint", jnp.polyint, p)
call("polyint 2", lambda p, k: jnp.polyint(p, 2, k), p, f32(2, seed=1))
call("polyint of integers", lambda p: jnp.polyint(p, 2, 3), i32(3))
call("poly", jnp.poly, p)
fit = f32(8, seed=4), f32(8, seed=5), f32(8, low=0.5, seed=6)
call("polyfit", lambda x, y: jnp.polyfit(x, y, 3), *fit[:2])
call("polyfit weighted", lambda x, y, w: jnp.polyfit(x, y, 2, w=w), fit[0], f32(8, 2, seed=7), fit[2])
call("polyfit float64", lambda x, y: jnp.polyfit(x, y, 4), fit[0].astype(np.float64), fit[1].astype(np.float64))

prod = lambda x, ids: jax.ops.segment_prod(x, ids, 4)
call("segment_prod", prod, x, np.array([0, 2, 2, -1, 3, 0, 7, 2], np.int32), slopes=False)
call("segment_prod of integers", prod, i32(8, low=1, high=5), np.array([0, 0, 2, 1, 1, 0, 4, 2], np.int32))
