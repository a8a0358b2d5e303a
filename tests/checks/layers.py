# SPDX-License-Identifier: Apache-2.0
"""A stage includes itself, the stages on its line of cmake/stages.txt and those above; a `types` stage no run time."""

import re

from report import HEADERS, ROOT, finish, relative

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
RUN_TIME = re.compile(r"^(Kokkos_|KokkosBlas|cblas\.h|mkl|cuda|cublas|mpi\.h|nccl)")

level, kind = {}, {}
for number, line in enumerate((ROOT / "cmake" / "stages.txt").read_text().splitlines()):
    if line and not line.startswith("#"):
        word, *stages = line.split()
        for stage in stages:
            level[stage], kind[stage] = number, word

problems, headers = [], sorted(HEADERS.glob("*/**/*.hpp"))
for header in headers:
    stage = header.relative_to(HEADERS).parts[0]
    if stage not in level:
        problems.append(f"{relative(header)}: no stage '{stage}' in cmake/stages.txt")
        continue
    for quote, path in INCLUDE.findall(header.read_text()):
        if quote == '"':
            problems.append(f'{relative(header)}: write <tessera/...> for "{path}"')
        elif path.startswith("tessera/"):
            other = path.split("/")[1]
            if other.endswith(".hpp"):
                problems.append(f"{relative(header)}: includes the umbrella <{path}>; include the slice")
            elif level.get(other, len(level)) > level[stage]:
                problems.append(f"{relative(header)}: stage '{stage}' must not include the later stage '{other}' (<{path}>)")
        elif kind[stage] == "types" and RUN_TIME.match(path):
            problems.append(f"{relative(header)}: stage '{stage}' must compile without <{path}>")

finish(problems, f"{len(headers)} headers")
