# SPDX-License-Identifier: Apache-2.0
"""A case as data: what README.md of this folder says of it, and the written features and differences."""

import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parents[1]


def load(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines() if line.strip()]


def functions(params):
    """The functions among a statement's parameters."""
    for value in params.values():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict) and "body" in item:
                yield item


def statements(body):
    """All statements, those of functions in them included: (op, params)."""
    for _, op, _, *params in body:
        yield op, params[0] if params else {}
        for function in functions(params[0] if params else {}):
            yield from statements(function["body"])


def dtypes(case):
    for value in case["inputs"]:
        yield value["dtype"]
    for _, params in statements(case["body"]):
        if "dtype" in params:
            yield params["dtype"]
    for type_ in case["expect"].get("types", []):
        yield type_["dtype"]


def params(case):
    """op.param of all statements, and op.param=value of those that are text."""
    for op, given in statements(case["body"]):
        for name, value in given.items():
            yield f"{op}.{name}"
            if isinstance(value, str):
                yield f"{op}.{name}={value}"


class Features:
    """features.json: {name: {"why": text, and any of "ops", "params" (op.param, or op.param=value), "tags", "families",
    "dtypes", "kinds" (of errors), "ids"}}."""

    def __init__(self, path=FOLDER / "features.json"):
        self.features = json.loads(path.read_text())

    def skips(self, case):
        """The name of the first feature that the case needs and that does not exist, or None."""
        body = list(statements(case["body"]))
        needs = {
            "ops": {op for op, _ in body} | {case["op"]},
            "params": set(params(case)),
            "tags": set(case.get("tags", [])),
            "families": {case["family"]},
            "dtypes": set(dtypes(case)),
            "kinds": {case["expect"].get("error")},
            "ids": {case["id"]},
        }
        for name, feature in self.features.items():
            if any(needs[what] & set(feature.get(what, [])) for what in needs):
                return name
        return None


class Differences:
    """differences.json: a list of {"why": text, "cases": {id: what we answer}}: the whole text, types or message."""

    def __init__(self, path=FOLDER / "differences.json"):
        self.path, self.entries = path, json.loads(path.read_text())
        self.answers = {i: text for entry in self.entries for i, text in entry["cases"].items()}

    def unknown(self):
        """Ids that no case file of this folder has, and those that stand twice."""
        known = {case["id"] for path in FOLDER.glob("*.jsonl") for case in load(path)}
        listed = [i for entry in self.entries for i in entry["cases"]]
        return sorted({i for i in listed if i not in known or listed.count(i) > 1})

    def update(self, answers):
        """Writes what is answered now to the cases that stand here; {id: None}: it agrees, and goes."""
        for entry in self.entries:
            told = {i: answers.get(i, text) for i, text in entry["cases"].items()}
            entry["cases"] = {i: text for i, text in told.items() if text is not None}
        kept = [entry for entry in self.entries if entry["cases"]]
        self.path.write_text(json.dumps(kept, indent=2) + "\n")
