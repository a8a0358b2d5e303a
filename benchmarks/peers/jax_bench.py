# SPDX-License-Identifier: Apache-2.0
"""JAX on CPU as a peer: W1..W9 and single operations (ops) over forced host devices.  One JSON line a figure.

  python jax_bench.py [--only W1,W3] [--devices 8] [--budget 0.4] [--round 0]

The mesh is (dp, mp) = (devices/2, 2); float32 throughout.  All jitted calls are timed warm and blocking
(`block_until_ready`), except W9, which times cold processes.
"""
import argparse
import functools
import json
import os
import subprocess
import sys
import time

ap = argparse.ArgumentParser()
ap.add_argument("--only", default="W1,W2,W3,W4,W5,W6,W7")
ap.add_argument("--devices", type=int, default=8)
ap.add_argument("--budget", type=float, default=0.4)
ap.add_argument("--round", type=int, default=0)
ap.add_argument("--peer", default="jax", help="name to report under (the same program under other malloc settings)")
ap.add_argument("--cold", default="", help="internal: time to first result of one workload in this process")
args = ap.parse_args()

START = time.perf_counter()
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={args.devices} " + os.environ.get("XLA_FLAGS", "")
os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P  # noqa: E402

import common  # noqa: E402
from common import MLP, MLP_FLOPS, SIZES_KIB, Report, coll_bytes, err, randn  # noqa: E402

jax.config.update("jax_enable_compilation_cache", False)
DEVICES = jax.devices()
IMPORTED = time.perf_counter()
assert len(DEVICES) == args.devices, DEVICES
rep = Report(args.peer, args.round, args.budget)
first = args.round == 0  # big numpy checks run once, in round 0


def mesh2(dp=None, mp=2):
    dp = dp or max(1, args.devices // mp)
    mp = mp if args.devices > 1 else 1
    return Mesh(np.array(DEVICES[:dp * mp]).reshape(dp, mp), ("dp", "mp"), axis_types=(AxisType.Auto,) * 2)


def mesh1(n, name="i"):
    return Mesh(np.array(DEVICES[:n]), (name,), axis_types=(AxisType.Auto,))


def put(mesh, x, *spec):
    return jax.block_until_ready(jax.device_put(x, NamedSharding(mesh, P(*spec))))


def spec_name(spec):
    return ",".join("+".join(s) if isinstance(s, tuple) else str(s) for s in spec)


def time_jit(name, params, f, call_args, nbytes, flops, want=None, tol=1e-3, **more):
    """Times the jitted `f(*call_args)`; checks against `want()` (a numpy array) in round 0."""
    c = err(f(*call_args), want()) if want is not None and first else None
    rep.time(name, params, lambda: jax.block_until_ready(f(*call_args)), nbytes, flops, c, tol, **more)


def time_fresh(name, params, v, f, nbytes, want):
    """Times `f(u)` for a new array u equal to v each time (made outside the timing): device_get, and device_put
    between shardings, keep a host copy on the array they read, so a second call on it would measure nothing."""
    clone, samples, stop = jax.jit(lambda u: u + 0), [], time.perf_counter() + args.budget
    while len(samples) < 6 or (time.perf_counter() < stop and len(samples) < 200):
        u = jax.block_until_ready(clone(v))
        t0 = time.perf_counter()
        out = f(u)
        samples.append(time.perf_counter() - t0)
    samples.pop(0)
    c = err(out, want) if first else None
    assert c in (None, 0), (name, params, c)
    rep.line(name, params, samples, len(samples), nbytes, 0, c)


# ------------------------------------------------------------------------------------------------ W1
def chain(x, a, b, c):
    return jax.nn.gelu(x * a + b, approximate=True) * c + x


def chain_np(x, a, b, c):
    return common.gelu(x * a + b) * c + x


def w1(sizes=(256, 4096), abcs=("vector", "array"), tag="W1.elementwise", mesh=None, spec=("dp", "mp"), **more):
    mesh = mesh or mesh2()
    for n in sizes:
        for abc in abcs:
            shape = (n,) if abc == "vector" else (n, n)
            x, ops = randn(0, n, n), [randn(i, *shape) for i in (1, 2, 3)]
            f = jax.jit(chain, out_shardings=NamedSharding(mesh, P(*spec)))
            o_spec = spec[-1:] if abc == "vector" else spec
            a = [put(mesh, x, *spec)] + [put(mesh, o, *o_spec) for o in ops]
            time_jit(tag, {"n": n, "abc": abc, **more}, f, a, 4 * n * n * (2 if abc == "vector" else 5), 25 * n * n,
                     lambda: chain_np(x, *ops), 1e-5)


# ------------------------------------------------------------------------------------------------ W2
def w2():
    mesh, n = mesh2(), 2048
    a, b = randn(0, n, n), randn(1, n, n)
    for sa, sb, so in ((("dp", None), (None, "mp"), ("dp", "mp")),
                       ((None, "mp"), ("mp", None), (None, None)),
                       (("dp", "mp"), ("mp", None), ("dp", None))):
        f = jax.jit(jnp.matmul, out_shardings=NamedSharding(mesh, P(*so)))
        time_jit("W2.matmul", {"n": n, "a": spec_name(sa), "b": spec_name(sb)}, f, [put(mesh, a, *sa), put(mesh, b, *sb)],
                 12 * n * n, 2 * n ** 3, lambda: a @ b, 1e-4)
    # the same product on one device, as XLA's own GEMM rate
    one = mesh1(1)
    time_jit("W2.matmul", {"n": n, "devices": 1}, jax.jit(jnp.matmul), [put(one, a), put(one, b)], 12 * n * n, 2 * n ** 3,
             lambda: a @ b, 1e-4)
    out = NamedSharding(mesh, P("dp", "mp"))
    for k in (64, 512, 2048):
        a, b, c = randn(5, n, k), randn(6, k, n) / np.float32(k ** 0.5), randn(7, n)
        args = [put(mesh, a, "dp"), put(mesh, b, None, "mp"), put(mesh, c, "mp")]
        time_jit("W2.dense", {"n": n, "k": k}, jax.jit(lambda a, b, c: a @ b, out_shardings=out), args, 0, 2 * n * n * k,
                 lambda: a @ b, 1e-4)
        time_jit("W2.dense_gelu", {"n": n, "k": k}, jax.jit(lambda a, b, c: jax.nn.gelu(a @ b + c), out_shardings=out), args, 0,
                 2 * n * n * k, lambda: common.gelu(a @ b + c), 1e-4)
    m = 4096
    x = randn(2, m, m)
    xs = put(mesh, x, "dp", "mp")
    for dim, spec in ((0, ("mp",)), (1, ("dp",))):
        f = jax.jit(lambda v, dim=dim: v.sum(dim), out_shardings=NamedSharding(mesh, P(*spec)))
        time_jit("W2.sum", {"n": m, "dim": dim}, f, [xs], 4 * m * m, m * m, lambda: x.sum(dim, dtype=np.float64), 1e-4)
    g, bb = randn(3, m), randn(4, m)
    for kind, spec in (("sharded", ("dp", "mp")), ("unsharded", (("dp", "mp"), None))):
        v = put(mesh, x, *spec)
        sh = NamedSharding(mesh, P(*spec))
        time_jit("W2.softmax", {"n": m, "dim": kind}, jax.jit(lambda v: jax.nn.softmax(v, axis=-1), out_shardings=sh), [v],
                 8 * m * m, 15 * m * m, lambda: common.softmax(x), 1e-4)

        def ln(v, g, b):
            mu = v.mean(-1, keepdims=True)
            var = ((v - mu) ** 2).mean(-1, keepdims=True)
            return (v - mu) * lax.rsqrt(var + 1e-5) * g + b
        time_jit("W2.layernorm", {"n": m, "dim": kind}, jax.jit(ln, out_shardings=sh),
                 [v, put(mesh, g, spec[1]), put(mesh, bb, spec[1])], 8 * m * m, 8 * m * m, lambda: common.layernorm(x, g, bb), 1e-4)

    rows, columns = randn(5, 256, m), randn(6, 1000, 256)
    for devices, where, spec in ((8, mesh, (("dp", "mp"), None)), (1, one, ())):
        f = jax.jit(lambda v: jnp.fft.rfft(v).view(jnp.float32), out_shardings=NamedSharding(where, P(*spec)))
        time_jit("W2.rfft", {"n": m, "rows": 256, "devices": devices}, f, [put(where, rows, *spec)], 8 * rows.size,
                 30 * rows.size, lambda: np.fft.rfft(rows).astype(np.complex64).view(np.float32), 1e-4)
    f = jax.jit(lambda v: jnp.fft.fft(v, axis=0).view(jnp.float32))
    time_jit("W2.fft", {"n": 1000, "columns": 256, "devices": 1}, f, [put(one, columns)], 12 * columns.size,
             50 * columns.size, lambda: np.fft.fft(columns, axis=0).astype(np.complex64).view(np.float32), 1e-4)


# ------------------------------------------------------------------------------------------------ W3
def collective(kind, n, axis):
    return {"psum": lambda x: lax.psum(x, axis),
            "all_gather": lambda x: lax.all_gather(x, axis, tiled=True),
            "psum_scatter": lambda x: lax.psum_scatter(x, axis, tiled=True),
            "all_to_all": lambda x: lax.all_to_all(x, axis, 0, 0, tiled=True),
            "ppermute": lambda x: lax.ppermute(x, axis, [(d, (d + 1) % n) for d in range(n)])}[kind]


def collective_np(kind, n, x):  # x: [n, e], row d = device d's buffer; returns the global result
    blocks = x.reshape(n, n, -1)
    return {"psum": lambda: x.sum(0), "all_gather": lambda: x.reshape(-1), "psum_scatter": lambda: x.sum(0),
            "all_to_all": lambda: blocks.transpose(1, 0, 2).reshape(-1), "ppermute": lambda: np.roll(x, 1, 0).reshape(-1)}[kind]()


KINDS = ("psum", "all_gather", "psum_scatter", "all_to_all", "ppermute")


def w3():
    for n in (8, 2):
        if n > args.devices:
            continue
        mesh = mesh1(n)
        for kib in SIZES_KIB:
            e = kib * 256
            x = randn(n, n, e)
            xs = put(mesh, x.reshape(-1), "i")
            for kind in KINDS:
                out = P() if kind in ("psum", "all_gather") else P("i")
                f = jax.jit(jax.shard_map(collective(kind, n, "i"), mesh=mesh, in_specs=P("i"), out_specs=out, check_vma=False))
                time_jit("W3." + kind, {"n": n, "kib": kib}, f, [xs], coll_bytes(kind, n, 4 * e),
                         (n - 1) * e if kind.startswith("psum") else 0, lambda: collective_np(kind, n, x), 1e-5)
        # 32 dependent small collectives inside one jitted call: the cost of a collective without its dispatch
        x = randn(n, n, 1024)
        xs = put(mesh, x.reshape(-1), "i")
        f = jax.jit(jax.shard_map(lambda v: functools.reduce(lambda u, _: lax.psum(u, "i") * (1.0 / n), range(32), v),
                                  mesh=mesh, in_specs=P("i"), out_specs=P(), check_vma=False))
        time_jit("W3.psum_chain32", {"n": n, "kib": 4}, f, [xs], 32 * coll_bytes("psum", n, 4096), 32 * (n - 1) * 1024,
                 lambda: x.mean(0), 1e-4)


# ------------------------------------------------------------------------------------------------ W4
def w4():
    mesh, m = mesh2(), 4096
    x = np.arange(m * m, dtype=np.float32).reshape(m, m)
    D, M, N = "dp", "mp", None
    for src, dst, nbytes in (((D, M), (M, D), 2), ((D, N), (N, D), 2), ((D, M), (N, N), 2), ((N, N), (D, M), 2)):
        v, sh = put(mesh, x, *src), NamedSharding(mesh, P(*dst))
        params = {"from": spec_name(src), "to": spec_name(dst)}
        time_jit("W4.reshard", {**params, "mode": "jit"}, jax.jit(lambda u: u, out_shardings=sh), [v], nbytes * 4 * m * m, 0, lambda: x, 0)
        time_fresh("W4.reshard", {**params, "mode": "device_put"}, v, lambda u: jax.block_until_ready(jax.device_put(u, sh)), nbytes * 4 * m * m, x)


# ------------------------------------------------------------------------------------------------ W5
def mlp_loss(p, x, y):
    h = jax.nn.gelu(x @ p[0], approximate=True)
    return jnp.mean((h @ p[1] - y) ** 2)


def mlp_data():
    return (randn(0, MLP["D"], MLP["H"], scale=0.03), randn(1, MLP["H"], MLP["D"], scale=0.015),
            randn(2, MLP["B"], MLP["D"]), randn(3, MLP["B"], MLP["D"]))


def sgd(p, g):
    return tuple(w - MLP["lr"] * d for w, d in zip(p, g))


def mlp_variant(v):
    """(jitted step(params, x, y) -> params with donated params, params, x, y)"""
    w1, w2, x, y = mlp_data()
    if v == "fsdp":  # parameters live sharded, are gathered in the forward; autodiff makes the psum_scatter
        mesh = mesh1(args.devices, "dp")

        def local(p, x, y):
            def loss(p):
                full = tuple(lax.all_gather(w, "dp", tiled=True) for w in p)
                return mlp_loss(full, x, y) / args.devices
            return sgd(p, jax.grad(loss)(p))
        sp = P("dp", None)
        step = jax.jit(jax.shard_map(local, mesh=mesh, in_specs=((sp, sp), sp, sp), out_specs=(sp, sp), check_vma=False), donate_argnums=0)
        return step, tuple(put(mesh, w, "dp", None) for w in (w1, w2)), put(mesh, x, "dp", None), put(mesh, y, "dp", None)
    mesh, s1, s2, sx = {
        "dp": (mesh2(args.devices, 1), (None, None), (None, None), ("dp", None)),
        "tp": (mesh2(1, args.devices), (None, "mp"), ("mp", None), (None, None)),
        "dp_mp": (mesh2(), (None, "mp"), ("mp", None), ("dp", None)),
        "one": (mesh2(1, 1), (None, None), (None, None), (None, None))}[v]
    outs = tuple(NamedSharding(mesh, P(*s)) for s in (s1, s2))
    step = jax.jit(lambda p, x, y: sgd(p, jax.grad(mlp_loss)(p, x, y)), out_shardings=outs, donate_argnums=0)
    return step, (put(mesh, w1, *s1), put(mesh, w2, *s2)), put(mesh, x, *sx), put(mesh, y, *sx)


def w5():
    for v in ("one", "dp", "tp", "fsdp", "dp_mp"):
        step, p, x, y = mlp_variant(v)
        c = None
        if first:
            w1, w2, xn, yn = mlp_data()
            want = common.mlp_step(w1, w2, xn, yn, MLP["lr"])
            p = step(p, x, y)
            c = max(err(np.asarray(q) - w0, w - w0) for q, w, w0 in zip(p, want, (w1, w2)))  # the update, not the weight
        state = [p]

        def call():
            state[0] = step(state[0], x, y)
            jax.block_until_ready(state[0])
        rep.time("W5.mlp_step", {"variant": v, "devices": args.devices}, call, 0, MLP_FLOPS, c, 1e-3)


# ------------------------------------------------------------------------------------------------ W6
DM, HEADS, SEQ, BATCH, FF = 512, 8, 256, 8, 2048
BLOCK_FLOPS = 3 * (2 * SEQ * BATCH * (4 * DM * DM + 2 * DM * FF) + 4 * BATCH * SEQ * SEQ * DM)


def block_params(seed=0):
    r = lambda i, a, b: randn(seed + i, a, b, scale=a ** -0.5)
    return {"wq": r(1, DM, DM), "wk": r(2, DM, DM), "wv": r(3, DM, DM), "wo": r(4, DM, DM), "w1": r(5, DM, FF), "w2": r(6, FF, DM),
            "g1": np.ones(DM, np.float32), "b1": np.zeros(DM, np.float32), "g2": np.ones(DM, np.float32), "b2": np.zeros(DM, np.float32)}


BLOCK_SPECS = {"wq": (None, "mp"), "wk": (None, "mp"), "wv": (None, "mp"), "wo": ("mp", None), "w1": (None, "mp"), "w2": ("mp", None),
               "g1": (None,), "b1": (None,), "g2": (None,), "b2": (None,)}


def block(p, x, np_=jnp):
    """Pre-norm transformer block; runs on jnp or on numpy (float64, for the check)."""
    B = x.shape[0]

    def ln(v, g, b):
        mu = v.mean(-1, keepdims=True)
        return (v - mu) / np_.sqrt(((v - mu) ** 2).mean(-1, keepdims=True) + 1e-5) * g + b
    split = lambda v: v.reshape(B, SEQ, HEADS, DM // HEADS).transpose(0, 2, 1, 3)
    h = ln(x, p["g1"], p["b1"])
    q, k, v = split(h @ p["wq"]), split(h @ p["wk"]), split(h @ p["wv"])
    s = q @ k.transpose(0, 1, 3, 2) * ((DM // HEADS) ** -0.5)
    w = common.softmax(s) if np_ is np else jax.nn.softmax(s, -1)
    x = x + (w @ v).transpose(0, 2, 1, 3).reshape(B, SEQ, DM) @ p["wo"]
    h = ln(x, p["g2"], p["b2"]) @ p["w1"]
    h = common.gelu(h) if np_ is np else jax.nn.gelu(h, approximate=True)
    return x + h @ p["w2"]


def block_case():
    mesh = mesh2()
    p, x, ct = block_params(), randn(7, BATCH, SEQ, DM), randn(8, BATCH, SEQ, DM)
    ps = {k: put(mesh, v, *BLOCK_SPECS[k]) for k, v in p.items()}
    xs, cts = put(mesh, x, "dp", None, None), put(mesh, ct, "dp", None, None)
    outs = ({k: NamedSharding(mesh, P(*s)) for k, s in BLOCK_SPECS.items()}, NamedSharding(mesh, P("dp", None, None)))
    f = jax.jit(jax.grad(lambda p, x, ct: jnp.sum(block(p, x) * ct), argnums=(0, 1)), out_shardings=outs)
    return f, (ps, xs, cts), (p, x, ct)


def w6():
    f, a, (p, x, ct) = block_case()
    c = None
    if first:  # forward against numpy in double; gradient against a central difference along a random direction
        p64 = {k: v.astype(np.float64) for k, v in p.items()}
        c = err(jax.jit(block)(a[0], a[1]), block(p64, x.astype(np.float64), np))
        g = f(*a)
        d = {k: randn(50 + i, *v.shape).astype(np.float64) for i, (k, v) in enumerate(p.items())}
        eps = 1e-5
        shift = lambda s: float(np.sum(block({k: p64[k] + s * eps * d[k] for k in p}, x.astype(np.float64), np) * ct))
        fd = (shift(1) - shift(-1)) / (2 * eps)
        dot = sum(float(np.sum(np.asarray(g[0][k], np.float64) * d[k])) for k in p)
        c = max(c, abs(dot - fd) / abs(fd))
    rep.time("W6.block_grad", {"d_model": DM, "seq": SEQ, "batch": BATCH, "mesh": f"{max(1, args.devices // 2)}x2"},
             lambda: jax.block_until_ready(f(*a)), 0, BLOCK_FLOPS, c, 2e-3)

    # ring attention: seq sharded over n devices, K and V travel round the ring
    n, S, H, hd = args.devices, 2048, 4, 64
    mesh = mesh1(n)
    ring = [(d, (d + 1) % n) for d in range(n)]

    def attend(q, k, v):  # [S/n, H, hd] a device
        def body(carry, _):
            k, v, m, l, o = carry
            s = jnp.einsum("qhd,khd->hqk", q, k) * hd ** -0.5
            m2 = jnp.maximum(m, s.max(-1))
            a, e = jnp.exp(m - m2), jnp.exp(s - m2[..., None])
            o = o * a[..., None] + jnp.einsum("hqk,khd->hqd", e, v)
            return (lax.ppermute(k, "i", ring), lax.ppermute(v, "i", ring), m2, l * a + e.sum(-1), o), None
        z = jnp.zeros((H, q.shape[0]), jnp.float32)
        init = (k, v, z - jnp.inf, z, jnp.zeros((H, q.shape[0], hd), jnp.float32))
        (_, _, _, l, o), _ = lax.scan(body, init, None, length=n)
        return (o / l[..., None]).transpose(1, 0, 2)
    fwd = jax.shard_map(attend, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False)
    q, k, v, ct = (randn(20 + i, S, H, hd) for i in range(4))
    a = [put(mesh, t, "i") for t in (q, k, v)]

    def ref(q=q, k=k, v=v):
        s = np.einsum("qhd,khd->hqk", q, k) * hd ** -0.5
        return np.einsum("hqk,khd->qhd", common.softmax(s), v)
    flops = 4 * H * S * S * hd
    time_jit("W6.ring_attention", {"n": n, "seq": S, "pass": "fwd"}, jax.jit(fwd), a, 16 * S * H * hd, flops, ref, 1e-4)
    cts = put(mesh, ct, "i")
    g = jax.jit(jax.grad(lambda q, k, v: jnp.sum(fwd(q, k, v) * cts), argnums=(0, 1, 2)))
    c = None
    if first:  # dV has a closed form: P^T ct
        pr = common.softmax(np.einsum("qhd,khd->hqk", q, k) * hd ** -0.5)
        c = err(g(*a)[2], np.einsum("hqk,qhd->khd", pr, ct))
    rep.time("W6.ring_attention", {"n": n, "seq": S, "pass": "fwd+bwd"}, lambda: jax.block_until_ready(g(*a)), 0, int(3.5 * flops), c, 1e-3)


# ------------------------------------------------------------------------------------------------ W7
def w7():
    mesh = mesh2()
    n = args.devices
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    xs = put(mesh, x, "dp", "mp")
    f = jax.jit(lambda v: v + 1)
    time_jit("W7.add_8x8", {"n": n, "mode": "blocking"}, f, [xs], 512, 64, lambda: x + 1, 0)

    def burst():  # 64 dependent calls, one wait: what a call costs when nobody waits for it
        v = xs
        for _ in range(64):
            v = f(v)
        v.block_until_ready()
    samples, reps = common.measure(burst, args.budget)
    rep.line("W7.add_8x8", {"n": n, "mode": "async64"}, [s / 64 for s in samples], reps * 64, 512, 64, None)
    m1 = mesh1(n)
    s = put(m1, np.arange(n, dtype=np.float32), "i")
    f2 = jax.jit(jax.shard_map(lambda v: lax.psum(v[0], "i"), mesh=m1, in_specs=P("i"), out_specs=P()))
    time_jit("W7.psum_scalar", {"n": n}, f2, [s], 4 * n, n, lambda: np.float32(n * (n - 1) / 2), 0)
    for kib in (1, 65536):
        side = int((kib * 256) ** 0.5)
        v = randn(1, side, side)
        sh = NamedSharding(mesh, P("dp", "mp"))
        rep.time("W7.device_put", {"kib": kib, "n": n}, lambda: jax.block_until_ready(jax.device_put(v, sh)), 2 * v.nbytes, 0,
                 err(jax.device_put(v, sh), v), 0)
    d = put(mesh, v, "dp", "mp")
    time_fresh("W7.device_get", {"kib": 65536, "n": n}, d, jax.device_get, 2 * v.nbytes, v)


# ------------------------------------------------------------------------------------------------ W8
def w8():
    n = args.devices
    mesh = mesh2()
    w1((4096,), ("vector",), "W8.elementwise", mesh, devices=n)
    total = 16 << 20  # bytes over all devices, so that 64 devices hold 256 KiB each
    e = total // 4 // n
    x = randn(1, n, e)
    m1 = mesh1(n)
    f = jax.jit(jax.shard_map(lambda v: lax.psum(v, "i"), mesh=m1, in_specs=P("i"), out_specs=P(), check_vma=False))
    time_jit("W8.psum", {"total_mib": 16, "devices": n}, f, [put(m1, x.reshape(-1), "i")], total + 4 * e * n, (n - 1) * e, lambda: x.sum(0), 1e-4)


# ------------------------------------------------------------------------------------------------ W9
COLD = {"W1": lambda: (jax.jit(chain), tuple(put(mesh2(), randn(0, 4096, 4096), "dp", "mp") for _ in range(4))),
        "W5d": lambda: (lambda s, p, x, y: (s, (p, x, y)))(*mlp_variant("dp_mp")),
        "W6": lambda: block_case()[:2]}


def cold(name):
    """In a fresh process: seconds for import, input placement, trace, lower, compile, first run."""
    f, a = COLD[name]()
    t = [time.perf_counter()]
    tick = lambda: t.append(time.perf_counter())
    tr = f.trace(*a); tick()
    lo = tr.lower(); tick()
    co = lo.compile(); tick()
    jax.block_until_ready(co(*a)); tick()
    d = np.diff(t)
    print(json.dumps({"import": IMPORTED - START, "inputs": t[0] - IMPORTED, "trace": d[0], "lower": d[1], "compile": d[2], "first_run": d[3]}))


def w9():
    for name in COLD:
        runs = []
        for _ in range(3):
            out = subprocess.run([sys.executable, __file__, "--cold", name, "--devices", str(args.devices)], capture_output=True, text=True, check=True)
            runs.append(json.loads(out.stdout.strip().splitlines()[-1]))
        total = [r["trace"] + r["lower"] + r["compile"] for r in runs]
        best = runs[int(np.argsort(total)[len(total) // 2])]
        rep.line("W9.first_result", {"workload": name, "n": args.devices}, total, len(total), 0, 0, None,
                 parts={k: round(v, 4) for k, v in best.items()})


# ------------------------------------------------------------------------------------------------ single operations
def conv_np(x, k, stride):
    """SAME, as a sum of products over the places of the kernel."""
    size, out = x.shape[2], -(-x.shape[2] // stride)
    pad = max(0, (out - 1) * stride + k.shape[2] - size)
    x = np.pad(x, ((0, 0), (0, 0)) + ((pad // 2, pad - pad // 2),) * 2)
    end = (out - 1) * stride + 1
    y = np.zeros((x.shape[0], out * out, k.shape[0]), np.float32)
    for a in range(k.shape[2]):
        for b in range(k.shape[3]):
            part = x[:, :, a:a + end:stride, b:b + end:stride].reshape(x.shape[0], x.shape[1], -1)
            y += part.transpose(0, 2, 1) @ k[:, :, a, b].T
    return y.transpose(0, 2, 1).reshape(x.shape[0], k.shape[0], out, out)


def ops():
    both = ("dp", "mp")
    rng = np.random.default_rng(7)
    square, images = randn(0, 4096, 4096), randn(1, 32, 56, 56, 64)
    table, added, ids = randn(2, 32768, 256), randn(3, 4096, 256), rng.integers(0, 32768, 4096, dtype=np.int32)
    lists, long_list, logits = randn(4, 4096, 1024), randn(5, 1, 1 << 20), randn(6, 128, 32768)
    re, im = randn(8, 256, 2049), randn(9, 256, 2049)
    a, b, c = randn(10, 8, 512, 512), randn(11, 8, 512, 512), randn(12, 8, 512, 64)

    def scattered():
        y = table.astype(np.float64)
        np.add.at(y, ids, added)
        return y

    for devices, mesh in ((1, Mesh(np.array(DEVICES[:1]).reshape(1, 1), both, axis_types=(AxisType.Auto,) * 2)), (8, mesh2())):
        rows, columns = (both, None), (None, both)

        def op(name, params, f, arrays, specs, out, want, tol=1e-4):
            g = jax.jit(f, out_shardings=NamedSharding(mesh, P(*out)))
            time_jit("ops." + name, {**params, "devices": devices}, g, [put(mesh, x, *s) for x, s in zip(arrays, specs)], 0, 0,
                     want, tol)

        op("transpose", {"n": 4096}, jnp.transpose, [square], [both], ("mp", "dp"), lambda: square.T, 0)
        op("nhwc_to_nchw", {"n": 32, "hw": 56, "c": 64}, lambda x: jnp.transpose(x, (0, 3, 1, 2)), [images], [(both,)], (both,),
           lambda: images.transpose(0, 3, 1, 2), 0)
        for kind, spec in (("whole", ()),) if devices == 1 else (("columns", columns), ("rows", rows)):
            op("take", {"rows": 4096, "of": 32768, "table": kind}, lambda t, i: jnp.take(t, i, axis=0), [table, ids],
               [spec, ()], spec, lambda: table[ids], 0)
        op("scatter_add", {"rows": 4096, "of": 32768}, lambda t, i, v: t.at[i].add(v), [table, ids, added],
           [columns, (), columns], columns, scattered, 1e-6)
        op("sort", {"n": 1024, "rows": 4096}, lambda x: jnp.sort(x, axis=-1), [lists], [rows], rows, lambda: np.sort(lists, -1), 0)
        if devices == 1:
            op("sort", {"n": 1 << 20, "rows": 1}, lambda x: jnp.sort(x, axis=-1), [long_list], [()], (),
               lambda: np.sort(long_list, -1), 0)
        op("argsort", {"n": 1024, "rows": 4096}, lambda x: jnp.argsort(x, axis=-1), [lists], [rows], rows,
           lambda: np.argsort(lists, -1, kind="stable"), 0)
        best = jax.jit(lambda x: lax.top_k(x, 8), out_shardings=NamedSharding(mesh, P(*rows)))
        xs = put(mesh, logits, *rows)
        values, at = best(xs)
        rep.time("ops.top_k", {"k": 8, "n": 32768, "rows": 128, "devices": devices}, lambda: jax.block_until_ready(best(xs)), 0, 0,
                 max(err(v, -np.sort(-logits, -1)[:, :8]) for v in (values, np.take_along_axis(logits, np.asarray(at), 1))), 0)
        for dim, spec in ((0, columns), (1, rows)):
            op("cumsum", {"n": 4096, "dim": dim}, lambda x, dim=dim: jnp.cumsum(x, dim), [square], [spec], spec,
               lambda: np.cumsum(square, dim, dtype=np.float64))
        for width in (3, 8) if devices == 1 else ():
            short = randn(13, 1 << 20, width)
            op("short_rows", {"n": 1 << 20, "columns": width}, lambda x: jnp.sum(x * x, -1), [short], [rows], (both,),
               lambda short=short: np.sum(short.astype(np.float64)**2, -1), 1e-6)
        op("irfft", {"n": 4096, "rows": 256}, lambda re, im: jnp.fft.irfft(lax.complex(re, im)), [re, im], [rows, rows], rows,
           lambda: np.fft.irfft(re + 1j * im))
        for k, stride, n, hw, ci, co in ((3, 1, 32, 56, 64, 64), (3, 1, 32, 14, 256, 256), (7, 2, 16, 224, 3, 64),
                                         (1, 1, 32, 28, 128, 512)):
            if devices == 8 and hw == 14:
                continue
            x, kernel = randn(13, n, ci, hw, hw), randn(14, co, ci, k, k)
            op("conv", {"k": k, "stride": stride, "n": n, "hw": hw, "c": ci, "o": co},
               lambda x, w, s=stride: lax.conv_general_dilated(x, w, (s, s), "SAME"), [x, kernel], [(both,), ()], (both,),
               lambda: conv_np(x, kernel, stride))
        op("einsum bij,bjk,bkl", {"n": 512}, lambda a, b, c: jnp.einsum("bij,bjk,bkl->bil", a, b, c, optimize="optimal"),
           [a, b, c], [(both,)] * 3, (both,), lambda: a @ (b @ c))


# ------------------------------------------------------------------------------------------------ random
def random():
    key = jax.random.key(42)
    for devices, mesh in ((1, Mesh(np.array(DEVICES[:1]).reshape(1, 1), ("dp", "mp"), axis_types=(AxisType.Auto,) * 2)), (8, mesh2())):
        for name in ("uniform", "normal"):
            f = jax.jit(lambda k, draw=getattr(jax.random, name): draw(k, (1 << 24,)), out_shardings=NamedSharding(mesh, P(("dp", "mp"))))
            x = f(key)  # checked by its first two moments
            mean, deviation = (0, 1) if name == "normal" else (1 / 2, 12**-0.5)
            wrong = max(abs(float(jnp.mean(x)) - mean), abs(float(jnp.std(x)) - deviation))
            rep.time("random." + name, {"n": "2^24", "devices": devices}, lambda: jax.block_until_ready(f(key)), 0, 0, wrong, 1e-3)


if args.cold:
    cold(args.cold)
else:
    for w in args.only.split(","):
        globals()[w.lower()]()
