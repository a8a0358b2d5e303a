# SPDX-License-Identifier: Apache-2.0
"""whole_loops.py <build tree> [<compiler>]: at -O2 too, where g++ inlines less, the loops of programs have no calls to the functions that they
evaluate. With a call a loop has no vectors: a softmax took seven times as long."""

import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from compiler import Compiler
from report import ROOT, finish, skip

build, *other = sys.argv[1:]
nm = shutil.which("nm") or skip("no nm")
if other and not shutil.which(*other):
    skip(f"no {other[0]}")
compiler = Compiler(build, "probe_run.cpp", *other)
compiler.drop_precompiled()
compiler.flags = [flag for flag in compiler.flags if not re.fullmatch(r"-O\w", flag)] + ["-O2"]
if compiler.kind() == "g++" and platform.machine() == "x86_64":  # the wider the vectors are, the less it inlines
    compiler.flags += ["-march=x86-64-v4", "-mprefer-vector-width=512"]


LEFT_OUT = """namespace tessera::ops {
struct left_out { [[gnu::noinline]] static float eval(float x) { return x + 1; } };
}
float (*seen)(float) = &tessera::ops::left_out::eval;
"""


def called(source):
    """The functions of operations that the object has by themselves."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "program.o"
        done = compiler.run("-c", "-x", "c++", source, "-o", made, input=LEFT_OUT)
        if done.returncode:
            sys.exit(done.stderr)
        names = subprocess.run([nm, "--defined-only", "-C", made], capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted({found[0] for name in names if (found := re.search(r"tessera::(ops::\w+::eval|math::(detail::)?\w+)\b(?!::)", name))})


problems = [f"{name} is a function by itself, which loops call" for name in called(ROOT / "tests" / "checks" / "loops" / "program.cpp")]
if called("-") != ["tessera::ops::left_out::eval"]:
    problems.append("a function that is left out on purpose is not seen: this check sees nothing")
finish(problems, "no calls in the loops of a program at -O2")
