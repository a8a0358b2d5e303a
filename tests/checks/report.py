# SPDX-License-Identifier: Apache-2.0
"""What the checks share: where the repository is, and how a check ends."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ROOT / "include" / "tessera"
SKIPPED = 77  # ctest shows a test that exits so as skipped


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(SKIPPED)


def finish(problems, checked):
    """Prints each problem and exits 1, or says what was checked."""
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problem(s); checked {checked}")
    if not problems and checked.startswith("0 "):
        print("nothing to check is a problem as well: did a folder move?")
        sys.exit(1)
    sys.exit(1 if problems else 0)


def relative(path):
    return str(path.relative_to(ROOT))
