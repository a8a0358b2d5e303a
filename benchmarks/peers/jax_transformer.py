# SPDX-License-Identifier: Apache-2.0
"""What JAX takes to lower and compile the training step of examples/transformer: the same shapes, layouts and arithmetic, one
jitted function (forward, value_and_grad, Adam; rate and step number as run-time scalars), parameters donated.

python3 benchmarks/peers/jax_transformer.py [--layers 2] [--scan] [--steps 0]        needs jax 0.7 or newer

One JSON line: processor seconds of all threads, and seconds on the clock. --steps runs it on the example's sequences,
whose loss must fall."""

import argparse
import json
import os
import time

parser = argparse.ArgumentParser()
parser.add_argument("--layers", type=int, default=2)
parser.add_argument("--scan", action="store_true")
parser.add_argument("--steps", type=int, default=0)
options = parser.parse_args()
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

BATCH, LENGTH, WIDTH, HEADS, VOCABULARY = 16, 32, 64, 4, 64
HEAD, HIDDEN = WIDTH // HEADS, 4 * WIDTH
mesh = jax.make_mesh((4, 2), ("dp", "mp"), axis_types=(AxisType.Explicit, AxisType.Explicit))
jax.sharding.set_mesh(mesh)
random = np.random.default_rng(1)

LAYER = {
    "gain1": ((WIDTH,), P(None)), "offset1": ((WIDTH,), P(None)),
    "wq": ((WIDTH, WIDTH), P(None, "mp")), "wk": ((WIDTH, WIDTH), P(None, "mp")), "wv": ((WIDTH, WIDTH), P(None, "mp")),
    "wo": ((WIDTH, WIDTH), P("mp", None)),
    "gain2": ((WIDTH,), P(None)), "offset2": ((WIDTH,), P(None)),
    "up": ((WIDTH, HIDDEN), P(None, "mp")), "up_bias": ((HIDDEN,), P("mp")),
    "down": ((HIDDEN, WIDTH), P("mp", None)), "down_bias": ((WIDTH,), P(None)),
}  # fmt: skip
MODEL = {
    "tokens": ((VOCABULARY, WIDTH), P(None, None)), "positions": ((LENGTH, WIDTH), P(None, None)),
    "gain": ((WIDTH,), P(None)), "offset": ((WIDTH,), P(None)), "head": ((WIDTH, VOCABULARY), P(None, None)),
}  # fmt: skip


def put(value, spec):
    return jax.device_put(value, NamedSharding(mesh, spec))


def values(name, shape):
    if len(shape) < 2:
        return np.full(shape, float("gain" in name), np.float32)
    return (random.uniform(-1, 1, shape) * np.sqrt(3 / shape[0])).astype(np.float32)


def parameters():
    one = lambda: {name: values(name, shape) for name, (shape, _) in LAYER.items()}
    layers = [one() for _ in range(options.layers)]
    if options.scan:
        stacked = {name: np.stack([l[name] for l in layers]) for name in LAYER}
        layers = {name: put(stacked[name], P(None, *spec)) for name, (_, spec) in LAYER.items()}
    else:
        layers = [{name: put(l[name], spec) for name, (_, spec) in LAYER.items()} for l in layers]
    return {name: put(values(name, shape), spec) for name, (shape, spec) in MODEL.items()} | {"layers": layers}


def normed(x, gain, offset):
    mean = x.mean(-1, keepdims=True)
    centred = x - mean
    return centred / jnp.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * gain + offset


def split(x):
    return jnp.transpose(jnp.reshape(x, (BATCH, LENGTH, HEADS, HEAD), out_sharding=P("dp", None, "mp", None)), (0, 2, 1, 3))


def apply_layer(p, x):
    whole = P("dp", None, None)
    h = normed(x, p["gain1"], p["offset1"])
    q, k, v = (split(jnp.matmul(h, p[name])) for name in ("wq", "wk", "wv"))
    scores = jnp.matmul(q, jnp.transpose(k, (0, 1, 3, 2))) * 0.25
    earlier = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
    seen = jnp.matmul(jax.nn.softmax(jnp.where(earlier, scores, -1e9)), v)
    joined = jnp.reshape(jnp.transpose(seen, (0, 2, 1, 3)), (BATCH, LENGTH, WIDTH), out_sharding=P("dp", None, "mp"))
    y = x + jnp.matmul(joined, p["wo"], out_sharding=whole)
    inner = jax.nn.gelu(jnp.matmul(normed(y, p["gain2"], p["offset2"]), p["up"]) + p["up_bias"])
    return y + jnp.matmul(inner, p["down"], out_sharding=whole) + p["down_bias"]


def loss(p, tokens, following):
    x = p["tokens"].at[tokens].get(out_sharding=P("dp", None, None)) + p["positions"]
    if options.scan:
        x, _ = jax.lax.scan(lambda x, l: (apply_layer(l, x), ()), x, p["layers"])
    else:
        for layer in p["layers"]:
            x = apply_layer(layer, x)
    logits = jnp.matmul(normed(x, p["gain"], p["offset"]), p["head"])
    return -jnp.sum(jax.nn.one_hot(following, VOCABULARY) * jax.nn.log_softmax(logits)) / (BATCH * LENGTH)


def step(p, m, v, tokens, following, rate, number):
    value, gradient = jax.value_and_grad(loss)(p, tokens, following)
    m = jax.tree.map(lambda old, g: 0.9 * old + 0.1 * g, m, gradient)
    v = jax.tree.map(lambda old, g: 0.999 * old + 0.001 * g * g, v, gradient)
    c1, c2 = 1 - jnp.exp(number * -0.10536051565782628), 1 - jnp.exp(number * -0.0010005003335835335)
    p = jax.tree.map(lambda old, a, b: old - (a / c1) * rate / (jnp.sqrt(b / c2) + 1e-8), p, m, v)
    return p, m, v, value


def batch():
    start, stride = random.integers(0, VOCABULARY, (BATCH, 1)), random.integers(1, 8, (BATCH, 1))
    ids = ((start + stride * np.arange(LENGTH + 1)) % VOCABULARY).astype(np.int32)
    return put(ids[:, :-1], P("dp", None)), put(ids[:, 1:], P("dp", None))


p = parameters()
m, v = jax.tree.map(jnp.zeros_like, p), jax.tree.map(jnp.zeros_like, p)
data = batch()
processor, clock = time.process_time(), time.perf_counter()
run = jax.jit(step, donate_argnums=(0, 1, 2)).lower(p, m, v, *data, 4e-3, 1.0).compile()
took = {"cpu_s": round(time.process_time() - processor, 2), "wall_s": round(time.perf_counter() - clock, 2)}
losses = []
for number in range(1, options.steps + 1):
    p, m, v, value = run(p, m, v, *batch(), 4e-3, float(number))
    losses.append(float(value))
assert len(losses) < 100 or losses[-1] < 0.3 * losses[0], losses
print(json.dumps({"name": "transformer", "peer": "jax " + jax.__version__, "layers": options.layers, "scan": options.scan, **took,
                  **({"last_loss": round(losses[-1], 3)} if losses else {})}))
