#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What XLA sends for programs of the other case files and for their gradients, from the HLO that an installed JAX compiles.

  python3 tests/conformance/record_messages.py [--seed N] [--forward N] [--gradients N] > more.jsonl
  python3 tests/conformance/record_messages.py --random 120 [--seed N] > messages_random.jsonl
  python3 tests/conformance/record_messages.py --indices 80 [--seed N] > messages_indices.jsonl
  python3 tests/conformance/record_messages.py --cases tests/conformance/messages.jsonl > again.jsonl
The second makes programs itself, and says of some what they have to send at least. The third makes programs that read or write
elements of split tables, named by indices. The last asks again about the programs of a file, whatever is expected there. Bytes are those of a ring, per device. Programs at which JAX fails, and loops whose turns XLA does not say, are left out.
"""

import argparse
import hashlib
import json
import math
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from asker import interpret  # noqa: E402
from runner.case import FOLDER, Features, load, statements  # noqa: E402

SOURCES = ("propagate", "modes", "grad", "shard_map_types", "shard_map_values", "variants")
LEFT_OUT = {"while", "cond", "switch", "trace", "diagonal", "cholesky", "inv", "norm", "eye"}
SIZES = {"pred": 1, "s8": 1, "u8": 1, "s16": 2, "u16": 2, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4, "s64": 8, "u64": 8, "f64": 8, "c64": 8, "c128": 16}
KINDS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute")


def bytes_of(shapes):
    return sum(SIZES[d] * math.prod(int(n) for n in dims.split(",") if n) for d, dims in re.findall(r"(\w+)\[([\d,]*)\]", shapes))


def group_size(line, devices):
    listed = re.search(r"replica_groups=\{\{([\d,]+)\}", line)
    if listed:
        return len(listed[1].split(","))
    counted = re.search(r"replica_groups=\[(\d+),(\d+)\]<=", line)
    return int(counted[2]) if counted else devices


def message(kind, shapes, line, devices):
    size = bytes_of(shapes)
    if kind == "collective-permute":
        pairs = re.findall(r"\{(\d+),(\d+)\}", re.search(r"source_target_pairs=\{(.*?)\}\}", line)[0])
        return size if any(a != b for a, b in pairs) else 0
    n = group_size(line, devices)
    return size * {"all-reduce": 2 * (n - 1) / n, "all-gather": (n - 1) / n, "reduce-scatter": n - 1, "all-to-all": (n - 1) / n}[kind]


def messages(hlo, devices):
    """[{"op", "bytes_moved_per_device"}, ...] of a compiled module, those of loops as often as they turn."""
    bodies, name, entry = {}, None, None
    for line in hlo.splitlines():
        head = re.match(r"(ENTRY )?%?([\w.\-]+) .*\{$", line) if not line.startswith(" ") else None
        if head:
            name = head[2]
            entry = name if head[1] else entry
            bodies[name] = []
        elif name and line.startswith(" "):
            bodies[name].append(line)

    def inside(computation, times):
        for line in bodies.get(computation, []):
            made = re.match(r"\s+(?:ROOT )?%?[\w.\-]+ = (.*?) ([\w\-]+)\(", line)
            if not made:
                continue
            kind = made[2].removesuffix("-start")
            if kind in KINDS:
                yield {"op": kind, "bytes_moved_per_device": round(times * message(kind, made[1], line, devices), 1)}
            elif kind == "while":
                turns = re.search(r'"known_trip_count":\{"n":"(\d+)"', line)
                if not turns:
                    raise interpret.NotOurs("turns")
                yield from inside(re.search(r"body=%?([\w.\-]+)", line)[1], times * int(turns[1]))
            else:
                for called in re.findall(r"(?:to_apply|calls|branch_computations=\{?|true_computation|false_computation)=?%?([\w.\-]+)", line):
                    yield from inside(called, times)

    return [m for m in inside(entry, 1) if m["bytes_moved_per_device"]]


def compiled(case):
    jax = interpret.jax
    sizes = [m[1] for m in case["mesh"]]
    devices = math.prod(sizes)
    mesh = jax.make_mesh(tuple(sizes), tuple(m[0] for m in case["mesh"]), axis_types=tuple(interpret.KINDS[m[2]] for m in case["mesh"]), devices=jax.devices()[:devices])
    program = {"args": [i["name"] for i in case["inputs"]], "body": case["body"], "outs": case["outs"]}
    with jax.set_mesh(mesh):
        args = [
            jax.ShapeDtypeStruct(tuple(i["shape"]), interpret.jnp.dtype(i["dtype"]), sharding=interpret.NamedSharding(mesh, interpret.spec(i["spec"])))
            for i in case["inputs"]
        ]
        return messages(jax.jit(interpret.Interpreter().function(program, "", {})).lower(*args).compile().as_text(), devices)


def gradient(case):
    """The case's gradient by its floating inputs, of the sum of the squares of its results; None where it has one already."""
    if any(op in ("grad", "value_and_grad") for op, _ in statements(case["body"])):
        return None
    by = [i for i, x in enumerate(case["inputs"]) if x["dtype"].startswith(("float", "bfloat"))]
    if not by or any(not t["dtype"].startswith("float") for t in case["expect"].get("types", [])):
        return None
    body, sums = list(case["body"]), []
    for k, out in enumerate(case["outs"]):
        body += [[f"square{k}", "multiply", [out, out]], [f"sum{k}", "sum", [f"square{k}"]]]
        sums.append(f"sum{k}")
        if k:
            body.append([f"total{k}", "add", [f"total{k - 1}" if k > 1 else "sum0", f"sum{k}"]])
    loss = f"total{len(sums) - 1}" if len(sums) > 1 else "sum0"
    fn = {"args": [x["name"] for x in case["inputs"]], "body": body, "outs": [loss]}
    outs = [f"slope{i}" for i in by]
    statement = [outs if len(outs) > 1 else outs[0], "grad", fn["args"], {"argnums": by, "fn": fn}]
    return {**case, "tags": case.get("tags", []) + ["gradient"], "body": [statement], "outs": outs}


def is_known(case):
    """Do the types say how the inputs lie? Over a mesh of Auto axes in_shardings does."""
    auto = {name for name, _, kind in case["mesh"] if kind == "auto"}
    named = {axis for given in case["inputs"] for axis in flat(given["spec"])}
    return all(m[2] in interpret.KINDS for m in case["mesh"]) and (len(auto) == len(case["mesh"]) or not auto & named)


def flat(spec):
    for entry in spec["spec"] if isinstance(spec, dict) else spec:
        yield from entry if isinstance(entry, list) else [entry]


def recorded(case, sent, at_least=None):
    """A line of messages.jsonl."""
    at_least = case.get("expect", {}).get("at_least") if at_least is None else at_least
    case = {"family": "messages", **{k: case[k] for k in ("op", "tags", "mesh", "inputs", "body", "outs") if case.get(k)}}
    said = hashlib.sha256(json.dumps(case, sort_keys=True).encode()).hexdigest()[:10]
    total = round(sum(m["bytes_moved_per_device"] for m in sent), 1)
    expect = {"bytes_moved_per_device": total, "collectives": sent} | ({"at_least": at_least} if at_least is not None else {})
    return json.dumps({"id": f"messages/{case['op']}/{said}", **case, "expect": expect}, separators=(",", ":"))


class RandomPrograms:
    """Chains of operations on one matrix over 4 x 2 devices, whose layouts are drawn."""

    MESH = {"dp": 4, "mp": 2}

    def __init__(self, seed):
        self.draw = random.Random(seed)

    def spec(self, rank):
        """A layout: each axis splits one dimension, or none."""
        entries = [[] for _ in range(rank)]
        for axis in self.draw.sample(list(self.MESH), 2):
            if (d := self.draw.randrange(rank + 1)) < rank:
                entries[d].append(axis)
        return [None if not e else e[0] if len(e) == 1 else e for e in entries]

    def start(self, kind, shape):
        self.inputs, self.body, self.kind, self.shape, self.now = [], [], kind, list(shape), "x0"
        self.add_input(shape)

    def add_input(self, shape, spec=None):
        name = f"x{len(self.inputs)}"
        self.inputs.append({"name": name, "dtype": "float32", "shape": list(shape), "spec": self.spec(len(shape)) if spec is None else spec})
        return name

    def step(self, op, more=(), params=None):
        name = f"y{len(self.body)}"
        self.body.append([name, op, [self.now, *more]] + ([params] if params else []))
        self.now = name

    def case(self, op, at_least=None):
        mesh = [[axis, size, self.kind] for axis, size in self.MESH.items()]
        expect = {} if at_least is None else {"at_least": round(at_least, 1)}
        return {"op": op, "tags": ["random"], "mesh": mesh, "inputs": self.inputs, "body": self.body, "outs": [self.now], "expect": expect}

    def chain(self, kind):
        """Products, sums of rows, biases and changes of layout, in any order. Over Explicit axes products say how they lie."""
        sizes = (8, 16, 32, 64)
        self.start(kind, [self.draw.choice(sizes), self.draw.choice(sizes)])
        move = "reshard" if kind == "explicit" else "wsc"
        for _ in range(self.draw.randint(2, 5)):
            op = self.draw.choice(("matmul", "matmul", "tanh", "transpose", "bias", "softmax", "gain", move))
            if op == "matmul":
                width = self.draw.choice(sizes)
                layout = {"out_sharding": self.spec(2)} if kind == "explicit" else None
                self.step("matmul", [self.add_input([self.shape[1], width])], layout)
                self.shape[1] = width
            elif op == "transpose":
                self.step("transpose", (), {"perm": [1, 0]})
                self.shape.reverse()
            elif op == "softmax":
                self.step("softmax", (), {"axis": -1})
            elif op in ("bias", "gain"):
                self.step("add" if op == "bias" else "multiply", [self.add_input([self.shape[1]], [None])])
            elif op == move:
                self.step(move, (), {"spec": self.spec(2)})
            else:
                self.step(op)
        if self.draw.random() < 0.3:
            self.step("sum", (), {"axis": [self.draw.randrange(2)]})
        return self.case("chain")

    def layouts(self):
        """One matrix from layout to layout: each device has to get what it lacks in the end."""
        self.start("explicit", [16, 32])
        turned = False
        for _ in range(self.draw.randint(1, 3)):
            self.step("reshard", (), {"spec": self.spec(2)})
            if self.draw.random() < 0.5:
                self.step("transpose", (), {"perm": [1, 0]})
                turned = not turned
        last = self.spec(2)
        self.step("reshard", (), {"spec": last})
        before, after = self.held(self.inputs[0]["spec"]), self.held(last[::-1] if turned else last)
        lacked = [len(b - a) for a, b in zip(before, after)]
        return self.case("layouts", 4 * sum(lacked) / len(lacked))

    def held(self, spec):
        """Of each device, the elements of a 16 x 32 matrix that it holds."""
        result = []
        for dp in range(4):
            for mp in range(2):
                at, ranges = {"dp": dp, "mp": mp}, []
                for extent, entry in zip((16, 32), spec):
                    part, parts = 0, 1
                    for axis in flat([entry]):
                        if axis:
                            part, parts = part * self.MESH[axis] + at[axis], parts * self.MESH[axis]
                    ranges.append(range(extent // parts * part, extent // parts * (part + 1)))
                result.append({(i, j) for i in ranges[0] for j in ranges[1]})
        return result

    def sums(self):
        """A split dimension is summed, and the result is whole on all devices that share it: a ring's all_reduce."""
        self.start("explicit", [16, 32])
        d = self.draw.randrange(2)
        self.step("sum", (), {"axis": [d]})
        spec = self.inputs[0]["spec"]
        parts = [math.prod(self.MESH[axis] for axis in flat([entry]) if axis) for entry in spec]
        return self.case("sums", 2 * (parts[d] - 1) / parts[d] * (16, 32)[1 - d] / parts[1 - d] * 4)

    def contractions(self):
        """Both operands are split along what is contracted, and nothing else is: the result is added up, or they are gathered."""
        self.start("explicit", [self.draw.choice((4, 16, 64)), 32])
        by = self.draw.choice(("dp", "mp", ["dp", "mp"]))
        width, parts = self.draw.choice((4, 16, 64)), math.prod(self.MESH[a] for a in flat([by]))
        self.inputs[0]["spec"] = [None, by]
        self.step("matmul", [self.add_input([32, width], [by, None])], {"out_sharding": [None, None]})
        rows = self.inputs[0]["shape"][0]
        return self.case("contractions", 4 * (parts - 1) / parts * min(2 * rows * width, 32 * (rows + width)))

    def indexed(self, kind):
        """Rows of a table are read or written by indices, or a window of it."""
        rows, columns, count = self.draw.choice((64, 512)), 16, self.draw.choice((2, 8, 32))
        self.start(kind, [rows, columns])
        if kind == "explicit":
            self.inputs[0]["spec"] = self.draw.choice((["dp", None], ["dp", "mp"], [["dp", "mp"], None], ["mp", "dp"]))
        op = self.draw.choice(("at_get", "at_get", "row", "dynamic_index", "dynamic_slice", "at_set", "at_add", "dynamic_update_slice"))
        if kind == "explicit":  # which leaves the others to Auto axes, as JAX does
            op = self.draw.choice(("at_get", "at_get", "row"))
        out = {"out_sharding": self.spec(1 if op == "row" else 2)} if kind == "explicit" else {}
        if op in ("at_get", "row", "dynamic_index", "at_set", "at_add"):
            place = self.add_input([] if op in ("row", "dynamic_index") else [count], [] if op in ("row", "dynamic_index") else [self.draw.choice((None, "dp"))])
            self.inputs[-1]["dtype"] = "int32"
        if op in ("at_get", "row"):
            self.step("at_get", [place], {"index": [{"arg": 0}]} | out)
        elif op == "dynamic_index":
            self.step(op, [place], {"axis": 0, "keepdims": False})
        elif op == "dynamic_slice":
            self.step(op, (), {"starts": [self.draw.randrange(rows - count), 0], "sizes": [count, columns]})
        elif op == "dynamic_update_slice":
            self.step(op, [self.add_input([count, columns])], {"starts": [self.draw.randrange(rows - count), 0]})
        else:
            self.body.append(["y0", op, [self.now, self.add_input([count, columns]), place], {"index": [{"arg": 0}]}])
            self.now = "y0"
        return self.case("indexed")

    def indices(self):
        while True:
            for kind in ("explicit", "auto"):
                yield self.indexed(kind)
                yield gradient(self.indexed(kind))

    def cases(self):
        """Half of them chains and gradients of these, over both kinds of axes; the others with a lower bound."""
        while True:
            for kind in ("explicit", "auto"):
                yield self.chain(kind)
                yield gradient(self.chain(kind))
            yield self.layouts()
            yield self.layouts()
            yield self.sums()
            yield self.contractions()


def random_cases(cases, count):
    made, known = 0, set()
    for case in cases:
        if made == count:
            return
        try:
            sent = compiled(case)
        except Exception:  # JAX refuses it, or XLA
            continue
        line = recorded(case, sent)
        if line in known or not sent:
            continue
        known.add(line)
        made += 1
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--forward", type=int, default=150)
    parser.add_argument("--gradients", type=int, default=150)
    parser.add_argument("--cases", metavar="FILE")
    parser.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--indices", type=int, metavar="N")
    options = parser.parse_args()
    if options.cases:
        for case in load(options.cases):
            print(recorded(case, compiled(case)), flush=True)
        return
    if options.random:
        random_cases(RandomPrograms(options.seed).cases(), options.random)
        return
    if options.indices:
        random_cases(RandomPrograms(options.seed).indices(), options.indices)
        return
    features = Features()
    known = [c for name in SOURCES for c in load(FOLDER / f"{name}.jsonl")]
    fit = [
        c
        for c in known
        if "error" not in c["expect"] and "unsound" not in c.get("tags", []) and not features.skips(c)
        and not {op for op, _ in statements(c["body"])} & LEFT_OUT
        and c["inputs"] and len(c["mesh"]) > 1 and is_known(c)
    ]
    random.Random(options.seed).shuffle(fit)
    # As many of each op as there may be, ops in turn.
    by_op = {}
    for c in fit:
        by_op.setdefault(c["op"], []).append(c)
    in_turn = [c for k in range(max(map(len, by_op.values()))) for c in (cases[k] for cases in by_op.values() if k < len(cases))]
    for wanted, make in ((options.forward, lambda c: c), (options.gradients, gradient)):
        made, idle = 0, 0
        for source in in_turn:
            if made == wanted:
                break
            case = make(source)
            if case is None:
                continue
            try:
                sent = compiled(case)
            except Exception:  # JAX refuses it, or XLA
                continue
            if not sent and (idle := idle + 1) > wanted // 3:  # two thirds of them send something
                continue
            print(recorded(case, sent), flush=True)
            made += 1


main()
