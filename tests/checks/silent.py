# SPDX-License-Identifier: Apache-2.0
"""silent.py <build tree> [--by <compiler>] [<source>...]: the headers are silent at -O3, for AVX2 and AVX-512 alike. Nothing is run.

Optimizers warn of what they see after inlining, so that another processor's vectors bring other warnings. Without sources:
the transforms, which are written in vectors, and a user's program, whose plans are made when it runs. The source `engine` is
the engine, compiled for AVX2 alone; for this machine tessera_engine_optimized has the same warnings. Another compiler than the
tree's only reads the source: it warns of templates of the standard library that the engine makes."""

import pathlib
import platform
import sys
import tempfile

from compiler import Compiler
from report import ROOT, finish, skip

if platform.machine() not in ("x86_64", "AMD64"):
    skip("no x86: the vectors of this processor are what the preset `release` compiles")
USER = ROOT / "tests/checks/silent/program.cpp"
build, *sources = sys.argv[1:]
other = None
if sources[:1] == ["--by"]:
    _, other, *sources = sources
compiler = Compiler(build, "probe_run.cpp", other)
compiler.drop_precompiled()
compiler.drop("-DTESSERA_SEPARATE_ENGINE", "-Og", "-O0", "-O1", "-O2", "-O3", "-march=native", "-mprefer-vector-width=512", "-Werror")
problems, count = [], 0
with tempfile.TemporaryDirectory() as folder:
    engine = pathlib.Path(folder) / "engine.cpp"
    engine.write_text("#include <tessera/engine.hpp>\n")
    for source in sources or [ROOT / "tests/op/linalg/fft_lines_test.cpp", USER]:
        source = engine if source == "engine" else pathlib.Path(source)
        for processor in (["haswell"], ["skylake-avx512", "-mprefer-vector-width=512"])[:1 if source == engine else 2]:
            count += 1
            own = ["-DTESSERA_SEPARATE_ENGINE"] if source in (engine, USER) else []  # else its functions are inline, and none is made
            made = compiler.run(*own, "-O3", "-DNDEBUG", f"-march={processor[0]}", *processor[1:], "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                                *(["-fsyntax-only", source] if other else ["-c", source, "-o", pathlib.Path(folder) / "made.o"]))
            if made.returncode:
                problems.append(f"{source} for {processor[0]}:\n{made.stderr}")
finish(problems, f"{count} compilations")
