# SPDX-License-Identifier: Apache-2.0
"""The cases of the layout family that are no programs: questions to sharding objects, spelled and graded."""

from .grade import Verdict
from .spell import mesh, spec

OPS = {"indices_map", "spec_equal", "make_mesh", "memory_kind"}

# What is thrown, as the kinds of the case format.
THROWN = {
    "uses an axis twice": "duplicate_axis",
    "names an axis that it does not have": "unknown_axis",
    "for an array of rank": "rank_mismatch",
    "does not divide into": "indivisible",
    "no device has memory of the kind": "unknown_memory_kind",
}
# Kinds of axes are always said here, and JAX's list of memory kinds is its own.
NOT_ASKED = {"default_axis_types", "available", "type"}


def asks(case):
    return case["op"] in OPS


def braces(numbers):
    return "{" + ", ".join(map(str, numbers)) + "}"


def cpp(case, number):
    types, given = [mesh(case), *(spec(value["spec"]) for value in case["inputs"])], [number]
    if case["op"] == "indices_map":
        given += [braces(case["inputs"][0]["shape"]), braces(case.get("device_order", []))]
    elif case["op"] == "spec_equal":
        given.append(len(case["inputs"][0]["shape"]))
    elif case["op"] == "memory_kind":
        given.append(f'"{case["memory_kind"]}"')
    return f"namespace case_{number} {{\nvoid report() {{ {case['op']}<{', '.join(types)}>({', '.join(map(str, given))}); }}\n}}\n"


def compared(value):
    """Lists that start with a device's id, in the order of ids."""
    return sorted(value) if isinstance(value, list) and value and isinstance(value[0], list) else value


def grade(case, answer):
    expect = case["expect"]
    if "thrown" in answer:
        kind = next((k for text, k in THROWN.items() if text in answer["thrown"]), "thrown")
        return Verdict(expect.get("error") == kind, answer["thrown"], kind)
    if "error" in expect:
        return Verdict(False, str(answer), "types")
    wrong = [k for k, v in expect.items() if k not in NOT_ASKED and compared(answer.get(k)) != compared(v)]
    return Verdict(not wrong, "; ".join(f"{k}: {answer.get(k)}, not {expect[k]}" for k in wrong), "types")
