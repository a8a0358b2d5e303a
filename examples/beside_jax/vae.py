# SPDX-License-Identifier: Apache-2.0
"""A variational autoencoder of 8x8 images of soft spots: batch over dp, hidden units over mp, one key for each step."""
import jax
import jax.numpy as jnp
import optax
from jax import random
from jax.sharding import PartitionSpec as P

BATCH, PIXELS, HIDDEN, LATENT = 64, 64, 32, 4
jax.set_mesh(jax.make_mesh((4, 2), ("dp", "mp")))


def make_images(key):  # a spot of its own place and width in each image, values in (0, 1]
    place = random.uniform(key, (BATCH, 3, 1, 1), minval=1, maxval=6, out_sharding=P("dp"))
    i = jnp.arange(8)
    far = (i[:, None] - place[:, 0]) ** 2 + (i - place[:, 1]) ** 2
    return jnp.exp(-far / place[:, 2]).reshape(BATCH, PIXELS)


def init(key):
    def layer(key, inputs, outputs, w, b):
        return {
            "w": jax.nn.initializers.lecun_normal()(key, (inputs, outputs), out_sharding=w),
            "b": jnp.zeros(outputs, out_sharding=b),
        }

    up, down = (P(None, "mp"), P("mp")), (P("mp", None), P())
    keys = random.split(key, 5)
    return {
        "encoder": layer(keys[0], PIXELS, HIDDEN, *up),
        "mean": layer(keys[1], HIDDEN, LATENT, *down),
        "log_var": layer(keys[2], HIDDEN, LATENT, *down),
        "decoder": layer(keys[3], LATENT, HIDDEN, *up),
        "pixels": layer(keys[4], HIDDEN, PIXELS, *down),
    }


def dense(layer, x, out_sharding=None):
    return jnp.dot(x, layer["w"], out_sharding=out_sharding) + layer["b"]


def encode(p, x):
    h = jnp.tanh(dense(p["encoder"], x))
    return dense(p["mean"], h, P("dp")), dense(p["log_var"], h, P("dp"))


def decode(p, z):
    return dense(p["pixels"], jnp.tanh(dense(p["decoder"], z)), P("dp"))  # logits


def negative_elbo(p, x, key):
    mean, log_var = encode(p, x)
    z = mean + jnp.exp(log_var / 2) * random.normal(key, mean.shape, out_sharding=P("dp"))
    fit = optax.sigmoid_binary_cross_entropy(decode(p, z), x).sum(1)
    divergence = 0.5 * (jnp.exp(log_var) + mean**2 - 1 - log_var).sum(1)
    return (fit + divergence).mean()


optimizer = optax.adam(3e-3)


@jax.jit
def step(p, state, key):
    data_key, noise_key = random.split(key)
    value, grads = jax.value_and_grad(negative_elbo)(p, make_images(data_key), noise_key)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(p, updates), state, -value


@jax.jit
def reconstruction_error(p, key):
    x = make_images(key)
    return jnp.sqrt(jnp.mean((jax.nn.sigmoid(decode(p, encode(p, x)[0])) - x) ** 2))


p = init(random.key(0))
state = optimizer.init(p)
key = random.key(1)
for i in range(301):
    key, step_key = random.split(key)
    p, state, elbo = step(p, state, step_key)
    if i % 60 == 0:
        print(f"step {i:3}  ELBO {elbo:.2f}")
print(f"reconstruction error {reconstruction_error(p, random.key(2)):.4f}")
