# SPDX-License-Identifier: Apache-2.0
"""What JAX 0.10.2 gives for complex matrices and for eigenvalues, with gradients: writes recorded/complex_matrices.hpp.

  python3 tests/op/linalg/record_complex.py"""

import pathlib

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np
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


def triangle(**how):
    return lambda a, b: jax.lax.linalg.triangular_solve(a, b, **how)


a, b, real = wave(2, 4, 4), wave(2, 4, 3, phase=1), wave(3, 5, 5, of_complex=False)
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
