# SPDX-License-Identifier: Apache-2.0
"""mpi_joins.py <joining_program> <mpi_faults library> <mpiexec> <flag>...: one rank of an MPI job stops or leaves before it joins, or a
call of MPI fails, stops its rank or ends it. All must end in time, with a message that says why, and leave nothing.
A few such faults by day; at night each call of each function that the program makes."""

import concurrent.futures
import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, FAULTS, *START = sys.argv[1:]
RANKS, BAD = 3, 1
DEADLINE = 2.0  # seconds
SLACK = 20.0    # of a busy machine
AT_ONCE = 4
NIGHTLY = bool(os.environ.get("TESSERA_NIGHTLY"))

# What frees or only names things: the program may go on without.
HARMLESS = {"MPI_Comm_free", "MPI_Comm_free_keyval", "MPI_Group_free", "MPI_Op_free", "MPI_Get_library_version", "MPI_Error_string",
            "MPI_Abort", "MPI_Finalized", "MPI_Finalize"}

numbers = itertools.count()


def shared():
    return {path.name for pattern in ("tessera*", "mpich_shm_*") for path in pathlib.Path("/dev/shm").glob(pattern)}


def processes_of(tag):
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if tag.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def run(name, arguments=(), expected=(), may_end_well=False, shell=(), **environment):
    """A problem's text, or None."""
    tag = f"run:{os.getpid()}:{next(numbers)}"
    begin = time.monotonic()
    job = subprocess.Popen(
        [*START, "-n", str(RANKS), *shell, "env", f"LD_PRELOAD={FAULTS}", PROGRAM, *arguments, tag],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0", "TESSERA_DEADLINE": str(DEADLINE), "FAULT_RANK": str(BAD), **environment}, start_new_session=True)
    wrong = []
    try:
        output, _ = job.communicate(timeout=3 * DEADLINE + SLACK)
    except subprocess.TimeoutExpired:
        wrong.append("hangs")
        for process in processes_of(tag):
            os.kill(process, signal.SIGKILL)
        output, _ = job.communicate()
    took = time.monotonic() - begin
    text = output.decode(errors="replace")
    well = job.returncode == 0 and text.count("is through") == RANKS
    if job.returncode == 0 and not (may_end_well and well):
        wrong.append("ended as if all were well")
    if not well and expected and not any(re.search(part, text) for part in expected):
        wrong.append(f"nobody says {' or '.join(expected)}")
    until = time.monotonic() + 2
    while processes_of(tag) and time.monotonic() < until:
        time.sleep(0.05)
    if left := processes_of(tag):
        wrong.append(f"still there: processes {left}")
        for process in left:
            os.kill(process, signal.SIGKILL)
    if not wrong:
        return None
    return f"{name}: {'; '.join(wrong)}; after {took:.1f} s it had printed\n{text}"


def calls():
    """How often the bad rank calls each function."""
    with tempfile.TemporaryDirectory() as folder:
        if problem := run("without a fault", may_end_well=True, FAULT_COUNTS=f"{folder}/calls"):
            sys.exit(problem)
        lines = pathlib.Path(f"{folder}/calls.{BAD}").read_text().splitlines()
    return {name: int(count) for name, count in (line.split() for line in lines)}


NAMED = [rf"rank {BAD}\b"]
# mpiexec ends all ranks at once where one has died, and says so itself, or says nothing. This keeps the death from it for a while.
QUIET = ["sh", "-c", f'"$@"; code=$?; test "${{PMI_RANK:-$OMPI_COMM_WORLD_RANK}}" = {BAD} && sleep 3; exit $code', "sh"]
# Calls that are made until something has come: as many are sure.
ASKED_AGAIN = {"MPI_Test": 20}


def jobs():
    yield dict(name="stops before it joins", arguments=(str(BAD), "stop"), expected=[rf"rank {BAD} .*stopped by a signal"])
    yield dict(name="leaves before it joins", arguments=(str(BAD), "exit"), expected=[rf"rank {BAD}: no process"])
    yield dict(name="leaves before it joins, behind a shell", arguments=(str(BAD), "exit"), expected=NAMED, shell=QUIET)
    known = calls()
    for function, count in known.items():
        count = min(count, ASKED_AGAIN.get(function, count))
        for number in range(1, count + 1) if NIGHTLY else sorted({1, count}):
            for fault in ("fail", "stop", "exit", "kill"):
                first = function in ("MPI_Init_thread", "MPI_Test", "MPI_Comm_idup")
                if not NIGHTLY and (fault == "kill" or (fault != "fail" and number != (1 if first else count))):
                    continue
                # At night also by a program that loses its errors.
                for arguments in ((), ("lost",)) if NIGHTLY and fault in ("fail", "stop") else ((),):
                    yield dict(name=" ".join((fault, "at call", str(number), "of", function, *arguments)), arguments=arguments,
                               FAULT=fault, FAULT_FUNCTION=function, FAULT_CALL=str(number),
                               expected=[function, "MPI error", *NAMED] if fault == "fail" else NAMED,
                               shell=QUIET if fault in ("exit", "kill") else (),
                               may_end_well=function in HARMLESS and fault == "fail")


before = shared()
begin = time.monotonic()
only = os.environ.get("MPI_JOINS_ONLY", "")
chosen = [job for job in jobs() if only in job["name"]]
with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
    problems = [problem for problem in pool.map(lambda job: run(**job), chosen) if problem]
until = time.monotonic() + 5  # another test's job may just begin
while shared() - before and time.monotonic() < until:
    time.sleep(0.1)
if left := shared() - before:
    problems.append(f"shared memory is left: {' '.join(sorted(left))}")
for problem in problems:
    print(problem)
print(f"{len(chosen)} faults, {len(problems)} problems, {time.monotonic() - begin:.0f} s")
sys.exit(1 if problems else 0)
