# SPDX-License-Identifier: Apache-2.0
"""Each header begins with its license line, `#pragma once` and one sentence, and has at most 400 lines. An index is an int and needs
no cast between brackets: std::size_t is for what the standard library asks. One header launches on accelerators, allocates and
copies there: what the stand-in card sees is all that a card would. A function that adds nodes to a program takes facts by value,
since nodes move. A header with vectorized loops is between TESSERA_LOOPS_BEGIN and _END: at -O1 clang warns of loops that it left.
In what is composed of functions on arrays an `auto` declares one
value: two of other types are refused by clang, not by g++."""

import re

from report import HEADERS, finish, relative

LIMIT = 400
ON_DEVICES = re.compile(r"Kokkos::(parallel_|deep_copy|kokkos_|atomic_|TeamPolicy|RangePolicy|MDRangePolicy|fence)")
LAUNCHES = {"include/tessera/exec/device/device_launch.hpp", "include/tessera/exec/device/host_team.hpp"}

COMPOSED = ("functions", "train")
AUTO = re.compile(r"^ *(?:constexpr )?auto(?: const)? \w+ = ([^;]*);", re.M)


def declares_two(said):
    inner = None
    while inner != said:  # the innermost brackets first
        inner, said = said, re.sub(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|(?<=\w)<[^<>()]*>", "", said)
    return not re.search(r"[(\[{]", said) and re.search(r",\s*\w+ = ", said)


# The head of a function that adds nodes to a program.
RECORDS = re.compile(r"constexpr term (\w+)\((?:B|builder)& \w+,[^;]*?\) \{", re.S)

problems, lengths = [], []
for header in sorted(HEADERS.rglob("*.hpp")):
    lines = header.read_text().splitlines()
    lengths.append((len(lines), relative(header)))
    if len(lines) > LIMIT:
        problems.append(f"{relative(header)}: {len(lines)} lines, more than {LIMIT}: split it, one idea a file")
    problems += [f"{relative(header)}:{n}: [static_cast<std::size_t>(i)]: write [i]" for n, line in enumerate(lines, 1)
                 if re.search(r"\[static_cast<std::size_t>\(\w+\)\]", line)]
    if header.relative_to(HEADERS).parts[0] in COMPOSED:
        problems += [f"{relative(header)}: auto declares two values, {' '.join(found[0].split())[:60]}...: one each" for found in AUTO.finditer(header.read_text())
                     if declares_two(found[1])]
    problems += [f"{relative(header)}: {found[1]} records operations and takes array_value const&, which may refer to a node that moves: array_value"
                 for found in RECORDS.finditer(header.read_text()) if "array_value const& " in found[0]]
    if str(relative(header)) not in LAUNCHES:
        problems += [f"{relative(header)}:{n}: {found[0]} is for exec/device/device_launch.hpp" for n, line in enumerate(lines, 1)
                     if (found := ON_DEVICES.search(line.split("//")[0]))]
    if any(line.lstrip() == "TESSERA_VECTORIZE" for line in lines) and not {"TESSERA_LOOPS_BEGIN", "TESSERA_LOOPS_END"} <= set(lines):
        problems.append(f"{relative(header)}: TESSERA_VECTORIZE is for headers between TESSERA_LOOPS_BEGIN and TESSERA_LOOPS_END")
    if lines[:2] != ["// SPDX-License-Identifier: Apache-2.0", "#pragma once"]:
        problems.append(f"{relative(header)}: must begin with the SPDX line and #pragma once")
    elif not lines[2].startswith("// "):
        problems.append(f"{relative(header)}: line 3 must be a comment that says what the file is for")

lengths.sort()
if lengths:
    count = len(lengths)
    print(f"header lines: median {lengths[count // 2][0]}, p90 {lengths[count * 9 // 10][0]} (aim: 100, 200)")
    print("longest: " + ", ".join(f"{name} {lines}" for lines, name in reversed(lengths[-3:])))
finish(problems, f"{len(lengths)} headers")
