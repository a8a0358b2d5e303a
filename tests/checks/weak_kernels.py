# SPDX-License-Identifier: Apache-2.0
"""weak_kernels.py <build tree>: no program of the tree has a kernel that nothing defines. The kernels that ops declare are weak
symbols (exec/run/op_kernels.hpp): one that the engine has not compiled for a type that an op accepts links, and is a jump to
address 0 when it runs. A program that has one on purpose shows that this check sees them."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from compiler import Compiler
from report import finish, skip

build = pathlib.Path(sys.argv[1])
nm = shutil.which("nm") or skip("no nm")


def undefined(program):
    listed = subprocess.run([nm, "--undefined-only", "--demangle", program], capture_output=True, text=True).stdout.splitlines()
    return [line.split(maxsplit=1)[1] for line in listed if line.split()[0] in "wv" and "tessera::" in line]


with tempfile.TemporaryDirectory() as folder:
    source, program = pathlib.Path(folder) / "missing.cpp", pathlib.Path(folder) / "missing"
    source.write_text("namespace tessera { [[gnu::weak]] void missing(); }\nint main(int n, char**) { if (n > 1) tessera::missing(); }\n")
    compiler = Compiler(build, "probe_types.cpp")
    compiler.drop_precompiled()
    made = compiler.run(source, "-o", program)
    if made.returncode:
        sys.exit(made.stderr)
    problems = [] if undefined(program) else ["nm lists no weak symbol of a program that has one: this check sees nothing"]

programs = [path for place in (build, build / "examples", build / "benchmarks") if place.is_dir() for path in sorted(place.iterdir())
            if path.is_file() and os.access(path, os.X_OK) and path.open("rb").read(4) == b"\x7fELF" and ".so" not in path.name]
for program in programs:
    problems += [f"{program.relative_to(build)}: nothing defines {name}" for name in undefined(program)]
finish(problems, f"{len(programs)} programs")
