# SPDX-License-Identifier: Apache-2.0
"""Compiling and running generated programs with the flags of a build tree, in batches of which one bad case spoils none; those
that compute also as several processes."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
RUNNER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tests" / "checks"))
from compiler import Compiler  # noqa: E402

MAIN = {
    "types": "int main() {\n%s\n}\n",
    "layouts": "int main() {\n%s\n}\n",
    "costs": "int main() {\n%s\n}\n",
    "messages": "int main() {\n%s\n}\n",
    "run": "int main(int argc, char** argv) {\n  ts::runtime runtime(argc, argv);\n  answer_to_file();\n%s\n}\n",
}
HEADER = {"types": "prelude.hpp", "layouts": "layouts.hpp", "costs": "costs.hpp", "messages": "messages.hpp", "run": "values.hpp"}
LEVEL = {"types": "-O0", "layouts": "-O0", "costs": "-O0", "messages": "-O0", "run": "-Og"}
MPI_PROBE, MPI_PROGRAM = "suite_ranks.cpp", "ranks_comm_suite"  # what is compiled and linked as the tree's programs of several processes
PROBE = {"types": "probe_types.cpp", "layouts": "probe_run.cpp", "costs": "probe_run.cpp", "messages": "probe_run.cpp", "run": "probe_run.cpp"}


def build_tree(given):
    """The tree that was named, else one that is there, else build/conformance, configured now."""
    if given:
        return pathlib.Path(given).resolve()
    for tree in [ROOT / "build" / "test", *sorted((ROOT / "build").glob("*"))]:
        if (tree / "compile_commands.json").exists() and "probe_types.cpp" in (tree / "compile_commands.json").read_text():
            return tree
    tree = ROOT / "build" / "conformance"
    print(f"configuring {tree}")
    subprocess.run(["cmake", "-S", ROOT, "-B", tree, "-DCMAKE_BUILD_TYPE=Release"], check=True, stdout=subprocess.DEVNULL)
    return tree


class Batches:
    """Programs of cases {number: C++}, compiled `size` a translation unit. results: number -> what the programs printed,
    or how the case was refused where it stands; broken: number -> the first line of the compiler's error, or how the
    program ended."""

    def __init__(self, tree, folder, jobs, cxx=None, processes=()):
        self.tree, self.folder, self.jobs, self.cxx, self.processes = tree, folder, jobs, cxx, processes
        self.of_processes = {n: {} for n in processes}  # how many -> number -> what they printed
        self.results, self.broken, self.compilers, self.names = {}, {}, {}, 0

    def compiler(self, kind):
        if kind not in self.compilers:
            c = Compiler(self.tree, MPI_PROBE if kind == "run" and self.processes else PROBE[kind], self.cxx)
            c.drop("-Werror")
            c.flags += ["-I", str(RUNNER), LEVEL[kind], "-g0", "-w"]
            c.precompile(self.tree, HEADER[kind], RUNNER)
            self.compilers[kind] = c
        return self.compilers[kind]

    def link_words(self, program):
        """What the build tree's own link of a program of ours ends with: the libraries."""
        if not (self.tree / program).exists():
            subprocess.run(["cmake", "--build", self.tree, "--target", program], check=True, stdout=subprocess.DEVNULL)
        script = self.tree / "CMakeFiles" / f"{program}.dir" / "link.txt"
        if script.exists():
            line = script.read_text()
        else:
            commands = subprocess.run(["ninja", "-C", self.tree, "-t", "commands", program], capture_output=True, text=True, check=True)
            line = commands.stdout.splitlines()[-1]
        words = shlex.split(line.split("&&")[1] if "&&" in line else line)
        after = max(i for i, w in enumerate(words) if w.endswith(".o"))
        words = words[after + 1 :]
        at = words.index("-o")
        return [w if w.startswith("-") or not (self.tree / w).exists() else str(self.tree / w) for w in words[:at] + words[at + 2 :]]

    def run(self, kind, programs, axes, size):
        """Compiles and runs all programs of a kind: "types"; "layouts", questions to sharding objects; "costs", bytes that the
        planner's choice moves; "messages", what a program sends; "run", those that compute."""
        if not programs:
            return
        self.compiler(kind)
        program = MPI_PROGRAM if kind == "run" and self.processes else "tessera_probe_program"
        libraries = self.link_words(program) if kind != "types" else []
        numbers = sorted(programs)
        parts = max(1, -(-len(numbers) // size))
        batches = [numbers[i::parts] for i in range(parts)]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(lambda batch: self.batch(kind, batch, programs, axes, libraries), batches))

    def source(self, kind, numbers, programs, axes):
        self.names += 1
        path = self.folder / f"{kind}_{numbers[0]}_{self.names}.cpp"
        tags = "".join(f"namespace ax {{ struct {a} : ts::axis {{}}; }}\n" for a in sorted({a for n in numbers for a in axes[n]}))
        cases = "".join(f'#line 1 "case_{n}"\n{programs[n]}' for n in numbers)
        calls = "\n".join(f"  case_{n}::report();" for n in numbers)
        path.write_text(f'#include "{HEADER[kind]}"\n{tags}{cases}#line 1 "main"\n{MAIN[kind] % calls}')
        return path

    def compile(self, kind, path, *more):
        return self.compiler(kind).run(*more, path, cwd=self.folder)

    def batch(self, kind, numbers, programs, axes, libraries):
        while numbers:
            path = self.source(kind, numbers, programs, axes)
            program = path.with_suffix("")
            done = self.compile(kind, path, "-o", program, *libraries) if not libraries else self.linked(kind, path, program, libraries)
            if done.returncode == 0:
                self.execute(program, numbers)
                return
            text = done.stdout + done.stderr
            guilty = {int(n) for n in re.findall(r"\bcase_(\d+)[:,]", text)} & set(numbers)
            if len(numbers) == 1:
                refused = refusal_in(text)
                if refused:
                    self.results[numbers[0]] = refused
                else:
                    self.broken[numbers[0]] = first_error(text)
                return
            if not guilty:  # nothing says who: halves
                half = len(numbers) // 2
                self.batch(kind, numbers[:half], programs, axes, libraries)
                numbers = numbers[half:]
                continue
            for number in sorted(guilty):  # alone, since an error of one may have been blamed on another
                self.batch(kind, [number], programs, axes, libraries)
            numbers = [n for n in numbers if n not in guilty]

    def linked(self, kind, path, program, libraries):
        object_file = path.with_suffix(".o")
        done = self.compile(kind, path, "-c", "-o", object_file)
        if done.returncode:
            return done
        compiler = self.compiler(kind)
        sanitizers = [flag for flag in compiler.flags if flag.startswith("-fsanitize=")]
        return subprocess.run([compiler.program, object_file, "-o", program, "-fopenmp", *sanitizers, *libraries], capture_output=True, text=True)

    def execute(self, program, numbers):
        done = subprocess.run([program], capture_output=True, text=True, timeout=600)
        for line in done.stdout.splitlines():
            if line.startswith("{"):
                answer = json.loads(line)
                self.results.setdefault(answer.pop("case"), {}).update(answer)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
            for number in numbers:
                if number not in self.results:
                    self.broken[number] = f"the program stopped: {last}"
        for count in self.processes if program.name.startswith("run_") else ():
            self.execute_as(count, program, numbers)

    def execute_as(self, count, program, numbers):
        """As so many processes, each of which has to print the same values; of shards each prints its own."""
        start = shlex.split(next(line for line in (self.tree / "CMakeCache.txt").read_text().splitlines() if line.startswith("TESSERA_MPIEXEC:")).split("=", 1)[1])
        answers = program.with_suffix(f".{count}")
        environment = {**os.environ, "ANSWERS": str(answers), "TESSERA_GATHER_TO_HOST": "1", "OMP_NUM_THREADS": "1", "TESSERA_DEADLINE": "60",
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        done = subprocess.run([*start, "-n", str(count), program], capture_output=True, text=True, timeout=900, env=environment)
        found = self.of_processes[count]
        for rank in range(count):
            path = pathlib.Path(f"{answers}.{rank}")
            for line in path.read_text().splitlines() if path.exists() else ():
                if not line.startswith("{") or not line.endswith("}"):
                    continue
                answer = json.loads(line)
                known = found.setdefault(answer.pop("case"), {})
                if "values" in answer and known.get("values", answer["values"]) != answer["values"]:
                    answer = {"error": "exception", "text": f"process {rank} has other values than process 0"}
                answer["shards"] = {**known.get("shards", {}), **answer.get("shards", {})}
                known.update(answer)
        for number in numbers:
            said = found.setdefault(number, {"error": "exception", "text": "no answer"})
            # A mesh of fewer devices has as many of each process: numbered as they would be in one.
            said["shards"] = {str(i): said["shards"][d] for i, d in enumerate(sorted(said.get("shards", {}), key=int))}
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
            for number in numbers:
                if "values" not in found[number]:
                    found[number]["text"] = f"the program stopped: {last}"


def refusal_in(text):
    """The answer of a case that did not compile because one operation of it was refused where it stands: on constants."""
    errors = [line for line in text.splitlines() if re.search(r"\berror: ", line)]
    names = set(re.findall(r"tessera::error::(\w+)<[^\n]*?::explain\b", text))
    said = re.search(r"static assertion failed(?: due to requirement '[^']*')?: (tessera: .*)", errors[0]) if len(errors) == 1 else None
    return {"error": names.pop(), "text": said[1]} if said and len(names) == 1 else None


def first_error(text):
    for line in text.splitlines():
        if "error: " in line:
            return line[line.index("error: ") :]
    return (text.strip().splitlines() or ["the compiler failed without a word"])[0]
