# SPDX-License-Identifier: Apache-2.0
# A mixture of experts: 8 experts and 256 tokens over 4 devices. Each token goes to its two best experts by all_to_all,
# as long as they have room, and comes back by another. Trained by Adam on a made-up regression.
from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax import lax, random
from jax.sharding import AxisType, PartitionSpec as P

tokens, width, hidden, experts, capacity, steps = 256, 16, 32, 8, 20, 50

mesh = jax.make_mesh((4,), ("ep",), axis_types=(AxisType.Explicit,))
jax.set_mesh(mesh)
specs = {"router": P(), "up": P("ep"), "down": P("ep")}


def first_parameters(key):
    router, up, down = random.split(key, 3)
    return {
        "router": 0.1 * random.normal(router, (width, experts)),
        "up": random.normal(up, (experts, width, hidden), out_sharding=P("ep")) / width**0.5,
        "down": random.normal(down, (experts, hidden, width), out_sharding=P("ep")) / hidden**0.5,
    }


@partial(jax.shard_map, in_specs=(specs, P("ep")), out_specs=(P("ep"), P(), P()))
def mixture(p, x):  # x: this device's tokens
    odds = jax.nn.softmax(x @ p["router"])
    gates, chosen = lax.top_k(odds, 2)
    gates /= gates.sum(1, keepdims=True)
    picked = jax.nn.one_hot(chosen.T, experts, dtype=jnp.int32)  # (2, tokens, experts): first choices, then second ones
    place = (picked.reshape(-1, experts).cumsum(0).reshape(picked.shape) - 1) * picked
    routes = picked[..., None] * jax.nn.one_hot(place, capacity)  # (2, tokens, experts, capacity); 0 beyond it

    sent = jnp.einsum("ktec,td->ecd", routes, x)
    there = lax.all_to_all(sent, "ep", 0, 1, tiled=True)  # (experts of this device, 4 * capacity, width)
    made = jax.nn.gelu(there @ p["up"]) @ p["down"]
    back = lax.all_to_all(made, "ep", 1, 0, tiled=True)
    y = jnp.einsum("tk,ktec,ecd->td", gates, routes, back)

    share = lax.pmean(picked[0].mean(0), "ep")
    balance = experts * jnp.sum(share * lax.pmean(odds.mean(0), "ep"))
    return y, balance, 1 - lax.pmean(routes.sum(), "ep") / (2 * x.shape[0])


def loss(p, x, y):
    out, balance, dropped = mixture(p, x)
    error = jnp.mean((out - y) ** 2)
    return error + 0.01 * balance, (error, balance, dropped)


optimizer = optax.adam(1e-2)


@partial(jax.jit, donate_argnums=(0, 1))
def step(p, state, x, y):
    (_, facts), gradients = jax.value_and_grad(loss, has_aux=True)(p, x, y)
    updates, state = optimizer.update(gradients, state)
    return optax.apply_updates(p, updates), state, facts


inputs, mixing = random.split(random.key(0))
x = random.normal(inputs, (tokens, width), out_sharding=P("ep"))
y = jnp.where(x[:, :1] > 0, jnp.sin(x @ random.normal(mixing, (width, width))), jnp.abs(x))
p = first_parameters(random.key(1))
state = optimizer.init(p)
for n in range(steps + 1):
    p, state, (error, balance, dropped) = step(p, state, x, y)
    if n % 10 == 0:
        print(f"step {n:2}: error {error:.3f}, balance {balance:.3f}, dropped {100 * dropped:.1f} %")
print(f"sum of squared weights {optax.global_norm(p)**2:.1f}")
