# SPDX-License-Identifier: Apache-2.0
"""The list of graph/engine_ops.hpp has every elementwise operation of the library that is no template, and no other: one
that it lacks would be compiled again into each program whose kernels come from the engine."""

import re

from report import HEADERS, ROOT, finish

STRUCT = re.compile(r"^(template <[^\n]*>\n)?struct (\w+)[^;{]*\{(.*?)^\};", re.M | re.S)
COMPUTES = re.compile(r"\bstatic (?:constexpr )?\w+ (?:eval|convert)\(")

there = {}
for path in sorted((HEADERS / "op").rglob("*.hpp")):
    for template, name, body in STRUCT.findall(path.read_text()):
        if not template and COMPUTES.search(body) and "std::string_view name" in body:
            there[name] = path.relative_to(ROOT)
text = (HEADERS / "graph" / "engine_ops.hpp").read_text()
listed = set(re.findall(r"\bops::(\w+)", text[text.index("engine_ops =") :]))
problems = [f"{path}: ops::{name} is not in graph/engine_ops.hpp" for name, path in there.items() if name not in listed]
problems += [f"graph/engine_ops.hpp: no elementwise operation {name}" for name in sorted(listed - set(there))]
finish(problems, f"{len(there)} operations")
