# SPDX-License-Identifier: Apache-2.0
"""The model and training step of examples/transformer/model.hpp with Flax NNX and optax: the same layers, layouts, loss and
update. Its lines are compared with that file's. python3 benchmarks/peers/flax_transformer.py trains it: the loss must fall."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from jax.sharding import AxisType, PartitionSpec as P

BATCH, LENGTH, WIDTH, HEADS, VOCABULARY = 16, 32, 64, 4, 64
HEAD, HIDDEN = WIDTH // HEADS, 4 * WIDTH
WHOLE = P("dp", None, None)
mesh = jax.make_mesh((4, 2), ("dp", "mp"), axis_types=(AxisType.Auto, AxisType.Auto))
jax.sharding.set_mesh(mesh)


def linear(n, m, spec, rngs, bias=False):
    return nnx.Linear(
        n,
        m,
        use_bias=bias,
        kernel_init=nnx.with_partitioning(nnx.initializers.lecun_normal(), spec),
        bias_init=nnx.with_partitioning(nnx.initializers.zeros_init(), spec[1:]),
        rngs=rngs,
    )


class Layer(nnx.Module):
    def __init__(self, rngs):
        self.norm1 = nnx.LayerNorm(WIDTH, epsilon=1e-5, rngs=rngs)
        self.wq = linear(WIDTH, WIDTH, (None, "mp"), rngs)
        self.wk = linear(WIDTH, WIDTH, (None, "mp"), rngs)
        self.wv = linear(WIDTH, WIDTH, (None, "mp"), rngs)
        self.wo = linear(WIDTH, WIDTH, ("mp", None), rngs)
        self.norm2 = nnx.LayerNorm(WIDTH, epsilon=1e-5, rngs=rngs)
        self.up = linear(WIDTH, HIDDEN, (None, "mp"), rngs, bias=True)
        self.down = linear(HIDDEN, WIDTH, ("mp", None), rngs, bias=True)

    def __call__(self, x):
        split = lambda x: jnp.transpose(jnp.reshape(x, (BATCH, LENGTH, HEADS, HEAD)), (0, 2, 1, 3))
        h = self.norm1(x)
        q, k, v = split(self.wq(h)), split(self.wk(h)), split(self.wv(h))
        scores = jnp.matmul(q, jnp.transpose(k, (0, 1, 3, 2))) * 0.25
        earlier = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
        seen = jnp.matmul(jax.nn.softmax(jnp.where(earlier, scores, -1e9)), v)
        joined = jnp.reshape(jnp.transpose(seen, (0, 2, 1, 3)), (BATCH, LENGTH, WIDTH))
        y = x + jax.lax.with_sharding_constraint(self.wo(joined), WHOLE)
        return y + jax.lax.with_sharding_constraint(self.down(jax.nn.gelu(self.up(self.norm2(y)))), WHOLE)


class GPT(nnx.Module):
    def __init__(self, layers, rngs):
        self.tokens = nnx.Embed(VOCABULARY, WIDTH, rngs=rngs)
        self.positions = nnx.Param(0.1 * jax.random.normal(rngs.params(), (LENGTH, WIDTH)))
        self.layers = nnx.List([Layer(rngs) for _ in range(layers)])
        self.norm = nnx.LayerNorm(WIDTH, epsilon=1e-5, rngs=rngs)
        self.head = linear(WIDTH, VOCABULARY, (None, None), rngs)

    def __call__(self, tokens):
        x = jax.lax.with_sharding_constraint(self.tokens(tokens), WHOLE) + self.positions
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def loss(model, tokens, following):
    picked = jax.nn.one_hot(following, VOCABULARY) * jax.nn.log_softmax(model(tokens))
    return -jnp.sum(picked) / (BATCH * LENGTH)


def first(key):
    model = GPT(2, nnx.Rngs(key))
    optimizer = nnx.Optimizer(model, optax.adam(4e-3), wrt=nnx.Param)
    state = nnx.state((model, optimizer))
    nnx.update((model, optimizer), jax.lax.with_sharding_constraint(state, nnx.get_partition_spec(state)))
    return model, optimizer


@nnx.jit
def train_step(model, optimizer, tokens, following):
    value, gradient = nnx.value_and_grad(loss)(model, tokens, following)
    optimizer.update(model, gradient)
    return value


if __name__ == "__main__":
    import numpy as np

    model, optimizer = nnx.jit(first)(jax.random.key(1))
    print(model.layers[0].up.kernel.value.sharding)
    random = np.random.default_rng(1)
    for step in range(120):
        start, apart = random.integers(VOCABULARY, size=(BATCH, 1)), random.integers(1, 8, size=(BATCH, 1))
        row = jax.device_put((start + apart * np.arange(LENGTH + 1)) % VOCABULARY, jax.NamedSharding(mesh, P("dp")))
        value = train_step(model, optimizer, row[:, :-1], row[:, 1:])
        if step % 20 == 19:
            print(step + 1, float(value))
