# SPDX-License-Identifier: Apache-2.0
# A deep equilibrium model: z = tanh(W z + U x + b) is found by a while_loop, its gradient by the implicit function
# theorem. It learns to tell the quadrants of the plane apart. The batch is split over 8 devices; gradients, and each
# turn's largest change, are combined over them.
import jax
import jax.numpy as jnp
import optax
from jax import lax, random
from jax.sharding import PartitionSpec as P

batch, hidden, steps = 512, 24, 161


def cell(p, x, z):
    w = 0.9 * p["w"] / jnp.linalg.norm(p["w"])  # contracts, so that there is one fixed point
    return jnp.tanh(z @ w + x @ p["u"] + p["b"])


def iterate(f, start):
    def moving(state):
        old, new, turns = state
        return (jnp.max(jnp.abs(new - old)) > 1e-6) & (turns < 100)

    def turn(state):
        _, z, turns = state
        return z, f(z), turns + 1

    return lax.while_loop(moving, turn, (start, f(start), 0))[1]


@jax.custom_vjp
def equilibrium(p, x):
    return iterate(lambda z: cell(p, x, z), jnp.zeros_like(x @ p["u"]))


def forward(p, x):
    z = equilibrium(p, x)
    return z, (p, x, z)


def backward(residuals, bar):  # u = bar + u dcell/dz; then the cotangents are u dcell/dp and u dcell/dx
    p, x, z = residuals
    _, by_z = jax.vjp(lambda z: cell(p, x, z), z)
    u = iterate(lambda u: bar + by_z(u)[0], bar)
    _, by_arguments = jax.vjp(lambda p, x: cell(p, x, z), p, x)
    return by_arguments(u)


equilibrium.defvjp(forward, backward)


def unrolled(p, x):
    return lax.fori_loop(0, 60, lambda _, z: cell(p, x, z), jnp.zeros_like(x @ p["u"]))


def logits(p, x, solve=equilibrium):
    return solve(p, x) @ p["v"]


def loss(p, x, y, solve=equilibrium):
    return jnp.mean(jax.nn.softplus(-y * logits(p, x, solve)))


optimizer = optax.adam(1e-2)


def first_parameters(key):
    w, u, v = random.split(key, 3)
    return {
        "w": random.normal(w, (hidden, hidden)),
        "u": random.normal(u, (2, hidden)),
        "b": jnp.zeros(hidden),
        "v": random.normal(v, (hidden,)) / hidden**0.5,
    }


@jax.jit
def train(key):
    of_points, of_parameters = random.split(key)
    x = random.normal(of_points, (batch, 2), out_sharding=P("dp"))
    y = jnp.sign(x[:, 0] * x[:, 1])

    def step(state, _):
        p, moments = state
        value, gradient = jax.value_and_grad(loss)(p, x, y)
        updates, moments = optimizer.update(gradient, moments)
        return (optax.apply_updates(p, updates), moments), value

    p = first_parameters(of_parameters)
    (p, _), losses = lax.scan(step, (p, optimizer.init(p)), length=steps)
    z = equilibrium(p, x)
    implicit, explicit = jax.grad(loss)(p, x, y), jax.grad(loss)(p, x, y, unrolled)
    apart = jax.tree.map(lambda a, b: jnp.max(jnp.abs(a - b)), implicit, explicit)
    return {
        "losses": losses,
        "accuracy": jnp.mean(logits(p, x) * y > 0),
        "norm": jnp.linalg.norm(p["v"]),
        "residual": jnp.max(jnp.abs(z - cell(p, x, z))),
        "apart": jax.tree.reduce(jnp.maximum, apart),
    }


jax.set_mesh(jax.make_mesh((8,), ("dp",)))
result = train(random.key(0))
for i in range(0, steps, 40):
    print(f"step {i:3d}  loss {result['losses'][i]:.3f}")
print(f"accuracy {result['accuracy']:.3f}  norm of v {result['norm']:.2f}")
print("fixed point:", "found" if result["residual"] < 1e-5 else "NOT FOUND")
print("gradient:", "as unrolled" if result["apart"] < 1e-5 else "NOT as unrolled")
