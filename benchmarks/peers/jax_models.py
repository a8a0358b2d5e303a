# SPDX-License-Identifier: Apache-2.0
"""JAX on CPU: the training steps of benchmarks/models_benchmark.cpp.  jax_models.py [--budget S] [--round N] [--peer NAME]"""
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

from common import Report, randn  # noqa: E402

DIGITS, RATE = 256, 0.01
report = Report(options.peer, options.round, options.budget)


def convnet(last):
    order = ("NHWC", "HWIO", "NHWC") if last else ("NCHW", "OIHW", "NCHW")
    window = (1, 2, 2, 1) if last else (1, 1, 2, 2)

    def layer(z, k, bias):
        made = jax.lax.conv_general_dilated(z, k, (1, 1), "SAME", dimension_numbers=order)
        made = jax.nn.relu(made + (bias if last else bias[:, None, None]))
        return jax.lax.reduce_window(made, -jnp.inf, jax.lax.max, window, window, "VALID")

    def loss(p, x, y):
        k1, b1, k2, b2, w, b = p
        logits = layer(layer(x, k1, b1), k2, b2).reshape(DIGITS, 128) @ w + b
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * y, 1))

    @jax.jit
    def step(p, x, y):
        value, slopes = jax.value_and_grad(loss)(p, x, y)
        return value, jax.tree.map(lambda w, slope: w - RATE * slope, p, slopes)

    return step


def kernel(last, seed, k, c, o, scale):
    return randn(seed, k, k, c, o, scale=scale) if last else randn(seed, o, c, k, k, scale=scale)


def wrong(step, p, x, y):
    """A step lowers the loss by its rate times the square of the gradient, but for what is of second order."""
    before, moved = step(p, x, y)
    square = sum(float(np.sum(((np.asarray(a, np.float64) - np.asarray(b, np.float64)) / RATE) ** 2)) for a, b in zip(p, moved))
    return abs(float(before) - float(step(moved, x, y)[0]) - RATE * square) / (RATE * square)


for layout in ("nchw", "nhwc"):
    for devices in (1, 8):
        last, mesh = layout == "nhwc", Mesh(np.array(jax.devices()[:devices]), ("dp",), axis_types=(AxisType.Auto,))

        def put(value, *spec):
            return jax.block_until_ready(jax.device_put(value, NamedSharding(mesh, P(*spec))))

        p = [put(v) for v in (kernel(last, 1, 3, 1, 16, 0.17), np.zeros(16, np.float32), kernel(last, 2, 3, 16, 32, 0.06), np.zeros(32, np.float32),
                              randn(3, 128, 10, scale=0.06), np.zeros(10, np.float32))]
        x = put(randn(7, DIGITS, 8, 8, 1) if last else randn(7, DIGITS, 1, 8, 8), "dp")
        y = put(np.eye(10, dtype=np.float32)[np.arange(DIGITS) % 10], "dp")
        step = convnet(last)
        check = wrong(step, p, x, y) if options.round == 0 else None
        report.time("models.convnet", {"layout": layout, "devices": devices}, lambda: jax.block_until_ready(step(p, x, y)), check=check, tol=0.1)
