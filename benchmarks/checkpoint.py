# SPDX-License-Identifier: Apache-2.0
"""checkpoint.py [--build TREE] [--mib N] [--rounds N] [--folder FOLDER]: save and restore beside the disk itself, NumPy and
Python's safetensors package, in turns, in another order each time, since
a disk may be faster at first; medians, and ratios to the disk. What is not installed is named and left out."""

import argparse
import functools
import importlib.util
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
parser.add_argument("--mib", type=int, default=256)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--folder", default=None, help="on the disk that is measured")
options = parser.parse_args()

PROGRAM = next((p for p in (options.build / "benchmarks/checkpoint_benchmark", options.build / "checkpoint_benchmark") if p.exists()), None)
if not PROGRAM:
    sys.exit(f"no checkpoint_benchmark in {options.build}")
PARTS, COLUMNS = 8, 4096
seconds = {}


def note(name, value):
    seconds.setdefault(name, []).append(value)


def forced(path):
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.close(file)


def forget(path):
    file = os.open(path, os.O_RDONLY)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def timed(name, f):
    begin = time.monotonic()
    result = f()
    note(name, time.monotonic() - begin)
    return result


def ours(folder, case):
    run = subprocess.run([PROGRAM, "--benchmark_format=json", "--benchmark_min_time=0.001", f"--benchmark_filter=^{case}/"], stdout=subprocess.PIPE, text=True, check=True,
                         env={**os.environ, "TMPDIR": folder, "TESSERA_CHECKPOINT_MIB": str(options.mib)})
    for case in json.loads(run.stdout)["benchmarks"]:
        note(case["name"].split("/")[0], case["real_time"] / 1000)


def arrays():
    import numpy as np

    rows = options.mib * (1 << 20) // PARTS // COLUMNS // 4
    return {f"{i}": (np.arange(rows * COLUMNS, dtype=np.float32) % 8191 / 8191).reshape(rows, COLUMNS) for i in range(PARTS)}


def numpy_peer(folder):
    import numpy as np

    tree = arrays()

    def save():
        for name, x in tree.items():
            np.save(f"{folder}/{name}.npy", x)
            forced(f"{folder}/{name}.npy")

    timed("numpy save", save)
    for name in tree:
        forget(f"{folder}/{name}.npy")
    timed("numpy load", lambda: [np.load(f"{folder}/{name}.npy") for name in tree])
    for name in tree:
        os.remove(f"{folder}/{name}.npy")


def safetensors_peer(folder):
    from safetensors.numpy import load_file, save_file

    path, tree = f"{folder}/x.safetensors", arrays()
    timed("safetensors save", lambda: (save_file(tree, path), forced(path)))
    forget(path)
    timed("safetensors load", lambda: load_file(path))
    os.remove(path)


cases = [*(functools.partial(ours, case=case) for case in ("write_floor", "save", "save_async", "read_floor", "restore"))]
for module, peer in (("numpy", numpy_peer), ("safetensors", safetensors_peer)):
    if importlib.util.find_spec(module):
        cases.append(peer)
    else:
        print(f"{module} is not installed")

folder = tempfile.mkdtemp(dir=options.folder)
try:
    for _ in range(options.rounds):
        random.shuffle(cases)
        for case in cases:
            case(folder)
finally:
    shutil.rmtree(folder, ignore_errors=True)

floor = {"write": statistics.median(seconds["write_floor"]), "read": statistics.median(seconds["read_floor"])}
print(f"{options.mib} MiB, medians of {options.rounds} rounds in {options.folder or tempfile.gettempdir()}")
for name, values in seconds.items():
    middle = statistics.median(values)
    of = "read" if name in ("read_floor", "restore") or name.endswith("load") else "write"
    ratio = "" if name == "save_async" else f"  {floor[of] / middle:5.2f} of the disk's speed"
    print(f"{name:18} {middle * 1000:9.2f} ms  {options.mib / 1024 / middle:6.2f} GiB/s{ratio}")
