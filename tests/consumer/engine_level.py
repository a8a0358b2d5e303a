# SPDX-License-Identifier: Apache-2.0
"""engine_level.py <build tree> <cmake> <option>...: configures the project as RelWithDebInfo, which means -O2. The last level that
the compiler gets is -O3 for the files of the engine, and -O2 for the project's own."""

import json
import pathlib
import re
import subprocess
import sys

tree, cmake, *options = sys.argv[1:]
subprocess.run([cmake, "--fresh", "-B", tree, "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options], check=True)
levels = {"engine": set(), "own": set()}
for entry in json.loads((pathlib.Path(tree) / "compile_commands.json").read_text()):
    part = "engine" if pathlib.Path(entry["file"]).name.startswith("tessera_engine_") else "own"
    levels[part].add(re.findall(r" -O(\w)", entry["command"])[-1])
if levels != {"engine": {"3"}, "own": {"2"}}:
    sys.exit(f"levels of optimization: {levels}; expected 3 of the engine, 2 of the project's own files")
