#!/usr/bin/env python3
"""Puts files before a validator in Python and prints its version and what it rejected, as JSON.

usage: validators.py botocore|jsonschema|parser SCHEMA FILE...     FILE of "-": paths from standard input, a line each

botocore    the validator of RegisterTaskDefinition's parameters, which boto3 and aws-cli ask before a call
jsonschema  python3-jsonschema on SCHEMA, as an editor would; without patterns of \\p{..}, which Python's re does not know
parser      Python's JSON and YAML parsers alone, which the two others need first
"""
import json
import pathlib
import sys
import warnings

from templates import parsed


def botocore_validator(_):
    import botocore.session
    from botocore.validate import ParamValidator
    model = botocore.session.get_session().get_service_model("ecs")
    shape = model.operation_model("RegisterTaskDefinition").input_shape
    validator = ParamValidator()

    def fault(value):
        report = validator.validate(value, shape)
        return report.generate_report() if report.has_errors() else None
    return botocore.__version__, fault


def of_known_patterns(schema):
    if isinstance(schema, dict):
        return {key: of_known_patterns(value) for key, value in schema.items() if key != "pattern" or "\\p" not in value}
    return [of_known_patterns(value) for value in schema] if isinstance(schema, list) else schema


def jsonschema_validator(schema):
    import jsonschema
    written = of_known_patterns(json.loads(pathlib.Path(schema).read_text(encoding="utf-8")))
    validator = jsonschema.validators.validator_for(written)(written)

    def fault(value):
        error = next(validator.iter_errors(value), None)
        return None if error is None else error.message[:200]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer ones would have us ask the package instead
        return jsonschema.__version__, fault


def parser(_):
    return f"Python {sys.version.split()[0]}", lambda value: None


def main():
    known = {"botocore": botocore_validator, "jsonschema": jsonschema_validator, "parser": parser}
    version, fault_of = known[sys.argv[1]](sys.argv[2])
    files = sys.argv[3:]
    if files == ["-"]:
        files = sys.stdin.read().splitlines()
    refused = {}
    for file in files:
        try:
            fault = fault_of(parsed(pathlib.Path(file)))
        except Exception as error:  # a text that does not parse is rejected, in whatever way the library reports it
            fault = f"{type(error).__name__}: {error}"
        if fault is not None:
            refused[file] = fault
    json.dump({"version": version, "refused": refused, "crashed": {}}, sys.stdout)


if __name__ == "__main__":
    main()
