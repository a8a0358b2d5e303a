# SPDX-License-Identifier: Apache-2.0
"""What our answer to a case is worth beside JAX's."""

import math

# Our error types, as the kinds of the case format.
KINDS = {
    "axis_used_twice": {"duplicate_axis", "vmap_axis_conflict"},
    "axis_not_in_mesh": {"unknown_axis", "axis_names_not_subset"},
    "spec_too_long": {"rank_mismatch"},
    "not_divisible": {"indivisible", "bad_collective_params"},
    "not_one_per_device": {"indivisible", "bad_collective_params"},
    "auto_axis_named": {"auto_axis_in_spec"},
    "dims_disagree": {"conflict"},
    "needs_out_sharding": {"needs_out_sharding"},
    "ambiguous_reshape": {"ambiguous_reshape"},
    "sharded_dim_unsupported": {"sharded_dim_unsupported"},
    "unreduced_operand": {"unreduced_conflict", "unreduced_not_supported"},
    "manual_axis_changed": {"manual_to_auto"},
    "shardings_missing": {"needs_out_sharding"},
    "axis_not_auto": {"wsc_axis_type"},
    "axis_not_manual": {"unbound_axis", "spec_axis_not_manual"},
    "in_specs_differ": {"in_specs_mismatch", "mixed_modes"},
    "result_varies": {"out_specs_not_replicated"},
    "partly_varying": {"mixed_vma_axes"},
    "carry_differs": {"carry_mismatch"},
    "branches_differ": {"branch_mismatch"},
    "trees_differ": {"carry_mismatch", "branch_mismatch"},
    "mask_as_index": {"shape_error"},
    "malformed_cast": {"bad_pcast"},
    "malformed_groups": {"bad_collective_params"},
    "malformed_permutation": {"bad_collective_params"},
    "constraint_differs": {"wsc_mismatch"},
    "shapes_disagree": {"shape_error"},
    "ranks_disagree": {"shape_error"},
    "not_one_key": {"shape_error"},
    "dim_out_of_range": {"shape_error"},
    "index_out_of_range": {"shape_error"},
    "number_out_of_range": {"shape_error"},
    "elements_disagree": {"shape_error"},
    "element_unsupported": {"shape_error"},
    "meshes_differ": {"closure_over_explicit"},
    "malformed_einsum": {"shape_error"},
}


class Verdict:
    def __init__(self, agrees, got, kind):
        self.agrees, self.got, self.kind = agrees, got, kind  # kind: our error, or "types", "values", "no program"


def expected_text(case):
    expect = case["expect"]
    if "error" in expect:
        return f"error {expect['error']}"
    if "bytes_moved_per_device" in expect:
        sent = (f"{c['op']} {c['bytes_moved_per_device']:.0f}" for c in expect["collectives"])
        least = f", at least {expect['at_least']:.0f}" if "at_least" in expect else ""
        return f"{expect['bytes_moved_per_device']:.0f} bytes ({', '.join(sent)}){least}"
    return "  ".join(t["str"] for t in expect["types"]) if "types" in expect else str(expect)


def expected_kind(case):
    return case["expect"].get("error", "types")


def flat(value):
    if isinstance(value, list):
        for item in value:
            yield from flat(item)
    else:
        yield float(value)


def close(got, want, tolerance):
    if math.isnan(want) or math.isinf(want):
        return (math.isnan(got) and math.isnan(want)) or got == want
    return abs(got - want) <= tolerance * max(1.0, abs(want)) if tolerance else got == want


def grade_values(case, answer):
    """None, or where the first value differs."""
    expect = case["expect"]
    got = answer.get("values")
    if got is None:
        return "no values"
    for name, ours, theirs in zip(case["outs"], got, expect["values"]):
        ours, theirs = [float(v) for v in ours], list(flat(theirs))
        if len(ours) != len(theirs):
            return f"{name}: {len(ours)} values, not {len(theirs)}"
        for i, (a, b) in enumerate(zip(ours, theirs)):
            if not close(a, b, expect.get("tol")):
                return f"{name}: element {i} is {a!r}, not {b!r}"
    if len(got) != len(expect["values"]):
        return f"{len(got)} results, not {len(expect['values'])}"
    return None


def grade_shards(case, answer):
    """None, or the first device that does not hold what it should."""
    got = {int(device): list(map(float, block)) for device, block in answer.get("shards", {}).items()}
    for device, block in case["expect"]["shards"]:
        if got.get(device) != list(flat(block)):
            return f"device {device} holds {got.get(device)}"
    return None


def computes(case):
    """Whether the case has to run, not only to compile."""
    return "values" in case["expect"] or "shards" in case["expect"]


def grade_bytes(case, answer):
    """Agrees where ours sends no more per device than XLA's program does; a part of a byte in each message is ours to round."""
    theirs = case["expect"]["bytes_moved_per_device"]
    if case["family"] == "messages":
        theirs = math.ceil(theirs) + len(answer.get("messages", []))
    if "error" in answer:
        return Verdict(False, f"error {answer['error']}: {answer['text']}", answer["error"])
    least = case["expect"].get("at_least", answer["bytes"])  # no more than that, either; less cannot be
    fits = math.floor(least) <= answer["bytes"] <= math.ceil(least) + len(answer["messages"])
    return Verdict(fits and answer["bytes"] <= theirs, f"{answer['bytes']} bytes ({', '.join(answer['messages'])})", "bytes")


def grade(case, slots, answer):
    """slots: the names of the values whose types were noted, in their order."""
    expect = case["expect"]
    if case["family"] in ("gspmd", "messages"):
        return grade_bytes(case, answer)
    if "error" in answer:
        kinds = KINDS.get(answer["error"], {answer["error"]})
        agrees = expect.get("error") in kinds
        return Verdict(agrees, f"error {answer['error']}: {answer['text']}", answer["error"])
    types = {slots[int(slot)]: text for slot, text in answer["types"].items()}
    ours = [types.get(name, "?") for name in case["outs"]]
    got = "  ".join(ours)
    if "error" in expect:
        return Verdict(False, got, "types")
    wrong = [f"{n}: {types.get(n, '?')}, not {t}" for n, t in expect.get("inner", {}).items() if types.get(n) != t]
    if ours != [t["str"] for t in expect["types"]]:
        return Verdict(False, got, "types")
    if wrong:
        return Verdict(False, f"{got}; inside {'; '.join(wrong)}", "types")
    for what, check in (("values", grade_values), ("shards", grade_shards)):
        where = check(case, answer) if what in expect else None
        if where:
            return Verdict(False, where, what)
    return Verdict(True, got, "types")
