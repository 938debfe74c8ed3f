"""Makes a case small while it stays bad in the same way: options, files, members and elements go, numbers and texts become plain."""
import copy
import json
import time

from commands import Case
from inputs import at, places_of


class Shrinking:
    """`is_bad(case)` says whether a smaller case still shows the fault; at most `seconds` are spent."""

    def __init__(self, case, is_bad, seconds):
        self.case, self.is_bad, self.end = case, is_bad, time.monotonic() + seconds

    def keeps(self, candidate):
        if time.monotonic() > self.end or not self.is_bad(candidate):
            return False
        self.case = candidate
        return True

    def run(self):
        while True:
            before = size(self.case)
            for step in (self.parse_texts, self.fewer_words, self.fewer_files, self.fewer_lines, self.fewer_members, self.plainer_values):
                step()
            if size(self.case) >= before or time.monotonic() > self.end:
                return self.case

    def parse_texts(self):
        """A text that is JSON is shrunk as such."""
        for name, content in list(self.case.files.items()):
            if isinstance(content, str) and content[:1] in "[{":
                try:
                    self.keeps(Case(self.case.line, {**self.case.files, name: json.loads(content)}))
                except ValueError:
                    pass

    def fewer_words(self):
        for length in (3, 2, 1):
            number = 1
            while number + length <= len(self.case.line):
                line = self.case.line[:number] + self.case.line[number + length:]
                if not self.keeps(Case(line, self.case.files)):
                    number += 1

    def fewer_files(self):
        for name in list(self.case.files):
            self.keeps(Case(self.case.line, {one: content for one, content in self.case.files.items() if one != name}))

    def fewer_lines(self):
        for name, content in list(self.case.files.items()):
            if not isinstance(content, str):
                continue
            number = 0
            while number < len(self.case.files[name].splitlines()):
                lines = self.case.files[name].splitlines(keepends=True)
                if not self.keeps(Case(self.case.line, {**self.case.files, name: "".join(lines[:number] + lines[number + 1:])})):
                    number += 1

    def changed(self, name, path, change):
        """The case with one place of a JSON file changed."""
        document = copy.deepcopy(self.case.files[name])
        change(at(document, path[:-1]), path[-1])
        return Case(self.case.line, {**self.case.files, name: document})

    def fewer_members(self):
        """The large ones first; each removal changes the paths of what follows, so that they are listed anew."""
        for name in [one for one, content in self.case.files.items() if isinstance(content, (dict, list))]:
            tried = set()
            while time.monotonic() < self.end:
                document = self.case.files[name]
                paths = sorted((path for path in places_of(document) if path), key=lambda path: -len(json.dumps(at(document, path))))
                path = next((one for one in paths if (one, json.dumps(at(document, one))) not in tried), None)
                if path is None:
                    break
                tried.add((path, json.dumps(at(document, path))))
                self.keeps(self.changed(name, path, lambda parent, key: parent.__delitem__(key)))

    def plainer_values(self):
        for name in [one for one, content in self.case.files.items() if isinstance(content, (dict, list))]:
            for path in [one for one in places_of(self.case.files[name]) if one]:
                value = at(self.case.files[name], path)
                if isinstance(value, bool) or value is None or value in (0, 1, ""):
                    continue
                plain = [0, 1] if isinstance(value, (int, float)) else []
                for other in plain:
                    if self.keeps(self.changed(name, path, lambda parent, key, other=other: parent.__setitem__(key, other))):
                        break


def size(case):
    return len(json.dumps(case.record()))


def shrink(case, is_bad, seconds=120):
    return Shrinking(case, is_bad, seconds).run()
