# SPDX-License-Identifier: Apache-2.0
"""Calls of tests/functions/choosing_test.cpp and arranging_test.cpp, for record.py."""

import jax
import jax.numpy as jnp
import numpy as np
from record import call, edges, f32, i32

x, y, v = f32(8, 6), f32(8, 6, seed=1), f32(8, seed=2)

call("choose", lambda i, a, b, c: jnp.choose(i, [a, b, c], mode="clip"), i32(8, 6, low=-2, high=5), x, y, v[:6])
call("piecewise", lambda x: jnp.piecewise(x, [x < -1, x > 0, x > 1], [jnp.exp, -1, lambda x: x * x]), x)
call("piecewise otherwise", lambda x: jnp.piecewise(x, [x < -1, x > 1], [lambda x: -x, lambda x: x * x, jnp.sin]), x)
call("piecewise integers", lambda x: jnp.piecewise(x, [x > 0], [lambda x: x * 0.75, 2.5]), i32(8, 6))
center = lambda r: r - jnp.mean(r)
call("apply_along_axis", lambda x: jnp.apply_along_axis(center, 1, x), x)
call("apply_along_axis 1 of 3", lambda x: jnp.apply_along_axis(lambda r: jnp.outer(r, r[:2]), 1, x), f32(8, 3, 4))
call("apply_along_axis to numbers", lambda x: jnp.apply_along_axis(jnp.sum, -1, x), x)
places = np.argsort(np.random.default_rng(4).uniform(0, 1, (8, 6)), 1)[:, :2].astype(np.int32)
call("put_along_axis", lambda x, i, v: jnp.put_along_axis(x, i, v, 1, inplace=False), x, places, f32(8, 2, seed=7))
call("put_along_axis number", lambda x, i: jnp.put_along_axis(x, i, 5.0, 1, inplace=False), x, places)

call("array_equiv", lambda x, y: jnp.array_equiv(x, y), np.tile(v[:6], (8, 1)), v[:6])
call("array_equiv not", lambda x, y: jnp.array_equiv(x, y), x, v[:6])
call("array_equiv of other shapes", lambda x, y: jnp.array_equiv(x, y), x, v[:5])
call("cumulative_sum", lambda x: jnp.cumulative_sum(x, axis=1, include_initial=True), x)
call("cumulative_prod", lambda x: jnp.cumulative_prod(x, axis=1), x)
call("cumulative_prod initial", lambda x: jnp.cumulative_prod(x, axis=1, include_initial=True), i32(8, 6, low=-3, high=3))
call("spacing", jnp.spacing, np.array([1, -1, np.inf, np.nan, 1e30, -3e-5, 0.3, 2.5], np.float32), slopes=False)
call("indices", lambda: jnp.indices((3, 4)))
call("ix_", lambda i, j: jnp.ix_(i, j), i32(8), i32(3, seed=1))
call("fromfunction", lambda: jnp.fromfunction(lambda i, j: i * 10 + j, (3, 4)))
call("unique_all", lambda x: jnp.unique_all(x, size=7), i32(12, low=0, high=8))
call("histogram2d", lambda x, y: jnp.histogram2d(x, y, [3, 4]), f32(48), f32(48, seed=1), slopes=False)
call("hfft of reals", jnp.fft.hfft, x)
call("ihfft", lambda x: jnp.real(jnp.fft.ihfft(x)), x)
call("ihfft imaginary", lambda x: jnp.imag(jnp.fft.ihfft(x)), x)
call("gradient", lambda x: jnp.gradient(x, 0.5, axis=1), x)
call("gradient of two", lambda x: jnp.gradient(x, axis=1), x[:, :2])
