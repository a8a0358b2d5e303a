# SPDX-License-Identifier: Apache-2.0
"""Writes nn.txt: what JAX makes of the model of models_test.cpp: its parameters, each drawn by jax.nn.initializers from
fold_in(key, FNV-1a of its path), and its results. Run with a Python that has jax 0.10.2, on a CPU:
    python3 tests/nn/record_nn.py > tests/nn/nn.txt
A line is a name and its numbers."""

import jax
import jax.numpy as jnp
import numpy as np

init = jax.nn.initializers
KEY = jax.random.key(7)


def number_of(path):
    total = 2166136261
    for c in path.encode():
        total = (total ^ c) * 16777619 % 2**32
    return total


def draw(path, initializer, *shape):
    return initializer(jax.random.fold_in(KEY, np.uint32(number_of(path))), shape, jnp.float32)


def stacked(path, initializer, *shape):
    keys = jax.random.split(jax.random.fold_in(KEY, np.uint32(number_of(path))), 3)
    return jax.vmap(lambda key: initializer(key, shape, jnp.float32))(keys)


def block(prefix, draw):
    return {
        "norm.gain": draw(f"{prefix}.norm.gain", init.ones, 8),
        "norm.offset": draw(f"{prefix}.norm.offset", init.normal(0.3), 8),
        "up.w": draw(f"{prefix}.up.w", init.he_normal(), 8, 16),
        "up.b": draw(f"{prefix}.up.b", init.zeros, 16),
        "down.w": draw(f"{prefix}.down.w", init.glorot_uniform(), 16, 8),
    }


def apply_block(p, x):
    h = jax.nn.standardize(x, epsilon=1e-5) * p["norm.gain"] + p["norm.offset"]
    return x + jnp.tanh(h @ p["up.w"] + p["up.b"]) @ p["down.w"]


p = {
    "table": draw("table.table", init.normal(1 / 8**0.5), 10, 8),
    "scale.gain": draw("scale.gain", init.ones, 8),
    "head.w": draw("head.w", init.lecun_normal(), 8, 6),
    "head.b": draw("head.b", init.zeros, 6),
    "half": draw("half", init.constant(0.5), 4),
    "cut": draw("cut", init.truncated_normal(0.2), 4, 2),
}
first = {f"first.{i}": block(f"first.{i}", draw) for i in range(2)}
later = block("later", stacked)

x = p["table"][jnp.array([3, 1, 4, 1])]
for one in first.values():
    x = apply_block(one, x)
for i in range(3):
    x = apply_block({name: value[i] for name, value in later.items()}, x)
x = x / jnp.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * p["scale.gain"]
logits = x @ p["head.w"] + p["head.b"]

print(f"# jax {jax.__version__}")
everything = {**p}
for prefix, one in {**first, "later": later}.items():
    everything |= {f"{prefix}.{name}": value for name, value in one.items()}
everything["table.table"] = everything.pop("table")
for name, value in {**everything, "logits": logits}.items():
    print(name, *(f"{v:.9g}" for v in np.asarray(value, np.float64).reshape(-1)))
for name in ("glorot", "he", "lecun"):
    for kind in ("uniform", "normal"):
        values = getattr(init, f"{name}_{kind}")()(KEY, (2, 6, 4), jnp.float32)
        print(f"{name}_{kind}", *(f"{v:.9g}" for v in np.asarray(values, np.float64).reshape(-1)))
# Kernels whose inputs and outputs are along other dimensions, or that are stacked along one which counts for nothing.
for name, initializer in {
    "stacked_he_normal": init.he_normal(batch_axis=0),
    "stacked_glorot_uniform": init.glorot_uniform(in_axis=2, out_axis=1, batch_axis=(0,)),
    "split_lecun_normal": init.lecun_normal(in_axis=(0, 1)),
    "split_he_uniform": init.he_uniform(in_axis=0, out_axis=(1, -1)),
    "variance_scaling_normal": init.variance_scaling(3.0, "fan_out", "normal"),
    "variance_scaling_uniform": init.variance_scaling(0.5, "fan_avg", "uniform", in_axis=1, out_axis=0, batch_axis=2),
    "variance_scaling_truncated": init.variance_scaling(2.0, "fan_in", "truncated_normal"),
    "uniform": init.uniform(0.3),
}.items():
    print(name, *(f"{v:.9g}" for v in np.asarray(initializer(KEY, (2, 6, 4), jnp.float32), np.float64).reshape(-1)))
for rows, columns in ((6, 4), (4, 6)):
    values = init.orthogonal()(KEY, (rows, columns), jnp.float32)
    print(f"orthogonal_{rows}", *(f"{v:.9g}" for v in np.asarray(values, np.float64).reshape(-1)))
for name, draw_like in {
    "normal_like": jax.random.normal,
    "uniform_like": jax.random.uniform,
    "rademacher_like": lambda key, shape: jax.random.rademacher(key, shape, jnp.float32),
}.items():
    key = jax.random.fold_in(KEY, np.uint32(number_of("head.w")))
    print(name, *(f"{v:.9g}" for v in np.asarray(draw_like(key, (8, 6)), np.float64).reshape(-1)))
