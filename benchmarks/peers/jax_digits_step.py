# SPDX-License-Identifier: Apache-2.0
"""One training step of examples/digits in JAX, the peer of digits_step_benchmark: the same shapes and layouts, one jitted
function (forward, value_and_grad, Adam; rate and step number as run-time scalars), parameters donated.

python3 benchmarks/peers/jax_digits_step.py [--mesh 4x2] [--seconds 2]        needs jax 0.7 or newer
"""

import argparse
import json
import os
import statistics
import time

parser = argparse.ArgumentParser()
parser.add_argument("--mesh", default="4x2")
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--hidden", type=int, default=128)
parser.add_argument("--seconds", type=float, default=2.0)
options = parser.parse_args()
dp, mp = map(int, options.mesh.split("x"))
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={dp * mp}"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((dp, mp), ("dp", "mp"), axis_types=(AxisType.Explicit, AxisType.Explicit))
jax.sharding.set_mesh(mesh)


def spread(shape, scale):
    count = int(np.prod(shape))
    return (scale * np.sin(0.7 * np.arange(count, dtype=np.float32) + 0.3)).reshape(shape).astype(np.float32)


def put(value, spec):
    return jax.device_put(value, NamedSharding(mesh, spec))


def tree(scale):
    hidden = options.hidden
    return {
        "w1": put(spread((64, hidden), scale), P(None, "mp")),
        "b1": put(spread((hidden,), scale), P("mp")),
        "w2": put(spread((hidden, 10), scale), P("mp", None)),
        "b2": put(spread((10,), scale), P(None)),
    }


def loss(p, images, labels, mask):
    hidden = jax.nn.gelu(jnp.matmul(images, p["w1"]) + p["b1"])
    logits = jnp.matmul(hidden, p["w2"], out_sharding=P("dp", None)) + p["b2"]
    row = jnp.sum(jax.nn.one_hot(labels, 10) * jax.nn.log_softmax(logits), axis=1)
    return -jnp.sum(row * mask) / jnp.sum(mask)


def step(p, m, v, images, labels, mask, rate, number):
    value, gradient = jax.value_and_grad(loss)(p, images, labels, mask)
    m = jax.tree.map(lambda old, g: 0.9 * old + 0.1 * g, m, gradient)
    v = jax.tree.map(lambda old, g: 0.999 * old + 0.001 * g * g, v, gradient)
    c1, c2 = 1 - 0.9**number, 1 - 0.999**number
    p = jax.tree.map(lambda old, a, b: old - rate * (a / c1) / (jnp.sqrt(b / c2) + 1e-8), p, m, v)
    return p, m, v, value


def numpy_loss(p, images, labels):
    z = images @ p["w1"] + p["b1"]
    h = 0.5 * z * (1 + np.tanh(0.7978845608028654 * (z + 0.044715 * z**3)))
    y = h @ p["w2"] + p["b2"]
    y = y - y.max(1, keepdims=True)
    return float(-(y - np.log(np.exp(y).sum(1, keepdims=True)))[np.arange(len(labels)), labels].mean())


run = jax.jit(step, donate_argnums=(0, 1, 2))
p, m, v = tree(0.1), tree(0.0), tree(0.0)
images, labels = spread((options.batch, 64), 0.5), np.arange(options.batch, dtype=np.int32) % 10
expected = numpy_loss({k: np.asarray(x) for k, x in p.items()}, images, labels)
data = (put(images, P("dp", None)), put(labels, P("dp")), put(np.ones(options.batch, np.float32), P("dp")))
p, m, v, value = run(p, m, v, *data, 1e-3, 1.0)
assert abs(float(value) - expected) < 1e-4 * abs(expected), (float(value), expected)

times, number, end = [], 1.0, time.perf_counter() + options.seconds
while time.perf_counter() < end or len(times) < 20:
    number += 1
    start = time.perf_counter()
    p, m, v, value = run(p, m, v, *data, 1e-3, number)
    value.block_until_ready()
    jax.block_until_ready(p)
    times.append(1e6 * (time.perf_counter() - start))
print(json.dumps({"name": "digits_step", "peer": "jax " + jax.__version__, "mesh": options.mesh, "batch": options.batch,
                  "hidden": options.hidden, "median_us": round(statistics.median(times), 1), "min_us": round(min(times), 1),
                  "calls": len(times), "loss": expected}))
