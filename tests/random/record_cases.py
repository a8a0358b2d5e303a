# SPDX-License-Identifier: Apache-2.0
"""Writes cases.txt: what jax.random gives, for recorded_test.cpp. Run with a Python that has jax 0.10.2, on a CPU:
    python3 tests/random/record_cases.py > tests/random/cases.txt
A line is a case: its operation, element type, shape, the two words of its key, its parameters, then the result: how many
elements, the FNV-1a hash of their bytes, and the bits of at most 24 of them, evenly taken from the first on."""

import math
import random

import jax
import jax.numpy as jnp
import numpy as np

SHAPES = [(), (1,), (7,), (5, 3), (1, 4, 1), (3, 1, 5), (2, 3, 4, 5), (97,), (1031,), (64, 33)]
FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
chosen = random.Random(19)
lines = []


def a_key():
    """Of a seed, and of some of its descendants."""
    key = jax.random.key(chosen.randrange(2**31))
    for _ in range(chosen.randrange(5)):
        if chosen.random() < 0.5:
            key = jax.random.fold_in(key, chosen.randrange(2**32))
        else:
            count = chosen.randrange(1, 9)
            key = jax.random.split(key, count)[chosen.randrange(count)]
    return key


def words(key):
    return np.asarray(jax.random.key_data(key))


def fnv(raw):
    value = 0xCBF29CE484222325
    for byte in raw:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def case(op, element, key, parameters, result):
    result = np.asarray(result)
    flat = np.ascontiguousarray(result.reshape(-1)).view({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[result.dtype.itemsize])
    step = max(1, math.ceil(flat.size / 24))
    shape = "x".join(map(str, result.shape)) or "-"
    given = " ".join(f"{k}={v}" for k, v in parameters.items()) or "-"
    first = ",".join(f"{int(v):x}" for v in flat[::step])
    k = words(key) if key is not None else (0, 0)
    lines.append(f"{op} {element} {shape} {int(k[0]):x} {int(k[1]):x} {given} | {flat.size} {fnv(flat.tobytes()):x} {first}")


def keys_and_blocks():
    for seed in [0, 1, 42, -1, -7, 2**31 - 1, -(2**31)] + [chosen.randrange(2**31) for _ in range(8)]:
        case("seed", "uint32", None, {"seed": seed}, words(jax.random.key(seed)))
    for n in [1, 2, 3, 7, 16, 33]:
        for _ in range(3):
            key = a_key()
            case("split", "uint32", key, {}, jax.random.key_data(jax.random.split(key, n)))
    for _ in range(3):
        key = a_key()
        case("split", "uint32", key, {}, jax.random.key_data(jax.random.split(key, (2, 3))))
    for _ in range(12):
        key = a_key()
        folds = [chosen.randrange(2**32) for _ in range(chosen.randrange(1, 6))]
        folded = key
        for data in folds:
            folded = jax.random.fold_in(folded, data)
        case("fold_in", "uint32", key, {"data": ",".join(map(str, folds))}, words(folded))


def in_32_bits():
    for n in [1, 2, 5, 16, 100, 1625, 1626, 3000]:
        key = a_key()
        case("permutation", "int32", key, {}, jax.random.permutation(key, n))
    for shape, n in [((3,), 7), ((4, 5), 100), ((), 3), ((9,), 1), ((50,), 1 << 20)]:
        key = a_key()
        case("choice", "int32", key, {"n": n}, jax.random.choice(key, n, shape))
        if math.prod(shape) <= n < 10000:
            key = a_key()
            case("choice_once", "int32", key, {"n": n}, jax.random.choice(key, n, shape, replace=False))
    for n, shape in [(4, (33,)), (10, (5, 7)), (3, ())]:
        key = a_key()
        p = np.arange(1, n + 1, dtype=np.float32) / np.float32(2 ** math.ceil(math.log2(n * (n + 1) / 2)))
        case("choice_weighted", "int32", key, {"n": n, "scale": float(p[0])}, jax.random.choice(key, n, shape, p=jnp.asarray(p)))
    for shape in [(4,), (8, 5), (3, 4, 6), (1031, 7)]:
        for scale in [0.0, 0.25]:
            key = a_key()
            logits = (np.arange(math.prod(shape)) % 5 * scale).astype(np.float32).reshape(shape)
            case("categorical", "int32", key, {"logits": "x".join(map(str, shape)), "scale": scale}, jax.random.categorical(key, logits))


def with_64_bits():
    for element in UNSIGNED:
        for shape in SHAPES:
            key = a_key()
            case("bits", element, key, {}, jax.random.bits(key, shape, element))
    for seed in [2**32, 2**40 + 3, -(2**40), 2**63 - 1]:
        case("seed", "uint32", None, {"seed": seed}, words(jax.random.key(seed)))
    for element in FLOATS:
        for shape in SHAPES:
            key = a_key()
            case("uniform", element, key, {}, jax.random.uniform(key, shape, element))
        for low, high in [(-1, 1), (0, 10), (-0.5, 3.5), (2, 2), (-7, -4), (-1.3, 2.9)]:
            key = a_key()
            case("uniform_in", element, key, {"low": low, "high": high}, jax.random.uniform(key, (65,), element, low, high))
        for name in ["normal", "exponential", "gumbel", "laplace"]:
            for shape in SHAPES if name == "normal" else [(), (7,), (5, 3), (1031,)]:
                key = a_key()
                case(name, element, key, {}, getattr(jax.random, name)(key, shape, element))
        for low, high in [(-2, 2), (0, 1), (1.5, 4), (-0.25, 0.125)]:
            key = a_key()
            case("truncated_normal", element, key, {"low": low, "high": high}, jax.random.truncated_normal(key, low, high, (129,), element))
    for element in INTEGERS:
        info = np.iinfo(element)
        wide = element in ("int64", "uint64")
        ends = [(0, 10), (3, 4), (5, 5), (7, 2), (0, 64)] + [(-5, 100)] * (info.min < 0)
        ends += [] if wide else [(int(info.min), int(info.max)), (int(info.min), int(info.max) + 1)]
        for low, high in ends + ends:
            key = a_key()
            shape = chosen.choice(SHAPES[:8])
            case("randint", element, key, {"low": low, "high": high}, jax.random.randint(key, shape, low, high, element))
    for element in ["float32", "float64"]:
        for p in [0.0, 0.25, 0.7, 1.0]:
            key = a_key()
            case("bernoulli", "bool", key, {"p": p, "of": element}, jax.random.bernoulli(key, jnp.asarray(p, element), (5, 41)))
        for a in [0.1, 0.9, 1.0, 3.5, 40.0]:
            key = a_key()
            case("gamma", element, key, {"a": a}, jax.random.gamma(key, a, (37,), element))
        for a, b in [(0.5, 0.5), (2, 5), (30, 1)]:
            key = a_key()
            case("beta", element, key, {"a": a, "b": b}, jax.random.beta(key, a, b, (21,), element))


def blocks():
    """The function itself, of counters of 64 bits."""
    from jax.extend.random import threefry2x32_p

    for _ in range(16):
        k0, k1, high, low = (np.uint32(chosen.randrange(2**32)) for _ in range(4))
        out = threefry2x32_p.bind(*(jnp.asarray([v]) for v in (k0, k1, high, low)))
        case("block", "uint32", None, {"k0": int(k0), "k1": int(k1), "high": int(high), "low": int(low)}, np.asarray(out).reshape(2))


def ramp(element, count):
    """A quarter, two quarters, ...: parameters of each element's own."""
    return jnp.asarray((np.arange(count) + 1) / 4, element)


def signs_and_turns():
    """What JAX draws in 32 bits: in 64 where 64-bit types are enabled."""
    for element in ["int32", "float32"]:
        key = a_key()
        case("rademacher", element, key, {}, jax.random.rademacher(key, (5, 13), element))
    for p in [0.01, 0.5, 0.9]:
        key = a_key()
        case("geometric", "int32", key, {"p": p}, jax.random.geometric(key, p, (65,), "int32"))
    for middle, scale in [(0, 1), (1.5, 0.25)]:
        key = a_key()
        draws = jax.random.double_sided_maxwell(key, middle, scale, (33,), "float32")
        case("double_sided_maxwell", "float32", key, {"middle": middle, "scale": scale}, draws)
    for p in [1.0, 2.0, 0.5]:
        key = a_key()
        case("generalized_normal", "float32", key, {"p": p}, jax.random.generalized_normal(key, p, (33,), "float32"))


def with_parameters():
    for element in ["float32", "float64"]:
        for name in ["cauchy", "logistic", "maxwell"]:
            for shape in [(), (7,), (5, 13)]:
                key = a_key()
                case(name, element, key, {}, getattr(jax.random, name)(key, shape, element))
        numbers = {
            "loggamma": [{"a": 0.01}, {"a": 0.7}, {"a": 12}],
            "chisquare": [{"degrees": 1}, {"degrees": 7.5}],
            "t": [{"degrees": 1}, {"degrees": 30}],
            "f": [{"above": 3, "below": 8}, {"above": 0.5, "below": 20}],
            "rayleigh": [{"scale": 0.3}, {"scale": 4}],
            "weibull_min": [{"scale": 2, "concentration": 0.7}, {"scale": 0.5, "concentration": 3}],
            "pareto": [{"b": 0.8}, {"b": 5}],
            "triangular": [{"left": -1, "mode": 0.25, "right": 3}, {"left": 0, "mode": 1, "right": 1}],
            "lognormal": [{"deviation": 1}, {"deviation": 0.25}],
            "wald": [{"mean": 0.5}, {"mean": 3}],
        }
        for name, several in numbers.items():
            for given in several:
                key = a_key()
                arguments = [jnp.asarray(v, element) for v in given.values()]
                case(name, element, key, given, getattr(jax.random, name)(key, *arguments, shape=(33,), dtype=element))
        for shape in [(5,), (6, 4)]:
            key = a_key()
            case("dirichlet", element, key, {}, jax.random.dirichlet(key, ramp(element, math.prod(shape)).reshape(shape), dtype=element))


def slopes():
    """How each draw changes with its own parameter."""
    for element in ["float32", "float64"]:
        for name in ["gamma", "loggamma"]:
            # Where a draw's exponential is 0, JAX has the slope of the least number instead.
            for step in [1 / 64 if name == "gamma" else 1 / 4, 1, 32]:
                key = a_key()
                a = ramp(element, 37) * step
                slope = jax.grad(lambda a: getattr(jax.random, name)(key, a, dtype=element).sum())(a)
                case(name + "_slope", element, key, {"step": step}, slope)
        for which, steps in [(0, (1, 1)), (1, (1, 1)), (0, (0.125, 4)), (1, (0.125, 4))]:
            key = a_key()
            a, b = (ramp(element, 37) * step for step in steps)
            slope = jax.grad(lambda a, b: jax.random.beta(key, a, b, dtype=element).sum(), which)(a, b)
            case("beta_slope", element, key, {"which": which, "a": steps[0], "b": steps[1]}, slope)
        key = a_key()
        a = ramp(element, 24).reshape(6, 4)
        slope = jax.grad(lambda a: (jax.random.dirichlet(key, a, dtype=element) * jnp.arange(4)).sum())(a)
        case("dirichlet_slope", element, key, {}, slope)


def many_of_each():
    """Draws of a shape asked for, of logits whose own is part of it, or 1."""
    for shape, logits_shape in [((6,), (4,)), ((7, 3), (3, 5)), ((3,), (3, 5)), ((2, 5, 3), (3, 4)), ((4, 3), (1, 6)), ((2, 4, 3), (4, 1, 6)), ((1031, 2), (9,))]:
        key = a_key()
        logits = (np.arange(math.prod(logits_shape)) % 5 * 0.25).astype(np.float32).reshape(logits_shape)
        case("categorical_of_shape", "int32", key, {"logits": "x".join(map(str, logits_shape)), "scale": 0.25}, jax.random.categorical(key, logits, shape=shape))


assert jax.config.jax_threefry_partitionable
keys_and_blocks()
in_32_bits()
blocks()
jax.config.update("jax_enable_x64", True)
with_64_bits()
with_parameters()
slopes()
jax.config.update("jax_enable_x64", False)
signs_and_turns()
many_of_each()
print(f"# {len(lines)} cases of jax {jax.__version__}; record_cases.py says what is in a line")
print("\n".join(lines))
