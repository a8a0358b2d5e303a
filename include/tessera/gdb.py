# SPDX-License-Identifier: Apache-2.0
"""Printers for gdb: `source <prefix>/include/tessera/gdb.py`, in gdb or in ~/.gdbinit. They need a program with debug
information (-g).

  (gdb) print x        float32[8@dp,4@mp] = {0.5, 0.25, 1, 2, 3, 4, 5, 6, ...}      `set print elements` limits them

An array shows its type and its elements in memory order: one device's block after the other; of an array
over several devices, how many elements are in memory if those are not the array's. Extents are shown as (8, 4)."""

import re

import gdb
import gdb.printing

NAMES = {
    "float": "float32", "double": "float64", "bool": "bool", "signed char": "int8", "short": "int16", "int": "int32", "long": "int64",
    "unsigned char": "uint8", "unsigned short": "uint16", "unsigned int": "uint32", "unsigned long": "uint64",
    "tessera::complex_number<float>": "complex64", "tessera::complex_number<double>": "complex128",
    "tessera::float8_e4m3fn": "float8_e4m3fn", "tessera::float8_e5m2": "float8_e5m2", "tessera::float16": "float16", "tessera::bfloat16": "bfloat16",
}  # fmt: skip
FORMATS = {
    "float32": ("f", 4), "float64": ("d", 8), "bool": ("?", 1), "int8": ("b", 1), "int16": ("h", 2), "int32": ("i", 4), "int64": ("q", 8),
    "uint8": ("B", 1), "uint16": ("H", 2), "uint32": ("I", 4), "uint64": ("Q", 8), "complex64": ("ff", 8), "complex128": ("dd", 16),
    "float8_e4m3fn": ("B", 1), "float8_e5m2": ("B", 1), "float16": ("e", 2), "bfloat16": ("H", 2),
}  # fmt: skip


def arguments(text):
    """The template arguments of a type's name, one by one."""
    if "<" not in text:
        return []
    inner, depth, parts, start = text[text.index("<") + 1 : text.rindex(">")], 0, [], 0
    for i, c in enumerate(inner):
        depth += (c in "<(") - (c in ">)")
        if c == "," and depth == 0:
            parts.append(inner[start:i].strip())
            start = i + 1
    return [*parts, inner[start:].strip()] if inner.strip() else []


def axis(name):
    """dp of a user's namespace::dp; an axes<dp, mp> is (dp,mp)."""
    if "<" in name:
        return "(" + ",".join(axis(a) for a in arguments(name)) + ")"
    return name.split("::")[-1]


def array_type(name):
    """(text as typeof prints it, dtype, extents) of the name of an array_type."""
    element, shape, spec, *rest = arguments(name)
    weak = element.startswith("tessera::weak")
    element = arguments(element)[0] if weak else element
    dtype = NAMES.get(element, element.split("::")[-1])
    extents = [int(e.rstrip("lL")) for e in arguments(shape)]
    entries = [axis(e) for e in arguments(spec)] + ["none"] * len(extents)
    dims = [("?" if e < 0 else str(e)) + ("" if s == "none" else "@" + s) for e, s in zip(extents, entries)]
    return ("~" if weak else "") + dtype + "[" + ",".join(dims) + "]", dtype, extents


def limit():
    most = gdb.parameter("print elements")
    return 200 if most is None or most <= 0 else most


def elements(dtype, address, count):
    """The text of `count` elements in memory."""
    import struct

    shown = min(count, limit())
    form, size = FORMATS[dtype]
    data = bytes(gdb.selected_inferior().read_memory(address, shown * size)) if shown else b""
    values = []
    for i in range(shown):
        parts = struct.unpack_from("<" + form, data, i * size)
        if dtype == "bfloat16":
            parts = struct.unpack("<f", struct.pack("<I", parts[0] << 16))
        if dtype == "float8_e5m2":
            parts = struct.unpack("<e", bytes([0, parts[0]]))
        if dtype == "float8_e4m3fn":
            sign, power, rest = -1 if parts[0] & 128 else 1, parts[0] >> 3 & 15, parts[0] & 7
            magnitude = float("nan") if parts[0] & 127 == 127 else (rest + 8) * 2.0 ** (power - 10) if power else rest / 512
            parts = (sign * magnitude,)
        values.append("{:g}{:+g}j".format(*parts) if len(parts) == 2 else "{:.7g}".format(parts[0]) if isinstance(parts[0], float) else str(parts[0]).lower())
    return "{" + ", ".join(values + (["..."] if shown < count else [])) + "}"


def list_of(value):
    return [int(value["items"][i]) for i in range(int(value["count"]))]


class Array:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        text, dtype, _ = array_type(str(self.value.type.strip_typedefs().template_argument(0)))
        stored = self.value["stored_"]
        address = int(stored["memory"]["data_"])
        if not address:
            return text + ", released or without a value"
        facts = stored["facts"]
        count = 1
        for d in range(int(facts["rank"])):
            count *= int(facts["extents"]["items"][d])
        held = int(stored["memory"]["bytes_"]) // FORMATS[dtype][1]
        first = min(count, held)
        return text + " = " + elements(dtype, address, first) + (f", {held} elements in memory" if held != count else "")


class Extents:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "(" + ", ".join(map(str, list_of(self.value))) + ")"


def printers():
    known = gdb.printing.RegexpCollectionPrettyPrinter("tessera")
    known.add_printer("array", r"^tessera::array<tessera::array_type<", Array)
    known.add_printer("extents", r"^tessera::(inplace_list<(long|std::int64_t), \d+\w*>|extents_list)$", Extents)
    return known


gdb.printing.register_pretty_printer(None, printers(), replace=True)
