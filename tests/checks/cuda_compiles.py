# SPDX-License-Identifier: Apache-2.0
"""cuda_compiles.py <build tree> <dependency cache>: nvcc compiles the engine and tests/checks/cuda, for a GPU and for its host.

One file for each kind of code, without a warning; what only the preset `cuda` compiles is all of the tests. Nothing is run.
Kokkos is one that an earlier configuration of that preset has built into the cache: this check builds none."""

import pathlib
import re
import shutil
import subprocess
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
compiler.drop("-Werror", "-Wpedantic", "-Og", "-O0", "-O1", "-O2", "-O3", "-DTESSERA_ONEDNN")  # accelerators have no oneDNN
compiler.flags = [flag for flag in compiler.flags if not re.match(r"-m(arch|tune|prefer-vector-width)=", flag)]
cuda = pathlib.Path(nvcc).resolve().parents[1]
compiler.flags = ["-isystem", str(kokkos / "include"), "-isystem", str(cuda / "include"), *compiler.flags, "-DTESSERA_WITH_CUBLAS",
                  "-extended-lambda", "-expt-relaxed-constexpr", "-Xcudafe", f"--max_cost_constexpr_call={steps}"]
# What target tessera::tessera has for nvcc (CMakeLists.txt).
compiler.flags += ["-DMDSPAN_IMPL_USE_ATTRIBUTE_NO_UNIQUE_ADDRESS=1", "-DMDSPAN_IMPL_USE_FAKE_ATTRIBUTE_NO_UNIQUE_ADDRESS",
                   "-DMDSPAN_IMPL_NO_UNIQUE_ADDRESS=", "--fmad=false"]


def bytes_of_arguments(folder, made):
    """Of the kernel of views.cpp, in the device's code and in the host's."""
    def told(*command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    sections = told("readelf", "-SW", str(next(folder.glob("views*.cubin"))))
    constants = {name: int(size, 16) for name, size in re.findall(r"\.nv\.constant0\.(\S+)\s+PROGBITS\s+\S+\s+\S+\s+(\S+)", sections)}
    begin = next(size for name, size in constants.items() if "one_word" in name) - 4
    device = next(size for name, size in constants.items() if "twice" in name) - begin
    return device, next(int(line.split()[1], 16) for line in told("nm", "-S", str(made)).splitlines() if "in_host_code" in line)


problems, sources = [], sorted((ROOT / "tests/checks/cuda").glob("*.cpp"))
with tempfile.TemporaryDirectory() as folder:
    engine = pathlib.Path(folder) / "engine.cpp"
    engine.write_text("#include <tessera/engine.hpp>\n")
    for source in [engine, *sources]:
        alone = ["-DTESSERA_SEPARATE_ENGINE"] if source == engine else []  # with the loops of all ops
        kept = ["--keep", f"--keep-dir={folder}"] if source.stem == "views" else []
        made = compiler.run("-O0", *alone, *kept, "-c", source, "-o", pathlib.Path(folder) / "made.o")
        said = made.stdout + made.stderr
        if made.returncode or "warning" in said:
            problems.append(f"{source.name if source == engine else relative(source)}:\n{said[:8000]}")
        elif kept:
            device, host = bytes_of_arguments(pathlib.Path(folder), pathlib.Path(folder) / "made.o")
            if device != host:
                problems.append(f"{relative(source)}: a kernel's arguments have {host} bytes in host code and {device} in device code")
finish(problems, f"{len(sources) + 1} files")
