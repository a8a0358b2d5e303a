# SPDX-License-Identifier: Apache-2.0
"""Each error type has tests/error/<type>_misuse.cpp and a heading in docs/errors.md, and no heading is left over: another
misuse of a type is tests/error/<type>_<what>_misuse.cpp, under its own heading.

The folder include/tessera/error is the one list of their headers. error/all.hpp repeats it, and so do the umbrellas that
refuse, since a file in between would be a line of every error's text: `--fix` writes the three."""

import re
import sys

from report import HEADERS, ROOT, finish, relative

TYPE = re.compile(r"\bstruct (\w+)[^;{]*\{\s*static (?:consteval|constexpr) void explain\(\)")
HEADING = re.compile(r"^#{2,4} `?(?:error::)?([a-z0-9_]+)`?\s*$", re.M)

INCLUDES = re.compile(r"(?:^#include <tessera/error/\w+\.hpp>\n)+", re.M)
LISTS = ("error/all.hpp", "types.hpp", "tessera.hpp")

made_in = {header: TYPE.findall(header.read_text()) for header in sorted((HEADERS / "error").glob("*.hpp"))}
types = {name for names in made_in.values() for name in names}
page = ROOT / "docs" / "errors.md"
headings = set(HEADING.findall(page.read_text())) if page.exists() else set()
misuses = {path.name.removesuffix("_misuse.cpp") for path in (ROOT / "tests" / "error").glob("*_misuse.cpp")}

problems = [f"error::{name}: no heading `## {name}` in docs/errors.md" for name in sorted(types - headings)]
problems += [f"error::{name}: no tests/error/{name}_misuse.cpp" for name in sorted(types - misuses)]
others = {name for name in misuses if any(name.startswith(f"{error}_") for error in types)}
problems += [f"{name}: no heading `## {name}` in docs/errors.md" for name in sorted(others - headings)]
problems += [f"docs/errors.md: heading '{name}' names no error type, and no other misuse of one" for name in sorted(headings - types - others)]
problems += [f"tests/error/{name}_misuse.cpp: begins with no error type's name" for name in sorted(misuses - types - others)]

includes = "".join(f"#include <tessera/error/{header.name}>\n" for header, names in made_in.items() if names)
for header in (HEADERS / name for name in LISTS):
    text = header.read_text()
    listed = INCLUDES.findall(text)
    if listed == [includes]:
        continue
    if "--fix" in sys.argv and len(listed) == 1:
        header.write_text(text.replace(listed[0], includes))
    else:
        problems.append(f"{relative(header)}: must include each header of an error type once, in one block, in order of their names: "
                        "python3 tests/checks/errors_listed.py --fix")
finish(problems, f"{len(types)} error types, {len(misuses)} misuse tests")
