# SPDX-License-Identifier: Apache-2.0
"""The lists of graph/engine_ops.hpp have every elementwise operation of the library that is no template, and every other one
with a rule of its own, but for linear algebra, which programs without it do not link, and the collectives, which only plans
have: one that they lack would be compiled again into each program whose kernels come from the engine, or that is planned
when it runs."""

import re

from report import HEADERS, ROOT, finish

STRUCT = re.compile(r"^(template <[^\n]*>\n)?struct (\w+)[^;{]*\{\n(.*?)^\};", re.M | re.S)
ONE_LINE = re.compile(r"^struct (\w+)(?: final)? : [^\n]*\{\};$", re.M)
COMPUTES = re.compile(r"\bstatic (?:constexpr )?\w+ (?:eval|convert)\(")
RULE = re.compile(r"\bstatic (?:constexpr )?\w+ rule\(")

computing, ruled, there = {}, {}, set()
for path in sorted(HEADERS.rglob("*.hpp")):
    text = path.read_text()
    there |= set(ONE_LINE.findall(text))
    for template, name, body in STRUCT.findall(text):
        if template:
            continue
        there.add(name)
        if "std::string_view name" not in body:
            continue
        room = path.relative_to(HEADERS)
        if COMPUTES.search(body) and room.parts[0] == "op":
            computing[name] = path.relative_to(ROOT)
        elif RULE.search(body) and room.parts[0] != "collective" and room.parts[:2] != ("op", "linalg"):
            ruled[name] = path.relative_to(ROOT)
text = (HEADERS / "graph" / "engine_ops.hpp").read_text()


def listed(name):
    begin = text.index(f"{name} =")
    return set(re.findall(r"\bops::(\w+)", text[begin : text.index(";", begin)]))


problems = []
for title, found in (("engine_ops", computing), ("engine_ruled_ops", ruled)):
    problems += [f"{path}: ops::{name} is not in {title} of graph/engine_ops.hpp" for name, path in found.items() if name not in listed(title)]
problems += [f"graph/engine_ops.hpp: no elementwise operation {name}" for name in sorted(listed("engine_ops") - set(computing))]
problems += [f"graph/engine_ops.hpp: no operation {name}" for name in sorted(listed("engine_ruled_ops") - there)]
finish(problems, f"{len(computing)} operations that compute, {len(ruled)} with rules")
