# SPDX-License-Identifier: Apache-2.0
# REINFORCE with a learned baseline on a grid world that is simulated in the program: an agent walks to a corner of a
# 5 x 5 grid, around pits. Environments are split over 8 devices, each with keys of its own; gradients are summed over
# them.
import jax
import jax.numpy as jnp
import optax
from jax import lax, random
from jax.sharding import AxisType, PartitionSpec as P

side, environments, horizon, updates, discount = 5, 256, 20, 121, 0.95
goal, pits = jnp.array([4, 4]), jnp.array([[1, 1], [2, 3], [3, 1]])


def move(place, action):
    up = lambda p: p + jnp.array([-1, 0])
    down = lambda p: p + jnp.array([1, 0])
    left = lambda p: p + jnp.array([0, -1])
    right = lambda p: p + jnp.array([0, 1])
    return jnp.clip(lax.switch(action, [up, down, left, right], place), 0, side - 1)


def state_of(place):
    return place[0] * side + place[1]


def episode(p, key):  # one environment, one walk: what was seen, done and received in each step
    def step(carry, key):
        place, done = carry
        action = random.categorical(key, p["policy"][state_of(place)])
        next_place = lax.cond(done, lambda: place, lambda: move(place, action))
        at_goal, in_pit = jnp.all(next_place == goal), jnp.any(jnp.all(next_place == pits, axis=1))
        reward = jnp.where(done, 0.0, jnp.where(at_goal, 1.0, jnp.where(in_pit, -1.0, -0.02)))
        return (next_place, done | at_goal | in_pit), (state_of(place), action, reward, ~done)

    start, walk = random.split(key)
    first = random.randint(start, (2,), 0, 2) * jnp.array([1, 0])  # the upper left, or the place below it
    return lax.scan(step, (first, False), random.split(walk, horizon))[1]


def returns_of(rewards):
    def back(later, reward):
        now = reward + discount * later
        return now, now

    return lax.scan(back, 0.0, rewards, reverse=True)[1]


def loss(p, states, actions, returns, alive):
    def of_step(state, action, gain, alive):
        log_p = jax.nn.log_softmax(p["policy"][state])[action]
        advantage = gain - p["value"][state]
        return alive * (-log_p * lax.stop_gradient(advantage) + 0.5 * advantage**2)

    return jnp.mean(jnp.sum(jax.vmap(jax.vmap(of_step))(states, actions, returns, alive), axis=1))


optimizer = optax.adam(0.05)


def update(state, key):
    p, moments = state
    keys = lax.with_sharding_constraint(random.split(key, environments), P("dp"))
    states, actions, rewards, alive = jax.vmap(episode, in_axes=(None, 0))(p, keys)
    returns = jax.vmap(returns_of)(rewards)
    gradient = jax.grad(loss)(p, states, actions, returns, alive)
    updates, moments = optimizer.update(gradient, moments)
    reached = jnp.mean(jnp.sum(rewards == 1, axis=1))
    return (optax.apply_updates(p, updates), moments), (jnp.mean(returns[:, 0]), reached)


@jax.jit
def train(key):
    p = {"policy": jnp.zeros((side * side, 4)), "value": jnp.zeros(side * side)}
    return lax.scan(update, (p, optimizer.init(p)), random.split(key, updates))


jax.set_mesh(jax.make_mesh((8,), ("dp",), axis_types=(AxisType.Auto,)))
(p, _), (returns, reached) = train(random.key(0))
for i in range(0, updates, 20):
    print(f"update {i:3d}  mean return {returns[i]:6.3f}  goal reached {reached[i]:.3f}")
print(f"value of the start {p['value'][0]:.3f}")
arrows = jnp.argmax(p["policy"], axis=1).reshape(side, side)
for row in arrows[:2]:
    print("".join("^v<>"[action] for action in row))
