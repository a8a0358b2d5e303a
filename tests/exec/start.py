# SPDX-License-Identifier: Apache-2.0
"""start.py <start_program>: what a program is told whose environment says what cannot be, which starts twice, or which wants more memory
than there is: one sentence with the cause, in time."""

import os
import subprocess
import sys

PROGRAM = sys.argv[1]
KOKKOS = ("at most 512 threads",)

# What runs, what the environment says, and what is said: nothing where all is well.
CASES = [
    ("", {}, ()),
    ("again", {}, ("a runtime of this process has ended", "Fix: one runtime")),
    ("never", {}, ("an array is made, and no runtime has started", "Fix: ts::runtime runtime{argc, argv};")),
    ("after", {}, ("an array is made, and the runtime has ended",)),
    ("", {"TESSERA_DEADLINE": "abc"}, ("TESSERA_DEADLINE is 'abc'", "seconds: a number above 0")),
    ("", {"TESSERA_DEADLINE": "-3"}, ("TESSERA_DEADLINE is '-3'",)),
    ("", {"TESSERA_DEADLINE": "0"}, ("TESSERA_DEADLINE is '0'",)),
    ("", {"TESSERA_DEADLINE": "10s"}, ("TESSERA_DEADLINE is '10s'",)),
    ("", {"TESSERA_DEADLINE": "nan"}, ("TESSERA_DEADLINE is 'nan'",)),
    ("", {"TESSERA_DEADLINE": "1e99"}, ("TESSERA_DEADLINE is '1e99'",)),
    ("", {"TESSERA_DEADLINE": "2.5"}, ()),
    ("", {"TESSERA_DEVICES": "1000000000"}, ("TESSERA_DEVICES is '1000000000'", "from 1 to 1048576")),
    ("", {"TESSERA_DEVICES": "99999999999999999999"}, ("TESSERA_DEVICES is",)),
    ("", {"TESSERA_DEVICES": "0"}, ("TESSERA_DEVICES is '0'",)),
    ("", {"TESSERA_DEVICES": "4 "}, ("TESSERA_DEVICES is '4 '",)),
    ("", {"TESSERA_DEVICES": "1048576"}, ()),
    ("", {"TESSERA_DEVICES": ""}, ()),
    ("", {"TESSERA_LEVEL": "avx"}, ("TESSERA_LEVEL is 'avx'", "x86-64-v3")),
    ("", {"TESSERA_MATMUL_PRECISION": "high"}, ("TESSERA_MATMUL_PRECISION is 'high'", "tensorfloat32 or highest")),
    ("", {"TESSERA_OVERLAP": "some"}, ("TESSERA_OVERLAP is 'some'", "none, steps or full")),
    ("", {"TESSERA_REPRODUCIBLE": "yes"}, ("TESSERA_REPRODUCIBLE is 'yes'", "0 or 1")),
    ("", {"TESSERA_GATHER_TO_HOST": "true"}, ("TESSERA_GATHER_TO_HOST is 'true'",)),
    ("", {"TESSERA_TRACE_EVENTS": "-1"}, ("TESSERA_TRACE_EVENTS is '-1'",)),
    ("", {"OMP_NUM_THREADS": "640"}, ("OMP_NUM_THREADS is '640'", *KOKKOS)),
    ("", {"OMP_NUM_THREADS": "100000"}, ("OMP_NUM_THREADS is '100000'", *KOKKOS)),
    ("", {"KOKKOS_NUM_THREADS": "1000"}, ("KOKKOS_NUM_THREADS is '1000'", *KOKKOS)),
    ("", {"OMP_NUM_THREADS": "4,2"}, ()),
    ("result", {"OMP_NUM_THREADS": "1"}, ("no memory for 4294967296 bytes", "result 0, float32[65536,16384]", "start_program.cpp:")),
    ("temporaries", {"OMP_NUM_THREADS": "1"}, ("no memory for 8589934", "temporaries of the program", "start_program.cpp:")),
]

problems = []
clean = {name: value for name, value in os.environ.items() if not name.startswith(("TESSERA_", "OMP_", "KOKKOS_"))}
for what, said, expected in CASES:
    name = " ".join([what, *(f"{key}={value}" for key, value in said.items())])
    try:
        done = subprocess.run([PROGRAM, what], capture_output=True, text=True, timeout=60, env={**clean, **said})
    except subprocess.TimeoutExpired:
        problems.append(f"{name}: hangs")
        continue
    missing = [part for part in expected if part not in done.stdout]
    if missing or done.returncode != (1 if expected else 0):
        problems.append(f"{name}: ended with {done.returncode}, and does not say {missing}; it had printed\n{done.stdout}{done.stderr}")
for problem in problems:
    print(problem)
print(f"{len(CASES)} cases, {len(problems)} problems")
sys.exit(1 if problems else 0)
