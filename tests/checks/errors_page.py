# SPDX-License-Identifier: Apache-2.0
"""errors_page.py <build tree> [g++|clang|nvcc] [--fix]: in docs/errors.md each error's code is that of its misuse test,
and its message the one of this compiler, which the misuse tests have left in the build tree; without a compiler's name,
of each that has left its messages. --fix rewrites both; the prose under a heading stays."""

import pathlib
import re
import sys
import textwrap

from misuse_file import MisuseFile
from report import ROOT, finish, skip

WIDTH = 120
VERSION = {"g++": "g++ 12", "clang": "clang 19", "nvcc": "nvcc 13"}
# What stays of a message: the sentence, the error's type with its facts, and the user's line; the rest is about the
# library. Line numbers in headers go, and the types of the call that the user's line is.
HEADER = r"^(include/[\w/.]+)"
STAYS = {
    "g++": [(HEADER + r"(?::\d+)*: (.*\berror: .*|In instantiation of .*::explain\(\).*)", r"\1: \2"),
            ("^({user}:.*)", r"\1")],
    "clang": [(HEADER + r"(?::\d+)*: (error: .*|note: in instantiation of .*::explain' .*)", r"\1: \2"),
              ("^({user}:.*note: ).*( requested here)", r"\1...\2")],
    "nvcc": [(HEADER + r"\(\d+\): (error: .*)", r"\1: \2"),
             (r'^ +(instantiation of ".*::explain\(\).*") at line \d+ of (include/.*)', r"\1 at \2"),
             (r"^ +instantiation of .*( at line \d+ of {user})", r"instantiation of ...\1")],
}

page = ROOT / "docs" / "errors.md"
tests = [MisuseFile(path) for path in sorted((ROOT / "tests" / "error").glob("*_misuse.cpp"))]
arguments = [word for word in sys.argv[1:] if word != "--fix"]
folder = pathlib.Path(arguments[0]) / "misuse"


def shortened(output, test, family):
    """Keeps what the message says and where the user's file stands; `...` for the rest."""
    kept = []
    output = re.sub(r"\bauto:\d+", "auto", output.replace(f"{ROOT}/", ""))  # g++ numbers the autos of the whole file
    for line in output.splitlines():
        for pattern, text in STAYS[family]:
            found = re.search(pattern.format(user=re.escape(f"tests/error/{test.path.name}")), line)
            if found:
                line = found.expand(text)
                kept += textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
                break
        else:
            if kept and kept[-1] != "...":
                kept.append("...")
    return "\n".join(kept).removesuffix("\n...") + "\n"


def block(text):
    return f"```text\n{text}```\n\n"


def says(family):
    return f"{VERSION[family]} says:" if family == "g++" else f"<details><summary>{VERSION[family]} says</summary>"


def section(test, prose, messages):
    path = f"tests/error/{test.path.name}"
    text = f"## {test.name}\n\n{prose}\n\nWrong, in line {test.wrong_lines[-1]} of [{path}](../{path}):\n\n"
    text += block(test.code(test.wrong))
    if "g++" in messages:
        text += f"{says('g++')}\n\n{block(messages['g++'])}"
    text += f"Right:\n\n{block(test.code(test.right))}"
    for family in ["clang", "nvcc"]:
        if family in messages:
            text += f"{says(family)}\n\n{block(messages[family])}</details>\n\n"
    return text


def shown(text):
    """The messages of a section as they stand on the page."""
    found = {}
    for family in VERSION:
        message = re.search(rf"^{re.escape(says(family))}\n\n```text\n(.*?)```", text, re.M | re.S)
        if message:
            found[family] = message[1]
    return found


# Of each compiler that has left its messages, and is the one that the page is about.
messages, missing = {}, []
for family in arguments[1:] or VERSION:
    kept = {test.name: folder / f"{test.name}.{family}.txt" for test in tests}
    absent = [path for path in kept.values() if not path.exists()]
    said = {path.read_text().split("\n", 1)[0] for path in kept.values() if path.exists()}
    if absent:
        missing.append(f"no {absent[0]}: a misuse test by {family} has not run, or had no compiler")
    elif not all(version.startswith(VERSION[family] + ".") for version in said):
        missing.append(f"the page shows what {VERSION[family]} says, and this is {', '.join(said)}")
    else:
        messages[family] = {test.name: shortened(kept[test.name].read_text(), test, family) for test in tests}
for reason in missing:
    print(reason)
if not messages:
    skip("no messages to compare")

text = page.read_text()
problems = []
for test in tests:
    found = re.search(rf"^## {test.name}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    prose = found and found[1].split("\nWrong, in")[0].strip()
    if not prose:
        problems.append(f"no `## {test.name}` with a sentence on what it means")
        continue
    wanted = section(test, prose, shown(found[0]) | {family: of[test.name] for family, of in messages.items()})
    if found[0].rstrip("\n") != wanted.rstrip("\n"):
        problems.append(f"## {test.name} is stale; it should be:\n{wanted}")
        text = text[: found.start()] + wanted + text[found.end() :]
if problems and "--fix" in sys.argv:
    page.write_text(text.rstrip("\n") + "\n")
elif problems:
    problems.append(f"python3 tests/checks/errors_page.py {' '.join(arguments)} --fix puts this right")
finish(problems, f"{len(tests)} errors against {', '.join(VERSION[family] for family in messages)}")
