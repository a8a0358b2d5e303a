# SPDX-License-Identifier: Apache-2.0
"""Who gives a function the type of a mesh, `grid{}`, where it takes a device_mesh, reads one sentence: each public function
that takes one has a line `f(... grid{} ...)` or `type name(... grid{} ...)` in a *_misuse.cpp."""

import re

from report import HEADERS, ROOT, finish, relative

BRACES = re.compile(r"namespace ([\w:]+) \{|\{|\}")
NO_CODE = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'')
GIVEN = re.compile(r"\b(\w+)(?:<[^()]*>)?(?: \w+)*[({](?=.*grid\{\})")
INTERNAL = {"array"}  # made of a stored_array, which users do not have
TAKES = re.compile(r"\bdevice_mesh<\w+> const&(?! mesh\(\))")


def called(text, at):
    """The name before the parenthesis that is open at `at`, or nothing."""
    depth = 0
    while at >= 0 and (depth or text[at] != "("):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0 and text[at] in ";{}":
            return ""
        at -= 1
    name = re.search(r"(\w+)\s*$", text[:at])
    return name[1] if name else ""


def public_functions(header):
    """Names and lines of what takes a device_mesh outside of namespaces `detail`."""
    text = NO_CODE.sub(lambda found: " " * len(found[0]), header.read_text())
    taken = [found.start() for found in TAKES.finditer(text)]
    open_, places = [], []
    for brace in BRACES.finditer(text):
        while taken and taken[0] < brace.start():
            at = taken.pop(0)
            if not {"detail", "ops"} & {part for name in open_ for part in name.split("::")}:
                places.append((called(text, at), text.count("\n", 0, at) + 1))
        if brace[0] == "}":
            open_.pop()
        else:
            open_.append(brace[1] or "")
    return places


misuses = "".join(path.read_text() for path in sorted((ROOT / "tests").glob("*/*_misuse.cpp")))
refused = set(GIVEN.findall(misuses))

problems, names = [], set()
for header in sorted(HEADERS.rglob("*.hpp")):
    if "engine" in header.relative_to(HEADERS).parts:
        continue
    for name, line in public_functions(header):
        if not name or name in INTERNAL:
            continue
        names.add(name)
        if name not in refused:
            problems.append(f"{relative(header)}:{line}: {name} takes a device_mesh, and no *_misuse.cpp gives it `grid{{}}`. Fix: an "
                            "overload for `Mesh M, M const&` with written::mesh_without_devices, and a line in "
                            "tests/api/types_of_meshes_misuse.cpp")
finish(problems, f"{len(names)} functions that take a mesh: {' '.join(sorted(names))}")
