# SPDX-License-Identifier: Apache-2.0
"""same_output.py [--fix] <file> <program> [argument...]: the program succeeds and prints what the file says; --fix writes the file."""

import difflib
import pathlib
import subprocess
import sys

arguments = sys.argv[1:]
fix = arguments[0] == "--fix"
file, *command = arguments[1:] if fix else arguments
run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
if run.returncode:
    sys.exit(f"{run.stdout}\n{command[0]}: exit status {run.returncode}")
if fix:
    pathlib.Path(file).write_text(run.stdout)
expected = pathlib.Path(file).read_text()
difference = difflib.unified_diff(expected.splitlines(True), run.stdout.splitlines(True), file, command[0])
sys.stdout.writelines(difference)
sys.exit(0 if expected == run.stdout else f"the output differs; if it should: same_output.py --fix {file} {command[0]}")
