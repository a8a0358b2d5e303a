# SPDX-License-Identifier: Apache-2.0
"""JAX on CPU: the training steps of benchmarks/models_benchmark.cpp.  jax_models.py [--budget S] [--round N] [--peer NAME] [--only REGEX]"""
import argparse
import os
import re

parser = argparse.ArgumentParser()
parser.add_argument("--budget", type=float, default=0.4)
parser.add_argument("--round", type=int, default=0)
parser.add_argument("--devices", type=int, default=8)
parser.add_argument("--peer", default="jax")
parser.add_argument("--only", default="")
options = parser.parse_args()
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={options.devices} " + os.environ.get("XLA_FLAGS", "")
os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P  # noqa: E402

from common import Report, randn  # noqa: E402

report = Report(options.peer, options.round, options.budget)


def uniform(seed, *shape, scale=1.0):
    return (np.random.default_rng(seed).uniform(-scale, scale, shape)).astype(np.float32)


def one_hot_rows(rows, classes, step=1):
    return np.eye(classes, dtype=np.float32)[np.arange(rows) * step % classes]


def descend(loss, rate):
    @jax.jit
    def step(p, *data):
        value, slopes = jax.value_and_grad(loss)(p, *data)
        return value, jax.tree.map(lambda w, slope: w - rate * slope, p, slopes)

    return step


def wrong(step, rate, p, data):
    """A step lowers the loss by its rate times the square of the gradient, but for what is of second order."""
    before, moved = step(p, *data)
    leaves = zip(jax.tree.leaves(p), jax.tree.leaves(moved))
    square = sum(float(np.sum(((np.asarray(a, np.float64) - np.asarray(b, np.float64)) / rate) ** 2)) for a, b in leaves)
    return abs(float(before) - float(step(moved, *data)[0]) - rate * square) / (rate * square)


def cases(name, params, devices_of):
    """(parameters of the case, put(value, spec)) for each number of devices."""
    for devices in devices_of:
        all_params = {**params, "devices": devices}
        if not re.search(options.only, name + " " + " ".join(f"{k}={v}" for k, v in all_params.items())):
            continue
        mesh = Mesh(np.array(jax.devices()[:devices]), ("dp",), axis_types=(AxisType.Auto,))
        yield all_params, lambda value, spec: jax.block_until_ready(jax.device_put(value, NamedSharding(mesh, P(*spec))))


def train(name, params, loss, rate, p, data, specs, devices_of=(1, 8)):
    """Each of `data` is placed by its spec, parameters are on all devices."""
    for all_params, put in cases(name, params, devices_of):
        placed = jax.tree.map(lambda w: put(w, ()), p)
        arrays = [put(value, spec) for value, spec in zip(data, specs)]
        step = descend(loss, rate)
        check = wrong(step, rate, placed, arrays) if options.round == 0 else None
        report.time(name, all_params, lambda: jax.block_until_ready(step(placed, *arrays)), check=check, tol=0.1)


def convnet(last):
    digits = 256
    order = ("NHWC", "HWIO", "NHWC") if last else ("NCHW", "OIHW", "NCHW")
    window = (1, 2, 2, 1) if last else (1, 1, 2, 2)

    def layer(z, k, bias):
        made = jax.lax.conv_general_dilated(z, k, (1, 1), "SAME", dimension_numbers=order)
        made = jax.nn.relu(made + (bias if last else bias[:, None, None]))
        return jax.lax.reduce_window(made, -jnp.inf, jax.lax.max, window, window, "VALID")

    def loss(p, x, y):
        k1, b1, k2, b2, w, b = p
        logits = layer(layer(x, k1, b1), k2, b2).reshape(digits, 128) @ w + b
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * y, 1))

    def kernel(seed, k, c, o, scale):
        return randn(seed, k, k, c, o, scale=scale) if last else randn(seed, o, c, k, k, scale=scale)

    p = [kernel(1, 3, 1, 16, 0.17), np.zeros(16, np.float32), kernel(2, 3, 16, 32, 0.06), np.zeros(32, np.float32), randn(3, 128, 10, scale=0.06), np.zeros(10, np.float32)]
    x = randn(7, digits, 8, 8, 1) if last else randn(7, digits, 1, 8, 8)
    train("models.convnet", {"layout": "nhwc" if last else "nchw"}, loss, 0.01, p, [x, one_hot_rows(digits, 10)], [("dp",), ("dp",)])


def transformer(dtype):
    batch, length, width, heads, head, hidden, classes = 8, 64, 256, 4, 64, 1024, 64

    def split(x):
        return x.reshape(batch, length, heads, head).transpose(0, 2, 1, 3)

    def layer(p, x):
        gain1, wq, wk, wv, wo, gain2, up, down = p
        h = jax.nn.standardize(x) * gain1
        q, k, v = split(h @ wq), split(h @ wk), split(h @ wv)
        scores = q @ k.transpose(0, 1, 3, 2) * 0.125
        seen = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)) @ v
        y = x + seen.transpose(0, 2, 1, 3).reshape(batch, length, width) @ wo
        return y + jax.nn.gelu((jax.nn.standardize(y) * gain2) @ up) @ down

    def loss(p, x, y):
        first, second, last = jax.tree.map(lambda w: w.astype(dtype), p)
        logits = layer(second, layer(first, x.astype(dtype))) @ last
        return -jnp.sum(jax.nn.log_softmax(logits.astype(jnp.float32)) * y) / (batch * length)

    def weights(seed):
        shapes = [(width,)] + [(width, width)] * 4 + [(width,), (width, hidden), (hidden, width)]
        return [uniform(seed + i, *shape, scale=scale) for i, (shape, scale) in enumerate(zip(shapes, (0.5, 0.1, 0.1, 0.1, 0.1, 0.5, 0.1, 0.05)))]

    p = [weights(1), weights(11), uniform(21, width, classes, scale=0.1)]
    data = [uniform(31, batch, length, width), one_hot_rows(batch * length, classes, 7).reshape(batch, length, classes)]
    train("models.transformer", {"dtype": jnp.dtype(dtype).name}, loss, 0.01, p, data, [("dp",), ("dp",)])


def gru():
    length, batch, inputs, width, classes = 64, 32, 64, 128, 64

    def loss(p, first, x, y):
        wx, wh, nx, nh, out = p

        def step(h, xt):
            update, reset = jnp.split(jax.nn.sigmoid(xt @ wx + h @ wh), 2, axis=1)
            h = update * h + (1 - update) * jnp.tanh(xt @ nx + reset * (h @ nh))
            return h, h

        states = jax.lax.scan(step, first, x)[1]
        return -jnp.sum(jax.nn.log_softmax(states @ out) * y) / (length * batch)

    p = [uniform(1, inputs, 2 * width, scale=0.2), uniform(2, width, 2 * width, scale=0.1), uniform(3, inputs, width, scale=0.2), uniform(4, width, width, scale=0.1), uniform(5, width, classes, scale=0.1)]
    data = [np.zeros((batch, width), np.float32), uniform(6, length, batch, inputs), one_hot_rows(length * batch, classes, 7).reshape(length, batch, classes)]
    train("models.gru", {}, loss, 0.01, p, data, [("dp",), (None, "dp"), (None, "dp")])


def experts():
    tokens, width, hidden, count, room, classes = 512, 128, 256, 8, 128, 64

    def loss(p, x, y):
        router, up, down, out = p
        chances = jax.nn.softmax(x @ router)
        chosen = jax.nn.one_hot(jnp.argmax(chances, 1), count)
        place = jax.nn.one_hot(jnp.sum((jnp.cumsum(chosen, 0) - 1) * chosen, 1).astype(jnp.int32), room)
        sent = chosen[:, :, None] * place[:, None, :]
        weight = chances[:, :, None] * sent
        inputs = jnp.einsum("tec,td->ecd", sent, x)
        made = jnp.einsum("ecf,efd->ecd", jax.nn.relu(jnp.einsum("ecd,edf->ecf", inputs, up)), down)
        logits = (x + jnp.einsum("tec,ecd->td", weight, made)) @ out
        return -jnp.sum(jax.nn.log_softmax(logits) * y) / tokens

    p = [uniform(1, width, count, scale=0.3), uniform(2, count, width, hidden, scale=0.1), uniform(3, count, hidden, width, scale=0.1), uniform(4, width, classes, scale=0.1)]
    train("models.experts", {}, loss, 0.01, p, [uniform(5, tokens, width), one_hot_rows(tokens, classes, 7)], [(), ()], (1,))


def embeddings():
    rows, table, width, fields, numbers, hidden = 1024, 20000, 32, 8, 16, 64
    features = (fields + 1) ** 2 + width

    def loss(p, ids, x, y):
        all_rows, first, up, down = p
        dense = jax.nn.relu(x @ first)
        met = jnp.concatenate([all_rows[ids], dense[:, None, :]], 1)
        pairs = jnp.einsum("bfd,bgd->bfg", met, met)
        logit = (jax.nn.relu(jnp.concatenate([pairs.reshape(rows, -1), dense], 1) @ up) @ down)[:, 0]
        return jnp.mean(jax.nn.softplus(logit) - y * logit)

    p = [uniform(1, table, width, scale=0.3), uniform(2, numbers, width, scale=0.3), uniform(3, features, hidden, scale=0.1), uniform(4, hidden, 1, scale=0.1)]
    ids = (np.arange(rows * fields) * 7919 % table).astype(np.int32).reshape(rows, fields)
    data = [ids, uniform(5, rows, numbers), (np.arange(rows) % 3 == 0).astype(np.float32)]
    train("models.embeddings", {}, loss, 0.1, p, data, [(), (), ()], (1,))


def state_space(form):
    batch, length, width, inner, states, taps = 4, 256, 32, 64, 8, 3

    def combine(left, right):
        return left[0] * right[0], right[0] * left[1] + right[1]

    def turn(h, at):
        h = at[0] * h + at[1]
        return h, h

    def loss(p, first, x, y):
        into, kernel, step, decay, to_state, from_state, out = p
        u, gate = jnp.split(x @ into, 2, axis=2)
        padded = jnp.pad(u, ((0, 0), (taps - 1, 0), (0, 0)))
        u = jax.nn.silu(sum(padded[:, k : k + length] * kernel[k] for k in range(taps)))
        dt = jax.nn.softplus(u * step)
        kept = jnp.exp(-dt[..., None] * jnp.exp(decay))
        added = (dt * u)[..., None] * (x @ to_state)[:, :, None]
        if form == "prefixes":
            all_states = jax.lax.associative_scan(combine, (kept, added), axis=1)[1]
        else:
            all_states = jax.lax.scan(turn, first, (kept.swapaxes(0, 1), added.swapaxes(0, 1)))[1].swapaxes(0, 1)
        made = jnp.einsum("blcs,bls->blc", all_states, x @ from_state) * jax.nn.silu(gate)
        return jnp.mean((made @ out - y) ** 2)

    p = [uniform(1, width, 2 * inner, scale=0.5), uniform(2, taps, inner, scale=0.4), uniform(3, inner, scale=0.4), uniform(4, inner, states, scale=0.4)]
    p += [uniform(5, width, states, scale=0.5), uniform(6, width, states, scale=0.5), uniform(7, inner, width, scale=0.5)]
    data = [np.zeros((batch, inner, states), np.float32), uniform(8, batch, length, width), uniform(9, batch, length, width)]
    train("models.state_space", {"form": form}, loss, 0.01, p, data, [(), (), ()], (1,))


def graph_attention():
    nodes, edges, width, heads = 2000, 16000, 32, 4

    def layer(w, attention, x, sources, targets):
        h = (x @ w).reshape(nodes, heads, width // heads)
        sent, own = h[sources], h[targets]
        score = jax.nn.leaky_relu((jnp.concatenate([sent, own], 2) * attention).sum(-1), 0.2)
        part = jnp.exp(score - jax.ops.segment_max(score, targets, nodes)[targets])
        share = part / (jax.ops.segment_sum(part, targets, nodes)[targets] + 1e-9)
        return jax.ops.segment_sum(share[..., None] * sent, targets, nodes).reshape(nodes, width)

    def loss(p, x, sources, targets, y):
        first, second, attention, out = p
        h = jax.nn.elu(layer(first, attention, x, sources, targets))
        return jnp.mean((layer(second, attention, h, sources, targets) @ out - y) ** 2)

    p = [uniform(1, width, width, scale=0.3), uniform(2, width, width, scale=0.3), uniform(3, heads, 2 * width // heads, scale=0.3), uniform(4, width, 1, scale=0.3)]
    every = np.arange(edges)
    data = [uniform(5, nodes, width), (every * 7919 % nodes).astype(np.int32), (every * 104729 % nodes).astype(np.int32), uniform(6, nodes, 1)]
    train("models.graph_attention", {}, loss, 0.01, p, data, [(), (), (), ()], (1,))


def stencil():
    size, steps = 512, 20

    def diffuse_on(devices):
        def neighbors(u):
            if devices == 1:
                return jnp.roll(u, 1, 0), jnp.roll(u, -1, 0)
            above = jax.lax.ppermute(u[-1:], "dp", [(i, (i + 1) % devices) for i in range(devices)])
            below = jax.lax.ppermute(u[:1], "dp", [(i, (i - 1) % devices) for i in range(devices)])
            return jnp.concatenate([above, u[:-1]]), jnp.concatenate([u[1:], below])

        def turn(_, u):
            above, below = neighbors(u)
            return 0.5 * u + 0.125 * (above + below + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1))

        def turns(x):
            return jax.lax.fori_loop(0, steps, turn, x)

        mesh = Mesh(np.array(jax.devices()[:devices]), ("dp",), axis_types=(AxisType.Auto,))
        return jax.jit(turns if devices == 1 else jax.shard_map(turns, mesh=mesh, in_specs=P("dp"), out_specs=P("dp")))

    values = uniform(1, size, size)
    for all_params, put in cases("models.stencil", {}, (1, 8)):
        diffuse = diffuse_on(all_params["devices"])
        x, expected = put(values, ("dp",)), values.astype(np.float64)
        for _ in range(steps):
            expected = 0.5 * expected + 0.125 * sum(np.roll(expected, way, axis) for axis in (0, 1) for way in (1, -1))
        check = float(np.max(np.abs(np.asarray(diffuse(x)) - expected)) / np.max(np.abs(expected)))
        report.time("models.stencil", all_params, lambda diffuse=diffuse: jax.block_until_ready(diffuse(x)), check=check, tol=1e-4)


def heat():
    size, steps = 512, 20

    def turn(_, u):
        return u.at[1:-1, 1:-1].set(0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]))

    settle = jax.jit(lambda x: jax.lax.fori_loop(0, steps, turn, x))
    values = uniform(1, size, size)
    for all_params, put in cases("models.heat", {}, (1,)):
        x, expected = put(values, ("dp",)), values.astype(np.float64)
        for _ in range(steps):
            mean = 0.25 * (expected[:-2, 1:-1] + expected[2:, 1:-1] + expected[1:-1, :-2] + expected[1:-1, 2:])
            expected[1:-1, 1:-1] = mean
        check = float(np.max(np.abs(np.asarray(settle(x)) - expected)) / np.max(np.abs(expected)))
        report.time("models.heat", all_params, lambda: jax.block_until_ready(settle(x)), check=check, tol=1e-4)


convnet(False)
convnet(True)
transformer(jnp.float32)
transformer(jnp.bfloat16)
gru()
experts()
embeddings()
state_space("loop")
state_space("prefixes")
graph_attention()
stencil()
heat()
