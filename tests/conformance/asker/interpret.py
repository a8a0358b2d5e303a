# SPDX-License-Identifier: Apache-2.0
"""A case of the format, run by an installed JAX: what it answers. Shares no code with Tessera."""

import os
import re

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import jax._src.lax.parallel as parallel  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax, nn  # noqa: E402
from jax.sharding import AxisType, NamedSharding, PartitionSpec  # noqa: E402

KINDS = {"explicit": AxisType.Explicit, "auto": AxisType.Auto}


class NotOurs(Exception):
    """The case uses what this interpreter does not know."""


def spec(value):
    states = {}
    if isinstance(value, dict):
        states = {k: set(value[k]) for k in ("unreduced", "reduced") if value.get(k)}
        value = value["spec"]
    return PartitionSpec(*[tuple(e) if isinstance(e, list) else e for e in value], **states)


def several(value):
    return tuple(value) if isinstance(value, list) else value


def axes(p):
    return several(p["axis"])


def laid_out(p):
    return {"out_sharding": spec(p["out_sharding"])} if "out_sharding" in p else {}


def places(p, arrays):
    for place in p["index"]:
        if isinstance(place, dict):
            yield arrays[place["arg"]]
        elif isinstance(place, list):
            yield slice(*(place + [None] * 3)[:3])
        else:
            yield {"...": ..., "newaxis": None}.get(place, place)


def updated(name):
    return lambda a, p: getattr(a[0].at[tuple(places(p, a[2:]))], name)(a[1], **laid_out(p))


def reduced(name):
    return lambda a, p: getattr(jnp, name)(*a, axis=several(p.get("axis")), keepdims=p.get("keepdims", False))


def gathered(a, p):
    to = {"to": p["to"]} if "to" in p else {}
    return lax.all_gather(*a, axes(p), axis=p.get("dim", 0), tiled=p.get("tiled", False), **to)


def convolved(a, p):
    places = a[0].ndim - 2
    padding = p.get("padding", "SAME")
    return lax.conv_general_dilated(
        *a, several(p.get("strides", [1] * places)), padding if isinstance(padding, str) else list(map(tuple, padding)),
        lhs_dilation=several(p.get("lhs_dilation")), rhs_dilation=several(p.get("rhs_dilation")),
        feature_group_count=p.get("groups", 1), **laid_out(p))


OPS = {
    "psum": lambda a, p: lax.psum(*a, axes(p)),
    "pmean": lambda a, p: lax.pmean(*a, axes(p)),
    "pmax": lambda a, p: lax.pmax(*a, axes(p)),
    "pmin": lambda a, p: lax.pmin(*a, axes(p)),
    "pvary": lambda a, p: lax.pvary(*a, axes(p)),
    "pcast": lambda a, p: lax.pcast(*a, axes(p), to=p["to"]),
    "all_gather": gathered,
    "all_gather_invariant": lambda a, p: parallel.all_gather_invariant(*a, axes(p), axis=p.get("dim", 0), tiled=p.get("tiled", False)),
    "psum_scatter": lambda a, p: lax.psum_scatter(*a, axes(p), scatter_dimension=p.get("dim", 0), tiled=p.get("tiled", False)),
    "all_to_all": lambda a, p: lax.all_to_all(*a, axes(p), p["split"], p["concat"], tiled=p.get("tiled", False)),
    "ppermute": lambda a, p: lax.ppermute(*a, axes(p), [tuple(x) for x in p["perm"]]),
    "pshuffle": lambda a, p: lax.pshuffle(*a, axes(p), p["perm"]),
    "axis_index": lambda a, p: lax.axis_index(axes(p)),
    "axis_size": lambda a, p: lax.axis_size(axes(p)),
    "pbroadcast": lambda a, p: lax.pbroadcast(*a, axes(p), p["source"]),
    "pswapaxes": lambda a, p: lax.pswapaxes(*a, axes(p), p["dim"]),
    "identity": lambda a, p: a[0],
    "integer_pow": lambda a, p: lax.integer_pow(a[0], p["y"]),
    "reduce_precision": lambda a, p: lax.reduce_precision(a[0], 8, 7),
    "cast": lambda a, p: a[0].astype(p["dtype"]),
    "bitcast": lambda a, p: lax.bitcast_convert_type(a[0], jnp.dtype(p["dtype"])),
    "clamp": lambda a, p: lax.clamp(*a),
    "select": lambda a, p: lax.select(*a),
    "where": lambda a, p: jnp.where(*a),
    "lax_reduce_sum": lambda a, p: lax.reduce_sum(a[0], tuple(p["axes"]), **laid_out(p)),
    "lax_reduce_max": lambda a, p: lax.reduce_max(a[0], tuple(p["axes"])),
    "logsumexp": lambda a, p: nn.logsumexp(a[0], axis=several(p.get("axis")), keepdims=p.get("keepdims", False)),
    "softmax": lambda a, p: nn.softmax(a[0], axis=p.get("axis", -1)),
    "log_softmax": lambda a, p: nn.log_softmax(a[0], axis=p.get("axis", -1)),
    "argmax": lambda a, p: jnp.argmax(a[0], axis=p.get("axis"), keepdims=p.get("keepdims", False)),
    "argmin": lambda a, p: jnp.argmin(a[0], axis=p.get("axis"), keepdims=p.get("keepdims", False)),
    "cumsum": lambda a, p: lax.cumsum(a[0], p["axis"]),
    "cumprod": lambda a, p: lax.cumprod(a[0], p["axis"]),
    "cummax": lambda a, p: lax.cummax(a[0], p["axis"]),
    "sort": lambda a, p: jnp.sort(a[0], axis=p.get("axis", -1)),
    "argsort": lambda a, p: jnp.argsort(a[0], axis=p.get("axis", -1)),
    "top_k": lambda a, p: tuple(lax.top_k(a[0], p["k"])),
    "reduce_window": lambda a, p: lax.reduce_window(a[0], 0.0, lax.add, tuple(p["window"]), tuple(p["strides"]), "VALID"),
    "matmul": lambda a, p: jnp.matmul(*a, **laid_out(p)),
    "dot": lambda a, p: jnp.dot(*a, **laid_out(p)),
    "inner": lambda a, p: jnp.inner(*a),
    "outer": lambda a, p: jnp.outer(*a),
    "vdot": lambda a, p: jnp.vdot(*a),
    "tensordot": lambda a, p: jnp.tensordot(*a, axes=several(p.get("axes", 2))),
    "einsum": lambda a, p: jnp.einsum(p["eq"], *a, **laid_out(p)),
    "dot_general": lambda a, p: lax.dot_general(*a, ((tuple(p["contract"][0]), tuple(p["contract"][1])), tuple(map(tuple, p.get("batch", [[], []])))), **laid_out(p)),
    "conv": convolved,
    "norm": lambda a, p: jnp.linalg.norm(a[0]),
    "cholesky": lambda a, p: jnp.linalg.cholesky(a[0]),
    "inv": lambda a, p: jnp.linalg.inv(a[0]),
    "trace": lambda a, p: jnp.trace(a[0]),
    "diagonal": lambda a, p: jnp.diagonal(a[0]),
    "reshard": lambda a, p: jax.sharding.reshard(a[0], spec(p["spec"])),
    "wsc": lambda a, p: lax.with_sharding_constraint(a[0], spec(p["spec"])),
    "reshape": lambda a, p: lax.reshape(a[0], tuple(p["shape"]), **laid_out(p)) if "out_sharding" in p else jnp.reshape(a[0], tuple(p["shape"])),
    "ravel": lambda a, p: jnp.ravel(a[0], **laid_out(p)),
    "broadcast_to": lambda a, p: jnp.broadcast_to(a[0], tuple(p["shape"]), **laid_out(p)),
    "broadcast_in_dim": lambda a, p: lax.broadcast_in_dim(a[0], tuple(p["shape"]), tuple(p["dims"]), **laid_out(p)),
    "expand_dims": lambda a, p: jnp.expand_dims(a[0], several(p["axis"])),
    "squeeze": lambda a, p: jnp.squeeze(a[0], several(p.get("axis"))),
    "transpose": lambda a, p: jnp.transpose(a[0], several(p.get("perm"))),
    "swapaxes": lambda a, p: jnp.swapaxes(a[0], p["a"], p["b"]),
    "moveaxis": lambda a, p: jnp.moveaxis(a[0], several(p["src"]), several(p["dst"])),
    "flip": lambda a, p: jnp.flip(a[0], several(p.get("axis"))),
    "roll": lambda a, p: jnp.roll(a[0], several(p["shift"]), several(p.get("axis"))),
    "tile": lambda a, p: jnp.tile(a[0], tuple(p["reps"])),
    "repeat": lambda a, p: jnp.repeat(a[0], p["n"], axis=p.get("axis")),
    "concatenate": lambda a, p: jnp.concatenate(a[0], axis=p.get("axis", 0)),
    "stack": lambda a, p: jnp.stack(a[0], axis=p.get("axis", 0)),
    "unstack": lambda a, p: jnp.unstack(a[0], axis=p.get("axis", 0)),
    "split": lambda a, p: jnp.split(a[0], p["n"], axis=p.get("axis", 0)),
    "lax_split": lambda a, p: lax.split(a[0], p["sizes"], axis=p["axis"]),
    "slice": lambda a, p: lax.slice(a[0], p["start"], p["limit"], p.get("strides")),
    "dynamic_slice": lambda a, p: lax.dynamic_slice(a[0], p["starts"] if "starts" in p else a[1:], p["sizes"]),
    "dynamic_update_slice": lambda a, p: lax.dynamic_update_slice(a[0], a[1], p["starts"] if "starts" in p else a[2:]),
    "dynamic_index": lambda a, p: lax.dynamic_index_in_dim(a[0], a[1], axis=p.get("axis", 0), keepdims=p.get("keepdims", True)),
    "pad": lambda a, p: lax.pad(a[0], a[1] if len(a) > 1 else jnp.zeros((), a[0].dtype), [tuple(c) for c in p["config"]]),
    "triu": lambda a, p: jnp.triu(a[0]),
    "tril": lambda a, p: jnp.tril(a[0]),
    "index": lambda a, p: a[0][tuple(places(p, a[1:]))],
    "at_get": lambda a, p: a[0].at[tuple(places(p, a[1:]))].get(**laid_out(p)),
    "at_set": updated("set"),
    "at_add": updated("add"),
    "at_multiply": updated("multiply"),
    "at_min": updated("min"),
    "at_max": updated("max"),
    "take": lambda a, p: jnp.take(*a, axis=p.get("axis")),
    "take_along_axis": lambda a, p: jnp.take_along_axis(*a, axis=p["axis"]),
    "zeros": lambda a, p: jnp.zeros(tuple(p["shape"]), p.get("dtype", "float32"), **laid_out(p)),
    "ones": lambda a, p: jnp.ones(tuple(p["shape"]), p.get("dtype", "float32"), **laid_out(p)),
    "full": lambda a, p: jnp.full(tuple(p["shape"]), a[0] if a else p["value"], p.get("dtype"), **laid_out(p)),
    "full_like": lambda a, p: jnp.full_like(a[0], p["value"]),
    "iota": lambda a, p: lax.broadcasted_iota(jnp.dtype(p["dtype"]), tuple(p["shape"]), p["dimension"], **laid_out(p)),
    "arange": lambda a, p: jnp.arange(p["n"], dtype=p.get("dtype"), **laid_out(p)),
    "eye": lambda a, p: jnp.eye(p["n"], dtype=p.get("dtype")),
    "one_hot": lambda a, p: nn.one_hot(a[0], p["n"], axis=p.get("axis", -1)),
    "remainder": lambda a, p: jnp.remainder(*a),
    "divide": lambda a, p: jnp.divide(*a),
    "power": lambda a, p: jnp.power(*a),
    "stop_gradient": lambda a, p: lax.stop_gradient(a[0]),
    "rsqrt": lambda a, p: lax.rsqrt(a[0]),
    "erf": lambda a, p: lax.erf(a[0]),
    "logistic": lambda a, p: lax.logistic(a[0]),
    "relu": lambda a, p: nn.relu(a[0]),
    "gelu": lambda a, p: nn.gelu(a[0]),
    "silu": lambda a, p: nn.silu(a[0]),
}
OPS |= {name: reduced(name) for name in ("sum", "prod", "max", "min", "mean", "any", "all", "var", "std")}


class Interpreter:
    """Runs bodies, and notes in `inner` the type of each value by its dotted name."""

    def __init__(self):
        self.inner = {}

    def function(self, f, prefix, outside):
        def call(*given):
            env = dict(outside, **dict(zip(f["args"], given)))
            for name in f["args"]:
                self.note(prefix + name, env[name])
            for result, op, args, *params in f["body"]:
                names = [result] if isinstance(result, str) else result
                made = self.run(op, [self.value(x, env) for x in args], params[0] if params else {}, f"{prefix}{names[0]}.", env)
                made = [made] if isinstance(result, str) else list(made) if isinstance(made, (tuple, list)) else [made]
                for name, x in zip(names, made):
                    env[name] = x
                    self.note(prefix + name, x)
            outs = tuple(self.value(o, env) for o in f["outs"])
            return outs[0] if len(outs) == 1 else outs

        return call

    def value(self, x, env):
        if isinstance(x, list):
            return [self.value(y, env) for y in x]
        return env[x] if isinstance(x, str) else x

    def note(self, name, x):
        if isinstance(x, (jax.Array, bool, int, float)):
            self.inner[name] = str(jax.typeof(x))

    def run(self, op, a, p, prefix, env):
        def inside(f, part=""):
            return self.function(f, prefix + part, env)

        def carried(f):
            return lambda *x: as_tuple(f(*x))

        if op == "shard_map":
            given = {k: p[k] for k in ("check_vma",) if k in p}
            if p.get("axis_names") is not None:
                given["axis_names"] = set(p["axis_names"])
            if p.get("in_specs") is not None:
                given["in_specs"] = tuple(spec(s) for s in p["in_specs"])
            outs = tuple(spec(s) for s in p["out_specs"])
            return jax.shard_map(inside(p["fn"]), out_specs=outs[0] if len(outs) == 1 else outs, **given)(*a)
        if op == "scan":
            n, body = p["n_carry"], carried(inside(p["fn"]))

            def turn(carry, x):
                out = body(*carry, *(x or ()))
                return out[:n], out[n:]

            last, all_ys = lax.scan(turn, tuple(a[:n]), tuple(a[n:]) or None, length=p.get("length"), reverse=p.get("reverse", False))
            return last + all_ys
        if op == "fori":
            body = carried(inside(p["fn"]))
            return lax.fori_loop(p["lo"], p["hi"], lambda i, carry: body(i, *carry), tuple(a))
        if op == "while":
            test, body = inside(p["cond_fn"], "cond."), carried(inside(p["fn"]))
            return lax.while_loop(lambda x: test(*x), lambda x: body(*x), tuple(a))
        if op == "cond":
            return lax.cond(a[0], inside(p["true_fn"], "true."), inside(p["false_fn"], "false."), *a[1:])
        if op == "switch":
            return lax.switch(a[0], [inside(b, f"b{i}.") for i, b in enumerate(p["branches"])], *a[1:])
        if op == "vmap":
            return jax.vmap(inside(p["fn"]), several(p.get("in_axes", 0)), several(p.get("out_axes", 0)))(*a)
        if op == "remat":
            return jax.remat(inside(p["fn"]))(*a)
        if op == "jit" and "out_shardings" not in p:
            return jax.jit(inside(p["fn"]))(*a)
        if op == "jvp":
            count = len(p["fn"]["args"])
            y, ty = jax.jvp(inside(p["fn"]), tuple(a[:count]), tuple(a[count:]))
            return as_tuple(y) + as_tuple(ty)
        if op == "vjp":
            count = len(p["fn"]["args"])
            y, pullback = jax.vjp(inside(p["fn"]), *a[:count])
            return as_tuple(y) + pullback(a[count] if len(p["fn"]["outs"]) == 1 else tuple(a[count:]))
        if op in ("jacfwd", "jacrev", "hessian"):
            return getattr(jax, op)(inside(p["fn"]))(*a)
        if op in ("grad", "value_and_grad"):
            out = getattr(jax, op)(inside(p["fn"]), argnums=several(p.get("argnums", [0])))(*a)
            if op == "grad":
                return out[0] if len(out) == 1 else out
            return (out[0], *out[1])
        if op in OPS:
            return OPS[op](a, p)
        for module in (jnp, lax, nn):
            if hasattr(module, op) and not p:
                return getattr(module, op)(*a)
        raise NotOurs(op)


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


def names(text):
    return text[1:-1].split(",") if text.startswith("(") else [text]


def described(aval):
    """The TYPE of the case format."""
    text = str(aval)
    weak, dtype, dims, marks = re.fullmatch(r"(~?)(\w+)(?:<\w+>)?\[(.*?)\](?:\{(.*)\})?", text).groups()
    sizes = re.findall(r"(\d+)(?:@(\([^)]*\)|\w+))?", dims)
    made = {"str": text, "dtype": dtype, "shape": [int(n) for n, _ in sizes], "spec": [], "vma": []}
    for _, split in sizes:
        made["spec"].append(None if not split else split if split[0] != "(" else names(split))
    for mark, over in re.findall(r"(\w):(\([^)]*\)|\w+)", marks or ""):
        made[{"V": "vma", "U": "unreduced", "R": "reduced"}[mark]] = names(over)
    if weak:
        made["weak"] = True
    return made


def values(given):
    """arange(n) + start, then % mod, row-major; bool: even."""
    flat = np.arange(int(np.prod(given["shape"]))) + given.get("start", 0)
    flat = (flat % given["mod"] if "mod" in given else flat).reshape(given["shape"])
    return flat % 2 == 0 if given["dtype"] == "bool" else flat.astype(jnp.dtype(given["dtype"]))


def ask(case, runs=False):
    """{"types": ...} or {"raised": message, "exception": name}; with both "inner", and where it runs "values"."""
    sizes = [m[1] for m in case["mesh"]]
    mesh = jax.make_mesh(
        tuple(sizes),
        tuple(m[0] for m in case["mesh"]),
        axis_types=tuple(KINDS[m[2]] for m in case["mesh"]),
        devices=jax.devices()[: int(np.prod(sizes))],
    )
    interpreter = Interpreter()
    program = {"args": [i["name"] for i in case["inputs"]], "body": case["body"], "outs": case["outs"]}
    try:
        with jax.set_mesh(mesh):
            args = []
            for given in case["inputs"]:
                sharding = NamedSharding(mesh, spec(given["spec"]))
                shape = jax.ShapeDtypeStruct(tuple(given["shape"]), jnp.dtype(given["dtype"]), sharding=sharding)
                args.append(jax.device_put(values(given), sharding) if runs else shape)
            traced = jax.jit(interpreter.function(program, "", {})).trace(*args)
            lowered = traced.lower()
            answer = {"types": [described(aval) for aval in traced.jaxpr.out_avals]}
            if runs:
                answer["values"] = [np.asarray(x).tolist() for x in as_tuple(lowered.compile()(*args))]
    except NotOurs:
        raise
    except Exception as error:  # whatever JAX raises is its answer
        answer = {"raised": str(error), "exception": type(error).__name__}
    answer["inner"] = {k: v for k, v in interpreter.inner.items() if k not in program["args"]}
    return answer
