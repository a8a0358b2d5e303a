# SPDX-License-Identifier: Apache-2.0
"""lines.py [--check]: the table of README.md, lines of each program and of its twin in JAX, without comments, text of documentation
and blank lines. --check: fails if README.md has another."""

import ast
import io
import pathlib
import re
import sys
import tokenize

HERE = pathlib.Path(__file__).parent


def lines_of_python(text):
    skipped = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            said = node.body[0]
            skipped |= set(range(said.lineno, said.end_lineno + 1))
    used = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}:
            used |= set(range(token.start[0], token.end[0] + 1))
    return len(used - skipped)


def lines_of_cpp(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return sum(bool(re.sub(r"//.*", "", line).strip()) for line in text.splitlines())


def first_sentence(text):
    """What the comment at the start of a C++ program says first."""
    said = " ".join(line.removeprefix("//").strip() for line in text.splitlines()[1:6] if line.startswith("//"))
    return re.split(r"(?<=[.:]) ", said)[0].rstrip(".:")


def table():
    rows, ours, theirs = [], [], []
    for program in sorted(HERE.glob("*.cpp")):
        text = program.read_text()
        ours.append(lines_of_cpp(text))
        theirs.append(lines_of_python(program.with_suffix(".py").read_text()))
        rows.append(f"| `{program.stem}` | {first_sentence(text)} | {ours[-1]} | {theirs[-1]} | {ours[-1] / theirs[-1]:.2f} |")
    rows.append(f"| all | | {sum(ours)} | {sum(theirs)} | {sum(ours) / sum(theirs):.2f} |")
    return "\n".join(["| program | what it is | lines | in JAX | ratio |", "| --- | --- | --- | --- | --- |", *rows])


if "--check" in sys.argv:
    same = table() in (HERE / "README.md").read_text()
    print("as README.md says" if same else f"README.md has another table than this:\n{table()}")
    sys.exit(not same)
print(table())
