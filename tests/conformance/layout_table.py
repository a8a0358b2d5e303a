#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes layout_table.hpp from layout.jsonl: where JAX 0.10.2 puts the parts of arrays, and which specs it calls equal."""
import json
import pathlib

here = pathlib.Path(__file__).parent


def braces(items):
    return "{" + ", ".join(str(i) for i in items) + "}"


def quoted(text):
    return json.dumps(text)


def mesh(case):
    return braces(braces([quoted(name), size]) for name, size, _ in case["mesh"])


def spec(case, entries):
    names = [axis[0] for axis in case["mesh"]]
    lists = [[] if e is None else [e] if isinstance(e, str) else e for e in entries]
    return braces(braces(names.index(a) if a in names else len(names) for a in entry) for entry in lists)


def region(ranges):
    return braces(braces(r) for r in ranges)


def indices_map(case):
    value, expect = case["inputs"][0], case["expect"]
    order = case.get("device_order", [])
    fields = [quoted(case["id"]), mesh(case), braces(order), braces(value["shape"]), spec(case, value["spec"])]
    if "error" in expect:
        return fields + [quoted(expect["error"]), "{}", "false", "{}", "{}"]
    replicated = "true" if expect["fully_replicated"] else "false"
    indices = braces(braces([device, region(ranges)]) for device, ranges in expect["indices"])
    return fields + ['""', braces(expect["shard_shape"]), replicated, indices, braces(map(braces, expect["replica_ids"]))]


def spec_equal(case):
    a, b = case["inputs"]
    expect = case["expect"]
    truth = ["true" if expect[k] else "false" for k in ("equal", "equivalent")]
    texts = [quoted(expect["a_str"]), quoted(expect["b_str"])]
    return [quoted(case["id"]), mesh(case), spec(case, a["spec"]), spec(case, b["spec"]), str(len(a["shape"]))] + truth + texts


def make_mesh(case):
    expect = case["expect"]
    explicit = "true" if set(expect["default_axis_types"]) == {"explicit"} else "false"
    return [quoted(case["id"]), mesh(case), braces(expect["device_ids"]), explicit]


def memory_kind(case):
    expect = case["expect"]
    value = case["inputs"][0]
    known = quoted(expect.get("memory_kind", ""))
    return [quoted(case["id"]), mesh(case), spec(case, value["spec"]), quoted(case["memory_kind"]), known]


cases = [json.loads(line) for line in (here / "layout.jsonl").read_text().splitlines()]
with (here / "layout_table.hpp").open("w") as out:
    out.write("// SPDX-License-Identifier: Apache-2.0\n#pragma once\n")
    out.write("// Written by layout_table.py from layout.jsonl, observed in JAX 0.10.2; the structs are in support/layout_case.hpp.\n\n")
    out.write('#include "support/layout_case.hpp"\n\n// clang-format off\nnamespace tessera::testing {\n')
    for name, row in (("indices_map", indices_map), ("spec_equal", spec_equal), ("make_mesh", make_mesh), ("memory_kind", memory_kind)):
        out.write(f"\ninline constexpr {name}_case {name}_cases[]{{\n")
        for case in cases:
            if case["op"] == name:
                out.write("    " + braces(row(case)) + ",\n")
        out.write("};\n")
    out.write("\n}  // namespace tessera::testing\n")
