# SPDX-License-Identifier: Apache-2.0
"""compare.py <build tree> counts|times|jax|--update: what compiling the corpus costs, against counts.json beside this file.

The corpus is each .cpp here; those with a line `// nightly` are left out unless the environment has TESSERA_NIGHTLY. Of each:
template instantiations, counted by clang 19's -ftime-trace, the same in every run, which may grow by 3 %, and clang's peak
memory: it keeps much of what it has evaluated; and with g++ -O2,
linked to the engine, peak memory, seconds of processor time and how many times that is what <Kokkos_Core.hpp> alone takes
just before (of what takes seconds, the least of three). Only this ratio is held to what it was, with slack, and to the
source's line `// budget: 20 times Kokkos_Core.hpp, 2 GB`: seconds are the machine's. What exceeds them is measured again, both
files, twice: another program may have had the processor. `// goal:`, in the same form, is what is aimed at; the table says whether
it was reached. --update measures all and writes counts.json.

jax: processor seconds of the transformer's step compiled by g++ and by jax (benchmarks/peers/jax_transformer.py), in turn.
TESSERA_PEER_PYTHON is the python that has jax."""

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
SLACK = {"times": 1.5, "megabytes": 1.3, "clang MB": 1.3}
REFERENCE = "#include <Kokkos_Core.hpp>\n"
QUICK = 5  # seconds: what takes less is measured three times
TRIES = 3  # of a file that takes longer than it may
PINNED = "clang++-19"
RECORD = HERE / "counts.json"

build, mode = sys.argv[1:]
update = mode == "--update"
nightly = update or "TESSERA_NIGHTLY" in os.environ


def measured(compiler, *arguments):
    """Processor seconds and peak megabytes of the compiler and its children."""
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen([compiler.program, *compiler.flags, *map(str, arguments)], stderr=log)
        _, status, usage = os.wait4(child.pid, 0)
        if status:
            log.seek(0)
            sys.exit(log.read())
    return {"seconds": round(usage.ru_utime + usage.ru_stime, 2), "megabytes": usage.ru_maxrss // 1024}


def least(compiler, *arguments):
    runs = [measured(compiler, *arguments)]
    while runs[0]["seconds"] < QUICK and len(runs) < 3:
        runs.append(measured(compiler, *arguments))
    return min(runs, key=lambda run: run["seconds"])


def beside_kokkos(kind, source, folder):
    """What g++ -O2 takes for the source, and how many times that is what Kokkos' header takes, measured just before."""
    reference, out = folder / "reference.cpp", folder / "out.o"
    reference.write_text(REFERENCE)
    alone = least(plain("run", "g++"), "-O2", "-c", reference, "-o", out)
    result = least(plain(kind, "g++"), "-O2", "-c", source, "-o", out)
    return result | {"times": round(result["seconds"] / alone["seconds"], 2)}


def too_much(stem, result, before, budget):
    """Sentences on the seconds and megabytes that exceed the record or the source's budget."""
    said = [f"{stem}: {result[key]} {key}, {before[key]} before"
            for key in SLACK if before and key in before and key in result and result[key] > before[key] * SLACK[key] + 1]
    return said + [f"{stem}: {result[key]} {key}, budget {limit:g}"
                   for key, limit in budget.items() if limit and key in result and result[key] > limit]


def limits(text, name):
    """(times, megabytes) of the source's line of this name; what it does not say is None."""
    line = re.search(rf"^// {name}: ([\d.]+) times Kokkos_Core.hpp(?:, ([\d.]+) GB)?$", text, re.M)
    return {"times": float(line[1]), "megabytes": line[2] and float(line[2]) * 1024} if line else {}


def beside_jax():
    """Ours and JAX's, three times in turn, least of each."""
    python = os.environ.get("TESSERA_PEER_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import jax"], capture_output=True).returncode:
        skip(f"{python} has no jax; TESSERA_PEER_PYTHON=<python> names one that has")
    print(f"{'processor seconds':24}{'g++ -O2':>9}{'jax':>9}{'ratio':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for stem, *options in (["transformer_2", "--layers", "2"], ["transformer_6", "--layers", "6"],
                               ["transformer_scan", "--layers", "6", "--scan"]):
            ours, theirs = [], []
            for _ in range(3):
                ours.append(measured(plain("run", "g++"), "-O2", "-c", HERE / (stem + ".cpp"), "-o", folder + "/out.o")["seconds"])
                run = subprocess.run([python, HERE.parent / "peers" / "jax_transformer.py", *options], capture_output=True, text=True)
                if run.returncode:
                    sys.exit(run.stderr)
                theirs.append(json.loads(run.stdout.splitlines()[-1])["cpu_s"])
            print(f"{stem:24}{min(ours):9.2f}{min(theirs):9.2f}{min(ours) / min(theirs):9.2f}", flush=True)
    sys.exit(0)


def counted(compiler, source, folder):
    """Class and function template instantiations, peak megabytes."""
    trace = folder / "trace.json"
    run = measured(compiler, "-c", "-O0", "-ftime-trace=" + str(trace), "-ftime-trace-granularity=0", source, "-o", folder / "trace.o")
    return {"classes": occurrences(trace, b'"name":"InstantiateClass"'), "functions": occurrences(trace, b'"name":"InstantiateFunction"'),
            "clang MB": run["megabytes"]}


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
    compiler.drop("-include:", "-Xclang:", "-Winvalid-pch", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0", "-Og", "-O1", "-O2", "-O3", "-g")
    return compiler


def environment():
    macros = subprocess.run([PINNED, "-dM", "-E", "-x", "c++", "-include", "cstddef", os.devnull], capture_output=True, text=True).stdout
    kokkos = subprocess.run([PINNED, *plain("run", PINNED).flags, "-dM", "-E", "-x", "c++", "-include", "Kokkos_Macros.hpp", os.devnull],
                            capture_output=True, text=True).stdout
    wanted = {"__clang_version__": macros, "__GLIBCXX__": macros, "KOKKOS_VERSION": kokkos}
    return {name: (re.search(rf"#define {name} (.*)", text) or [0, "?"])[1].strip('" ') for name, text in wanted.items()}


if mode == "jax":
    beside_jax()
record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
pinned = shutil.which(PINNED) is not None
here = environment() if pinned else {}
comparable = pinned and record.get("environment") == here
if mode == "counts" and not pinned:
    skip(f"no {PINNED} to count instantiations: apt install clang-19 libomp-19-dev")
if mode == "counts" and record and not comparable:
    skip(f"counts were recorded with {record['environment']}, here is {here}")
results, problems = {}, []
KEYS = {"classes": 9, "functions": 11, "clang MB": 10, "seconds": 9, "times": 8, "megabytes": 11}
print(f"{'':24}" + "".join(f"{key:>{width}}" for key, width in KEYS.items()))
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for source in sorted(HERE.glob("*.cpp")):
        text, stem = source.read_text(), source.stem
        if "\n// nightly\n" in text and not nightly:
            continue
        kind = "types" if "<tessera/types.hpp>" in text and "<tessera/tessera.hpp>" not in text else "run"
        before, goal, budget = record.get("corpus", {}).get(stem), limits(text, "goal"), limits(text, "budget")
        result = {}
        if mode != "counts":
            result = beside_kokkos(kind, source, folder)
            for _ in range(1, TRIES):
                if too_much(stem, result, before, budget):
                    print(f"{stem}: {result['times']} times Kokkos_Core.hpp, measured again", flush=True)
                    result = min(result, beside_kokkos(kind, source, folder), key=lambda run: run["times"])
        if pinned and mode != "times":
            result |= counted(plain(kind, PINNED), source, folder)
        results[stem] = result
        said = ""
        if goal and "times" in result:
            missed = any(result[key] > limit for key, limit in goal.items() if limit)
            said = f"   goal {goal['times']:g} {'missed' if missed else 'reached'}"
        print(f"{stem:24}" + "".join(f"{result.get(key, '-'):>{width}}" for key, width in KEYS.items()) + said, flush=True)

        if before is None and not update:
            problems.append(f"{stem}: not in {RECORD.name}; compare.py --update adds it")
        for key in ("classes", "functions"):
            if before and comparable and key in before and key in result and result[key] > before[key] * GROWTH:
                problems.append(f"{stem}: {result[key]} {key} instantiated, {before[key]} before: more than +3 %")
        problems += too_much(stem, result, before, budget)

if update:
    if not pinned:
        sys.exit(f"--update needs {PINNED}")
    RECORD.write_text(json.dumps({"environment": here, "corpus": results}, indent=2) + "\n")
    print(f"wrote {RECORD}")
    sys.exit(0)
finish(problems, f"{len(results)} files")
