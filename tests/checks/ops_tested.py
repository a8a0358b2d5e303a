# SPDX-License-Identifier: Apache-2.0
"""Each public name of include/tessera/op is used by a table of tests/op/*_test.cpp that compares it with the oracle; each
op that has a gradient is used by a tests/op/*_grad_test.cpp; and each is called on arrays outside of jit: by a table that
runs `eagerly`, or by tests/op/eager_*_test.cpp, which compare such calls with traced ones."""

import re

from report import HEADERS, ROOT, finish

DOOR = re.compile(r"^inline constexpr \w*door\b[^;]* (\w+);", re.M)
FUNCTION = re.compile(r"^constexpr auto (\w+)\(", re.M)
REDUCTION = re.compile(r"^TESSERA_(?:REDUCTION|TRANSFORMS?|STACK|SUMMARY)\((\w+)[,)]", re.M)
DETAIL = re.compile(r"^namespace detail \{.*?^\}  // namespace detail", re.M | re.S)

# Not ops: their own stages test them. And ops without a gradient, or with one that is 0 everywhere.
ELSEWHERE = {"with_sharding_constraint", "invoke_all"}
FLAT = set("""equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not isnan isfinite
any all argmax argmin one_hot zeros ones zeros_like ones_like iota arange logistic bitwise_and bitwise_or
bitwise_xor bitwise_not left_shift right_shift shift_right_logical logical_xor isinf signbit bitcast bitcast_convert_type eye
fftfreq rfftfreq count_nonzero bincount searchsorted isclose allclose array_equal""".split())


def used(paths):
    text = "\n".join(path.read_text() for path in paths)
    for shared in set(re.findall(r'#include "(support/\w+_rows\.hpp)"', text)):  # tables of both kinds of test
        text += (ROOT / "tests" / shared).read_text()
    return set(re.findall(r"\b(?:ts::|SAME\(|BOTH\(|MAP\()(\w+)", text))


def used_eagerly(paths):
    names = set()
    for path in paths:
        text = path.read_text()
        for shared in set(re.findall(r'#include "(support/\w+_rows\.hpp)"', text)):
            text += (ROOT / "tests" / shared).read_text()
        tables = re.findall(r"^struct (\w+) \{.*?^\};", text, re.M | re.S)
        run = set(re.findall(r"\bcheck(?:_all)?<(\w+)[^;]*?\beagerly\b", text))
        run |= set(tables) if path.name.startswith("eager_") else set()
        for table in re.finditer(r"^struct (\w+) \{.*?^\};", text, re.M | re.S):
            if table[1] in run:
                names |= set(re.findall(r"\b(?:ts::|SAME\(|BOTH\(|MAP\()(\w+)", table[0]))
    return names


names = set()
for header in (HEADERS / "op").glob("*.hpp"):
    text = DETAIL.sub("", header.read_text())
    names |= set(DOOR.findall(text)) | set(FUNCTION.findall(text)) | set(REDUCTION.findall(text))
names -= {"op"} | ELSEWHERE
tests = sorted((ROOT / "tests" / "op").glob("*_test.cpp"))
values, slopes = used(tests), used(p for p in tests if p.name.endswith("_grad_test.cpp"))

problems = [f"ts::{name}: in no tests/op/*_test.cpp" for name in sorted(names - values)]
problems += [f"ts::{name}: in no tests/op/*_grad_test.cpp" for name in sorted(names - slopes - FLAT)]
problems += [f"ts::{name}: called on arrays in no table that runs eagerly" for name in sorted(names - used_eagerly(tests))]
problems += [f"{name}: said to have no gradient, but no such op" for name in sorted(FLAT - names)]
finish(problems, f"{len(names)} public names")
