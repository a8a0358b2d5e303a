# SPDX-License-Identifier: Apache-2.0
"""A small convolutional net learns the direction of stripes in noisy images: batch norm, momentum SGD, batch over dp."""
import jax
import jax.numpy as jnp
import optax
from jax import lax, random
from jax.sharding import PartitionSpec as P

BATCH, SIZE, CLASSES = 64, 16, 4
jax.set_mesh(jax.make_mesh((8,), ("dp",)))


def make_batch(key):  # stripes in one of four directions, at a random phase, with noise
    keys = random.split(key, 3)
    labels = random.randint(keys[0], (BATCH,), 0, CLASSES, out_sharding=P("dp"))
    phase = random.uniform(keys[1], (BATCH, 1, 1), maxval=6.28, out_sharding=P("dp"))
    noise = random.normal(keys[2], (BATCH, SIZE, SIZE), out_sharding=P("dp"))
    angle = (labels * (jnp.pi / CLASSES))[:, None, None]
    i = jnp.arange(SIZE)
    images = jnp.sin(jnp.cos(angle) * i[:, None] + jnp.sin(angle) * i + phase) + noise
    return images[..., None], labels


def init(key):
    he, keys = jax.nn.initializers.he_normal(), random.split(key, 3)
    return {
        "conv1": he(keys[0], (3, 3, 1, 8)),
        "conv2": he(keys[1], (3, 3, 8, 16)),
        "gain": jnp.ones(8),
        "offset": jnp.zeros(8),
        "w": he(keys[2], (4 * 4 * 16, CLASSES)),
        "b": jnp.zeros(CLASSES),
    }


def conv(x, kernel):
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def batch_norm(x, stats, training):
    if training:
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        stats = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, stats, {"mean": mean, "var": var})
    else:
        mean, var = stats["mean"], stats["var"]
    return (x - mean) * lax.rsqrt(var + 1e-5), stats


def apply(p, stats, images, training):
    h, stats = batch_norm(conv(images, p["conv1"]), stats, training)
    h = max_pool(jax.nn.relu(p["gain"] * h + p["offset"]))
    h = max_pool(jax.nn.relu(conv(h, p["conv2"])))
    return h.reshape(BATCH, -1) @ p["w"] + p["b"], stats


def loss(p, stats, images, labels):
    logits, stats = apply(p, stats, images, training=True)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), stats


optimizer = optax.sgd(0.02, momentum=0.9)


@jax.jit
def step(p, stats, state, key):
    (value, stats), grads = jax.value_and_grad(loss, has_aux=True)(p, stats, *make_batch(key))
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(p, updates), stats, state, value


@jax.jit
def accuracy(p, stats, key):
    images, labels = make_batch(key)
    logits, _ = apply(p, stats, images, training=False)
    return (logits.argmax(1) == labels).mean()


p = init(random.key(0))
stats = {"mean": jnp.zeros(8), "var": jnp.ones(8)}
state = optimizer.init(p)
for i in range(61):
    p, stats, state, value = step(p, stats, state, random.key(100 + i))
    if i % 15 == 0:
        print(f"step {i:2}  loss {value:.3f}")
print(f"running mean {jnp.abs(stats['mean']).sum():.3f}, variance {stats['var'].sum():.2f}")
print(f"accuracy {accuracy(p, stats, random.key(1)):.3f}")
