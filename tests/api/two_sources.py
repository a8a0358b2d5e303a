#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""two_sources.py <program> <the same from another source> <mpiexec> <flag>...: ranks of both are one job. Where they compute something
else, both say so, with the line; what is the same runs."""

import os
import subprocess
import sys

ONE, OTHER, *START = sys.argv[1:]
DIFFERENT = {  # what the sentence has of each
    "literal": ("literal", " 2", " 3"),
    "whole": ("literal", " 2", " 3"),
    "parameter": ("slice", "start=(0,5)", "start=(0,4)"),
    "eager": ("number 2", "number 3"),
    "given": ("number 2", "number 3"),
}

problems = []
for how in (*DIFFERENT, "same"):
    try:
        done = subprocess.run([*START, "-n", "1", ONE, how, ":", *START[1:], "-n", "1", OTHER, how], capture_output=True, text=True,
                              timeout=60, env={**os.environ, "TESSERA_DEADLINE": "10"})
    except subprocess.TimeoutExpired:
        problems.append(f"{how}: hangs")
        continue
    text = done.stdout + done.stderr
    wrong = []
    if how == "same":
        if done.returncode != 0 or done.stdout.split() != ["24", "24"]:
            wrong.append("does not run")
    else:
        if done.returncode == 0:
            wrong.append("ended as if all were well")
        line = "multiply: " if how == "eager" else "two_sources_program.cpp:"
        for part in ("run different programs", line, *DIFFERENT[how]):
            if part not in text:
                wrong.append(f"nobody says {part!r}")
    if wrong:
        problems.append(f"{how}: {'; '.join(wrong)}; it had printed\n{text}")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
