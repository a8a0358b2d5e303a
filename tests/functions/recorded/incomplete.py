# SPDX-License-Identifier: Apache-2.0
"""Calls of tests/functions/incomplete_gamma_test.cpp and incomplete_beta_test.cpp, for record.py."""

import jax
import mpmath
import numpy as np
from mpmath import mpf
from record import call, exact, f32, known

mpmath.mp.dps = 40
sp = jax.scipy.special


def pairs(*numbers):
    return [np.array(n, np.float32).reshape(8, -1) for n in zip(*numbers)]


a, x = f32(8, 3, low=0.2, high=12), f32(8, 3, low=0.1, high=14, seed=1)
exact("gammainc", sp.gammainc, a, x)
exact("gammaincc", sp.gammaincc, a, x)
call("igamma_grad_a", jax.lax.igamma_grad_a, a, x, slopes=False)
inf, nan = np.inf, np.nan
# Of JAX's, gammainc(0, 0.5) is NaN, and so is gammainc(inf, 3).
at_edges = pairs((0, 2), (2, 0), (2, inf), (inf, inf), (0, 0), (-1, 2), (2, -1), (nan, 1), (1, nan), (1, 1), (0, inf), (12, 12), (3, 200), (200, 3), (11.9, 12), (1, 1.5))
call("gammainc edges", sp.gammainc, *at_edges, slopes=False)
call("gammaincc edges", sp.gammaincc, *at_edges, slopes=False)


def by_quadrature(a, x, upper):
    """Of a > 100: the integral over the side that is asked for, of t = x (1 + s w) where it is not small."""
    density = mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a))
    steep = abs(1 - a / x) * x
    step = 1 / max(steep, mpmath.sqrt(a))
    sign = 1 if upper else -1
    f = lambda s: mpmath.exp(a * mpmath.log1p(s) - x * s) / (1 + s)
    ends = [sign * step * k for k in (0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 100)]
    ends = [e for e in ends if e > -0.9999] + ([] if ends[-1] > -0.9999 else [mpf(-0.9999)])
    return density * abs(mpmath.quad(f, ends))


def share(a, x, upper):
    if a > 300:
        direct = by_quadrature(a, x, upper)
        return direct if (x > a) == upper else 1 - by_quadrature(a, x, not upper)
    return mpmath.gammainc(a, x, mpmath.inf, regularized=True) if upper else mpmath.gammainc(a, 0, x, regularized=True)


def by_a(a, x, upper):
    h, side = mpf(a) * mpf(10) ** -12, x > a  # the smaller share keeps its digits
    slope = (share(a + h, mpf(x), side) - share(a - h, mpf(x), side)) / (2 * h)
    return (slope if side == upper else -slope,)


def by_x(a, x, upper):
    slope = mpmath.exp((mpf(a) - 1) * mpmath.log(mpf(x)) - mpf(x) - mpmath.loggamma(a))
    return (-slope if upper else slope,)


WIDE = {
    "small": ((1e-3, 1e-3), (1e-3, 0.7), (1e-3, 1.4), (1e-3, 1.6), (1e-3, 20), (0.02, 3), (0.3, 1e-4), (0.6, 1.2), (1.2, 0.2), (1.4, 1.45), (1.4, 1.55), (1.6, 1.4), (3, 1), (3, 2.9), (3, 3.1), (3, 40), (11, 2), (11, 10), (11, 13), (11, 60), (11.9, 12.5), (8, 8), (5, 25), (0.5, 80)),
    "large": ((12, 12), (12.5, 3), (12.5, 5), (12.5, 27), (12.5, 33), (20, 20.1), (50, 20), (50, 40), (50, 80), (50, 130), (100, 60), (100, 101), (100, 160), (250, 200), (250, 310), (1e3, 900), (1e3, 1000), (1e3, 1200), (1e4, 9700), (1e4, 10100), (1e5, 1e5), (1e5, 100800), (1e6, 998000), (1e6, 1001000)),
}
for name, points in WIDE.items():
    for upper in (False, True):
        of = lambda f, upper=upper: lambda a, x: f(a, x, upper)
        known(f"gammainc{'c' * upper} {name}", of(lambda a, x, u: (share(mpf(a), mpf(x), u),)), [of(by_a), of(by_x)], *pairs(*points))


b, z = f32(8, 3, low=0.2, high=9, seed=2), f32(8, 3, low=0.02, high=0.98, seed=3)
call("betainc", sp.betainc, a, b, z, slopes=False)  # whose gradient by a and b JAX refuses
at_edges = pairs((2, 3, 0), (2, 3, 1), (0, 3, 0.5), (0, 3, 0), (2, 0, 0.5), (2, 0, 1), (0, 0, 0.5), (inf, 2, 0.5), (2, inf, 0.5), (inf, inf, 0.5), (2, 3, -0.1), (2, 3, 1.1), (-1, 3, 0.5), (nan, 1, 0.5), (1, nan, 0.5), (1, 1, nan))
call("betainc edges", sp.betainc, *at_edges, slopes=False)


def beta_share(a, b, x):
    a, b, x = mpf(a), mpf(b), mpf(x)
    if x * (a + b + 2) > a + 1:
        return 1 - beta_share(b, a, 1 - x)
    f = mpf(1)
    for m in range(4000, 0, -1):
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        f = 1 + m * (b - m) * x / ((a + 2 * m - 1 + mpf(10) ** -60) * (a + 2 * m)) / (1 + odd / f)
    front = mpmath.exp(a * mpmath.log(x) + b * mpmath.log1p(-x) - mpmath.loggamma(a) - mpmath.loggamma(b) + mpmath.loggamma(a + b))
    return front / a / (1 - (a + b) * x / (a + 1) / f)


def central(f, *at):
    def by(i):
        def slope(*x):
            x = list(map(mpf, x))
            h = x[i] * mpf(10) ** -12
            moved = lambda d: f(*x[:i], x[i] + d, *x[i + 1 :])
            return ((moved(h) - moved(-h)) / (2 * h),)

        return slope

    return [by(i) for i in range(len(at))]


BETA = ((1e-3, 1e-3, 0.3), (1e-3, 2, 0.1), (2, 1e-3, 0.9), (0.5, 0.5, 1e-6), (0.5, 0.5, 0.9), (1, 5, 0.01), (3, 0.2, 0.7), (10, 20, 0.2), (10, 20, 0.5), (20, 10, 0.9), (100, 3, 0.95), (3, 100, 0.1), (100, 100, 0.4), (100, 100, 0.5), (100, 100, 0.61), (1e3, 1e3, 0.47), (1e3, 20, 0.97), (20, 1e3, 0.03), (1e4, 1e4, 0.5), (1e4, 1e4, 0.51), (1e5, 10, 0.99985), (1e5, 1e5, 0.4985), (1e5, 1e5, 0.5), (2, 2, 0.5))
points = pairs(*BETA)
known("betainc wide", lambda *x: (beta_share(*x),), central(beta_share, *points), *points)
