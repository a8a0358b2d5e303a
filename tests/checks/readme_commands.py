# SPDX-License-Identifier: Apache-2.0
"""Each `cmake --workflow --preset <name>` that README.md and CONTRIBUTING.md name is a preset."""

import json
import re

from report import ROOT, finish

NEEDED = {"quickstart", "test"}  # the two that README.md must name
COMMAND = re.compile(r"cmake --workflow --preset[= ]([\w.-]+)")

presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())["workflowPresets"]}
problems, count = [], 0
for page in ("README.md", "CONTRIBUTING.md"):
    path = ROOT / page
    named = set(COMMAND.findall(path.read_text())) if path.exists() else set()
    count += len(named)
    problems += [f"{page} names the workflow preset '{name}', which CMakePresets.json lacks" for name in sorted(named - presets)]
    if page == "README.md":
        problems += [f"README.md does not name `cmake --workflow --preset {name}`" for name in sorted(NEEDED - named)]
finish(problems, f"{count} commands, {len(presets)} workflow presets")
