#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""custom_rules.py [<count> [<seed>]] > custom_rules.hpp: random programs with custom_vjp and custom_jvp functions in loops,
branches, vmap, shard_map, checkpoint and gradients, as C++ and with the answers of JAX 0.10.2 on 8 CPU devices.

Most rules are not the true derivative, so that a rule that is not used, or is used for the wrong gradient, is seen."""

import os
import random
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import AxisType, PartitionSpec as P  # noqa: E402

jax.config.update("jax_enable_x64", True)
MESH = jax.make_mesh((4, 2), ("dp", "mp"), axis_types=(AxisType.Explicit, AxisType.Explicit))


@jax.custom_vjp
def pulled(x):
    return jnp.sin(x)


pulled.defvjp(lambda x: (jnp.sin(x), x), lambda x, bar: (bar * x * 3.0,))


@jax.custom_jvp
def pushed(x):
    return jnp.cos(x)


pushed.defjvp(lambda p, t: (jnp.cos(p[0]), p[0] * 2.0 * t[0]))


@jax.custom_vjp
def pulled_two(x, w):
    return x * w


pulled_two.defvjp(lambda x, w: (x * w, (x, w)), lambda kept, bar: (bar * kept[1] * 1.5, jnp.sin(kept[0]) * bar))


@jax.custom_jvp
def pushed_two(x, w):
    return x * w


@pushed_two.defjvp
def pushed_two_rule(p, t):
    return p[0] * p[1], 2.0 * t[0] * p[1] + jnp.cos(p[0]) * t[1]


@jax.custom_vjp
def cut(x):
    return x * 1.0


cut.defvjp(lambda x: (x * 1.0, ()), lambda kept, bar: (jnp.clip(bar, -0.5, 0.5),))


# fwd calls functions that have rules of their own, this one among them.
@jax.custom_vjp
def nested(x):
    return pushed(x) * x


nested.defvjp(lambda x: (nested(x), pulled(x)), lambda kept, bar: (bar * kept * 0.7,))


@jax.custom_jvp
def looped(x, w):
    return x * x * w


@looped.defjvp
def looped_rule(p, t):
    def turn(i, c):
        return c[0] * p[0], c[0] * t[0] + c[1] * p[0]
    at, moved = jax.lax.fori_loop(0, 2, turn, (p[1], t[1]))
    return at, moved * 1.25


# Bodies in x and w: Python, C++, and whether all their rules are custom_jvp.
BODIES = [
    ("pulled(x) * w", "pulled(x) * w", False),
    ("pushed(x) * w", "pushed(x) * w", True),
    ("pulled_two(x, w) + pushed(x)", "pulled_two(x, w) + pushed(x)", False),
    ("pushed_two(jnp.sin(x), w)", "pushed_two(ts::sin(x), w)", True),
    ("cut(x * w) - pulled(w)", "cut(x * w) - pulled(w)", False),
    ("nested(x) + w", "nested(x) + w", False),
    ("looped(x, w) * 0.5", "looped(x, w) * 0.5", True),
    ("pushed(pushed_two(x, w))", "pushed(pushed_two(x, w))", True),
    ("pulled(pulled(x) * w)", "pulled(pulled(x) * w)", False),
    ("pushed(x * w) * pulled_two(w, x)", "pushed(x * w) * pulled_two(w, x)", False),
]
# What wraps a function g of x and w, of the shape of x: Python, C++, what it does to the layout.
CONTEXTS = {
    "plain": ("lambda x, w: g(x, w)", "return g(x, w);"),
    "loop": ("lambda x, w: jax.lax.scan(lambda v, i: (g(v, w) * 0.5 + i, None), x, jnp.arange(3.0))[0]",
             "return std::get<0>(ts::scan([&](auto v, auto i) { return std::tuple{g(v, w) * 0.5 + i, std::tuple{}}; }, x, "
             "ts::arange<double, 3>()));"),
    "branch": ("lambda x, w: jax.lax.cond(jnp.sum(x) > 0.0, lambda v: g(v, w), lambda v: v * w, x)",
               "return ts::cond(ts::sum(x) > 0.0, [&](auto v) { return g(v, w); }, [&](auto v) { return v * w; }, x);"),
    "mapped": ("lambda x, w: jax.vmap(g)(x, w)", "return ts::vmap(g)(x, w);"),
    "mapped_one": ("lambda x, w: jax.vmap(lambda row: g(row, jnp.sum(w, 0) * 0.2))(x)",
                   "auto const one = ts::sum<0>(w) * 0.2;\n    return ts::vmap<ts::in_axes<0, ts::unmapped>>(g)(x, one);"),
    "mapped_other": ("lambda x, w: jax.vmap(lambda row: g(jnp.sum(x, 0) * 0.2, row))(w)",
                     "auto const one = ts::sum<0>(x) * 0.2;\n    return ts::vmap<ts::in_axes<ts::unmapped, 0>>(g)(one, w);"),
    "again": ("lambda x, w: jax.checkpoint(g)(x, w)", "return ts::checkpoint(g)(x, w);"),
    "compiled": ("lambda x, w: jax.jit(g)(x, w)", "return ts::jit(g)(x, w);"),
    "sloped": ("lambda x, w: jax.grad(lambda u: jnp.sum(g(u, w) * u))(x)",
               "return ts::grad([&](auto u) { return ts::sum(g(u, w) * u); })(x);"),
    "sloped_other": ("lambda x, w: jax.grad(lambda u: jnp.sum(g(x, u) * u))(w)",
                     "return ts::grad([&](auto u) { return ts::sum(g(x, u) * u); })(w);"),
    "blocks": ("lambda x, w: jax.shard_map(g, out_specs=P('dp', 'mp'))(x, w)",
               "return ts::shard_map<ts::out_specs<ts::P<dp, mp>>>(g)(x, w);"),
}
# The whole, of f(x, w): Python, C++, and whether it needs tangents.
ENDS = {
    "by_x": ("jax.grad(lambda x, w: jnp.sum(f(x, w) * w))(x, w)",
             "return ts::grad([&](auto x, auto w) { return ts::sum(f(x, w) * w); })(x, w);", False),
    "by_w": ("jax.grad(lambda x, w: jnp.sum(f(x, w) * w), 1)(x, w)",
             "return ts::grad<1>([&](auto x, auto w) { return ts::sum(f(x, w) * w); })(x, w);", False),
    "twice": ("jax.grad(lambda x: jnp.sum(jnp.sin(jax.grad(lambda u: jnp.sum(f(u, w) * u))(x))))(x)",
              "return ts::grad([&](auto x) { return ts::sum(ts::sin(ts::grad([&](auto u) { return ts::sum(f(u, w) * u); })(x))); "
              "})(x);", False),
    "each": ("jax.vmap(jax.grad(lambda x, w: jnp.sum(f(x[None], w[None]) * w)))(x, w)",
             "return ts::vmap(ts::grad([&](auto x, auto w) { return ts::sum(f(ts::expand_dims<0>(x), ts::expand_dims<0>(w)) * "
             "ts::expand_dims<0>(w)); }))(x, w);", False),
    "tangent": ("jax.jvp(f, (x, w), (w, x))[1]", "return std::get<1>(ts::jvp(f, std::tuple{x, w}, std::tuple{w, x}));", True),
    "curvature": ("jax.jvp(jax.grad(lambda u: jnp.sum(f(u, w) * u)), (x,), (w,))[1]",
                  "return std::get<1>(ts::jvp(ts::grad([&](auto u) { return ts::sum(f(u, w) * u); }), x, w));", True),
}


def wave(scale):
    return (scale * np.sin(0.7 * np.arange(24.0) + scale)).reshape(4, 6)


def program(chance):
    """A body in up to three contexts, and how it is differentiated."""
    body = chance.choice(BODIES)
    contexts = [chance.choice(list(CONTEXTS)) for _ in range(chance.choice([1, 1, 2, 2, 3]))]
    end = chance.choice([e for e, (_, _, tangents) in ENDS.items() if body[2] or not tangents])
    return body, contexts, end


def answer(body, contexts, end):
    f = eval("lambda x, w: " + body[0], globals())
    for context in contexts:
        f = eval(CONTEXTS[context][0], {**globals(), "g": f})
    x, w = (jax.device_put(wave(s), jax.NamedSharding(MESH, P("dp", "mp"))) for s in (1.3, 0.7))
    made = jax.jit(lambda x, w: eval(ENDS[end][0], {**globals(), "f": f, "x": x, "w": w}))(x, w)
    return np.asarray(made).reshape(-1)


def main(count=96, seed=5):
    chance, seen, made, refused = random.Random(int(seed)), set(), [], {}
    while len(made) < int(count):
        body, contexts, end = program(chance)
        name = "_".join(["of" + str(BODIES.index(body)), *contexts, end])
        if name in seen:
            continue
        seen.add(name)
        try:
            with jax.set_mesh(MESH):
                values = answer(body, contexts, end)
        except Exception as why:  # JAX's limits: gradients of blocks within vmap, for example
            refused[name] = f"{type(why).__name__}: {str(why)[:90]!r}"
            continue
        if not np.all(np.isfinite(values)) or np.max(np.abs(values)) > 1e4:
            continue
        made.append((name, body, contexts, end, values))
    print("// SPDX-License-Identifier: Apache-2.0\n#pragma once\n// Written by custom_rules.py: programs, and what JAX 0.10.2 "
          "answers.\n\n// clang-format off\n#define RECORDED_CUSTOM_RULES \\")
    for name, body, contexts, end, values in made:
        lines = [f"auto const g0 = [](auto x, auto w) {{ return {body[1]}; }};"]
        for k, context in enumerate(contexts):
            text = CONTEXTS[context][1].replace("\n   ", "").replace("(g)", f"(g{k})").replace("g(", f"g{k}(")
            text = text.replace("[&]", "[=]")
            lines.append(f"auto const g{k + 1} = [=](auto x, auto w) {{ {text} }};")
        lines.append(ENDS[end][1].replace("(f, ", f"(g{len(contexts)}, ").replace(" f(", f" g{len(contexts)}(")
                     .replace("(f(", f"(g{len(contexts)}("))
        numbers = ", ".join(f"{v:.13g}" for v in values)
        print(f"  RECORDED({name}, ({numbers}), {' '.join(lines)}) \\")
    print()
    for name, why in refused.items():
        print(f"refused by JAX: {name}: {why}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
