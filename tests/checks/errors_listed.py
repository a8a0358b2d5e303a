# SPDX-License-Identifier: Apache-2.0
"""Each error type has tests/error/<type>_misuse.cpp and a heading in docs/errors.md, and no heading is left over: another
misuse of a type is tests/error/<type>_<what>_misuse.cpp, under its own heading."""

import re

from report import HEADERS, ROOT, finish

TYPE = re.compile(r"\bstruct (\w+)[^;{]*\{\s*static (?:consteval|constexpr) void explain\(\)")
HEADING = re.compile(r"^#{2,4} `?(?:error::)?([a-z0-9_]+)`?\s*$", re.M)

types = {name for header in (HEADERS / "error").glob("*.hpp") for name in TYPE.findall(header.read_text())}
page = ROOT / "docs" / "errors.md"
headings = set(HEADING.findall(page.read_text())) if page.exists() else set()
misuses = {path.name.removesuffix("_misuse.cpp") for path in (ROOT / "tests" / "error").glob("*_misuse.cpp")}

problems = [f"error::{name}: no heading `## {name}` in docs/errors.md" for name in sorted(types - headings)]
problems += [f"error::{name}: no tests/error/{name}_misuse.cpp" for name in sorted(types - misuses)]
others = {name for name in misuses if any(name.startswith(f"{error}_") for error in types)}
problems += [f"{name}: no heading `## {name}` in docs/errors.md" for name in sorted(others - headings)]
problems += [f"docs/errors.md: heading '{name}' names no error type, and no other misuse of one" for name in sorted(headings - types - others)]
problems += [f"tests/error/{name}_misuse.cpp: begins with no error type's name" for name in sorted(misuses - types - others)]
finish(problems, f"{len(types)} error types, {len(misuses)} misuse tests")
