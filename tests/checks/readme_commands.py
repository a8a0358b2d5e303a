# SPDX-License-Identifier: Apache-2.0
"""Each `cmake --workflow --preset <name>` that README.md and CONTRIBUTING.md name is a preset. Warnings are errors in those
that run tests, and in no user's build."""

import json
import re

from report import ROOT, finish

NEEDED = {"quickstart", "test"}  # the two that README.md must name
COMMAND = re.compile(r"cmake --workflow --preset[= ]([\w.-]+)")

FILE = json.loads((ROOT / "CMakePresets.json").read_text())
presets = {preset["name"] for preset in FILE["workflowPresets"]}
problems, count = [], 0
for page in ("README.md", "CONTRIBUTING.md"):
    path = ROOT / page
    named = set(COMMAND.findall(path.read_text())) if path.exists() else set()
    count += len(named)
    problems += [f"{page} names the workflow preset '{name}', which CMakePresets.json lacks" for name in sorted(named - presets)]
    if page == "README.md":
        problems += [f"README.md does not name `cmake --workflow --preset {name}`" for name in sorted(NEEDED - named)]
configured = {preset["name"]: preset for preset in FILE["configurePresets"]}


def setting(name, preset):
    own = preset.get("cacheVariables", {})
    return own[name] if name in own else setting(name, configured[preset["inherits"]]) if "inherits" in preset else "OFF"


tested = {preset["configurePreset"] for preset in FILE["testPresets"] if "configurePreset" in preset}
for name, preset in configured.items():
    strict = setting("TESSERA_WARNINGS_AS_ERRORS", preset) == "ON"
    if not preset.get("hidden") and strict != (name in tested):
        problems.append(f"preset '{name}': a warning {'stops' if strict else 'does not stop'} a build {'without' if strict else 'with'} tests")
if not re.search(r"option\(TESSERA_WARNINGS_AS_ERRORS .* OFF\)", (ROOT / "cmake/warnings.cmake").read_text()):
    problems.append("cmake/warnings.cmake: a warning stops a user's build")
finish(problems, f"{count} commands, {len(presets)} workflow presets")
