"""Random values of a JSON Schema, and which of its keys a document uses.

A place names a key of the schema: "Service.desiredCount", "Service.deploymentController.type", "settings.seed"; "" is the whole document.
A hint gives a value that means something at a place (a name that exists); without one, the schema alone decides, so that a new key is
drawn as soon as the schema has it.
"""
import re

#: Returned by a hint: leave the key out.
LEAVE_OUT = object()


def resolve(schema, node):
    """The node behind a reference, with the keys that stand beside it, and the name of its definition."""
    name = None
    while "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        node = {**schema["$defs"][name], **{key: value for key, value in node.items() if key != "$ref"}}
    return node, name


def inner_place(place, name, key):
    """The place of a key: that of the definition if there is one, so that every use of a definition is the same place."""
    return ".".join(part for part in (name or place, key) if part)


def keys_and_words(schema):
    """Every place of the schema that a document can use, with the other names of a key as "place (alias)"; and (place, word) of each enumeration."""
    found, words, seen = [], [], set()

    def walk(node, place):
        node, name = resolve(schema, node)
        if name:
            if name in seen:
                return
            seen.add(name)
            place = name
        words.extend((place, word) for word in node.get("enum", []) if isinstance(word, str))
        for key, below in node.get("properties", {}).items():
            inner = inner_place(place, None, key)
            found.append(inner)
            walk(below, inner)
        found.extend(f"{place}.{alias} (alias)".lstrip(".") for alias in node.get("x-aliases", {}))
        for below in [*node.get("anyOf", []), *filter(None, [node.get("items")]), *([node["additionalProperties"]] if isinstance(node.get("additionalProperties"), dict) else [])]:
            walk(below, place)

    walk(schema, "")
    return found, words


def used(schema, document):
    """The places that a document uses, and the words of enumerations as "place=WORD"."""
    found = set()

    def walk(node, value, place):
        node, name = resolve(schema, node)
        place = name or place
        if "enum" in node and isinstance(value, str) and value in node["enum"]:
            found.add(f"{place}={value}")
        for below in node.get("anyOf", []):
            if matches(schema, below, value):
                walk(below, value, place)
        if isinstance(value, dict):
            aliases, properties = node.get("x-aliases", {}), node.get("properties", {})
            for key, inner in value.items():
                known = aliases.get(key, key)
                if key in aliases and key not in properties:
                    found.add(f"{place}.{key} (alias)".lstrip("."))
                if known in properties:
                    at = inner_place(place, None, known)
                    found.add(at)
                    walk(properties[known], inner, at)
                elif isinstance(node.get("additionalProperties"), dict):
                    walk(node["additionalProperties"], inner, place)
        if isinstance(value, list) and "items" in node:
            for inner in value:
                walk(node["items"], inner, place)

    walk(schema, document, "")
    return found


TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}


def matches(schema, node, value):
    """Whether the value has a type of the node: enough to choose among alternatives."""
    node, _ = resolve(schema, node)
    if "anyOf" in node:
        return any(matches(schema, below, value) for below in node["anyOf"])
    if "type" not in node:
        return True
    names = node["type"] if isinstance(node["type"], list) else [node["type"]]
    return any(isinstance(value, TYPES[name]) and not (isinstance(value, bool) and name in ("integer", "number")) for name in names)


def parents(schema):
    """Name of a definition -> the places that hold a value of it; a place -> the place around it."""
    found, done = {}, set()

    def walk(node, place):
        _, name = resolve(schema, node)
        if name:
            found.setdefault(name, []).append(place)
            if name in done:
                return
            done.add(name)
            place = name
        node, _ = resolve(schema, node)
        for key, below in node.get("properties", {}).items():
            inner = inner_place(place, None, key)
            found.setdefault(inner, []).append(place)
            walk(below, inner)
        for below in [*node.get("anyOf", []), *filter(None, [node.get("items")]), *([node["additionalProperties"]] if isinstance(node.get("additionalProperties"), dict) else [])]:
            walk(below, place)

    walk(schema, "")
    return found


def way_to(schema, place, draw):
    """The places from the top of the schema to a place, by one of the ways that lead there."""
    around, way = parents(schema), [place]
    while way[-1] and len(way) < 30:
        way.append(draw.choice(around[way[-1]]))
    return set(way) - {""}


class SchemaValues:
    """Draws values of one schema. `hints`: place -> function without arguments; `finish`: name of a definition -> function that changes a
    drawn object so that its keys go together; `chance`: place -> how often a key that is not required is there. `wanted`: the
    place and perhaps the word that this document is to have, and the way to it."""

    def __init__(self, schema, draw, hints, finish, chance, wanted=None):
        self.schema, self.draw, self.hints, self.finish, self.chance = schema, draw, hints, finish, chance
        self.place, self.word, self.way = wanted or (None, None, set())

    def hint(self, place):
        """The hint for a place, unless it would hide what is wanted below."""
        leads_on = place in self.way and place != self.place and ("." in place or place[:1].isupper())
        return None if leads_on else self.hints.get(place)

    def value(self, node, place=""):
        is_list = resolve(self.schema, node)[0].get("type") == "array"
        if place == self.place and self.word is not None and not is_list:
            return self.word
        if place == self.place and is_list and self.word is not None:
            return [self.word]
        if hint := self.hint(place):
            return hint()
        node, name = resolve(self.schema, node)
        if name:
            place = name
            if hint := self.hint(place):
                return hint()
        if "enum" in node:
            return self.word if place == self.place and self.word is not None else self.draw.choice(node["enum"])
        if "anyOf" in node:
            leading = [below for below in node["anyOf"] if self.leads(below)]
            return self.value(self.draw.choice(leading or node["anyOf"]), place)
        kinds = node.get("type", "object" if "properties" in node else "string")
        kind = self.draw.choice(kinds) if isinstance(kinds, list) else kinds
        return getattr(self, f"draw_{kind}")(node, place)

    def leads(self, node):
        """Whether the way to what is wanted goes through an alternative."""
        names = [resolve(self.schema, below)[1] for below in (node, node.get("items", {}), node.get("additionalProperties", {})) if isinstance(below, dict)]
        return any(name in self.way for name in names if name)

    def draw_object(self, node, place):
        drawn = {}
        for key, below in node.get("properties", {}).items():
            inner = inner_place(place, None, key)
            likely = 1.0 if key in node.get("required", []) or inner in self.way else self.chance(inner, below)
            if self.draw.random() < likely:
                value = self.value(below, inner)
                if value is not LEAVE_OUT:
                    drawn[key] = value
        more = node.get("additionalProperties")
        if isinstance(more, dict):
            for name in self.hints.get(f"{place} names", lambda: ["one"])():
                value = self.value(more, f"{place} value")
                if value is not LEAVE_OUT:
                    drawn[name] = value
        return self.finish[place](drawn) if place in self.finish else drawn

    def draw_array(self, node, place):
        least, most = node.get("minItems", 0), node.get("maxItems", 3)
        count = max(least, min(most, self.hints.get(f"{place} count", lambda: self.draw.choice([0, 1, 1, 1, 2, 3]))()))
        if place == self.place and self.word is not None:
            return [self.word]
        count = max(count, 1) if place in self.way else count
        values = [self.value(node.get("items", {"type": "string"}), place) for _ in range(count)]
        return [value for value in values if value is not LEAVE_OUT]

    def draw_integer(self, node, _):
        least, most = node.get("minimum", 0), node.get("maximum", 1 << 31)
        small = [number for number in (0, 1, 2, 3, 5, 10, 60, 100) if least <= number <= most]
        return self.draw.choice([least, *small, *([most] if self.draw.random() < 0.02 else [])])

    def draw_number(self, node, place):
        least, most = node.get("minimum", 0), node.get("maximum", 100)
        if self.draw.random() < 0.5:
            return round(least + (min(most, least + 100) - least) * self.draw.random(), 2)
        return max(least, min(most, self.draw_integer(node, place)))

    def draw_string(self, node, _):
        pattern = node.get("pattern")
        words = ["a", "web", "x-1", "10", "1.5", "2h", "90s", "5m", "512MiB", "2GiB", "28%", "us-east-1a"]
        fitting = [word for word in words if pattern is None or re.search(pattern, word)]
        return self.draw.choice(fitting or words)

    def draw_boolean(self, *_):
        return self.draw.random() < 0.5

    def draw_null(self, *_):
        return None
