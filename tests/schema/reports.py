"""Validates every JSON report of the golden cases with its schema: reports.py PROJECT

A report names its schema in the member "schema". Requires python3-jsonschema; exit code 77: skipped without it.
"""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

project = pathlib.Path(sys.argv[1])
checked = 0
faults = []
for schema in sorted((project / "schemas").glob("*.schema.json")):
    jsonschema.Draft202012Validator.check_schema(json.loads(schema.read_text()))
for expected in sorted([*(project / "tests" / "golden").rglob("expected"), *(project / "examples").rglob("expected")]):
    text = expected.read_text()
    if not text.startswith("{"):
        continue
    report, _ = json.JSONDecoder().raw_decode(text)
    if not str(report.get("schema", "")).startswith("bayplan/"):
        continue
    name = report["schema"].split("/")[1]
    schema = project / "schemas" / f"{name}.schema.json"
    if not schema.exists():
        faults.append(f"{expected}: no {schema.name}")
        continue
    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
    for error in validator.iter_errors(report):
        faults.append(f"{expected}: {error.json_path}: {error.message[:200]}")
    checked += 1
    if not name.endswith("-report") or name == "sweep-report":  # a baseline is an input, and a sweep writes a line for each run
        continue
    if not report.get("version") or not report.get("answer"):
        faults.append(f"{expected}: no version or no answer")
    if '"hourlyCost"' in text or '"hourlyPrice"' in text:
        days = report.get("prices", {})
        if not days.get("region") or "oldest" not in days or "newest" not in days:
            faults.append(f"{expected}: prices without their region and days")

print("\n".join(faults))
print(f"{checked} reports checked, {len(faults)} faults")
sys.exit(1 if faults or checked == 0 else 0)
