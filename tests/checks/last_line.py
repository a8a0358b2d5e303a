# SPDX-License-Identifier: Apache-2.0
"""last_line.py <regular expression> <program> [argument...]: the program succeeds and its last line matches."""

import re
import subprocess
import sys

pattern, *command = sys.argv[1:]
run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
print(run.stdout)
last = (run.stdout.rstrip("\n").splitlines() or [""])[-1]
if run.returncode or not re.fullmatch(pattern, last):
    sys.exit(f"exit status {run.returncode}; the last line must match: {pattern}")
