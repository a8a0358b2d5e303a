# SPDX-License-Identifier: Apache-2.0
"""Writes special_values.txt: what JAX makes of NaN, infinities, zeros of both signs, ties and ends of ranges, and the gradients
there, for the special_*_test.cpp beside it. Run with a Python that has jax 0.10.2, on a CPU:
    python3 tests/op/special/record_special_values.py > tests/op/special/special_values.txt
A line is a table, a name, what is recorded, and its numbers: `x`, `y`, `z` are what goes in, `value` what comes out, `by0`,
`by1`, `by2` the gradients of sum(w value) by the arguments, where w is `w` if it has the value's shape, else 1; of complex
values of their real part. `bend0`, `bend1` are the gradients of the sum of all these. A table is of float32, or says its
dtype behind a dot. Complex numbers are two each."""

import sys

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import numpy as np
from jax import lax
from jax.scipy import special

jax.config.update("jax_enable_x64", True)
nan, inf, most = np.nan, np.inf, float(np.finfo(np.float32).max)


def text(v):
    v = np.asarray(v)
    if np.iscomplexobj(v):
        v = np.stack([v.real, v.imag], -1)
    out = []
    for e in v.reshape(-1):
        if v.dtype == bool or np.issubdtype(v.dtype, np.integer):
            out.append(str(int(e)))
        else:
            short = v.dtype.itemsize == 2
            e = np.float32(e) if v.dtype != np.float64 else e
            out.append("-0" if e == 0 and np.signbit(e) else "nan" if e != e else f"{float(e):.{5 if short else 9}g}" if v.dtype != np.float64 else f"{e:.17g}")
    return " ".join(out)


def say(table, name, part, values):
    print(table, name, part, text(values))


def record(table, name, f, *x, w=None, by=None):
    """f's value and its gradients by the arguments `by`: all that are floating, where the value is."""
    value = f(*x)
    say(table, name, "value", value)
    value = value[0] if isinstance(value, tuple) else value
    if by == ():
        return
    by = range(len(x)) if by is None else by
    if jnp.issubdtype(value.dtype, jnp.floating):
        _, back = jax.vjp(f, *x)
        ct = w if w is not None and w.shape == value.shape else jnp.ones_like(value)
        for k, g in enumerate(back(ct)):
            if k in by:
                say(table, name, f"by{k}", g)


def record_bends(table, name, f, *x, w=None):
    value = jax.eval_shape(f, *x)
    if isinstance(value, tuple) or not jnp.issubdtype(value.dtype, jnp.floating):
        return

    def slopes(*x):
        ct = w if w is not None and w.shape == value.shape else jnp.ones(value.shape, value.dtype)
        return sum(jnp.sum(g if w is None else w * g) for g in jax.vjp(f, *x)[1](ct))

    for k, g in enumerate(jax.grad(slopes, tuple(range(len(x))))(*x)):
        say(table, name, f"bend{k}", g)


ONLY_FLOAT32 = {"one_hot", "searchsorted", "interp", "segment_sum", "segment_max", "segment_min"}


def ends_of(dtype):
    kind = jnp.finfo(dtype)
    ends = [nan, inf, 0.0, 1.0, 0.5, 2.5, 20.0, 104.0, float(kind.max), float(kind.tiny), float(kind.tiny) / 4]
    return jnp.asarray(np.asarray([s * e for e in ends for s in (1, -1)]), dtype)


def unary(table="unary", x=None):
    if x is None:
        ends = [nan, inf, 0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 20.0, 89.0, 104.0, 1e10, most, 1e-30, float(np.finfo(np.float32).tiny)]
        x = jnp.asarray([s * e for e in ends for s in (1, -1)], jnp.float32)
    say(table, "in", "x", x)
    rows = {
        "abs": jnp.abs,
        "negative": jnp.negative,
        "sign": jnp.sign,
        "square": jnp.square,
        "reciprocal": jnp.reciprocal,
        "sqrt": jnp.sqrt,
        "rsqrt": lax.rsqrt,
        "cbrt": jnp.cbrt,
        "exp": jnp.exp,
        "exp2": jnp.exp2,
        "expm1": jnp.expm1,
        "log": jnp.log,
        "log2": jnp.log2,
        "log10": jnp.log10,
        "log1p": jnp.log1p,
        "tanh": jnp.tanh,
        "logistic": lax.logistic,
        "sigmoid": jax.nn.sigmoid,
        "erf": special.erf,
        "erfc": special.erfc,
        "erf_inv": lax.erf_inv,
        "sin": jnp.sin,
        "cos": jnp.cos,
        "tan": jnp.tan,
        "arcsin": jnp.arcsin,
        "arccos": jnp.arccos,
        "arctan": jnp.arctan,
        "sinh": jnp.sinh,
        "cosh": jnp.cosh,
        "arcsinh": jnp.arcsinh,
        "arccosh": jnp.arccosh,
        "arctanh": jnp.arctanh,
        "relu": jax.nn.relu,
        "gelu": jax.nn.gelu,
        "gelu_exact": lambda x: jax.nn.gelu(x, approximate=False),
        "silu": jax.nn.silu,
        "softplus": jax.nn.softplus,
        "floor": jnp.floor,
        "ceil": jnp.ceil,
        "trunc": jnp.trunc,
        "round": jnp.round,
        "rint": jnp.rint,
        "nan_to_num": jnp.nan_to_num,
        "reduce_precision": lambda x: lax.reduce_precision(x, 5, 10),
        "integer_pow_2": lambda x: lax.integer_pow(x, 2),
        "integer_pow_3": lambda x: lax.integer_pow(x, 3),
        "integer_pow_less_2": lambda x: lax.integer_pow(x, -2),
        "integer_pow_0": lambda x: lax.integer_pow(x, 0),
        "deg2rad": jnp.deg2rad,
        "rad2deg": jnp.rad2deg,
        "isnan": jnp.isnan,
        "isinf": jnp.isinf,
        "isfinite": jnp.isfinite,
        "signbit": jnp.signbit,
        "real": jnp.real,
        "imag": jnp.imag,
        "conj": jnp.conj,
        "angle": jnp.angle,
        "stop_gradient": lax.stop_gradient,
        "copy": jnp.copy,
        "power_2": lambda x: jnp.power(x, 2.0),
        "power_half": lambda x: jnp.power(x, 0.5),
        "power_0": lambda x: jnp.power(x, 0.0),
        "power_of_0": lambda x: jnp.power(0.0, x),
        "power_of_2": lambda x: jnp.power(2.0, x),
        "power_of_less_1": lambda x: jnp.power(-1.0, x),
        "times_itself": lambda x: x * x,
        "by_itself": lambda x: x / x,
        "guarded_sqrt": lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0),
        "guarded_log": lambda x: jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1.0)), 0.0),
        "guarded_quotient": lambda x: jnp.where(x == 0, 1.0, jnp.sin(x) / x),
        "norm_of_two": lambda x: jnp.hypot(x, x),
        "most_of_two": lambda x: jnp.maximum(x, x),
        "floor_divided": lambda x: jnp.floor_divide(x, 2.0),
        "remainder_by_2": lambda x: jnp.remainder(x, 2.0),
        "clipped": lambda x: jnp.clip(x, -1.0, 2.0),
        "clamped": lambda x: lax.clamp(x.dtype.type(-1), x, x.dtype.type(2)),
        "one_hot": lambda x: jax.nn.one_hot(x, 4),
        "searchsorted": lambda x: jnp.searchsorted(jnp.arange(5.0, dtype=jnp.float32) - 2, x),
        "interp": lambda x: jnp.interp(x, jnp.arange(3.0, dtype=jnp.float32) - 1, jnp.arange(3.0, dtype=jnp.float32) ** 2),
        "segment_sum": lambda x: jax.ops.segment_sum(x, jnp.arange(32) % 15, 16),
        "segment_max": lambda x: jax.ops.segment_max(x, jnp.arange(32) % 15, 16),
        "segment_min": lambda x: jax.ops.segment_min(x, jnp.arange(32) % 15, 16),
    }
    for name, f in rows.items():
        if table == "unary" or name not in ONLY_FLOAT32:
            (record_bends if table == "bends" else record)(table, name, f, x)


def binary(table="binary", ends=(nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 2.5, -0.5, most, 1e-30), dtype=jnp.float32):
    ends = jnp.asarray(np.asarray(ends), dtype)
    x, y = (v.reshape(-1) for v in jnp.meshgrid(ends, ends, indexing="ij"))
    say(table, "in", "x", x)
    say(table, "in", "y", y)
    rows = {
        "add": jnp.add,
        "subtract": jnp.subtract,
        "multiply": jnp.multiply,
        "divide": jnp.divide,
        "maximum": jnp.maximum,
        "minimum": jnp.minimum,
        "power": jnp.power,
        "fmod": jnp.fmod,
        "remainder": jnp.remainder,
        "floor_divide": jnp.floor_divide,
        "arctan2": jnp.arctan2,
        "hypot": jnp.hypot,
        "copysign": jnp.copysign,
        "logaddexp": jnp.logaddexp,
        "equal": jnp.equal,
        "not_equal": jnp.not_equal,
        "less": jnp.less,
        "less_equal": jnp.less_equal,
        "greater": jnp.greater,
        "greater_equal": jnp.greater_equal,
        "isclose": jnp.isclose,
        "allclose": jnp.allclose,
        "array_equal": jnp.array_equal,
        "where": lambda x, y: jnp.where(x > y, x, y),
        "guarded_divide": lambda x, y: jnp.where(y == 0, 0.0, x / y),
        "complex": lambda x, y: jnp.abs(lax.complex(x, y)),
        "complex_exp": lambda x, y: jnp.real(jnp.exp(lax.complex(x, y))),
        "complex_square": lambda x, y: jnp.imag(lax.complex(x, y) * lax.complex(x, y)),
    }
    for name, f in rows.items():
        if table.startswith("binary.") and dtype.itemsize == 2 and "complex" in name:
            continue
        (record_bends if table == "pair_bends" else record)(table, name, f, x, y)


def ternary():
    ends = jnp.asarray([nan, inf, -inf, 0.0, 1.0, 2.0], jnp.float32)
    x, y, z = (v.reshape(-1) for v in jnp.meshgrid(ends, ends, ends, indexing="ij"))
    for part, v in zip("xyz", (x, y, z)):
        say("ternary", "in", part, v)
    rows = {
        "clamp": lax.clamp,
        "clip": jnp.clip,
        "where": lambda x, y, z: jnp.where(x > 0, y, z),
        "select": lambda x, y, z: lax.select(x > 0, y, z),
        "select_n": lambda x, y, z: lax.select_n(x > 0, z, y),
        "product": lambda x, y, z: x * y + z,
    }
    for name, f in rows.items():
        record("ternary", name, f, x, y, z)


def rows(table="rows", dtype=jnp.float32):
    big, large, small = (most, 1e15, 1e-30) if dtype == jnp.float32 else (float(jnp.finfo(dtype).max), float(jnp.finfo(dtype).max) ** 0.4, float(jnp.finfo(dtype).tiny))
    x = np.asarray(
        [
            [1, 2, 3, 4],
            [2, 2, 1, 2],
            [0, 0, 0, 0],
            [0, -0.0, 0, -0.0],
            [-0.0, -0.0, -0.0, -0.0],
            [-inf, -inf, -inf, -inf],
            [inf, inf, inf, inf],
            [-inf, inf, 1, 2],
            [inf, 1, inf, 2],
            [-inf, -inf, 1, 1],
            [-inf, 3, 2, 1],
            [nan, 1, 2, 2],
            [1, nan, nan, 0],
            [nan, nan, nan, nan],
            [nan, inf, -inf, 0],
            [inf, nan, 1, inf],
            [0, 2, 3, 0],
            [0, 2, 3, 4],
            [0, 0, 3, 4],
            [large, large, large, 1],
            [big, big, 1, 2],
            [-big, -big, -1, -2],
            [1, 1, 1, 1],
            [small, small, small, -small],
            [-1, -1, 0, 0],
            [3, 1, 3, 1],
        ]
    )
    x = jnp.asarray(x[:22] if table == "row_bends" else x, dtype)
    w = jnp.broadcast_to(jnp.asarray([1.0, 2.0, 4.0, 8.0], dtype), x.shape)
    say(table, "in", "x", x)
    say(table, "in", "y", w)
    all_rows = {
        "sum": lambda x: jnp.sum(x, -1),
        "prod": lambda x: jnp.prod(x, -1),
        "max": lambda x: jnp.max(x, -1),
        "min": lambda x: jnp.min(x, -1),
        "mean": lambda x: jnp.mean(x, -1),
        "any": lambda x: jnp.any(x, -1),
        "all": lambda x: jnp.all(x, -1),
        "argmax": lambda x: jnp.argmax(x, -1),
        "argmin": lambda x: jnp.argmin(x, -1),
        "var": lambda x: jnp.var(x, -1),
        "var_of_3": lambda x: jnp.var(x, -1, ddof=1),
        "stddev": lambda x: jnp.std(x, -1),
        "ptp": lambda x: jnp.ptp(x, -1),
        "reduce_sum": lambda x: lax.reduce_sum(x, (1,)),
        "reduce_max": lambda x: lax.reduce_max(x, (1,)),
        "reduce_min": lambda x: lax.reduce_min(x, (1,)),
        "reduce_prod": lambda x: lax.reduce_prod(x, (1,)),
        "logsumexp": lambda x: jax.nn.logsumexp(x, -1),
        "softmax": lambda x: jax.nn.softmax(x, -1),
        "log_softmax": lambda x: jax.nn.log_softmax(x, -1),
        "layer_norm": lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + x.dtype.type(1e-5)),
        "rms_norm": lambda x: x * lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + x.dtype.type(1e-5)),
        "nansum": lambda x: jnp.nansum(x, -1),
        "nanprod": lambda x: jnp.nanprod(x, -1),
        "nanmax": lambda x: jnp.nanmax(x, -1),
        "nanmin": lambda x: jnp.nanmin(x, -1),
        "nanmean": lambda x: jnp.nanmean(x, -1),
        "count_nonzero": lambda x: jnp.count_nonzero(x, -1),
        "median": lambda x: jnp.median(x, -1),
        "quantile_0": lambda x: jnp.quantile(x, 0.0, -1),
        "quantile_quarter": lambda x: jnp.quantile(x, 0.25, -1),
        "quantile_third": lambda x: jnp.quantile(x, 1 / 3, -1),
        "quantile_1": lambda x: jnp.quantile(x, 1.0, -1),
        "average": lambda x: jnp.average(x, -1, jnp.abs(x) + 1),
        "cumsum": lambda x: lax.cumsum(x, 1),
        "cumprod": lambda x: lax.cumprod(x, 1),
        "cummax": lambda x: lax.cummax(x, 1),
        "cummin": lambda x: lax.cummin(x, 1),
        "cumlogsumexp": lambda x: lax.cumlogsumexp(x, 1),
        "cumsum_reverse": lambda x: lax.cumsum(x, 1, reverse=True),
        "cumprod_reverse": lambda x: lax.cumprod(x, 1, reverse=True),
        "cummax_reverse": lambda x: lax.cummax(x, 1, reverse=True),
        "cummin_reverse": lambda x: lax.cummin(x, 1, reverse=True),
        "cumlogsumexp_reverse": lambda x: lax.cumlogsumexp(x, 1, reverse=True),
        "sort": lambda x: jnp.sort(x, -1),
        "sort_descending": lambda x: jnp.sort(x, -1, descending=True),
        "argsort": lambda x: jnp.argsort(x, -1),
        "argsort_descending": lambda x: jnp.argsort(x, -1, descending=True),
        "diff": lambda x: jnp.diff(x, axis=-1),
        "matmul": lambda x: jnp.matmul(x, x.T),
        "vecdot": lambda x: jnp.vecdot(x, x),
        "reduce_window_max": lambda x: lax.reduce_window(x, -inf, lax.max, (1, 2), (1, 1), "VALID"),
        "reduce_window_min": lambda x: lax.reduce_window(x, inf, lax.min, (1, 2), (1, 1), "VALID"),
        "reduce_window_sum": lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2), (1, 1), "VALID"),
    }
    for name, f in all_rows.items():
        (record_bends if table == "row_bends" else record)(table, name, f, x, w=w)
    if table != "row_bends":
        values, places = lax.top_k(x, 3)
        say(table, "top_k", "value", values)
        say(table, "top_k_places", "value", places)


def matrices(table="matrices", dtype=jnp.float32):
    x = jnp.asarray(
        [
            [[2, 1, 0], [1, 3, 1], [0, 1, 4]],
            [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
            [[1, 2, 3], [2, 4, 6], [1, 0, 1]],
            [[1, 2, 0], [2, 1, 0], [0, 0, 1]],
            [[nan, 1, 0], [1, 2, 0], [0, 0, 1]],
            [[inf, 0, 0], [0, 1, 0], [0, 0, 1]],
            [[2, 0, 0], [0, 2, 0], [0, 0, 0]],
            [[-1, 0, 0], [0, -1, 0], [0, 0, -1]],
            [[1e20, 0, 0], [0, 1e20, 0], [0, 0, 1e20]],
        ],
        dtype,
    )
    say(table, "in", "x", x)
    one = jnp.ones((3, 2), dtype)
    rows = {
        "det": jnp.linalg.det,
        "slogdet": lambda x: jnp.linalg.slogdet(x)[1],
        "sign_of_det": lambda x: jnp.linalg.slogdet(x)[0],
        "inv": jnp.linalg.inv,
        "solve": lambda x: jnp.linalg.solve(x, one),
        "cholesky": jnp.linalg.cholesky,
        "eigenvalues": lambda x: jnp.linalg.eigh(x)[0],
        "triangular_solve": lambda x: lax.linalg.triangular_solve(x, one, left_side=True, lower=True),
        "trace": jnp.trace,
        "norm": jnp.linalg.norm,
        "matrix_power": lambda x: jnp.linalg.matrix_power(x, 3),
        "cov": jnp.cov,
        "matmul": lambda x: x @ x,
        "tril": jnp.tril,
        "triu": jnp.triu,
        "qr_r": lambda x: jnp.abs(jnp.linalg.qr(x)[1]),
        "lu": lambda x: lax.linalg.lu(x)[0],
    }
    for name, f in rows.items():
        values, slopes = [], []
        for one_x in x:
            value, back = jax.vjp(f, one_x)
            values.append(value)
            slopes.append(back(jnp.ones_like(value))[0])
        say(table, name, "value", jnp.stack(values))
        say(table, name, "by0", jnp.stack(slopes))


def singular(table="singular", dtype=jnp.float32):
    """Matrices of finite numbers: with NaN or infinity, JAX's svd does not return."""
    x = jnp.asarray(
        [
            [[2, 1, 0], [1, 3, 1], [0, 1, 4]],
            [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
            [[1, 2, 3], [2, 4, 6], [1, 0, 1]],
            [[2, 0, 0], [0, 2, 0], [0, 0, 0]],
            [[1e15, 0, 0], [0, 1e15, 0], [0, 0, 1e15]],
        ],
        dtype,
    )
    say(table, "in", "x", x)
    one = jnp.ones((3, 2), dtype)
    # Of values only: vectors of equal singular values are any. Those near 0 are what rounding leaves, so 1 is added.
    flat = {
        "svd": lambda x: (lambda u, s, vt: u * s @ vt)(*jnp.linalg.svd(x)),
        "svdvals": lambda x: 1 + jnp.linalg.svdvals(x),
        "lstsq": lambda x: jnp.linalg.lstsq(x, one)[0],
        "lstsq_rank": lambda x: jnp.linalg.lstsq(x, one)[2],
        "matrix_rank": jnp.linalg.matrix_rank,
        "condition_number": lambda x: 1 + 1 / jnp.linalg.cond(x),
        "condition_number_minus_two": lambda x: 1 + jnp.linalg.cond(x, -2),
        "matrix_norm_nuc": lambda x: jnp.linalg.matrix_norm(x, ord="nuc"),
    }
    for name, f in flat.items():
        say(table, name, "value", jnp.stack([f(one_x) for one_x in x]))
    for name, f in {"pinv": jnp.linalg.pinv, "matrix_norm_one": lambda x: jnp.linalg.matrix_norm(x, ord=1)}.items():
        value, back = jax.vjp(lambda x: jnp.stack([f(one_x) for one_x in x]), x)
        say(table, name, "value", value)
        say(table, name, "by0", back(jnp.ones_like(value))[0])


def odd_rows():
    """Rows with a middle."""
    x = jnp.asarray(
        [[-inf, -inf, -inf], [inf, inf, inf], [-inf, 1, inf], [-inf, -inf, 1], [1, inf, inf], [nan, 1, 2], [inf, nan, 2], [3, 1, 2], [2, 2, 2]], jnp.float32
    )
    say("odd_rows", "in", "x", x)
    record("odd_rows", "median", lambda x: jnp.median(x, -1), x)


TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]


def casts():
    wide = [nan, inf, 0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 127.0, 127.5, 128.0, 255.5, 256.0, 300.0, 32767.5, 32768.0, 65504.0, 65519.0, 65520.0, 65535.5, 65536.0,
            16777217.0, 2147483520.0, 2147483647.0, 2147483648.0, 3e9, 4294967040.0, 4294967295.0, 4294967296.0, 9.2233715e18, 9223372036854774784.0,
            9223372036854775807.0, 1.8446742974197924e19, 18446744073709549568.0, 1.8446744073709552e19, 1e20, most, 1e300, 1e-30, 2.0**-24, 2.0**-25, 1.0 + 2.0**-8 + 2.0**-30,
            1.0 + 2.0**-11 + 2.0**-40]
    for source in TYPES:
        kind = jnp.dtype(source)
        if source == "bool":
            x = np.asarray([False, True])
        elif jnp.issubdtype(kind, jnp.integer):
            i = jnp.iinfo(kind)
            some = {i.min, i.min + 1, -1, 0, 1, 2, 127, 128, 255, 256, 32767, 32768, 65504, 65519, 65520, 65535, 65536, 2**24 + 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32,
                    -(2**31) - 1, 2**53 + 1, 2**24 + 2**16 + 1, 2**33 + 2**25 + 1, 2**40 + 2**28 + 1, i.max - 1, i.max}
            x = np.asarray(sorted(v for v in some if i.min <= v <= i.max), kind)
        elif jnp.issubdtype(kind, jnp.floating):
            x = np.asarray([s * v for v in wide for s in (1, -1)]).astype(kind)
        else:
            v = np.asarray([s * v for v in wide for s in (1, -1)])
            x = (np.where(np.arange(v.size) % 3, v, 0) + 1j * 0).astype(kind)
            x.imag = np.where(np.arange(v.size) % 3, 0.5, v)
        x = jnp.asarray(x)
        say("casts", f"{source}", "x", np.asarray(x, np.float64) if jnp.issubdtype(kind, jnp.floating) else x)
        for to in TYPES:
            with np.errstate(all="ignore"):
                y = x.astype(to)
            say("casts", f"{source}_{to}", "value", np.asarray(y, np.float64) if jnp.issubdtype(y.dtype, jnp.floating) else y)


def larger_matrices():
    """Determinants of singular matrices of more rows than JAX has polynomials for."""
    x = jnp.asarray(
        [
            [[2, 1, 0, 3], [1, 3, 1, 1], [0, 1, 4, 2], [1, 1, 1, 1]],
            [[1, 2, 3, 4], [2, 4, 6, 8], [1, 0, 1, 0], [3, 1, 1, 2]],
            [[1, 2, 3, 4], [2, 4, 6, 8], [1, 2, 3, 4], [3, 1, 1, 2]],
            [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]],
            [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
            [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]],
        ],
        jnp.float32,
    )
    say("larger_matrices", "in", "x", x)
    record("larger_matrices", "det", jnp.linalg.det, x)


def of_dtypes():
    for name in ("float64", "float16", "bfloat16"):
        dtype = jnp.dtype(name)
        kind = jnp.finfo(dtype)
        unary(f"unary.{name}", ends_of(dtype))
        binary(f"binary.{name}", (nan, inf, -inf, 0.0, -0.0, 1.0, -2.5, float(kind.max), float(kind.tiny) / 4), dtype)
        rows(f"rows.{name}", dtype)
    matrices("matrices.float64", jnp.float64)
    singular("singular.float64", jnp.float64)


def subnormals():
    tiny = float(np.finfo(np.float32).tiny)
    unary("subnormal.float32", jnp.asarray([tiny / 2, -tiny / 2, tiny / 2**20, -tiny / 2**20], jnp.float32))


def bends():
    """Second derivatives at kinks, ties, zeros and infinities."""
    unary("bends", jnp.asarray([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0], jnp.float32))
    binary("pair_bends", (0.0, -0.0, 1.0, -1.0, 2.5, inf), jnp.dtype("float32"))
    rows("row_bends")


def complexes():
    for name in ("complex64", "complex128"):
        part = jnp.float32 if name == "complex64" else jnp.float64
        ends = jnp.asarray([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, float(jnp.finfo(part).max) / 4], part)
        re, im = (v.reshape(-1) for v in jnp.meshgrid(ends, ends, indexing="ij"))
        z = lax.complex(re, im)
        say(f"complex.{name}", "in", "x", z)
        rows = {
            "abs": jnp.abs,
            "angle": jnp.angle,
            "real": jnp.real,
            "imag": jnp.imag,
            "conj": jnp.conj,
            "negative": jnp.negative,
            "exp": jnp.exp,
            "square": jnp.square,
            "reciprocal": jnp.reciprocal,
            "times_itself": lambda x: x * x,
            "by_itself": lambda x: x / x,
            "times_real": lambda x: 2.0 * x,
        }
        for key, f in rows.items():
            value = f(z)
            say(f"complex.{name}", key, "value", value)
            _, back = jax.vjp(lambda x: jnp.real(f(x)), z)
            say(f"complex.{name}", key, "by0", back(jnp.ones(value.shape, part))[0])
        points = [0, complex(0.0, -0.0), complex(-0.0, 0.0), 1, -1, 1j, 2 - 1j, complex(inf, 0), complex(-inf, 1), complex(0, inf), complex(inf, inf), complex(nan, 0), complex(1, nan), 1e30]
        points = np.asarray(points, name)
        x, y = (jnp.asarray(v.reshape(-1)) for v in np.meshgrid(points, points, indexing="ij"))
        say(f"complex_pairs.{name}", "in", "x", x)
        say(f"complex_pairs.{name}", "in", "y", y)
        for key in ("add", "subtract", "multiply", "divide", "equal", "not_equal"):
            f = getattr(jnp, key)
            value = f(x, y)
            say(f"complex_pairs.{name}", key, "value", value)
            if value.dtype != bool:
                _, back = jax.vjp(lambda x, y: jnp.real(f(x, y)), x, y)
                for k, g in enumerate(back(jnp.ones(value.shape, part))):
                    say(f"complex_pairs.{name}", key, f"by{k}", g)


def complex_rows():
    """Ordinary complex numbers: what is not done elementwise, and its gradients."""
    i = np.arange(20)
    x = jnp.asarray((np.sin(0.7 * i + 1) + 1j * np.cos(1.3 * i)).reshape(5, 4), jnp.complex64)
    y = jnp.asarray((np.cos(0.3 * i) - 1j * np.sin(0.9 * i + 2)).reshape(5, 4), jnp.complex64)
    say("complex_rows", "in", "x", x)
    say("complex_rows", "in", "y", y)
    rows = {
        "sum": lambda x, y: jnp.sum(x, -1),
        "mean": lambda x, y: jnp.mean(x, -1),
        "var": lambda x, y: jnp.var(x, -1),
        "stddev": lambda x, y: jnp.std(x, -1, ddof=1),
        "average": lambda x, y: jnp.average(x, -1, y),
        "nansum": lambda x, y: jnp.nansum(x, -1),
        "nanmean": lambda x, y: jnp.nanmean(x, -1),
        "diff": lambda x, y: jnp.diff(x, axis=-1),
        "matmul": lambda x, y: x @ y.T,
        "einsum": lambda x, y: jnp.einsum("ij,ij->j", x, y),
        "tensordot": lambda x, y: jnp.tensordot(x, y.T, 1),
        "vecdot": jnp.vecdot,
        "vdot": jnp.vdot,
        "inner": jnp.inner,
        "outer": lambda x, y: jnp.outer(x[0], y[0]),
        "kron": jnp.kron,
        "cross": lambda x, y: jnp.cross(x[:, :3], y[:, :3]),
        "cov": lambda x, y: jnp.cov(x),
        "norm": lambda x, y: jnp.linalg.norm(x),
        "trace": lambda x, y: jnp.trace(x),
        "matrix_power": lambda x, y: jnp.linalg.matrix_power(x[:4], 3),
        "tril": lambda x, y: jnp.tril(x),
        "where": lambda x, y: jnp.where(jnp.real(x) > 0, x, y),
        "segment_sum": lambda x, y: jax.ops.segment_sum(x, jnp.arange(5) % 2, 2),
        "count_nonzero": lambda x, y: jnp.count_nonzero(x - x[:1], -1),
        "any": lambda x, y: jnp.any(x - x[:1], -1),
        "isclose": lambda x, y: jnp.isclose(x, x + 1e-7 * y),
        "logical_not": lambda x, y: jnp.logical_not(x - x[:1]),
        "fft": lambda x, y: jnp.fft.fft(x),
        "irfft": lambda x, y: jnp.fft.irfft(x),
        "sum_of_sizes": lambda x, y: jnp.sum(jnp.abs(x) ** 2) + jnp.sum(jnp.angle(y)),
        "logsumexp": lambda x, y: jax.nn.logsumexp(x, -1),
        "qr_q": lambda x, y: jnp.linalg.qr(x)[0],
        "qr_r": lambda x, y: jnp.linalg.qr(x)[1],
        "svdvals": lambda x, y: jnp.linalg.svdvals(x),
        "pinv": lambda x, y: jnp.linalg.pinv(x),
        "lstsq": lambda x, y: jnp.linalg.lstsq(x, y)[0],
    }
    for name, f in rows.items():
        value = f(x, y)
        say("complex_rows", name, "value", value)
        if value.dtype == bool or jnp.issubdtype(value.dtype, jnp.integer):
            continue
        out, back = jax.vjp(lambda x, y: jnp.real(f(x, y)), x, y)
        for k, g in enumerate(back(jnp.ones(out.shape, out.dtype))):
            say("complex_rows", name, f"by{k}", g)


def defaults():
    """What a function does where its dimension, axis or count is left out: x (2, 3, 4), y (3, 4), z (4)."""
    i = np.arange(24)
    x = jnp.asarray(np.round(8 * np.sin(0.7 * i + 1)).reshape(2, 3, 4), jnp.float32)
    y, z = x[0] + 1, x[1, 2]
    for part, v in zip("xyz", (x, y, z)):
        say("defaults", "in", part, v)
    at = jnp.asarray([1, 0, 2])
    rows = {
        **{f: (lambda x, y, z, f=f: getattr(jnp, f)(x)) for f in
           ["sum", "prod", "max", "min", "mean", "var", "any", "all", "argmax", "argmin", "median", "nansum", "nanprod", "nanmax", "nanmin", "nanmean",
            "ptp", "count_nonzero", "cumsum", "cumprod", "sort", "argsort", "flip", "squeeze", "ravel", "transpose", "diff", "tril", "triu", "atleast_2d",
            "round", "nan_to_num"]},
        "stddev": lambda x, y, z: jnp.std(x),
        "sum_keepdims": lambda x, y, z: jnp.sum(x, keepdims=True),
        "argmax_keepdims": lambda x, y, z: jnp.argmax(x, keepdims=True),
        "quantile": lambda x, y, z: jnp.quantile(x, 0.25),
        "average": lambda x, y, z: jnp.average(y, None, y * y),
        "logsumexp": lambda x, y, z: jax.nn.logsumexp(x),
        "softmax": lambda x, y, z: jax.nn.softmax(x),
        "log_softmax": lambda x, y, z: jax.nn.log_softmax(x),
        "lax_cummax": lambda x, y, z: lax.cummax(x),
        "lax_cumlogsumexp": lambda x, y, z: lax.cumlogsumexp(x),
        "one_hot": lambda x, y, z: jax.nn.one_hot(at, 3),
        "top_k": lambda x, y, z: lax.top_k(x, 2)[0],
        "norm": lambda x, y, z: jnp.linalg.norm(x),
        "matrix_norm": lambda x, y, z: jnp.linalg.matrix_norm(x),
        "trace": lambda x, y, z: jnp.trace(x),
        "diagonal": lambda x, y, z: jnp.diagonal(x),
        "diag": lambda x, y, z: jnp.diag(z),
        "cov": lambda x, y, z: jnp.cov(y),
        "roll": lambda x, y, z: jnp.roll(x, 1),
        "repeat": lambda x, y, z: jnp.repeat(x, 2),
        "take": lambda x, y, z: jnp.take(x, at),
        "take_along_axis": lambda x, y, z: jnp.take_along_axis(z, at, None),
        "concatenate": lambda x, y, z: jnp.concatenate([y, y]),
        "stack": lambda x, y, z: jnp.stack([y, y]),
        "split": lambda x, y, z: jnp.split(x, 2)[1],
        "unstack": lambda x, y, z: jnp.unstack(x)[1],
        "rot90": lambda x, y, z: jnp.rot90(y),
        "tile": lambda x, y, z: jnp.tile(y, 2),
        "outer": lambda x, y, z: jnp.outer(y, z),
        "kron": lambda x, y, z: jnp.kron(y, y),
        "inner": lambda x, y, z: jnp.inner(y, z),
        "dot": lambda x, y, z: jnp.dot(x, z),
        "dot_of_matrices": lambda x, y, z: jnp.dot(x, y.T),
        "vdot": lambda x, y, z: jnp.vdot(y, y),
        "vecdot": lambda x, y, z: jnp.vecdot(y, z),
        "tensordot": lambda x, y, z: jnp.tensordot(x, y),
        "matmul": lambda x, y, z: x @ y.T,
        "fft": lambda x, y, z: jnp.real(jnp.fft.fft(y)),
        "fftshift": lambda x, y, z: jnp.fft.fftshift(y),
        "fftfreq": lambda x, y, z: jnp.fft.fftfreq(5),
        "eye": lambda x, y, z: jnp.eye(3),
        "linspace": lambda x, y, z: jnp.linspace(z[0], z[1], 5),
        "arange": lambda x, y, z: jnp.arange(5),
        "searchsorted": lambda x, y, z: jnp.searchsorted(jnp.arange(4.0), jnp.asarray(2.0)),
        "isclose": lambda x, y, z: jnp.isclose(z, z * (1 + 2e-5)),
        "gelu": lambda x, y, z: jax.nn.gelu(z),
        "layer_norm": lambda x, y, z: (y - y.mean(-1, keepdims=True)) * lax.rsqrt(y.var(-1, keepdims=True) + 1e-5),
        "interp": lambda x, y, z: jnp.interp(z, jnp.arange(4.0), z),
        "meshgrid": lambda x, y, z: jnp.meshgrid(z, y[0])[0],
        "segment_sum": lambda x, y, z: jax.ops.segment_sum(y, at, 4),
        "bincount": lambda x, y, z: jnp.bincount(at, length=4),
        "hstack": lambda x, y, z: jnp.hstack([y, y]),
        "vstack": lambda x, y, z: jnp.vstack([z, z]),
        "dstack": lambda x, y, z: jnp.dstack([z, z]),
        "column_stack": lambda x, y, z: jnp.column_stack([z, z]),
        "moveaxis": lambda x, y, z: jnp.moveaxis(x, 0, -1),
        "svd": lambda x, y, z: jnp.abs(jnp.linalg.svd(y)[2][:2]),
    }
    for name, f in rows.items():
        value = f(x, y, z)
        print("defaults", name, "shape", *value.shape)
        say("defaults", name, "value", value)


def transforms():
    """Lines of 4, 3 and 8 elements."""
    lines = [[1, 2, 3, 4], [0, 0, 0, 0], [-0.0, -0.0, -0.0, -0.0], [nan, 0, 0, 0], [0, 0, nan, 1], [inf, 0, 0, 0], [0, inf, 0, 0], [-inf, 1, 2, 3], [inf, -inf, 0, 0],
             [inf, inf, inf, inf], [most, most, most, most], [most, -most, most, -most], [1e-38, -1e-38, 0, 1e-38], [1e-40, 0, 0, 0]]
    x = jnp.asarray(lines, jnp.float32)
    for table, v in (("fft_4", x), ("fft_3", x[:, :3]), ("fft_8", jnp.concatenate([x, x[:, ::-1]], 1))):
        say(table, "in", "x", v)
        rows = {
            "rfft": jnp.fft.rfft,
            "irfft": lambda x: jnp.fft.irfft(lax.complex(x, x)),
            "fft": lambda x: jnp.fft.fft(lax.complex(x, x[::-1])),
            "ifft": lambda x: jnp.fft.ifft(lax.complex(x, x[::-1])),
        }
        for name, f in rows.items():
            say(table, name, "value", f(v))
            _, back = jax.vjp(lambda x: jnp.real(f(x)), v)
            say(table, name, "by0", back(jnp.ones(f(v).shape, jnp.float32))[0])


def empty():
    """Of no elements: x (0, 3) along its first dimension, y (2, 0) along its last."""
    x, y = jnp.zeros((0, 3), jnp.float32), jnp.zeros((2, 0), jnp.float32)
    say("empty", "in", "x", x)
    say("empty", "in", "y", y)
    square = jnp.zeros((2, 0, 0), jnp.float32)
    rows = {
        "sum": lambda x, y: jnp.sum(x, 0), "prod": lambda x, y: jnp.prod(x, 0), "mean": lambda x, y: jnp.mean(x, 0), "any": lambda x, y: jnp.any(x, 0),
        "all": lambda x, y: jnp.all(x, 0), "var": lambda x, y: jnp.var(x, 0), "stddev": lambda x, y: jnp.std(x, 0), "nansum": lambda x, y: jnp.nansum(x, 0),
        "nanprod": lambda x, y: jnp.nanprod(x, 0), "nanmean": lambda x, y: jnp.nanmean(x, 0), "count_nonzero": lambda x, y: jnp.count_nonzero(x, 0),
        "logsumexp": lambda x, y: jax.nn.logsumexp(x, 0), "softmax": lambda x, y: jax.nn.softmax(y, -1), "log_softmax": lambda x, y: jax.nn.log_softmax(y, -1),
        "cumsum": lambda x, y: jnp.cumsum(y, 1), "cumprod": lambda x, y: jnp.cumprod(y, 1), "cummax": lambda x, y: lax.cummax(y, 1),
        "cumlogsumexp": lambda x, y: lax.cumlogsumexp(y, 1), "sort": lambda x, y: jnp.sort(y, -1), "argsort": lambda x, y: jnp.argsort(y, -1),
        "matmul": lambda x, y: jnp.matmul(y, x), "matmul_of_none": lambda x, y: jnp.matmul(x, jnp.ones((3, 2), jnp.float32)),
        "vecdot": lambda x, y: jnp.vecdot(y, y), "norm": lambda x, y: jnp.linalg.norm(x), "det": lambda x, y: jnp.linalg.det(square),
        "sum_of_all": lambda x, y: jnp.sum(x), "prod_of_all": lambda x, y: jnp.prod(y), "max_of_others": lambda x, y: jnp.max(x, 1),
        "segment_sum": lambda x, y: jax.ops.segment_sum(x, jnp.zeros(0, jnp.int32), 2), "segment_max": lambda x, y: jax.ops.segment_max(x, jnp.zeros(0, jnp.int32), 2),
        "exp": lambda x, y: jnp.exp(x), "astype": lambda x, y: x.astype(jnp.int32), "where": lambda x, y: jnp.where(x > 0, x, 0.0),
    }
    for name, f in rows.items():
        try:
            value = f(x, y)
        except Exception as refused:
            print(f"# empty {name}: {type(refused).__name__} {str(refused)[:90]!r}")
            continue
        say("empty", name, "value", value)


ALL = [unary, binary, ternary, rows, odd_rows, matrices, singular, larger_matrices, casts, subnormals, of_dtypes, bends, complexes, complex_rows, defaults, transforms, empty]
if __name__ == "__main__":
    print(f"# jax {jax.__version__}")
    for table in ALL:
        if len(sys.argv) < 2 or table.__name__ in sys.argv[1:]:  # one of them, for a look
            table()
