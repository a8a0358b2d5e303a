# SPDX-License-Identifier: Apache-2.0
"""room_in_objects.py <build tree>: no object file has a variable of four megabytes. While compiling, a program is recorded in room
for thousands of nodes; code that reads any of it when it runs has all of it put into the file, where its own size would do. What a
program needs to be planned when it runs has that size, and may have sixteen: one test has four gradients of betainc in a program."""

import pathlib
import shutil
import subprocess
import sys

from report import finish, skip

LARGE_FILE, LARGE_VARIABLE, LARGE_PROGRAM = 6 << 20, 4 << 20, 16 << 20

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
    for line in listed.splitlines():
        address, size, kind, name = line.split(maxsplit=3)
        most = LARGE_PROGRAM if name.startswith("tessera::detail::program_to_plan<") else LARGE_VARIABLE
        if int(size, 16) >= most and kind.lower() not in "bt":  # memory that is zero, and functions
            problems.append(f"{path.relative_to(build)}: {int(size, 16) >> 20} MiB of {name[:200]}")
finish(problems, f"{len(objects)} object files")
