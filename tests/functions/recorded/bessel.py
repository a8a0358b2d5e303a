# SPDX-License-Identifier: Apache-2.0
"""Calls of tests/functions/bessel_test.cpp, for record.py."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
from record import call, edges, exact, f32, known

mpmath.mp.dps = 40
sp = jax.scipy.special
wide = np.concatenate([f32(8, 2, low=-9, high=9).ravel(), np.array([1e-6, -0.01, 7.999, 8.001, 50, -85, 1e-30, 20], np.float32)]).reshape(8, 3)
finite = np.where(abs(wide) > 40, 40 / wide, wide).astype(np.float32)

for name in "i0 i0e i1 i1e".split():
    call(name, getattr(sp, name), f32(8, 3))
    call(name + " edges", getattr(sp, name), np.delete(edges(), [2, 3]) if name in ("i0", "i1") else edges(), slopes=False)


def i(order, x):
    return mpmath.besseli(order, mpmath.mpf(x))


def scaled(order, x):
    return i(order, x) * mpmath.exp(-abs(mpmath.mpf(x)))


over = lambda value, x: value / x if abs(x) > 1e-20 else mpmath.mpf(0.5)
known("i0 wide", lambda x: (i(0, x),), [lambda x: (i(1, x),)], wide)
known("i1 wide", lambda x: (i(1, x),), [lambda x: (i(0, x) - over(i(1, x), x),)], wide)
known("i0e wide", lambda x: (scaled(0, x),), [lambda x: (scaled(1, x) - np.sign(x) * scaled(0, x),)], finite)
known("i1e wide", lambda x: (scaled(1, x),), [lambda x: (scaled(0, x) - np.sign(x) * scaled(1, x) - over(scaled(1, x), x),)], finite)

call("kaiser", lambda b: jnp.kaiser(7, b), np.float32([6.5]))
