# SPDX-License-Identifier: Apache-2.0
"""Random programs over Auto axes, on several meshes and with random layouts of arguments, results and some values, as C++:
each is planned while compiling and when it runs, and compared with the oracle.
generate_planned.py <first seed> <count> <file>"""

import random
import sys

MESHES = [(4, 2), (2, 2), (2, 4), (8, 1)]


class Maker:
    def __init__(self, rng):
        self.rng = rng
        sizes = rng.choice(MESHES)
        self.mesh = f"loose<{sizes[0]}, {sizes[1]}>"
        self.sizes = dict(zip(("dp", "mp"), sizes))
        self.typed, self.dense = [], []
        shapes = [(rng.choice([8, 16]), rng.choice([8, 16])) for _ in range(2)]
        self.arguments = list(zip("xy", shapes))
        self.values = list(self.arguments)
        while len(self.typed) < 4 + seed_length(rng):
            self.step()

    def random_spec(self, shape, open_dims=False):
        rng, entries = self.rng, [[] for _ in shape]
        for axis in rng.sample(sorted(self.sizes), 2):
            d = rng.randrange(len(shape) + 1)
            if d == len(shape):
                continue
            split = self.sizes[axis]
            for other in entries[d]:
                split *= self.sizes[other]
            if shape[d] % split == 0:
                entries[d].append(axis)
        words = []
        for entry in entries:
            word = "none" if not entry else entry[0] if len(entry) == 1 else f"axes<{', '.join(entry)}>"
            words.append("unconstrained" if open_dims and not entry and rng.random() < 0.5 else word)
        return f"P<{', '.join(words)}>"

    def add(self, typed, dense, shape):
        name = f"v{len(self.typed)}"
        self.typed.append(f"[[maybe_unused]] auto const {name} = {typed};")
        self.dense.append(f"[[maybe_unused]] tensor const {name} = {dense};")
        self.values.append((name, tuple(shape)))

    def step(self):
        rng = self.rng
        name, shape = self.values[-1] if rng.random() < 0.6 else rng.choice(self.values)
        rank = len(shape)
        d = rng.randrange(rank) if rank else 0
        low, high = [0] * rank, list(shape)
        choice = rng.choice("unary binary binary where reduce reduce transpose wish wish matmul matmul einsum softmax join half "
                            "reshape cumsum scan take roll".split())
        if choice == "unary":
            op = rng.choice("tanh sin relu negative".split())
            return self.add(f"ts::{op}({name})", f"oracle::{op}({name})", shape)
        if choice in ("binary", "where", "join"):
            other = rng.choice([v for v in self.values if v[1] == shape])[0]
            if choice == "where":
                return self.add(f"ts::where({name} > 0.1, {name}, {other})",
                                f"oracle::where(oracle::greater({name}, 0.1f), {name}, {other})", shape)
            if choice == "binary":
                op = rng.choice("add subtract multiply maximum".split())
                return self.add(f"ts::{op}({name}, {other})", f"oracle::{op}({name}, {other})", shape)
            if rank and max(shape) <= 16:
                return self.add(f"ts::concatenate<{d}>({name}, {other})", f"oracle::concatenate({{{name}, {other}}}, {d})",
                                [2 * n if k == d else n for k, n in enumerate(shape)])
            return None
        if rank == 0:
            return None
        if choice == "wish":
            return self.add(f"ts::with_sharding_constraint<{self.random_spec(shape, True)}>({name})", name, shape)
        if choice == "reduce":
            op = rng.choice("sum max mean".split())
            scale = " * 0.25" if op == "sum" else ""
            return self.add(f"ts::{op}<{d}>({name}){scale}", f"oracle::{op}({name}, {{{d}}}){scale}",
                            [n for k, n in enumerate(shape) if k != d])
        if choice == "softmax":
            return self.add(f"ts::softmax<{d}>({name})", f"oracle::softmax({name}, {d})", shape)
        if choice == "cumsum":
            return self.add(f"ts::cumsum<{d}>({name}) * 0.25", f"oracle::cumsum({name}, {d}) * 0.25", shape)
        if choice in ("half", "roll"):
            cut = shape[d] // 2 if choice == "half" else rng.randrange(shape[d])
            low[d], high[d] = cut, shape[d]
            end = f"oracle::slice({name}, {{{', '.join(map(str, low))}}}, {{{', '.join(map(str, high))}}})"
            if cut and choice == "half":
                return self.add(f"ts::slice_in_dim<{d}, {cut}, {shape[d]}>({name})", end,
                                [n - cut if k == d else n for k, n in enumerate(shape)])
            if cut:
                low[d], high[d] = 0, cut
                start = f"oracle::slice({name}, {{{', '.join(map(str, low))}}}, {{{', '.join(map(str, high))}}})"
                return self.add(f"ts::roll<{-cut}, {d}>({name})", f"oracle::concatenate({{{end}, {start}}}, {d})", shape)
            return None
        if rank != 2:
            return None
        if choice == "transpose":
            return self.add(f"ts::transpose({name})", f"oracle::transpose({name}, {{1, 0}})", shape[::-1])
        if choice == "reshape" and shape[0] % 2 == 0 and shape[0] * shape[1] <= 1024:
            to = [shape[0] // 2, shape[1] * 2] if rng.random() < 0.5 else [shape[0] * shape[1]]
            words = ", ".join(map(str, to))
            return self.add(f"ts::reshape<{words}>({name})", f"oracle::reshape({name}, {{{words}}})", to)
        if choice == "scan":
            return self.add(f"rows_in_turn({name})", f"rows_in_turn({name})", shape[1:])
        if choice == "take":
            return self.add(f"some_rows<{shape[0]}>({name})", f"some_rows<{shape[0]}>({name})", [6, shape[1]])
        if choice == "matmul":
            fits = [v for v in self.values if len(v[1]) == 2 and v[1][0] == shape[1]]
            if fits:
                right = rng.choice(fits)
                self.add(f"ts::matmul({name}, {right[0]}) * 0.125", f"oracle::matmul({name}, {right[0]}) * 0.125",
                         [shape[0], right[1][1]])
        elif choice == "einsum":
            fits = [v for v in self.values if len(v[1]) == 2 and v[1][1] == shape[1]]
            if fits:
                right = rng.choice(fits)
                self.add(f'ts::einsum<"ij,kj->ki">({name}, {right[0]}) * 0.125',
                         f'oracle::einsum("ij,kj->ki", {name}, {right[0]}) * 0.125', [right[1][0], shape[0]])
        return None


def seed_length(rng):
    return rng.randint(0, 5)


def main(first, count, path):
    out = ["// Made by tests/typed_programs/generate_planned.py.", '#include "typed_programs/planned.hpp"', "", "namespace {", "",
           "using namespace planned_programs;", ""]
    for seed in range(first, first + count):
        made = Maker(random.Random(7919 * seed + 11))
        name, shape = made.values[-1]
        ins = [made.random_spec(s) if made.rng.random() < 0.7 else "ts::unspecified" for _, s in made.arguments]
        end = made.random_spec(shape) if shape and made.rng.random() < 0.7 else "ts::unspecified"
        lies = ", ".join(made.random_spec(s) for _, s in made.arguments)
        types = [f"dense<float, {', '.join(map(str, s))}>" for _, s in made.arguments]
        typed, dense = ("\n  ".join(["(void)x; (void)y;"] + lines + [f"return {name};"]) for lines in (made.typed, made.dense))
        out += [f"struct program_{seed} {{", "constexpr auto operator()(auto x, auto y) const {", f"  {typed}", "}", "};",
                f"tensor dense_{seed}(tensor const& x, tensor const& y) {{", f"  {dense}", "}",
                f"TEST(planned_programs, seed_{seed}) {{",
                f"  check<{made.mesh}, ts::in_shardings<{', '.join(ins)}>, ts::out_shardings<{end}>, {lies}>(",
                f"      program_{seed}{{}}, dense_{seed}, {types[0]}(-1, 1), {types[1]}(-1, 1, 2));", "}", ""]
    out += ["}  // namespace", ""]
    with open(path, "w") as file:
        file.write("\n".join(out))


main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
