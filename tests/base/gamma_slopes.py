# SPDX-License-Identifier: Apache-2.0
"""Prints the table of gamma_slope_test.cpp, with 60 digits where the test has 17; needs mpmath:
    python3 tests/base/gamma_slopes.py
A row is a, x and dx/da of the number x of the gamma distribution of shape a whose rank stays."""

import mpmath as mp

mp.mp.dps = 60


def slope(a, x):
    step = a * mp.mpf(10) ** -20
    below = x <= a

    def ranked(shape):
        ends = (0, x) if below else (x, mp.inf)
        share = mp.gammainc(shape, *ends, regularized=True)
        return share if below else -share

    density = mp.exp((a - 1) * mp.log(x) - x - mp.loggamma(a))
    return -(ranked(a + step) - ranked(a - step)) / (2 * step) / density


SHAPES = [1e-6, 0.01, 0.5, 0.99, 1, 2, 3.5, 20, 127, 129, 1000, 5000]
for a in SHAPES:
    deviation = a**0.5
    some = {x for z in (-5, -1, 0.5, 6) if (x := a + z * deviation) > 0}
    if a < 4:
        some |= {1e-30, 0.3, 1.2, 20}
    for x in sorted(some):
        print(f"    {{{a!r}, {x!r}, {mp.nstr(slope(mp.mpf(a), mp.mpf(x)), 17)}}},")
