# SPDX-License-Identifier: Apache-2.0
"""cuda_compiles.py <build tree> <dependency cache>: nvcc compiles the engine and tests/checks/cuda, for a GPU and for its host.

One file for each kind of code, without a warning; what only the preset `cuda` compiles is all of the tests. Nothing is run.
Kokkos is one that an earlier configuration of that preset has built into the cache: this check builds none."""

import pathlib
import re
import shutil
import sys
import tempfile

from compiler import Compiler
from report import ROOT, finish, relative, skip

build, cache = sys.argv[1:]
nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin") or skip("no nvcc")
for config in pathlib.Path(cache).glob("kokkos-*/include/KokkosCore_config.h"):
    if re.search(r"^#define KOKKOS_ENABLE_CUDA$", config.read_text(), re.M):
        kokkos = config.parents[1]
        break
else:
    skip(f"no Kokkos with CUDA in {cache}: `cmake --preset cuda` builds one there, in two minutes")
if Compiler(build, "probe_run.cpp").kind() != "g++":
    skip("this tree's compiler is not g++, which nvcc hands the host's code to")

compiler = Compiler(build, "probe_run.cpp", str(kokkos / "bin/nvcc_wrapper"))
steps = next((flag.split("=")[1] for flag in compiler.flags if flag.startswith("-fconstexpr-ops-limit=")), "2000000000")
compiler.drop("-Werror", "-Wpedantic", "-Og", "-O0", "-O1", "-O2", "-O3")
compiler.flags = [flag for flag in compiler.flags if not re.match(r"-m(arch|tune|prefer-vector-width)=", flag)]
cuda = pathlib.Path(nvcc).resolve().parents[1]
compiler.flags = ["-isystem", str(kokkos / "include"), "-isystem", str(cuda / "include"), *compiler.flags, "-DTESSERA_WITH_CUBLAS",
                  "-extended-lambda", "-expt-relaxed-constexpr", "-Xcudafe", f"--max_cost_constexpr_call={steps}"]
problems, sources = [], sorted((ROOT / "tests/checks/cuda").glob("*.cpp"))
with tempfile.TemporaryDirectory() as folder:
    engine = pathlib.Path(folder) / "engine.cpp"
    engine.write_text("#include <tessera/engine.hpp>\n")
    for source in [engine, *sources]:
        alone = ["-DTESSERA_SEPARATE_ENGINE"] if source == engine else []  # with the loops of all ops
        made = compiler.run("-O0", *alone, "-c", source, "-o", pathlib.Path(folder) / "made.o")
        said = made.stdout + made.stderr
        if made.returncode or "warning" in said:
            problems.append(f"{source.name if source == engine else relative(source)}:\n{said[:8000]}")
finish(problems, f"{len(sources) + 1} files")
