# SPDX-License-Identifier: Apache-2.0
"""Calls of random numbers of events, and of points in a ball, for record.py. A key is its data."""

import jax
import jax.numpy as jnp
import numpy as np
from record import call

random = jax.random


def keys(*shape, seed=0):
    return np.random.default_rng(seed).integers(0, 2**32, (*shape, 2), dtype=np.uint32)


def drawn(name, f, *x, **options):
    call(name, lambda data, *x: f(random.wrap_key_data(data), *x), keys(), *x, slopes=False, **options)


def one_by_one(name, f, count=200):
    """A draw for each key, whose loop ends with the draw."""
    call(name, lambda data: jax.vmap(lambda d: f(random.wrap_key_data(d)))(data), keys(count), slopes=False)


f32 = np.float32
means = np.array([0, 0.01, 0.5, 1, 3, 7, 9.99, -1, np.nan, 5, 5, 5], f32)
drawn("poisson of means", lambda k, m: random.poisson(k, m), means)
drawn("poisson of rows", lambda k, m: random.poisson(k, m, (40, 4)), np.array([0.3, 2, 6, 9], f32))
for mean in (10, 12.5, 100, 3000):
    one_by_one(f"poisson {mean}", lambda k, m=mean: random.poisson(k, jnp.float32(m), ()))
trials = np.array([0, 1, 5, 20, 20, 1000, -1, np.nan, 5, 5, np.inf, 7.6], f32)
chance = np.array([0.5, 0.3, 0.9, 0.4, 0.6, 0.002, 0.5, 0.5, 1.5, np.nan, 0.25, 0.5], f32)
drawn("binomial of trials", lambda k, n, p: random.binomial(k, n, p), trials, chance)
drawn("binomial ends", lambda k, n, p: random.binomial(k, n, p), np.array([5, 5, 1e6, 1e6, 0, 0], f32), np.array([0, 1, 0, 1, 0, 1], f32))
for n, p in ((30, 0.4), (25, 0.7), (1000, 0.1), (100000, 0.5)):
    one_by_one(f"binomial {n} {p}", lambda k, n=n, p=p: random.binomial(k, jnp.float32(n), jnp.float32(p), ()))
drawn("binomial float64", lambda k, n, p: random.binomial(k, n, p, (60,)), np.array([12.0]), np.array([0.3]))
drawn("multinomial", lambda k, n, p: random.multinomial(k, n[0], p), np.array([9], f32), np.array([0.2, 0.5, 0.05, 0.25], f32))
drawn("multinomial rows", lambda k, n, p: random.multinomial(k, n, p), np.array([3, 9, 0, 15], f32), np.array([[1, 0, 0], [0.1, 0.2, 0.7], [0.2, 0.3, 0.5], [0, 0.5, 0.5]], f32))
call("ball", lambda d, p: random.ball(random.wrap_key_data(d), 3, p[0], (8,)), keys(), np.array([2], f32))
call("ball 1", lambda d, p: random.ball(random.wrap_key_data(d), 4, p[0]), keys(seed=1), np.array([1], f32))
