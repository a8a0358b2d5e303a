# SPDX-License-Identifier: Apache-2.0
"""Each op of include/tessera/op is run in every layout by a tests/testing/*_layouts_test.cpp, which fails where its rule
never lets it run or its gradient is not checked."""

import re

from report import HEADERS, ROOT, finish

STRUCT = re.compile(r"^(?:template <[^\n]*>\n)?struct (\w+)(?: final)?(?: :[^{]*)?\s*\{\n((?:  .*\n|\n)*?)\};", re.M)

# Not called by users: parts of plans and of gradients, whose owners are checked. And no ops of their own.
PARTS = set("""opaque_part part argument literal spread_along cumulative_choice cumlogsumexp_transpose window_patches
window_patches_transpose eigh_factors""".split())
# An assertion about layouts.
PARTS |= {"with_sharding_constraint"}

# No table has these yet: only their own tests in tests/op run them, over fewer layouts.
WITHOUT = set("""allclose angle array_equal average bincount complex conj count_nonzero cov diag diagonal diff fftfreq fftshift imag
interp isclose kron matrix_power median meshgrid nanmax nanmean nanmin nanprod nansum quantile real searchsorted
segment_max segment_min segment_sum stack_as pad_to_multiple slogdet unpad valid_mask""".split())

ops = set()
for header in (HEADERS / "op").glob("*.hpp"):
    ops |= {name for name, body in STRUCT.findall(header.read_text()) if "std::string_view name =" in body}
ops -= PARTS
text = "\n".join(p.read_text() for p in (ROOT / "tests" / "testing").glob("*_layouts_test.cpp"))
checked = set(re.findall(r"\bops::(\w+)", text))

problems = [f"ops::{name}: in no tests/testing/*_layouts_test.cpp" for name in sorted(ops - checked - WITHOUT)]
problems += [f"ops::{name}: said to be in no table, but it is in one or is no op" for name in sorted(WITHOUT & checked | WITHOUT - ops)]
finish(problems, f"{len(ops)} ops in every layout")
