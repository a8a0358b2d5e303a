# SPDX-License-Identifier: Apache-2.0
"""Writes special_values.txt: what JAX makes of NaN, infinities, zeros of both signs, ties and ends of ranges, and the gradients
there, for the special_*_test.cpp beside it. Run with a Python that has jax 0.10.2, on a CPU:
    python3 tests/op/record_special_values.py > tests/op/special_values.txt
A line is a table, a name, what is recorded, and its numbers: `x`, `y`, `z` are what goes in, `value` what comes out, `by0`,
`by1`, `by2` the gradients of sum(w value) by the arguments, where w is `w` if it has the value's shape, else 1."""

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
            e = np.float32(e) if v.dtype != np.float64 else e
            out.append("-0" if e == 0 and np.signbit(e) else "nan" if e != e else f"{float(e):.9g}" if v.dtype != np.float64 else f"{e:.17g}")
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


def unary():
    ends = [nan, inf, 0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 20.0, 89.0, 104.0, 1e10, most, 1e-30, float(np.finfo(np.float32).tiny)]
    x = jnp.asarray([s * e for e in ends for s in (1, -1)], jnp.float32)
    say("unary", "in", "x", x)
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
        "clamped": lambda x: lax.clamp(np.float32(-1), x, np.float32(2)),
        "one_hot": lambda x: jax.nn.one_hot(x, 4),
        "searchsorted": lambda x: jnp.searchsorted(jnp.arange(5.0, dtype=jnp.float32) - 2, x),
        "interp": lambda x: jnp.interp(x, jnp.arange(3.0, dtype=jnp.float32) - 1, jnp.arange(3.0, dtype=jnp.float32) ** 2),
        "segment_sum": lambda x: jax.ops.segment_sum(x, jnp.arange(32) % 15, 16),
        "segment_max": lambda x: jax.ops.segment_max(x, jnp.arange(32) % 15, 16),
        "segment_min": lambda x: jax.ops.segment_min(x, jnp.arange(32) % 15, 16),
    }
    for name, f in rows.items():
        record("unary", name, f, x)


def binary():
    ends = jnp.asarray([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 2.5, -0.5, most, 1e-30], jnp.float32)
    x, y = (v.reshape(-1) for v in jnp.meshgrid(ends, ends, indexing="ij"))
    say("binary", "in", "x", x)
    say("binary", "in", "y", y)
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
        record("binary", name, f, x, y)


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


def rows():
    x = jnp.asarray(
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
            [1e15, 1e15, 1e15, 1],
            [most, most, 1, 2],
            [-most, -most, -1, -2],
            [1, 1, 1, 1],
            [1e-30, 1e-30, 1e-30, -1e-30],
            [-1, -1, 0, 0],
            [3, 1, 3, 1],
        ],
        jnp.float32,
    )
    w = jnp.broadcast_to(jnp.asarray([1.0, 2.0, 4.0, 8.0], jnp.float32), x.shape)
    say("rows", "in", "x", x)
    say("rows", "in", "y", w)
    table = {
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
        "reduce_sum": lambda x: jnp.sum(x, -1),
        "reduce_max": lambda x: jnp.max(x, -1),
        "reduce_min": lambda x: jnp.min(x, -1),
        "reduce_prod": lambda x: jnp.prod(x, -1),
        "logsumexp": lambda x: jax.nn.logsumexp(x, -1),
        "softmax": lambda x: jax.nn.softmax(x, -1),
        "log_softmax": lambda x: jax.nn.log_softmax(x, -1),
        "layer_norm": lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + np.float32(1e-5)),
        "rms_norm": lambda x: x * lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + np.float32(1e-5)),
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
    for name, f in table.items():
        record("rows", name, f, x, w=w)
    values, places = lax.top_k(x, 3)
    say("rows", "top_k", "value", values)
    say("rows", "top_k_places", "value", places)


def matrices():
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
        jnp.float32,
    )
    say("matrices", "in", "x", x)
    one = jnp.ones((3, 2), jnp.float32)
    table = {
        "det": jnp.linalg.det,
        "slogdet": lambda x: jnp.linalg.slogdet(x)[1],
        "sign_of_det": lambda x: jnp.linalg.slogdet(x)[0],
        "inv": jnp.linalg.inv,
        "solve": lambda x: jnp.linalg.solve(x, one),
        "cholesky": jnp.linalg.cholesky,
        "eigenvalues": lambda x: jnp.linalg.eigh(x)[0],
        "triangular_solve": lambda x: lax.linalg.triangular_solve(x, one, left_side=True, lower=True),
        "matrix_trace": jnp.trace,
        "norm": jnp.linalg.norm,
        "matrix_power": lambda x: jnp.linalg.matrix_power(x, 3),
        "cov": jnp.cov,
        "matmul": lambda x: x @ x,
        "tril": jnp.tril,
        "triu": jnp.triu,
        "qr_r": lambda x: jnp.abs(jnp.linalg.qr(x)[1]),
        "lu": lambda x: lax.linalg.lu(x)[0],
    }
    for name, f in table.items():
        values, slopes = [], []
        for one_x in x:
            value, back = jax.vjp(f, one_x)
            values.append(value)
            slopes.append(back(jnp.ones_like(value))[0])
        say("matrices", name, "value", jnp.stack(values))
        say("matrices", name, "by0", jnp.stack(slopes))


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


print(f"# jax {jax.__version__}")
for table in (unary, binary, ternary, rows, odd_rows, matrices, casts):
    table()
