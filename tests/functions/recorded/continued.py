# SPDX-License-Identifier: Apache-2.0
"""Calls of tests/functions/hypergeometric_test.cpp, complex_special_test.cpp and forms_of_matrices_test.cpp, for record.py."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as linalg
import mpmath
import numpy as np
import scipy.special
from mpmath import mpf
from record import call, exact, f32, known

mpmath.mp.dps = 30
sp = jax.scipy.special


def tuples(*numbers):
    return [np.array(n, np.float32).reshape(8, -1) for n in zip(*numbers)]


# hyp1f1
def slope(k):
    return lambda *x: (mpmath.diff(lambda t: mpmath.hyp1f1(*(t if i == k else mpf(v) for i, v in enumerate(x))), mpf(x[k])),)


kummer = lambda a, b, x: (mpmath.hyp1f1(mpf(a), mpf(b), mpf(x)),)
slopes = [slope(0), slope(1), slope(2)]
near = f32(8, 3, low=0.2, high=8), f32(8, 3, low=0.3, high=8, seed=1), f32(8, 3, low=-30, high=30, seed=2)
known("hyp1f1 near", kummer, slopes, *near)
far = [(1.5, 2.5, 150), (0.25, 3, 101), (3, 0.5, -150), (4.5, 1.5, 99), (2, 4, -99), (1, 2, -600), (0.75, 0.5, 130), (2.5, 2.5, -130)]
known("hyp1f1 far", kummer, slopes, *tuples(*far), elements=[np.float64])
known("hyp1f1 negative", kummer, slopes, *tuples((-2, 1.5, 3), (-2.5, 0.5, 7), (-0.5, 2, -140), (1.5, -0.5, 2), (2.5, -1.5, -3), (5, 1, -9), (6, 1.25, -160), (-3.25, -2.5, 0.5)))
call("hyp1f1 JAX", sp.hyp1f1, f32(8, 3, low=0.5, high=4), f32(8, 3, low=0.5, high=4, seed=1), f32(8, 3, low=0, high=9, seed=2), slopes=False)

# Complex functions of (real part, imaginary part).
plane = tuples(*[(x, y) for x in (-7.3, -2.5, -0.5, 0.25, 0.5, 1.5, 3, 20) for y in (-9, -0.4, 0, 1e-3, 0.7, 30)])


def in_parts(f, slope):
    """f of x + i y as two numbers, and their slopes by x and by y."""
    value = lambda x, y: (lambda w: (w.real, w.imag))(mpmath.mpc(f(mpmath.mpc(x, y))))
    by_x = lambda x, y: (lambda w: (w.real, w.imag))(mpmath.mpc(slope(mpmath.mpc(x, y))))
    by_y = lambda x, y: (lambda w: (-w.imag, w.real))(mpmath.mpc(slope(mpmath.mpc(x, y))))
    return value, [by_x, by_y]



w = lambda z: mpmath.exp(-z * z) * mpmath.erfc(mpmath.mpc(0, -1) * z)
known("wofz", *in_parts(w, lambda z: -2 * z * w(z) + mpmath.mpc(0, 2) / mpmath.sqrt(mpmath.pi)), *tuples(*[(x, y) for x in (-8, -2.5, -0.5, 0, 0.25, 1.5, 5, 30) for y in (-1.5, -0.4, 0, 1e-3, 0.7, 20)]))
known("loggamma", *in_parts(mpmath.loggamma, lambda z: mpmath.digamma(z)), *plane)
call("loggamma of reals", sp.loggamma, np.float32([-2.5, -1, 0.25, 1, 2, 3.5, 20, 150]), slopes=False)

# Spherical harmonics
n = np.array([0, 1, 1, 2, 3, 4, 5, 5] * 2, np.int32).reshape(8, 2)
m = np.array([0, 0, 1, -2, 2, -3, 5, -1] * 2, np.int32).reshape(8, 2)
angles = f32(8, 2, low=0.2, high=2.9), f32(8, 2, low=0, high=6, seed=1)


def harmonic(n, m, theta, phi):
    y = sp.sph_harm_y(n.ravel(), m.ravel(), theta.ravel(), phi.ravel(), n_max=5).reshape(n.shape)
    return jnp.real(y), jnp.imag(y)


exact("sph_harm_y", harmonic, n, m, *angles)

# Forms and functions of matrices
parts = lambda x: (jnp.real(x), jnp.imag(x))
square = f32(8, 4, 4)
call("hessenberg", lambda a: linalg.hessenberg(a, calc_q=True), square, slopes=False)
call("hessenberg of complex", lambda x, y: sum((parts(p) for p in linalg.hessenberg(x + 1j * y, calc_q=True)), ()), square, f32(8, 4, 4, seed=1), slopes=False)
call("hessenberg of 2", lambda a: linalg.hessenberg(a, calc_q=True), f32(8, 2, 2), slopes=False)
each = f32(4, 4) + 4 * np.diag(np.float32([1, -2, 3, -4]))
call("funm sin", lambda a: parts(linalg.funm(a, jnp.sin)), each, slopes=False)
call("funm exp", lambda a: parts(linalg.expm(a).astype(np.complex64)), each, slopes=False)
call("bernoulli", lambda: scipy.special.bernoulli(40).astype(np.float32))
call("bernoulli float64", lambda: scipy.special.bernoulli(60))
