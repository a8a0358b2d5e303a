# SPDX-License-Identifier: Apache-2.0
"""Compiler commands of the build tree, for checks that run a compiler themselves."""

import fcntl
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from report import HEADERS, skip


class Compiler:
    """The command that the build tree has for a source, for its own compiler or, in `other`, another one's."""

    def __init__(self, build, source, other=None):
        for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
            if pathlib.Path(entry["file"]).name == source:
                words = shlex.split(entry["command"])
                break
        else:
            raise SystemExit(f"{build}/compile_commands.json has no {source}")
        while not re.search(r"(\+\+|cc|clang|nvcc_wrapper|cl)(-[\d.]+)?$", words[0]):
            words.pop(0)  # a launcher such as ccache
        self.program, self.environment = words[0], {**os.environ, "LC_ALL": "C"}
        self.flags, words = [], iter(words[1:])
        for word in words:
            if word == "-o":
                next(words)
            elif word != "-c" and not word.endswith(source):
                self.flags.append(word)
        self.own = not other or os.path.realpath(shutil.which(other) or other) == os.path.realpath(self.program)
        if not self.own:
            self.become(other)

    def drop(self, *names):
        """Forgets flags of these names, of `name:` with the word that follows."""
        kept, words = [], iter(self.flags)
        for word in words:
            if word + ":" in names:
                next(words)
            elif word not in names:
                kept.append(word)
        self.flags = kept

    def drop_precompiled(self):
        """Forgets the tree's own precompiled header, which takes no other level of optimization or compiler."""
        self.drop("-include:", "-Xclang:", "-Winvalid-pch")

    def become(self, other):
        self.drop_precompiled()
        if "nvcc" in pathlib.Path(other).name:  # the tree's flags are meant for Kokkos' wrapper, which asks for a host compiler
            self.environment["NVCC_WRAPPER_DEFAULT_COMPILER"] = self.program
            self.program, self.own = other, True
            return
        steps = [flag.split("=")[1] for flag in self.flags if re.match(r"-fconstexpr-(steps|ops-limit)=", flag)]
        self.flags = ["-fopenmp" if flag.startswith("-fopenmp") else flag for flag in self.flags if not flag.startswith(("-fconstexpr", "-fbracket", "--param=", "-Wno-"))]
        self.program = shutil.which(other) or skip(f"no {other}")
        if steps:
            clang = [f"-fconstexpr-steps={steps[0]}", "-fbracket-depth=4096"]
            self.flags += clang if self.kind() == "clang" else [f"-fconstexpr-loop-limit={steps[0]}", f"-fconstexpr-ops-limit={steps[0]}"]

    def precompile(self, build, name, folder=HEADERS.parent):
        """A file that begins with `#include <name>`, a header in the folder, reads it from a file made once for all checks with
        these flags. The tree's own has GoogleTest, which costs each file a quarter of a second more. Nothing that a compiler says
        changes, but for a line of clang's."""
        kind = self.kind()
        if kind == "nvcc":
            return
        self.drop_precompiled()
        newest = max(header.stat().st_mtime for place in {HEADERS, folder} for header in place.rglob("*.hpp"))
        made = pathlib.Path(build) / "precompiled" / hashlib.sha256(" ".join([self.program, *self.flags, str(folder)]).encode()).hexdigest()[:12]
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        file = made / (name + (".pch" if kind == "clang" else ".gch"))
        with open(made / (name + ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if kind != "clang" and not (made / name).exists():  # read by files that begin otherwise
                (made / name).symlink_to(folder / name)
            if not file.exists() or file.stat().st_mtime < newest:
                how = ["-Wno-pragma-once-outside-header", "-fpch-instantiate-templates"] if kind == "clang" else ["-w"]
                # itself: a file between would be a line of the errors
                if self.run(*how, "-x", "c++-header", folder / name, "-o", file).returncode:
                    return file.unlink(missing_ok=True)  # the check's own run says why
        self.flags = [*self.flags, "-include-pch", str(file)] if kind == "clang" else ["-I", str(made), *self.flags]

    def kind(self):
        text = subprocess.run([self.program, "--version"], capture_output=True, text=True).stdout
        return "nvcc" if "nvcc" in text else "clang" if "clang" in text else "g++"

    def version(self):
        option = {"g++": "-dumpfullversion", "clang": "-dumpversion", "nvcc": "--version"}[self.kind()]
        text = subprocess.run([self.program, option], capture_output=True, text=True).stdout
        return re.search(r"(release |^)([\d.]+)", text, re.M)[2]

    def run(self, *arguments, **options):
        """Runs the compiler with the tree's flags; its messages are English and uncolored."""
        return subprocess.run([self.program, *self.flags, *map(str, arguments)], capture_output=True, text=True,
                              env=self.environment, **options)

    def check(self, *arguments, **options):
        """Runs the front end alone."""
        if self.kind() != "nvcc":
            return self.run("-fsyntax-only", *arguments, **options)
        # nvcc has no such flag: of the steps that --dryrun lists, those up to the front end that sees the program as the
        # host does. It comes first and refuses what is wrong for both.
        with tempfile.TemporaryDirectory() as folder:
            environment = {**self.environment, "TMPDIR": folder}
            listed = subprocess.run([self.program, *self.flags, "--dryrun", "-c", *map(str, arguments)], capture_output=True,
                                    text=True, env=environment)
            steps = [line.removeprefix("#$ ") for line in listed.stderr.splitlines()]
            steps = [step for step in steps if not re.match(r'\w+=.*"', step)]  # lists, which the steps have in them
            ends = [number for number, step in enumerate(steps, 1) if step.startswith("cudafe++ ")]
            if not ends:
                raise SystemExit(f"{self.program} --dryrun lists no cudafe++:\n" + "\n".join(steps))
            script = "set -ea\n" + "\n".join(steps[: ends[0]])
            return subprocess.run(["bash"], input=script, cwd=folder, capture_output=True, text=True, env=environment)


def linked(build, target, object_file, program):
    """Links an object file as the build tree links its target, a program of one file."""
    script = pathlib.Path(build) / "CMakeFiles" / f"{target}.dir" / "link.txt"
    if script.exists():
        line = script.read_text()
    else:
        commands = subprocess.run(["ninja", "-C", build, "-t", "commands", target], capture_output=True, text=True, check=True)
        line = commands.stdout.splitlines()[-1]
    words = shlex.split(line.split("&&")[1] if "&&" in line else line)
    words[words.index("-o") + 1] = str(program)
    words = [str(object_file) if word.endswith(".cpp.o") else word for word in words]
    return subprocess.run(words, cwd=build, capture_output=True, text=True)
