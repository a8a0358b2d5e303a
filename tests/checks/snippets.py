# SPDX-License-Identifier: Apache-2.0
"""snippets.py <build tree> <probe> <program> [<page>...]: every ```cpp block of README.md and docs/**/*.md compiles and runs, and prints
what its page says.

A block with `int main` is a program. Of any other block the declarations (types, templates, functions, namespaces, aliases)
go to namespace scope and the statements into a function, after the usual includes. Each runs as a process of its own, those
of a page in one folder, which is empty at first. A program that shows its `#include`s is compiled alone, all else as one file.

What a comment of the code says is held to it:
  auto y = f(x);  // float32[8@dp]             the type of y; of `auto [y, z]`: float32[8], int32[]
  return f(x);    // x: float32[8@dp]          the type of x
  std::cout << typeof_(y) << '\\n';  // float32[8@dp] ...   is printed
  std::cout << y.sharding();  // prints: TEXT  is printed; `...` in it stands for anything
A comment of the page before a block says more:
  <!-- snippet: continues -->            it goes on where the page's last block ended
  <!-- snippet: compile only because ... -->  it is not run, for the reason given
  <!-- snippet: skip because ... -->     it is not compiled, for the reason given
  <!-- snippet: printed -->              before a block of text: the program above it prints these lines, however they are folded;
                                         `...` in it stands for anything
  <!-- snippet: printed, but for REGEX -->    the same; what the regular expression matches may differ, as a time does
  <!-- snippet: from examples/x.cpp -->  it stands in that file, line by line, which is compiled or checked elsewhere; for
                                         blocks in any language, as what a program prints
  <!-- snippet: hidden                   code that the reader need not see, put before the block
  ... -->
  <!-- snippet: then                     such code that goes on where the block above has ended
  ... -->
  <!-- snippet: rows                     code for the page's tables: each `a == b` in a row is true, of arrays in all elements
  ... -->
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from compiler import Compiler, linked
from report import ROOT, finish, relative
from snippet_blocks import MARKER, blocks, parts, quoted_from, stands_in

PREAMBLE = """#include <tessera/tessera.hpp>
#include <array>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>
"""
HOLDS = """namespace rows_of_pages {
template <class T>
bool holds(T const& v) {
  if constexpr (std::is_convertible_v<T, bool>)
    return v;
  else
    return tessera::asarray(tessera::all(v)).item();
}
inline int wrong = 0;
inline void expect(bool good, char const* where, char const* text) {
  if (!good) ++wrong, std::cerr << where << ": not so: " << text << '\\n';
}
}
"""
QUIET = ["-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-unused-function"]
TYPE = r"(?:bool|u?int\d+|float\d+|bfloat16|complex\d+)(?:<host>)?\[[^\]]*\](?:\{[^}]*\})*"


class Unit:
    """A program of a page: some of its blocks, or one that has a main; or the rows of its tables."""

    def __init__(self, where, line):
        self.where, self.line, self.outer, self.inner, self.main, self.alone, self.code = where, line, "", "", False, False, ""
        self.compiled_only, self.said, self.rows = False, [], 0


def with_types(code):
    """The code with an assertion behind each line whose comment has the types of what it declares, or of names of it."""

    def checked(line):
        text, names = line[0], []
        declared = re.match(r"\s*auto (?:const )?&?&?(\w+|\[[\w, ]+\]) = ", line[1])
        if declared and re.match(TYPE, line[3]):
            names = re.findall(r"\w+", declared[1])
            types = re.match(rf"{TYPE}(?:, {TYPE})*", line[3])
            types = re.findall(TYPE, types[0]) if len(names) > 1 else [re.match(TYPE, line[3])[0]]
        else:
            pairs = re.match(rf"(?:\w+: {TYPE}\s*)+", line[3])
            names, types = zip(*re.findall(rf"(\w+): ({TYPE})", pairs[0])) if pairs else ((), ())
        asserted = "".join(f' static_assert(::tessera::type_text<decltype({n})> == "{t}");' for n, t in zip(names, types))
        return f"{line[1]}{asserted}{line[2]}{line[3]}"

    return re.sub(r"^(.*;)(\s*//\s*)(.*)$", checked, code, flags=re.M)


def said_to_be_printed(code, where, first):
    for number, line in enumerate(code.splitlines(), first):
        shown = re.search(rf"<<.*//\s*(?:prints: (.*\S)|({TYPE}))", line)
        if shown:
            yield f"{where}:{number}", shown[1] or shown[2], None


def folded(text):
    return " ".join(text.split())


def prints(output, wanted, differs=None):
    output, wanted = (re.sub(differs, "", text) if differs else text for text in (output, wanted))
    pieces = [re.escape(folded(piece)) for piece in wanted.split("...")]
    return re.search(r"\s*.*?\s*".join(pieces), folded(output)) is not None


def rows_of(page, where):
    """A unit of the page's rows that state an equality, or None."""
    text = page.read_text()
    prelude = next((m for m in MARKER.finditer(text) if m[1].startswith("rows")), None)
    if not prelude:
        return None
    unit = Unit(where, text[: prelude.start()].count("\n") + 1)
    unit.outer, unit.inner = parts(prelude[1].removeprefix("rows") + "\n", where, unit.line)
    for number, line in enumerate(text.splitlines(), 1):
        for span in re.findall(r"`([^`]* == [^`]*)`", line) if line.startswith("|") else []:
            said = span.replace("\\", "\\\\").replace('"', '\\"')
            unit.rows += 1
            unit.inner += f'#line {number} "{where}"\nrows_of_pages::expect(rows_of_pages::holds({span}), "{where}:{number}", "{said}");\n'
    unit.inner += "if (rows_of_pages::wrong) std::exit(1);\n"
    return unit


units, skipped, quoted, problems, count = [], [], 0, [], 0
pages = [page for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))] if page.exists()]
pages = [page for page in pages if relative(page) in sys.argv[4:] or not sys.argv[4:]]
for page in pages:
    where, unit = relative(page), None
    for line, language, hidden, options, code in blocks(page):
        reason = next((option for option in options if option.startswith(("skip", "compile only"))), None)
        if reason and not re.search(r"because \S", reason):
            problems.append(f"{where}:{line}: `{reason}` gives no reason")
        if any(option.startswith("skip") for option in options):
            skipped.append(f"{where}:{line}: not compiled: {reason.removeprefix('skip').strip()}")
            continue
        count += (language == "cpp" and "then" not in options) or bool(quoted_from(options))
        if file := quoted_from(options):
            quoted += 1
            if not stands_in(code, ROOT / file):
                problems.append(f"{where}:{line}: these lines do not stand in {file}")
            continue
        if printed := next((option for option in options if option.startswith("printed")), None):
            if unit:
                unit.said.append((f"{where}:{line}", code, printed.removeprefix("printed, but for ") if "but for" in printed else None))
            else:
                problems.append(f"{where}:{line}: no program stands above this")
            continue
        if language != "cpp":
            problems.append(f"{where}:{line}: a block of text has no use for `{'`, `'.join(options)}`")
            continue
        said = [*said_to_be_printed(hidden, where, line), *said_to_be_printed(code, where, line)]
        if re.search(r"\bint main\(", code):
            unit = Unit(where, line)
            unit.alone = re.search(r"^#include", code, re.M) is not None
            unit.main, unit.code = True, f'{hidden}#line {line} "{where}"\n{with_types(code)}'
            units.append(unit)
        else:
            if "continues" not in options or not unit:
                unit = Unit(where, line)
                units.append(unit)
            for text in (hidden, with_types(code)):
                outer, inner = parts(text, where, line)
                unit.outer, unit.inner = unit.outer + outer, unit.inner + inner
        unit.said += said
        unit.compiled_only = unit.compiled_only or bool(reason)
    if rows := rows_of(page, where):
        units.append(rows)


def one_file(some):
    """All these programs as one, which runs that of the number it is given."""
    includes, body, main = "", "", ""
    for unit in some:
        number = units.index(unit)
        code = unit.code.replace("int main(", "auto run(") if unit.main else unit.outer
        includes += "\n".join(re.findall(r"^#include.*$", code, re.M)) + "\n"
        code = re.sub(r"^(#include|namespace ts = tessera;).*$", "", code, flags=re.M)
        # What is not run has no names outside of its file, so that it need not be linked.
        body += f"namespace snippet_{number} {{\n{'namespace {' if unit.compiled_only else ''}\nnamespace ts = tessera;\n{code}"
        body += "" if unit.main else f"void statements() {{\n{unit.inner}}}\n"
        body += "}\n}\n" if unit.compiled_only else "}\n"
        if unit.compiled_only:
            continue
        if unit.main:
            main += f"  if (which == {number}) return snippet_{number}::run(argc, argv), 0;\n"
    main += "  tessera::runtime runtime{argc, argv};\n"
    main += "".join(f"  if (which == {units.index(unit)}) snippet_{units.index(unit)}::statements();\n"
                    for unit in some if not unit.main and not unit.compiled_only)
    return f'{PREAMBLE}{includes}{HOLDS}{body}#line 1 "main"\nint main(int argc, char** argv) {{\n  int const which = std::atoi(argv[1]);\n{main}}}\n'


def run(unit, program, folder):
    number = units.index(unit)
    sandbox = pathlib.Path(folder) / f"run_{unit.where.replace('/', '_')}"
    sandbox.mkdir(exist_ok=True)
    environment = {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive", "KOKKOS_DISABLE_WARNINGS": "1", **os.environ}
    try:
        done = subprocess.run([program, str(number)], cwd=sandbox, env=environment, capture_output=True, text=True, errors="replace", timeout=120)
    except subprocess.TimeoutExpired:
        return problems.append(f"{unit.where}:{unit.line}: does not end within two minutes")
    if done.returncode:
        problems.append(f"{unit.where}:{unit.line}: ends with {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-3000:]}")
        return
    for where, text, differs in unit.said:
        if not prints(done.stdout, text, differs):
            problems.append(f"{where}: this is not printed:\n{text}\nbut\n{done.stdout[-4000:]}")


build, probe, target = sys.argv[1:4]
compiler = Compiler(build, probe)
compiler.precompile(build, "tessera/tessera.hpp")
compiler.flags += ["-include", "tessera/tessera.hpp"] if compiler.kind() == "g++" else []
with tempfile.TemporaryDirectory() as folder:
    alone, programs = [unit for unit in units if unit.alone], {}
    together = [unit for unit in units if not unit.alone]
    files = 4 if compiler.kind() == "clang" else 1  # clang 19 takes 2.3 to 12.6 GB for a quarter, g++ 12 1.7 GB for all
    for some in [part for part in (together[i::files] for i in range(files)) if part] + [[unit] for unit in alone]:
        number = units.index(some[0])
        source, program = pathlib.Path(folder) / f"snippets_{number}.cpp", pathlib.Path(folder) / f"snippets_{number}"
        source.write_text(some[0].code if some[0].alone else one_file(some))
        done = compiler.run(*QUIET, "-c", source, "-o", source.with_suffix(".o"))
        done = done if done.returncode else linked(build, target, source.with_suffix(".o"), program)
        if done.returncode:
            problems.append(done.stderr)
            continue
        for unit in some:
            if not unit.compiled_only:
                programs[units.index(unit)] = program
    for unit in units:  # in the order of the page: one may read what another has written
        if units.index(unit) in programs:
            run(unit, programs[units.index(unit)], folder)
for line in skipped:
    print(line)
compiled_only = [unit for unit in units if unit.compiled_only]
for unit in compiled_only:
    print(f"{unit.where}:{unit.line}: not run")
said, rows = sum(len(unit.said) for unit in units), sum(unit.rows for unit in units)
finish(problems, f"{count + rows} blocks and rows on {len(pages)} pages: {len(units)} programs, {len(compiled_only)} of them not run, "
                 f"{said} things they print, {rows} rows, {quoted} quoted, {len(skipped)} skipped")
