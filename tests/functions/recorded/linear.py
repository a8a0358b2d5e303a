# SPDX-License-Identifier: Apache-2.0
"""Functions of matrices and solutions of linear systems, of jax.scipy.linalg, jax.numpy.linalg and jax.lax.linalg, for record.py."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as linalg
import numpy as np
import scipy.linalg
from record import call, f32, i32

a, b, v = f32(8, 3, 3), f32(8, 3, 2, seed=1), f32(8, 3, seed=2)
spd = (np.einsum("bij,bkj->bik", a, a) + 2 * np.eye(3)).astype(np.float32)
even = lambda a: (a + a.mT) / 2
f64 = lambda *shape, **how: f32(*shape, **how).astype(np.float64)

# Sizes from 0 to where JAX does not scale yet; of larger ones and in float64 SciPy's.
call("expm", linalg.expm, a * np.linspace(0, 0.4, 8, dtype=np.float32)[:, None, None])
sizes = 10.0 ** np.linspace(-4, 2, 8)[:, None, None]
large = a / abs(a).sum(1).max(1)[:, None, None] * sizes
call("expm large", lambda a: scipy.linalg.expm(np.asarray(a, np.float64)).astype(np.float32), large.astype(np.float32), slopes=False)
call("expm float64", scipy.linalg.expm, large.astype(np.float64), slopes=False)
call("expm slopes float64", linalg.expm, f64(8, 3, 3) * np.linspace(0, 0.5, 8)[:, None, None])
call("expm of few", lambda a: linalg.expm(a, max_squarings=1), np.stack([a[0], a[0] * 4, a[0] * 100, a[0] * np.nan]), slopes=False)
call("expm_frechet", lambda a, e: linalg.expm_frechet(a, e), a / 4, f32(8, 3, 3, seed=3))
call("polar", lambda a: linalg.polar(a, method="svd"), f32(8, 4, 3))
call("polar left", lambda a: linalg.polar(a, "left", method="svd"), f32(8, 3, 4))
call("eigvalsh", lambda a: jnp.linalg.eigvalsh(a), a)
dense = lambda d, e: jax.vmap(lambda d, e: jnp.diag(d) + jnp.diag(e, 1) + jnp.diag(e, -1))(d, e)
call("eigvalsh_tridiagonal", lambda d, e: jax.vmap(lambda d, e: linalg.eigh_tridiagonal(d, e, eigvals_only=True))(d, e), f32(8, 4), f32(8, 3, seed=1), slopes=False)
call("eigvalsh_tridiagonal slopes", lambda d, e: jnp.linalg.eigvalsh(dense(d, e)), f32(8, 4), f32(8, 3, seed=1))
call("eigh_tridiagonal", lambda d, e: dense(d, e), f32(8, 4), f32(8, 3, seed=1), slopes=False)
call("symmetric_product", lambda a, c: jax.lax.linalg.symmetric_product(a, c, alpha=2.0, beta=0.5, symmetrize_output=True), f32(8, 3, 4), even(spd), slopes=False)

norm = jnp.linalg.vector_norm
call("vector_norm", lambda x: norm(x), v)
call("vector_norm 1", lambda x: norm(x, axis=1, ord=1), v)
call("vector_norm inf", lambda x: norm(x, axis=1, ord=jnp.inf, keepdims=True), v)
call("vector_norm -inf", lambda x: norm(x, axis=0, ord=-jnp.inf), v)
call("vector_norm -2", lambda x: norm(x, axis=-1, ord=-2), v)
call("vector_norm 3", lambda x: norm(x, axis=(0, 1), ord=3, keepdims=True), v)
call("vector_norm of integers", lambda x: norm(x, axis=1), i32(8, 3))

call("solve_triangular", linalg.solve_triangular, a + 4 * np.eye(3, dtype=np.float32), b)
call("solve_triangular lower", lambda a, b: linalg.solve_triangular(a, b, trans=1, lower=True, unit_diagonal=True), a[0], v[0])
call("cho_solve", lambda a, b: linalg.cho_solve(linalg.cho_factor(even(a)), b), spd, b)
call("cho_solve lower", lambda a, b: linalg.cho_solve(linalg.cho_factor(even(a), lower=True), b), spd[0], v[0])
call("cho_factor", lambda a: linalg.cho_factor(even(a))[0], spd)
call("lu_factor", linalg.lu_factor, a, slopes=False)
call("lu_solve", lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b), a, b)
call("lu_solve transposed", lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b, trans=1), f32(5, 5), f32(5, seed=1))
call("lu_pivots_to_permutation", lambda p: jax.lax.linalg.lu_pivots_to_permutation(p, 6), np.array([[0, 1, 2, 3], [3, 5, 2, 4], [5, 1, 3, 3], [2, 2, 2, 3]], np.int32))

tridiagonal = jax.lax.linalg.tridiagonal_solve
diagonals = f32(8, 5), f32(8, 5, seed=1), f32(8, 5, seed=2)
with_zeros = diagonals[1] * np.array([0, 1, 0, 1, 1], np.float32)  # which needs exchanges
for name, d in ("tridiagonal_solve", diagonals[1]), ("tridiagonal_solve of zeros", with_zeros):
    call(name, lambda l, d, u, b: tridiagonal(l.at[:, 0].set(0) if hasattr(l, "at") else l, d, u, b), diagonals[0], d, diagonals[2], f32(8, 5, 2, seed=3))
call("tridiagonal_solve of one", lambda l, d, u, b: tridiagonal(l, d, u, b), f32(8, 1), f32(8, 1, seed=1), f32(8, 1), f32(8, 1, 2, seed=3), slopes=False)
upper = np.linalg.cholesky(spd).mT.copy()
call("cholesky_update", lambda u, w: jnp.stack([jax.lax.linalg.cholesky_update(*x) for x in zip(u, w)]), upper, np.where(np.arange(3) == 1, 0, v).astype(np.float32), slopes=False)
# Gradients that JAX has not: of the same by products.
call("cholesky_update slopes", lambda u, w: jnp.linalg.cholesky(jnp.triu(u).mT @ jnp.triu(u) + w[..., None] * w[..., None, :]).mT, upper, v)


def reflected(a, taus):
    n, k, q = a.shape[-2], taus.shape[-1], jnp.eye(a.shape[-2])
    for i in range(k):
        w = jnp.where(jnp.arange(n) > i, a[..., i], 1.0 * (jnp.arange(n) == i))
        q = q - (q @ w[..., None]) * (taus[..., i, None] * w)[..., None, :]
    return q


call("householder_product slopes", lambda a, taus: reflected(a, taus)[..., :3], f32(8, 5, 3) / 2, f32(8, 2, seed=1) / 2)
call("ormqr slopes", lambda a, taus, c: c @ reflected(a, taus), f32(8, 5, 3) / 2, f32(8, 3, seed=1) / 2, f32(8, 2, 5, seed=2))
call("householder_product", jax.lax.linalg.householder_product, f32(8, 5, 3), f32(8, 2, seed=1), slopes=False)
ormqr = jax.lax.linalg.ormqr
reflectors = f32(8, 5, 3), f32(8, 3, seed=1)
call("ormqr", lambda a, t, c: ormqr(a, t, c), *reflectors, f32(8, 5, 2, seed=2), slopes=False)
call("ormqr transposed", lambda a, t, c: ormqr(a, t, c, transpose=True), *reflectors, f32(8, 5, 2, seed=2), slopes=False)
call("ormqr right", lambda a, t, c: ormqr(a, t, c, left=False), *reflectors, f32(8, 2, 5, seed=2), slopes=False)
call("ormqr right transposed", lambda a, t, c: ormqr(a, t, c, left=False, transpose=True), *reflectors, f32(8, 2, 5, seed=2), slopes=False)
call("qr_multiply", lambda a, c: linalg.qr_multiply(a, c), f32(8, 4, 3), f32(8, 2, 4, seed=1), slopes=False)
call("qr_multiply left", lambda a, c: linalg.qr_multiply(a, c, mode="left"), f32(4, 3), f32(3, seed=1), slopes=False)
call("tensorinv", jnp.linalg.tensorinv, f32(2, 3, 6))
call("tensorinv 1", lambda a: jnp.linalg.tensorinv(a, 1), f32(6, 3, 2))
call("tensorsolve", lambda a, b: jnp.linalg.tensorsolve(a, b), f32(2, 3, 6, 1), f32(2, 3, seed=1))
