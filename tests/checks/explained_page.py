# SPDX-License-Identifier: Apache-2.0
"""explained_page.py <program> [argument...]: what the program writes for --explain is a page: its tags are balanced, its ids are
there once, links inside it lead somewhere, nothing comes from outside of it; it has as many operations and messages as it says,
and the text of each file that can be read. In a browser, where chromium is there, its script ends without an error."""

import html
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from report import finish

EMPTY = {"meta", "input", "br", "link", "img", "hr"}
problems = []


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.classes, self.text = [], [], [], [], {}

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        given = dict(attributes)
        for name in ("src", "href", "xlink:href", "action", "data", "xmlns"):
            if name in given and not given[name].startswith("#"):
                problems.append(f"<{tag} {name}={given[name]}> leaves the page")
        if given.get("href", "").startswith("#"):
            self.links.append(given["href"][1:])
        if "id" in given:
            self.ids.append(given["id"])
        self.classes += given.get("class", "").split()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            problems.append(f"line {self.getpos()[0]}: </{tag}> closes <{self.open[-1] if self.open else ''}>")
        else:
            self.open.pop()

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        self.text[inside] = self.text.get(inside, "") + data


with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "plan.html"
    made = subprocess.run([*sys.argv[1:], "--explain", str(file)], capture_output=True, text=True)
    if made.returncode:
        sys.exit(f"{sys.argv[1]} ends with {made.returncode}\n{made.stdout[-2000:]}{made.stderr[-2000:]}")
    text = file.read_text()
    page = Page()
    page.feed(text)
    page.close()
    problems += [f"<{tag}> is never closed" for tag in page.open]
    problems += [f"id {name} is there {page.ids.count(name)} times" for name in set(page.ids) if page.ids.count(name) > 1]
    problems += [f"#{name} leads nowhere" for name in set(page.links) - set(page.ids)]
    problems += [f"{found} is not in the page" for found in re.findall(r"(?:https?:)?//[\w.]+\.\w+/\S*|url\([^)]*\)|@import", text.split("<section class=\"source\">")[0])]
    operations = [name for name in page.ids if re.fullmatch(r"n\d+", name)]
    messages = [name for name in page.ids if re.fullmatch(r"m\d+", name)]
    rows = [name for name in page.ids if re.fullmatch(r"row\d+", name)]
    if not operations or not messages:
        problems.append(f"{len(operations)} operations and {len(messages)} messages")
    if len(rows) != len(operations) or page.classes.count("op") != len(operations) or page.classes.count("message") != len(messages):
        problems.append("the list, the picture and the ids do not have the same operations and messages")
    if text.count("<td><a href=\"#m") != len(messages):
        problems.append("the table does not have each message")
    if f"{len(messages)} collectives" not in text and " x " not in text:
        problems.append("the summary has another number of messages")
    sources = re.findall(r'data-at="([^"]+):[1-9]\d*"', text)
    readable = [name for name in set(sources) if pathlib.Path(html.unescape(name)).is_file()]  # paths may be relative to another folder
    if text.count("cannot be read here") != len(set(sources)) - len(readable):
        problems.append(f"{len(readable)} of {len(set(sources))} sources can be read, the page has others")
    if readable and page.classes.count("sends") == 0:
        problems.append("no line of a source says what it sends")

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser:
        seen = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--user-data-dir={folder}/profile",
             "--virtual-time-budget=20000", "--dump-dom", file.as_uri()], capture_output=True, text=True, timeout=240)
        errors = [line for line in seen.stderr.splitlines() if "CONSOLE" in line and re.search("Uncaught|Error", line)]
        problems += errors
        if f'data-ready="{len(operations)}"' not in seen.stdout:
            problems.append(f"in {browser} the script did not end, exit {seen.returncode}: {seen.stderr[-500:]}")
    else:
        print("no chromium here: the script of the page has not run")
finish(problems, f"{len(operations)} operations, {len(messages)} messages")
