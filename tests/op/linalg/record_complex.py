# SPDX-License-Identifier: Apache-2.0
"""What JAX 0.10.2 gives for complex matrices and for eigenvalues, with gradients: writes recorded/complex_matrices.hpp.

  python3 tests/op/linalg/record_complex.py"""

import pathlib

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import linalg


def wave(*shape, phase=0.0, of_complex=True):
    i = np.arange(np.prod(shape))
    x = np.sin(0.7 * i * i + phase).reshape(shape)
    return jnp.asarray(x + 1j * np.cos(1.3 * i * i + phase).reshape(shape) if of_complex else x)


def size(*values):
    """A real function of all elements."""
    return sum(jnp.sum(jnp.abs(v - 0.5) ** 2) for v in values)


def slopes(f, *operands):
    return list(jax.grad(lambda *x: size(f(*x)), argnums=tuple(range(len(operands))))(*operands))


def powers(w):
    return jnp.stack([jnp.sum(w), jnp.sum(w * w), jnp.sum(w * w * w)])


def definite(x):
    return x @ jnp.conj(jnp.swapaxes(x, -1, -2)) + 4 * jnp.eye(x.shape[-1])


def cholesky(x):
    return jnp.linalg.cholesky(definite(x))


def eigh_values(x):
    return jnp.linalg.eigh(definite(x))[0]


def eigh_vectors(x):
    """Vectors are given up to a factor of size 1."""
    return jnp.abs(jnp.linalg.eigh(definite(x))[1]) ** 2


def in_place(v, dim):
    """Vectors along `dim`, times constant factors of size 1 that make their first elements positive."""
    first = jnp.take(v, jnp.array([0]), axis=dim)
    return v * jnp.conj(jax.lax.stop_gradient(first / jnp.abs(first)))


def left_vectors(x):
    return in_place(jnp.linalg.svd(x, full_matrices=False)[0], -2)


def right_vectors(x):
    return in_place(jnp.linalg.svd(x, full_matrices=False)[2], -1)


def polar(part):
    return jax.vmap(lambda x: linalg.polar(x, method="svd")[part])


def polar_left(x):
    return jax.vmap(lambda x: linalg.polar(x, side="left", method="svd")[1])(x)


def lstsq(part):
    return jax.vmap(lambda x, y: jnp.linalg.lstsq(x, y)[part])


def cho_solve(lower):
    return lambda x, y: linalg.cho_solve((jnp.linalg.cholesky(definite(x), upper=not lower), lower), y)


def three_diagonals(d, e):
    """Eigenvalues, and sizes of the eigenvectors' elements."""
    w, v = linalg.eigh_tridiagonal(d, e)
    return [w, jnp.abs(v)]


def triangle(**how):
    return lambda a, b: jax.lax.linalg.triangular_solve(a, b, **how)


a, b, real = wave(2, 4, 4), wave(2, 4, 3, phase=1), wave(3, 5, 5, of_complex=False)
tall, wide = wave(2, 4, 3), wave(2, 3, 4, phase=1)
reflectors, scales = wave(4, 3, phase=2), wave(3, phase=1)
turns = dict(left_side=True, lower=True, transpose_a=True)
cases = {
    "solve": [jnp.linalg.solve(a, b), *slopes(jnp.linalg.solve, a, b)],
    "inv": [jnp.linalg.inv(a), *slopes(jnp.linalg.inv, a)],
    "det": [jnp.linalg.det(a), *slopes(jnp.linalg.det, a)],
    "det3": [jnp.linalg.det(wave(3, 3)), *slopes(jnp.linalg.det, wave(3, 3))],
    "slogdet": [*jnp.linalg.slogdet(a), *slopes(lambda x: jnp.linalg.slogdet(x)[1], a)],
    "lu": [jax.lax.linalg.lu(a)[0], *slopes(lambda x: jax.lax.linalg.lu(x)[0], a)],
    "cholesky": [cholesky(a), *slopes(cholesky, a)],
    "eigh_values": [eigh_values(a), *slopes(eigh_values, a)],
    "eigh_vectors": [eigh_vectors(a), *slopes(eigh_vectors, a)],
    "qr_q": [jnp.linalg.qr(tall)[0], *slopes(lambda x: jnp.linalg.qr(x)[0], tall)],
    "qr_r": [jnp.linalg.qr(tall)[1], *slopes(lambda x: jnp.linalg.qr(x)[1], tall)],
    "qr_of_square": [jnp.linalg.qr(a)[0], *slopes(lambda x: jnp.linalg.qr(x)[0], a)],
    "svdvals_of_tall": [jnp.linalg.svdvals(tall), *slopes(jnp.linalg.svdvals, tall)],
    "svdvals_of_wide": [jnp.linalg.svdvals(wide), *slopes(jnp.linalg.svdvals, wide)],
    "left_of_tall": [left_vectors(tall), *slopes(left_vectors, tall)],
    "left_of_wide": [left_vectors(wide), *slopes(left_vectors, wide)],
    "left_of_square": [left_vectors(a), *slopes(left_vectors, a)],
    "right_of_tall": [right_vectors(tall), *slopes(right_vectors, tall)],
    "right_of_wide": [right_vectors(wide), *slopes(right_vectors, wide)],
    "right_of_square": [right_vectors(a), *slopes(right_vectors, a)],
    "pinv_of_tall": [jnp.linalg.pinv(tall), *slopes(jnp.linalg.pinv, tall)],
    "pinv_of_wide": [jnp.linalg.pinv(wide), *slopes(jnp.linalg.pinv, wide)],
    "lstsq": [lstsq(0)(tall, b), *slopes(lstsq(0), tall, b)],
    "lstsq_residuals": [lstsq(1)(tall, b), *slopes(lstsq(1), tall, b)],
    "lstsq_values": [lstsq(3)(wide, tall[:, :3])],
    "nuc": [jnp.linalg.matrix_norm(wide, ord="nuc"), *slopes(lambda x: jnp.linalg.matrix_norm(x, ord="nuc"), wide)],
    "cond": [jnp.linalg.cond(a), *slopes(jnp.linalg.cond, a)],
    "polar_u": [polar(0)(tall), *slopes(polar(0), tall)],
    "polar_p": [polar(1)(tall), *slopes(polar(1), tall)],
    "polar_left": [polar_left(wide), *slopes(polar_left, wide)],
    "householder_product": [lax.linalg.householder_product(reflectors, scales)],
    "ormqr": [
        *(lax.linalg.ormqr(reflectors, scales, wave(4, 2), transpose=t) for t in (False, True)),
        *(lax.linalg.ormqr(reflectors, scales, wave(2, 4), left=False, transpose=t) for t in (False, True)),
    ],
    "qr_multiply": [*linalg.qr_multiply(reflectors, wave(2, 4)), linalg.qr_multiply(reflectors, wave(3, 2), mode="left")[0]],
    "cho_solve": [cho_solve(True)(a, b), *slopes(cho_solve(True), a, b), cho_solve(False)(a, b), *slopes(cho_solve(False), a, b)],
    "eigh_tridiagonal": three_diagonals(wave(4), wave(3, phase=1)),
    "polyfit": [jnp.polyfit(wave(6), wave(6, phase=2), 2), *slopes(lambda x, y: jnp.polyfit(x, y, 2), wave(6), wave(6, phase=2))],
    "lower": [triangle(**turns)(a, b), *slopes(triangle(**turns), a, b)],
    "upper": [triangle(unit_diagonal=True)(a, jnp.swapaxes(b, 1, 2)), *slopes(triangle(unit_diagonal=True), a, jnp.swapaxes(b, 1, 2))],
    "eig_of_real": [jax.vmap(powers)(jnp.linalg.eigvals(real)), *slopes(lambda x: jnp.linalg.eigvals(x), real)],
    "eig_of_complex": [jax.vmap(powers)(jnp.linalg.eig(a)[0]), *slopes(lambda x: jnp.linalg.eigvals(x), a)],
    "sylvester": [linalg.solve_sylvester(wave(4, 4), wave(3, 3, phase=2), wave(4, 3))],
    "sylvester_of_real": [linalg.solve_sylvester(real[0], real[1][:3, :3], real[2][:, :3]).real],
    "sqrtm": [linalg.sqrtm(wave(4, 4))],
    "sqrtm_of_real": [linalg.sqrtm(real[0])],
    "roots": [powers(jnp.roots(wave(6), strip_zeros=False)), powers(jnp.roots(wave(5, of_complex=False) + 1, strip_zeros=False))],
}

lines = ["// SPDX-License-Identifier: Apache-2.0", "#pragma once", "// Written by tests/op/linalg/record_complex.py.", "",
         "#include <vector>", "", "namespace recorded_complex {", ""]
for name, values in cases.items():
    lines.append(f"inline std::vector<std::vector<double>> const {name}{{")
    for value in values:
        v = np.asarray(value).reshape(-1)
        numbers = [f"{float(x)!r}" for z in v for x in ((z.real, z.imag) if np.iscomplexobj(v) else (z,))]
        assert np.isfinite(v).all(), name
        lines.append("    {" + ", ".join(numbers) + "},")
    lines += ["};", ""]
lines.append("}  // namespace recorded_complex")
(pathlib.Path(__file__).parent / "recorded" / "complex_matrices.hpp").write_text("\n".join(lines) + "\n")
