# SPDX-License-Identifier: Apache-2.0
"""Prints the tables of include/tessera/functions that chebyshev.hpp sums: of each function below the coefficients of the polynomial
that equals it in Chebyshev points, without the last ones below 2^-56 of the largest. Run with a Python that has mpmath:
    python3 tests/functions/recorded/fits.py"""

from mpmath import besseli, cos, ei, erfc, erfi, exp, fac2, findroot, log, loggamma, mp, mpf, pi, quad, sqrt

mp.dps = 30


def table(name, f, points=56):
    at = [cos(pi * (k + mpf(1) / 2) / points) for k in range(points)]
    values = [f(u) for u in at]
    c = [2 / mpf(points) * sum(v * cos(j * pi * (k + mpf(1) / 2) / points) for k, v in enumerate(values)) for j in range(points)]
    c[0] /= 2
    while abs(c[-1]) < mpf(2) ** -56 * max(map(abs, c)):
        c.pop()
    print(f"inline constexpr double {name}[]{{\n    {', '.join(repr(float(x)) for x in c)}}};")


# x of u: u = -1 and 1 are the ends of an interval; infinity and an end; `middle` behind an end is u = 0.
between = lambda low, high: lambda u: (low + high) / mpf(2) + (high - low) / mpf(2) * u
beyond = lambda low: lambda u: 2 * low / (1 + u)
half_line = lambda low, middle: lambda u: low + middle * (1 + u) / (1 - u)
of = lambda f, x: lambda u: f(x(u))


def dawson(x):
    return sqrt(pi) / 2 * exp(-x * x) * erfi(x) if x < 30 else sum(fac2(2 * k - 1) / (2 ** (k + 1) * x ** (2 * k + 1)) for k in range(14))


def scaled_erfc(x):
    return exp(x * x) * erfc(x) if x < 1000 else (1 - 1 / (2 * x**2) + 3 / (4 * x**4) - 15 / (8 * x**6)) / (sqrt(pi) * x)


def over_square(weight, x):
    """The integral of exp(-t) weight(t) / (1 + (t / x)^2)."""
    return quad(lambda t: exp(-t) * weight(t) / (1 + (t / x) ** 2), [0, 1, 4, 10, 20, 40, 90])


def over_fourth(weight, z):
    return quad(lambda t: exp(-t * t) * weight(t) / (1 + (t * t / z) ** 2), [0, 1, 2, 4, 6, 9]) * 2 / sqrt(pi)


for n in (0, 1):
    part = lambda x, n=n: exp(-x) * besseli(n, x)
    table(f"i{n}e_near", of(lambda x, n=n: part(x) / x**n, between(0, 8)))
    table(f"i{n}e_far", of(lambda x: sqrt(x) * part(x), beyond(8)))
table("log_gamma_1p", of(lambda a: loggamma(1 + a) / a, between(0, 1.5)))
root = findroot(ei, 0.37)
for name, x in {"middle": lambda u: 40 / (3 + u), "far": lambda u: 80 / (3 + u), "farthest": beyond(40)}.items():
    table(f"expi_{name}", of(lambda x: x * exp(-x) * ei(x), x))
table("expi_near", of(lambda x: (ei(x) - log(x / root)) / (x - root), between(0, 10)))
table("erfcx_all", of(lambda x: (1 + 2 * x) * scaled_erfc(x), half_line(0, 3)))
table("dawsn_all", of(lambda y: (1 + 2 * y) * dawson(sqrt(y)) / sqrt(y), half_line(0, 16)), 90)
table("sici_f", of(lambda x: over_square(lambda t: 1, x), half_line(4, 10)), 48)
table("sici_g", of(lambda x: over_square(lambda t: t, x), half_line(4, 10)), 48)
table("fresnel_f", of(lambda z: over_fourth(lambda t: 1, z), half_line(3, 7)), 48)
table("fresnel_g", of(lambda z: over_fourth(lambda t: 2 * t * t, z), half_line(3, 7)), 48)
