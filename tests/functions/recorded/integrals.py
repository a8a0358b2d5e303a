# SPDX-License-Identifier: Apache-2.0
"""Calls of tests/functions/integrals_test.cpp, exponential_integrals_test.cpp and waves_test.cpp, for record.py."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
from mpmath import mpf
from record import call, f32, known

mpmath.mp.dps = 40
sp = jax.scipy.special


def numbers(*x):
    return np.array(x, np.float32).reshape(8, -1)


def one_by_one(f):
    """JAX's loops of expi and expn may not end where elements of an array take different branches."""
    return lambda x: jnp.stack([f(v) for v in x.ravel()]).reshape(x.shape)


inf, nan = np.inf, np.nan
x, above = f32(8, 3), f32(8, 3, low=0.1, high=9)
call("expi", one_by_one(sp.expi), 3 * x)
call("expi edges", one_by_one(sp.expi), numbers(-5, nan, -1, 1, 85, -80, 1e-20, -1e-20), slopes=False)
known("expi wide", lambda x: (mpmath.ei(x),), [lambda x: (mpmath.exp(x) / mpf(x),)], numbers(1e-20, 1e-3, 0.09, 0.11, 0.3, 0.372, 0.373, 0.5, 2, 9.9, 10.1, 19.9, 20.1, 39, 41, 70, 85, -1e-10, -0.2, -1.4, -1.6, -10, -40, -80))
for n in (0, 1, 2, 5):
    call(f"expn {n}", one_by_one(lambda x, n=n: sp.expn(n, x)), above, slopes=n > 0)  # in JAX the slope of expn(0, x) is NaN, and expn(n, 0) is 1 / n
    call(f"expn {n} edges", one_by_one(lambda x, n=n: sp.expn(n, x)), numbers(0 if n < 2 else 3, -1, nan, -7, 1, 1e-30, 80, 2), slopes=False)
for n in (1, 2, 12, 40):
    known(f"expn {n} wide", lambda x, n=n: (mpmath.expint(n, x),), [lambda x, n=n: (-mpmath.expint(n - 1, x),)], numbers(1e-6, 1e-3, 0.1, 0.5, 1, 1.2, 1.4, 1.49, 1.51, 1.7, 2, 2.5, 3, 4, 5, 7, 10, 14, 20, 30, 40, 50, 60, 70))

call("erfcx", sp.erfcx, x)
call("erfcx edges", sp.erfcx, numbers(0, -0.0, inf, -inf, nan, 1, -1, -9), slopes=False)
erfcx = lambda x: mpmath.exp(mpf(x) ** 2) * mpmath.erfc(x)
known("erfcx wide", lambda x: (erfcx(x),), [lambda x: (2 * mpf(x) * erfcx(x) - 2 / mpmath.sqrt(mpmath.pi),)], numbers(-9, -8.3, -5, -3, -2, -1, -0.3, -1e-9, 1e-9, 0.1, 0.5, 0.7, 1, 1.2, 1.5, 2, 2.2, 2.4, 2.5, 2.6, 2.8, 3, 3.3, 3.5))
known("erfcx far", lambda x: (mpmath.ncdf(-mpf(x) * mpmath.sqrt(2)) * 2 * mpmath.exp(mpf(x) ** 2),), [lambda x: (0,)], numbers(4, 6, 10, 20, 50, 100, 1e3, 1e4))
call("dawsn", sp.dawsn, x)
call("dawsn edges", sp.dawsn, numbers(0, -0.0, inf, -inf, nan, 1, -1, 30), slopes=False)
dawsn = lambda x: mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-mpf(x) ** 2) * mpmath.erfi(x)
known("dawsn wide", lambda x: (dawsn(x),), [lambda x: (1 - 2 * mpf(x) * dawsn(x),)], numbers(-9, -7, -5, -3, -2, -1, -0.3, -1e-9, 1e-9, 0.1, 0.5, 0.7, 1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8))
call("spence", sp.spence, above, slopes=False)  # whose slope may be NaN in JAX
call("spence edges", sp.spence, numbers(0, 1, -1, -inf, nan, 2, 0.5, 1e30), slopes=False)
log_over = lambda x: (mpmath.log(x) / (1 - mpf(x)) if x != 1 else mpf(-1),)
known("spence wide", lambda x: (mpmath.polylog(2, 1 - mpf(x)).real,), [log_over], numbers(1e-20, 1e-3, 0.1, 0.3, 0.49, 0.51, 0.7, 0.9, 0.999, 1, 1.001, 1.1, 1.5, 1.9, 1.99, 2.01, 2.5, 3, 5, 10, 50, 1e3, 1e6, 1e10))

call("fresnel", sp.fresnel, x)
call("fresnel edges", sp.fresnel, numbers(0, -0.0, inf, -inf, nan, 1, -1, 1.5), slopes=False)
some = numbers(-9, -7.3, -5, -3, -2, -1.4, -1.3, -1, -0.3, -1e-9, 1e-9, 0.1, 0.5, 0.7, 1, 1.2, 1.39, 1.5, 2, 3.7, 20.25, 50.125, 90.5, 1000.25)
turn = lambda x: mpmath.pi * mpf(x) ** 2 / 2
known("fresnel wide", lambda x: (mpmath.fresnels(x), mpmath.fresnelc(x)), [lambda x: (mpmath.sin(turn(x)), mpmath.cos(turn(x)))], some)
call("sici", sp.sici, x)
call("sici edges", sp.sici, numbers(0, -0.0, inf, -inf, nan, 1, -1, 1e6), slopes=False)
some = numbers(-90, -20, -5, -4.1, -3.9, -3, -2, -1, -0.5, -1e-3, 1e-9, 0.1, 0.5, 0.9, 1.5, 2, 2.5, 3.9, 4.1, 6, 10, 14, 50, 300)
known("sici wide", lambda x: (mpmath.si(x), mpmath.ci(abs(x)).real), [lambda x: (mpmath.sin(x) / mpf(x), mpmath.cos(x) / mpf(x))], some)
