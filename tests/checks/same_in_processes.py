# SPDX-License-Identifier: Apache-2.0
"""same_in_processes.py [--exact] <counts> <mpiexec> [option...] -- <program> [argument...]: the program succeeds as each of
these numbers of processes, 1,2,4, and prints the same as by itself: --exact to the letter, with TESSERA_REPRODUCIBLE; else
the same words, and numbers that are as good as equal."""

import os
import re
import subprocess
import sys

ABSOLUTE, RELATIVE = 1 / 449 + 1e-3, 1e-3  # one of the held-out digits may fall on the other side
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
TINY = re.compile(r"differ by \S+ at most")  # of rounding

arguments = sys.argv[1:]
exact = arguments[0] == "--exact"
counts, *rest = arguments[1:] if exact else arguments
split = rest.index("--")
launcher, program = rest[:split], rest[split + 1 :]
environment = dict(os.environ, **({"TESSERA_REPRODUCIBLE": "1"} if exact else {}))


def output(command):
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment)
    if run.returncode:
        sys.exit(f"{run.stdout}\n{' '.join(command)}: exit status {run.returncode}")
    return run.stdout


def alike(one, other):
    one, other = TINY.sub("", one), TINY.sub("", other)
    if exact or NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return one == other
    pairs = zip(map(float, NUMBER.findall(one)), map(float, NUMBER.findall(other)))
    return all(abs(a - b) <= max(ABSOLUTE, RELATIVE * abs(a)) for a, b in pairs)


alone = output(program)
print(alone)
for count in counts.split(","):
    together = output([*launcher, "-n", count, *program])
    for one, other in zip((alone + "\n").splitlines(), (together + "\n").splitlines()):
        if not alike(one, other):
            sys.exit(f"as {count} processes:\n  {other}\nby itself:\n  {one}")
    if len(alone.splitlines()) != len(together.splitlines()):
        sys.exit(f"as {count} processes:\n{together}\nby itself:\n{alone}")
    print(f"as {count} processes: the same")
