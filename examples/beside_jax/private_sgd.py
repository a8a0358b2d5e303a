# SPDX-License-Identifier: Apache-2.0
"""DP-SGD of a small classifier: each example's gradient is clipped, the sum over dp gets Gaussian noise."""
import jax
import jax.numpy as jnp
import optax
from jax import random
from jax.flatten_util import ravel_pytree
from jax.sharding import PartitionSpec as P

EXAMPLES, BATCH, FEATURES, HIDDEN = 512, 64, 8, 16
CLIP, NOISE, RATE = 1.0, 0.8, 0.5
jax.set_mesh(jax.make_mesh((8,), ("dp",)))


def make_data(key):  # points, and on which side of a curved surface they are
    x = random.normal(key, (EXAMPLES, FEATURES), out_sharding=P("dp"))
    return x, (x[:, 0] * x[:, 1] + x[:, 2] > 0).astype(jnp.float32)


def init(key):
    he, (k1, k2) = jax.nn.initializers.he_normal(), random.split(key)
    return {"b1": jnp.zeros(HIDDEN), "b2": jnp.zeros(1), "w1": he(k1, (FEATURES, HIDDEN)), "w2": he(k2, (HIDDEN, 1))}


def logit(p, x):  # of one example
    return (jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"])[0]


def loss(p, x, y):
    return optax.sigmoid_binary_cross_entropy(logit(p, x), y)


def clipped_grad(p, x, y):
    value, grads = jax.value_and_grad(loss)(p, x, y)
    norm = optax.global_norm(grads)
    return jax.tree.map(lambda g: g * jnp.minimum(1, CLIP / norm), grads), value, norm > CLIP


@jax.jit
def step(p, x, y, key):
    choose, noise = random.split(key)
    rows = random.choice(choose, EXAMPLES, (BATCH,), replace=False)
    x, y = x.at[rows].get(out_sharding=P("dp")), y.at[rows].get(out_sharding=P("dp"))
    grads, values, clipped = jax.vmap(clipped_grad, (None, 0, 0))(p, x, y)
    total, unravel = ravel_pytree(jax.tree.map(lambda g: g.sum(0), grads))
    noisy = unravel((total + NOISE * CLIP * random.normal(noise, total.shape)) / BATCH)
    return jax.tree.map(lambda w, g: w - RATE * g, p, noisy), values.mean(), clipped.mean()


@jax.jit
def accuracy(p, x, y):
    return ((jax.vmap(logit, (None, 0))(p, x) > 0) == y).mean()


x, y = jax.jit(make_data)(random.key(0))
p = init(random.key(1))
for i in range(161):
    p, value, clipped = step(p, x, y, random.key(100 + i))
    if i % 40 == 0:
        print(f"step {i:3}  loss {value:.3f}  clipped {clipped:.3f}")
print(f"accuracy {accuracy(p, x, y):.3f}")
