# SPDX-License-Identifier: Apache-2.0
"""JAX on CPU: the derivatives of benchmarks/derivatives_benchmark.cpp.  jax_derivatives.py [--budget S] [--round N] [--peer NAME]"""
import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--budget", type=float, default=0.4)
parser.add_argument("--round", type=int, default=0)
parser.add_argument("--devices", type=int, default=8)
parser.add_argument("--peer", default="jax")
options = parser.parse_args()
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={options.devices} " + os.environ.get("XLA_FLAGS", "")
os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P  # noqa: E402

from common import MLP, Report, err, randn  # noqa: E402

report = Report(options.peer, options.round, options.budget)
mesh = Mesh(np.array(jax.devices()).reshape(1, options.devices), ("dp", "mp"), axis_types=(AxisType.Auto,) * 2)


def put(x, *spec):
    return jax.block_until_ready(jax.device_put(x, NamedSharding(mesh, P(*spec))))


def mlp():
    def loss(p, x, y):
        return jnp.mean((jax.nn.gelu(x @ p[0], approximate=True) @ p[1] - y) ** 2)

    def weights(seed):
        return put(randn(seed, MLP["D"], MLP["H"], scale=0.03), None, "mp"), put(randn(seed + 1, MLP["H"], MLP["D"], scale=0.015), "mp", None)

    return loss, weights(0), put(randn(2, MLP["B"], MLP["D"])), put(randn(3, MLP["B"], MLP["D"])), weights(7)


def scan():
    def loss(w, h, _):
        last = jax.lax.fori_loop(0, 32, lambda _, now: jnp.tanh(now @ w), h)
        return jnp.mean(last * last)

    x = put(randn(2, 64, 256), "mp", None)
    return loss, put(randn(0, 256, 256, scale=0.07)), x, x, put(randn(7, 256, 256, scale=0.07))


def directed(f, p, x, y, v):
    return jax.jvp(lambda q: f(q, x, y), (p,), (v,))


def inner(l, r):
    return float(sum(jax.tree.leaves(jax.tree.map(lambda a, b: np.vdot(np.asarray(a, np.float64), np.asarray(b, np.float64)), l, r))))


def wrong(kind, calls, p, x, y, v, h=1e-2):
    """Along v, as the other program: gradient and tangent against each other, a product against differences of gradients."""

    def slope(by):
        return inner(calls["gradient"](jax.tree.map(lambda a, b: a + by * b, p, v), x, y, v), v)

    if kind == "hvp":
        return err(inner(calls[kind](p, x, y, v), v), (slope(h) - slope(-h)) / (2 * h))
    return err(float(calls["jvp"](p, x, y, v)[1]), slope(0.0))


for name, (loss, p, x, y, v) in (("mlp", mlp()), ("scan", scan())):
    programs = {
        "gradient": lambda p, x, y, v: jax.grad(loss)(p, x, y),
        "jvp": lambda p, x, y, v: directed(loss, p, x, y, v),
        "hvp": lambda p, x, y, v: directed(jax.grad(loss), p, x, y, v)[1],
    }
    calls = {kind: jax.jit(program) for kind, program in programs.items()}
    for kind, call in calls.items():
        check = wrong(kind, calls, p, x, y, v) if options.round == 0 else None
        report.time("derivatives." + kind, {"of": name}, lambda: jax.block_until_ready(call(p, x, y, v)), check=check, tol=2e-2)
