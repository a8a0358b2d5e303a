# SPDX-License-Identifier: Apache-2.0
"""Calls of tests/functions/bessel_jn_test.cpp, for record.py."""

import jax
import mpmath
import numpy as np
from record import call, f32, known

mpmath.mp.dps = 40
near = f32(8, 3, low=-10, high=10)
far = np.array([0.0, 1e-3, -0.25, 2.40482555769577, 3.8317059702075, 19.5, -17.25, 12.0] * 3, np.float32).reshape(8, 3)

# JAX's recurrence passes the largest float32 if it begins far above |z|.
call("bessel_jn 3", lambda z: jax.scipy.special.bessel_jn(z, v=3, n_iter=16), f32(8, 3))


def slope(order, z):
    z = mpmath.mpf(z)
    return (mpmath.besselj(order - 1, z) - mpmath.besselj(order + 1, z)) / 2


for order in 0, 1, 5:
    for name, z in ("near", near), ("far", far):
        known(f"bessel_jn of order {order} {name}", lambda z, n=order: (mpmath.besselj(n, mpmath.mpf(z)),), [lambda z, n=order: (slope(n, z),)], z)
