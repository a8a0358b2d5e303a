# SPDX-License-Identifier: Apache-2.0
"""Comments, names and pages are spelled the American way, as the field's libraries are. Pages, and comments of headers and examples,
use plain words: PLAIN lists words that are idioms, with what to write instead. docs/errors.md shows text that others compare."""

import re
import subprocess

from report import ROOT, finish

# British stem -> American one. A stem is looked for everywhere in a word; `(?<![a-z])` is where a word begins.
SPELLED = {
    "behaviour": "behavior", "colour": "color", "neighbour": "neighbor", "favour": "favor", "honour": "honor",
    "centred": "centered", "(?<![a-z])centre": "center", "(?<![a-z])grey": "gray", "(?<![a-z])metre": "meter",
    "labell": "label", "modell": "model", "cancelled": "canceled", "cancelling": "canceling", "travell": "travel",
    "signall": "signal", "catalogue": "catalog", "licence": "license", "artefact": "artifact", "judgement": "judgment",
    "analys(?=e[ds]?(?![a-z])|ing)": "analyz", "learnt": "learned", "whilst": "while", "spelt": "spelled",
    "(?<![a-z])(de)?(al|coll|discret|emphas|factor|final|general|initial|linear|local|material|maxim|memor|minim|normal|optim|"
    "organ|parallel|penal|quant|real|recogn|regular|serial|special|stabil|standard|summar|symbol|synchron|util|vector)"
    "is(?=(e|ed|es|ing|er|ers|able|ations?)(?![a-z]))": "...iz",
}  # fmt: skip
# A word or idiom in a page or a comment -> a plain one. Each is a regular expression of whole words.
PLAIN = {
    "dear(?:er|est)?": "expensive, costs more", "(?<!::)kin": "similar functions, or their names", "mend(?:s|ed|ing)?": "fix",
    "shall": "must, will, or the present", "(?:who|those who) knows?": "if you know", "who(?:so)?ever": "the caller, a thread that",
    "(?:no|some)body": "no process, nothing, another owner: name it", "anew": "again", "upon": "on", "for ever": "without end",
    "lies? (?:so|already|alike|as)": "has the layout of", "not firm": "uncertain", "without a word": "implicitly, without a message",
    "in one go": "together", "as ever": "as usual", "for choice": "preferably", "hence|thus": "so",
}  # fmt: skip
SUFFIXES = {".hpp", ".cpp", ".py", ".md", ".cmake", ".txt", ".json", ".in"}
# What others have written, and recorded names of theirs; this list.
NOT_OURS = ("benchmarks/peers/", "tests/checks/jax_names.txt", "tests/checks/spelling.py", "LICENSE")

british = re.compile("|".join(f"(?P<w{i}>{stem})" for i, stem in enumerate(SPELLED)), re.IGNORECASE)
plain = re.compile("|".join(rf"(?P<p{i}>\b(?:{word})\b)" for i, word in enumerate(PLAIN)), re.IGNORECASE)
COMMENT = re.compile(r"(?:^|\s)//(.*)")


def prose(name, line):
    """The part of the line that is checked for plain words."""
    if name.endswith(".md"):
        return "" if name == "docs/errors.md" else line
    comment = COMMENT.search(line) if name.startswith(("include/", "examples/")) else None
    return comment[1] if comment else ""


listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
if listed.returncode:  # a copy of the sources that is no checkout
    files = [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if "build" not in p.relative_to(ROOT).parts]
else:
    files = listed.stdout.splitlines()

problems, checked = [], 0
for name in sorted(files):
    path = ROOT / name
    if path.suffix not in SUFFIXES or name.startswith(NOT_OURS) or not path.is_file():
        continue
    checked += 1
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        for found in british.finditer(line):
            american = list(SPELLED.values())[int(next(k for k, v in found.groupdict().items() if k and v)[1:])]
            problems.append(f"{name}:{number}: '{found[0]}': write '{american}'")
        for found in plain.finditer(prose(name, line)):
            instead = list(PLAIN.values())[int(next(k for k, v in found.groupdict().items() if v)[1:])]
            problems.append(f"{name}:{number}: '{found[0]}': write a plain word ({instead})")
    if british.search(name):
        problems.append(f"{name}: the file's name")
finish(problems, f"{checked} files")
