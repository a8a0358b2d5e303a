# SPDX-License-Identifier: Apache-2.0
"""Random programs as C++ that users could have written: each is jitted and compared with the oracle.
generate.py <first seed> <count> <file>: a table for every four seeds, whose arguments have one layout."""

import random
import sys

SIZES = {"dp": 4, "mp": 2}
PER_TABLE = 4


def parts(entry):
    product = 1
    for axis in entry:
        product *= SIZES[axis]
    return product


def entry_text(entry):
    return "none" if not entry else entry[0] if len(entry) == 1 else f"axes<{', '.join(entry)}>"


def spec_text(spec):
    return f"P<{', '.join(entry_text(e) for e in spec)}>"


def random_spec(rng, shape):
    spec = [()] * len(shape)
    for axis in rng.sample(sorted(SIZES), len(SIZES)):
        d = rng.randrange(len(shape) + 1)
        if d < len(shape) and shape[d] % parts(spec[d] + (axis,)) == 0:
            spec[d] += (axis,)
    return spec


def dims(values):
    return "{" + ", ".join(map(str, values)) + "}"


class Program:
    """Lines of both spellings, and what is known about each value: its shape and layout."""

    def __init__(self, rng, arguments):
        self.rng = rng
        self.typed, self.dense = [], []
        self.values = list(arguments)
        for _ in range(rng.randint(4, 8)):
            self.step()

    def add(self, typed, dense, shape, spec):
        name = f"v{len(self.typed)}"
        self.typed.append(f"[[maybe_unused]] auto const {name} = {typed};")
        self.dense.append(f"[[maybe_unused]] tensor const {name} = {dense};")
        self.values.append((name, tuple(shape), list(spec)))
        return self.values[-1]

    def resharded(self, value, spec):
        name, shape, own = value
        if own == spec:
            return value
        return self.add(f"ts::reshard<{spec_text(spec)}>({name})", name, shape, spec)

    def step(self):
        rng = self.rng
        value = self.values[-1] if rng.random() < 0.7 else rng.choice(self.values)
        name, shape, spec = value
        rank = len(shape)
        choice = rng.choice("unary unary binary binary where reduce keep transpose reshard matmul softmax flip scan join half ravel".split())
        if choice == "unary":
            op = rng.choice("tanh sin cos relu negative".split())
            self.add(f"ts::{op}({name})", f"oracle::{op}({name})", shape, spec)
        elif choice in ("binary", "where", "join"):
            alike = [v for v in self.values if v[1] == shape]
            other = self.resharded(rng.choice(alike), spec)[0]
            if choice == "where":
                self.add(f"ts::where({name} > 0.1, {name}, {other})",
                         f"oracle::where(oracle::greater({name}, 0.1f), {name}, {other})", shape, spec)
            elif choice == "binary":
                op = rng.choice("add subtract multiply maximum".split())
                self.add(f"ts::{op}({name}, {other})", f"oracle::{op}({name}, {other})", shape, spec)
            elif rank and max(shape) <= 16:
                d = rng.randrange(rank)
                longer = [2 * n if k == d else n for k, n in enumerate(shape)]
                self.add(f"ts::concatenate<{d}>({name}, {other})", f"oracle::concatenate({dims([name, other])}, {d})",
                         longer, spec)
        elif choice == "reshard":
            self.resharded(value, random_spec(rng, shape))
        elif choice == "ravel" and rank == 2 and not any(spec):
            self.add(f"ts::ravel({name})", f"oracle::reshape({name}, {dims([shape[0] * shape[1]])})",
                     [shape[0] * shape[1]], [()])
        elif rank == 0:
            return
        elif choice in ("reduce", "keep"):
            d, op, keep = rng.randrange(rank), rng.choice("sum max mean".split()), choice == "keep"
            left = [1 if k == d else n for k, n in enumerate(shape) if keep or k != d]
            laid = [() if k == d else e for k, e in enumerate(spec) if keep or k != d]
            scale = " * 0.25" if op == "sum" else ""
            self.add(f"ts::{op}<{d}>({name}{', ts::keepdims' if keep else ''}){scale}",
                     f"oracle::{op}({name}, {dims([d])}, {str(keep).lower()}){scale}", left, laid)
        elif choice == "transpose":
            order = rng.sample(range(rank), rank)
            self.add(f"ts::transpose<{', '.join(map(str, order))}>({name})", f"oracle::transpose({name}, {dims(order)})",
                     [shape[d] for d in order], [spec[d] for d in order])
        elif choice == "matmul":
            fits = [v for v in self.values if len(v[1]) == 2 and v[1][0] == shape[-1]]
            if rank != 2 or not fits:
                return
            right = self.resharded(rng.choice(fits), [spec[1], ()])
            self.add(f"ts::matmul({name}, {right[0]}, ts::out_sharding<{spec_text([spec[0], ()])}>) * 0.125",
                     f"oracle::matmul({name}, {right[0]}) * 0.125", [shape[0], right[1][1]], [spec[0], ()])
        elif choice == "softmax":
            d = rng.randrange(rank)
            self.add(f"ts::softmax<{d}>({name})", f"oracle::softmax({name}, {d})", shape, spec)
        elif choice == "flip":
            d = rng.randrange(rank)
            self.add(f"ts::flip<{d}>({name})", f"oracle::flip({name}, {dims([d])})", shape, spec)
        elif choice == "scan":
            d = rng.randrange(rank)
            whole = self.resharded(value, [() if k == d else e for k, e in enumerate(spec)])
            self.add(f"ts::cumsum<{d}>({whole[0]}) * 0.25", f"oracle::cumsum({whole[0]}, {d}) * 0.25", shape, whole[2])
        elif choice == "half":
            d = rng.randrange(rank)
            n = shape[d] // 2
            if n == 0 or n % parts(spec[d]):
                return
            low, high = [n if k == d else 0 for k in range(rank)], shape
            self.add(f"ts::slice_in_dim<{d}, {n}, {shape[d]}>({name})",
                     f"oracle::slice({name}, {dims(low)}, {dims(high)})",
                     [n if k == d else m for k, m in enumerate(shape)], spec)


def main(first, count, path):
    out = ["// Made by tests/typed_programs/generate.py.", '#include "support/op_case.hpp"', "", "namespace {", "",
           "using namespace op_case;", "using oracle::tensor;", ""]
    for table in range(first, first + count, PER_TABLE):
        rng = random.Random(table)
        shapes = [(rng.choice([8, 16]), rng.choice([8, 16])) for _ in range(2)]
        shapes[1] = shapes[0] if rng.random() < 0.5 else (shapes[0][1], shapes[1][1])
        specs = [random_spec(rng, s) for s in shapes]
        arguments = [("x", shapes[0], specs[0]), ("y", shapes[1], specs[1])]
        rows = []
        for seed in range(table, min(table + PER_TABLE, first + count)):
            p = Program(random.Random(1000003 * seed + 7), arguments)
            last = p.values[-1][0]
            bodies = [" ".join(["(void)x; (void)y;"] + lines + [f"return {last};"]) for lines in (p.typed, p.dense)]
            rows.append(f'row{{"seed {seed}", [](auto x, auto y) {{ {bodies[0]} }},\n'
                        f'      [](tensor const& x, tensor const& y) -> tensor {{ {bodies[1]} }}, 1e-4}}')
        types = [f"dense<float, {', '.join(map(str, s))}>" for s in shapes]
        out += [f"struct from_{table} {{", f"  static constexpr auto rows = std::tuple{{{', '.join(rows)}}};", "};",
                f"TEST(typed_programs, from_{table}) {{",
                f"  check<from_{table}, on<grid, {', '.join(map(spec_text, specs))}>, jitted>({types[0]}(-1, 1), "
                f"{types[1]}(-1, 1, 2));", "}", ""]
    out += ["}  // namespace", ""]
    with open(path, "w") as file:
        file.write("\n".join(out))


main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
