#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""record_complex.py: writes complex_functions.txt beside this file, what JAX 0.10.2 gives for functions of complex128: a line
per function and point, `name re im value_re value_im slope_re slope_im`. The slope is that of grad(f, holomorphic=True), - where
JAX has none."""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

ONE = {
    "exp": jnp.exp, "exp2": jnp.exp2, "expm1": jnp.expm1, "log": jnp.log, "log2": jnp.log2, "log10": jnp.log10, "log1p": jnp.log1p,
    "sqrt": jnp.sqrt, "rsqrt": jax.lax.rsqrt, "logistic": jax.nn.sigmoid, "silu": jax.nn.silu, "sign": jnp.sign, "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan,
    "arcsin": jnp.arcsin, "arccos": jnp.arccos, "arctan": jnp.arctan, "sinh": jnp.sinh, "cosh": jnp.cosh, "tanh": jnp.tanh,
    "arcsinh": jnp.arcsinh, "arccosh": jnp.arccosh, "arctanh": jnp.arctanh, "reciprocal": jnp.reciprocal,
    "square": jnp.square, "round": jnp.round, "power_3": lambda z: jnp.power(z, 3), "power_half": lambda z: jnp.power(z, 0.5),
    "power_z": lambda z: jnp.power(z, z), "integer_pow_less_2": lambda z: jax.lax.integer_pow(z, -2),
}
POINTS = [0.5 + 0.25j, -0.75 + 0.5j, 1.5 - 2.25j, -2.5 - 0.75j, 0.001 + 0.002j, -0.001 - 0.0005j, 3.25 + 1j, 0.25 - 4j, -4 + 0.125j,
          0.125 + 0j, 0.75j, complex(0, -1.25)]


def main():
    lines = []
    for name, f in ONE.items():
        for z in POINTS:
            value = complex(f(jnp.complex128(z)))
            try:
                slope = complex(jax.grad(lambda x: jnp.asarray(f(x), jnp.complex128), holomorphic=True)(jnp.complex128(z)))
                said = f"{slope.real!r} {slope.imag!r}"
            except (TypeError, NotImplementedError):
                said = "- -"
            lines.append(f"{name} {z.real!r} {z.imag!r} {value.real!r} {value.imag!r} {said}")
    pathlib.Path(__file__).with_name("complex_functions.txt").write_text("\n".join(lines) + "\n")


main()
