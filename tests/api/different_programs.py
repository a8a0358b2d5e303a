#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""different_programs.py <different_program> <mpiexec> <flag>...: one of several processes goes its own way, in each way that there
is. All must end in time with an error that names it and a line of the program. At night 50 times."""

import os
import subprocess
import sys
import time

PROGRAM, *START = sys.argv[1:]
DEADLINE, SLACK = 3.0, 12.0  # seconds; the latter of a busy machine
WAYS = ("op", "shape", "order", "more", "fewer", "mesh")
LINE = "different_program.cpp:"

problems = []
turns = 50 if os.environ.get("TESSERA_NIGHTLY") else len(WAYS)
longest = 0.0
for turn in range(turns):
    how, ranks = WAYS[turn % len(WAYS)], (2, 4)[turn // len(WAYS) % 2]
    begin = time.monotonic()
    try:
        done = subprocess.run([*START, "-n", str(ranks), PROGRAM, how], capture_output=True, text=True, timeout=DEADLINE + SLACK,
                              env={**os.environ, "TESSERA_DEADLINE": str(DEADLINE)})
    except subprocess.TimeoutExpired:
        problems.append(f"{how}, {ranks} processes: hangs")
        continue
    longest = max(longest, time.monotonic() - begin)
    text = done.stdout + done.stderr
    who = (f"process {ranks - 1} does not", f"rank {ranks - 1} (", f"rank {ranks - 1} of the job")
    wrong = []
    if done.returncode == 0:
        wrong.append("ended as if all were well")
    if not any(name in text for name in who):
        wrong.append(f"nobody says {' or '.join(who)}")
    if LINE not in text:
        wrong.append("nobody names a line")
    if wrong:
        problems.append(f"{how}, {ranks} processes: {'; '.join(wrong)}; it had printed\n{text}")
for problem in problems:
    print(problem)
print(f"{turns} runs, {len(problems)} wrong, the longest took {longest:.1f} s")
sys.exit(1 if problems else 0)
