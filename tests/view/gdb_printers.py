# SPDX-License-Identifier: Apache-2.0
"""gdb_printers.py <program>: what include/tessera/gdb.py shows of the arrays of gdb_program.cpp. 77: no gdb is here."""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WANTED = {
    "split": "float32[8@dp,4@mp] = {0, 0.5, 2, 2.5, ",
    "flags": "bool[3] = {true, false, true}",
    "waves": "complex64[2] = {1-2j, 0+3j}",
    "halves": "bfloat16[2] = {1.5, -2}",
    "small": "float8_e4m3fn[4] = {1.5, -448, 0.001953125, nan}",
    "other": "float8_e5m2[2] = {1.5, -57344}",
    "whole": "int32[10] = {1, 2, 3, 4, 5, 6, 7, 8, ...}",
    "none": "bool[3], released or without a value",
    "extents": "(8, 4)",
}

if not shutil.which("gdb"):
    print("no gdb")
    sys.exit(77)
commands = ["set pagination off", "set print elements 8", "set debuginfod enabled off", f"source {ROOT}/include/tessera/gdb.py",
            "break look", "run", "up", *(f"print {name}" for name in WANTED)]
run = subprocess.run(["gdb", "-q", "-nx", "-batch", *(part for c in commands for part in ("-ex", c)), "--args", sys.argv[1]],
                     capture_output=True, text=True, timeout=120)
lines = [line.split(" = ", 1)[1] for line in run.stdout.splitlines() if line.startswith("$")]
if len(lines) != len(WANTED) and "ptrace" in run.stderr + run.stdout:
    print("gdb may not run a program here")
    sys.exit(77)
wrong = [f"{name}: {got!r}, not {want!r}" for (name, want), got in zip(WANTED.items(), lines) if not got.startswith(want)]
if wrong or len(lines) != len(WANTED):
    print("\n".join(wrong), run.stdout, run.stderr, sep="\n")
    sys.exit(1)
