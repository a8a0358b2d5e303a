# SPDX-License-Identifier: Apache-2.0
"""A case as C++ that a user would write: axes, mesh, argument types, and one function object."""

import re

from .ops import OPS

DTYPES = {
    "bool": "bool",
    **{name: f"ts::{name}" for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")},
    "float16": "ts::float16", "bfloat16": "ts::bfloat16",
    "float32": "float", "float64": "double", "complex64": "ts::complex64", "complex128": "ts::complex128",
}
STRUCTURED = {"grad", "value_and_grad", "jit", "remat", "shard_map", "scan", "fori", "while", "cond", "switch", "vmap", "auto_axes", "explicit_axes", "jvp", "vjp", "jacfwd", "jacrev", "hessian"}
CONTROL = {"scan", "fori", "while", "cond", "switch"}
KINDS = {"explicit": "explicit_axis", "default": "explicit_axis", "auto": "auto_axis", "manual": "manual_axis"}


class NoSpelling(Exception):
    """What has no C++ yet and stands in no feature either: a difference."""


def variable(name):
    """A name that is neither a keyword nor one of ours."""
    return f"{name}_"


def literal(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def flat(value):
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, list):
            yield from flat(item)
        else:
            yield item


def entry(value):
    if value is None:
        return "ts::none"
    if isinstance(value, str):
        return f"ax::{value}"
    if not value:
        return "ts::none"
    return f"ax::{value[0]}" if len(value) == 1 else "ts::axes<" + ", ".join(f"ax::{a}" for a in value) + ">"


def spec(value):
    """P<...>; unreduced and reduced axes are entries too."""
    if isinstance(value, dict):
        parts = [entry(e) for e in value.get("spec", [])]
        for state in ("unreduced", "reduced"):
            if value.get(state):
                parts.append(f"ts::{state}<" + ", ".join(f"ax::{a}" for a in value[state]) + ">")
    else:
        parts = [entry(e) for e in value or []]
    return f"ts::P<{', '.join(parts)}>"


def dtype(name):
    if name not in DTYPES:
        raise NoSpelling(f"no element type {name}")
    return DTYPES[name]


def axes_named(value):
    """All axis names in a case's specs."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from axes_named(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from axes_named(item)


def mesh(case):
    return "ts::mesh<" + ", ".join(f"ts::{KINDS[kind]}<ax::{name}, {size}>" for name, size, kind in case["mesh"]) + ">"


class Parameters(dict):
    """A statement's parameters, which remembers those that its C++ was made from."""

    def __init__(self, given):
        super().__init__(given)
        self.said = set()

    def __contains__(self, name):
        self.said.add(name)
        return super().__contains__(name)

    def __getitem__(self, name):
        self.said.add(name)
        return super().__getitem__(name)

    def get(self, name, otherwise=None):
        self.said.add(name)
        return super().get(name, otherwise)


class Statement:
    def __init__(self, case, statement, names):
        self.result, self.op, args, *params = statement
        self.results = self.result if isinstance(self.result, list) else [self.result]
        self.params = Parameters(params[0] if params else {})
        self.case = case
        self.args = [self.argument(a, names) for a in args]

    def argument(self, arg, names):
        if isinstance(arg, list):
            return "std::make_tuple(" + ", ".join(self.argument(a, names) for a in arg) + ")"
        return names.get(arg, arg) if isinstance(arg, str) else literal(arg)

    def item(self, name):
        """The text of one item of a table's text, "" when it is not there."""
        name, _, otherwise = name.partition("=")
        if name == "x":
            return ", ".join(self.args)
        if name.isdigit():
            return self.args[int(name)]
        if name in ("out", "mesh_out"):
            given = self.params.get("out_sharding")
            return "" if given is None else f"ts::out_sharding<{spec(given)}{', ' + mesh(self.case) if name == 'mesh_out' else ''}>"
        if name in ("keepdims", "reverse", "descending"):
            return f"ts::{name}" if self.params.get(name) else ""
        name, row, column = (re.split("[.#]", name) + [""])[0], name.partition(".")[2], name.partition("#")[2]
        value = self.params.get(name)
        if value is None:
            return otherwise
        if name == "dtype":
            return dtype(value)
        if name == "spec":
            return spec(value)
        if row:
            value = value[int(row)]
        if column:
            value = [part[int(column)] for part in value]
        if isinstance(value, str):
            return value
        return ", ".join(map(literal, value)) if isinstance(value, list) else literal(value)

    def fill(self, text):
        def replace(match):
            lead = match[1].startswith(",")
            items = [t for t in (self.item(n) for n in match[1].strip(",").split(",")) if t]
            return (", " if lead and items else "") + ", ".join(items)

        return re.sub(r"\{([^{}]+)\}", replace, text)

    def spelled(self):
        """The expression of the result or of the tuple of results; or a list with one for each."""
        text = OPS.get(self.op)
        if text is None:
            raise NoSpelling(f"no spelling of {self.op}")
        if callable(text):
            text = text(self)
        if text is None:
            raise NoSpelling(f"no spelling of {self.op} with {self.params}")
        return self.fill(text) if isinstance(text, str) else [self.fill(t) for t in text]


class Program:
    """The body of a case: statements with a note of the type of each value that the case's expectation names."""

    def __init__(self, case, number):
        self.case, self.number = case, number
        expect = case["expect"]
        self.slots = list(case["outs"]) + [n for n in expect.get("inner", {}) if n not in case["outs"]]
        self.counter = 0

    def note(self, path, expression):
        return f" note<{self.number}, {self.slots.index(path)}>({expression});" if path in self.slots else ""

    def fresh(self, name="t"):
        self.counter += 1
        return f"{name}{self.counter}"

    def function(self, fn, path, names):
        """A lambda that captures what it needs."""
        own = {**names, **{a: variable(a) for a in fn["args"]}}
        notes = "".join(self.note(f"{path}.{a}", own[a]) for a in fn["args"])
        return f"[&]({', '.join('auto const& ' + own[a] for a in fn['args'])}) {{{notes}{self.body(fn, path + '.', own)} }}"

    def body(self, fn, prefix, names):
        """Statements; `names` has the variable of each value, and gets those of the results."""
        lines = []
        for statement in fn["body"]:
            s = Statement(self.case, statement, names)
            s.variables = [self.fresh(name) if name in names else variable(name) for name in s.results]
            s.region = names[fn["args"][0]] if fn.get("args") else next(iter(names.values()), "")
            lines += self.structured(s, prefix, names) if s.op in STRUCTURED else self.plain(s)
            unsaid = {n for n, value in s.params.items() if value is not None and value is not False} - s.params.said
            if unsaid:
                raise NoSpelling(f"{s.op}: the C++ does not say {', '.join(sorted(unsaid))}")
            for name, own in zip(s.results, s.variables):
                names[name] = own
                lines[-1] += self.note(prefix + name, f"{own}, {s.region}" if s.region else own)
        outs = [names[o] for o in fn["outs"]]
        lines.append(f"return {outs[0]};" if len(outs) == 1 else f"return std::make_tuple({', '.join(outs)});")
        return "".join("\n    " + line for line in lines)

    def plain(self, s):
        spelled = s.spelled()
        if isinstance(spelled, list):
            return [f"auto const {own} = {part};" for own, part in zip(s.variables, spelled, strict=True)]
        if not isinstance(s.result, list):
            return [f"auto const {s.variables[0]} = {spelled};"]
        whole = self.fresh()
        return [f"auto const {whole} = {spelled};"] + [f"auto const {own} = std::get<{i}>({whole});" for i, own in enumerate(s.variables)]

    def over_trees(self, fn, path, names, counts):
        """A lambda of tuples, one for each of `counts`, that has their parts as its arguments."""
        own = {**names, **{a: variable(a) for a in fn["args"]}}
        args, lines, first = [], [], 0
        for count in counts:
            tree = self.fresh()
            args.append(f"auto const& {tree}")
            for i, a in enumerate(fn["args"][first : first + count]):
                lines.append(f" auto const& {own[a]} = std::get<{i}>({tree});" + self.note(f"{path}.{a}", own[a]))
            first += count
        return args, "".join(lines), own

    @staticmethod
    def tree(values):
        return "std::make_tuple(" + ", ".join(values) + ")"

    def outs(self, fn, path, own):
        """The body's statements without its return, and the variables of its results."""
        body = self.body(fn, path + ".", own)
        return body[: body.rindex("\n")], [own[o] for o in fn["outs"]]

    def control(self, s, prefix, names):
        """Loops and branches; several values are carried as tuples."""
        p, path = s.params, f"{prefix}{s.results[0]}"
        if s.op in ("cond", "switch"):
            branches = p.get("branches") or [p["true_fn"], p["false_fn"]]
            marks = [f"b{i}" for i in range(len(branches))] if s.op == "switch" else ["true", "false"]
            functions = [self.function(fn, f"{path}.{mark}", dict(names)) for fn, mark in zip(branches, marks)]
            call = ", ".join([s.args[0], *(functions if s.op == "cond" else [self.tree(functions)]), *s.args[1:]])
            call = f"ts::{'cond' if s.op == 'cond' else 'switch_'}({call})"
            return [f"auto const {s.variables[0]} = {call};"] if len(s.results) == 1 else self.taken(s, call)
        if s.op == "while":
            functions = []
            for fn, mark in ((p["cond_fn"], ".cond"), (p["fn"], "")):
                args, lead, own = self.over_trees(fn, path + mark, dict(names), [len(fn["args"])])
                body, outs = self.outs(fn, path + mark, own)
                functions.append(f"[&]({args[0]}) {{{lead}{body}\n    return {outs[0] if mark else self.tree(outs)}; }}")
            return self.taken(s, f"ts::while_loop({', '.join(functions)}, {self.tree(s.args)})")
        fn = p["fn"]
        if s.op == "fori":
            index = fn["args"][0]
            args, lead, own = self.over_trees({**fn, "args": fn["args"][1:]}, path, {**names, index: variable(index)}, [len(fn["args"]) - 1])
            lead = self.note(f"{path}.{index}", own[index]) + lead
            body, outs = self.outs(fn, path, own)
            function = f"[&](auto const& {own[index]}, {args[0]}) {{{lead}{body}\n    return {self.tree(outs)}; }}"
            return self.taken(s, f"ts::fori_loop({p['lo']}, {p['hi']}, {function}, {self.tree(s.args)})")
        carried, sliced = p["n_carry"], len(fn["args"]) - p["n_carry"]
        args, lead, own = self.over_trees(fn, path, dict(names), [carried, sliced] if sliced else [carried])
        body, outs = self.outs(fn, path, own)
        function = f"[&]({', '.join(args)}) {{{lead}{body}\n    return std::make_tuple({self.tree(outs[:carried])}, {self.tree(outs[carried:])}); }}"
        trees = [self.tree(s.args[:carried])] + ([self.tree(s.args[carried:])] if sliced else [])
        length = "" if sliced else f"<{p['length']}>"
        call = f"ts::scan{length}({', '.join([function, *trees] + (['ts::reversed'] if p.get('reverse') else []))})"
        whole = self.fresh()
        parts = [f"std::get<{i}>(std::get<0>({whole}))" for i in range(carried)]
        parts += [f"std::get<{i}>(std::get<1>({whole}))" for i in range(len(outs) - carried)]
        return [f"auto const {whole} = {call};"] + [f"auto const {own} = {part};" for own, part in zip(s.variables, parts)]

    def taken(self, s, call):
        whole = self.fresh()
        return [f"auto const {whole} = {call};"] + [f"auto const {own} = std::get<{i}>({whole});" for i, own in enumerate(s.variables)]

    def differentiated(self, s, function):
        count, outs = len(s.params["fn"]["args"]), len(s.params["fn"]["outs"])
        first, second = s.args[:count], s.args[count:]
        whole = self.fresh()

        def parts(of, n):
            return [f"std::get<{i}>({of})" for i in range(n)] if n > 1 else [of]

        if s.op == "jvp":
            lines = [f"auto const {whole} = ts::jvp({function}, std::make_tuple({', '.join(first)}), std::make_tuple({', '.join(second)}));"]
            own = parts(f"std::get<0>({whole})", outs) + parts(f"std::get<1>({whole})", outs)
        else:
            given = second[0] if outs == 1 else f"std::make_tuple({', '.join(second)})"
            lines = [f"auto const {whole} = ts::vjp({function}, {', '.join(first)});", f"auto const {whole}_c = std::get<1>({whole})({given});"]
            own = parts(f"std::get<0>({whole})", outs) + [f"std::get<{i}>({whole}_c)" for i in range(count)]
        return lines + [f"auto const {name} = {part};" for name, part in zip(s.variables, own)]

    def structured(self, s, prefix, names):
        if s.op in CONTROL:
            return self.control(s, prefix, names)
        function = self.function(s.params["fn"], f"{prefix}{s.results[0] if isinstance(s.result, list) else s.result}", dict(names))
        if s.op in ("jvp", "vjp"):
            return self.differentiated(s, function)
        args = ", ".join(s.args)
        layouts = (s.params.get("out_shardings") or []) if s.op == "jit" else []
        if s.op == "jit":  # inside a traced function a call is all it is
            call = f"{function}({args})"
        elif s.op == "vmap":
            call = f"ts::vmap<{', '.join(mapped(s.params))}>({function})({args})"
        elif s.op == "shard_map":
            call = f"ts::shard_map<{', '.join(regions(s.params))}>({function})({args})"
        elif s.op in ("auto_axes", "explicit_axes"):
            call = f"ts::{s.op}<{', '.join(kinds(s.op, s.params))}>({function})({args})"
        elif s.op in ("jacfwd", "jacrev", "hessian"):
            call = f"ts::{s.op}({function})({args})"
        elif s.op == "remat":
            call = f"ts::remat({function})({args})"
        else:
            call = f"ts::{s.op}<{', '.join(map(str, s.params['argnums']))}>({function})({args})"
        if len(s.results) == 1 and s.op != "value_and_grad":
            parts, lines = [call], []
        else:
            whole = self.fresh()
            lines = [f"auto const {whole} = {call};"]
            if s.op == "value_and_grad":
                several = len(s.params["argnums"]) > 1
                gradients = f"std::get<1>({whole})"
                parts = [f"std::get<0>({whole})"] + [f"std::get<{i}>({gradients})" if several else gradients for i in range(len(s.results) - 1)]
            else:
                parts = [f"std::get<{i}>({whole})" for i in range(len(s.results))]
        for layout, i in zip(layouts, range(len(parts))):
            parts[i] = f"ts::reshard<{spec(layout)}>({parts[i]})"
        return lines + [f"auto const {own} = {part};" for own, part in zip(s.variables, parts)]


def regions(params):
    """The template arguments of shard_map."""
    if params.get("in_specs") is not None:
        yield "ts::in_specs<" + ", ".join(map(spec, params["in_specs"])) + ">"
    yield "ts::out_specs<" + ", ".join(map(spec, params["out_specs"])) + ">"
    if params.get("axis_names"):
        yield "ts::axis_names<" + ", ".join(f"ax::{a}" for a in params["axis_names"]) + ">"
    if not params.get("check_vma", True):
        yield "ts::check_vma<false>"


def kinds(op, params):
    """The template arguments of auto_axes and explicit_axes."""
    axes = params.get("axes")
    if axes:
        yield "ts::axis_names<" + ", ".join(f"ax::{a}" for a in (axes if isinstance(axes, list) else [axes])) + ">"
    given = params.get("out_sharding" if op == "auto_axes" else "in_sharding")
    if given is not None:
        specs = [given] if op == "auto_axes" else given
        specs = given["multi"] if isinstance(given, dict) and "multi" in given else specs
        yield f"ts::{'out' if op == 'auto_axes' else 'in'}_shardings<" + ", ".join(map(spec, specs)) + ">"


def mapped(params):
    """The template arguments of vmap."""
    for option in ("in_axes", "out_axes"):
        given = params.get(option)
        if given is not None:
            given = given if isinstance(given, list) else [given]
            yield f"ts::{option}<" + ", ".join("ts::unmapped" if d is None else str(d) for d in given) + ">"
    if params.get("axis_name"):
        yield f"ts::axis_names<ax::{params['axis_name']}>"


def input_type(case, value):
    return f"argument<{dtype(value['dtype'])}, ts::shape<{', '.join(map(str, value['shape']))}>, {spec(value['spec'])}, {mesh(case)}>"


def source(value):
    data = ", ".join(map(literal, flat(value["data"]))) if "data" in value else ""
    return f"source{{{value.get('start', 0)}, {value.get('mod', 0)}, {{{data}}}}}"


def cpp(case, number, values):
    """The C++ of one case: a namespace with the program, and the call that reports on it."""
    program = Program(case, number)
    names = {value["name"]: variable(value["name"]) for value in case["inputs"]}
    notes = "".join(program.note(n, own) for n, own in names.items())
    body = program.body({"body": case["body"], "outs": case["outs"]}, "", dict(names))
    arguments = ", ".join(f"auto const& {own}" for own in names.values())
    types = ", ".join(["program", *(input_type(case, v) for v in case["inputs"])])
    counts = {"gspmd": "count_bytes", "messages": "count_messages"}.get(case["family"], "judge")
    if case["family"] == "gspmd" or (counts != "judge" and all(kind == "auto" for _, _, kind in case["mesh"])):
        shardings = "ts::in_shardings<" + ", ".join(spec(v["spec"]) for v in case["inputs"]) + ">"
        if case.get("out_specs"):
            shardings += ", ts::out_shardings<" + ", ".join(map(spec, case["out_specs"])) + ">"
        placed = f"constexpr auto placed_program = ts::jit<{shardings}>(program{{}});\n"
        types = types.replace("program", "decltype(placed_program)", 1)
        return text_of(number, arguments, notes + body, placed, f"{counts}<{types}>({number});")
    call = f"{counts}<{types}>({number});"
    if values:
        sources = ", ".join(source(v) for v in case["inputs"])
        call += f" run<{types}>({number}{', ' + sources if sources else ''});"
    return text_of(number, arguments, notes + body, "", call)


def text_of(number, arguments, body, more, call):
    return (
        f"namespace case_{number} {{\nstruct program {{\n  constexpr auto operator()({arguments}) const {{{body}\n  }}\n}};\n"
        f"{more}void report() {{ {call} }}\n}}\n"
    )


def axes_of(case):
    """The tags that a case needs: its mesh's, and any other name that a spec of it uses."""
    found = {name for name, _, _ in case["mesh"]}
    for value in case["inputs"]:
        found |= set(axes_named(value["spec"]))
    found |= set(axes_named(case.get("out_specs") or []))

    def walk(body):
        for _, _, _, *params in body:
            for key, value in (params[0] if params else {}).items():
                for item in value if isinstance(value, list) else [value]:
                    if isinstance(item, dict) and "body" in item:
                        walk(item["body"])
                if key in ("out_sharding", "spec", "in_specs", "out_specs", "in_sharding", "out_shardings", "axes", "axis_names") or (
                    key == "axis" and not isinstance(value, int)):
                    found.update(n for n in axes_named(value) if n)

    walk(case["body"])
    return found
