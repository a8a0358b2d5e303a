# SPDX-License-Identifier: Apache-2.0
# K-means: k-means++ picks the first centers by keys, Lloyd's iterations go on until no point changes its cluster.
# Points are split over 8 devices; sums of clusters, and each chosen point, go over the mesh.
import jax
import jax.numpy as jnp
from jax import lax, random
from jax.sharding import PartitionSpec as P

n, d, k = 4096, 2, 6


def make_points(key):
    k1, k2, k3 = random.split(key, 3)
    middles = random.uniform(k1, (k, d), minval=-4.0, maxval=4.0)
    labels = random.randint(k2, (n,), 0, k, out_sharding=P("dp"))
    noise = random.normal(k3, (n, d), out_sharding=P("dp"))
    return middles.at[labels].get(out_sharding=P("dp")) + 0.5 * noise


def squared_distances(x, centers):
    return jnp.sum((x[:, None] - centers) ** 2, axis=-1)


def plus_plus(key, x):
    def choose(key, logits):
        return jax.nn.one_hot(random.categorical(key, logits), n) @ x

    def add(i, state):
        centers, nearest = state
        chosen = choose(random.fold_in(key, i), jnp.log(nearest))
        return centers.at[i].set(chosen), jnp.minimum(nearest, jnp.sum((x - chosen) ** 2, axis=1))

    first = choose(random.fold_in(key, 0), jnp.zeros_like(x[:, 0]))
    centers = jnp.zeros((k, d)).at[0].set(first)
    return lax.fori_loop(1, k, add, (centers, jnp.sum((x - first) ** 2, axis=1)))


def lloyd(x, centers):
    def turn(state):
        centers, old, _, turns = state
        labels = jnp.argmin(squared_distances(x, centers), axis=1)
        members = jax.nn.one_hot(labels, k)
        sums = jnp.einsum("nk,nd->kd", members, x, out_sharding=P())
        return sums / jnp.sum(members, axis=0)[:, None], labels, jnp.any(labels != old), turns + 1

    start = centers, jnp.full_like(x[:, 0], -1, jnp.int32), True, 0
    centers, labels, _, turns = lax.while_loop(lambda state: state[2], turn, start)
    return centers, labels, turns


@jax.jit
def kmeans(key):
    of_points, of_start = random.split(key)
    x = make_points(of_points)
    first, nearest = plus_plus(of_start, x)
    centers, labels, turns = lloyd(x, first)
    inertia = jnp.sum(jnp.min(squared_distances(x, centers), axis=1))
    return jnp.sum(nearest), inertia, turns, jnp.sum(labels[:, None] == jnp.arange(k), axis=0), centers


jax.set_mesh(jax.make_mesh((8,), ("dp",)))
before, inertia, turns, sizes, centers = kmeans(random.key(1))
print(f"inertia at the start {before:.0f}, after {turns} turns {inertia:.1f}")
print("sizes", sizes)
for x, y in centers:
    print(f"center {x:6.3f} {y:6.3f}")
