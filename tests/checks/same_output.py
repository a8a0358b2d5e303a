# SPDX-License-Identifier: Apache-2.0
"""same_output.py [--fix] [--rounded] <file> <program> [argument...]: the program succeeds and prints what the file says; --fix writes
the file. With --rounded a decimal number may differ by one in its last digit: processors sum in another order, and what is half of
a digit goes up on one of them."""

import decimal
import difflib
import pathlib
import re
import subprocess
import sys

DECIMAL = re.compile(r"-?\d+\.\d+")


def same(expected, printed, rounded):
    if expected == printed or not rounded:
        return expected == printed
    numbers = [[decimal.Decimal(n) for n in DECIMAL.findall(text)] for text in (expected, printed)]
    near = all(e.as_tuple().exponent == p.as_tuple().exponent and abs(e - p) <= decimal.Decimal(1).scaleb(e.as_tuple().exponent) for e, p in zip(*numbers))
    return near and DECIMAL.sub("#", expected) == DECIMAL.sub("#", printed)


arguments = sys.argv[1:]
fix, rounded = (option in arguments[:2] for option in ("--fix", "--rounded"))
file, *command = arguments[fix + rounded :]
run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
if run.returncode:
    sys.exit(f"{run.stdout}\n{command[0]}: exit status {run.returncode}")
if fix:
    pathlib.Path(file).write_text(run.stdout)
expected = pathlib.Path(file).read_text()
difference = difflib.unified_diff(expected.splitlines(True), run.stdout.splitlines(True), file, command[0])
if same(expected, run.stdout, rounded):
    sys.exit()
sys.stdout.writelines(difference)
sys.exit(f"the output differs; if it should: same_output.py --fix {file} {command[0]}")
