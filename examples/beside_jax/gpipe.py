# SPDX-License-Identifier: Apache-2.0
"""A GPipe pipeline: 4 stages of 2 MLP layers on 4 devices, micro-batches passed on by ppermute; SGD."""

import jax
import jax.numpy as jnp
import optax
from jax import lax
from jax.sharding import AxisType, PartitionSpec as P

stages, micro, rows, width, hidden = 4, 8, 16, 16, 32
jax.set_mesh(jax.make_mesh((stages,), ("stage",), axis_types=(AxisType.Explicit,)))


def init(key):  # of one stage
    k1, k2 = jax.random.split(key)
    normal = jax.nn.initializers.lecun_normal()
    return {"up": normal(k1, (width, hidden)), "b": jnp.zeros(hidden), "down": normal(k2, (hidden, width))}


def layers(p, x):
    return x + jnp.tanh(x @ p["up"] + p["b"]) @ p["down"]


@jax.shard_map(in_specs=(P("stage"), P(), P()), out_specs=P())
def loss(params, xs, ys):  # of micro-batches (micro, rows, width)
    p = jax.tree.map(lambda w: w[0], params)
    here = lax.axis_index("stage")

    def turn(came, fresh):
        out = layers(p, jnp.where(here == 0, fresh, came))
        return lax.ppermute(out, "stage", [(i, i + 1) for i in range(stages - 1)]), out

    drain = jnp.zeros((stages - 1, rows, width))
    first = lax.pcast(jnp.zeros((rows, width)), "stage", to="varying")
    _, outs = lax.scan(turn, first, jnp.concatenate([xs, drain]))
    off = jnp.where(here == stages - 1, outs[stages - 1 :] - ys, 0)
    return lax.psum((off**2).sum() / ys.size, "stage")


optimizer = optax.sgd(0.1)


@jax.jit
def step(params, state, xs, ys):
    value, grads = jax.value_and_grad(loss)(params, xs, ys)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state, value


params = jax.reshard(jax.vmap(init)(jax.random.split(jax.random.key(0), stages)), P("stage"))
state = optimizer.init(params)
xs = jax.random.normal(jax.random.key(1), (micro, rows, width))
ys = jnp.sin(2 * xs)
for n in range(51):
    params, state, value = step(params, state, xs, ys)
    if n % 10 == 0:
        print(f"step {n}: loss {value:.4g}")
print("norms:", *(f"{k} {jnp.sqrt((params[k] ** 2).sum()):.4g}" for k in ("up", "b", "down")))
