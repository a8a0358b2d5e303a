# SPDX-License-Identifier: Apache-2.0
"""Each op of include/tessera/op and graph is run in every layout by a tests/testing/*_layouts_test.cpp, which fails where its
rule never lets it run or its gradient is not checked. So are those whose public names are in manual, control and view, or in
random layouts by tests/manual/random_regions_test.cpp, or these names are called by the tests of their stage. An op that no
public name makes is part of another one's, whose check it is."""

import re

from public_ops import STAGES, headers, makes, ops, public_names
from report import ROOT, finish

TESTS = ROOT / "tests"


def of(*patterns):
    return "\n".join(path.read_text() for pattern in patterns for path in sorted(TESTS.glob(pattern)))


checked = set(re.findall(r"\bops::(\w+)", of("testing/*_layouts_test.cpp")))
region = set(re.findall(r"\bops::(\w+)", of("manual/random_regions_test.cpp")))
everything = "\n".join(text for stage in ("graph", "trace", *STAGES) for text in headers(stage))
made, by_name = {}, set()  # the stages whose public names make an op; the ops of names that tests of their stage call
for stage in STAGES:
    called = set(re.findall(r"\bts::(\w+)", of(f"{stage}/**/*_test.cpp"))) if stage != "op" else set()
    for name, definition in public_names(stage).items():
        for op in makes(definition):
            made.setdefault(op, set()).add(stage)
            by_name |= {op} if name in called else set()

count, problems = 0, []
for folder in ("graph", *STAGES):
    for op in sorted(ops(folder)):
        count += 1
        strict = folder in ("graph", "op") if folder in made.get(op, {folder}) else "op" in made[op]
        if op in checked or not strict and op in region | by_name:
            continue
        elsewhere = len(re.findall(rf"\b{op}\b", everything)) - len(re.findall(rf"struct {op}\b|\"{op}\"", everything))
        if op in made:
            problems.append(f"ops::{op}: in no tests/testing/*_layouts_test.cpp")
        elif elsewhere == 0:
            problems.append(f"ops::{op}: no public name and no other op makes it")
finish(problems, f"{count} ops in every layout")
