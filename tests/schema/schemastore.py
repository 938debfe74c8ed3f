"""The entries for SchemaStore: of its form, for names that lint takes for what the schema describes, with files that pass and fail.
usage: schemastore.py BAYPLAN PROJECT"""
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}; apt-get install python3-jsonschema python3-yaml")
    sys.exit(77)

SCHEMAS = {"ecs-task-definition": "task-definition", "ecs-service": "service", "bayplan": "config"}


def faults_in(schema, path):
    text = path.read_text(encoding="utf-8")
    value = yaml.safe_load(text) if path.suffix == ".yaml" else json.loads(text)
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(value)]


def main():
    program, project = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    folder = project / "packaging" / "schemastore"
    entries = json.loads((folder / "catalog-entries.json").read_text(encoding="utf-8"))
    names = [re.fullmatch(r"https://www\.schemastore\.org/([a-z-]+)\.json", entry["url"])[1] for entry in entries]
    assert names == list(SCHEMAS), names
    patterns = [pattern for entry in entries for pattern in entry["fileMatch"]]
    assert len(patterns) == len(set(patterns)), "two entries for one name"
    for entry, name in zip(entries, names):
        assert list(entry) == ["name", "description", "fileMatch", "url"] and all(entry.values()), entry
        # The checks of SchemaStore itself (cli.js, read in November 2026).
        assert not any("schema" in entry[key].lower() for key in ("name", "description")), f"{name}: the word schema says nothing"
        assert all("/" not in pattern or pattern.startswith("**/") for pattern in entry["fileMatch"]), entry["fileMatch"]
        printed = subprocess.run([program, "schema", SCHEMAS[name]], capture_output=True, check=True).stdout
        schema = {**json.loads(printed), "$id": entry["url"]}
        jsonschema.Draft202012Validator.check_schema(schema)
        good, bad = (list((folder / kind / name).iterdir()) for kind in ("test", "negative_test"))
        assert good and bad, f"{name} has no files that pass, or none that fail"
        for path in good:
            assert not faults_in(schema, path), (path, faults_in(schema, path))
        for path in bad:
            assert faults_in(schema, path), f"{path} passes"
        if name == "bayplan":
            continue  # the names are those that lint looks for
        # Under each name, what the schema accepts is linted as what it describes.
        for pattern in entry["fileMatch"]:
            with tempfile.TemporaryDirectory() as work:
                file = pathlib.Path(work) / pattern.replace("*", "prod")
                assert fnmatch.fnmatch(file.name, pattern)
                file.write_bytes(good[0].read_bytes())
                done = subprocess.run([program, "lint", "--output", "json", file.name], cwd=work, capture_output=True, check=False)
                assert done.returncode in (0, 1), done.stderr
                kinds = [one["kind"] for one in json.loads(done.stdout)["files"]]
                assert kinds == [SCHEMAS[name]], (pattern, kinds)
    print(f"{len(entries)} entries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
