# SPDX-License-Identifier: Apache-2.0
"""Each name that the headers declare in namespace tessera stands once in the first column of a table of docs/reference.md,
and each name there is declared by a header. --fix adds what is missing to the table that its header's other names are in."""

import collections
import re
import sys

from public_names import public_names
from report import ROOT, finish

PAGE = ROOT / "docs" / "reference.md"
INSIDE = "Inside the library"
ROW = re.compile(r"^\| (`[^|]*`) \|([^|]*)\|([^|]*)\|$")

names = public_names()
lines = PAGE.read_text().splitlines()
heading, problems, missing = "", [], []
rows = collections.defaultdict(list)  # name: (heading, number of its line)
for number, line in enumerate(lines, 1):
    if line.startswith("## "):
        heading = line.removeprefix("## ")
    row = ROW.match(line)
    if line.startswith("| `") and not row:
        problems.append(f"docs/reference.md:{number}: not three columns, the first of them names: {line}")
    if row:
        for name in re.findall(r"`([^`]*)`", row[1]):
            rows[name].append((heading, number))
        if "<" in re.sub("`[^`]*`", "", line):
            problems.append(f"docs/reference.md:{number}: `<` outside of backticks is not shown: {line}")
        if not row[2].strip() or not row[3].strip():
            problems.append(f"docs/reference.md:{number}: an empty column: {line}")


def sentence(header):
    """What the header says that it is for."""
    text = ""
    for line in (ROOT / header).read_text().splitlines()[2:]:
        if not line.startswith("// ") or line.startswith("//  "):
            break
        text += line.removeprefix("//")
    text = re.match(r"(.*?[^.]{2})(?:[.:](?: |$)|$)", text.strip())[1].replace("|", "or")
    return re.sub(r"[\w:.]*<\S*>\S*", lambda code: f"`{code[0]}`", text)


def line_for(name):
    """(heading, line) for a name that is missing."""
    header = names[name][1]
    beside = collections.Counter(rows[other][0][0] for other in rows.keys() & names.keys() if names[other][1] == header)
    place = next((place for place, _ in beside.most_common() if place != INSIDE), INSIDE)
    return place, f"| `{name}` | {sentence(header)} | {header.removeprefix('include/tessera/') if place == INSIDE else '—'} |"


for name in sorted(names.keys() - rows.keys()):
    missing.append(line_for(name))
    problems.append(f"ts::{name} ({names[name][1]}) is in no table: under `## {missing[-1][0]}`, or where it fits, add with its types in → out and JAX's name\n{missing[-1][1]}")
for name in sorted(rows.keys() - names.keys()):
    problems.append(f"docs/reference.md:{rows[name][0][1]}: no header declares ts::{name}: take the name out of this line")
for name, places in rows.items():
    if len(places) > 1:
        problems.append(f"`{name}` is in lines {', '.join(str(number) for _, number in places)} of docs/reference.md: once is enough")

if "--fix" in sys.argv and missing:
    for place, line in missing:
        start = lines.index(f"## {place}")
        end = next((n for n in range(start + 1, len(lines)) if lines[n].startswith("## ")), len(lines))
        last = max(n for n in range(start, end) if ROW.match(lines[n]))
        lines.insert(last + 1, line)
    PAGE.write_text("\n".join(lines) + "\n")
elif missing:
    problems.append("python3 tests/checks/reference.py --fix adds these lines, for you to finish")
finish(problems, f"{len(names)} names in {len({header for _, header in names.values()})} headers")
