# SPDX-License-Identifier: Apache-2.0
"""A GRU learns the characters of a short text: scan over time, batch over dp, clipped Adam; then it writes by itself."""
import jax
import jax.numpy as jnp
import optax
from jax import lax, random
from jax.sharding import PartitionSpec as P, reshard

BATCH, LENGTH, WIDTH = 32, 24, 64
TEXT = "the quick brown fox jumps over the lazy dog while the slow red hen sleeps under the old oak tree. " * 3
LETTERS = sorted(set(TEXT))
VOCABULARY = len(LETTERS)
jax.set_mesh(jax.make_mesh((8,), ("dp",)))


def init(key):
    glorot, keys = jax.nn.initializers.glorot_uniform(), random.split(key, 3)
    return {
        "x": glorot(keys[0], (VOCABULARY, 3 * WIDTH)),  # a row for each character
        "h": glorot(keys[1], (WIDTH, 3 * WIDTH)),
        "b": jnp.zeros(3 * WIDTH),
        "out": glorot(keys[2], (WIDTH, VOCABULARY)),
    }


def cell(p, h, x):  # x: the row of p["x"] for a character
    x_r, x_z, x_n = jnp.split(x + p["b"], 3, axis=-1)
    h_r, h_z, h_n = jnp.split(h @ p["h"], 3, axis=-1)
    z = jax.nn.sigmoid(x_z + h_z)
    n = jnp.tanh(x_n + jax.nn.sigmoid(x_r + h_r) * h_n)
    h = (1 - z) * n + z * h
    return h, h @ p["out"]


def loss(p, tokens):  # (batch, length + 1)
    h = jnp.zeros((BATCH, WIDTH), out_sharding=P("dp"))
    x = p["x"].at[tokens[:, :-1].T].get(out_sharding=P(None, "dp"))
    _, logits = lax.scan(lambda h, x: cell(p, h, x), h, x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:].T).mean()


optimizer = optax.chain(optax.clip_by_global_norm(0.2), optax.adam(0.01))


@jax.jit
def step(p, state, text, key):
    start = random.randint(key, (BATCH, 1), 0, len(text) - LENGTH)
    tokens = reshard(text[start + jnp.arange(LENGTH + 1)], P("dp"))
    value, grads = jax.value_and_grad(loss)(p, tokens)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(p, updates), state, value, optax.global_norm(grads)


@jax.jit
def sample(p, first, key):
    def write(carry, key):
        h, token = carry
        h, logits = cell(p, h, p["x"][token])
        token = random.categorical(key, logits)
        return (h, token), token

    return lax.scan(write, (jnp.zeros(WIDTH), first), random.split(key, 32))[1]


text = jnp.array([LETTERS.index(c) for c in TEXT])
p = init(random.key(0))
state = optimizer.init(p)
for i in range(61):
    p, state, value, norm = step(p, state, text, random.key(100 + i))
    if i % 20 == 0:
        print(f"step {i:2}  loss {value:.3f}  gradient {norm:.2f}")
written = sample(p, jnp.array(LETTERS.index("t")), random.key(1))
print("t" + "".join(LETTERS[i] for i in written))
