# SPDX-License-Identifier: Apache-2.0
"""misuse.py <build tree> <probe> <compiler> <source>: the source compiles as it stands and, with TESSERA_MISUSE, fails as
its comments say:
  // expect: a sentence of an `error: ` line (one line each, all must be there)
  // expect-fix: text that follows in the same output
  // points-at: the line that the output names, if it is none of those under TESSERA_MISUSE
The output names the user's file and that line, as `file:line` or, inside traced code, as at_line<line>. It has at most 15
lines. What g++ says is kept in <build tree>/misuse for errors_page.py."""

import pathlib
import re
import sys

from compiler import Compiler
from misuse_file import MisuseFile
from report import skip

LINES = 15

build, probe, program, source = sys.argv[1:]
test = MisuseFile(source)
sentences, fixes = test.comments("expect"), test.comments("expect-fix")
if not sentences:
    sys.exit(f"{source}: no `// expect: ` line")
if not test.named_lines:
    sys.exit(f"{source}: nothing under TESSERA_MISUSE, or no line is what `// points-at: ` quotes")

compiler = Compiler(build, probe, program)
compiler.drop("-Wall", "-Wextra", "-Wpedantic", "-Werror")  # what a user sees who asked for none
compiler.precompile(build, "tessera" if "run" in probe else "types")
control = compiler.run("-fsyntax-only", source)
if control.returncode:
    bare = compiler.run("-fsyntax-only", "-x", "c++", "-", input="#include <Kokkos_Core.hpp>\n" if "run" in probe else "#include <boost/mp11.hpp>\n")
    if bare.returncode and not compiler.own:
        skip(f"{program} cannot compile the dependencies that this tree found:\n{bare.stderr[:500]}")
    sys.exit(f"the control, the file without TESSERA_MISUSE, does not compile:\n" + "\n".join(control.stderr.splitlines()[:40]))

misuse = compiler.run("-fsyntax-only", "-DTESSERA_MISUSE", source)
output = misuse.stderr
lines = output.rstrip("\n").splitlines()
errors = [line for line in lines if re.search(r"\b(fatal )?error: ", line)]
problems = []
if not misuse.returncode:
    problems.append("the misuse compiles")
for sentence in sentences:
    if not any(sentence in line.split("error: ", 1)[1] for line in errors):
        problems.append(f"no error says: {sentence}")
for fix in fixes:
    if fix not in output:
        problems.append(f"no Fix says: {fix}")
if misuse.returncode and len(errors) != 1:
    problems.append(f"{len(errors)} errors, expected one")
if len(lines) > LINES:
    problems.append(f"{len(lines)} lines of output, more than {LINES}")
included = [n for n, line in enumerate(test.text.splitlines(), 1) if line.startswith("#include")]
named = {int(n) for n in re.findall(rf"{re.escape(source)}:(\d+)", output)} - set(included)
if not named:
    problems.append("no line of the user's file is named")
if not (named | {int(n) for n in re.findall(r"\bat_line<(\d+)", output)}) & set(test.named_lines):
    problems.append(f"neither {test.path.name}:N nor at_line<N> names line {' or '.join(map(str, test.named_lines))}")
if compiler.kind() == "g++":
    folder = pathlib.Path(build) / "misuse"
    folder.mkdir(exist_ok=True)
    (folder / f"{test.name}.txt").write_text(f"g++ {compiler.version()}\n{output}")

print(output)
print(f"{len(errors)} error(s) in {len(lines)} lines by {compiler.program}")
for problem in problems:
    print(f"PROBLEM: {problem}")
sys.exit(1 if problems else 0)
