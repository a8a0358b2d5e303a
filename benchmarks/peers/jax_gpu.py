# SPDX-License-Identifier: Apache-2.0
"""JAX on one GPU as a peer of gpu_benchmark: the same cases, one line each: name, median us, GB/s or TFLOP/s.

  python jax_gpu.py [--budget 0.5] [--tf32]

float32 products are float32 (JAX's own default on a GPU is TF32: --tf32). Calls are timed warm and blocking.
"""
import argparse
import os
import statistics
import time

parser = argparse.ArgumentParser()
parser.add_argument("--budget", type=float, default=0.5)
parser.add_argument("--tf32", action="store_true")
args = parser.parse_args()
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "tensorfloat32" if args.tf32 else "highest")
N = 8192


def random(seed, *shape, dtype=jnp.float32, scale=1.0):
    return (jax.random.normal(jax.random.key(seed), shape, jnp.float32) * scale).astype(dtype)


def case(name, f, *x, amount=0.0, unit="GB/s", scale=1e-9):
    f = jax.jit(f)
    for _ in range(3):
        jax.block_until_ready(f(*x))
    samples, stop = [], time.perf_counter() + args.budget
    while len(samples) < 5 or time.perf_counter() < stop:
        begin = time.perf_counter()
        jax.block_until_ready(f(*x))
        samples.append(time.perf_counter() - begin)
    median = statistics.median(samples)
    rate = f"{amount / median * scale:10.1f} {unit}" if amount else ""
    print(f"jax {name:45s} {median * 1e6:12.2f} us {rate}", flush=True)


def gelu(v):
    return jax.nn.gelu(v, approximate=True)


def layer_norm(x, gain, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * gain + bias


def passes():
    square = [random(k, N, N) for k in range(4)]
    row = [random(10 + k, N) for k in range(4)]
    one = N * N * 4
    case(f"G.relu n={N}", jax.nn.relu, square[0], amount=2 * one)
    chain = lambda x, a, b, c: gelu(x * a + b) * c + x
    case(f"G.chain n={N} abc=array", chain, *square, amount=5 * one)
    case(f"G.chain n={N} abc=vector", chain, square[0], *row[1:], amount=2 * one)
    case(f"G.softmax n={N}", jax.nn.softmax, square[0], amount=2 * one)
    case(f"G.layer_norm n={N}", layer_norm, square[0], row[1], row[2], amount=2 * one)
    case(f"G.transpose n={N}", lambda x: x.T.copy(), square[0], amount=2 * one)
    case(f"G.sum n={N} over=all", jnp.sum, square[0], amount=one)
    case(f"G.sum n={N} over=rows", lambda x: jnp.sum(x, 0), square[0], amount=one)
    case(f"G.sum n={N} over=columns", lambda x: jnp.sum(x, 1), square[0], amount=one)
    case(f"G.cumsum n={N}", lambda x: jnp.cumsum(x, 1), square[0], amount=2 * one)


def products():
    n = 4096
    for dtype in (jnp.float32, jnp.float64, jnp.bfloat16, jnp.float16):
        a, b = random(0, n, n, dtype=dtype), random(1, n, n, dtype=dtype)
        case(f"G.matmul n={n} dtype={jnp.dtype(dtype).name}", jnp.matmul, a, b, amount=2 * n**3, unit="TFLOP/s", scale=1e-12)


def block():
    width, heads, length, batch, hidden = 512, 8, 256, 8, 2048
    head = width // heads
    rows, columns = [width] * 5 + [hidden], [width] * 4 + [hidden, width]
    p = [random(31 + k, r, c, scale=1.7 / r**0.5) for k, (r, c) in enumerate(zip(rows, columns))]
    p += [jnp.ones(width), jnp.zeros(width), jnp.ones(width), jnp.zeros(width)]
    p = [v.astype(jnp.float32) for v in p]
    x, weight = random(37, batch, length, width, scale=1.7), random(38, batch, length, width, scale=1.7)

    def forward(p, x):
        wq, wk, wv, wo, w1, w2, g1, b1, g2, b2 = p
        split = lambda v: v.reshape(batch, length, heads, head).transpose(0, 2, 1, 3)
        h = layer_norm(x, g1, b1)
        q, k, v = split(h @ wq), split(h @ wk), split(h @ wv)
        s = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) * 0.125, -1)
        y = x + (s @ v).transpose(0, 2, 1, 3).reshape(batch, length, width) @ wo
        return y + gelu(layer_norm(y, g2, b2) @ w1) @ w2

    case(f"G.block_grad batch={batch} d_model={width} seq={length}",
         jax.grad(lambda p, x, w: jnp.sum(forward(p, x) * w), argnums=(0, 1)), p, x, weight)


def dispatch():
    x = random(0, 64)
    add = jax.jit(lambda v: v + 1)
    jax.block_until_ready(add(x))
    for wait in (True, False):
        samples = []
        for _ in range(20):
            begin = time.perf_counter()
            for _ in range(200):
                y = add(x)
                if wait:
                    y.block_until_ready()
            samples.append((time.perf_counter() - begin) / 200)
            y.block_until_ready()
        print(f"jax G.dispatch wait={'yes' if wait else 'no':38s} {statistics.median(samples) * 1e6:12.2f} us", flush=True)


print("jax", jax.__version__, jax.devices()[0].device_kind, "products:", "tf32" if args.tf32 else "float32")
for part in (passes, products, block, dispatch):
    part()
