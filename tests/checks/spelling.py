# SPDX-License-Identifier: Apache-2.0
"""Comments, names and pages are spelled the American way, as the field's libraries are."""

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
SUFFIXES = {".hpp", ".cpp", ".py", ".md", ".cmake", ".txt", ".json", ".in"}
# What others have written, and recorded names of theirs; this list.
NOT_OURS = ("benchmarks/peers/", "tests/checks/jax_names.txt", "tests/checks/spelling.py", "LICENSE")

british = re.compile("|".join(f"(?P<w{i}>{stem})" for i, stem in enumerate(SPELLED)), re.IGNORECASE)
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
    if british.search(name):
        problems.append(f"{name}: the file's name")
finish(problems, f"{checked} files")
