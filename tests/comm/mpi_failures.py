# SPDX-License-Identifier: Apache-2.0
"""mpi_failures.py <failing_program> <mpiexec> <flag>...: one rank of an MPI job fails, in each way that there is. The others must say
which one it was, what they waited for and where in the program, and end: the job with an error, in time, leaving nothing.
At night again and again, at any moment.

An mpiexec that sees a rank die ends the others at once, and what they say is lost: then only the end is asked for. The
same once more behind a shell, which keeps the death from mpiexec for four seconds: the others say it within one, but not where a
busy machine has only just started them."""

import os
import pathlib
import random
import subprocess
import sys
import time

PROGRAM, *START = sys.argv[1:]
DEADLINE = 2.0  # seconds
SLACK = 8.0     # of a busy machine
LABELS = ("gradients, model.cpp:17", "loss, model.cpp:31", "something else, model.cpp:99")

WAYS = {  # what the others say of rank 1
    "kill": "its process has ended",
    "quick_exit": "its process has ended",
    "throw": "its process has ended",
    "exit": "it has left",
    "stop": "stopped by a signal",
    "stuck": "did not end within",
    "different": "disagree",
    "longer": "disagree",
}

DEATHS = ("kill", "quick_exit", "throw")
SHELL = ["sh", "-c", '"$@"; code=$?; test $code = 0 || sleep 4; exit $code', "sh"]

problems = []


def shared():
    return {path.name for pattern in ("tessera-*", "mpich_shm_*") for path in pathlib.Path("/dev/shm").glob(pattern)}


BEFORE = shared()


def left_over():
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if PROGRAM.encode() in (folder / "cmdline").read_bytes().split(b"\0")[:1]:
                found.append(folder.name)
        except OSError:
            pass
    return found


def run(name, arguments, expected, shell=(), **environment):
    begin = time.monotonic()
    job = subprocess.Popen(
        [*START, "-n", "3", *shell, PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "TESSERA_DEADLINE": str(DEADLINE), **environment}, start_new_session=True)
    try:
        output, _ = job.communicate(timeout=DEADLINE + SLACK)
    except subprocess.TimeoutExpired:
        job.kill()
        problems.append(f"{name}: hangs")
        return
    text = output.decode(errors="replace")
    wrong = []
    if job.returncode == 0:
        wrong.append("ended as if all were well")
    if expected and not any(part in text for part in expected):
        wrong.append(f"nobody says {' or '.join(expected)!r}")
    if expected and not any(label in text for label in LABELS):
        wrong.append("nobody says what waited for it")
    until = time.monotonic() + 2
    while left_over() and time.monotonic() < until:
        time.sleep(0.05)
    if left_over():
        wrong.append(f"still there: processes {' '.join(left_over())}")
    if wrong:
        problems.append(f"{name}: {'; '.join(wrong)}; after {time.monotonic() - begin:.1f} s it had printed\n{text}")


for way, said in WAYS.items():
    for caught in ([], ["caught"]):
        name = ", ".join([way, *caught])
        # Who has caught what it threw leaves as if all were well.
        expected = [said, "it has left"] if caught else [said]
        if way in DEATHS:
            run(name, [way, *caught], [])
            run(f"{name}, behind a shell", [way, *caught], expected, SHELL)
        else:
            run(name, [way, *caught], expected)

if os.environ.get("TESSERA_NIGHTLY"):
    random.seed(18)
    for way, times, shell in (("kill", 100, ()), ("kill", 100, SHELL), ("stop", 50, ())):
        for number in range(times):
            rank, moment = random.randrange(3), random.randrange(1, 300_000)
            expected = [f"rank {rank} (", f"of the job rank {rank},"] if shell or way == "stop" else []
            run(f"{way} of rank {rank} after {moment} us", ["at_any_moment"], expected, shell,
                FAILURE=way, FAILING_RANK=str(rank), FAILING_AFTER=str(moment))

until = time.monotonic() + 5  # another test's job may just begin
while shared() - BEFORE and time.monotonic() < until:
    time.sleep(0.1)
if left := shared() - BEFORE:
    problems.append(f"shared memory is left: {' '.join(sorted(left))}")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
