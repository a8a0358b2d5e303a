# SPDX-License-Identifier: Apache-2.0
"""What README.md, CONTRIBUTING.md and the pages of docs/ and tests/ name is there: files, links and the headings that they lead
to, settings TESSERA_..., presets, and names of JAX 0.10.2 and optax (jax_names.txt). docs/README.md lists each page of docs, and
docs/decisions/README.md each decision."""

import json
import pathlib
import re
import subprocess

from jax_modules import of_jax
from report import ROOT, finish, relative

FOLDERS = ("include/tessera/", "tests/", "examples/", "benchmarks/", "docs/", "cmake/")
PATH = re.compile(r"(?<![\w./<-])((?:[\w.-]+/)+[\w.-]+\.(?:hpp|cpp|cmake|py|md|json|jsonl|txt|csv|in))(?![\w/*])")
LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]*)?\)")
SETTING = re.compile(r"\bTESSERA_[A-Z0-9_]*[A-Z0-9](?![A-Z0-9_*<])")
JAX = re.compile(r"(?<![\w.:/<-])(?:jax|jnp|lax|optax|multihost_utils|mesh_utils|checkify|initializers)(?:\.[A-Za-z_]\w*)+")
PRESET = re.compile(r"--preset[= ]([\w-]+)")


def anchor(heading):
    """GitHub's id of a heading."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda m: m[1] or "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def headings(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    return {anchor(line.lstrip("#")) for line in text.splitlines() if line.startswith("#")}


listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
files = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
if not files:  # not a clone
    files = [relative(path) for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
names = set(files)
sources = "\n".join((ROOT / name).read_text(errors="replace") for name in files
                    if name.endswith((".hpp", ".cpp", ".cmake", ".py", ".txt", ".in", ".json")) and not name.endswith("tests/random/cases.txt"))
settings = set(SETTING.findall(sources))
presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
pages = [ROOT / name for name in files if name.endswith(".md") and (name.startswith(("docs/", "tests/")) or "/" not in name)]
problems, count = [], 0
decisions = (ROOT / "docs/decisions/README.md").read_text()
problems += [f"{name}: not in docs/decisions/README.md" for name in files
             if name.startswith("docs/decisions/0") and f"({pathlib.Path(name).name})" not in decisions]
index = (ROOT / "docs/README.md").read_text()
problems += [f"{name}: not in docs/README.md" for name in files if re.fullmatch(r"docs/(?:recipes/)?[\w-]+\.md|docs/decisions/README\.md", name)
             and name != "docs/README.md" and f"({name.removeprefix('docs/')})" not in index]
for page in pages:
    where, text = relative(page), page.read_text()
    if where == "docs/errors.md":  # what compilers say of files, folded
        text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for line, content in enumerate(text.splitlines(), 1):
        for path in PATH.findall(content):
            # A path of the repository, beside the page, or of a header below include/tessera or one of its folders.
            count += 1
            beside = relative((page.parent / path).resolve()) if (page.parent / path).resolve().is_relative_to(ROOT) else ""
            if path in names or beside in names or any(name.endswith("/" + path) for name in names):
                continue
            placeholder = re.search(r"/\w\.\w+$", path)  # examples/x.cpp
            if not placeholder and (path.startswith(FOLDERS) or path.endswith(".hpp")):
                problems.append(f"{where}:{line}: there is no {path}")
        for target, heading in LINK.findall(content):
            if "://" in target:
                continue
            count += 1
            other = (page.parent / target).resolve() if target else page
            if not other.exists():
                problems.append(f"{where}:{line}: the link to {target} leads nowhere")
            elif heading and other.suffix == ".md" and heading[1:] not in headings(other):
                problems.append(f"{where}:{line}: {target or where} has no heading {heading}")
        for name in SETTING.findall(content):
            count += 1
            if name not in settings:
                problems.append(f"{where}:{line}: nothing reads {name}")
        # docs/sources.md has functions inside of JAX.
        for name in JAX.findall(re.sub(r"\(http[^)]*\)|[\w.-]+\.md", "", content)) if where != "docs/sources.md" else []:
            count += 1
            if not of_jax(name):
                problems.append(f"{where}:{line}: JAX 0.10.2 has no {name}")
        for name in PRESET.findall(content):
            count += 1
            if name not in presets:
                problems.append(f"{where}:{line}: CMakePresets.json has no preset {name}")
finish(problems, f"{count} names and links on {len(pages)} pages")
