#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""New conformance cases: variants of known ones, and what an installed JAX says to them.

  python3 tests/conformance/ask.py --cases tests/conformance/propagate.jsonl --seed 1 --count 500 > new.jsonl
  python3 tests/conformance/run.py --cases new.jsonl
  python3 tests/conformance/ask.py --cases ... --forward --seed 3 --count 480 > tests/conformance/forward.jsonl    jvp, vjp, Jacobians of known ones
Needs jax (pip install jax==0.10.2). The kind of an error is that of the known case with the most similar message;
variants whose error resembles none are left out, their number is said at the end. Of two mistakes in one program JAX and
we may name different ones first: such a difference is none to mend.
"""

import argparse
import collections
import difflib
import hashlib
import json
import math
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from asker import forward  # noqa: E402
from asker.interpret import NotOurs, ask  # noqa: E402
from asker.vary import Variants, statements  # noqa: E402
from runner.case import Differences, load  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]  # not a part of JAX's messages

# JAX's answer depends on how it composes them, or they are regions that come with their feature.
COMPOSED = {"trace", "diagonal", "norm", "inv", "cholesky", "eye", "random_uniform", "auto_axes", "explicit_axes"}
# Messages that say more than their likeness to others.
SAID = {
    "incompatible shapes for broadcasting": "shape_error",
    "does not evenly divide": "indivisible",
    "only valid for values of rank": "rank_mismatch",
    "Unsupported pcast": "bad_pcast",
    "all_gather_reduced only accepts inputs that are varying": "bad_pcast",
    "all_gather_reduced is a Varying -> Reduced collective": "bad_pcast",
    "all_gather_reduced's input cannot be reduced": "unreduced_not_supported",
}
MEMBERS = ("mesh", "inputs", "body", "outs")


def words(message):
    return re.sub(r"[^a-z ]", " ", message.lower())[:110]


class Kinds:
    """Of errors, by what known cases say."""

    def __init__(self, cases):
        self.known = [(words(c["jax_message"]), c["expect"]["error"]) for c in cases if "error" in c["expect"]]

    def of(self, message):
        """The kind, or None."""
        for text, kind in SAID.items():
            if text in message:
                return kind
        likeness, kind = max(((difflib.SequenceMatcher(None, m, words(message)).ratio(), k) for m, k in self.known), default=(0, None))
        return kind if likeness >= 0.72 and kind != "jax_limitation" else None


def answered(case, kinds):
    """The case with JAX's answer, or None."""
    runs = case["family"] == "shard_map_values" or case["family"] == "grad" and not case.get("types_only") or case.get("runs")
    try:
        answer = ask(case, runs)
    except NotOurs:
        return None
    text = json.dumps([case[m] for m in MEMBERS])
    made = {m: case[m] for m in ("family", *MEMBERS)} | {"op": case["op"], "tags": case.get("tags", [])}
    made["id"] = f"{case['family']}/{case['op']}/{hashlib.sha1(text.encode()).hexdigest()[:10]}"
    if "raised" in answer:
        kind = kinds.of(answer["raised"])
        if kind is None:
            return None
        raised = answer["raised"].replace(f"{ROOT}/", "")[:250]
        made |= {"expect": {"error": kind}, "jax_exception": answer["exception"], "jax_message": raised}
    else:
        made["expect"] = {"types": answer["types"]}
        if runs:
            made["expect"] |= {"values": answer["values"], "tol": 1e-5}
    if case["family"] not in ("propagate", "forward"):
        made["expect"]["inner"] = answer["inner"]
    return made


def forward_cases(cases, kinds, options, chance):
    """Prints up to options.count that JAX accepts; with --values, of float32 and float64, with values."""
    made, differ = collections.Counter(), set(Differences().answers)
    known = [c for c in cases if forward.differentiable(c) and c["id"] not in differ]
    known = [c for c in known if not COMPOSED & {op for _, op, *_ in statements(c["body"])}]
    chance.shuffle(known)
    for base in known:
        for op in chance.sample(list(forward.MADE), 2):
            case = forward.MADE[op](base)
            if case is None or made.total() - made["left out"] >= options.count:
                continue
            case["runs"] = options.values
            if options.values and any(x["dtype"] not in ("float32", "float64") for x in case["inputs"]):
                continue
            answer = answered(case, kinds)
            if answer is None or "error" in answer["expect"] or any(len(t["shape"]) > 8 for t in answer["expect"]["types"]):
                made["left out"] += 1
                continue
            if options.values and sum(math.prod(t["shape"]) for t in answer["expect"]["types"]) > 600:
                made["left out"] += 1
                continue
            print(json.dumps(answer))
            made[op] += 1
    print(dict(made), file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--forward", action="store_true", help="their derivatives instead of variants")
    parser.add_argument("--values", action="store_true", help="with --forward: programs with their values")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    cases = [case for path in options.cases for case in load(path)]
    kinds, seen = Kinds(cases), {json.dumps([c[m] for m in MEMBERS]) for c in cases}
    chance = random.Random(options.seed)
    if options.forward:
        return forward_cases(cases, kinds, options, chance)
    variants, made, left_out = Variants(chance), 0, 0
    while made < options.count and left_out < 20 * options.count:
        base = chance.choice(cases)
        variant = variants.of(base)
        text = json.dumps([variant[m] for m in MEMBERS])
        known = text in seen or COMPOSED & {op for _, op, *_ in statements(variant["body"])} or "manual" in [m[2] for m in base["mesh"]]
        seen.add(text)
        case = None if known else answered(variant, kinds)
        if case is None:
            left_out += 1
            continue
        print(json.dumps(case))
        made += 1
    print(f"{made} cases, {left_out} variants left out", file=sys.stderr)


if __name__ == "__main__":
    main()
