# SPDX-License-Identifier: Apache-2.0
"""The blocks of a page and their markers; the declarations and the statements of C++."""

import re
import textwrap

MARKER = re.compile(r"<!--\s*snippet:\s*(.*?)\s*-->", re.S)
DECLARES = re.compile(r"^(TESSERA_TREE|template|struct|class|enum|union|namespace|concept|inline|extern|consteval|#|using namespace)\b|^#")
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
    """(line, language, hidden code, options, code) of each block of a page that is C++ or has a marker."""
    lines, hidden, options, index = page.read_text().splitlines(), "", [], 0
    while index < len(lines):
        line = lines[index]
        if line.startswith("<!--"):
            last = next(i for i in range(index, len(lines)) if "-->" in lines[i])
            marker = MARKER.match("\n".join(lines[index : last + 1]))
            if marker and marker[1].startswith("hidden"):
                hidden += marker[1].removeprefix("hidden") + "\n"
            elif marker and marker[1].startswith("then"):
                yield index + 1, "cpp", "", ["continues", "then"], marker[1].removeprefix("then") + "\n"
            elif marker and marker[1].startswith("rows"):
                pass
            elif marker:
                options.append(marker[1])
            index = last
        elif line.startswith("```"):
            last = next(i for i in range(index + 1, len(lines)) if lines[i].startswith("```"))
            language = "cpp" if re.match(r"```(cpp|c\+\+|cxx)\b", line) else line[3:].strip()
            if language == "cpp" or options:
                yield index + 2, language, hidden, options, "\n".join(lines[index + 1 : last]) + "\n"
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
            if text == "}" and depth == 0 and not re.match(r"[;,.)\[(\-+*/<>=?|&]|else\b|while\b", after) and not initializer(code[start:position]):
                close(position)
        elif text == ";" and depth == 0:
            close(position)
    close(len(code))
    return found


def uncommented(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S).strip()


def initializer(text):
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
