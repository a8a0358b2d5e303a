# SPDX-License-Identifier: Apache-2.0
"""Writes <family>.txt beside this file: what JAX makes of the calls of <family>.py. Run with a Python that has jax 0.10.2, on a CPU:
    python3 tests/functions/recorded/record.py <family>
Of each call three lines: its name and inputs, its results, and the gradients by its floating inputs of the sum of its
floating results, each element times ((7 i) mod 11 - 5) / 4, i its place. An array is its dtype, shape and elements.
The names of calls differ between families: tests/support/recorded_functions.hpp reads all of them."""

import contextlib
import importlib
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np

CALLS = []


def call(name, f, *x, slopes=True):
    CALLS.append((name, f, x, slopes))


def exact(name, f, *x, slopes=True):
    """Computed in float64, for inputs of float32 and of float64."""
    for element in (np.float32, np.float64):
        CALLS.append((f"{name} {np.dtype(element)}", (f, element), tuple(g.astype(element) if g.dtype.kind == "f" else g for g in x), slopes))


def known(name, f, slopes, *x, elements=(np.float32, np.float64)):
    """What f makes of each element, a tuple of numbers of mpmath, and its slopes by each input, such tuples, too: where JAX is less exact."""
    for element in elements:
        CALLS.append((f"{name} {np.dtype(element)}", (f, slopes, element), tuple(g.astype(element) for g in x), True))


def f32(*shape, low=-3.0, high=3.0, seed=0):
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def i32(*shape, low=-20, high=20, seed=0):
    return np.random.default_rng(seed).integers(low, high, shape).astype(np.int32)


def edges():
    return np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 3.0, -3.0, 88.0, -88.0, 1e-20, -1e-20, 0.5, -0.5, 6.0], np.float32)


def with_nan(*shape, seed=0):
    x = f32(*shape, seed=seed)
    x[np.random.default_rng(seed + 1).uniform(0, 1, shape) < 0.3] = np.nan
    return x


def text(x):
    x = np.asarray(x)
    numbers = " ".join(repr(float(v)) if x.dtype.kind == "f" else str(int(v)) for v in x.ravel())
    return f"{x.dtype} {'x'.join(map(str, x.shape)) or '-'} {numbers}"


def weighted(leaf):
    i = jnp.arange(leaf.size)
    return jnp.sum(leaf.ravel() * (((7 * i) % 11 - 5) / 4).astype(leaf.dtype))


def known_lines(name, f, by, element, given):
    of = lambda f: [np.array(part, np.float64).astype(element).reshape(given[0].shape) for part in zip(*(f(*map(float, at)) for at in zip(*(g.ravel() for g in given))))]
    weights = (((7 * np.arange(given[0].size)) % 11 - 5) / 4).reshape(given[0].shape)
    yield f"{name} | " + " ; ".join(map(text, given))
    yield "  = " + " ; ".join(map(text, of(f)))
    yield "  d " + " ; ".join(text(sum(weights * part.astype(np.float64) for part in of(slope)).astype(element)) for slope in by)


def lines_of(calls):
    yield f"# jax {jax.__version__}"
    for name, f, given, slopes in calls:
        if isinstance(f, tuple) and len(f) == 3:
            yield from known_lines(name, *f, given)
            continue
        f, element = f if isinstance(f, tuple) else (f, None)
        used = [g.astype(np.float64) if element and g.dtype.kind == "f" else g for g in given]
        told = lambda x: text(np.asarray(x).astype(element) if element and x.dtype.kind == "f" else x)
        with jax.enable_x64(True) if any(g.dtype.itemsize == 8 for g in used) else contextlib.nullcontext():
            results = jax.tree.leaves(f(*used))
            floats = [i for i, g in enumerate(given) if g.dtype.kind == "f"]
            yield f"{name} | " + " ; ".join(map(text, given))
            yield "  = " + " ; ".join(map(told, results))
            if slopes and floats and any(r.dtype.kind == "f" for r in results):
                total = lambda *x: sum(weighted(r) for r in jax.tree.leaves(f(*x)) if r.dtype.kind == "f")
                yield "  d " + " ; ".join(map(told, jax.grad(total, floats)(*used)))


if __name__ == "__main__":
    family = sys.argv[1]
    sys.modules["record"] = sys.modules["__main__"]  # whose list of calls the family's file adds to
    importlib.import_module(family)
    pathlib.Path(__file__).with_name(f"{family}.txt").write_text("\n".join(lines_of(CALLS)) + "\n")
