#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""timeline.py FILE: of a trace that TESSERA_TRACE has made, how long each rank's messages were under way, which part of that
steps ran beside them, and how long it waited.
timeline.py --check RANKS COMMAND...: runs the command with TESSERA_TRACE and says what is wrong with what it writes."""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

INSIDE = ("pack", "start", "wait", "unpack")  # of steps, and no computation


def events(path):
    return [e for e in json.loads(pathlib.Path(path).read_text())["traceEvents"] if e["ph"] == "X"]


def union(spans):
    merged = []
    for begin, end in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([begin, end])
    return merged


def common(one, other):
    total, i, j = 0.0, 0, 0
    while i < len(one) and j < len(other):
        total += max(0.0, min(one[i][1], other[j][1]) - max(one[i][0], other[j][0]))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return total


def length(spans):
    return sum(end - begin for begin, end in spans)


def of_rank(all_events, rank):
    """Within calls: seconds of calls, of messages, of these beside steps that compute, of waits."""
    spans = collections.defaultdict(list)
    for e in all_events:
        if e["pid"] == rank:
            spans[e["cat"]].append((e["ts"] * 1e-6, (e["ts"] + e["dur"]) * 1e-6))
    spans = {kind: union(s) for kind, s in spans.items()}
    calls, messages = spans.get("call", []), spans.get("message", [])
    inside = union([tuple(s) for kind in INSIDE for s in spans.get(kind, [])])
    steps = spans.get("step", [])
    sent = common(calls, messages)
    # What is inside a step, and no part of it, is not beside it.
    gaps = union([tuple(s) for s in inside])
    computing, at = [], 0
    for begin, end in steps:
        for a, b in gaps:
            if b <= begin or a >= end:
                continue
            if a > begin:
                computing.append((begin, a))
            begin = max(begin, b)
        if begin < end:
            computing.append((begin, end))
    return length(calls), sent, common(union(computing), messages), common(calls, spans.get("wait", []))


def report(path):
    everything = events(path)
    for rank in sorted({e["pid"] for e in everything}):
        calls, sent, beside, waited = of_rank(everything, rank)
        print(f"rank {rank}: calls {calls * 1e3:.2f} ms, messages under way {sent * 1e3:.2f} ms, steps ran beside {beside * 1e3:.2f} ms "
              f"of them ({beside / sent if sent else 0:.0%}), waited {waited * 1e3:.2f} ms")


def check(ranks, command):
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.json"
        done = subprocess.run(command, env={**os.environ, "TESSERA_TRACE": str(path), "TESSERA_TRACE_EVENTS": "3000"},
                              capture_output=True, text=True)
        if done.returncode:
            problems.append(f"it ended with {done.returncode}: {done.stderr[-500:]}")
        elif [p.name for p in pathlib.Path(folder).iterdir()] != ["trace.json"]:
            problems.append("there is not one file")
        else:
            everything = events(path)
            found = sorted({e["pid"] for e in everything})
            if found != list(range(ranks)):
                problems.append(f"ranks are {found}")
            for rank in found:
                own = [e for e in everything if e["pid"] == rank]
                if not 100 <= len(own) <= 3000:
                    problems.append(f"rank {rank} has {len(own)} events")
                for row in {e["tid"] for e in own}:  # spans of a row are beside or inside each other
                    open_until = []
                    for e in sorted((e for e in own if e["tid"] == row), key=lambda e: (e["ts"], -e["dur"])):
                        while open_until and open_until[-1] <= e["ts"] + 1e-3:
                            open_until.pop()
                        if open_until and e["ts"] + e["dur"] > open_until[-1] + 2e-3:
                            problems.append(f"rank {rank}: {e['name']} at {e['ts']} crosses another span")
                            break
                        open_until.append(e["ts"] + e["dur"])
                if of_rank(everything, rank)[2] <= 0:
                    problems.append(f"rank {rank}: no step beside a message")
            report(path)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if sys.argv[1:2] == ["--check"]:
    check(int(sys.argv[2]), sys.argv[3:])
elif len(sys.argv) == 2:
    report(sys.argv[1])
else:
    sys.exit(__doc__)
