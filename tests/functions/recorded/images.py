# SPDX-License-Identifier: Apache-2.0
"""Calls of images, for record.py."""

import jax
import jax.numpy as jnp
import numpy as np
from record import call, f32, i32

resize, scaled = jax.image.resize, jax.image.scale_and_translate
x = f32(8, 6)

for method in "nearest linear cubic cubic-pytorch lanczos3 lanczos5 area".split():
    call(f"resize up {method}", lambda x, m=method: resize(x, (8, 11), m), x)
    call(f"resize down {method}", lambda x, m=method: resize(x, (8, 4), m), x)
    if method != "nearest":
        call(f"resize coarse {method}", lambda x, m=method: resize(x, (8, 3), m, antialias=False), x)
call("resize both", lambda x: resize(x, (5, 9), "linear"), x)
call("resize none", lambda x: resize(x, (8, 6), "linear"), x)
call("resize images", lambda x: resize(x, (2, 3, 6, 3), "cubic"), f32(2, 5, 4, 3))
call("resize integers", lambda x: resize(x, (8, 4), "linear"), i32(8, 6))
call("resize nearest integers", lambda x: resize(x, (8, 17), "nearest"), i32(8, 6))
call("resize float64", lambda x: resize(x, (8, 11), "lanczos3"), x.astype(np.float64))

scale, shift = np.array([0.7, 1.6], np.float32), np.array([0.4, -1.2], np.float32)
for method in "linear cubic cubic-pytorch lanczos3 lanczos5 area".split():
    call(f"scaled {method}", lambda x, s, t, m=method: scaled(x, (8, 7), (1,), s, t, m), x, scale[1:], shift[1:])
    call(f"scaled coarse {method}", lambda x, s, t, m=method: scaled(x, (8, 7), (1,), s, t, m, antialias=False), x, scale[:1], shift[:1])
call("scaled both", lambda x, s, t: scaled(x, (5, 7), (0, 1), s, t, "linear"), x, scale, shift)
