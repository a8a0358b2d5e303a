# SPDX-License-Identifier: Apache-2.0
"""N-body: 256 particles over 8 devices, forces by a ring, leapfrog, and a gradient by the masses."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, PartitionSpec as P

n, steps, dt, soft = 256, 50, 0.02, 0.05
jax.set_mesh(jax.make_mesh((8,), ("ring",), axis_types=(AxisType.Explicit,)))


def around(pair, x, m):  # the sum of pair(x, y, m of y) over the particles y of all devices
    def turn(_, carry):
        total, *block = carry
        return total + pair(x, *block), *lax.ppermute(block, "ring", [(i, (i + 1) % 8) for i in range(8)])

    return lax.fori_loop(0, 8, turn, (jnp.zeros_like(pair(x, x, m)), x, m))[0]


def force(x, y, m):  # on a particle of mass 1 at each x
    d = y - x[:, None]
    r2 = (d**2).sum(-1) + soft**2
    return (d * (m / (r2 * jnp.sqrt(r2)))[..., None]).sum(1)


def potential(x, y, m):
    d = y - x[:, None]
    return -(m / jnp.sqrt((d**2).sum(-1) + soft**2)).sum(1)


def energies(x, v, m):
    kinetic = (m * (v**2).sum(-1)).sum() / 2
    return lax.psum((kinetic, (m * around(potential, x, m)).sum() / 2), "ring")


@jax.shard_map(in_specs=P("ring"), out_specs=(P("ring"), P("ring"), P()))
def simulate(x, v, m):
    def step(carry, _):
        x, v, a = carry
        v += dt / 2 * a
        x += dt * v
        a = around(force, x, m)
        v += dt / 2 * a
        return (x, v, a), energies(x, v, m)

    (x, v, _), history = lax.scan(step, (x, v, around(force, x, m)), length=steps)
    return x, v, history


@jax.jit
@jax.value_and_grad
def final_kinetic(m, x, v):
    return simulate(x, v, m)[2][0][-1]


kx, kv, km = jax.random.split(jax.random.key(0), 3)
x = jax.random.uniform(kx, (n, 3), minval=-1, maxval=1, out_sharding=P("ring"))
v = 0.1 * jax.random.normal(kv, (n, 3), out_sharding=P("ring"))
m = jax.random.uniform(km, (n,), out_sharding=P("ring")) / n
x1, v1, (kinetic, potential_) = jax.jit(simulate)(x, v, m)
for t in range(9, steps, 10):
    print(f"step {t+1}: kinetic {kinetic[t]:.4g}, potential {potential_[t]:.4g}, sum {kinetic[t] + potential_[t]:.4f}")
print(f"momentum {jnp.abs((m[:, None] * (v1 - v)).sum(0)).max():.4f}")
value, slope = final_kinetic(m, x, v)
print(
    f"kinetic {value:.4g}, its gradient by the masses: {slope.min():.4g} to {slope.max():.4g}, "
    f"mean {slope.mean():.4g}"
)
