# SPDX-License-Identifier: Apache-2.0
"""misuse.py <build tree> <probe> <compiler> <source>: the source compiles as it stands and, with TESSERA_MISUSE, fails as
its comments say:
  // expect: a sentence of an `error: ` line (one line each, all must be there)
  // expect-fix: text that follows in the same output
  // errors: how many errors there are, if not one
The whole output has at most 15 lines for each error."""

import re
import sys

from compiler import Compiler
from report import skip

LINES_PER_ERROR = 15

build, probe, program, source = sys.argv[1:]
text = open(source).read()


def expected(key):
    return [line.strip() for line in re.findall(rf"^// {key}: (.+)$", text, re.M)]


sentences, fixes = expected("expect"), expected("expect-fix")
count = int((expected("errors") or ["1"])[0])
if not sentences:
    sys.exit(f"{source}: no `// expect: ` line")

compiler = Compiler(build, probe, program)
compiler.drop("-Wall", "-Wextra", "-Wpedantic", "-Werror")  # what a user sees who asked for none
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
if misuse.returncode and len(errors) != count:
    problems.append(f"{len(errors)} errors, expected {count}")
if len(lines) > LINES_PER_ERROR * count:
    problems.append(f"{len(lines)} lines of output, more than {LINES_PER_ERROR * count}")

print(output)
print(f"{len(errors)} error(s) in {len(lines)} lines by {compiler.program}")
for problem in problems:
    print(f"PROBLEM: {problem}")
sys.exit(1 if problems else 0)
