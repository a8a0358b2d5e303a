# SPDX-License-Identifier: Apache-2.0
"""Each public name of the stages where ops are (op, manual, control, view) is used by a test of its stage that compares
values: of op a table of tests/op/*_test.cpp. Each is differentiated: in a *_grad_test.cpp, where one that has no gradient
shows that, or is refused; of manual and view any test that differentiates will do. And each of op, control and view is
called on arrays outside of jit: by a table that runs `eagerly`, by a test named eager_*, or in control and view by a TEST
itself; names of manual have no meaning there."""

import re

from public_ops import STAGES, public_names
from report import ROOT, finish

TESTS = ROOT / "tests"
USED = re.compile(r"\b(?:ts::|SAME\(|BOTH\(|MAP\()(\w+)")


def text_of(path):
    text = path.read_text()
    for shared in set(re.findall(r'#include "(support/\w+_rows\.hpp)"', text)):  # tables of both kinds of test
        text += (TESTS / shared).read_text()
    return text


def used(paths):
    return {name for path in paths for name in USED.findall(text_of(path))}


def used_eagerly(paths):
    names = set()
    for path in paths:
        text, calls = text_of(path), path.name.startswith("eager_")
        run = set(re.findall(r"\bcheck(?:_all)?<(\w+)[^;]*?\beagerly\b", text))
        for table in re.finditer(r"^struct (\w+) \{.*?^\};", text, re.M | re.S):
            if calls or table[1] in run:
                names |= set(USED.findall(table[0]))
        if path.parent.name != "op":  # no tables: what a test itself calls
            for body in re.findall(r"^TEST\(.*?^\}", text, re.M | re.S):
                names |= set(USED.findall(body))
    return names


problems, checked = [], 0
for stage in STAGES:
    names = set(public_names(stage))
    tests = sorted((TESTS / stage).glob("*_test.cpp"))
    slopes = [p for p in tests if p.name.endswith("_grad_test.cpp") or stage in ("manual", "view") and "ts::grad" in p.read_text()]
    eager = used_eagerly(tests + ([] if stage == "op" else sorted(TESTS.glob("*/eager_test.cpp"))))
    problems += [f"ts::{name}: in no tests/{stage}/*_test.cpp" for name in sorted(names - used(tests))]
    problems += [f"ts::{name}: in no tests/{stage}/*_grad_test.cpp" for name in sorted(names - used(slopes))]
    problems += [f"ts::{name}: called on arrays in no test of eager calls" for name in sorted(names - eager) if stage != "manual"]
    checked += len(names)
finish(problems, f"{checked} public names")
