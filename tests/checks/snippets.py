# SPDX-License-Identifier: Apache-2.0
"""snippets.py <build tree> <probe>: every ```cpp block of README.md and docs/**/*.md compiles.

A block with `int main` is a program and compiles alone. Of any other block the declarations (types, templates, functions,
namespaces, aliases) go to namespace scope and the statements into a function, after the usual includes. A comment before
a block says more:
  <!-- snippet: continues -->            it goes on where the page's last block ended
  <!-- snippet: skip because ... -->     it is not compiled, for the reason given
  <!-- snippet: from examples/x.cpp -->  it stands in that file, line by line, which is compiled or checked elsewhere; for
                                         blocks in any language, as what a program prints
  <!-- snippet: hidden                   code that the reader need not see, put before the block
  ... -->
"""

import pathlib
import re
import sys
import tempfile
import textwrap

from compiler import Compiler
from report import ROOT, finish, relative

PREAMBLE = "#include <tessera/tessera.hpp>\n#include <array>\n#include <iostream>\n#include <string>\n#include <tuple>\n#include <vector>\n"
MARKER = re.compile(r"<!--\s*snippet:\s*(.*?)\s*-->", re.S)
DECLARES = re.compile(r"^(template|struct|class|enum|union|namespace|concept|inline|extern|consteval|#|using namespace)\b|^#")
ALIAS = re.compile(r"^(using \w+ =|namespace \w+ =)(?!.*decltype\()", re.S)
FUNCTION = re.compile(r"^(?!(?:if|for|while|switch|do|return|else)\b)[\w:<>,&*\s\[\]]*?[\s&*]\w+\s*\([^{}]*\)\s*(const|noexcept|->[^{]*)?\s*$")


def quoted_from(options):
    return next((option.removeprefix("from ") for option in options if option.startswith("from ")), None)


def stands_in(code, file):
    """Whether the lines of the code follow each other in the file, however far they are indented there."""
    if not file.is_file():
        return False
    wanted, lines = textwrap.dedent(code).splitlines(), file.read_text().splitlines()
    return bool(wanted) and any(textwrap.dedent("\n".join(lines[at : at + len(wanted)])).splitlines() == wanted for at in range(len(lines)))


def blocks(page):
    """(line, hidden code, options, code) of each block of a page."""
    lines, hidden, options, index = page.read_text().splitlines(), "", [], 0
    while index < len(lines):
        line = lines[index]
        if line.startswith("<!--"):
            last = next(i for i in range(index, len(lines)) if "-->" in lines[i])
            marker = MARKER.match("\n".join(lines[index : last + 1]))
            if marker and marker[1].startswith("hidden"):
                hidden += marker[1].removeprefix("hidden") + "\n"
            elif marker:
                options.append(marker[1])
            index = last
        elif line.startswith("```"):
            last = next(i for i in range(index + 1, len(lines)) if lines[i].startswith("```"))
            if re.match(r"```(cpp|c\+\+|cxx)\b", line) or quoted_from(options):
                yield index + 2, hidden, options, "\n".join(lines[index + 1 : last]) + "\n"
            hidden, options, index = "", [], last
        elif line.strip():
            hidden, options = "", []
        index += 1


def chunks(code):
    """(line offset, text) of each top-level declaration or statement."""
    start = depth = 0
    position = 0
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#[^\n]*|[{}()\[\]]|;|\n|.', re.S | re.M)
    found = []

    def close(end):
        nonlocal start
        if code[start:end].strip():
            lead = len(code[start:end]) - len(code[start:end].lstrip())
            found.append((code[: start + lead].count("\n"), code[start + lead : end]))
        start = end

    for match in token.finditer(code):
        text, position = match[0], match.end()
        if text.lstrip().startswith("#"):
            close(position)
        elif text in "{([":
            depth += 1
        elif text in "})]":
            depth -= 1
            after = code[position:].lstrip(" \t\n")
            if text == "}" and depth == 0 and not re.match(r"[;,.)\[(\-+*/<>=?|&]|else\b|while\b", after) and not initialiser(code[start:position]):
                close(position)
        elif text == ";" and depth == 0:
            close(position)
    close(len(code))
    return found


def uncommented(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S).strip()


def initialiser(text):
    """Whether the brace that ends here belongs to `name{...}` or `= {...}`, so that a `;` must follow."""
    head = uncommented(text).split("{")[0].strip()
    return bool(head) and not DECLARES.match(head) and not FUNCTION.match(head) and not re.match(r"(if|for|while|switch|do|else|try)\b", head)


def parts(code, where, line):
    """The code's declarations and its statements, each with #line directives."""
    outer, inner = "", ""
    for offset, text in chunks(code):
        plain = uncommented(text)
        located = f'#line {line + offset} "{where}"\n{text}\n'
        head = plain.split("{")[0].strip()
        if DECLARES.match(plain) or ALIAS.match(plain) or ("{" in plain and FUNCTION.match(head)):
            outer += located
        else:
            inner += located
    return outer, inner


programs, fragments, skipped, quoted, problems, count = [], [], [], 0, [], 0
pages = [page for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))] if page.exists()]
for page in pages:
    where, first = relative(page), True
    for line, hidden, options, code in blocks(page):
        count += 1
        if any(option.startswith("skip") for option in options):
            skipped.append(f"{where}:{line}: not compiled: {options[0].removeprefix('skip').strip() or 'NO REASON GIVEN'}")
        elif file := quoted_from(options):
            quoted += 1
            if not stands_in(code, ROOT / file):
                problems.append(f"{where}:{line}: these lines do not stand in {file}")
        elif re.search(r"\bint main\(", code):
            programs.append(f'{hidden}#line {line} "{where}"\n{code}')
        else:
            outer, inner = map("".join, zip(parts(hidden, where, line), parts(code, where, line)))
            if "continues" in options and not first:
                fragments[-1] = (fragments[-1][0] + outer, fragments[-1][1] + inner)
            else:
                fragments.append((outer, inner))
            first = False

includes, body = "", ""
for number, (outer, inner) in enumerate(fragments):
    lifted = re.findall(r"^#include.*$", outer, re.M)
    includes += "\n".join(lifted) + "\n"
    outer = re.sub(r"^#include.*$", "", outer, flags=re.M)
    body += f"namespace snippet_{number} {{\nnamespace ts = tessera;\n{re.sub(r'^namespace ts = tessera;.*$', '', outer, flags=re.M)}[[maybe_unused]] void statements() {{\n{inner}}}\n}}\n"

build, probe = sys.argv[1:3]
compiler = Compiler(build, probe)
with tempfile.TemporaryDirectory() as folder:
    units = ([PREAMBLE + includes + body] if fragments else []) + programs
    for number, unit in enumerate(units):
        source = pathlib.Path(folder) / f"snippets_{number}.cpp"
        source.write_text(unit)
        run = compiler.run("-fsyntax-only", "-Wno-unused-variable", "-Wno-unused-but-set-variable", source)
        if run.returncode:
            problems.append(run.stderr)
for line in skipped:
    print(line)
    if "NO REASON" in line:
        problems.append(line)
finish(problems, f"{count} blocks on {len(pages)} pages: {len(fragments)} fragments, {len(programs)} programs, {quoted} quoted, {len(skipped)} skipped")
