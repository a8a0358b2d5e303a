# SPDX-License-Identifier: Apache-2.0
"""3-D FFTs of a field in pencils over 4 x 2 devices, and a Poisson equation solved by them."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, PartitionSpec as P

n = 16
jax.set_mesh(jax.make_mesh((4, 2), ("a", "b"), axis_types=(AxisType.Explicit,) * 2))


@jax.shard_map(in_specs=P(None, "a", "b"), out_specs=P("a", "b", None))
def fft3(u):
    u = lax.all_to_all(jnp.fft.fft(u, axis=0), "a", 0, 1, tiled=True)
    u = lax.all_to_all(jnp.fft.fft(u, axis=1), "b", 1, 2, tiled=True)
    return jnp.fft.fft(u, axis=2)


@jax.shard_map(in_specs=P("a", "b", None), out_specs=P(None, "a", "b"))
def ifft3(u):
    u = lax.all_to_all(jnp.fft.ifft(u, axis=2), "b", 2, 1, tiled=True)
    u = lax.all_to_all(jnp.fft.ifft(u, axis=1), "a", 1, 0, tiled=True)
    return jnp.fft.ifft(u, axis=0)


k = jnp.fft.fftfreq(n, 1 / n)
k2 = k[:, None, None] ** 2 + k[:, None] ** 2 + k**2


@jax.jit
def laplacian(u):
    return ifft3(-k2 * fft3(u)).real


@jax.jit
def solve(f):  # the u of mean 0 with laplacian(u) = f
    return ifft3(-fft3(f) / jnp.where(k2 == 0, jnp.inf, k2)).real


f = jax.random.uniform(jax.random.key(0), (n, n, n), out_sharding=P(None, "a", "b"))
f -= f.mean()
modes, u = fft3(f), solve(f)
print("modes:", jax.typeof(modes), "solution:", jax.typeof(u))
print(f"mode 1, 2, 3: {jnp.abs(modes.at[1, 2, 3].get(out_sharding=P())):.4g}")
print(f"energy by values {(f**2).sum():.4g}, by modes {(jnp.abs(modes) ** 2).sum() / n**3:.4g}")
print(f"inverse: {jnp.abs(ifft3(modes) - f).max():.4f}")
print(f"solution: {u.min():.4g} to {u.max():.4g}, norm {jnp.sqrt((u**2).sum()):.4g}")
print(f"residual: {jnp.abs(laplacian(u) - f).max():.4f}")
