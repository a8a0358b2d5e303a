# SPDX-License-Identifier: Apache-2.0
"""killed_ranks.py <saving_program> <mpiexec> <flag>...: of four processes that save again and again one is killed at a random
moment. Each time the last checkpoint is there and whole, read by one process or by two."""

import os
import random
import re
import subprocess
import sys
import tempfile

PROGRAM, *START = sys.argv[1:]
KILLS = 250 if os.environ.get("TESSERA_NIGHTLY") else 10

random.seed(5)
problems = []
turn = 0
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "run")
    for kill in range(KILLS):
        environment = {**os.environ, "KILLED_RANK": str(random.randrange(4)), "KILLED_AFTER": str(random.randrange(1, 120000)),
                       "FIRST_TURN": str(turn + 1), "TESSERA_DEADLINE": "20"}
        saving = subprocess.run([*START, "-n", "4", PROGRAM, "save", path], env=environment, capture_output=True, text=True, timeout=120)
        if saving.returncode == 0:
            problems.append(f"kill {kill}: the job ended well")
        ranks = random.choice(("1", "2"))
        checked = subprocess.run([*START, "-n", ranks, PROGRAM, "check", path], capture_output=True, text=True, timeout=120)
        found = re.search(r"^turn (\d+) whole$", checked.stdout, re.M)
        if checked.returncode or not found or int(found[1]) < turn + 1:
            problems.append(f"kill {kill}: after turn {turn}: {checked.stdout}{checked.stderr}{saving.stderr}")
            break
        turn = int(found[1])
print(f"{KILLS} kills, {turn} turns")
sys.exit("\n".join(problems) or 0)
