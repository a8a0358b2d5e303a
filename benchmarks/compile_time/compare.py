# SPDX-License-Identifier: Apache-2.0
"""compare.py <build tree> counts|times|--update: what compiling the corpus costs, against counts.json beside this file.

The corpus is the two umbrella headers alone and each .cpp here. Of each: template instantiations, counted by clang 19's
-ftime-trace, the same in every run, which may grow by 3 %; and with g++ -O2 peak memory, seconds of processor time and how
many times that is what <Kokkos_Core.hpp> alone takes just before. Only this ratio is held to what it was, with slack, and to
a `// budget: 20 times Kokkos_Core.hpp, 2 GB` line in the source: seconds are the machine's."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "checks"))
from compiler import Compiler  # noqa: E402
from report import finish, skip  # noqa: E402

GROWTH = 1.03  # of a count
SLACK = {"times": 1.5, "megabytes": 1.3}
REFERENCE = "#include <Kokkos_Core.hpp>\n"
PINNED = "clang++-19"
RECORD = HERE / "counts.json"

build, mode = sys.argv[1:]
update = mode == "--update"


def measured(compiler, *arguments):
    """Processor seconds and peak megabytes of the compiler and its children."""
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen([compiler.program, *compiler.flags, *map(str, arguments)], stderr=log)
        _, status, usage = os.wait4(child.pid, 0)
        if status:
            log.seek(0)
            sys.exit(log.read())
    return {"seconds": round(usage.ru_utime + usage.ru_stime, 2), "megabytes": usage.ru_maxrss // 1024}


def counted(compiler, source, folder):
    """Class and function template instantiations."""
    trace = folder / "trace.json"
    run = compiler.run("-c", "-O0", "-ftime-trace=" + str(trace), "-ftime-trace-granularity=0", source, "-o", folder / "trace.o")
    if run.returncode:
        sys.exit(run.stderr)
    return {"classes": occurrences(trace, b'"name":"InstantiateClass"'), "functions": occurrences(trace, b'"name":"InstantiateFunction"')}


def occurrences(file, text):
    """In pieces: what this process has held in memory counts in the peak of compilers that it starts later."""
    count, rest = 0, b""
    with open(file, "rb") as stream:
        while piece := stream.read(1 << 20):
            count += (rest + piece).count(text)
            rest = (rest + piece)[-(len(text) - 1):]
    return count


def plain(kind, other=None):
    compiler = Compiler(build, f"probe_{kind}.cpp", other)
    compiler.drop("-DTESSERA_SEPARATE_ENGINE", "-include:", "-Xclang:", "-Winvalid-pch", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0", "-Og", "-O1", "-O2", "-O3", "-g")
    return compiler


def environment():
    macros = subprocess.run([PINNED, "-dM", "-E", "-x", "c++", "-include", "cstddef", os.devnull], capture_output=True, text=True).stdout
    kokkos = subprocess.run([PINNED, *plain("run", PINNED).flags, "-dM", "-E", "-x", "c++", "-include", "Kokkos_Macros.hpp", os.devnull],
                            capture_output=True, text=True).stdout
    wanted = {"__clang_version__": macros, "__GLIBCXX__": macros, "KOKKOS_VERSION": kokkos}
    return {name: (re.search(rf"#define {name} (.*)", text) or [0, "?"])[1].strip('" ') for name, text in wanted.items()}


record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
pinned = shutil.which(PINNED) is not None
here = environment() if pinned else {}
comparable = pinned and record.get("environment") == here
if mode == "counts" and not pinned:
    skip(f"no {PINNED} to count instantiations: apt install clang-19 libomp-19-dev")
if mode == "counts" and record and not comparable:
    skip(f"counts were recorded with {record['environment']}, here is {here}")
results, problems = {}, []
KEYS = {"classes": 9, "functions": 11, "seconds": 9, "times": 8, "megabytes": 11}
print(f"{'':24}" + "".join(f"{key:>{width}}" for key, width in KEYS.items()))
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    reference = folder / "reference.cpp"
    reference.write_text(REFERENCE)
    corpus = []
    for umbrella in ("types", "tessera"):
        source = folder / f"header_{umbrella}.cpp"
        source.write_text(f"#include <tessera/{umbrella}.hpp>\n")
        corpus.append(source)
    for source in corpus + sorted(HERE.glob("*.cpp")):
        text, stem = source.read_text(), source.stem
        kind = "types" if "<tessera/types.hpp>" in text and "<tessera/tessera.hpp>" not in text else "run"
        result = {}
        if mode != "counts":
            alone = measured(plain("run", "g++"), "-O2", "-c", reference, "-o", folder / "out.o")
            result = measured(plain(kind, "g++"), "-O2", "-c", source, "-o", folder / "out.o")
            result["times"] = round(result["seconds"] / alone["seconds"], 2)
        if pinned and mode != "times":
            result |= counted(plain(kind, PINNED), source, folder)
        results[stem] = result
        print(f"{stem:24}" + "".join(f"{result.get(key, '-'):>{width}}" for key, width in KEYS.items()), flush=True)

        before = record.get("corpus", {}).get(stem)
        if before is None and not update:
            problems.append(f"{stem}: not in {RECORD.name}; compare.py --update adds it")
        for key in ("classes", "functions"):
            if before and comparable and key in before and key in result and result[key] > before[key] * GROWTH:
                problems.append(f"{stem}: {result[key]} {key} instantiated, {before[key]} before: more than +3 %")
        for key in ("times", "megabytes"):
            if before and key in before and key in result and result[key] > before[key] * SLACK[key] + 1:
                problems.append(f"{stem}: {result[key]} {key}, {before[key]} before")
        budget = re.search(r"^// budget: ([\d.]+) times Kokkos_Core.hpp, ([\d.]+) GB", text, re.M)
        if budget and "times" in result and result["times"] > float(budget[1]):
            problems.append(f"{stem}: {result['times']} times Kokkos_Core.hpp, budget {budget[1]}")
        if budget and "megabytes" in result and result["megabytes"] > float(budget[2]) * 1024:
            problems.append(f"{stem}: {result['megabytes']} MB, budget {budget[2]} GB")

if update:
    if not pinned:
        sys.exit(f"--update needs {PINNED}")
    RECORD.write_text(json.dumps({"environment": here, "corpus": results}, indent=2) + "\n")
    print(f"wrote {RECORD}")
    sys.exit(0)
finish(problems, f"{len(results)} files")
