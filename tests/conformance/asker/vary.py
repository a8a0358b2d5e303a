# SPDX-License-Identifier: Apache-2.0
"""Variants of a case: other layouts, meshes, element types, operations of the same kind, parameters."""

import copy

from runner.case import functions

MESHES = [(4, 2), (2, 2), (2, 4), (1, 4), (3, 2), (8, 1)]
DTYPES = ["float32", "float32", "int32", "bfloat16", "float16", "bool", "int8", "int16", "uint8", "uint32"]
ALIKE = [
    ("sum", "prod", "max", "min", "mean"),
    ("any", "all"),
    ("argmax", "argmin"),
    ("cumsum", "cumprod", "cummax"),
    ("sort", "argsort"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("psum", "pmean", "pmax", "pmin"),
    ("all_gather", "all_gather_invariant", "psum_scatter"),
    ("add", "multiply", "maximum", "minimum", "subtract", "divide"),
    ("sin", "exp", "negative", "abs", "square", "tanh", "relu", "sqrt"),
    ("less", "equal", "greater", "not_equal"),
    ("softmax", "log_softmax"),
    ("concatenate", "stack"),
    ("expand_dims", "squeeze"),
    ("where", "select"),
    ("at_set", "at_add"),
]
INDICES = [0, 1, -1, [None, None, None], [0, 4, None], [None, None, 2], [2, None, None], "newaxis"]


def statements(body):
    """All of a body, those of functions among the parameters, too."""
    for statement in body:
        yield statement
        for function in functions(statement[3] if len(statement) > 3 else {}):
            yield from statements(function["body"])


def divides(shape, spec, mesh):
    size = {axis: n for axis, n, _ in mesh}
    for extent, entry in zip(shape, spec):
        for axis in [entry] if isinstance(entry, str) else entry or []:
            if extent % size.get(axis, 1):
                return False
            extent //= size.get(axis, 1)
    return True


class Variants:
    def __init__(self, random):
        self.random = random

    def of(self, case):
        case = copy.deepcopy(case)
        for _ in range(self.random.choice([1, 1, 2, 2, 3])):
            change = self.random.choices([self.layout, self.mesh, self.kinds, self.element, self.operation, self.parameter], [33, 9, 5, 8, 13, 32])
            change[0](case)
        return case

    def spec(self, rank, axes):
        """Mostly lawful; now and then an axis twice, one that is not there, an entry too many."""
        chance, pool, entries = self.random.random, list(axes), [None] * rank
        self.random.shuffle(pool)
        for axis in pool:
            if rank and chance() < 0.55:
                d = self.random.randrange(rank)
                entries[d] = axis if entries[d] is None else [entries[d], axis] if isinstance(entries[d], str) else entries[d] + [axis]
        if rank and chance() < 0.05:
            entries[self.random.randrange(rank)] = self.random.choice(pool)
        if rank and chance() < 0.02:
            entries[self.random.randrange(rank)] = "zz"
        if chance() < 0.02:
            entries.append(None)
        while entries and entries[-1] is None and chance() < 0.4:
            entries.pop()
        return entries

    def layout(self, case):
        if not case["inputs"]:
            return
        given = self.random.choice(case["inputs"])
        for _ in range(20):
            given["spec"] = self.spec(len(given["shape"]), [m[0] for m in case["mesh"]])
            if divides(given["shape"], given["spec"], case["mesh"]):
                break
        for _, op, args, *params in case["body"]:
            if op == "shard_map" and params[0].get("in_specs") and self.random.random() < 0.8:
                specs = params[0]["in_specs"]
                params[0]["in_specs"] = [given["spec"] if x == given["name"] else s for x, s in zip(args, specs)]

    def mesh(self, case):
        if len(case["mesh"]) == 2:
            for axis, size in zip(case["mesh"], self.random.choice(MESHES)):
                axis[1] = size

    def kinds(self, case):
        one = self.random.choice(["explicit", "auto", None])
        for axis in case["mesh"]:
            axis[2] = one or self.random.choice(["explicit", "auto"])

    def element(self, case):
        if case["inputs"]:
            self.random.choice(case["inputs"])["dtype"] = self.random.choice(DTYPES)

    def operation(self, case):
        statement = self.random.choice(list(statements(case["body"])))
        for names in ALIKE:
            if statement[1] in names:
                statement[1] = self.random.choice(names)

    def parameter(self, case):
        axes, params = [m[0] for m in case["mesh"]], self.random.choice(list(statements(case["body"])))[3:]
        if params and params[0]:
            name = self.random.choice(list(params[0]))
            params[0][name] = self.other(name, params[0][name], axes)

    def other(self, name, value, axes):
        pick, among = self.random.choice, self.random.randrange
        names_axes = isinstance(value, str) or isinstance(value, list) and value and isinstance(value[0], str)
        if name in ("out_sharding", "spec"):
            return self.spec(pick([1, 2, 2, 3]), axes)
        if name in ("in_specs", "out_specs") and value:
            n = among(len(value))
            rank = len(value[n]) if isinstance(value[n], list) and value[n] else 2
            return value[:n] + [self.spec(rank, axes)] + value[n + 1 :]
        if name == "axis" and names_axes:
            pool = self.random.sample(axes, len(axes))
            return pool[0] if len(pool) == 1 or pick([True, True, False]) else pool[:2]
        if name == "axis":
            return pick([0, 1, -1, 2, -2] + ([[0, 1], [1], None] if isinstance(value, list) or value is None else []))
        if name in ("dim", "split", "concat", "dimension", "a", "b", "src", "dst") and isinstance(value, int):
            return pick([0, 1, 2, -1])
        if name in ("tiled", "keepdims", "reverse", "check_vma"):
            return not value
        if name == "to":
            return pick(["varying", "reduced", "unreduced"])
        if name == "dtype":
            return pick(DTYPES)
        if name == "perm" and value and isinstance(value[0], list):
            targets = self.random.sample(range(len(value)), len(value))
            return [[a, b] for a, b in enumerate(targets)][: among(1, len(targets) + 1)]
        if name == "perm" and value:
            return self.random.sample(value, len(value))
        if name in ("shape", "sizes", "limit") and value:
            n = among(len(value))
            return value[:n] + [pick([1, 2, 3, 4, 6, 8, 16])] + value[n + 1 :]
        if name == "n" and isinstance(value, int):
            return pick([1, 2, 4, 8])
        if name == "axis_names":
            return self.random.sample(axes, among(1, len(axes) + 1))
        if name == "index":
            n = among(len(value))
            return value if isinstance(value[n], dict) else value[:n] + [pick(INDICES)] + value[n + 1 :]
        if name == "in_axes" and isinstance(value, list):
            n = among(len(value))
            return value[:n] + [pick([0, 1, None])] + value[n + 1 :]
        return pick([0, 1, -1]) if name == "out_axes" else value
