# SPDX-License-Identifier: Apache-2.0
# A recommender in the manner of DLRM: four embedding tables whose rows are split over mp, a batch split over dp. Dense
# features pass a bottom network; its result and the embeddings meet in pairwise products; a top network gives the odds
# of a click. Trained by Adagrad on made-up clicks.
from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax import lax, random
from jax.sharding import AxisType, PartitionSpec as P

batch, dense, width, steps = 256, 13, 16, 40
sizes = (4000, 400, 80, 16)  # rows of the tables

mesh = jax.make_mesh((2, 4), ("dp", "mp"), axis_types=(AxisType.Explicit,) * 2)
jax.set_mesh(mesh)


def network(key, n, m, hidden=32):
    a, b = random.split(key)
    weights = jax.nn.initializers.he_normal()
    return {"w1": weights(a, (n, hidden)), "b1": jnp.zeros(hidden), "w2": weights(b, (hidden, m)), "b2": jnp.zeros(m)}


def apply(p, x):
    return jax.nn.relu(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


@jax.jit
def first_parameters(key):
    bottom, top, *keys = random.split(key, 2 + len(sizes))
    met = 1 + len(sizes)
    return {
        "bottom": network(bottom, dense, width),
        "tables": [0.1 * random.normal(k, (n, width), out_sharding=P("mp")) for k, n in zip(keys, sizes)],
        "top": network(top, width + met * (met - 1) // 2, 1),
    }


@partial(jax.shard_map, in_specs=(P("mp"), P("dp")), out_specs=P("dp"))
def look_up(tables, ids):  # each device has some rows: those that are asked for, and zeros for others, are summed
    def rows(table, i):
        here = i - lax.axis_index("mp") * len(table)
        return table.at[here].get(mode="fill", fill_value=0, wrap_negative_indices=False)

    return lax.psum(jnp.stack([rows(*pair) for pair in zip(tables, ids.T)], 1), "mp")


def logits(p, features, ids):
    bottom = apply(p["bottom"], features)
    vectors = jnp.concatenate([bottom[:, None], look_up(p["tables"], ids)], 1)  # (batch, tables + 1, width)
    products = jnp.einsum("bik,bjk->bij", vectors, vectors)
    i, j = jnp.tril_indices(1 + len(sizes), -1)
    return apply(p["top"], jnp.concatenate([bottom, products[:, i, j]], 1))[:, 0]


def loss(p, features, ids, clicks):
    z = logits(p, features, ids)
    return optax.sigmoid_binary_cross_entropy(z, clicks).mean(), jnp.mean((z > 0) == clicks)


optimizer = optax.adagrad(0.05)


@partial(jax.jit, donate_argnums=(0, 1))
def step(p, state, *data):
    (value, right), gradients = jax.value_and_grad(loss, has_aux=True)(p, *data)
    updates, state = optimizer.update(gradients, state)
    return optax.apply_updates(p, updates), state, value, right


@jax.jit
def draw(key):
    a, b, c, d = random.split(key, 4)
    features = random.normal(a, (batch, dense), out_sharding=P("dp"))
    ids = random.randint(b, (batch, len(sizes)), 0, jnp.array(sizes), out_sharding=P("dp"))
    taste = jnp.sin(ids.astype(jnp.float32)).sum(1) + features @ random.normal(c, (dense,))
    return features, ids, random.bernoulli(d, jax.nn.sigmoid(2 * taste))


data = draw(random.key(0))
p = first_parameters(random.key(1))
state = optimizer.init(p)
for n in range(steps + 1):
    p, state, value, right = step(p, state, *data)
    if n % 10 == 0:
        print(f"step {n:2}: loss {value:.4f}, right {100 * right:.1f} %")
print("norms of the tables", *(f"{jnp.linalg.norm(table):.3f}" for table in p["tables"]))
