# SPDX-License-Identifier: Apache-2.0
"""A *_misuse.cpp as the checks read it. It holds one misuse, between #ifdef TESSERA_MISUSE and #else, or several, each
between #if (#elif) TESSERA_MISUSE == N and the next directive."""

import pathlib
import re
import textwrap


class MisuseFile:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.name.removesuffix("_misuse.cpp")
        self.text = self.path.read_text()
        lines = self.text.splitlines()
        self.wrong, self.right, block = [], [], None  # lines of the two branches
        self.wrong_lines = []  # their numbers, of the wrong one
        self.cases = {}  # where there are several: N -> the numbers of its lines
        case = None
        for number, line in enumerate(lines, 1):
            if line.startswith("#"):
                numbered = re.match(r"#(?:el)?if TESSERA_MISUSE == (\d+)$", line)
                case = self.cases.setdefault(int(numbered[1]), []) if numbered else None
                block = {"#ifdef TESSERA_MISUSE": self.wrong, "#else": self.right if block is self.wrong else None}.get(line.strip())
            elif block is not None:
                block.append(line)
                if block is self.wrong:
                    self.wrong_lines.append(number)
            elif case is not None:
                case.append(number)

    def misuses(self):
        """Each as (definition, sentences, fixes, lines of which the message names one): those of the misuse, or the line that
        `// points-at: ` quotes."""
        lines = self.text.splitlines()
        tried = {f"TESSERA_MISUSE={n}": numbers for n, numbers in self.cases.items()} or {"TESSERA_MISUSE": self.wrong_lines}
        for definition, numbers in tried.items():
            said = [lines[n - 1] for n in numbers] if self.cases else lines
            sentences, fixes, quoted = (
                [found[1].strip() for line in said if (found := re.match(rf" *// {key}: (.+)$", line))]
                for key in ("expect", "expect-fix", "points-at"))
            named = [n for code in quoted for n, line in enumerate(lines, 1) if line.strip() == code]
            yield definition, sentences, fixes, named or numbers

    @staticmethod
    def code(lines):
        return textwrap.dedent("\n".join(lines)) + "\n"
