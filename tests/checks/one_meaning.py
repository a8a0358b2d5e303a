# SPDX-License-Identifier: Apache-2.0
"""A name has one meaning wherever a header stands: none is declared both in namespace tessera or tessera::functions and in
tessera::detail, where the inner one would hide the other from what is included behind it, and be the other for what is included
before."""

import collections

from public_names import declared_names
from report import finish

spaces = collections.defaultdict(lambda: collections.defaultdict(list))
for space, name, _, header in declared_names():
    if space in {"tessera", "tessera::functions", "tessera::detail"}:
        spaces[name][space.replace("::functions", "")].append(header)
problems = []
for name, found in sorted(spaces.items()):
    if len(found) == 2:
        problems.append(f"{found['tessera::detail'][0]}: detail::{name} has the name of tessera::{name} ({found['tessera'][0]}); rename it")
finish(problems, f"{len(spaces)} names")
