#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py [--suite NAME ...] [--rounds N] [--seconds S] [--json FILE] [--build DIR]: ours, the peers and the hand-written
floors, one after the other in every round; then each goal of goals.json with its ratio in this run.

Suites: W1 W2 W3 W4 W5 W6 W7 W8 ops steady random derivatives models halves linalg processes, and `quick` (under a minute, no peers, wide bounds: ctest's benchmark.quick). All but
quick unless told. Peers that are not installed are skipped by name. TESSERA_PEER_PYTHON is the python that has jax or torch.
A time is the smallest of the rounds' medians; ~ how far the largest lies above it. A goal's ratio is the median of the
rounds' ratios, both sides measured in one round; ~ how far the largest lies above the smallest, and '?' after what is not
firm: rounds that differ by more than a quarter, or a busy machine. `quick` takes the smallest times instead. Every program checks its own results
against a reference of its own (numpy, or naive loops in double), and compare.py refuses a case whose check is missing or
too large. Times of different runs do not compare: a machine's bandwidth changes within minutes.

--as-users stops where the tree is not what README's commands build: Release, TESSERA_ARCH=native, no flags of its own."""

import argparse
import collections
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
DATA = json.loads((HERE / "goals.json").read_text())
PEERS = HERE / "peers"
# One arena, never given back, in huge pages: what a process can do about page faults without a change of code.
TUNED = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=8589934592:glibc.malloc.trim_threshold=17179869184"}
QUIET = 0.9  # of two cores
FIRM = 1.25  # largest ratio of a goal's rounds / smallest
UNCHECKED = ("kokkos", "limit")  # bare launches and rates have no result

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--suite", nargs="+", choices=list(DATA["suites"]), default=[s for s in DATA["suites"] if s != "quick"])
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--seconds", type=float, default=0.2, help="for each case, in each round")
parser.add_argument("--json", type=pathlib.Path, help="every measurement, one a line")
parser.add_argument("--wait", type=float, default=15, help="seconds for two threads to have two cores, before each suite")
parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build" / "release")
parser.add_argument("--peer-python", default=os.environ.get("TESSERA_PEER_PYTHON", "python3"))
parser.add_argument("--as-users", action="store_true", help="only what README's commands build")
options = parser.parse_args()
options.build = options.build.resolve()  # programs run elsewhere
quick = "quick" in options.suite

records, not_run, failures = [], {}, []


def program(name):
    for folder in (options.build / "benchmarks", options.build):
        if (folder / name).exists():
            return str(folder / name)
    return None


def cached(name):
    """A variable of the tree's CMakeCache.txt."""
    cache = options.build / "CMakeCache.txt"
    lines = cache.read_text().splitlines() if cache.exists() else []
    return next((line.split("=", 1)[1] for line in lines if line.startswith(name + ":")), "")


def require_users_build():
    wanted = {"CMAKE_BUILD_TYPE": "Release", "CMAKE_CXX_FLAGS": "", "CMAKE_CXX_FLAGS_RELEASE": "-O3 -DNDEBUG", "TESSERA_ARCH": "native"}
    other = [f"{name} is '{cached(name)}', not '{value}'" for name, value in wanted.items() if cached(name) != value]
    if other:
        sys.exit(f"{options.build} is not what README's commands build: " + "; ".join(other))


def environment():
    path = program("elementwise_benchmark")
    return run("environment", [path, "--environment"]) if path else ""


def wait_until_quiet(suite, number):
    """Notes how much of two cores two threads have: ratios of a busy machine are no measurement."""
    if not program("limits"):
        return
    end = time.monotonic() + (0 if quick else options.wait)
    while True:
        out = run("probe", [program("limits"), "--only", "probe"])
        quiet = max((json.loads(line)["ratio"] for line in out.splitlines() if line.startswith("{")), default=0)
        if quiet >= QUIET or time.monotonic() >= end:
            records.append({"peer": "probe", "case": suite, "round": number, "ratio": quiet})
            return
        time.sleep(1)


def has_module(name):
    found = shutil.which(options.peer_python)
    return found is not None and subprocess.run([found, "-c", f"import {name}"], capture_output=True).returncode == 0


def run(who, command, **environment):
    environment = {**os.environ, "OMP_PROC_BIND": "false", "KOKKOS_DISABLE_WARNINGS": "1", **environment}
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=environment, cwd=HERE, timeout=600)
    except subprocess.TimeoutExpired as late:  # what it printed until then counts
        not_run[f"{who}, part of it"] = f"{' '.join(map(str, command[:6]))} took more than 10 minutes"
        return (late.stdout or b"").decode()
    if done.returncode:
        failures.append(f"{who}: {' '.join(map(str, command[:6]))} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def label(name, params):
    return canonical(" ".join([name, *(f"{k}={v}".replace(" ", "_") for k, v in params.items())]))


def canonical(text):
    name, *params = text.split(" ")
    return " ".join([name, *sorted(params)])


def ours(suite, number):
    for name, choose in suite.get("ours", {}).items():
        path = program(name + "_benchmark")
        if not path:
            failures.append(f"tessera: {name}_benchmark is not built in {options.build}")
            continue
        repetitions = 3
        out = run("tessera", [path, f"--benchmark_filter={choose}", f"--benchmark_repetitions={repetitions}",
                              f"--benchmark_min_time={options.seconds / repetitions}", "--benchmark_format=json"])
        cases = collections.defaultdict(list)
        for case in json.loads(out or '{"benchmarks": []}')["benchmarks"]:
            if case.get("error_occurred"):
                failures.append(f"tessera: {case['name']}: {case['error_message']}")
            elif case["run_type"] == "iteration":
                cases[case["run_name"].split("/")[0]].append(case)
        if not cases:
            failures.append(f"tessera: no case of {name}_benchmark matches {choose}")
        for case, repeats in cases.items():
            counts = {k: repeats[-1][k] for k in ("check", "news", "launches", "steps", "faults", "allocations", "calls") if k in repeats[-1]}
            median = statistics.median(r["real_time"] for r in repeats) * 1e-6 / repeats[0].get("per", 1)
            records.append({"peer": "tessera", "case": canonical(case), "round": number, "median_s": median, **counts})


def first_result(suite, number):
    """From the start of a process to its first result, inputs included."""
    path = program(suite.get("first_result", "") + "_benchmark")
    if path:
        start = time.monotonic_ns()
        there = int(run("tessera", [path, "--first-result"]) or start)
        records.append({"peer": "tessera", "case": canonical(suite["first_case"]), "round": number, "median_s": (there - start) * 1e-9})


def read(out):
    for line in out.splitlines():
        if line.startswith("{"):
            r = json.loads(line)
            check = r["check"] if r["check"] is not None and r["check"] >= 0 else None
            records.append({"peer": r["peer"], "case": label(r["name"], r["params"]), "round": r["round"],
                            "median_s": r["median_s"], **({} if check is None else {"check": check})})


def floors(suite, number):
    path, wanted = program("limits"), suite.get("floors")
    if wanted and not path:
        not_run["floor"] = "limits is not built (needs an x86 processor with AVX2)"
    elif wanted:
        read(run("floor", [path, "--only", wanted, "--budget", options.seconds, "--round", number], OMP_NUM_THREADS="2"))


def jax(suite, number):
    if not suite.get("jax") or "jax" in not_run:
        return
    for devices in suite.get("jax_devices", [8]):
        script = [f"jax_{suite['jax']}.py"] if suite["jax"] in ("derivatives", "models", "halves") else ["jax_bench.py", "--only", suite["jax"]]
        common = [options.peer_python, PEERS / script[0], *script[1:], "--devices", devices, "--budget", options.seconds, "--round", number]
        read(run("jax", common))
        if len(suite.get("jax_devices", [8])) == 1:
            read(run("jax+malloc", common + ["--peer", "jax+malloc"], **TUNED))


def torch(suite, number):
    if suite.get("torch") and "torch" not in not_run:
        one = suite["torch"] if suite["torch"] == "random" else "single"
        common = [options.peer_python, PEERS / "torch_bench.py", "--only", one, "--budget", options.seconds, "--round", number]
        read(run("torch1", common))
        read(run("torch1+malloc", common + ["--peer", "torch1+malloc"], **TUNED))
        if suite["torch"] != one:
            read(run("torch", [*common[:3], suite["torch"], "--n", 8, *common[4:]]))


def scipy(suite, number):
    if suite.get("scipy") and "scipy" not in not_run:
        read(run("scipy", [options.peer_python, PEERS / "scipy_bench.py", "--budget", options.seconds, "--round", number]))


def mpi(suite, number):
    if not suite.get("mpi"):
        return
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    for n in (2, 8):
        if "openmpi" not in not_run:
            read(run("openmpi", ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", 1, "-n", n,
                                 program("mpi_bench.openmpi"), "openmpi", options.seconds, number], **root))
        if "mpich" not in not_run:
            preload = ["-genv", "LD_PRELOAD", program("yield_shim.so")] if n == 8 else []
            read(run("mpich", ["mpirun.mpich", *preload, "-n", n, program("mpi_bench.mpich"), "mpich", options.seconds, number]))


def processes(suite, number):
    """Programs that mpiexec starts, as so many processes each, which share this machine's two cores; and those of peers."""
    start = cached("TESSERA_MPIEXEC")
    for name, counts in suite.get("processes", {}).items():
        path = program(name)
        if not path or not start:
            not_run[name] = "it is not built (needs MPI)"
            continue
        for n, *arguments in counts if number % 2 == 0 else reversed(counts):
            read(run(name, [start, "-n", n, path, options.seconds, number, *arguments], OMP_NUM_THREADS=str(max(1, 2 // n))))
    if suite.get("processes") and "jax" not in not_run:
        read(run("jax2", [options.peer_python, PEERS / "jax_processes.py", "--budget", options.seconds, "--round", number]))
    if suite.get("processes") and "torch" not in not_run:
        common = [options.peer_python, PEERS / "torch_bench.py", "--n", 2, "--budget", options.seconds, "--round", number]
        read(run("torch", [*common, "--only", "W3,W5"]))


def find_peers():
    for name in ("jax", "torch", "scipy"):
        if not has_module(name):
            not_run[name] = f"{options.peer_python} has no {name}"
    for name in ("openmpi", "mpich"):
        if not shutil.which("mpirun." + name) or not program("mpi_bench." + name):
            not_run[name] = f"no mpirun.{name}, or mpi_bench.{name} is not built"


def seconds(t):
    for unit, k in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if t * k >= 1 or unit == "us":
            return f"{t * k:.3g} {unit}"


class Cell:
    def __init__(self, rows):
        times = [r["median_s"] for r in rows]
        self.time, self.spread = min(times), max(times) / min(times) - 1
        checks = [r["check"] for r in rows if "check" in r]
        self.check = max(checks) if checks else None
        self.rows = rows


def collect():
    grouped = collections.defaultdict(list)
    for r in records:
        if "median_s" in r:
            grouped[r["peer"], r["case"]].append(r)
    return {key: Cell(rows) for key, rows in grouped.items()}


def tolerance(case):
    """Of the first entry whose first word begins the case, and whose other words are parameters of it."""
    for key, limit in DATA["tolerances"].items():
        prefix, *params = key.split(" ")
        if case.startswith(prefix) and set(params) <= set(case.split(" ")):
            return limit
    return None


def check_results(cells):
    for (peer, case), cell in cells.items():
        if peer == "tessera" and case.startswith(("steady", "W6.first_result")):  # counts, and what W6.block_grad checks
            continue
        limit = tolerance(case)
        if peer not in UNCHECKED and cell.check is None and canonical(case) in USED:
            failures.append(f"{peer} {case}: its result was not checked")
        if cell.check is not None and limit is not None and not cell.check <= limit:
            failures.append(f"{peer} {case}: differs by {cell.check}, more than {limit}")


def pairs(goal, key):
    for text in goal[key]:
        peer, _, case = text.partition(": ") if ": " in text else ("tessera", "", text)
        yield peer, canonical(case)


def judge(goal, cells):
    """(ratio or counts as text, met or None when not run, the reason or what was compared)"""
    if "not_run" in goal:
        return "not run", None, goal["not_run"]
    if "count" in goal:
        cell = cells.get(("tessera", canonical(goal["count"])))
        if not cell:
            return "not run", None, "its suite was not chosen"
        found = {c: max(int(r[c]) for r in cell.rows) for c in goal["counters"]}
        return ", ".join(f"{v} {c}" for c, v in found.items()), all(v <= goal["at_most"] for v in found.values()), goal["count"]
    mine = [(key, cells.get(key)) for key in pairs(goal, "ours")]
    other = [(key, cells[key]) for key in pairs(goal, "than") if key in cells]
    if not all(c for _, c in mine):
        return "not run", None, "ours was not run"
    if not other:
        absent = sorted({p for p, _ in pairs(goal, "than")})
        return "not run", None, "; ".join(f"{p}: {not_run.get(p.split('+')[0].rstrip('1'), 'not in the chosen suites')}" for p in absent)
    slowest = max(mine, key=lambda x: x[1].time)
    best = min(other, key=lambda x: x[1].time)
    limit = lambda t: t * goal.get("times", 1) + goal.get("plus_s", 0)
    bound = goal["quick"] if quick else goal.get("at_most")
    text = " ".join(f"{peer} {seconds(c.time)} ~{c.spread:.0%}" for (peer, _), c in (slowest, best))
    ratio, spread = slowest[1].time / limit(best[1].time), 1.0
    ratios = [] if quick else paired([c for _, c in mine], [c for _, c in other], limit)
    if ratios:
        ratio, spread = statistics.median(ratios), max(ratios) / min(ratios)
    firm = "" if spread <= FIRM else "?"
    return f"{ratio:.3g}" + (f" ~{spread - 1:.0%}{firm}" if len(ratios) > 1 else ""), None if bound is None else ratio <= bound, text


def paired(mine, other, limit):
    """The ratio of each round that measured both sides: the slowest of ours to the best of the others."""
    def by_round(cells, choose):
        times = collections.defaultdict(list)
        for cell in cells:
            for r in cell.rows:
                times[r["round"]].append(r["median_s"])
        return {number: choose(t) for number, t in times.items() if choose is min or len(t) >= len(cells)}
    ours_then, others_then = by_round(mine, max), by_round(other, min)
    return [ours_then[n] / limit(others_then[n]) for n in ours_then if n in others_then]


def tables(cells):
    peers = sorted({p for p, _ in cells}, key=lambda p: (p != "tessera", p))
    cases = sorted({c for p, c in cells if p not in UNCHECKED})
    print(f"\n{'case':52}" + "".join(f"{p:>20}" for p in peers))
    for case in cases:
        row = [cells.get((p, case)) for p in peers]
        print(f"{case:52}" + "".join(f"{(seconds(c.time) + f' ~{c.spread:.0%}') if c else '':>20}" for c in row))
    print(f"\n{'goal':>4}  {'what':58}{'ratio':>18}  {'target':>8}  met")
    busy = any(r["ratio"] < QUIET for r in records if r["peer"] == "probe")
    chosen = [g for g in DATA["goals"] if not quick or "quick" in g or ("count" in g and g.get("in_quick"))]
    for goal in chosen:
        value, met, text = judge(goal, cells)
        bound = goal.get("quick" if quick and "count" not in goal else "at_most", "")
        if quick and met is not True:
            failures.append(f"goal {goal['goal']}, {goal['what']}: {value}, at most {bound} ({text})")
        print(f"{goal['goal']:>4}  {goal['what']:58}{value:>18}  {('<= %.3g' % bound) if bound != '' else '':>8}  {('yes' if met else '-' if met is None else 'NO') + ('?' if met is not None and 'count' not in goal and (busy or value.endswith('?')) else ''):4}  {text}", flush=True)


USED = {canonical(case) for g in DATA["goals"] for key in ("ours", "than") if key in g for _, case in pairs(g, key)}
if options.as_users:
    require_users_build()
print(environment(), end="")
if not quick:
    find_peers()
for number in range(options.rounds):
    for name in options.suite:
        suite = DATA["suites"][name]
        wait_until_quiet(name, number)
        for part in (ours, floors) if quick else (ours, first_result, jax, floors, torch, scipy, mpi, processes):
            part(suite, number)
    if options.json:  # after each round: what was measured is kept whatever becomes of the next
        options.json.write_text("".join(json.dumps(r) + "\n" for r in records))
    print(f"round {number + 1} of {options.rounds} done", file=sys.stderr, flush=True)

cells = collect()
check_results(cells)
tables(cells)
for name, why in not_run.items():
    print(f"not run: {name}: {why}")
probes = [r["ratio"] for r in records if r["peer"] == "probe"]
if probes:
    print(f"two threads had {min(probes):.2f} to {max(probes):.2f} of two cores before the suites")
    if min(probes) < QUIET:
        print("NOT QUIET: other processes ran. Times of parallel cases are theirs as well; no goal counts as met or missed by this run.")
for failure in failures:
    print("FAILED " + failure)
sys.exit(1 if failures else 0)
