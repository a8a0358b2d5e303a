# SPDX-License-Identifier: Apache-2.0
"""Each op of include/tessera/op and graph is run in every layout by a tests/testing/*_layouts_test.cpp, which fails where its rule
never lets it run or its gradient is not checked. So are those of manual, control and view, or in random layouts by
tests/manual/random_regions_test.cpp, or the public names that make them are called by the tests of their stage. An op that
no public name makes is part of another one's, whose check it is."""

import re

from public_ops import STAGES, headers, makes, ops, public_names
from report import ROOT, finish

TESTS = ROOT / "tests"


def of(*patterns):
    return "\n".join(path.read_text() for pattern in patterns for path in sorted(TESTS.glob(pattern)))


checked = set(re.findall(r"\bops::(\w+)", of("testing/*_layouts_test.cpp")))
region = set(re.findall(r"\bops::(\w+)", of("manual/random_regions_test.cpp")))
everything = "\n".join(text for stage in ("graph", "trace", *STAGES) for text in headers(stage))
names = {stage: public_names(stage) for stage in STAGES}
made = {op for stage in STAGES for definition in names[stage].values() for op in makes(definition)}

problems, count = [], 0
for stage in ("graph", *STAGES):
    called = set(re.findall(r"\bts::(\w+)", of(f"{stage}/*_test.cpp"))) if stage not in ("graph", "op") else set()
    by_name = {op for name, definition in names.get(stage, {}).items() if name in called for op in makes(definition)}
    for op in sorted(ops(stage)):
        count += 1
        if op in checked or stage not in ("graph", "op") and op in region | by_name:
            continue
        elsewhere = len(re.findall(rf"\b{op}\b", everything)) - len(re.findall(rf"struct {op}\b|\"{op}\"", everything))
        if op in made:
            problems.append(f"ops::{op}: in no tests/testing/*_layouts_test.cpp")
        elif elsewhere == 0:
            problems.append(f"ops::{op}: no public name and no other op makes it")
finish(problems, f"{count} ops in every layout")
