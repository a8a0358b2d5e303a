# SPDX-License-Identifier: Apache-2.0
"""A tests/error/<reason>_misuse.cpp as the checks read it."""

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
        for number, line in enumerate(lines, 1):
            if line.startswith("#"):
                block = {"#ifdef TESSERA_MISUSE": self.wrong, "#else": self.right if block is self.wrong else None}.get(line.strip())
            elif block is not None:
                block.append(line)
                if block is self.wrong:
                    self.wrong_lines.append(number)
        # Where the message points: at the wrong lines, or at the line that `// points-at: ` quotes.
        self.named_lines = [n for code in self.comments("points-at") for n, line in enumerate(lines, 1) if line.strip() == code]
        self.named_lines = self.named_lines or self.wrong_lines

    def comments(self, key):
        return [line.strip() for line in re.findall(rf"^// {key}: (.+)$", self.text, re.M)]

    @staticmethod
    def code(lines):
        return textwrap.dedent("\n".join(lines)) + "\n"
