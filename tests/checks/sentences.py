#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each sentence that a *_misuse.cpp expects stands in a header as it is written there. misuse.py compiles each misuse and is
the test; this takes a second and finds a sentence that was changed in one of the two places."""

import re

from misuse_file import MisuseFile
from report import ROOT, finish

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SEVERAL = re.compile(rf"{LITERAL.pattern}(?:\s*{LITERAL.pattern})*")


def said(header):
    """Its string literals, those that follow each other joined as the compiler joins them."""
    for found in SEVERAL.finditer(header.read_text()):
        yield "".join(part[1] for part in LITERAL.finditer(found[0])).replace('\\"', '"')


sentences = "\n".join(sentence for header in sorted((ROOT / "include").rglob("*.hpp")) for sentence in said(header))
expected = [(source.relative_to(ROOT), definition, sentence)
            for source in sorted((ROOT / "tests").rglob("*_misuse.cpp"))
            for definition, texts, _, _ in MisuseFile(source).misuses() for sentence in texts]
problems = [f"{source}: {definition}: no header says: {text}" for source, definition, text in expected if text not in sentences]
finish(problems, f"{len(expected)} sentences of misuses")
