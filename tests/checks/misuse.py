# SPDX-License-Identifier: Apache-2.0
"""misuse.py <build tree> <probe> <compiler> <source>: the source compiles as it stands and, with TESSERA_MISUSE, fails as
its comments say:
  // expect: a sentence of an `error: ` line (one line each, all must be there)
  // expect-fix: text that follows in the same output
  // points-at: the line that the output names, if it is none of those under TESSERA_MISUSE
The output names the user's file and that line, as `file:line` or, inside traced code, as at_line<line>. It has at most 15
lines. The source as it stands compiles without a word. What the compiler says to the misuse is kept in <build tree>/misuse
for errors_page.py."""

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
control = compiler.check(source)
if control.returncode:
    if not compiler.own:
        bare = compiler.run("-fsyntax-only", "-x", "c++", "-", input=f"#include <{'Kokkos_Core' if 'run' in probe else 'boost/mp11'}.hpp>\n")
        if bare.returncode:
            skip(f"{program} cannot compile the dependencies that this tree found:\n{bare.stderr[:500]}")
    sys.exit(f"the control, the file without TESSERA_MISUSE, does not compile:\n" + "\n".join(control.stderr.splitlines()[:40]))

misuse = compiler.check("-DTESSERA_MISUSE", source)
output = misuse.stderr
said = re.sub(r"\b(\d+)(L|U|UL)\b", r"\1", output)  # nvcc writes 8L, {'i', 'j', '\000'} for 8, {"ij"}
said = re.sub(r"\{((?:'.', )+)'\\000'\}", lambda found: '{"' + re.sub("'(.)', ", r"\1", found[1]) + '"}', said)
lines = said.rstrip("\n").splitlines()
errors = re.findall(r"\berror(?: #[\w-]+)?: (.*)", said)
problems = []
if control.stderr.strip():
    problems.append(f"the control compiles, but not without a word:\n{control.stderr[:2000]}")
if not misuse.returncode:
    problems.append("the misuse compiles")
for sentence in sentences:
    if not any(sentence in error for error in errors):
        problems.append(f"no error says: {sentence}")
for fix in fixes:
    if fix not in said:
        problems.append(f"no Fix says: {fix}")
if misuse.returncode and len(errors) != 1:
    problems.append(f"{len(errors)} errors, expected one")
if len(lines) > LINES:
    problems.append(f"{len(lines)} lines of output, more than {LINES}")
included = [n for n, line in enumerate(test.text.splitlines(), 1) if line.startswith("#include")]
places = rf"{re.escape(source)}[:(](\d+)|at line (\d+) of {re.escape(source)}"
named = {int(n or other) for n, other in re.findall(places, said)} - set(included)
if not named:
    problems.append("no line of the user's file is named")
if not (named | {int(n) for n in re.findall(r"\bat_line<(\d+)", said)}) & set(test.named_lines):
    problems.append(f"neither {test.path.name}:N nor at_line<N> names line {' or '.join(map(str, test.named_lines))}")
beyond = {int(n) for n in re.findall(r"\bat_line<(\d+)", said)} - set(range(1, len(test.text.splitlines()) + 1))
if beyond:
    problems.append(f"at_line<{max(beyond)}> is a line of the library's, not of {test.path.name}")
kept = pathlib.Path(build) / "misuse" / f"{test.name}.{compiler.kind()}.txt"
kept.parent.mkdir(exist_ok=True)
kept.write_text(f"{compiler.kind()} {compiler.version()}\n{output}")

print(output)
print(f"{len(errors)} error(s) in {len(lines)} lines by {compiler.program}")
for problem in problems:
    print(f"PROBLEM: {problem}")
sys.exit(1 if problems else 0)
