# SPDX-License-Identifier: Apache-2.0
"""Matrices of a pattern, of jax.scipy.linalg, for record.py."""

import jax.numpy as jnp
import jax.scipy.linalg as linalg
import numpy as np
import scipy.linalg
from record import call, f32, i32

x, c, r = f32(8, 3), f32(8, 4, seed=1), f32(8, 3, seed=2)

call("toeplitz", lambda c, r: linalg.toeplitz(c, r), c, r)
call("toeplitz of integers", linalg.toeplitz, i32(4))
call("hankel", lambda c, r: linalg.hankel(c, r), c, r)
call("hankel of one", linalg.hankel, x)
call("circulant", linalg.circulant, c)
call("companion", linalg.companion, c)
call("fiedler_companion", linalg.fiedler_companion, f32(8, 7, low=1))
call("fiedler_companion of two", linalg.fiedler_companion, f32(8, 2, low=1))
call("convolution_matrix", lambda a: linalg.convolution_matrix(a, 4), x)
call("convolution_matrix same", lambda a: linalg.convolution_matrix(a, 4, "same"), x)
call("convolution_matrix valid", lambda a: linalg.convolution_matrix(a, 2, "valid"), f32(8, 5))
call("fiedler", linalg.fiedler, x)
call("leslie", linalg.leslie, c, r)
call("block_diag", lambda a, b, c: linalg.block_diag(a, b, c), f32(2, 3), f32(4, seed=1), i32(2, 2))

# Whole numbers: those of JAX are within 1e-5 of them.
whole = lambda x: jnp.rint(x)
call("hilbert", lambda: linalg.hilbert(5).astype(np.float32))
call("invhilbert", lambda: whole(linalg.invhilbert(4)))
call("pascal", lambda: whole(linalg.pascal(5)))
call("pascal lower", lambda: whole(linalg.pascal(5, "lower")))
call("pascal upper", lambda: whole(linalg.pascal(5, "upper")))
call("invpascal", lambda: whole(linalg.invpascal(5)))
call("invpascal lower", lambda: whole(linalg.invpascal(5, "lower")))
call("invpascal upper", lambda: whole(linalg.invpascal(5, "upper")))
call("hadamard", lambda: linalg.hadamard(8))
call("hadamard 1", lambda: linalg.hadamard(1))
call("helmert", lambda: linalg.helmert(5))
call("helmert full", lambda: linalg.helmert(5, full=True))
parts = lambda x: (jnp.real(x), jnp.imag(x))
made = lambda scale: parts(scipy.linalg.dft(6, scale).astype(np.complex64))  # JAX multiplies angles in float32
call("dft", lambda: made(None))
call("dft ortho", lambda: made("sqrtn"))
call("dft forward", lambda: made("n"))
