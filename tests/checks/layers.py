# SPDX-License-Identifier: Apache-2.0
"""A stage includes itself, the stages on its line of cmake/stages.txt and those above; a `types` stage no run time. A room
includes itself and the rooms before it on the line of its stage. engine/<stage>/ is of that stage: it may read what the stage
may and engine/ of those, and nothing but the engine reads it, so that rooms do not bind it. No header includes itself through
others, but for the operations in CYCLES."""

import re

from report import HEADERS, ROOT, finish, relative

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)
RUN_TIME = re.compile(r"^(Kokkos_|KokkosBlas|cblas\.h|mkl|cuda|cublas|mpi\.h|nccl)")
ENGINE_READERS = {"headers_alone.hpp", "engine.hpp", "types.hpp"}  # and what stands in engine/
# Operations whose gradients are made of each other; they include what they need behind their own declarations.
CYCLES = [
    {"op/base/elementwise", "op/base/foundation", "op/base/varying", "op/create/fill", "op/elementwise/arithmetic", "op/elementwise/cast",
     "op/elementwise/compare", "op/elementwise/complex", "op/elementwise/exponential", "op/elementwise/logarithmic", "op/elementwise/rounding", "op/elementwise/where",
     "op/reduce/reduce_sum", "op/shape/broadcast_to", "op/shape/reshape", "op/shape/reshard"},
    {"op/index/slice", "op/shape/pad"},
    {"op/reduce/cumulative", "op/reduce/reduce"},
    {"manual/all_gather", "manual/psum_scatter"},
]

level, kind, rooms = {}, {}, {}
for number, line in enumerate((ROOT / "cmake" / "stages.txt").read_text().splitlines()):
    if line and not line.startswith("#"):
        word, *stages = line.split()
        if word == "rooms":
            rooms |= {f"{stages[0]}/{room}": place for place, room in enumerate(stages[1:])}
            continue
        for stage in stages:
            level[stage], kind[stage] = number, word


def cycles_of(graph):
    """Tarjan's strongly connected components of more than one header."""
    index, low, stack, found = {}, {}, [], []

    def visit(header):
        index[header] = low[header] = len(index)
        stack.append(header)
        for other in graph[header]:
            if other not in index:
                visit(other)
            if other in stack:
                low[header] = min(low[header], low[other])
        if low[header] == index[header]:
            members = stack[stack.index(header):]
            del stack[stack.index(header):]
            if len(members) > 1:
                found.append({member.removesuffix(".hpp") for member in members})

    for header in graph:
        if header not in index:
            visit(header)
    return found


problems, graph = [], {}
headers = {str(header.relative_to(HEADERS)): header for header in sorted(HEADERS.rglob("*.hpp"))}
for name, header in headers.items():
    text = header.read_text()
    graph[name] = [path.removeprefix("tessera/") for _, path in INCLUDE.findall(text) if path.removeprefix("tessera/") in headers]
    in_engine = name.startswith("engine/")
    for other in graph[name]:
        if other.startswith("engine/") and not in_engine and name not in ENGINE_READERS:
            problems.append(f"{relative(header)}: <tessera/{other}> is the engine's; declare here what is needed, define it there")
    parts = name.removeprefix("engine/").split("/")
    if len(parts) == 1:
        continue
    stage, *deeper = parts
    room = f"{stage}/{deeper[0].removesuffix('.hpp')}"  # <stage>/<room>.hpp stands for the room
    if stage not in level:
        problems.append(f"{relative(header)}: no stage '{stage}' in cmake/stages.txt")
        continue
    if any(other.startswith(f"{stage}/") for other in rooms) and room not in rooms:
        problems.append(f"{relative(header)}: no room '{deeper[0]}' on the line of '{stage}' in cmake/stages.txt")
    for quote, path in INCLUDE.findall(text):
        if quote == '"':
            problems.append(f'{relative(header)}: write <tessera/...> for "{path}"')
        elif path.startswith("tessera/"):
            other = path.removeprefix("tessera/").removeprefix("engine/").split("/")
            if other == ["headers_alone.hpp"] and stage == "testing":
                continue  # users include its headers by themselves
            if len(other) == 1:
                problems.append(f"{relative(header)}: includes the umbrella <{path}>; include the slice")
            elif not in_engine and room in rooms and other[0] == stage and rooms.get("/".join(other[:2]), -1) > rooms[room]:
                problems.append(f"{relative(header)}: room '{room}' must not include the later room of <{path}>")
            elif level.get(other[0], len(level)) > level[stage]:
                problems.append(f"{relative(header)}: stage '{stage}' must not include the later stage '{other[0]}' (<{path}>)")
        elif kind[stage] == "types" and RUN_TIME.match(path):
            problems.append(f"{relative(header)}: stage '{stage}' must compile without <{path}>")

found = cycles_of(graph)
problems += [f"these include each other: {', '.join(sorted(cycle))}" for cycle in found if cycle not in CYCLES]
problems += [f"no cycle any more, take it out of CYCLES: {', '.join(sorted(cycle))}" for cycle in CYCLES if cycle not in found]
finish(problems, f"{len(headers)} headers")
