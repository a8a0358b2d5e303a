# SPDX-License-Identifier: Apache-2.0
# A transformer decoder of two layers, heads and hidden units split over mp. It reads a prompt and writes on, token by
# token, in a loop with a cache of keys and values: greedily, and by sampling from the likeliest ones at a temperature.
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax, random
from jax.sharding import AxisType, PartitionSpec as P

batch, length, width, heads, head, hidden, vocabulary, layers = 4, 24, 64, 8, 8, 128, 50, 2

mesh = jax.make_mesh((8,), ("mp",), axis_types=(AxisType.Explicit,))
jax.set_mesh(mesh)


@jax.jit
def first_parameters(key):
    keys = iter(random.split(key, 6))

    def matrix(*shape, spec=P()):
        return random.normal(next(keys), shape, out_sharding=spec) / width**0.5

    return {
        "tokens": matrix(vocabulary, width),
        "positions": matrix(length, width),
        "layers": {
            "qkv": matrix(layers, 3, heads, width, head, spec=P(None, None, "mp")),
            "out": matrix(layers, heads, head, width, spec=P(None, "mp")),
            "up": matrix(layers, width, hidden, spec=P(None, None, "mp")),
            "down": matrix(layers, hidden, width, spec=P(None, "mp")),
        },
    }


def decode(p, cache, token, position):  # (batch,) tokens at a position -> the cache with them, logits of the next ones
    def layer(x, p_and_cache):
        p, (keys, values) = p_and_cache  # (batch, heads, length, head)
        q, k, v = jnp.einsum("bd,ihdf->ibhf", jax.nn.standardize(x), p["qkv"])
        keys = lax.dynamic_update_index_in_dim(keys, k, position, 2)
        values = lax.dynamic_update_index_in_dim(values, v, position, 2)
        scores = jnp.einsum("bhf,bhtf->bht", q, keys) / head**0.5
        weights = jax.nn.softmax(jnp.where(jnp.arange(length) <= position, scores, -1e30))
        seen = jnp.einsum("bht,bhtf->bhf", weights, values)
        x += jnp.einsum("bhf,hfd->bd", seen, p["out"], out_sharding=P())
        return x + jnp.dot(jax.nn.gelu(jax.nn.standardize(x) @ p["up"]), p["down"], out_sharding=P()), (keys, values)

    x, cache = lax.scan(layer, p["tokens"][token] + p["positions"][position], (p["layers"], cache))
    return cache, jax.nn.standardize(x) @ p["tokens"].T


def likeliest(key, logits):
    return jnp.argmax(logits, -1)


def sample(key, logits, temperature=0.8, k=10):
    best, tokens = lax.top_k(logits, k)
    choice = random.categorical(key, best / temperature)
    return jnp.take_along_axis(tokens, choice[:, None], 1)[:, 0]


@partial(jax.jit, static_argnums=0)
def write(choose, p, prompt, key):
    def turn(i, carry):
        cache, tokens = carry
        cache, logits = decode(p, cache, tokens[:, i], i)
        following = jnp.where(i + 1 < prompt.shape[1], tokens[:, i + 1], choose(random.fold_in(key, i), logits))
        return cache, tokens.at[:, i + 1].set(following)

    empty = jnp.zeros((layers, batch, heads, length, head), out_sharding=P(None, None, "mp"))
    tokens = jnp.pad(prompt, ((0, 0), (0, length - prompt.shape[1])))
    (keys, values), tokens = lax.fori_loop(0, length - 1, turn, ((empty, empty), tokens))
    return tokens, jnp.linalg.norm(keys), jnp.linalg.norm(values)


p = first_parameters(random.key(0))
prompt = random.randint(random.key(1), (batch, 4), 0, vocabulary)
for name, choose in ("greedy", likeliest), ("sampled", sample):
    tokens, keys, values = write(choose, p, prompt, random.key(2))
    print(f"{name}: norm of the keys {keys:.2f}, of the values {values:.2f}")
    print(tokens[:3])
