# SPDX-License-Identifier: Apache-2.0
"""Writes optax.txt: parameters after three steps of optax's optimizers, for optax_test.cpp. Run with a Python that has jax 0.10.2
and optax 0.2, on a CPU:
    python3 tests/train/record_optax.py > tests/train/optax.txt
A line is an optimizer, a leaf of the tree, and its numbers."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

jax.config.update("jax_enable_x64", True)
RATE = 0.1


def wave(shape, scale):
    """As tests/support/on_grid.hpp's."""
    n = np.arange(np.prod(shape), dtype=np.float64)
    return jnp.asarray((scale * np.sin(0.7 * n + scale)).reshape(shape))


def tree(scale):
    return {"w": wave((8, 4), scale), "b": wave((4,), scale + 1), "t": wave((6, 2, 4), scale + 2)}


def optimizers(dtype):
    return {
        "adafactor": optax.adafactor(RATE, min_dim_size_to_factor=4),
        "adafactor_other": optax.adafactor(
            RATE,
            min_dim_size_to_factor=4,
            decay_rate=0.7,
            decay_offset=-2,
            multiply_by_parameter_scale=False,
            clipping_threshold=0.5,
            momentum=0.8,
            dtype_momentum=dtype,
            weight_decay_rate=0.01,
        ),
        "adafactor_whole": optax.adafactor(RATE),
        "adagrad": optax.adagrad(RATE),
        "rmsprop": optax.rmsprop(RATE),
        "rmsprop_momentum": optax.rmsprop(RATE, decay=0.8, momentum=0.7),
        "lars": optax.lars(RATE, weight_decay=0.02),
        "lamb": optax.lamb(RATE, weight_decay=0.02),
        "lion": optax.lion(RATE, weight_decay=0.02),
        "adamw": optax.adamw(RATE, weight_decay=0.01),
        "clip": optax.chain(optax.clip_by_global_norm(0.5), optax.sgd(RATE)),
    }


def of_complex(scale):
    """Real and imaginary parts of different scales."""
    return jax.tree.map(lambda x, y: x + 1j * y, tree(scale), tree(scale + 0.2))


def run(name, optimizer, p, g):
    state = optimizer.init(p)
    for gradients in (g, jax.tree.map(lambda x: x * 2 - 0.1, g), g):
        updates, state = optimizer.update(gradients, state, p)
        p = optax.apply_updates(p, updates)
    for leaf in ("w", "b", "t"):
        numbers = np.asarray(p[leaf]).reshape(-1)
        parts = numbers.view(np.float64)  # of a complex number two
        print(name, leaf, *(f"{v:.14g}" for v in parts))


print(f"# optax {optax.__version__}, jax {jax.__version__}")
for name, optimizer in optimizers(jnp.float64).items():
    run(name, optimizer, tree(0.5), tree(0.3))
for name, optimizer in optimizers(jnp.complex128).items():
    run("complex_" + name, optimizer, of_complex(0.5), of_complex(0.3))
