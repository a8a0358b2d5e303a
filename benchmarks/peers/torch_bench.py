# SPDX-License-Identifier: Apache-2.0
"""PyTorch on CPU as a peer: gloo collectives, DTensor, DDP, FSDP2, over N processes with one thread each; and one
process with two threads for GEMM and elementwise, and for random numbers.  One JSON line a figure.

  python torch_bench.py [--n 8] [--only W2,W3,W5,W7 | single | random] [--budget 0.4] [--round 0]

With several processes a sample is the slowest rank's time, after a barrier.
"""
import argparse
import os
import sys
import time

ap = argparse.ArgumentParser()
ap.add_argument("--n", type=int, default=8)
ap.add_argument("--only", default="W2,W3,W5,W7")
ap.add_argument("--budget", type=float, default=0.4)
ap.add_argument("--round", type=int, default=0)
ap.add_argument("--peer", default="torch1", help="name of the single-process runs")
ap.add_argument("--port", type=int, default=29533)
args = ap.parse_args()
SINGLE = args.only in ("single", "random")
os.environ.setdefault("OMP_NUM_THREADS", "2" if SINGLE else "1")
os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.nn.functional as F  # noqa: E402

import common  # noqa: E402
from common import MLP, MLP_FLOPS, SIZES_KIB, Report, coll_bytes, err, randn  # noqa: E402

torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
T = torch.from_numpy
first = args.round == 0


class Group:
    """Timing over all ranks; rank 0 prints."""

    def __init__(self, rank, n):
        self.rank, self.n, self.rep = rank, n, Report("torch", args.round, args.budget)

    def time(self, name, params, call, nbytes=0, flops=0, check=None, tol=1e-3):
        bad = torch.tensor([0.0 if check is None or check <= tol else 1.0])
        dist.all_reduce(bad)
        if bad.item():
            raise SystemExit(f"torch {name} {params} rank {self.rank}: wrong result, error {check}")
        call()
        dist.barrier()
        t0 = time.perf_counter()
        call()
        one = torch.tensor([time.perf_counter() - t0])
        dist.all_reduce(one, dist.ReduceOp.MAX)  # every rank must agree on the number of samples
        reps = int(min(400, max(5, args.budget / max(one.item(), 1e-6))))
        samples = torch.empty(reps)
        for i in range(reps):
            dist.barrier()
            t0 = time.perf_counter()
            call()
            samples[i] = time.perf_counter() - t0
        dist.all_reduce(samples, dist.ReduceOp.MAX)
        if self.rank == 0:
            self.rep.line(name, params, samples.tolist(), reps, nbytes, flops, check)


# ------------------------------------------------------------------------------------------------ W3
def w3(g):
    n, rank = g.n, g.rank
    for kib in SIZES_KIB:
        e = kib * 256
        full = randn(n, n, e)
        x = T(full[rank].copy())
        out = torch.empty(e)
        whole, part = torch.empty(n * e), torch.empty(e // n)
        nxt, prv = (rank + 1) % n, (rank - 1) % n

        def ring():
            for w in dist.batch_isend_irecv([dist.P2POp(dist.isend, x, nxt), dist.P2POp(dist.irecv, out, prv)]):
                w.wait()

        def psum():
            out.copy_(x)  # all_reduce works in place; a value-semantics psum keeps its input
            dist.all_reduce(out)
        blk = e // n
        for kind, call, res, want in (
                ("psum", psum, out, lambda: full.sum(0)),
                ("all_gather", lambda: dist.all_gather_into_tensor(whole, x), whole, lambda: full.reshape(-1)),
                ("psum_scatter", lambda: dist.reduce_scatter_tensor(part, x), part, lambda: full.sum(0)[rank * blk:(rank + 1) * blk]),
                ("all_to_all", lambda: dist.all_to_all_single(out, x), out, lambda: full.reshape(n, n, blk)[:, rank].reshape(-1)),
                ("ppermute", ring, out, lambda: full[prv])):
            call()
            g.time("W3." + kind, {"n": n, "kib": kib}, call, coll_bytes(kind, n, 4 * e), (n - 1) * e if kind.startswith("psum") else 0,
                   err(res, want()) if first else None, 1e-5)


# ------------------------------------------------------------------------------------------------ W2, W4
def w2(g):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor
    mesh = init_device_mesh("cpu", (g.n // 2, 2), mesh_dim_names=("dp", "mp"))
    R, S0, S1 = Replicate(), Shard(0), Shard(1)
    n = 2048
    a, b = randn(0, n, n), randn(1, n, n)
    with torch.no_grad():
        for pa, pb, po, sa, sb in (([S0, R], [R, S1], [S0, S1], "dp,None", "None,mp"),
                                   ([R, S1], [R, S0], [R, R], "None,mp", "mp,None"),
                                   ([S0, S1], [R, S0], [S0, R], "dp,mp", "mp,None")):
            da, db = distribute_tensor(T(a), mesh, pa), distribute_tensor(T(b), mesh, pb)
            call = lambda: torch.matmul(da, db).redistribute(mesh, po).to_local()
            c = err(torch.matmul(da, db).full_tensor(), a @ b) if first else None
            g.time("W2.matmul", {"n": n, "a": sa, "b": sb}, call, 12 * n * n, 2 * n ** 3, c, 1e-4)
        m = 4096
        x = randn(2, m, m)
        for name, spec, to, po in (("dp,mp", [S0, S1], "mp,dp", [S1, S0]), ("dp,None", [S0, R], "None,dp", [S1, R]),
                                   ("dp,mp", [S0, S1], "None,None", [R, R]), ("None,None", [R, R], "dp,mp", [S0, S1])):
            d = distribute_tensor(T(x), mesh, spec)
            out = d.redistribute(mesh, po)
            c = None
            if first:  # this rank's local part against numpy
                i, j = mesh.get_coordinate()
                parts = {"mp,dp": lambda: x[j * m // 2:(j + 1) * m // 2, i * m // 4:(i + 1) * m // 4],
                         "None,dp": lambda: x[:, i * m // 4:(i + 1) * m // 4], "None,None": lambda: x,
                         "dp,mp": lambda: x[i * m // 4:(i + 1) * m // 4, j * m // 2:(j + 1) * m // 2]}
                c = err(out.to_local(), parts[to]()) if g.n == 8 else None
            g.time("W4.reshard", {"from": name, "to": to, "mode": "redistribute"}, lambda: d.redistribute(mesh, po).to_local(), 8 * m * m, 0, c, 0)


# ------------------------------------------------------------------------------------------------ W5
class Mlp(torch.nn.Module):
    def __init__(self, w1, w2):
        super().__init__()
        self.w1 = torch.nn.Linear(MLP["D"], MLP["H"], bias=False)
        self.w2 = torch.nn.Linear(MLP["H"], MLP["D"], bias=False)
        with torch.no_grad():
            self.w1.weight.copy_(T(w1.T))
            self.w2.weight.copy_(T(w2.T))

    def forward(self, x):
        return self.w2(F.gelu(self.w1(x), approximate="tanh"))


def mlp_arrays():
    return (randn(0, MLP["D"], MLP["H"], scale=0.03), randn(1, MLP["H"], MLP["D"], scale=0.015),
            randn(2, MLP["B"], MLP["D"]), randn(3, MLP["B"], MLP["D"]))


def update_err(m, w1, w2, x, y):
    want = common.mlp_step(w1, w2, x, y, MLP["lr"])
    full = lambda p: (p.full_tensor() if hasattr(p, "full_tensor") else p).detach().numpy().T
    return max(err(full(m.w1.weight) - w1, want[0] - w1), err(full(m.w2.weight) - w2, want[1] - w2))


def stepper(m, x, y, scale=1.0):
    """One SGD step; `scale` corrects the loss mean where ranks hold a part of the batch."""
    opt = torch.optim.SGD(m.parameters(), lr=MLP["lr"])

    def step():
        opt.zero_grad(set_to_none=True)
        (F.mse_loss(m(x), y) * scale).backward()
        opt.step()
    return step


def w5(g):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
    w1, w2, x, y = mlp_arrays()
    B = MLP["B"] // g.n
    lx, ly = T(x[g.rank * B:(g.rank + 1) * B].copy()), T(y[g.rank * B:(g.rank + 1) * B].copy())

    def ddp():
        m = torch.nn.parallel.DistributedDataParallel(Mlp(w1, w2))
        return m.module, stepper(m, lx, ly)

    def tp():
        mesh = init_device_mesh("cpu", (g.n,), mesh_dim_names=("mp",))
        m = parallelize_module(Mlp(w1, w2), mesh, {"w1": ColwiseParallel(), "w2": RowwiseParallel()})
        return m, stepper(m, T(x), T(y))

    def fsdp():
        from torch.distributed.fsdp import fully_shard
        mesh = init_device_mesh("cpu", (g.n,), mesh_dim_names=("dp",))
        m = Mlp(w1, w2)
        fully_shard(m.w1, mesh=mesh), fully_shard(m.w2, mesh=mesh), fully_shard(m, mesh=mesh)
        for f in m.modules():  # gloo has no average: divide ourselves, sum in the collective
            if hasattr(f, "set_force_sum_reduction_for_comms"):
                f.set_force_sum_reduction_for_comms(True)
        return m, stepper(m, lx, ly)

    def dp_mp():  # tensor parallel inside, gradients all-reduced over dp by hand
        mesh = init_device_mesh("cpu", (g.n // 2, 2), mesh_dim_names=("dp", "mp"))
        m = parallelize_module(Mlp(w1, w2), mesh["mp"], {"w1": ColwiseParallel(), "w2": RowwiseParallel()})
        i, k = mesh.get_coordinate()[0], MLP["B"] // (g.n // 2)
        dp = mesh["dp"].get_group()
        opt = torch.optim.SGD(m.parameters(), lr=MLP["lr"])
        px, py = T(x[i * k:(i + 1) * k].copy()), T(y[i * k:(i + 1) * k].copy())

        def step():
            opt.zero_grad(set_to_none=True)
            F.mse_loss(m(px), py).backward()
            for p in m.parameters():
                q = p.grad.to_local()
                dist.all_reduce(q, group=dp)
                q.div_(g.n // 2)
            opt.step()
        return m, step

    for v, make in (("dp", ddp), ("tp", tp), ("fsdp", fsdp), ("dp_mp", dp_mp)):
        if v == "dp_mp" and g.n < 4:
            continue
        try:
            m, step = make()
            step()
            c = update_err(m, w1, w2, x, y)
        except Exception as e:  # reported, not fatal: support differs by release
            if g.rank == 0:
                print(f"torch W5 {v}: {type(e).__name__}: {str(e)[:300]}", file=sys.stderr, flush=True)
            continue
        g.time("W5.mlp_step", {"variant": v, "devices": g.n}, step, 0, MLP_FLOPS, c, 1e-3)


# ------------------------------------------------------------------------------------------------ W7
def w7(g):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Shard, distribute_tensor
    mesh = init_device_mesh("cpu", (g.n // 2, 2), mesh_dim_names=("dp", "mp"))
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    d = distribute_tensor(T(x), mesh, [Shard(0), Shard(1)])
    with torch.no_grad():
        c = err((d + 1).full_tensor(), x + 1)
        g.time("W7.add_8x8", {"n": g.n, "mode": "blocking"}, lambda: d + 1, 512, 64, c, 0)
    # the same on one rank at a time, the others waiting: an add's own cost without eight processes on two cores
    if g.rank == 0:
        with torch.no_grad():
            s, r = common.measure(lambda: d + 1, args.budget / 2)
            g.rep.line("W7.add_8x8", {"n": g.n, "mode": "one rank only"}, s, r, 512, 64, None)
    dist.barrier()
    t = torch.tensor(float(g.rank))

    def psum():
        q = t.clone()
        dist.all_reduce(q)
        return q
    g.time("W7.psum_scalar", {"n": g.n}, psum, 4 * g.n, g.n, abs(psum().item() - g.n * (g.n - 1) / 2), 0)


def worker(rank, n):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(args.port))
    dist.init_process_group("gloo", rank=rank, world_size=n)
    g = Group(rank, n)
    for w in args.only.split(","):
        globals()[w.lower()](g)
    dist.barrier()
    dist.destroy_process_group()


# ------------------------------------------------------------------------------------------------ one process
def single():
    rep = Report(args.peer, args.round, args.budget)
    chain = lambda x, a, b, c: F.gelu(x * a + b, approximate="tanh") * c + x
    modes = [("eager", chain)]
    try:
        modes.append(("compile", torch.compile(chain, dynamic=False)))
    except Exception as e:
        print("torch.compile:", e, file=sys.stderr)
    with torch.no_grad():
        for n in (256, 4096):
            for abc in ("vector", "array"):
                x, ops = randn(0, n, n), [randn(i, *((n,) if abc == "vector" else (n, n))) for i in (1, 2, 3)]
                a = [T(v) for v in (x, *ops)]
                want = common.gelu(x * ops[0] + ops[1]) * ops[2] + x if first else None
                for mode, f in modes:
                    try:
                        got = f(*a)
                    except Exception as e:
                        print(f"torch1 W1 {mode}: {str(e)[:200]}", file=sys.stderr)
                        continue
                    rep.time("W1.elementwise", {"n": n, "abc": abc, "mode": mode}, lambda: f(*a), 4 * n * n * (2 if abc == "vector" else 5), 25 * n * n,
                             err(got, want) if first else None, 1e-5)
        for n in (512, 1024, 2048):
            a, b = randn(0, n, n), randn(1, n, n)
            ta, tb = T(a), T(b)
            rep.time("W2.matmul", {"n": n, "devices": 1}, lambda: ta @ tb, 12 * n * n, 2 * n ** 3, err(ta @ tb, a @ b) if first else None, 1e-4)
        m = 4096
        x = randn(2, m, m)
        t, gw, gb = T(x), T(randn(3, m)), T(randn(4, m))
        rep.time("W2.softmax", {"n": m, "dim": "unsharded"}, lambda: torch.softmax(t, -1), 8 * m * m, 15 * m * m, err(torch.softmax(t, -1), common.softmax(x)) if first else None, 1e-4)
        rep.time("W2.layernorm", {"n": m, "dim": "unsharded"}, lambda: F.layer_norm(t, (m,), gw, gb), 8 * m * m, 8 * m * m,
                 err(F.layer_norm(t, (m,), gw, gb), common.layernorm(x, gw.numpy(), gb.numpy())) if first else None, 1e-4)
        for dim in (0, 1):
            rep.time("W2.sum", {"n": m, "dim": dim}, lambda: t.sum(dim), 4 * m * m, m * m, err(t.sum(dim), x.sum(dim, dtype=np.float64)) if first else None, 1e-4)
        s = torch.zeros(8, 8)
        rep.time("W7.add_8x8", {"n": 1, "mode": "plain tensor"}, lambda: s + 1, 512, 64, 0)
    w1, w2, x, y = mlp_arrays()
    m = Mlp(w1, w2)
    step = stepper(m, T(x), T(y))
    step()
    rep.time("W5.mlp_step", {"variant": "one", "devices": 1}, step, 0, MLP_FLOPS, update_err(m, w1, w2, x, y), 1e-3)


def random():
    rep = Report(args.peer, args.round, args.budget)
    count = 1 << 24
    out = torch.empty(count)
    for name, draw, again in (("uniform", torch.rand, out.uniform_), ("normal", torch.randn, out.normal_)):
        compiled = torch.compile(lambda draw=draw: draw(count), dynamic=False)
        mean, deviation = (0, 1) if name == "normal" else (1 / 2, 12**-0.5)
        for mode, f in (("eager", lambda: draw(count)), ("in place", again), ("compile", compiled)):
            torch.manual_seed(42)
            try:
                x = f()  # checked by its first two moments
            except Exception as e:
                print(f"{args.peer} random.{name} {mode}: {str(e)[:200]}", file=sys.stderr)
                continue
            wrong = max(abs(float(x.mean()) - mean), abs(float(x.std()) - deviation))
            rep.time("random." + name, {"n": "2^24", "devices": 1, "mode": mode}, f, 0, 0, wrong, 1e-3)


if __name__ == "__main__":
    if SINGLE:
        globals()[args.only]()
    else:
        torch.multiprocessing.start_processes(worker, args=(args.n,), nprocs=args.n, start_method="fork")
