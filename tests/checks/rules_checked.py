# SPDX-License-Identifier: Apache-2.0
"""Each op of include/tessera/op is run in every layout by a tests/testing/*_layouts_test.cpp, which fails where its rule
never lets it run or its gradient is not checked."""

import re

from report import HEADERS, ROOT, finish

STRUCT = re.compile(r"^(?:template <[^\n]*>\n)?struct (\w+)(?: final)?(?: :[^{]*)?\s*\{\n((?:  .*\n|private:\n|\n)*?)\};", re.M)

# Not called by users: parts of plans and of gradients, whose owners are checked. And no ops of their own.
PARTS = set("""opaque_part part argument literal spread_along cumulative_choice cumlogsumexp_transpose window_patches
window_patches_transpose eigh_factors transform check_index""".split())
# An assertion about layouts.
PARTS |= {"with_sharding_constraint"}

ops = set()
for header in (HEADERS / "op").glob("*.hpp"):
    ops |= {name for name, body in STRUCT.findall(header.read_text()) if "std::string_view name =" in body}
ops -= PARTS
text = "\n".join(p.read_text() for p in (ROOT / "tests" / "testing").glob("*_layouts_test.cpp"))
checked = set(re.findall(r"\bops::(\w+)", text))

problems = [f"ops::{name}: in no tests/testing/*_layouts_test.cpp" for name in sorted(ops - checked)]
finish(problems, f"{len(ops)} ops in every layout")
