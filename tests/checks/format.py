# SPDX-License-Identifier: Apache-2.0
"""Every C++ file is as clang-format 14 writes it; `python3 tests/checks/format.py --fix` rewrites those that are not."""

import re
import shutil
import subprocess
import sys

from report import ROOT, finish, skip


def clang_format_14():
    for name in ("clang-format-14", "clang-format"):
        program = shutil.which(name)
        if program and re.search(r"version 14\.", subprocess.run([program, "--version"], capture_output=True, text=True).stdout):
            return program
    skip("no clang-format 14 (other versions format differently): apt install clang-format-14")


program = clang_format_14()
files = sorted(f for folder in ("include", "tests", "examples", "benchmarks") for f in (ROOT / folder).rglob("*.[ch]pp"))
if "--fix" in sys.argv:
    subprocess.run([program, "-i", *map(str, files)], check=True)
problems = []
for start in range(0, len(files), 50):
    run = subprocess.run([program, "--dry-run", "--ferror-limit=1", *map(str, files[start : start + 50])], cwd=ROOT, capture_output=True, text=True)
    problems += sorted({line.replace(str(ROOT) + "/", "") for line in run.stderr.splitlines() if "[-Wclang-format-violations]" in line})
if problems:
    problems.append("python3 tests/checks/format.py --fix puts this right")
finish(problems, f"{len(files)} files")
