# SPDX-License-Identifier: Apache-2.0
"""A stage includes itself, the stages on its line of cmake/stages.txt and those above; a `types` stage no run time. A room
includes itself and the rooms before it on the line of its stage. Where there is no engine, a header brings in at its end what
defines its functions, from whichever room: nothing is built on that."""

import re

from report import HEADERS, ROOT, finish, relative

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
DEFINITIONS = re.compile(r"^#ifndef TESSERA_SEPARATE_ENGINE\n(?:#include[^\n]*\n)+#endif\n", re.M)
RUN_TIME = re.compile(r"^(Kokkos_|KokkosBlas|cblas\.h|mkl|cuda|cublas|mpi\.h|nccl)")

level, kind, rooms = {}, {}, {}
for number, line in enumerate((ROOT / "cmake" / "stages.txt").read_text().splitlines()):
    if line and not line.startswith("#"):
        word, *stages = line.split()
        if word == "rooms":
            rooms |= {f"{stages[0]}/{room}": place for place, room in enumerate(stages[1:])}
            continue
        for stage in stages:
            level[stage], kind[stage] = number, word

problems, headers = [], sorted(HEADERS.glob("*/**/*.hpp"))
for header in headers:
    stage, *deeper = header.relative_to(HEADERS).parts
    room = f"{stage}/{deeper[0]}"
    if stage not in level:
        problems.append(f"{relative(header)}: no stage '{stage}' in cmake/stages.txt")
        continue
    if any(other.startswith(f"{stage}/") for other in rooms) and room not in rooms:
        problems.append(f"{relative(header)}: no room '{deeper[0]}' on the line of '{stage}' in cmake/stages.txt")
    text = header.read_text()
    built_on = {path for _, path in INCLUDE.findall(DEFINITIONS.sub("", text))}
    for quote, path in INCLUDE.findall(text):
        if quote == '"':
            problems.append(f'{relative(header)}: write <tessera/...> for "{path}"')
        elif path.startswith("tessera/"):
            other = path.split("/")[1]
            if other.endswith(".hpp"):
                problems.append(f"{relative(header)}: includes the umbrella <{path}>; include the slice")
            elif path in built_on and room in rooms and rooms.get("/".join(path.split("/")[1:3]), -1) > rooms[room]:
                problems.append(f"{relative(header)}: room '{room}' must not include the later room of <{path}>")
            elif level.get(other, len(level)) > level[stage]:
                problems.append(f"{relative(header)}: stage '{stage}' must not include the later stage '{other}' (<{path}>)")
        elif kind[stage] == "types" and RUN_TIME.match(path):
            problems.append(f"{relative(header)}: stage '{stage}' must compile without <{path}>")

finish(problems, f"{len(headers)} headers")
