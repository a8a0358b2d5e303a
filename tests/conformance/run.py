#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Conformance with JAX: programs of a case file as C++ through the typed door, against what JAX answered.

  python3 tests/conformance/run.py --cases tests/conformance/propagate.jsonl
Prints each difference, and last: agree=N differ=N documented=N skipped=N total=N. README.md has the case format.
"""

import argparse
import collections
import math
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from runner import build, layouts, spell  # noqa: E402
from runner.case import Differences, Features, load  # noqa: E402
from runner.grade import computes, expected_text, grade  # noqa: E402


def unplaced(answer):
    return answer and re.sub(r"(at case_\d+):\d+", r"\1", answer)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--build", metavar="TREE", help="a build tree whose flags are used; else build/test, or one made in build/conformance")
    parser.add_argument("--cxx", metavar="COMPILER", help="another compiler than the tree's")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of the cases of each operation, feature and verdict only the first of each N")
    parser.add_argument("--only", metavar="REGEX", help="of the ids")
    parser.add_argument("--processes", type=int, nargs="*", default=[], help="programs that compute run as so many processes, too; skipped where the tree has no MPI")
    parser.add_argument("--keep", metavar="DIR", help="where the generated programs stay")
    parser.add_argument("--batch", type=int, default=60, help="cases in one translation unit")
    parser.add_argument("--update", action="store_true", help="write to differences.json what we answer to the cases that stand there")
    return parser.parse_args()


def program_text(case, answer, programs):
    return programs.get(answer, "").replace("\n", "\n    ").rstrip()


def first_of_each(cases, every):
    """The cases with their numbers, one in `every` of each operation, feature and verdict, and at least one."""
    met = collections.Counter()
    chosen = []
    for number, case in enumerate(cases):  # differences.json has the numbers of a whole family
        kind = case.get("op"), tuple(case.get("tags", [])), "error" in case.get("expect", {})
        if met[kind] % every == 0:
            chosen.append((number, case))
        met[kind] += 1
    return chosen


def is_divided(sizes, count):
    """Whether so many processes each have a box of a mesh of these sizes, with devices in order."""
    devices = math.prod(sizes)
    own = devices // count if devices % count == 0 else 0
    for size in reversed(sizes):
        if own % size == 0:
            own //= size
        else:
            return own != 0 and size % own == 0
    return own == 1


def main():
    options = arguments()
    cases = [c for path in options.cases for c in load(path) if not options.only or re.search(options.only, c["id"])]
    asked_now = first_of_each(cases, options.every)
    features, differences = Features(), Differences()
    skipped, programs, axes, wrong = collections.Counter(), {}, {}, {}
    for number, case in asked_now:
        feature = features.skips(case)
        if feature:
            skipped[feature] += 1
            continue
        try:
            programs[number] = layouts.cpp(case, number) if layouts.asks(case) else spell.cpp(case, number, computes(case))
            axes[number] = spell.axes_of(case)
        except spell.NoSpelling as reason:
            wrong[number] = str(reason)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        tree = build.build_tree(options.build)
        joined = [n for n in options.processes if "TESSERA_MPIEXEC:" in (tree / "CMakeCache.txt").read_text()]
        batches = build.Batches(tree, folder.resolve(), options.jobs, options.cxx, joined)
        kinds = {n: "costs" if cases[n]["family"] == "gspmd" else "messages" if cases[n]["family"] == "messages" else "layouts" if layouts.asks(cases[n]) else "run" if computes(cases[n]) else "types" for n in programs}
        for kind, size in (("types", options.batch), ("layouts", options.batch), ("costs", options.batch // 3), ("messages", options.batch), ("run", max(1, options.batch // 6))):
            batches.run(kind, {n: p for n, p in programs.items() if kinds[n] == kind}, axes, size)
    together = collections.Counter()
    counts, answers = collections.Counter(skipped=sum(skipped.values())), {}
    for number, case in asked_now:
        documented = differences.answers.get(case["id"])
        if number not in programs and number not in wrong:
            if documented is not None:
                counts["differ"] += 1
                print(f"{case['id']} stands in differences.json, but is skipped\n")
            continue
        if number in wrong or number in batches.broken or number not in batches.results:
            agrees, got = False, wrong.get(number) or batches.broken.get(number, "no answer")
        else:
            answer = batches.results[number]
            asked = layouts.asks(case)
            verdict = layouts.grade(case, answer) if asked else grade(case, spell.Program(case, number).slots, answer)
            agrees, got = verdict.agrees, verdict.got
            for count, answers_of in batches.of_processes.items():
                divided = is_divided([size for _, size, _ in case["mesh"]], count)
                if agrees and divided and number in answers_of and kinds[number] == "run":
                    verdict = grade(case, spell.Program(case, number).slots, answers_of[number])
                    together[count, verdict.agrees] += 1
                    if not verdict.agrees:
                        agrees, got = False, f"as {count} processes: {answers_of[number].get('text', verdict.got)}"
        if documented is not None:
            answers[case["id"]] = None if agrees else got
        # Compilers name different lines of a call of several lines.
        if unplaced(None if agrees else got) == unplaced(documented):
            counts["agree" if agrees else "documented"] += 1
            continue
        counts["differ"] += 1
        if agrees:
            print(f"{case['id']} agrees with JAX, but differences.json says that we answer\n  {documented}\n")
            continue
        print(f"{case['id']}\n    {program_text(case, number, programs)}\n  JAX:  {expected_text(case)}\n  ours: {got}")
        print(f"  differences.json: {documented}\n" if documented is not None else "")
    if options.update:
        differences.update(answers)
    unknown = differences.unknown()
    for id_ in unknown:
        print(f"{id_} in differences.json: no case has this id, or it stands there twice")
    for (count, agrees), cases_of in sorted(together.items()):
        print(f"as {count} processes: {cases_of} {'agree' if agrees else 'differ'}")
    for feature, count in skipped.most_common():
        print(f"skipped {count}: {feature}: {features.features[feature]['why']}")
    print(f"agree={counts['agree']} differ={counts['differ']} documented={counts['documented']} skipped={counts['skipped']} total={len(asked_now)}")
    sys.exit(1 if counts["differ"] or unknown else 0)


main()
