# SPDX-License-Identifier: Apache-2.0
"""misuse.py <build tree> <probe> <compiler> <source> [<n> [--control=no]]: the source compiles as it stands and, with TESSERA_MISUSE, fails as
its comments say:
  // expect: a sentence of an `error: ` line (one line each, all must be there)
  // expect-fix: text that follows in the same output
  // clang-lines: 45 (of the whole file) where more lines than 15 of this compiler are known
  // points-at: the line that the output names, if it is none of those under TESSERA_MISUSE
The output names the user's file and that line, as `file:line` or, inside traced code, as at_line<line>. It has at most 15
lines. The source as it stands compiles without a word. A file of several misuses has these comments under each of them.
What the compiler says to the misuse is kept in <build tree>/misuse for errors_page.py. With n at most n misuses of a file
are tried, evenly: those of one file are of one kind. With --control=no the source as it stands is compiled only if a misuse is
not found, to say why: where another compiler compiles it anyway."""

import pathlib
import re
import sys

from compiler import Compiler
from misuse_file import MisuseFile
from report import skip

LINES = 15

build, probe, program, source, *most = sys.argv[1:]
controlled = "--control=no" not in most
most = [word for word in most if word != "--control=no"]
test = MisuseFile(source)
tried = list(test.misuses())
for name, sentences, _, named_lines in tried:
    if not sentences:
        sys.exit(f"{source}: {name} has no `// expect: ` line")
    if not named_lines:
        sys.exit(f"{source}: nothing under {name}, or no line is what `// points-at: ` quotes")

if most:
    tried = tried[:: -(-len(tried) // int(*most))]

compiler = Compiler(build, probe, program)
compiler.drop("-Wall", "-Wextra", "-Wpedantic", "-Werror")  # what a user sees who asked for none
allowed = int(next(iter(re.findall(rf"// {compiler.kind()}-lines: (\d+)", test.text)), LINES))
compiler.precompile(build, "tessera/tessera.hpp" if "run" in probe else "tessera/types.hpp")


def said_to_control():
    """What the compiler says of the source as it stands, which must compile."""
    control = compiler.check(source)
    if control.returncode:
        if not compiler.own:
            bare = compiler.run("-fsyntax-only", "-x", "c++", "-", input=f"#include <{'Kokkos_Core' if 'run' in probe else 'boost/mp11'}.hpp>\n")
            if bare.returncode:
                skip(f"{program} cannot compile the dependencies that this tree found:\n{bare.stderr[:500]}")
        sys.exit("the control, the file without TESSERA_MISUSE, does not compile:\n" + "\n".join(control.stderr.splitlines()[:40]))
    return [f"the control compiles, but not without a word:\n{control.stderr[:2000]}"] if control.stderr.strip() else []


problems = said_to_control() if controlled else []
said_by_all = []
included = [n for n, line in enumerate(test.text.splitlines(), 1) if line.startswith("#include")]
for name, sentences, fixes, named_lines in tried:
    misuse = compiler.check("-D" + name, source)
    if not misuse.returncode and compiler.kind() == "nvcc":  # some functions it leaves to the host's compiler
        misuse = compiler.run("-D" + name, "-c", source, "-o", "/dev/null")
    output = misuse.stderr
    said_by_all.append(output)
    said = re.sub(r"\b(\d+)(L|U|UL)\b", r"\1", output)  # nvcc writes 8L, {'i', 'j', '\000'} for 8, {"ij"}
    said = re.sub(r"\{((?:'.', )+)'\\000'\}", lambda found: '{"' + re.sub("'(.)', ", r"\1", found[1]) + '"}', said)
    # What clang says of its precompiled header is nothing that a user sees.
    lines = [line for line in said.rstrip("\n").splitlines() if not re.match(r"In file included from (<built-in>|\S*cmake_pch\.hxx)[:,]", line)]
    errors = re.findall(r"\berror(?: #[\w-]+)?: (.*)", said)
    found_wrong = []
    if not misuse.returncode:
        found_wrong.append("the misuse compiles")
    found_wrong += [f"no error says: {sentence}" for sentence in sentences if not any(sentence in error for error in errors)]
    found_wrong += [f"no Fix says: {fix}" for fix in fixes if fix not in said]
    if misuse.returncode and len(errors) != 1:
        found_wrong.append(f"{len(errors)} errors, expected one")
    if len(lines) > allowed:
        found_wrong.append(f"{len(lines)} lines of output, more than {allowed}")
    places = rf"{re.escape(source)}[:(](\d+)|at line (\d+) of {re.escape(source)}"
    named = {int(n or other) for n, other in re.findall(places, said)} - set(included)
    if not named:
        found_wrong.append("no line of the user's file is named")
    if not (named | {int(n) for n in re.findall(r"\bat_line<(\d+)", said)}) & set(named_lines):
        found_wrong.append(f"neither {test.path.name}:N nor at_line<N> names line {' or '.join(map(str, named_lines))}")
    beyond = {int(n) for n in re.findall(r"\bat_line<(\d+)", said)} - set(range(1, len(test.text.splitlines()) + 1))
    if beyond:
        found_wrong.append(f"at_line<{max(beyond)}> is a line of the library's, not of {test.path.name}")
    print(output)
    print(f"{name}: {len(errors)} error(s) in {len(lines)} lines by {compiler.program}")
    problems += [f"{name}: {problem}" for problem in found_wrong]
kept = pathlib.Path(build) / "misuse" / f"{test.name}.{compiler.kind()}.txt"
kept.parent.mkdir(exist_ok=True)
kept.write_text(f"{compiler.kind()} {compiler.version()}\n" + "".join(said_by_all))

if problems and not controlled:
    problems += said_to_control()
for problem in problems:
    print(f"PROBLEM: {problem}")
sys.exit(1 if problems else 0)
