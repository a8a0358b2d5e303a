# SPDX-License-Identifier: Apache-2.0
# Newton's method for multinomial logistic regression: Hessian-vector products are jvp over grad, steps are found by
# conjugate gradients and shortened by a line search. Data is split over 8 devices; sums over it go over the mesh.
import jax
import jax.numpy as jnp
from jax import lax, random
from jax.sharding import PartitionSpec as P

rows, features, classes, steps = 1024, 12, 5, 7


def loss(w, x, y):
    log_p = jax.nn.log_softmax(x @ w)
    return -jnp.mean(jnp.sum(jax.nn.one_hot(y, classes) * log_p, axis=1)) + 1e-3 * jnp.sum(w**2)


def conjugate_gradients(a, b):  # the d with a(d) = b
    def far(state):
        _, r, _, turns = state
        return (jnp.vdot(r, r) > 1e-4 * jnp.vdot(b, b)) & (turns < 50)

    def turn(state):
        d, r, p, turns = state
        ap = a(p)
        alpha = jnp.vdot(r, r) / jnp.vdot(p, ap)
        next_r = r - alpha * ap
        beta = jnp.vdot(next_r, next_r) / jnp.vdot(r, r)
        return d + alpha * p, next_r, next_r + beta * p, turns + 1

    d, _, _, turns = lax.while_loop(far, turn, (jnp.zeros_like(b), b, b, 0))
    return d, turns


def line_search(f, w, d, slope):  # halves a step until the loss falls enough
    def too_long(t):
        return f(w + t * d) > f(w) + 1e-4 * t * slope

    return lax.while_loop(too_long, lambda t: t / 2, 1.0)


def newton(w, x, y):
    f = lambda w: loss(w, x, y)

    def step(w, _):
        value, g = jax.value_and_grad(f)(w)
        d, turns = conjugate_gradients(lambda v: jax.jvp(jax.grad(f), (w,), (v,))[1], -g)
        slope = jnp.vdot(d, g)
        d, slope = lax.cond(slope < 0, lambda: (d, slope), lambda: (-g, -jnp.vdot(g, g)))
        t = line_search(f, w, d, slope)
        return w + t * d, {"loss": value, "gradient": jnp.linalg.norm(g), "turns": turns, "t": t}

    return lax.scan(step, w, length=steps)


@jax.jit
def solve(key):
    a, b, c, d = random.split(key, 4)
    x = random.normal(a, (rows, features), out_sharding=P("dp"))
    truth = 2 * random.normal(b, (features, classes))
    y = random.categorical(c, x @ truth)
    w, history = newton(3 * random.normal(d, truth.shape), x, y)
    return w, history, jnp.mean(jnp.argmax(x @ w, axis=1) == y)


@jax.jit
def small(key):
    a, b, c, d, e = random.split(key, 5)
    x, w = random.normal(a, (64, 3), out_sharding=P("dp")), random.normal(b, (3, classes))
    y = random.randint(c, (64,), 0, classes, out_sharding=P("dp"))
    hessian = jax.hessian(loss)(w, x, y).reshape(w.size, w.size)
    logits = lambda w: jax.nn.log_softmax(x @ w)
    v, u = random.normal(d, w.shape), random.normal(e, (64, classes), out_sharding=P("dp"))
    _, along = jax.linearize(logits, w)
    _, back = jax.vjp(logits, w)
    return jnp.linalg.eigvalsh(hessian)[-1], jnp.sum(along(v) * u), jnp.vdot(v, back(u)[0])


jax.set_mesh(jax.make_mesh((8,), ("dp",)))
w, history, accuracy = solve(random.key(0))
for i in range(steps):
    line = {name: values[i] for name, values in history.items()}
    print("loss {loss:.4f}  gradient {gradient:.1e}  {turns:2d} turns  step {t:.3f}".format(**line))
largest, forward, backward = small(random.key(1))
print(f"accuracy {accuracy:.3f}  norm {jnp.linalg.norm(w):.3f}  largest eigenvalue {largest:.4f}")
print(f"<Jv, u> {forward:.3f}  <v, J'u> {backward:.3f}")
