# SPDX-License-Identifier: Apache-2.0
"""Which headers one file can show to compile by themselves. A header is shown if all that is read before it is what it includes
anyway: the first include of a file is, so is its own first include, and so is each header of a chain in which every header
includes the one before it, itself or through others. The longest chains first, a few files show hundreds of headers."""

import re

INCLUDE = re.compile(r"#\s*include <(tessera/[^>]+)>")


class Headers:
    def __init__(self, folder):
        self.folder = folder
        self.names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.hpp"))
        self.includes, self.always, self.late = {}, {}, set()  # late: has code before an include
        for name in self.names:
            self.includes[name], self.always[name] = self.read(name)
        self.above = {name: self.closure(name, self.includes) for name in self.names}
        self.sure = {name: self.closure(name, self.always) for name in self.names}
        self.circular = {name for name in self.names if name in self.above[name]}

    def read(self, name):
        """All includes of ours, and those that no #if surrounds."""
        every, always, depth, code = [], [], 0, False
        for line in (self.folder / name).read_text().splitlines():
            line = line.strip()
            if re.match(r"#\s*if", line):
                depth += 1
            elif re.match(r"#\s*endif", line):
                depth -= 1
            elif found := INCLUDE.match(line):
                every.append(found[1])
                if depth == 0:
                    always.append(found[1])
                if code:
                    self.late.add(name)
            elif line and not line.startswith(("#", "//")):
                code = True
        return every, always

    @staticmethod
    def closure(name, includes):
        seen, open_ = set(), [name]
        while open_:
            for other in includes.get(open_.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    open_.append(other)
        return seen

    def shown_by(self, chain):
        """The headers that a file with these includes shows to compile by themselves."""
        seen, shown = set(), set()

        def enter(name, parents):
            if name in seen or name not in self.includes:
                return
            before = (seen - set(parents)) | (set(parents) & self.late)
            if before <= self.sure[name] and not (name in self.circular and (before or parents)):
                shown.add(name)
            seen.add(name)
            for other in self.includes[name]:
                enter(other, [*parents, name])

        for name in chain:
            enter(name, [])
        return shown

    def chains(self, wanted):
        """Lists of headers, each for one file, which together show all that are wanted."""
        order = sorted(wanted, key=lambda name: (len(self.above[name]), name))
        after = {name: [] for name in order}  # may stand behind `name` in a chain
        for name in order:
            for earlier in self.above[name] & after.keys():
                if name not in self.circular and earlier not in self.circular and self.above[earlier] | {earlier} <= self.sure[name]:
                    after[earlier].append(name)
        before = {}

        def extends(name, tried):
            for other in after[name]:
                if other not in tried:
                    tried.add(other)
                    if other not in before or extends(before[other], tried):
                        before[other] = name
                        return True
            return False

        for name in order:
            extends(name, set())
        chains, behind = [], set(before.values())
        for last in order:
            if last not in behind:
                chain = [last]
                while chain[-1] in before:
                    chain.append(before[chain[-1]])
                chains.append(chain[::-1])
        missing, kept = set(wanted), []
        for chain in sorted(chains, key=len, reverse=True):
            if missing & set(chain):
                kept.append(chain)
                missing -= self.shown_by(chain)
        assert not missing, f"shown by no file: {sorted(missing)}"
        return kept

    def that_show(self, chains, count):
        """The chains that show most, as many as show so many headers."""
        shown, kept = set(), []
        for chain, of_chain in sorted(((chain, self.shown_by(chain)) for chain in chains), key=lambda pair: -len(pair[1])):
            if len(shown) >= count:
                break
            if not of_chain <= shown:
                kept.append(chain)
                shown |= of_chain
        return kept
