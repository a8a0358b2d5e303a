# SPDX-License-Identifier: Apache-2.0
"""Each public name of the stages where ops are (op, manual, control, view) is used by a test of its stage that compares
values: of op a table of tests/op/*/*_test.cpp. Each is differentiated: in a *_grad_test.cpp, where one that has no gradient
shows that, or is refused; of manual and view any test that differentiates will do. And each of op, control and view is
called on arrays outside of jit: by a table that runs `eagerly`, by a test named eager_*, or in control and view by a TEST
itself; names of manual have no meaning there. What special_differences.txt lists, where an op differs from JAX at special
values, stands under the first cell of a row of docs/traced-code.md, and each row has something there."""

import re

from public_ops import STAGES, public_names
from report import ROOT, finish

TESTS = ROOT / "tests"
# Stages whose ops compute: each is in a table of tests/op/special/special_*_test.cpp, but for these.
COMPUTING = ("op/elementwise", "op/reduce", "op/linalg", "op/product", "op/window")
WITHOUT_SPECIAL_VALUES = {
    **dict.fromkeys(["acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "pow"], "another name"),
    **dict.fromkeys(["bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"], "of integers: integer_table.py"),
    **dict.fromkeys(["shift_right_logical", "bitcast", "bitcast_convert_type"], "of bits: integers_test.cpp"),
    **dict.fromkeys(["logical_and", "logical_or", "logical_xor"], "of bool"),
    **dict.fromkeys(["dot_general"], "the products that matmul and vecdot are made of"),
    **dict.fromkeys(["avg_pool", "max_pool", "conv"], "made of reduce_window_sum, reduce_window_max and a product"),
    **dict.fromkeys(["dot_product_attention", "attention_bias", "attention_mask", "attention_scale", "query_lengths", "key_lengths"],
                    "made of products and softmax: attention_test.cpp"),
    **dict.fromkeys(["eig", "eigvals", "schur", "sqrtm", "solve_sylvester"], "NaN where an element is not finite: complex_matrices_test.cpp"),
    **dict.fromkeys(["rfftfreq", "ifftshift"], "no arithmetic on what is given"),
    **dict.fromkeys([f"{r}fft{n}" for r in ("", "r", "i", "ir") for n in ("2", "n")], "made of the transforms of lines"),
}
USED = re.compile(r"\b(?:ts::|SAME\(|BOTH\(|MAP\(|OF\(|FLAT\(|EACH\(|MATRIX\(|ALONG\(|FLAT_ALONG\(|FLAT_BOTH\()(\w+)")


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
        if (TESTS / "op") not in path.parents:  # no tables: what a test itself calls
            for body in re.findall(r"^TEST\(.*?^\}", text, re.M | re.S):
                names |= set(USED.findall(body))
    return names


problems, checked = [], 0
for stage in STAGES:
    names = set(public_names(stage))
    tests = sorted((TESTS / stage).rglob("*_test.cpp"))
    slopes = [p for p in tests if p.name.endswith("_grad_test.cpp") or stage in ("manual", "view") and "ts::grad" in p.read_text()]
    eager = used_eagerly(tests + ([] if stage == "op" else sorted(TESTS.glob("**/eager_test.cpp"))))
    problems += [f"ts::{name}: in no tests/{stage}/*_test.cpp" for name in sorted(names - used(tests))]
    problems += [f"ts::{name}: in no tests/{stage}/*_grad_test.cpp" for name in sorted(names - used(slopes))]
    problems += [f"ts::{name}: called on arrays in no test of eager calls" for name in sorted(names - eager) if stage != "manual"]
    checked += len(names)
special = used(sorted((TESTS / "op" / "special").glob("special_*_test.cpp")))
computing = {name for stage in COMPUTING for name in public_names(stage)}
problems += [f"ts::{name}: in no tests/op/special/special_*_test.cpp, nor in this check with a reason" for name in sorted(computing - special - WITHOUT_SPECIAL_VALUES.keys())]
problems += [f"ts::{name}: has special values, or is no op: remove it from this check" for name in sorted(WITHOUT_SPECIAL_VALUES.keys() & special | WITHOUT_SPECIAL_VALUES.keys() - computing)]
page = (ROOT / "docs" / "traced-code.md").read_text().split("## Special values")[1].split("\n## ")[0]
rows = set(re.findall(r"^\| (?!where|---)(.+?) \|", page, re.M))
reasons = set(re.findall(r"^# (.+)", (TESTS / "op" / "special" / "special_differences.txt").read_text(), re.M))
problems += [f"special_differences.txt: docs/traced-code.md has no row '{reason}'" for reason in sorted(reasons - rows)]
problems += [f"docs/traced-code.md: special_differences.txt has nothing under '{row}'" for row in sorted(rows - reasons)]
finish(problems, f"{checked} public names")
