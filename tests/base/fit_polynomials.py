#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the polynomials of include/tessera/base/math.hpp were found: least squares at Chebyshev nodes, reweighted towards
the minimax one (Lawson). Prints coefficients, lowest power first, and the largest weighted error. Needs mpmath, numpy."""

import mpmath as mp
import numpy as np

mp.mp.dps = 50
NODES, ROUNDS = 400, 60


def fit(name, function, weight, low, high, degree):
    angles = [mp.pi * (2 * k + 1) / (2 * NODES) for k in range(NODES)]
    xs = [mp.mpf(low + high) / 2 + mp.mpf(high - low) / 2 * mp.cos(a) for a in angles]
    values = np.array([float(function(x)) for x in xs])
    weights = np.array([float(weight(x)) for x in xs])
    basis = np.polynomial.chebyshev.chebvander([float((2 * x - (low + high)) / (high - low)) for x in xs], degree)
    emphasis = np.ones(NODES)
    for _ in range(ROUNDS):
        scale = np.sqrt(emphasis) * weights
        series = np.linalg.lstsq((basis.T * scale).T, values * scale, rcond=None)[0]
        errors = np.abs((basis @ series - values) * weights)
        emphasis *= errors / errors.max() + 1e-6
        emphasis /= emphasis.sum()
    to_unit = np.polynomial.Polynomial([-(low + high) / (high - low), 2 / (high - low)])
    coefficients = np.polynomial.Polynomial(np.polynomial.chebyshev.cheb2poly(series))(to_unit).coef
    print(f"{name}: error {errors.max():.2g}: " + ", ".join(f"{np.float32(c):.9g}f" for c in coefficients))


half = float(mp.log(2) / 2) * 1.001
fit("exp", lambda r: (mp.exp(r) - 1 - r) / r**2, lambda r: r**2 * mp.exp(-r), -half, half, 4)
fit("expm1", lambda r: (mp.exp(r) - 1 - r) / r**2, lambda r: r**2 / mp.expm1(r), -half, half, 5)
fit("log", lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, lambda f: f**3 / mp.log1p(f),
    float(mp.sqrt(0.5) - 1) * 1.0005, float(mp.sqrt(2) - 1) * 1.0005, 8)
fit("erf near 0", lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z), lambda z: mp.sqrt(z) / mp.erf(mp.sqrt(z)), 1e-9, 0.95**2, 6)
fit("log erfc", lambda a: mp.log(mp.erfc(a)), lambda a: mp.erfc(a) / mp.erf(a), 0.92, 4.0, 7)
