# SPDX-License-Identifier: Apache-2.0
"""JAX over several processes of this machine as a peer (jax.distributed, gloo between CPUs): W3's collectives with one device a
process, and W5's MLP step over 8 devices that the processes share.  One JSON line a figure.

  python jax_processes.py [--n 2] [--only W3,W5] [--budget 0.4] [--round 0]

A sample is the slowest process' time, after all have met.
"""
import argparse
import os
import socket
import subprocess
import sys
import time

ap = argparse.ArgumentParser()
ap.add_argument("--n", type=int, default=2)
ap.add_argument("--only", default="W3,W5")
ap.add_argument("--budget", type=float, default=0.4)
ap.add_argument("--round", type=int, default=0)
ap.add_argument("--rank", type=int, default=-1, help="internal: one of the processes")
ap.add_argument("--devices", type=int, default=0, help="internal: of each process")
ap.add_argument("--port", type=int, default=0, help="internal")
args = ap.parse_args()


def start(workload, devices):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    command = [sys.executable, os.path.abspath(__file__), "--n", args.n, "--only", workload, "--budget", args.budget,
               "--round", args.round, "--devices", devices, "--port", port]
    ranks = [subprocess.Popen([str(c) for c in command + ["--rank", r]]) for r in range(args.n)]
    return max(r.wait() for r in ranks)


if args.rank < 0:
    devices = {"W3": 1, "W5": 8 // args.n}
    sys.exit(max(start(w, devices[w]) for w in args.only.split(",")))

os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={args.devices} " + os.environ.get("XLA_FLAGS", "")
os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402

jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize(f"127.0.0.1:{args.port}", args.n, args.rank)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.experimental import multihost_utils  # noqa: E402
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P  # noqa: E402

import common  # noqa: E402
from common import MLP, MLP_FLOPS, SIZES_KIB, Report, coll_bytes, err, randn  # noqa: E402

rep = Report("jax2", args.round, args.budget)
first = args.round == 0
DEVICES = np.array(jax.devices())


def slowest(values):
    return np.max(multihost_utils.process_allgather(np.asarray(values)), axis=0)


def timed(name, params, call, nbytes=0, flops=0, check=None, tol=1e-3):
    if check is not None and not check <= tol:
        raise SystemExit(f"jax2 {name} {params}: wrong result, error {check}")
    call()
    t0 = time.perf_counter()
    call()
    reps = int(min(400, max(5, args.budget / float(slowest(time.perf_counter() - t0)))))
    samples = []
    for _ in range(reps):
        multihost_utils.sync_global_devices("sample")
        t0 = time.perf_counter()
        call()
        samples.append(time.perf_counter() - t0)
    samples = slowest(samples)
    if args.rank == 0:
        rep.line(name, params, samples.tolist(), reps, nbytes, flops, check)


def put(mesh, x, *spec):
    return jax.make_array_from_callback(x.shape, NamedSharding(mesh, P(*spec)), lambda index: x[index])


def mesh_of(names, shape):
    return Mesh(DEVICES.reshape(shape), names, axis_types=(AxisType.Auto,) * len(names))


def whole(x):
    return np.asarray(multihost_utils.process_allgather(x, tiled=True))


def w3():
    n = len(DEVICES)
    mesh = mesh_of(("i",), (n,))
    kinds = {"psum": (lambda x: lax.psum(x, "i"), P()), "all_gather": (lambda x: lax.all_gather(x, "i", tiled=True), P()),
             "psum_scatter": (lambda x: lax.psum_scatter(x, "i", tiled=True), P("i")),
             "all_to_all": (lambda x: lax.all_to_all(x, "i", 0, 0, tiled=True), P("i")),
             "ppermute": (lambda x: lax.ppermute(x, "i", [(d, (d + 1) % n) for d in range(n)]), P("i"))}
    for kib in SIZES_KIB:
        e = kib * 256
        x = randn(n, n, e)
        xs = put(mesh, x.reshape(-1), "i")
        want = {"psum": lambda: x.sum(0), "all_gather": lambda: x.reshape(-1), "psum_scatter": lambda: x.sum(0),
                "all_to_all": lambda: x.reshape(n, n, -1).transpose(1, 0, 2).reshape(-1), "ppermute": lambda: np.roll(x, 1, 0).reshape(-1)}
        for kind, (f, out) in kinds.items():
            g = jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=out, check_vma=False))
            c = err(whole(g(xs)), want[kind]()) if first else None
            timed("W3." + kind, {"n": n, "kib": kib}, lambda: jax.block_until_ready(g(xs)), coll_bytes(kind, n, 4 * e), 0, c, 1e-5)


def w5():
    w1, w2 = randn(0, MLP["D"], MLP["H"], scale=0.03), randn(1, MLP["H"], MLP["D"], scale=0.015)
    x, y = randn(2, MLP["B"], MLP["D"]), randn(3, MLP["B"], MLP["D"])
    n = len(DEVICES)

    def loss(p, x, y):
        return jnp.mean((jax.nn.gelu(x @ p[0], approximate=True) @ p[1] - y) ** 2)

    def sgd(p, x, y):
        return tuple(w - MLP["lr"] * d for w, d in zip(p, jax.grad(loss)(p, x, y)))

    def sharded(p, x, y):
        def local(p):
            return loss(tuple(lax.all_gather(w, "dp", tiled=True) for w in p), x, y) / n
        return tuple(w - MLP["lr"] * d for w, d in zip(p, jax.grad(local)(p)))

    layouts = {"dp": ((n, 1), (None, None), (None, None), ("dp", None)), "tp": ((1, n), (None, "mp"), ("mp", None), (None, None)),
               "fsdp": ((n, 1), ("dp", None), ("dp", None), ("dp", None)), "dp_mp": ((n // 2, 2), (None, "mp"), ("mp", None), ("dp", None))}
    for variant, (shape, s1, s2, sx) in layouts.items():
        mesh = mesh_of(("dp", "mp"), shape)
        if variant == "fsdp":
            sp = P("dp", None)
            step = jax.jit(jax.shard_map(sharded, mesh=mesh, in_specs=((sp, sp), sp, sp), out_specs=(sp, sp), check_vma=False), donate_argnums=0)
        else:
            step = jax.jit(sgd, out_shardings=tuple(NamedSharding(mesh, P(*s)) for s in (s1, s2)), donate_argnums=0)
        p, a, b = (put(mesh, w1, *s1), put(mesh, w2, *s2)), put(mesh, x, *sx), put(mesh, y, *sx)
        c = None
        if first:
            p = step(p, a, b)
            want = common.mlp_step(w1, w2, x, y, MLP["lr"])
            c = max(err(whole(q) - w0, w - w0) for q, w, w0 in zip(p, want, (w1, w2)))
        state = [p]

        def call():
            state[0] = step(state[0], a, b)
            jax.block_until_ready(state[0])
        timed("W5.mlp_step", {"variant": variant, "devices": n, "n": args.n}, call, 0, MLP_FLOPS, c, 1e-3)


globals()[args.only.lower()]()
