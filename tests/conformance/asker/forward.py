# SPDX-License-Identifier: Apache-2.0
"""Known cases, differentiated forward: their jvp, vjp, Jacobian or Hessian as cases."""

import copy
import math

FLOATS = {"float16", "bfloat16", "float32", "float64"}


def tangent_of(value):
    made = copy.deepcopy(value) | {"name": f"t_{value['name']}", "start": value.get("start", 0) + 1, "mod": 5}
    return made


def differentiable(case):
    """Whether arguments and results are floating arrays of a program that JAX accepts."""
    types = case["expect"].get("types", [])
    floats = all(x["dtype"] in FLOATS for x in [*case["inputs"], *types])
    return bool(case["inputs"]) and bool(types) and floats and all(isinstance(o, str) for o in case["outs"])


def outermost(case):
    return {"args": [x["name"] for x in case["inputs"]], "body": case["body"], "outs": case["outs"]}


def of(case, body, inputs, outs, op):
    made = {m: copy.deepcopy(case[m]) for m in ("mesh", "tags") if m in case}
    return made | {"family": "forward", "op": op, "inputs": copy.deepcopy(inputs), "body": body, "outs": outs}


def jvp(case):
    tangents = [tangent_of(x) for x in case["inputs"]]
    args = [x["name"] for x in [*case["inputs"], *tangents]]
    outs = [f"y{i}" for i in range(len(case["outs"]))] + [f"ty{i}" for i in range(len(case["outs"]))]
    return of(case, [[outs, "jvp", args, {"fn": outermost(case)}]], [*case["inputs"], *tangents], outs, "jvp")


def vjp(case):
    types = case["expect"]["types"]
    if any(t.get(m) for t in types for m in ("vma", "unreduced", "reduced")):
        return None
    cotangents = [
        {"name": f"c{i}", "dtype": t["dtype"], "shape": t["shape"], "spec": t["spec"], "mod": 5, "start": i} for i, t in enumerate(types)
    ]
    args = [x["name"] for x in [*case["inputs"], *cotangents]]
    outs = [f"y{i}" for i in range(len(types))] + [f"g{i}" for i in range(len(case["inputs"]))]
    return of(case, [[outs, "vjp", args, {"fn": outermost(case)}]], [*case["inputs"], *cotangents], outs, "vjp")


def jacobian(op):
    def made(case):
        small = [math.prod(x["shape"]) for x in [*case["inputs"], *case["expect"]["types"]]]
        if len(case["outs"]) != 1 or max(small) > 64 or len(case["inputs"]) != 1:
            return None
        return of(case, [["j", op, [case["inputs"][0]["name"]], {"fn": outermost(case)}]], case["inputs"], ["j"], op)

    return made


MADE = {"jvp": jvp, "vjp": vjp, "jacfwd": jacobian("jacfwd"), "jacrev": jacobian("jacrev"), "hessian": jacobian("hessian")}
