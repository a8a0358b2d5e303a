# SPDX-License-Identifier: Apache-2.0
"""Writes layouts.txt: where JAX puts results, for layouts_asked_test.cpp and layouts_kept_test.cpp. Run with a Python that has jax
0.10.2, on a CPU:
    python3 tests/api/record_layouts.py > tests/api/layouts.txt
`kept` lines: an op, then the layout of its result for an argument over dp and mp, over dp, and over dp along the columns, on a
mesh whose axes are Auto. `asked` lines: mesh, spec asked for, form; then type and layout of what came."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

AUTO, EXPLICIT = AxisType.Auto, AxisType.Explicit


def mesh_of(*kinds):
    return jax.make_mesh((4, 2), ("dp", "mp"), axis_types=kinds)


def text(x):
    names = ["-" if e is None else e if isinstance(e, str) else "+".join(e) for e in x.sharding.spec]
    while names and names[-1] == "-":
        names.pop()
    return " ".join(names) or "whole"


KEPT = {
    "concatenate<0>": lambda x: jnp.concatenate([x, x], 0),
    "concatenate<1>": lambda x: jnp.concatenate([x, x], 1),
    "concatenate<0> with zeros": lambda x: jnp.concatenate([x, jnp.zeros((16, 16))], 0),
    "stack<0>": lambda x: jnp.stack([x, x], 0),
    "pad<0>": lambda x: jnp.pad(x, ((4, 4), (0, 0))),
    "tile<2, 1>": lambda x: jnp.tile(x, (2, 1)),
    "repeat<2, 0>": lambda x: jnp.repeat(x, 2, 0),
    "split<2, 0>": lambda x: jnp.split(x, 2, 0)[0],
    "split<2, 1>": lambda x: jnp.split(x, 2, 1)[1],
    "roll<1, 0>": lambda x: jnp.roll(x, 1, 0),
    "roll<3, 1>": lambda x: jnp.roll(x, 3, 1),
    "flip<0>": lambda x: jnp.flip(x, 0),
    "flip<1>": lambda x: jnp.flip(x, 1),
    "cumsum<0>": lambda x: jnp.cumsum(x, 0),
    "cummax<1>": lambda x: jax.lax.cummax(x, 1),
    "sort<0>": lambda x: jnp.sort(x, 0),
    "argsort<1>": lambda x: jnp.argsort(x, 1),
    "fft<0>": lambda x: jnp.fft.fft(x, axis=0),
    "slice_in_dim<0, 4, 12>": lambda x: x[4:12],
    "slice_in_dim<1, 8, 16>": lambda x: x[:, 8:],
    "dynamic_slice<8, 16>": lambda x: jax.lax.dynamic_slice(x, (1, 0), (8, 16)),
    "dynamic_update_slice": lambda x: jax.lax.dynamic_update_slice(x, jnp.zeros((2, 16)), (1, 0)),
    "at(3).set": lambda x: x.at[3].set(0.0),
    "at(every, 3).set": lambda x: x.at[:, 3].set(0.0),
    "at(3).get": lambda x: x[3],
    "take<0>": lambda x: jnp.take(x, jnp.arange(4), 0),
    "softmax<0>": lambda x: jax.nn.softmax(x, 0),
    "transpose": lambda x: x.T,
    "reshape<4, 4, 16>": lambda x: x.reshape(4, 4, 16),
    "reshape<256>": lambda x: x.reshape(256),
}

ASKED = {"dp": P("dp"), "mp dp": P("mp", "dp")}
MESHES = {"auto": (AUTO, AUTO), "explicit": (EXPLICIT, EXPLICIT), "mixed": (EXPLICIT, AUTO)}


def forms(mesh, spec):
    numbers = np.ones((8, 4), np.float32)
    there = jax.device_put(numbers, P("mp"))
    key = jax.random.key(0)
    twice = lambda x: x * 2
    normal = lambda k: jax.random.normal(k, (8, 4))
    yield "eager array", lambda: jax.device_put(there, spec)
    yield "eager constant", lambda: jax.device_put(jnp.zeros((8, 4)), spec)
    yield "eager host", lambda: jax.device_put(numbers, spec)
    yield "jit array", lambda: jax.jit(twice, out_shardings=spec)(there)
    yield "jit constant", lambda: jax.jit(twice, out_shardings=spec)(jnp.ones((8, 4)))
    yield "jit host", lambda: jax.jit(twice, out_shardings=spec)(numbers)
    yield "jit key", lambda: jax.jit(normal, out_shardings=spec)(key)
    yield "jit nothing", lambda: jax.jit(lambda: jnp.zeros((8, 4)), out_shardings=spec)()
    yield "jit beside", lambda: jax.jit(lambda x: (x, jnp.zeros((8, 4))), out_shardings=spec)(there)[1]
    yield "device_put in jit array", lambda: jax.jit(lambda x: jax.device_put(x, spec))(there)
    put = jax.device_put(numbers, spec)
    yield "shard_map array", lambda: jax.jit(jax.shard_map(twice, in_specs=spec, out_specs=spec))(put)
    yield "shard_map host", lambda: jax.jit(jax.shard_map(twice, in_specs=spec, out_specs=spec))(numbers)
    yield "shard_map constant", lambda: jax.jit(jax.shard_map(twice, in_specs=spec, out_specs=spec))(jnp.ones((8, 4)))
    yield "vmap array", lambda: jax.jit(jax.vmap(twice), out_shardings=spec)(there)
    yield "vmap host", lambda: jax.jit(jax.vmap(twice), out_shardings=spec)(numbers)


for name, op in KEPT.items():
    mesh = mesh_of(AUTO, AUTO)
    results = []
    for spec in (P("dp", "mp"), P("dp"), P(None, "dp")):
        x = jax.device_put(np.arange(256, dtype=np.float32).reshape(16, 16), NamedSharding(mesh, spec))
        results.append(text(jax.jit(op)(x)))
    print(f"kept {name}: {', '.join(results)}")
for mesh_name, kinds in MESHES.items():
    mesh = mesh_of(*kinds)
    with jax.set_mesh(mesh):
        for spec_name, spec in ASKED.items():
            for form, run in forms(mesh, spec):
                try:
                    y = run()
                    came = f"{jax.typeof(y)} {text(y)}"
                except (ValueError, TypeError) as error:
                    came = "refused"
                print(f"asked {mesh_name} {spec_name}, {form}: {came}")
