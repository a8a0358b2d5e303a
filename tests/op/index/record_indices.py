# SPDX-License-Identifier: Apache-2.0
"""Writes indices.txt: what JAX reads and writes at an index, in every mode, for indices_test.cpp. Run with a Python that
has jax 0.10.2, on a CPU:
    python3 tests/op/index/record_indices.py > tests/op/index/indices.txt
A line: how the index is given, what is done, the mode, the element type, the index, and after the colon the answer,
row-major. What answers alike shares a line. Takes minutes."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

MODES = ["default", "clip", "fill", "drop", "promise_in_bounds"]
UPDATES = ["set", "add", "multiply", "min", "max"]
ALL_TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] + [
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
FEW_TYPES = ["int8", "uint32", "bfloat16", "float32"]
INDICES = [1, 2, 3, 100, 2147483647, -1, -3, -4, -100, -2147483648]


def mode(name):
    return {} if name == "default" else {"mode": name}


def row(element):
    return rows(element)[0]


def rows(element):
    return jnp.asarray([[1, 0, 0], [0, 1, 0]] if element == "bool" else [[3, 5, 7], [2, 6, 9]]).astype(element)


def numbers(answer):
    """Real parts: what is filled in has no other."""
    flat = np.asarray(answer).reshape(-1)
    if np.iscomplexobj(flat):
        assert not flat.imag.any()
        flat = flat.real
    return " ".join(str(int(v)) if flat.dtype.kind in "biu" else f"{float(v):.9g}" for v in flat)


def doors(act, element, i):
    """How an index is given -> the answer of act(x, index...)."""
    x, both = row(element), rows(element)
    late = jnp.asarray(i, jnp.int32)
    pair = jnp.asarray([i, 1], jnp.int32)
    yield "number", lambda: act(x, i)
    yield "scalar", lambda: act(x, late)
    yield "constant", lambda: jax.jit(lambda x: act(x, i))(x)
    yield "late", lambda: jax.jit(lambda x, i: act(x, i))(x, late)
    yield "array", lambda: act(x, pair)
    yield "late_array", lambda: jax.jit(lambda x, i: act(x, i))(x, pair)
    yield "column", lambda: act(both, (slice(None), i))
    yield "columns", lambda: act(both, (slice(None), pair))
    yield "point", lambda: act(both, (1, i))
    yield "points", lambda: act(both, (late, pair))
    yield "batch", lambda: jax.vmap(act)(both, pair)


def slopes(act, i):
    """The same of gradients of sum(y (1, 2, ...)), with respect to x and, of a write, to what is written."""
    late = jnp.asarray(i, jnp.int32)
    pair = jnp.asarray([i, 1], jnp.int32)

    def loss(index):
        def f(x, v):
            y = act(x, index, v)
            return jnp.sum(y * jnp.arange(1, y.size + 1).reshape(y.shape))
        return f

    x, v = row("float32"), jnp.float32(4)
    for door, index in (("number", i), ("late", late), ("array", pair)):
        yield door + "_slope", lambda index=index: jax.grad(loss(index))(x, v)
        yield door + "_slope_of_update", lambda index=index: jax.grad(loss(index), 1)(x, v)


def answers():
    """(how the index is given, what is done, mode, element type, index, answer) of all cases."""

    def each(ways, what, name, element, i):
        for door, answer in ways:
            try:
                yield door, what, name, element, str(i), numbers(answer())
            except NotImplementedError:  # gradients of products of several updates
                pass

    for name in MODES:
        for i in INDICES:
            read = lambda x, i: x.at[i].get(**mode(name))
            for element in ALL_TYPES:
                yield from each(doors(read, element, i), "get", name, element, i)
            of_read = ((d, f) for d, f in slopes(lambda x, i, v: read(x, i), i) if "update" not in d)
            yield from each(of_read, "get", name, "float32", i)
            for what in UPDATES:
                write = lambda x, i, v=4: getattr(x.at[i], what)(jnp.asarray(v, x.dtype), **mode(name))
                for element in FEW_TYPES:
                    yield from each(doors(write, element, i), what, name, element, i)
                yield from each(slopes(write, i), what, name, "float32", i)
    for name in ("default", "fill", "clip"):
        for i in INDICES:
            given = jnp.asarray([i, 1], jnp.int32)
            for element in ("int32", "float32"):
                x = row(element)
                along = lambda: jnp.take_along_axis(x, given, axis=0, **mode(name))
                yield from each([("array", lambda: jnp.take(x, given, **mode(name)))], "take", name, element, i)
                yield from each([("array", along)], "take_along_axis", name, element, i)


def merged(cases, field):
    """Cases that differ in this field alone as one."""
    alike = {}
    for case in cases:
        alike.setdefault(case[:field] + case[field + 1:], []).append(case[field])
    return [key[:field] + (",".join(values),) + key[field:] for key, values in alike.items()]


def main():
    cases = list(answers())
    for field in (0, 3, 4, 2):
        cases = merged(cases, field)
    print(f"# jax {jax.__version__}")
    for *case, answer in cases:
        print(*case, ":", answer)


main()
