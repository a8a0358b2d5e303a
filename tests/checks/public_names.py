# SPDX-License-Identifier: Apache-2.0
"""The names that the headers declare in namespace tessera, read from their text."""

import collections
import re

from report import HEADERS, relative

OPEN, CLOSE = "([{", ")]}"
# Namespaces with names that users do not write, or that have a page of their own (error: docs/errors.md).
INNER = {"detail", "ops", "error", "rule", "collectives", "code", "testing", "written"}


def joined_lines(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S).replace("\\\n", " ")


def macros_in(text):
    """{name: (parameters, body)} of the function-like macros of a text."""
    found = re.findall(r"^[ \t]*#[ \t]*define (\w+)\(([^)]*)\)(.*)$", text, re.M)
    return {name: ([p.strip() for p in parameters.split(",")], body) for name, parameters, body in found}


def plain(text, shared):
    """The text without comments, literals and what the preprocessor reads; macros expanded, its own or shared ones."""
    text = joined_lines(text)
    macros = shared | macros_in(text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    text = re.sub(r"'(?:\\.|[^'\\\n])'", "0", text)
    text = re.sub(r"^[ \t]*#.*$", "", text, flags=re.M)
    for name, (parameters, body) in macros.items():
        for call in sorted(set(re.findall(rf"\b{name}\(([^()]*)\)", text)), key=len, reverse=True):
            given, made = [a.strip() for a in call.split(",", len(parameters) - 1)], body
            for parameter, argument in zip(parameters, given):
                made = re.sub(rf"(?:##)?\b{parameter}\b(?:##)?|##{parameter}\b", lambda _: argument, made)
            text = text.replace(f"{name}({call})", made.replace("##", ""))
    return text


def balanced(text, at, opening, closing):
    """One past the bracket that closes the one at `at`."""
    depth = 0
    while at < len(text):
        depth += (text[at] == opening) - (text[at] == closing)
        at += 1
        if depth == 0:
            return at
    return at


def skip_angles(text, at):
    """One past the `>` of the `<` at `at`; parentheses and braces inside are passed over."""
    depth = 0
    while at < len(text):
        if text[at] in OPEN:
            at = balanced(text, at, text[at], CLOSE[OPEN.index(text[at])])
            continue
        if text[at] == ">" and text[at - 1] == "-":
            at += 1
            continue
        depth += (text[at] == "<") - (text[at] == ">")
        at += 1
        if depth == 0:
            return at
    return at


def skip_constraint(text):
    """What follows a requires clause."""
    while True:
        text = text.lstrip().lstrip("!").lstrip()
        if text.startswith("("):
            text = text[balanced(text, 0, "(", ")"):]
        elif word := re.match(r"requires\b\s*", text):
            text = text[word.end():]
            if text.startswith("("):
                text = text[balanced(text, 0, "(", ")"):].lstrip()
            text = text[balanced(text, 0, "{", "}"):]
        else:
            text = text[re.match(r"[\w:]*", text).end():].lstrip()
            if text.startswith("<"):
                text = text[skip_angles(text, 0):]
        follows = re.match(r"\s*(&&|\|\|)", text)
        if not follows:
            return text
        text = text[follows.end():]


def declared(text):
    """The name that a declaration declares, or None; its kind."""
    text = re.sub(r"\[\[[^\]]*\]\]|__attribute__\s*\(\(.*?\)\)|\bTESSERA_\w+\b", " ", text).strip()
    while text.startswith("template"):
        start = text.find("<")
        text = text[skip_angles(text, start):].lstrip()
        if re.match(r"requires\b", text):
            text = skip_constraint(text[len("requires"):]).lstrip()
    if found := re.match(r"concept (\w+)", text):
        return found[1], "concept"
    if found := re.match(r"using (\w+)\s*=", text):
        return found[1], "type"
    if found := re.match(r"(?:struct|class|union|enum class|enum struct|enum)\s+(\w+)\s*(<)?", text):
        return (None if found[2] else found[1]), "type"
    if re.match(r"(using|static_assert|friend|extern template|namespace|typedef)\b", text) or not text:
        return None, ""
    # A variable or a function: the name stands before the first bracket, `=` or end outside of template arguments.
    at = 0
    while at < len(text):
        if text.startswith("operator", at) and not re.match(r"\w", text[at - 1 : at] or " "):
            return None, ""
        if re.match(r"(decltype|noexcept|alignas|__attribute__)\s*\(", text[at:]):
            at = balanced(text, text.find("(", at), "(", ")")
            continue
        if text[at] == "<":
            after = skip_angles(text, at)
            if not re.match(r"\s*(::|[&*\w])", text[after:]):
                return None, ""  # a specialization
            at = after
            continue
        if text[at] in "({[=;":
            break
        at += 1
    word = re.search(r"(\w+)\s*$", text[:at])
    kind = "function" if text[at : at + 1] == "(" else "value"
    if not word or word[1] in {"requires", "auto"} or "::" in text[:at].split()[-1]:
        return None, ""
    if kind == "function" and len(text[:at].split()) < 2:
        return None, ""  # a deduction guide
    return word[1], kind


def expects_body(head):
    """Whether the brace after this text belongs to a requires expression."""
    last = [word.end() for word in re.finditer(r"\brequires\b\s*", head)]
    if not last:
        return False
    rest = head[last[-1]:]
    return not rest or (rest.startswith("(") and balanced(rest, 0, "(", ")") == len(rest))


def declarations(text, space=""):
    """(namespace, text) of each declaration, definitions without their bodies."""
    at = start = 0
    while at < len(text):
        c = text[at]
        if c in "([":
            at = balanced(text, at, c, CLOSE[OPEN.index(c)])
        elif c == "{":
            head, end = text[start:at].strip(), balanced(text, at, "{", "}")
            if named := re.match(r"(?:inline )?namespace\s*([\w:]*)$", head):
                yield from declarations(text[at + 1 : end - 1], f"{space}::{named[1]}".strip(":") if named[1] else f"{space}::detail")
                start = at = end
                continue
            if expects_body(head):
                at = end
                continue
            body_ends = not re.match(r"\s*[;,.)(\[{]", text[end:]) and not head.endswith("=")
            at = end
            if body_ends:
                yield space, head + "{"
                start = at
        elif c == ";":
            yield space, text[start : at + 1].strip()
            at += 1
            start = at
        else:
            at += 1


def declared_names():
    """(namespace, name, kind, header) of each declaration of the headers."""
    texts = {header: header.read_text() for header in sorted(HEADERS.rglob("*.hpp"))}
    shared = {name: macro for text in texts.values() for name, macro in macros_in(joined_lines(text)).items()}
    for header, whole in texts.items():
        for space, text in declarations(plain(whole, shared)):
            name, kind = declared(text)
            if name:
                yield space, name, kind, relative(header)


def macros_for_users():
    """{name: (kind, header)} of the function-like macros that no header uses."""
    texts = {header: joined_lines(header.read_text()) for header in sorted(HEADERS.rglob("*.hpp"))}
    words = collections.Counter(re.findall(r"\bTESSERA_\w+", re.sub(r'"[^"\n]*"', "", "\n".join(texts.values()))))
    return {name: ("macro", relative(header)) for header, text in texts.items() for name in macros_in(text) if words[name] == 1}


def public_names():
    """{name: (kind, header)} of namespace tessera and of the namespaces in it that users write, as mode::fill; macros."""
    names = macros_for_users()
    for space, name, kind, header in declared_names():
        parts = [part for part in space.split("::") if part not in {"functions", "keys"}]  # which ts:: sees through
        if parts[0] == "tessera" and not INNER & set(parts[1:]):
            names.setdefault("::".join([*parts[1:], name]), (kind, header))
    return names


if __name__ == "__main__":
    for name, (kind, header) in sorted(public_names().items(), key=lambda item: (item[1][1], item[0])):
        print(f"{header.removeprefix('include/tessera/')}\t{kind}\t{name}")
