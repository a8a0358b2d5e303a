# SPDX-License-Identifier: Apache-2.0
"""Solves a 2-D Poisson problem by conjugate gradients; the rows of the grid are split over 8 devices."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, PartitionSpec as P

n = 64
jax.set_mesh(jax.make_mesh((8,), ("row",), axis_types=(AxisType.Explicit,)))


def laplacian(u):  # minus the 5-point stencil, on one device's rows; zeros around the grid
    above = lax.ppermute(u[-1:], "row", [(i, i + 1) for i in range(7)])
    below = lax.ppermute(u[:1], "row", [(i + 1, i) for i in range(7)])
    v = jnp.pad(jnp.concatenate([above, u, below]), ((0, 0), (1, 1)))
    return (4 * u - v[:-2, 1:-1] - v[2:, 1:-1] - v[1:-1, :-2] - v[1:-1, 2:]) * (n + 1) ** 2


def dot(a, b):
    return lax.psum(jnp.vdot(a, b), "row")


def conjugate_gradients(matvec, b):
    def step(state):
        x, r, p, rr, steps = state
        ap = matvec(p)
        alpha = rr / dot(p, ap)
        x, r = x + alpha * p, r - alpha * ap
        rr, old = dot(r, r), rr
        return x, r, r + rr / old * p, rr, steps + 1

    bb = dot(b, b)
    x, _, _, _, steps = lax.while_loop(lambda s: s[3] > 1e-5 * bb, step, (jnp.zeros_like(b), b, b, bb, 0))
    return x, steps


@jax.jit
@jax.shard_map(in_specs=P("row"), out_specs=(P("row"), P(), P()))
def solve(b):
    x, steps = conjugate_gradients(laplacian, b)
    off = laplacian(x) - b
    return x, steps, jnp.sqrt(dot(off, off) / dot(b, b))


@jax.jit
@jax.value_and_grad
@jax.shard_map(in_specs=P("row"), out_specs=P())
def energy(b):
    x = lax.custom_linear_solve(laplacian, b, lambda f, b: conjugate_gradients(f, b)[0], symmetric=True)
    return dot(x, x) / 2


b = jax.random.uniform(jax.random.key(0), (n, n), out_sharding=P("row"))
x, steps, residual = solve(b)
print(f"{steps} steps, residual {residual:.2g}")
print(f"solution: mean {x.mean():.4g}, largest {x.max():.4g}")
value, slope = energy(b)
print(f"energy {value:.4g}")
print(f"gradient: mean {slope.mean():.4g}, largest {slope.max():.4g}")
again, _, _ = solve(x)
print(f"gradient equals the solution for x: {jnp.abs(slope - again).max() / again.max():.4f}")
