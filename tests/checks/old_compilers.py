# SPDX-License-Identifier: Apache-2.0
"""old_compilers.py <build tree> <compiler>: a compiler that is too old gets one error that says so, and no more. The compiler
is told that it is one."""

import sys

from compiler import Compiler
from report import finish

OLDER = {"g++": ["-U__GNUC__", "-D__GNUC__=11"], "clang": ["-U__clang_major__", "-D__clang_major__=15"]}

compiler = Compiler(sys.argv[1], "probe_types.cpp", sys.argv[2])
compiler.drop_precompiled()
compiler.drop("-Werror")
problems = []
for umbrella in ["types", "tessera"]:
    said = compiler.check(*OLDER[compiler.kind()], "-x", "c++", "-", input=f"#include <tessera/{umbrella}.hpp>\n").stderr
    errors = [line for line in said.splitlines() if " error: " in line]
    if len(errors) != 1 or "tessera: needs" not in errors[0] or "Fix: " not in errors[0]:
        problems.append(f"<tessera/{umbrella}.hpp> gives {len(errors)} errors:\n{said[:2000]}")
finish(problems, f"one error of {compiler.program}")
