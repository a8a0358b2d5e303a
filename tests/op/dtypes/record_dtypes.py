# SPDX-License-Identifier: Apache-2.0
"""Writes dtypes.txt: the dtype of JAX's results for operands of each dtype, for dtypes_test.cpp beside it. Run with a Python
that has jax 0.10.2:
    python3 tests/op/dtypes/record_dtypes.py > tests/op/dtypes/dtypes.txt
A line is a table, a name, a part, and a dtype for each of ONE, in their order; of functions of two arrays the part is the
first one's dtype and the others are the second one's, each of TWO. ~ is a weak type, - a call that JAX refuses. The tables
`unary`, `binary`, `ternary` and `rows` are those of ../special/record_special_values.py; `of_one` and `of_two` have what is
not there. 64 bits are off, as JAX has it unless told otherwise."""

import pathlib
import sys
import warnings

import jax
import jax.numpy as jnp
import jax.scipy.linalg
from jax import lax

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "special"))
import record_special_values as special  # noqa: E402

ONE = ["bool", "int8", "int32", "uint8", "uint32", "float16", "bfloat16", "float32", "complex64", "~int32", "~float32"]
TWO = ["bool", "int32", "float16", "bfloat16", "float32", "complex64", "~int32", "~float32"]


def struct(shape, dtype):
    return jax.ShapeDtypeStruct(shape, jnp.dtype(dtype.strip("~")), weak_type=dtype.startswith("~"))


def result(f, *operands):
    try:
        out = jax.eval_shape(f, *operands)
    except Exception:
        return "-"
    out = out[0] if isinstance(out, (tuple, list)) else out
    return ("~" if out.weak_type and out.dtype != bool else "") + out.dtype.name


def record(table, name, f, *x, **_):
    """`record` of the other script, for operands of the shapes of x, or of these shapes."""
    if table == "unary" and name in special.ONLY_FLOAT32:
        return
    shapes = [v.shape if hasattr(v, "shape") else v for v in x]
    if len(shapes) == 1:
        print(table, name, "value", *(result(f, struct(shapes[0], one)) for one in ONE))
        return
    for one in TWO:
        rest = [struct(shape, one) for shape in shapes[2:]]
        print(table, name, one, *(result(f, struct(shapes[0], one), struct(shapes[1], two), *rest) for two in TWO))


jax.config.update("jax_enable_x64", False)
warnings.filterwarnings("ignore")
special.record, special.say = record, lambda *_: None

print(f"# jax {jax.__version__}")
special.unary()
special.binary()
special.ternary()
special.rows()
record("rows", "top_k", lambda x: lax.top_k(x, 3), (4, 4))
record("rows", "top_k_places", lambda x: lax.top_k(x, 3)[1], (4, 4))

vector, square = (4,), (4, 4)
of_one = {
    "invert": (jnp.invert, vector),
    "logical_not": (jnp.logical_not, vector),
    "cos_of_sum": (lambda x: jnp.cos(x.sum()), vector),
    "astype_float16": (lambda x: x.astype(jnp.float16), vector),
    "plus_1": (lambda x: x + 1, vector),
    "plus_half": (lambda x: x + 0.5, vector),
    "half_minus": (lambda x: 0.5 - x, vector),
    "over_2": (lambda x: x / 2, vector),
    "power_2_whole": (lambda x: x**2, vector),
    "above_0": (lambda x: x > 0, vector),
    "set_1": (lambda x: x.at[0].set(1), vector),
    "add_half": (lambda x: x.at[0].add(0.5), vector),
    "pad": (lambda x: lax.pad(x, x[0], [(1, 1, 0)]), vector),
    "gelu": (jax.nn.gelu, vector),
    "einsum": (lambda x: jnp.einsum("i,i->", x, x), vector),
    "outer": (lambda x: jnp.outer(x, x), vector),
    "vdot": (lambda x: jnp.vdot(x, x), vector),
    "bincount": (lambda x: jnp.bincount(x, length=4), vector),
    "linspace": (lambda x: jnp.linspace(x[0], x[1], 4), vector),
    "cov": (jnp.cov, square),
    "det": (jnp.linalg.det, square),
    "slogdet": (jnp.linalg.slogdet, square),
    "inv": (jnp.linalg.inv, square),
    "cholesky": (jnp.linalg.cholesky, square),
    "eigenvalues": (lambda x: jnp.linalg.eigh(x)[0], square),
    "qr": (lambda x: jnp.linalg.qr(x)[0], square),
    "svdvals": (jnp.linalg.svdvals, square),
    "pinv": (jnp.linalg.pinv, square),
    "matrix_rank": (jnp.linalg.matrix_rank, square),
    "condition_number": (jnp.linalg.cond, square),
    "norm": (jnp.linalg.norm, square),
    "matrix_norm": (jnp.linalg.matrix_norm, square),
    "matrix_power": (lambda x: jnp.linalg.matrix_power(x, 3), square),
    "trace": (jnp.trace, square),
    "tril": (jnp.tril, square),
    "fft": (jnp.fft.fft, vector),
    "rfft": (jnp.fft.rfft, vector),
    "irfft": (jnp.fft.irfft, vector),
    "zeros_like": (jnp.zeros_like, vector),
    "full_like": (lambda x: jnp.full_like(x, 2), vector),
    "take": (lambda x: jnp.take(x, jnp.asarray([0, 1])), vector),
    "roll": (lambda x: jnp.roll(x, 1), vector),
}
for name, (f, shape) in of_one.items():
    record("of_one", name, f, shape)

of_two = {
    "matmul": (jnp.matmul, square, square),
    "dot": (lambda x, y: jnp.dot(x, y[0]), square, square),
    "vdot": (jnp.vdot, vector, vector),
    "vecdot": (jnp.vecdot, vector, vector),
    "inner": (jnp.inner, vector, vector),
    "outer": (jnp.outer, vector, vector),
    "kron": (jnp.kron, vector, vector),
    "cross": (lambda x, y: jnp.cross(x[:3], y[:3]), vector, vector),
    "tensordot": (lambda x, y: jnp.tensordot(x, y, 1), square, square),
    "einsum": (lambda x, y: jnp.einsum("ij,jk->ik", x, y), square, square),
    "concatenate": (lambda x, y: jnp.concatenate([x, y]), vector, vector),
    "stack": (lambda x, y: jnp.stack([x, y]), vector, vector),
    "hstack": (lambda x, y: jnp.hstack([x, y]), vector, vector),
    "solve": (jnp.linalg.solve, square, square),
    "solve_vector": (lambda x, y: jnp.linalg.solve(x, y[0]), square, square),
    "solve_triangular": (jax.scipy.linalg.solve_triangular, square, square),
    "lstsq": (jnp.linalg.lstsq, square, square),
    "lstsq_residuals": (lambda x, y: jnp.linalg.lstsq(x, y)[1], square, square),
    "lstsq_values": (lambda x, y: jnp.linalg.lstsq(x, y)[3], square, square),
    "set": (lambda x, y: x.at[0].set(y[0]), vector, vector),
    "add_at": (lambda x, y: x.at[0].add(y[0]), vector, vector),
    "multiply_at": (lambda x, y: x.at[0].multiply(y[0]), vector, vector),
    "max_at": (lambda x, y: x.at[0].max(y[0]), vector, vector),
    "bitwise_and": (jnp.bitwise_and, vector, vector),
    "left_shift": (jnp.left_shift, vector, vector),
    "logical_and": (jnp.logical_and, vector, vector),
    "average": (lambda x, y: jnp.average(x, weights=y), vector, vector),
    "searchsorted": (jnp.searchsorted, vector, vector),
    "interp": (lambda x, y: jnp.interp(x, y, y), vector, vector),
    "where_mask": (lambda x, y: jnp.where(x, y, 1), vector, vector),
    "polynomial": (lambda x, y: x * y + 1, vector, vector),
    "add_scalar": (lambda x, y: x + y[0], vector, vector),
}
for name, (f, *shapes) in of_two.items():
    record("of_two", name, f, *shapes)
