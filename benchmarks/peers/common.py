# SPDX-License-Identifier: Apache-2.0
"""Shared by the Python peers: timing, the JSON line, numpy references."""
import json
import statistics
import time

import numpy as np


def measure(call, budget=0.4, min_reps=5, max_reps=2000, floor=50e-6):
    """Times `call()` (which must block until its result is ready).

    One sample is enough back-to-back calls to last `floor` seconds; samples until the budget is spent.
    Returns (samples in seconds a call, calls timed)."""
    call()
    t0 = time.perf_counter()
    call()
    inner = max(1, int(floor / max(time.perf_counter() - t0, 1e-9)))
    samples, stop = [], time.perf_counter() + budget
    while len(samples) < min_reps or (time.perf_counter() < stop and len(samples) < max_reps):
        t0 = time.perf_counter()
        for _ in range(inner):
            call()
        samples.append((time.perf_counter() - t0) / inner)
    return samples, inner * len(samples)


class Report:
    """Prints one JSON line a figure."""

    def __init__(self, peer, round_no, budget):
        self.peer, self.round, self.budget = peer, round_no, budget

    def line(self, name, params, samples, reps, nbytes, flops, check, **more):
        s = sorted(samples)
        print(json.dumps({
            "peer": self.peer, "name": name, "params": params, "round": self.round,
            "median_s": statistics.median(s), "min_s": s[0], "p90_s": s[int(len(s) * 0.9)], "reps": reps,
            "bytes": int(nbytes), "flops": int(flops),
            "check": None if check is None else float(check), **more}), flush=True)

    def time(self, name, params, call, nbytes=0, flops=0, check=None, tol=1e-3, **more):
        if check is not None and not check <= tol:
            raise SystemExit(f"{self.peer} {name} {params}: wrong result, error {check} > {tol}")
        samples, reps = measure(call, self.budget)
        self.line(name, params, samples, reps, nbytes, flops, check, **more)


def err(got, want):
    """Largest difference, relative to the largest magnitude wanted."""
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    assert got.shape == want.shape, (got.shape, want.shape)
    return float(np.max(np.abs(got - want)) / max(np.max(np.abs(want)), 1e-30))


def randn(seed, *shape, scale=1.0):
    return (np.random.default_rng(seed).standard_normal(shape, dtype=np.float32) * np.float32(scale))


# --- numpy references --------------------------------------------------------------------------------
K = 0.7978845608028654  # sqrt(2/pi)


def gelu(z):
    return 0.5 * z * (1 + np.tanh(K * (z + 0.044715 * z ** 3)))


def gelu_grad(z):
    t = np.tanh(K * (z + 0.044715 * z ** 3))
    return 0.5 * (1 + t) + 0.5 * z * (1 - t * t) * K * (1 + 3 * 0.044715 * z * z)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def layernorm(x, g, b):
    mu = x.mean(-1, keepdims=True)
    return (x - mu) / np.sqrt(((x - mu) ** 2).mean(-1, keepdims=True) + 1e-5) * g + b


def mlp_step(w1, w2, x, y, lr):
    """One SGD step of loss = mean((gelu(x w1) w2 - y)^2): new (w1, w2)."""
    z = x @ w1
    a = gelu(z)
    d = 2.0 / y.size * (a @ w2 - y)
    dz = (d @ w2.T) * gelu_grad(z)
    return w1 - lr * (x.T @ dz), w2 - lr * (a.T @ d)


# sizes shared by all peers
MLP = dict(B=512, D=1024, H=4096, lr=100.0)  # lr large, so that a step changes the weights measurably
MLP_FLOPS = 2 * 5 * 512 * 1024 * 4096  # 2 products forward, 3 backward (no gradient for x)
SIZES_KIB = (4, 256, 16384)


def coll_bytes(kind, n, s):
    """Bytes read + written by an in-process collective over n buffers of s bytes, each device owning its result."""
    return {"psum": 2 * n * s, "all_gather": (n + n * n) * s, "psum_scatter": n * s + s,
            "all_to_all": 2 * n * s, "ppermute": 2 * n * s}[kind]
