# SPDX-License-Identifier: Apache-2.0
"""What the headers of a stage offer, read from their text: ops, the public names that make them, and which ops only other
ops make."""

import re

from report import HEADERS

STAGES = ("op", "manual", "control", "view")  # where ops are
STRUCT = re.compile(r"^(?:template <[^\n]*>\n)?struct (\w+)(?: final)?(?: :[^{]*)?\s*\{\n((?:  .*\n|private:\n|\n)*?)\};", re.M)
INSIDE = re.compile(r"^namespace (tessera::detail|detail|ops) \{.*?^\}  // namespace \1", re.M | re.S)
DOOR = re.compile(r"^inline constexpr (?:\w*door\b|detail::prints)[^;]* (\w+)(?:\{\})?;", re.M)
FUNCTION = re.compile(r"^(?:template <([^\n]*)>\n(?:  requires[^\n]*\n)?)?(?:\[\[nodiscard[^\n]*\]\]\s)?constexpr (?:auto|checkpointed<F>) (\w+)\([^;{]*\{.*?^\}", re.M | re.S)
MACRO = re.compile(r"^TESSERA_(?:TRANSFORMS?|SUMMARY)\((\w+)[,)]", re.M)


def headers(stage):
    return [path.read_text() for path in sorted((HEADERS / stage).rglob("*.hpp"))]


def ops(stage):
    """The structs that are ops."""
    return {name for text in headers(stage) for name, body in STRUCT.findall(text) if "std::string_view name =" in body}


def public_names(stage):
    """Name -> the text that defines it, all overloads. What takes an op as its argument is for those who write ops."""
    found = {}
    for text in headers(stage):
        text = INSIDE.sub("", text)
        for match in [*DOOR.finditer(text), *MACRO.finditer(text)]:
            found[match[1]] = found.get(match[1], "") + match[0]
        for match in FUNCTION.finditer(text):
            if not re.match(r"(class|template <[^>]*> class) Op\b", match[1] or ""):
                found[match[2]] = found.get(match[2], "") + match[0]
    return found


def makes(definition):
    """The ops that a public name's definition speaks of."""
    return set(re.findall(r"\bops::(\w+)", definition))
