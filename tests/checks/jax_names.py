# SPDX-License-Identifier: Apache-2.0
"""Each public name of JAX's modules stands in docs/reference.md (column JAX), docs/from-jax.md or docs/jax-names.md, which says what
to write in its place; docs/jax-names.md has none that reference.md has. --list prints what is missing, a module a line.

A cell of a table may name several: `jnp.degrees`, `radians` are both of jax.numpy; `jnp.hanning`, ... stands for JAX's names
among the names of its row. Names of modules, and of primitives (add_p), are not asked for."""

import re
import sys

from jax_modules import NAMES, of_jax
from public_names import public_names
from report import ROOT, finish

MODULES = """jax jax.sharding jax.lax jax.lax.linalg jax.nn jax.nn.initializers jax.numpy jax.numpy.linalg jax.numpy.fft jax.random
jax.tree jax.tree_util jax.debug jax.ops jax.profiler jax.distributed jax.dlpack jax.image jax.scipy.special jax.scipy.linalg
jax.experimental jax.experimental.multihost_utils jax.experimental.mesh_utils jax.experimental.checkify jax.experimental.pallas
jax.stages jax.export jax.ffi jax.ad_checkpoint""".split()
WORD = re.compile(r"[A-Za-z_][\w.]*|\.\.\.")
ROW = re.compile(r"^\| (`[^|]*`) \|([^|]*)\|([^|]*)\|$")

public = {module: {name for name in names if not name.endswith(("/", "_p"))} for module, names in NAMES.items()}


def named_in(text, beside=()):
    """The names of JAX in a text; those without a module are of the module named before."""
    module = None
    for word in WORD.findall(text):
        found = of_jax(word)
        if found and found[1] in public[found[0]]:
            module = found[0]
            yield found
        elif word == "..." and module:
            yield from ((module, name) for name in beside if name in public[module])
        elif module and word in public[module]:
            yield module, word


there, listed, problems = set(), {}, []
ours = public_names()
for line in (ROOT / "docs/reference.md").read_text().splitlines():
    if row := ROW.match(line):
        own = [name.split("::")[-1] for name in re.findall(r"`([^`]*)`", row[1])]
        there |= set(named_in(re.sub(r"\([^)]*\)", "", row[3]), own))
for block in re.findall(r"^```python\n(.*?)^```|^(\|.*)$", (ROOT / "docs/from-jax.md").read_text(), re.M | re.S):
    there |= {found for word in WORD.findall(" ".join(block)) if (found := of_jax(word))}
for number, line in enumerate((ROOT / "docs/jax-names.md").read_text().splitlines(), 1):
    cells = [cell.strip() for cell in line.strip("|").split(" | ")]
    if not line.startswith("| `"):
        continue
    if len(cells) != 2 or not cells[1]:
        problems.append(f"docs/jax-names.md:{number}: not two columns: {line}")
    problems += [f"docs/jax-names.md:{number}: no header declares ts::{name}"
                 for name in re.findall(r"ts::([a-z_0-9]+(?:::[a-z_0-9]+)*)", cells[-1]) if not any(own == name or own.startswith(name + "::") for own in ours)]
    names = list(named_in(cells[0]))
    words = [word for code in re.findall(r"`([^`]*)`", cells[0]) for word in WORD.findall(code)]
    problems += [f"docs/jax-names.md:{number}: JAX 0.10.2 has no {word}" for word in words
                 if word != "..." and word.split(".")[-1] not in {name for _, name in names}]
    for found in names:
        if found in there:
            problems.append(f"docs/jax-names.md:{number}: reference.md or from-jax.md has {'.'.join(found)}: take it out of this line")
        if found in listed:
            problems.append(f"docs/jax-names.md:{number}: line {listed[found]} has {'.'.join(found)}, too")
        listed[found] = number
missing = {module: [name for name in sorted(public[module]) if (module, name) not in there and (module, name) not in listed]
           for module in MODULES}
if "--list" in sys.argv:
    print("\n".join(f"{module}: {' '.join(names)}" for module, names in missing.items() if names))
problems += [f"{module}.{name} is on no page: add it to the JAX column of docs/reference.md, or to docs/jax-names.md with what to write"
             for module, names in missing.items() for name in names]
finish(problems, f"{sum(len(public[module]) for module in MODULES)} names of JAX, {len(listed)} of them in docs/jax-names.md")
