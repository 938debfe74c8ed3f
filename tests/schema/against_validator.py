#!/usr/bin/env python3
"""usage: against_validator.py SCHEMA_CHECK PROJECT -- our schema runner and python3-jsonschema must agree.

If the runner differs intentionally, one of the functions below changes the value before the validator sees it:
  placeholders        "${X}" may become any value, so the runner does not judge it; nor {"Ref": ...}, nor a key "${X}"
  empty values        x-empty is ours: an empty list or string that JSON Schema allows and the service does not
  whole fractions     1.0 and 1e3 are integers in JSON Schema; typed clients reject them
Patterns run without \\p{..}, which Python's re does not support.
"""
import glob, json, os, re, subprocess, sys

try:
    import jsonschema
except ImportError:
    print("SKIPPED: no python3-jsonschema")
    sys.exit(77)

runner, project = sys.argv[1:3]
schema_path = os.path.join(project, "schemas", "task-definition.schema.json")


class Unknown(str):
    """A value that is not known yet."""


class Fraction(float):
    """A number written with a fraction or an exponent."""


PLACEHOLDER = re.compile(
    r"\$\{[^}]+\}|\{\{.+?\}\}|\{%.+?%\}|#\{.+?\}#|#\{[A-Za-z_][\w.-]*\}|<%.+?%>|\$\([^)]+\)"
    r"|(?<![$\\])\$[A-Za-z_]|<[A-Za-z_][\w. -]*>|%[A-Za-z_]\w*%"
    r"|(?<!\w)__\w+__(?!\w)|\b(REPLACE_ME|(YOUR_)?(AWS_)?ACCOUNT_ID|CHANGE_?ME|REPLACEME)\b|^REPLACE_[A-Z0-9_]+$"
    r"|^(\[\[?[A-Za-z_][\w. -]*\]?\]|\{[A-Za-z_][\w.-]*\}|\(\([\w.-]+\)\)|[%@]\{[\w.-]+\}|%\([\w.-]+\)s|\$\[[\w.-]+\]|##\w+##|\$\$\w+\$\$)$", re.S)
SHELL = re.compile(r"\$\{[^}]+\}|\$\([^)]+\)|\$[A-Za-z_]\w*")


def is_unknown(value, shell):
    if isinstance(value, str):
        text = SHELL.sub("", value) if shell else value
        crossed_out = ("arn:" in value or ".dkr.ecr." in value) and re.search(r"(?<!\w)(X{4,}|x{4,})(?!\w)", value)
        return bool(PLACEHOLDER.search(text) or crossed_out)
    return isinstance(value, dict) and len(value) == 1 and all(k == "Ref" or k.startswith("Fn::") for k in value)


def mark_unknown(value, shell=False):
    if is_unknown(value, shell):
        return Unknown("?")
    if isinstance(value, dict):
        value = {k: Unknown("?") if isinstance(v, str) and PLACEHOLDER.fullmatch(v) else v for k, v in value.items()}
        return {k: mark_unknown(v, shell or k in ("command", "entryPoint") or (k == "healthCheck" and isinstance(v, str)))
                for k, v in value.items() if not is_unknown(k, False)}
    if isinstance(value, list):
        return [mark_unknown(v, shell) for v in value]
    return value


def has_empty(schema, value, root):
    """Whether x-empty refuses something in `value`."""
    while "$ref" in schema:
        schema = {**root["$defs"][schema["$ref"].rsplit("/", 1)[1]], **{k: v for k, v in schema.items() if k != "$ref"}}
    if "x-empty" in schema and value in ("", [], {}):
        return True
    if isinstance(value, dict):
        return any(has_empty(s, value[k], root) for k, s in schema.get("properties", {}).items() if k in value)
    if isinstance(value, list) and "items" in schema:
        return any(has_empty(schema["items"], v, root) for v in value)
    return False


def validator(schema):
    base = jsonschema.Draft202012Validator
    keywords = dict(base.VALIDATORS)

    def unless_unknown(check):
        def run(v, wanted, instance, whole):
            if not isinstance(instance, Unknown):
                yield from check(v, wanted, instance, whole) or ()
        return run

    def pattern(v, wanted, instance, whole):
        plain = wanted.replace(r"\p{L}\p{Z}\p{N}", r"\w\s")
        if isinstance(instance, str) and not re.search(plain, instance):
            yield jsonschema.ValidationError("pattern")

    keywords["pattern"] = pattern
    checker = base.TYPE_CHECKER.redefine(
        "integer", lambda _, x: isinstance(x, int) and not isinstance(x, bool))
    keywords = {name: unless_unknown(check) for name, check in keywords.items()}
    return jsonschema.validators.extend(base, keywords, type_checker=checker)(schema)


def files():
    own = glob.glob(os.path.join(project, "tests", "rules", "*", "*.json")) + glob.glob(os.path.join(project, "examples", "**", "*.json"), recursive=True)
    corpus = sorted(glob.glob(os.path.join(project, "..", "shared", "corpus", "files", "*.json")))
    if not corpus:
        print("SKIPPED the corpus: ../shared/corpus is not there")
    return sorted(own) + corpus


def parsed(path):
    """The value as a strict reader sees it, or nothing: then there is no verdict to compare."""
    raw = open(path, "rb").read()
    try:
        text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
        refuse = lambda word: (_ for _ in ()).throw(ValueError(word))
        return json.loads(text, parse_constant=refuse, parse_float=Fraction)
    except ValueError:
        return None


def main():
    schema = json.load(open(schema_path))
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = validator(schema)
    values = {path: parsed(path) for path in files()}
    paths = [path for path, value in values.items() if value is not None]
    if not paths:
        print("SKIPPED: no file to compare")
        return 77
    lines = subprocess.run([runner, *paths], capture_output=True, text=True, check=True).stdout.splitlines()
    ours = {line.split(" ", 1)[1]: line.split(" ", 1)[0] for line in lines if not line.startswith("\t")}
    wrong = 0
    verdicts = {"valid": 0, "invalid": 0}
    for path in paths:
        known = mark_unknown(values[path])
        errors = sorted(judge.iter_errors(known), key=str)
        theirs = "invalid" if errors or has_empty(schema, known, schema) else "valid"
        verdicts[theirs] += 1
        if ours.get(path) != theirs:
            wrong += 1
            print(f"{path}: we say {ours.get(path)}, the validator {theirs}")
            for error in errors[:3]:
                print("   ", "/".join(map(str, error.absolute_path)), error.message[:150])
    print(f"{len(paths)} files compared ({verdicts['valid']} valid, {verdicts['invalid']} invalid), {wrong} verdicts differ")
    return 1 if wrong or 0 in verdicts.values() else 0


sys.exit(main())
