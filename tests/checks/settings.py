# SPDX-License-Identifier: Apache-2.0
"""base/settings.hpp is where the environment's TESSERA_ variables are read, all of them; docs/settings.md is the same list, and a
variable that another page names is in it. --fix writes the table."""

import re
import sys

from report import HEADERS, ROOT, finish, relative

HOME = HEADERS / "base" / "settings.hpp"
PAGE = ROOT / "docs" / "settings.md"
HEAD = ["| variable | what for | what it may be | where it is not set |", "| --- | --- | --- | --- |"]

text = HOME.read_text()
found = re.findall(r'inline constexpr setting (\w+)\{\s*"(\w+)",\s*"([^"]*)",\s*"([^"]*)",\s*"([^"]*)"\s*\}', text)
problems = []
if len(found) != text.count("inline constexpr setting "):
    problems.append(f"{relative(HOME)}: a setting that this check cannot read")
for own, name, *_ in found:
    if name != "TESSERA_" + own.upper():
        problems.append(f"{relative(HOME)}: {own} is called {name}")
    if len(re.findall(rf"\bsettings::{own}\b", text)) != 1 or f"(void){own}_setting(" not in text and own != "trace":
        problems.append(f"{relative(HOME)}: {own} is not read, or check_settings does not look at it")

rows = [f"| `{name}` | {meaning} | {allowed} | {otherwise} |" for _, name, allowed, otherwise, meaning in found]
page = PAGE.read_text()
table = re.compile(re.escape(HEAD[0]) + r"\n(?:\|.*\n)*")
wanted = "\n".join(HEAD + rows) + "\n"
if "--fix" in sys.argv:
    page = table.sub(lambda _: wanted, page)
    PAGE.write_text(page)
if wanted not in page:
    problems.append(f"{relative(PAGE)}: its table is not what {relative(HOME)} has: python3 tests/checks/settings.py --fix")

for path in sorted(HEADERS.rglob("*.hpp")):
    if path != HOME and re.search(r'getenv\(\s*"TESSERA_|secure_getenv', path.read_text()):
        problems.append(f"{relative(path)}: reads a variable that {relative(HOME)} should read")
names = {name for _, name, *_ in found}
for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
    # In front of a command, or said to be one.
    for name in re.findall(r"(?<![-\w] )(?<!-D)\b(TESSERA_[A-Z_]+)=[^\s`]*(?: mpiexec| \./)", path.read_text()):
        if name not in names:
            problems.append(f"{relative(path)}: {name} is no setting of {relative(HOME)}")
finish(problems, f"{len(found)} settings")
