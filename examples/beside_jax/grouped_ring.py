# SPDX-License-Identifier: Apache-2.0
# A layer of causal ring attention with grouped queries (4 query heads share 2 of keys and values), trained by Adam.
# The sequence is split over 8 devices; keys and values go round the ring, gradients of parameters are summed over it.
# Result and gradient are compared with dense attention on whole arrays.
from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax import lax, random
from jax.sharding import PartitionSpec as P

length, width, heads, groups, size = 128, 16, 4, 2, 8


@jax.shard_map(in_specs=P("sp"), out_specs=P("sp"))
def ring_attention(q, k, v):
    n, here, block = lax.axis_size("sp"), lax.axis_index("sp"), q.shape[0]
    q = q.reshape(block, groups, heads // groups, size) / size**0.5

    def fold(state, k, v, origin):  # the block of keys and values of device `origin` into a running softmax
        out, total, top = state
        queries, keys = here * block + jnp.arange(block), origin * block + jnp.arange(block)
        scores = jnp.einsum("tghd,sgd->tghs", q, k)
        scores = jnp.where(queries[:, None, None, None] >= keys, scores, -1e30)
        higher = jnp.maximum(top, jnp.max(scores, axis=-1, keepdims=True))
        weights, shrink = jnp.exp(scores - higher), jnp.exp(top - higher)
        out = out * shrink + jnp.einsum("tghs,sgd->tghd", weights, v)
        return out, total * shrink + jnp.sum(weights, axis=-1, keepdims=True), higher

    def turn(i, carry):
        state, k, v = carry
        k, v = lax.ppermute((k, v), "sp", [(i, (i + 1) % n) for i in range(n)])
        return fold(state, k, v, (here - i) % n), k, v

    none = jnp.zeros_like(q[..., :1])
    own = fold((jnp.zeros_like(q), none, none - 1e30), k, v, here)
    (out, total, _), _, _ = lax.fori_loop(1, n, turn, (own, k, v))
    return (out / total).reshape(block, heads, size)


def dense_attention(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


def first_parameters(key):
    q, k, v, o = random.split(key, 4)
    return {
        "q": random.normal(q, (width, heads, size)) / width**0.5,
        "k": random.normal(k, (width, groups, size)) / width**0.5,
        "v": random.normal(v, (width, groups, size)) / width**0.5,
        "o": random.normal(o, (heads, size, width)) / (heads * size) ** 0.5,
    }


def layer(attention, p, x):
    q, k, v = (jnp.einsum("td,dhk->thk", x, p[name]) for name in "qkv")
    return jnp.einsum("thk,hkd->td", attention(q, k, v), p["o"])


def loss(p, x, y, attention):
    return jnp.mean((layer(attention, p, x) - y) ** 2)


optimizer = optax.adam(1e-2)


@partial(jax.jit, donate_argnums=(0, 1))
def step(p, state, x, y):
    value, gradient = jax.value_and_grad(loss)(p, x, y, ring_attention)
    updates, state = optimizer.update(gradient, state)
    return optax.apply_updates(p, updates), state, value


@jax.jit
def differences(p, x, y):
    whole_x, whole_y = jax.sharding.reshard((x, y), P())
    forward = layer(ring_attention, p, x) - layer(dense_attention, p, whole_x)
    ring, dense = jax.grad(loss)(p, x, y, ring_attention), jax.grad(loss)(p, whole_x, whole_y, dense_attention)
    apart = jax.tree.map(lambda a, b: jnp.max(jnp.abs(a - b)), ring, dense)
    return jnp.max(jnp.abs(forward)), jax.tree.reduce(jnp.maximum, apart)


jax.set_mesh(jax.make_mesh((8,), ("sp",)))
of_data, of_parameters = random.split(random.key(0))
x = random.normal(of_data, (length, width))
y = jnp.cumsum(x, axis=0) / jnp.arange(1, length + 1)[:, None]  # the mean of what has been seen
x, y = jax.device_put((x, y), P("sp"))
p = first_parameters(of_parameters)
state = optimizer.init(p)
for i in range(61):
    p, state, value = step(p, state, x, y)
    if i % 15 == 0:
        print(f"step {i:2d}  loss {value:.4f}")
forward, gradient = differences(p, x, y)
print("result", "equal" if forward < 1e-5 else "NOT EQUAL", "to dense attention")
print("gradient", "equal" if gradient < 1e-5 else "NOT EQUAL", "to dense attention's")
print(f"checksum {jnp.abs(p['q']).sum():.2f}")
