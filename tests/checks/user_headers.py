# SPDX-License-Identifier: Apache-2.0
"""user_headers.py <build tree>: what a file of a user reads that links to tessera::engine.

No Kokkos and no BLAS, no header of the standard library that is slow to read and only the engine needs. The same file
without the engine reads Kokkos, else this check is blind."""

import pathlib
import re
import sys
import tempfile

from compiler import Compiler
from report import finish

ENGINE = "-DTESSERA_SEPARATE_ENGINE"
UMBRELLAS = ("tessera", "jit", "arrays")
KOKKOS = re.compile(r"/Kokkos[^/]*\.hpp$")
OTHERS = re.compile(r"/(cblas\.h|mkl_cblas\.h|omp\.h|immintrin\.h)$")
STANDARD = re.compile(r"/(iostream|fstream|sstream|iomanip|regex|random|thread|future|chrono|ranges|functional|map|list|unordered_map)$")

compiler = Compiler(sys.argv[1], "probe_run.cpp")
compiler.drop_precompiled()
compiler.drop(ENGINE)


def read_by(source, *flags):
    made = compiler.run(*flags, "-M", source)
    if made.returncode:
        sys.exit(made.stderr)
    return made.stdout.replace("\\\n", " ").split()[2:]


problems = []
with tempfile.TemporaryDirectory() as folder:
    for umbrella in UMBRELLAS:
        source = pathlib.Path(folder) / f"{umbrella}.cpp"
        source.write_text(f"#include <tessera/{umbrella}.hpp>\n")
        if not any(map(KOKKOS.search, read_by(source))):
            problems.append(f"<tessera/{umbrella}.hpp> without the engine reads no Kokkos: this check sees nothing")
        for header in read_by(source, ENGINE):
            if KOKKOS.search(header) or OTHERS.search(header) or STANDARD.search(header):
                problems.append(f"<tessera/{umbrella}.hpp> with the engine reads {header}: `g++ -H` says by which way")
finish(problems, f"{len(UMBRELLAS)} headers")
