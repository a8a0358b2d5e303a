# SPDX-License-Identifier: Apache-2.0
"""Calls of tests/functions, for record.py."""

import jax
import jax.numpy as jnp
import numpy as np
from record import call, edges, exact, f32, i32, with_nan

x, y, v = f32(8, 6), f32(8, 6, seed=1), f32(8, seed=2)
nn = jax.nn

ACTIVATIONS = {
    "relu6": nn.relu6, "hard_tanh": nn.hard_tanh, "leaky_relu": nn.leaky_relu, "elu": nn.elu, "selu": nn.selu, "celu": nn.celu,
    "hard_sigmoid": nn.hard_sigmoid, "hard_silu": nn.hard_silu, "log_sigmoid": nn.log_sigmoid, "soft_sign": nn.soft_sign,
    "mish": nn.mish, "squareplus": nn.squareplus, "sparse_plus": nn.sparse_plus, "sparse_sigmoid": nn.sparse_sigmoid, "swish": nn.swish,
}
for name, f in ACTIVATIONS.items():
    call(name, f, 3 * x)
    call(name + " edges", f, edges())
call("log1mexp", nn.log1mexp, abs(x) + 0.01)
call("leaky_relu 0.3", lambda x: nn.leaky_relu(x, 0.3), x)
call("elu 2", lambda x: nn.elu(x, 2.0), x)
call("celu 2", lambda x: nn.celu(x, 2.0), x)
call("squareplus 1", lambda x: nn.squareplus(x, 1.0), x)
call("glu", nn.glu, x)
call("glu 0", lambda x: nn.glu(x, 0), x)
call("logmeanexp", lambda x: nn.logmeanexp(x), x)
call("logmeanexp 1", lambda x: nn.logmeanexp(x, 1), x)

for name in "fabs sinc isneginf isposinf isreal iscomplex modf".split():
    call(name, getattr(jnp, name), x)
    some = edges()
    if name == "sinc":
        some[[11, 12]] = 0.25, -0.25  # JAX's slope at 1e-20 is inf, of numbers that cancel; ours is 0
    call(name + " edges", getattr(jnp, name), some, slopes=name != "modf")
for name in "fmax fmin logaddexp2 divmod heaviside".split():
    call(name, getattr(jnp, name), x, y)
    call(name + " edges", getattr(jnp, name), edges(), np.roll(edges(), 3), slopes=name in ("fmax", "fmin"))
call("float_power", jnp.float_power, abs(x), y)
call("float_power of integers", jnp.float_power, i32(8, low=1), i32(8, low=-3, high=3, seed=1))
call("frexp", jnp.frexp, x, slopes=False)
call("frexp edges", jnp.frexp, edges(), slopes=False)
call("ldexp", jnp.ldexp, x, i32(8, 6), slopes=False)
call("nextafter", jnp.nextafter, x, y, slopes=False)
call("nextafter edges", jnp.nextafter, np.delete(edges(), [0, 1]), np.roll(np.delete(edges(), [0, 1]), 3), slopes=False)
call("gcd", jnp.gcd, i32(8, 6), i32(8, 6, seed=1))
call("lcm", jnp.lcm, i32(8, 6), i32(8, 6, seed=1))
call("gcd large", jnp.gcd, np.array([2**31 - 1, 1836311903, 0, -12, 1 << 30], np.int32), np.array([7, 1134903170, 0, 18, 1 << 20], np.int32))
call("population_count", jax.lax.population_count, i32(8, 6))
call("bitwise_count", jnp.bitwise_count, i32(8, 6))
call("clz", jax.lax.clz, i32(8, 6, low=-2, high=1000))
for dtype in (np.int8, np.uint8, np.int16, np.int64, np.uint64):
    some = i32(8, low=0 if np.dtype(dtype).kind == "u" else -20) * 3
    call(f"population_count {np.dtype(dtype)}", jax.lax.population_count, some.astype(dtype))
    call(f"clz {np.dtype(dtype)}", jax.lax.clz, some.astype(dtype))
call("unwrap", jnp.unwrap, 3 * x)
call("unwrap 0", lambda x: jnp.unwrap(x, axis=0), 3 * x)

n = with_nan(8, 6)
n[3] = np.nan
for name in "nanvar nanstd nanmedian nanargmax nanargmin nancumsum nancumprod".split():
    call(name, getattr(jnp, name), with_nan(8, 6))
    call(name + " 1", lambda x, f=getattr(jnp, name): f(x, axis=1), n, slopes=False)
    call(name + " 0", lambda x, f=getattr(jnp, name): f(x, axis=0), with_nan(8, 6))
call("nanvar ddof", lambda x: jnp.nanvar(x, axis=1, ddof=1), n, slopes=False)
call("nanvar keepdims", lambda x: jnp.nanvar(x, axis=0, keepdims=True), with_nan(8, 6))
call("nanquantile", lambda x: jnp.nanquantile(x, 0.3), n)
call("nanquantile 1", lambda x: jnp.nanquantile(x, 0.3, axis=1), n, slopes=False)
call("nanpercentile 0", lambda x: jnp.nanpercentile(x, 80, axis=0), with_nan(8, 6))
quarters = jnp.arange(5, dtype=jnp.float32) * 0.25
call("nanquantile of a row", lambda x: jnp.nanquantile(x, quarters), n)
call("nanquantile 1 of a row", lambda x: jnp.nanquantile(x, quarters, axis=1), n, slopes=False)
call("nanpercentile 0 of a row", lambda x: jnp.nanpercentile(x, 90 * quarters, axis=0), with_nan(8, 6))
call("quantile of a row", lambda x: jnp.quantile(x, quarters), x)
call("quantile 0 of a row", lambda x: jnp.quantile(x, 0.9 * quarters, axis=0), x)
call("quantile 1 of a row", lambda x: jnp.quantile(x, 0.9 * quarters, axis=1), x)
call("percentile 1 of a row", lambda x: jnp.percentile(x, 90 * quarters, axis=1), x)
call("percentile", lambda x: jnp.percentile(x, 30), x)
call("percentile 1", lambda x: jnp.percentile(x, 30, axis=1), x)

call("logspace", lambda: jnp.logspace(0.0, 2.0, 7, dtype=jnp.float32))
call("logspace 2", lambda: jnp.logspace(-1.0, 3.0, 5, base=2.0, dtype=jnp.float32))
call("geomspace", lambda: jnp.geomspace(1.0, 16.0, 5, dtype=jnp.float32))
call("geomspace negative", lambda: jnp.geomspace(-100.0, -1.0, 4, dtype=jnp.float32))
for name in "bartlett blackman hamming hanning".split():
    call(name, lambda f=getattr(jnp, name): f(7).astype(jnp.float32))
    call(name + " 1", lambda f=getattr(jnp, name): f(1).astype(jnp.float32))
call("identity", lambda: jnp.identity(4, jnp.float32))
call("vander", lambda x: jnp.vander(x, 4), v)
call("vander increasing", lambda x: jnp.vander(x, 4, increasing=True), v)

call("append", lambda x, y: jnp.append(x, y), x, v)
call("append 0", lambda x, y: jnp.append(x, y, axis=0), x, y)
call("array_split", lambda x: tuple(jnp.array_split(x, 4, 1)), x)
call("broadcast_arrays", lambda x, y: tuple(jnp.broadcast_arrays(x, y)), f32(6), f32(8, 1, seed=1))
call("insert", lambda x, y: jnp.insert(x, 2, y, axis=1), x, v)
call("insert 0", lambda x: jnp.insert(x, 0, 7, axis=0), x)
call("delete_at", lambda x: jnp.delete(x, 2, axis=1), x)
call("delete_at 2", lambda x: jnp.delete(x, slice(4, 6), axis=1), x)
call("resize", lambda x: jnp.resize(x, (5, 3)), v)
call("ediff1d", jnp.ediff1d, x)
call("diagflat", jnp.diagflat, f32(2, 3))
call("diagflat 1", lambda x: jnp.diagflat(x, 1), f32(2, 3))
call("fill_diagonal", lambda x: jnp.fill_diagonal(x, 7.0, inplace=False), x)
call("matrix_transpose", jnp.matrix_transpose, x)
call("packbits", lambda x: jnp.packbits(x, axis=-1), i32(8, 16, low=0, high=2))
call("unpackbits", lambda x: jnp.unpackbits(x, axis=-1), i32(8, 2, low=0, high=256).astype(np.uint8))

sparse = np.where(abs(x) > 1.5, x, 0).astype(np.float32)
call("diag_indices", lambda: jnp.diag_indices(4))
call("tril_indices", lambda: jnp.tril_indices(4, 1, 6))
call("triu_indices", lambda: jnp.triu_indices(5, -1))
call("unravel_index", lambda i: jnp.unravel_index(i, (3, 4)), np.array([0, 5, 11, -1, -12, -13, 12, 99], np.int32))
call("ravel_multi_index", lambda i, j: jnp.ravel_multi_index((i, j), (3, 4), mode="clip"), np.array([0, 2, 1, 5], np.int32), np.array([3, 1, -2, 9], np.int32))
call("nonzero", lambda x: jnp.nonzero(x, size=12), sparse)
call("nonzero 48", lambda x: jnp.nonzero(x, size=50, fill_value=-1), sparse)
call("flatnonzero", lambda x: jnp.flatnonzero(x, size=12, fill_value=99), sparse)
call("argwhere", lambda x: jnp.argwhere(x, size=12), sparse)
call("extract", lambda x: jnp.extract(x > 0, x, size=30), x)

a, b = i32(12, low=0, high=8), i32(10, low=3, high=12, seed=1)
call("unique", lambda x: jnp.unique(x, size=10), a)
call("unique of floats", lambda x: jnp.unique(x, size=6), np.round(x))
call("unique filled", lambda x: jnp.unique(x, size=14, fill_value=-7), a)
call("unique_counts filled", lambda x: jnp.unique(x, size=14, return_counts=True, fill_value=-7), a)
call("union1d filled", lambda x, y: jnp.union1d(x, y, size=24, fill_value=99), a, b)
call("setdiff1d filled", lambda x, y: jnp.setdiff1d(x, y, size=12, fill_value=-1), a, b)
call("intersect1d filled", lambda x, y: jnp.intersect1d(x, y, size=9, fill_value=-1), a, b)
call("setxor1d filled", lambda x, y: jnp.setxor1d(x, y, size=22, fill_value=-1), a, b)
call("unique_counts", lambda x: jnp.unique(x, size=8, return_counts=True), a)
call("unique_inverse", lambda x: jnp.unique(x, size=8, return_inverse=True), i32(4, 3, low=0, high=8))
call("union1d", lambda x, y: jnp.union1d(x, y, size=14), a, b)
call("intersect1d", lambda x, y: jnp.intersect1d(x, y, size=6, fill_value=0), a, b)
call("setdiff1d", lambda x, y: jnp.setdiff1d(x, y, size=6, fill_value=0), a, b)
call("setxor1d", lambda x, y: jnp.setxor1d(x, y, size=12, fill_value=0), a, b)
call("isin", jnp.isin, i32(8, 6), b)
call("sort_key_val", lambda k, v: jax.lax.sort_key_val(k, v), x, y)
call("lexsort", lambda x, y: jnp.lexsort((x, y)), i32(24, low=0, high=5), i32(24, low=0, high=3, seed=1))
call("partition", lambda x: jnp.sort(x), x)

m = f32(8, 6, 5, seed=3)
call("matvec", jnp.matvec, m, f32(8, 5, seed=4))
call("vecmat", jnp.vecmat, f32(8, 6, seed=4), m)
call("multi_dot 3", lambda a, b, c: jnp.linalg.multi_dot((a, b, c)), f32(8, 6), f32(6, 2), f32(2, 7))
call("multi_dot 4", lambda a, b, c, d: jnp.linalg.multi_dot((a, b, c, d)), f32(8, 6), f32(6, 2), f32(2, 7), f32(7, 3))
for mode in "full same valid".split():
    for name, (p, q) in {"": (f32(9), f32(4, seed=1)), " short": (f32(4), f32(9, seed=1))}.items():
        call(f"convolve {mode}{name}", lambda x, k, mode=mode: jnp.convolve(x, k, mode), p, q)
        call(f"correlate {mode}{name}", lambda x, k, mode=mode: jnp.correlate(x, k, mode), p, q)
call("trapezoid", lambda y: jnp.trapezoid(y), x)
call("trapezoid 0", lambda y: jnp.trapezoid(y, dx=0.5, axis=0), x)
call("trapezoid at", lambda y, x: jnp.trapezoid(y, x), x, np.cumsum(abs(y), 1))
call("corrcoef", jnp.corrcoef, x)
call("digitize", jnp.digitize, x, np.array([-2, -1, 0, 1.5], np.float32))
call("digitize descending", jnp.digitize, x, np.array([2, 1, 0, -1.5], np.float32))
call("histogram", lambda x: jnp.histogram(x, 5), x, slopes=False)
call("histogram range", lambda x: jnp.histogram(x, 5, range=(-1.0, 2.0)), x, slopes=False)
edges_of_bins = np.array([-2, -1.5, 0, 0.25, 2], np.float32)
call("histogram by edges", jnp.histogram, x, edges_of_bins, slopes=False)
call("histogram of weights", lambda x, e, w: jnp.histogram(x, e, weights=w), x, edges_of_bins, y, slopes=False)
call("histogram range of weights", lambda x, w: jnp.histogram(x, 5, range=(-1.0, 2.0), weights=w), x, y, slopes=False)
call("histogram_bin_edges", lambda x: jnp.histogram_bin_edges(x, 5), x, slopes=False)


sp = jax.scipy.special
above, below = f32(8, 6, low=0.01, high=40), f32(8, 6, low=-6, high=6, seed=5)
tails = np.array([0.02, 1e-5, 1e-30, 0.019999, 0.3, 0.5, 0.97, 0.9999], np.float32)
for name in "gammaln digamma gamma".split():
    exact(name, getattr(sp, name), above)
    exact(name + " below", getattr(sp, name), below)
exact("gammasgn", sp.gammasgn, below, slopes=False)
exact("factorial", sp.factorial, above, slopes=False)
for order in (1, 2, 3):
    exact(f"polygamma {order}", lambda x, n=order: sp.polygamma(n, x), above)
exact("zeta", sp.zeta, f32(8, 6, low=1.05, high=12), f32(8, 6, low=0.1, high=30, seed=6), slopes=False)
# jax.scipy.special.betaln of float64 is right to 1e-7 only.
log_beta = lambda a, b: sp.gammaln(a) + sp.gammaln(b) - sp.gammaln(a + b)
exact("betaln", log_beta, f32(8, 6, low=0.1, high=9), f32(8, 6, low=0.1, high=9, seed=7))
exact("beta", lambda a, b: jnp.exp(log_beta(a, b)), f32(8, 6, low=0.1, high=9), f32(8, 6, low=0.1, high=9, seed=7))
exact("poch", sp.poch, f32(8, 6, low=0.1, high=9), f32(8, 6, low=0.1, high=9, seed=7), slopes=False)
exact("multigammaln", lambda x: sp.multigammaln(x, 3), f32(8, 6, low=1.6, high=20))
exact("ndtr", sp.ndtr, below)
exact("log_ndtr", sp.log_ndtr, np.minimum(4 * below, 3))  # above, JAX adds 1 to what is small
exact("ndtri", sp.ndtri, f32(8, 6, low=0.001, high=0.999))
exact("ndtri tails", sp.ndtri, tails)
exact("xlogy", sp.xlogy, np.round(below), above)
exact("xlog1py", sp.xlog1py, np.round(below), above)
exact("entr", sp.entr, above)
exact("rel_entr", sp.rel_entr, above, f32(8, 6, low=0.1, high=9, seed=7))
exact("kl_div", sp.kl_div, above, f32(8, 6, low=0.1, high=9, seed=7))
exact("logit", sp.logit, f32(8, 6, low=0.01, high=0.99))
exact("boxcox", sp.boxcox, above, np.round(below), slopes=False)
exact("boxcox1p", sp.boxcox1p, above, np.round(below), slopes=False)
call("entr edges", sp.entr, edges(), slopes=False)
call("xlogy edges", sp.xlogy, edges(), np.roll(edges(), 3), slopes=False)
call("gammaln edges", sp.gammaln, edges(), slopes=False)
call("digamma edges", sp.digamma, edges(), slopes=False)
call("ndtri edges", sp.ndtri, edges(), slopes=False)
call("logit edges", sp.logit, edges(), slopes=False)
