# SPDX-License-Identifier: Apache-2.0
"""headers_alone.py <build tree> <list> [--each | --half]: each header of the list, lines `<types|run> <header>`, compiles by itself with
no more than its target links to. By day a file shows a chain of headers (header_chains.py), and Kokkos is precompiled, so that a
forgotten include of Kokkos is found at night, when --each gives each header a file of its own. --half ends when half of the
headers are shown: the files that show most come first, and a third of them are enough."""

import argparse
import concurrent.futures
import pathlib
import shutil

from compiler import Compiler
from header_chains import Headers
from report import HEADERS, finish

arguments = argparse.ArgumentParser()
arguments.add_argument("build", type=pathlib.Path)
arguments.add_argument("list", type=pathlib.Path)
arguments.add_argument("--each", action="store_true")
arguments.add_argument("--half", action="store_true")
options = arguments.parse_args()

wanted = {"types": [], "run": []}
for line in options.list.read_text().splitlines():
    kind, header = line.split()
    wanted[kind].append(header)

folder = options.build / "headers_alone"
shutil.rmtree(folder, ignore_errors=True)
headers = Headers(HEADERS.parent)
jobs = []
for kind, names in wanted.items():
    if not names:
        continue
    compiler = Compiler(options.build, f"probe_{kind}.cpp")
    compiler.drop("-Wall", "-Wextra", "-Wpedantic", "-Werror")
    compiler.drop_precompiled()
    (folder / kind).mkdir(parents=True)
    first = ""
    if kind == "run" and not options.each:
        (folder / "kokkos.hpp").write_text("#include <Kokkos_Core.hpp>\n")
        compiler.precompile(folder, "kokkos.hpp", folder)
        compiler.flags += ["-I", str(folder)]  # clang reads it again, and finds it done
        first = "#include <kokkos.hpp>\n"
    chains = [[name] for name in names] if options.each else headers.chains(names)
    if options.half:
        chains = headers.that_show(chains, len(names) // 2)
    for number, chain in enumerate(chains):
        source = folder / kind / f"{number}_{pathlib.Path(chain[-1]).stem}.cpp"
        source.write_text(first + "".join(f"#include <{name}>\n" for name in chain))
        jobs.append((len(headers.above[chain[-1]]), compiler, source))


def problem(job):
    _, compiler, source = job
    done = compiler.check(source)
    return f"{source} does not compile:\n" + "\n".join(done.stderr.splitlines()[:30]) if done.returncode else None


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    problems = list(filter(None, pool.map(problem, sorted(jobs, key=lambda job: -job[0]))))
shown = "half of " if options.half else ""
finish(problems, f"{shown}{sum(map(len, wanted.values()))} headers in {len(jobs)} files")
