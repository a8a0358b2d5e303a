# SPDX-License-Identifier: Apache-2.0
"""The C++ of each op: one line an op. Names and parameters are JAX's, as in the case format.

In a text, {a,b} stands for the items that are there, joined by ", ". An item is
  x              all operands                   0, 1, ...      one of them
  axis, n, ...   the parameter of that name     axis=-1        with what stands for it when it is not given
  p.0   p#0      row 0 / column 0 of a parameter that is a list of lists
  out   mesh_out ts::out_sharding<...> when the case has it; mesh_out names the mesh as well: for ops without operands
  keepdims       ts::keepdims when it is true; reverse, descending alike
The expression of an op that gives several values is a tuple of them; or there is a list with a text for each. A function of
the statement may choose.
"""


def split_parts(s):
    """Equal parts, or numpy's list of places."""
    if isinstance(s.params["n"], int):
        return "ts::split<{n,axis=0}>({x})"
    places = [0, *s.params["n"], None]
    return [f"ts::slice_in_dim<{s.params.get('axis', 0)}, {a}, {'ts::to_end' if b is None else b}>({{x}})" for a, b in zip(places, places[1:])]


def split_sizes(s):
    places = [0]
    for size in s.params["sizes"]:
        places.append(places[-1] + size)
    return [f"ts::slice_in_dim<{s.params.get('axis', 0)}, {a}, {b}>({{x}})" for a, b in zip(places, places[1:])]


def pad(s):
    value = "{1}" if len(s.args) > 1 else "0"
    return f"ts::pad({{0}}, {value}, ts::low<{{config#0}}>, ts::high<{{config#1}}>, ts::interior<{{config#2}}>)"


def moveaxis(s):
    if isinstance(s.params["src"], int):
        return "ts::moveaxis<{src}, {dst}>({x})"
    return "ts::moveaxis<ts::dims<{src}>, ts::dims<{dst}>>({x})"


def dynamic_index(s):
    return "ts::dynamic_index_in_dim<{axis=0}" + (">({x})" if s.params.get("keepdims", True) else ", false>({x})")


def places(s, arrays):
    """The arguments of x.at(...); the index arrays are the operands from number `arrays` on."""
    for place in s.params["index"]:
        if isinstance(place, dict):
            yield s.args[arrays + place["arg"]]
        elif isinstance(place, list):
            start, stop, step = (place + [None] * 3)[:3]
            start = ("ts::to_end" if (step or 1) < 0 else 0) if start is None else start
            yield "ts::every" if place == [None] * 3 else f"ts::span<{start}, {'ts::to_end' if stop is None else stop}, {step or 1}>()"
        else:
            yield {"...": "ts::ellipsis", "newaxis": "ts::newaxis"}.get(place, str(place))


def picked(s):
    return f"{{0}}.at({', '.join(places(s, 1))}).get({{out}})"


def updated(s):
    return f"{{0}}.at({', '.join(places(s, 2))}).{s.op.removeprefix('at_')}({{1,out}})"


def conv(s):
    """Padding as lax says it: "SAME", "VALID", or a list of [low, high]."""
    padding, options = s.params.get("padding", "SAME"), []
    options.append(f"ts::{padding.lower()}" if isinstance(padding, str) else f"ts::pads<{', '.join(str(n) for pair in padding for n in pair)}>")
    for name, ours in (("strides", "strided"), ("rhs_dilation", "dilated"), ("lhs_dilation", "lhs_dilated"), ("groups", "groups")):
        if name in s.params:
            options.append(f"ts::{ours}<{{{name}}}>")
    return f"ts::conv({{x}}, {', '.join(options)}{{,out}})"


def full(s):
    """lax.full and jnp.full: the value is a parameter, or an operand."""
    value = "{x}" if s.args else "{value}"
    return f"ts::full<{{dtype,shape}}>({value}{', {mesh_out}' if 'out_sharding' in s.params else ''})"


def axes(s):
    """The axes that a collective joins, major first."""
    given = s.params["axis"]
    return ", ".join(f"ax::{a}" for a in (given if isinstance(given, list) else [given]))


def collective(name, dims=""):
    """name<axes>(x, dims): `dims` may name parameters, and tiled is said when it is so."""

    def spelled(s):
        tiled = ", ts::tiled" if s.params.get("tiled") else ""
        return f"ts::{name}<{axes(s)}>({{x}}{dims}{tiled})"

    return spelled


def permutation(s):
    sends = ", ".join(f"ts::send<{a}, {b}>" for a, b in s.params["perm"])
    return f"ts::ppermute<{axes(s)}>({{x}}, ts::perm<{sends}>)"


def shuffle(s):
    return f"ts::pshuffle<{axes(s)}>({{x}}, ts::order<{', '.join(map(str, s.params['perm']))}>)"


def position(name):
    return lambda s: f"ts::{name}<{axes(s)}>({s.region})"


OPS = {
    # programs of one device
    "psum": collective("psum"),
    "pmean": collective("pmean"),
    "pmax": collective("pmax"),
    "pmin": collective("pmin"),
    "pvary": collective("pvary"),
    "pcast": lambda s: f"ts::pcast<{axes(s)}>({{x}}, ts::to_{s.params['to']})" if s.params["to"] in ("varying", "reduced", "unreduced") else None,
    "all_gather": lambda s: collective({"invarying": "all_gather_invariant", "reduced": "all_gather_reduced"}.get(s.params.get("to"), "all_gather"), ", ts::dim<{dim=0}>")(s),
    "all_gather_invariant": collective("all_gather_invariant", ", ts::dim<{dim=0}>"),
    "psum_scatter": collective("psum_scatter", ", ts::dim<{dim=0}>"),
    "all_to_all": collective("all_to_all", ", ts::split_dim<{split}>, ts::concat_dim<{concat}>"),
    "ppermute": permutation,
    "pshuffle": shuffle,
    "axis_index": position("axis_index"),
    "axis_size": position("axis_size"),
    "pbroadcast": lambda s: f"ts::pbroadcast<{axes(s)}>({{x}}, ts::source<{{source}}>)",
    "pswapaxes": collective("pswapaxes", ", ts::dim<{dim}>"),
    # elementwise
    "abs": "ts::abs({x})",
    "negative": "ts::negative({x})",
    "sign": "ts::sign({x})",
    "square": "ts::square({x})",
    "reciprocal": "ts::reciprocal({x})",
    "sqrt": "ts::sqrt({x})",
    "rsqrt": "ts::rsqrt({x})",
    "cbrt": "ts::cbrt({x})",
    "exp": "ts::exp({x})",
    "exp2": "ts::exp2({x})",
    "expm1": "ts::expm1({x})",
    "log": "ts::log({x})",
    "log2": "ts::log2({x})",
    "log10": "ts::log10({x})",
    "log1p": "ts::log1p({x})",
    "sin": "ts::sin({x})",
    "cos": "ts::cos({x})",
    "tan": "ts::tan({x})",
    "arcsin": "ts::arcsin({x})",
    "arccos": "ts::arccos({x})",
    "arctan": "ts::arctan({x})",
    "asin": "ts::arcsin({x})",
    "acos": "ts::arccos({x})",
    "atan": "ts::arctan({x})",
    "sinh": "ts::sinh({x})",
    "cosh": "ts::cosh({x})",
    "tanh": "ts::tanh({x})",
    "arcsinh": "ts::arcsinh({x})",
    "arccosh": "ts::arccosh({x})",
    "arctanh": "ts::arctanh({x})",
    "asinh": "ts::arcsinh({x})",
    "acosh": "ts::arccosh({x})",
    "atanh": "ts::arctanh({x})",
    "erf": "ts::erf({x})",
    "erfc": "ts::erfc({x})",
    "logistic": "ts::logistic({x})",
    "sigmoid": "ts::sigmoid({x})",
    "relu": "ts::relu({x})",
    "gelu": "ts::gelu({x})",
    "silu": "ts::silu({x})",
    "softplus": "ts::softplus({x})",
    "floor": "ts::floor({x})",
    "ceil": "ts::ceil({x})",
    "trunc": "ts::trunc({x})",
    "round": "ts::round({x})",
    "rint": "ts::rint({x})",
    "nan_to_num": "ts::nan_to_num({x})",
    "isfinite": "ts::isfinite({x})",
    "isnan": "ts::isnan({x})",
    "isinf": "ts::isinf({x})",
    "signbit": "ts::signbit({x})",
    "logical_not": "ts::logical_not({x})",
    "bitwise_not": "ts::bitwise_not({x})",
    "stop_gradient": "ts::stop_gradient({x})",
    "copy": "ts::copy({x})",
    "identity": "{x}",
    "integer_pow": "ts::integer_pow<{y}>({x})",
    "reduce_precision": "ts::reduce_precision<{exponent_bits,mantissa_bits}>({x})",
    "cast": "ts::astype<{dtype}>({x})",
    "astype": "ts::astype<{dtype}>({x})",
    "bitcast": "ts::bitcast<{dtype}>({x})",
    "add": "ts::add({x})",
    "subtract": "ts::subtract({x})",
    "multiply": "ts::multiply({x})",
    "divide": "ts::divide({x})",
    "floor_divide": "ts::floor_divide({x})",
    "remainder": "ts::remainder({x})",
    "mod": "ts::remainder({x})",
    "fmod": "ts::fmod({x})",
    "power": "ts::power({x})",
    "maximum": "ts::maximum({x})",
    "minimum": "ts::minimum({x})",
    "arctan2": "ts::arctan2({x})",
    "atan2": "ts::arctan2({x})",
    "hypot": "ts::hypot({x})",
    "copysign": "ts::copysign({x})",
    "logaddexp": "ts::logaddexp({x})",
    "equal": "ts::equal({x})",
    "not_equal": "ts::not_equal({x})",
    "less": "ts::less({x})",
    "less_equal": "ts::less_equal({x})",
    "greater": "ts::greater({x})",
    "greater_equal": "ts::greater_equal({x})",
    "logical_and": "ts::logical_and({x})",
    "logical_or": "ts::logical_or({x})",
    "logical_xor": "ts::logical_xor({x})",
    "bitwise_and": "ts::bitwise_and({x})",
    "bitwise_or": "ts::bitwise_or({x})",
    "bitwise_xor": "ts::bitwise_xor({x})",
    "left_shift": "ts::left_shift({x})",
    "right_shift": "ts::right_shift({x})",
    "shift_right_logical": "ts::shift_right_logical({x})",
    "clamp": "ts::clamp({x})",
    "clip": "ts::clip({x})",
    "where": "ts::where({x})",
    "select": "ts::select({x})",
    "select_n": "ts::select_n({x})",
    # reductions and what runs along a dimension
    "sum": "ts::sum<{axis}>({x,keepdims})",
    "prod": "ts::prod<{axis}>({x,keepdims})",
    "max": "ts::max<{axis}>({x,keepdims})",
    "min": "ts::min<{axis}>({x,keepdims})",
    "mean": "ts::mean<{axis}>({x,keepdims})",
    "any": "ts::any<{axis}>({x,keepdims})",
    "all": "ts::all<{axis}>({x,keepdims})",
    "argmax": "ts::argmax<{axis}>({x,keepdims})",
    "argmin": "ts::argmin<{axis}>({x,keepdims})",
    "var": "ts::var<{axis}>({x,keepdims})",
    "std": "ts::stddev<{axis}>({x,keepdims})",
    "ptp": "ts::ptp<{axis}>({x,keepdims})",
    "lax_reduce_sum": "ts::reduce_sum<{axes}>({x,out})",
    "lax_reduce_max": "ts::reduce_max<{axes}>({x})",
    "lax_reduce_min": "ts::reduce_min<{axes}>({x})",
    "lax_reduce_prod": "ts::reduce_prod<{axes}>({x})",
    "softmax": "ts::softmax<{axis}>({x})",
    "log_softmax": "ts::log_softmax<{axis}>({x})",
    "logsumexp": "ts::logsumexp<{axis}>({x,keepdims})",
    "cumsum": "ts::cumsum<{axis}>({x,reverse})",
    "cumprod": "ts::cumprod<{axis}>({x,reverse})",
    "cummax": "ts::cummax<{axis}>({x,reverse})",
    "cummin": "ts::cummin<{axis}>({x,reverse})",
    "cumlogsumexp": "ts::cumlogsumexp<{axis}>({x,reverse})",
    "sort": "ts::sort<{axis=-1}>({x,descending})",
    "argsort": "ts::argsort<{axis=-1}>({x,descending})",
    "top_k": "ts::top_k<{k}>({x})",
    "reduce_window": "ts::reduce_window_sum({x}, ts::window<{window}>, ts::strided<{strides}>)",
    # products
    "matmul": "ts::matmul({x,out})",
    "dot": "ts::dot({x,out})",
    "inner": "ts::inner({x,out})",
    "outer": "ts::outer({x})",
    "vdot": "ts::vdot({x,out})",
    "vecdot": "ts::vecdot({x,out})",
    "tensordot": "ts::tensordot<{axes=2}>({x,out})",
    "einsum": 'ts::einsum<"{eq}">({x,out})',
    "dot_general": "ts::dot_general<ts::contract<ts::dims<{contract.0}>, ts::dims<{contract.1}>>, "
    "ts::batch<ts::dims<{batch.0}>, ts::dims<{batch.1}>>>({x,out})",
    "conv": conv,
    "norm": "ts::norm({x})",
    "cholesky": "ts::cholesky({x})",
    "inv": "ts::inv({x})",
    "trace": "ts::trace({x})",
    "diagonal": "ts::diagonal({x})",
    # layout, shape, movement
    "reshard": "ts::reshard<{spec}>({x})",
    "wsc": "ts::with_sharding_constraint<{spec}>({x})",
    "reshape": "ts::reshape<{shape}>({x,out})",
    "ravel": lambda s: "ts::ravel({x,out})" if s.params.get("order", "C") == "C" else None,
    "broadcast_to": "ts::broadcast_to<{shape}>({x,out})",
    "broadcast_in_dim": "ts::broadcast_in_dim<ts::shape<{shape}>{,dims}>({x,out})",
    "expand_dims": "ts::expand_dims<{axis}>({x})",
    "squeeze": "ts::squeeze<{axis}>({x})",
    "transpose": "ts::transpose<{perm}>({x})",
    "swapaxes": "ts::swapaxes<{a}, {b}>({x})",
    "moveaxis": moveaxis,
    "flip": "ts::flip<{axis}>({x})",
    "roll": "ts::roll<{shift,axis}>({x})",
    "tile": "ts::tile<{reps}>({x})",
    "repeat": "ts::repeat<{n,axis}>({x,out})",
    "concatenate": "ts::concatenate<{axis=0}>({x})",
    "stack": "ts::stack<{axis=0}>({x})",
    "unstack": "ts::unstack<{axis=0}>({x})",
    "split": split_parts,
    "lax_split": split_sizes,
    "slice": "ts::slice({x}, ts::starts<{start}>, ts::limits<{limit}>, ts::steps<{strides}>)",
    "dynamic_slice": "ts::dynamic_slice<{sizes}>({x,starts})",
    "dynamic_update_slice": lambda s: "ts::update_slice({x}, ts::starts<{starts}>)" if "starts" in s.params else "ts::dynamic_update_slice({x})",
    "dynamic_index": dynamic_index,
    "pad": pad,
    "triu": "ts::triu<{k}>({x})",
    "tril": "ts::tril<{k}>({x})",
    "index": picked,
    "at_get": picked,
    "at_set": updated,
    "at_add": updated,
    "at_multiply": updated,
    "at_min": updated,
    "at_max": updated,
    "take": "ts::take<{axis}>({x,out})",
    "take_along_axis": "ts::take_along_axis<{axis}>({x})",
    # values out of nothing
    "zeros": "ts::zeros<{dtype=float,shape}>({mesh_out})",
    "ones": "ts::ones<{dtype=float,shape}>({mesh_out})",
    "full": full,
    "zeros_like": "ts::zeros_like({x})",
    "ones_like": "ts::ones_like({x})",
    "full_like": "ts::full_like({x,value})",
    "iota": "ts::iota<{dtype=ts::int32,dimension=0,shape}>({mesh_out})",
    "arange": "ts::arange<{dtype=ts::int32,n}>({mesh_out})",
    "eye": "ts::eye<{n}, {n}, 0{,dtype}>({mesh_out})",
    "one_hot": "ts::one_hot<{n}, {dtype=float}{,axis}>({x})",
}
