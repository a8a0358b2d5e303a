# SPDX-License-Identifier: Apache-2.0
"""JAX on CPU: what benchmarks/halves_benchmark.cpp computes.  jax_halves.py [--budget S] [--round N] [--peer NAME]"""
import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--budget", type=float, default=0.4)
parser.add_argument("--round", type=int, default=0)
parser.add_argument("--devices", type=int, default=1)
parser.add_argument("--peer", default="jax")
options = parser.parse_args()
os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from common import Report, err  # noqa: E402

report = Report(options.peer, options.round, options.budget)


def uniform(seed, *shape):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


def time(name, params, f, dtype, *shapes):
    x = [jnp.asarray(uniform(seed, *shape)).astype(dtype) for seed, shape in enumerate(shapes)]
    call = jax.jit(f)
    check = err(call(*x), f(*[v.astype(jnp.float32) for v in x])) if options.round == 0 else None
    report.time(name, {"dtype": jnp.dtype(dtype).name, **params}, lambda: jax.block_until_ready(call(*x)), check=check, tol=0.02)


for dtype in (jnp.float32, jnp.bfloat16, jnp.float16):
    time("halves.matmul", {"m": 512, "n": 1024, "k": 256}, lambda x, y: x @ y, dtype, (512, 256), (256, 1024))
    time("halves.matmul", {"m": 1024, "n": 1024, "k": 1024}, lambda x, y: x @ y, dtype, (1024, 1024), (1024, 1024))
    time("halves.matmul", {"batch": 32, "m": 64, "n": 64, "k": 64}, lambda x, y: x @ y, dtype, (32, 64, 64), (32, 64, 64))
    time("halves.update", {"n": 16777216}, lambda w, slope: w - 0.125 * slope, dtype, (16777216,), (16777216,))
    time("halves.gelu", {"n": 1048576}, jax.nn.gelu, dtype, (1048576,))
    time("halves.softmax", {"rows": 4096, "n": 1024}, jax.nn.softmax, dtype, (4096, 1024))
