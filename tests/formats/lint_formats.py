"""Every lint format contains the findings of the JSON report: lint_formats.py BAYPLAN PROJECT

`bayplan lint` writes all bad cases of the rules in each format, some with hostile file names, and a reader for that format
extracts the findings. Requires python3-jsonschema; exit code 77: skipped without it.
"""
import collections
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

bayplan = pathlib.Path(sys.argv[1]).resolve()
project = pathlib.Path(sys.argv[2]).resolve()
HOSTILE = ["a,b:c.json", "50%25.json", "<script>&'\".json", "two\nlines.json", "naïve 容器 🚢.json", "pipe|`tick`.json",
           "@everyone #1 [x](y).json", "::error::x.json"]
HOSTILE_TEXT = json.dumps({"family": "a|b`*<b>&\u0001\u202e\n::error::", "requiresCompatibilities": ["FARGATE"], "cpu": "512",
                           "memory": "512", "containerDefinitions": [{"name": "\u5bb9\u5668", "image": "x", "cpu": -1}]})


def check(condition, message):
    if not condition:
        raise SystemExit(f"lint formats: {message}")


def run(folder, *arguments, env=None):
    done = subprocess.run([bayplan, "lint", *arguments], cwd=folder, capture_output=True,
                          env={**os.environ, "GITHUB_STEP_SUMMARY": "", **(env or {})})
    check(done.returncode in (0, 1), f"exit {done.returncode}: {done.stderr.decode()[:500]}")
    return done.stdout.decode()


def escape_free(text):
    check(not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", text), "a control character went through")


def sarif(text, findings, folder):
    schema = json.loads((project / "tests/formats/sarif.schema.json").read_text())
    log = json.loads(text)
    jsonschema.Draft202012Validator(schema).validate(log)
    sarif_run = log["runs"][0]
    rules = [rule["id"] for rule in sarif_run["tool"]["driver"]["rules"]]
    levels = {"error": "error", "warning": "warning", "info": "note", "style": "note"}
    check(len(sarif_run["results"]) == len(findings), "SARIF: count")
    for result, finding in zip(sarif_run["results"], findings):
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        check(urllib.parse.unquote(place["artifactLocation"]["uri"]) == finding["file"], "SARIF: file")
        check(rules[result["ruleIndex"]] == result["ruleId"] == finding["code"], "SARIF: rule")
        check(result["level"] == levels[finding["severity"]], "SARIF: level")
        check(result["message"]["text"].startswith(finding["message"]), "SARIF: message")
        check([region[key] for key in ("startLine", "startColumn", "endLine", "endColumn", "byteOffset")] ==
              [finding[key] for key in ("line", "column", "endLine", "endColumn", "offset")], "SARIF: region")
        edits = (finding["fix"] or {}).get("edits", []) if (finding["fix"] or {}).get("safe") else []
        replacements = [r for fix in result.get("fixes", []) for change in fix["artifactChanges"] for r in change["replacements"]]
        check([(r["deletedRegion"]["byteOffset"], r["deletedRegion"]["byteLength"], r["insertedContent"]["text"]) for r in replacements]
              == [(e["offset"], e["length"], e["text"]) for e in edits], "SARIF: fix")


def github(text, findings, folder):
    unescape = lambda value: value.replace("%0A", "\n").replace("%0D", "\r").replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
    ranks = {"error": "error", "warning": "warning", "info": "notice", "style": "notice"}
    expected = collections.Counter(ranks[finding["severity"]] for finding in findings)
    places = {(f["file"], f["line"], f["code"]) for f in findings}
    seen = collections.Counter()
    order = []
    lines = text.splitlines()
    more = 0
    for line in lines:
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        check(match, f"GitHub: not a workflow command: {line}")
        kind, properties = match[1], dict(item.split("=", 1) for item in match[2].split(","))
        if "file" not in properties:
            more = int(match[3].split()[0])
            continue
        seen[kind] += 1
        order.append(["error", "warning", "notice"].index(kind))
        code = unescape(properties["title"]).split()[0]
        check((unescape(properties["file"]), int(properties["line"]), code) in places, f"GitHub: unknown finding {line}")
        check(("col" in properties) == (properties["line"] == properties["endLine"]), "GitHub: columns over lines")
    check(order == sorted(order), "GitHub: order")
    check(all(seen[kind] == min(count, 9 if kind == "notice" else 10) for kind, count in expected.items()), "GitHub: caps")
    check(more == len(findings) - sum(seen.values()), "GitHub: how many more")


def gitlab(text, findings, folder):
    issues = json.loads(text)
    check([(i["check_name"], i["location"]["path"], i["location"]["lines"]["begin"], i["fingerprint"]) for i in issues] ==
          [(f["code"], f["file"], f["line"], f["fingerprint"]) for f in findings], "GitLab: issues")
    check(len({i["fingerprint"] for i in issues}) == len(issues), "GitLab: fingerprints are not unique")
    check({i["severity"] for i in issues} <= {"info", "minor", "major", "critical", "blocker"}, "GitLab: severity")


def junit(text, findings, folder):
    suites = xml.etree.ElementTree.fromstring(text)
    codes = collections.Counter()
    for suite in suites:
        cases = suite.findall("testcase")
        check(int(suite.get("tests")) == len(cases), "JUnit: tests")
        check(int(suite.get("failures")) == len(suite.findall("testcase/failure")), "JUnit: failures")
        codes.update(case.get("name").split()[0] for case in cases if case.get("name").startswith("BAY"))
    check(codes == collections.Counter(f["code"] for f in findings), "JUnit: cases")
    check(sum(int(suite.get("failures")) for suite in suites) == sum(f["severity"] == "error" for f in findings), "JUnit: errors")
    names = {finding["file"] for finding in findings}
    check(names <= {suite.get("name") for suite in suites}, "JUnit: names")


def markdown(text, findings, folder):
    escape_free(text.replace("\n", ""))
    rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
    check(len(rows) == min(50, len(findings)), "Markdown: rows")
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        check(len(cells) == 4, f"Markdown: a cell too many: {row}")
        prose = re.sub("`[^`]*`", "", row)
        check(not re.search("<(?!/?code>)|@|`", prose), f"Markdown: markup went through: {row}")
    ranks = ["error", "warning", "info", "style"]
    order = [ranks.index(row.split("|")[1].strip()) for row in rows]
    check(order == sorted(order), "Markdown: order")
    if len(findings) > 50:
        check(f"and {len(findings) - 50} more" in text, "Markdown: how many more")


def text_and_oneline(text, findings, folder):
    escape_free(text.replace("\n", ""))
    heads = re.findall(r"^.*:(\d+):(\d+) (error|warning|info|style) (BAY\d+) ", text, re.M)
    check([(int(line), int(column), severity, code) for line, column, severity, code in heads] ==
          [(f["line"], f["column"], f["severity"], f["code"]) for f in findings], "text: findings")


class Page(html.parser.HTMLParser):
    """The findings that a page shows, and its elements."""

    def __init__(self, text):
        super().__init__()
        self.severities, self.headings, self.elements, self.open = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        self.open.append(tag)
        attributes = dict(attributes)
        if tag == "article":
            self.severities.append(attributes["data-severity"])
        if tag == "h4":
            self.headings.append("")

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if "h4" in self.open:
            self.headings[-1] += data


# What bayplan's own markup is made of.
KNOWN = set("html head meta title style body header footer p bdi h1 h2 h3 h4 main section div dl dt dd article pre code mark ins del table "
            "thead tbody tr th td noscript script details summary a strong span wbr".split())


def page(text, findings, folder):
    escape_free(text.replace("\n", ""))
    found = Page(text)
    check(collections.Counter(found.severities) == collections.Counter(f["severity"] for f in findings), "HTML: severities")
    check([heading.split()[1] for heading in found.headings] == [f["code"] for f in findings], "HTML: codes")
    check(found.elements <= KNOWN, f"HTML: markup went through: {found.elements - KNOWN}")
    check(text.count("<script") == text.count("</script>") <= 6, "HTML: scripts")


READERS = {"html": page, "sarif": sarif, "github": github, "gitlab": gitlab, "junit": junit, "markdown": markdown, "text": text_and_oneline,
           "oneline": text_and_oneline}


def compare(folder, names):
    selection = ["--extend-select", "ALL"]
    report = json.loads(run(folder, *selection, "--format", "json", "--", *names))
    jsonschema.Draft202012Validator(json.loads((project / "schemas/lint-report.schema.json").read_text())).validate(report)
    for name, reader in READERS.items():
        reader(run(folder, *selection, "--format", name, "--", *names), report["findings"], folder)
    return len(report["findings"])


with tempfile.TemporaryDirectory() as folder:
    names = []
    for case in sorted((project / "tests/rules").glob("*/bad*")):
        if case.suffix != ".out" and case.is_file():
            names.append(f"{case.parent.name}-{case.name}")
            pathlib.Path(folder, names[-1]).write_bytes(case.read_bytes())
    count = compare(folder, names)
    for name in HOSTILE:
        pathlib.Path(folder, name).write_text(HOSTILE_TEXT)
        count += compare(folder, [name])
    check(count > 300, f"only {count} findings")

    clean = pathlib.Path(folder, "clean.json")
    clean.write_text(json.dumps({"family": "web", "requiresCompatibilities": ["EC2"], "containerDefinitions": [
        {"name": "web", "image": "web:1", "memory": 128}]}))
    check(json.loads(run(folder, "--format", "gitlab", "clean.json")) == [], "GitLab: clean")
    check(run(folder, "--format", "github", "clean.json") == "", "GitHub: clean")
    check(len(xml.etree.ElementTree.fromstring(run(folder, "--format", "junit", "clean.json"))) == 1, "JUnit: clean")

    summary = pathlib.Path(folder, "summary.md")
    summary.write_text("before")
    run(folder, "--format", "github", HOSTILE[0], env={"GITHUB_STEP_SUMMARY": str(summary)})
    check(summary.read_text().startswith("before\n### bayplan: "), "job summary")
    several = run(folder, "--output", "text", "--output", "sarif=out.sarif", "--output", "json=out.json", HOSTILE[0])
    check("BAY113" in several and json.loads(pathlib.Path(folder, "out.sarif").read_text())["version"] == "2.1.0", "several outputs")
print(f"{count} findings, {len(READERS)} formats beside JSON")
