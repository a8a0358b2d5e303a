# SPDX-License-Identifier: Apache-2.0
"""Attention of one process with two threads by PyTorch (scaled_dot_product_attention) or JAX (nn.dot_product_attention), beside
benchmarks/kernels_benchmark.cpp: batch 1, 8 heads of 64, float32. One JSON line a figure; each result is checked.

  python attention.py torch|jax [--seq 2048] [--budget 2] [--round 0]
"""
import argparse
import os
import sys

ap = argparse.ArgumentParser()
ap.add_argument("library", choices=["torch", "jax"])
ap.add_argument("--seq", type=int, default=2048)
ap.add_argument("--budget", type=float, default=2)
ap.add_argument("--round", type=int, default=0)
args = ap.parse_args()
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402

from common import Report, err, randn  # noqa: E402

HEADS, SIZE = 8, 64
q, k, v, weight = (randn(i, 1, args.seq, HEADS, SIZE) for i in range(4))
rep = Report(args.library, args.round, args.budget)


def dense(causal, rows):
    """Rows of head 0 in double."""
    s = q[0, rows, 0].astype(np.float64) @ k[0, :, 0].astype(np.float64).T / np.sqrt(SIZE)
    if causal:
        s[np.arange(args.seq)[None, :] > np.asarray(rows)[:, None]] = -np.inf
    p = np.exp(s - s.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True) @ v[0, :, 0].astype(np.float64)


def report(causal, forward, gradient):
    rows = list(range(0, args.seq, max(1, args.seq // 37)))
    check = err(np.asarray(forward())[0, rows, 0], dense(causal, rows))
    params = {"seq": args.seq, "causal": causal}
    rep.time("kernels.attention", params | {"pass": "fwd"}, forward, check=check, tol=1e-3)
    rep.time("kernels.attention", params | {"pass": "fwd+bwd"}, gradient)


for causal in (False, True):
    if args.library == "torch":
        import torch
        import torch.nn.functional as F

        torch.set_num_threads(2)
        a = [torch.from_numpy(x.transpose(0, 2, 1, 3).copy()) for x in (q, k, v, weight)]
        asked = [x.clone().requires_grad_() for x in a[:3]]

        def gradient():
            y = F.scaled_dot_product_attention(*asked, is_causal=causal)
            torch.autograd.grad((y * a[3]).sum(), asked)

        def forward():
            with torch.no_grad():
                return F.scaled_dot_product_attention(*a[:3], is_causal=causal).transpose(1, 2)

        report(causal, forward, gradient)
    else:
        import jax
        import jax.numpy as jnp

        b = [jnp.asarray(x) for x in (q, k, v, weight)]
        f = jax.jit(lambda x, y, z: jax.nn.dot_product_attention(x, y, z, is_causal=causal))
        g = jax.jit(jax.grad(lambda x, y, z, w: (jax.nn.dot_product_attention(x, y, z, is_causal=causal) * w).sum(), (0, 1, 2)))
        report(causal, lambda: f(*b[:3]).block_until_ready(), lambda: jax.block_until_ready(g(*b)))
