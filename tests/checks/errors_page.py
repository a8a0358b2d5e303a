# SPDX-License-Identifier: Apache-2.0
"""errors_page.py <build tree> [--fix]: in docs/errors.md each error's code is that of its misuse test, and its message the
one of g++ 12, which the misuse tests have left in the build tree. --fix rewrites both; the prose under a heading stays."""

import pathlib
import re
import sys
import textwrap

from misuse_file import MisuseFile
from report import ROOT, finish, skip

COMPILER = "g++ 12"
WIDTH = 120

page = ROOT / "docs" / "errors.md"
tests = [MisuseFile(path) for path in sorted((ROOT / "tests" / "error").glob("*_misuse.cpp"))]


def shortened(output, test):
    """Keeps what the message says and where the user's file stands; `...` for the rest, which is about the library."""
    kept = []
    output = re.sub(r"\bauto:\d+", "auto", output.replace(f"{ROOT}/", ""))  # g++ numbers the autos of the whole file
    for line in output.splitlines():
        mine = line.startswith(f"tests/error/{test.path.name}:")
        if mine or " error: " in line or ("In instantiation of" in line and "::explain()" in line):
            line = line if mine else re.sub(r"^(include/[\w/.]+?)(:\d+)+: ", r"\1: ", line)
            kept += textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        elif kept and kept[-1] != "...":
            kept.append("...")
    return "\n".join(kept) + "\n"


def section(test, prose, output):
    def block(text):
        return f"```text\n{text}```\n\n"

    path = f"tests/error/{test.path.name}"
    return (f"## {test.name}\n\n{prose}\n\nWrong, in line {test.wrong_lines[-1]} of [{path}](../{path}):\n\n{block(test.code(test.wrong))}"
            f"{COMPILER} says:\n\n{block(shortened(output, test))}Right:\n\n{block(test.code(test.right))}").rstrip("\n") + "\n"


outputs = {}
for test in tests:
    kept = pathlib.Path(sys.argv[1]) / "misuse" / f"{test.name}.txt"
    if not kept.exists():
        skip(f"no {kept}: the test misuse.{test.name}.g++ has not run, or had no compiler")
    version, outputs[test.name] = kept.read_text().split("\n", 1)
    if not version.startswith(f"{COMPILER}."):
        skip(f"the page shows what {COMPILER} says, and this is {version}")

text = page.read_text()
problems = []
for test in tests:
    found = re.search(rf"^## {test.name}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    prose = found and found[1].split("\nWrong, in")[0].strip()
    if not prose:
        problems.append(f"no `## {test.name}` with a sentence on what it means")
        continue
    wanted = section(test, prose, outputs[test.name])
    if found[0].rstrip("\n") + "\n" != wanted:
        problems.append(f"## {test.name} is stale; it should be:\n{wanted}")
        text = text[: found.start()] + wanted + "\n" * (found.end() < len(text)) + text[found.end() :]
if problems and "--fix" in sys.argv:
    page.write_text(text.rstrip("\n") + "\n")
elif problems:
    problems.append(f"python3 tests/checks/errors_page.py {sys.argv[1]} --fix puts this right")
finish(problems, f"{len(tests)} errors against {version}")
