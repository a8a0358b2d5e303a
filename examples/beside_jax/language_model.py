# SPDX-License-Identifier: Apache-2.0
# A language model of three layers that learns to continue arithmetic sequences: a scan, AdamW with warmup and cosine
# decay, gradients clipped by their global norm. FSDP over dp, tensor parallel over mp: parameters are split over both,
# in float32; a layer gathers its own over dp, in bfloat16, and once more in its backward pass (remat).
from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax import lax, random
from jax.sharding import AxisType, PartitionSpec as P, reshard

batch, length, width, heads, head, hidden, vocabulary, layers, steps = 16, 16, 64, 4, 16, 256, 32, 3, 60

mesh = jax.make_mesh((4, 2), ("dp", "mp"), axis_types=(AxisType.Explicit,) * 2)
jax.set_mesh(mesh)

# parameters: shape, layout in which they are stored, layout in which they are used
layer_parameters = {
    "qkv": ((width, 3, heads, head), P("dp", None, "mp"), P(None, None, "mp")),
    "out": ((heads, head, width), P("mp", None, "dp"), P("mp")),
    "up": ((width, hidden), P("dp", "mp"), P(None, "mp")),
    "down": ((hidden, width), P("mp", "dp"), P("mp")),
}


def first_parameters(key):
    tokens, positions, odds, *keys = random.split(key, 3 + len(layer_parameters))
    normal = lambda key, spec, *shape: random.normal(key, shape, out_sharding=spec) / width**0.5
    return {
        "tokens": normal(tokens, P("dp", "mp"), vocabulary, width),
        "positions": normal(positions, P("dp", "mp"), length, width),
        "layers": {
            name: normal(k, P(None, *stored), layers, *shape)
            for k, (name, (shape, stored, _)) in zip(keys, layer_parameters.items())
        },
        "odds": normal(odds, P("dp", "mp"), width, vocabulary),
    }


def gather(p, specs):  # what a layer uses
    return jax.tree.map(lambda w, spec: reshard(w.astype(jnp.bfloat16), spec), p, specs)


def norm(x):
    return jax.nn.standardize(x.astype(jnp.float32)).astype(x.dtype)


@jax.checkpoint
def block(x, p):  # x: (batch, length, width) in bfloat16
    p = gather(p, {name: used for name, (_, _, used) in layer_parameters.items()})
    q, k, v = jnp.einsum("btd,dihf->ibthf", norm(x), p["qkv"])
    seen = jax.nn.dot_product_attention(q, k, v, is_causal=True)
    x += jnp.einsum("bthf,hfd->btd", seen, p["out"], out_sharding=P("dp"))
    x += jnp.dot(jax.nn.gelu(norm(x) @ p["up"]), p["down"], out_sharding=P("dp"))
    return x, None


def loss(p, tokens):
    table, positions, odds = gather((p["tokens"], p["positions"], p["odds"]), (P(), P(), P(None, "mp")))
    x = table.at[tokens[:, :-1]].get(out_sharding=P("dp")) + positions
    x, _ = lax.scan(block, x, p["layers"])
    logits = jnp.dot(norm(x), odds, preferred_element_type=jnp.float32)  # (batch, length, vocabulary): dp, None, mp
    return optax.softmax_cross_entropy(logits, jax.nn.one_hot(tokens[:, 1:], vocabulary)).mean()


schedule = optax.warmup_cosine_decay_schedule(0, 1e-2, 10, steps)
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.01))


@partial(jax.jit, donate_argnums=(0, 1))
def step(p, state, key):
    starts, strides = random.split(key)
    start = random.randint(starts, (batch, 1), 0, vocabulary, out_sharding=P("dp"))
    stride = random.randint(strides, (batch, 1), 1, 6, out_sharding=P("dp"))
    tokens = (start + stride * jnp.arange(length + 1)) % vocabulary
    value, gradients = jax.value_and_grad(loss)(p, tokens)
    updates, state = optimizer.update(gradients, state, p)
    return optax.apply_updates(p, updates), state, value


p = first_parameters(random.key(2))
state = optimizer.init(p)
for n in range(steps + 1):
    p, state, value = step(p, state, random.fold_in(random.key(1), n))
    if n % 12 == 0:
        print(f"step {n:2}: loss {value:.2f}")
print(f"norm of the parameters {optax.global_norm(p):.1f}")
