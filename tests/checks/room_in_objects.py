# SPDX-License-Identifier: Apache-2.0
"""room_in_objects.py <build tree>: no object file has a variable of four megabytes. While compiling, a program is recorded in room
for thousands of nodes; code that reads any of it when it runs has all of it put into the file, where its own size would do."""

import pathlib
import shutil
import subprocess
import sys

from report import finish, skip

LARGE_FILE, LARGE_VARIABLE = 6 << 20, 4 << 20

nm = shutil.which("nm")
if not nm:
    skip("no nm")
build = pathlib.Path(sys.argv[1])
objects = [path for path in build.rglob("*.o") if "dependencies" not in path.parts]
problems = []
for path in objects:
    if path.stat().st_size < LARGE_FILE:
        continue
    listed = subprocess.run([nm, "-S", "--size-sort", "-C", path], capture_output=True, text=True, check=True).stdout
    address, size, kind, name = listed.splitlines()[-1].split(maxsplit=3)
    if int(size, 16) >= LARGE_VARIABLE and kind.lower() not in "bt":  # memory that is zero, and functions
        problems.append(f"{path.relative_to(build)}: {int(size, 16) >> 20} MiB of {name[:200]}")
finish(problems, f"{len(objects)} object files")
