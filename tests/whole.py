#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""whole.py <preset> [<part>/<parts>]: configures and builds a preset, runs its tests, or every <parts>-th of them from the
<part>-th on, and prints the row of tests/README.md. What is built stays: the next part begins with the tests.

Of `nightly` the tests named nightly.<preset> are left out, since those presets are run by themselves."""

import datetime
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def minutes(since):
    return round((time.monotonic() - since) / 60)


def main(preset, part="1/1"):
    first, parts = map(int, part.split("/"))
    if not 1 <= first <= parts:
        raise SystemExit(f"{part}: a part is 1/3, 2/3 or 3/3")
    began = time.monotonic()
    for step in (["cmake", "--preset", preset], ["cmake", "--build", "--preset", preset]):
        if subprocess.run(step, cwd=ROOT).returncode:
            raise SystemExit(f"{' '.join(step)} failed after {minutes(began)} min")
    built, began = minutes(began), time.monotonic()
    tests = ["ctest", "--preset", preset, "-I", f"{first},,{parts}"]
    if preset == "nightly":
        tests += ["-LE", "^nightly$"]
    said = []
    with subprocess.Popen(tests, cwd=ROOT, stdout=subprocess.PIPE, text=True, errors="replace") as run:
        for line in run.stdout:
            print(line, end="", flush=True)
            said.append(line)
    counts = re.search(r"(\d+) tests failed out of (\d+)", "".join(said))
    skipped = sum("***Skipped" in line or "(Disabled)" in line for line in said if "Test " in line)
    result = f"{counts[2]} tests, {counts[1]} failed, {skipped} skipped" if counts else "ctest did not end"
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    name = preset if parts == 1 else f"{preset} {part}"
    print(f"\n| {name} | {datetime.date.today()} | {commit}{' and changes' if changed else ''} | {built} min | {minutes(began)} min | {result} |")
    return run.returncode


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
