# SPDX-License-Identifier: Apache-2.0
"""Calls of tests/functions/owens_t_test.cpp, for record.py."""

import jax
import mpmath
import numpy as np
from mpmath import mpf
from record import call, exact, f32, known

mpmath.mp.dps = 30
sp = jax.scipy.special
inf, nan = np.inf, np.nan


def pairs(*numbers):
    return [np.array(n, np.float32).reshape(8, -1) for n in zip(*numbers)]


call("comb", sp.comb, np.float32([5, 5, 5, 6, 0, -1, 7.5, 20]), np.float32([0, 2, 5, 7, 0, 0, 2.5, 10]), slopes=False)
call("comb of integers", sp.comb, np.int32([5, 5, 5, 6, 0, -1, 9, 20]), np.int32([0, 2, 5, 7, 0, 0, -2, 10]))
exact("comb", sp.comb, f32(8, 3, low=5, high=30), f32(8, 3, low=0.1, high=5, seed=1))

call("owens_t", sp.owens_t, f32(8, 3), f32(8, 3, seed=1))
call("owens_t edges", sp.owens_t, *pairs((0, 0), (0, 1), (0, -3), (1, 0), (2, 1), (-2, -1), (nan, 1), (1, nan)), slopes=False)


def t(h, a):
    h, a = mpf(h), mpf(a)
    end = min(abs(a), 20 / abs(h)) if h else abs(a)
    f = lambda x: mpmath.exp(-h * h * x * x / 2) / (1 + x * x)
    return (mpmath.sign(a) * mpmath.exp(-h * h / 2) * mpmath.quad(f, [end * k / 8 for k in range(9)]) / (2 * mpmath.pi),)


by_h = lambda h, a: (-mpmath.npdf(h) * mpmath.erf(mpf(a) * mpf(h) / mpmath.sqrt(2)) / 2,)
by_a = lambda h, a: (mpmath.exp(-mpf(h) ** 2 * (1 + mpf(a) ** 2) / 2) / (2 * mpmath.pi * (1 + mpf(a) ** 2)),)
known("owens_t wide", t, [by_h, by_a], *pairs((0, 0.5), (0, 7), (1e-6, 0.3), (0.1, 1), (0.5, 0.99), (0.5, 1.01), (1, 0.01), (1, 0.5), (1, 3), (2, 0.7), (2, 1.5), (-2, 10), (3, -0.5), (3, 0.9), (3, 1.3), (4, 0.2), (5, 0.6), (5, 1), (6, 2), (7, 0.9), (8, 0.3), (9, 0.5), (10, 0.9), (12, 0.1)))
