# SPDX-License-Identifier: Apache-2.0
"""The model and training step of examples/transformer/model.hpp with Equinox and optax: the same layers, layouts, loss and
update. Its lines are compared with that file's. python3 benchmarks/peers/equinox_transformer.py trains it: the loss must
fall."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

BATCH, LENGTH, WIDTH, HEADS, VOCABULARY = 16, 32, 64, 4, 64
HEAD, HIDDEN = WIDTH // HEADS, 4 * WIDTH
WHOLE = P("dp", None, None)
mesh = jax.make_mesh((4, 2), ("dp", "mp"), axis_types=(AxisType.Auto, AxisType.Auto))
jax.sharding.set_mesh(mesh)


def put(x, *spec):
    return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P(*spec)))


class Linear(eqx.Module):
    w: jax.Array
    b: jax.Array | None

    def __init__(self, n, m, spec, key, bias=False):
        self.w = put(jax.nn.initializers.lecun_normal()(key, (n, m)), *spec)
        self.b = put(jnp.zeros(m), *spec[1:]) if bias else None

    def __call__(self, x):
        return x @ self.w if self.b is None else x @ self.w + self.b


class Norm(eqx.Module):
    gain: jax.Array
    offset: jax.Array

    def __init__(self):
        self.gain, self.offset = jnp.ones(WIDTH), jnp.zeros(WIDTH)

    def __call__(self, x):
        return jax.nn.standardize(x, epsilon=1e-5) * self.gain + self.offset


class Layer(eqx.Module):
    norm1: Norm
    wq: Linear
    wk: Linear
    wv: Linear
    wo: Linear
    norm2: Norm
    up: Linear
    down: Linear

    def __init__(self, key):
        keys = jax.random.split(key, 6)
        self.norm1 = Norm()
        self.wq = Linear(WIDTH, WIDTH, (None, "mp"), keys[0])
        self.wk = Linear(WIDTH, WIDTH, (None, "mp"), keys[1])
        self.wv = Linear(WIDTH, WIDTH, (None, "mp"), keys[2])
        self.wo = Linear(WIDTH, WIDTH, ("mp", None), keys[3])
        self.norm2 = Norm()
        self.up = Linear(WIDTH, HIDDEN, (None, "mp"), keys[4], bias=True)
        self.down = Linear(HIDDEN, WIDTH, ("mp", None), keys[5], bias=True)

    def __call__(self, x):
        split = lambda x: jnp.transpose(jnp.reshape(x, (BATCH, LENGTH, HEADS, HEAD)), (0, 2, 1, 3))
        h = self.norm1(x)
        q, k, v = split(self.wq(h)), split(self.wk(h)), split(self.wv(h))
        scores = jnp.matmul(q, jnp.transpose(k, (0, 1, 3, 2))) * 0.25
        earlier = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
        seen = jnp.matmul(jax.nn.softmax(jnp.where(earlier, scores, -1e9)), v)
        joined = jnp.reshape(jnp.transpose(seen, (0, 2, 1, 3)), (BATCH, LENGTH, WIDTH))
        y = x + put(self.wo(joined), *WHOLE)
        return y + put(self.down(jax.nn.gelu(self.up(self.norm2(y)))), *WHOLE)


class GPT(eqx.Module):
    tokens: jax.Array
    positions: jax.Array
    layers: list[Layer]
    norm: Norm
    head: Linear

    def __init__(self, layers, key):
        first, second, third, *keys = jax.random.split(key, layers + 3)
        self.tokens = jax.random.normal(first, (VOCABULARY, WIDTH)) / WIDTH**0.5
        self.positions = 0.1 * jax.random.normal(second, (LENGTH, WIDTH))
        self.layers = [Layer(key) for key in keys]
        self.norm = Norm()
        self.head = Linear(WIDTH, VOCABULARY, (None, None), third)

    def __call__(self, tokens):
        x = put(jnp.take(self.tokens, tokens, axis=0), *WHOLE) + self.positions
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def loss(model, tokens, following):
    picked = jax.nn.one_hot(following, VOCABULARY) * jax.nn.log_softmax(model(tokens))
    return -jnp.sum(picked) / (BATCH * LENGTH)


optimizer = optax.adam(4e-3)


@eqx.filter_jit
def first(key):
    model = GPT(2, key)
    return model, optimizer.init(model)


@eqx.filter_jit
def train_step(model, state, tokens, following):
    value, gradient = eqx.filter_value_and_grad(loss)(model, tokens, following)
    updates, state = optimizer.update(gradient, state)
    return eqx.apply_updates(model, updates), state, value


if __name__ == "__main__":
    import numpy as np

    model, state = first(jax.random.key(1))
    print(model.layers[0].up.w.sharding)
    random = np.random.default_rng(1)
    for step in range(120):
        start, apart = random.integers(VOCABULARY, size=(BATCH, 1)), random.integers(1, 8, size=(BATCH, 1))
        row = jax.device_put((start + apart * np.arange(LENGTH + 1)) % VOCABULARY, NamedSharding(mesh, P("dp")))
        model, state, value = train_step(model, state, row[:, :-1], row[:, 1:])
        if step % 20 == 19:
            print(step + 1, float(value))
