"""One figure, one value: of every example each format says the same shares, prices and counts. usage: figures.py BAYPLAN PROJECT

Text with -v is what people read; what Markdown, HTML, SVG and CSV say must stand there too, or follow from JSON by the one
rule of rounding: shares down, "<1%" of what is less.
"""
import csv
import html
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

PROGRAM, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
FORMATS = {"place": "text json html markdown csv svg", "fleet": "text json html markdown csv svg", "fit": "text json html markdown csv",
           "whatif": "text json html markdown csv", "why": "text json html markdown csv", "repack": "text json html markdown csv",
           "diff": "text json html markdown csv", "lint": "text json html markdown csv"}
faults, checked = [], 0


def example_lines():
    for path in sorted((PROJECT / "examples").rglob("command")):
        words = [word for line in path.read_text().splitlines() if not line.startswith("#") for word in shlex.split(line)]
        for flag in ("--format", "--output"):
            if flag in words:
                at = words.index(flag)
                del words[at:at + 2]
        if words[0] in FORMATS:
            yield path.parent, [word for word in words if word not in ("--verbose", "-v", "-q")]


def reports(folder, words):
    with tempfile.TemporaryDirectory() as target:
        paths = {name: pathlib.Path(target) / f"report.{name}" for name in FORMATS[words[0]].split()}
        outputs = [part for name, path in paths.items() for part in ("--output", f"{name}={path}")]
        done = subprocess.run([PROGRAM, *words, "-v", *outputs], cwd=folder, capture_output=True, text=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
        assert done.returncode in (0, 1), done.stderr
        return {name: path.read_text() for name, path in paths.items()}


def plain(name, text):
    """What a reader sees. Of a page without the text report that it repeats, its command line and its data."""
    if name == "html":
        text = re.sub(r'<section id="text".*?</section>|<p class="command">.*?</p>|<script.*?</script>|<style.*?</style>|<head>.*?</head>', " ", text, flags=re.S)
    if name in ("html", "svg"):
        text = re.sub(r"<style.*?</style>", " ", text, flags=re.S)
        text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    if name == "markdown":
        text = html.unescape(text.replace("\\", ""))
    return re.sub(r"\s+", " ", text)


def letters(text):
    """A page divides the answer into a verdict, a line and the rest, without what stood between them."""
    return re.sub(r"[\s:,;.\u2068\u2069]+", "", text)


def numbers_of(value):
    """Every number anywhere in a JSON report."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return set().union(*(numbers_of(one) for one in value)) if value else set()
    return {value} if isinstance(value, (int, float)) and not isinstance(value, bool) else set()


def usd(amount):
    text = f"{amount:,.4f}"
    return text[:-2] if text.endswith("00") else text[:-1] if text.endswith("0") else text


def month(amount):
    """Of 730 hours, in whole dollars from ten up."""
    micro = round(amount * 1e6) * 730
    return f"{micro / 1e6:.2f}" if micro < 10_000_000 else f"{(micro + 500_000) // 1_000_000:,}"


def share(part, whole=1.0):
    """The rule that every format follows."""
    if whole <= 0:
        return "-"
    value = part * 100 / whole + 1e-9
    return "<1%" if part > 0 and value < 1 else f"{int(value)}%"


def percents(text):
    return set(re.findall(r"<?\d+(?:\.\d+)?%", text))


def amounts(text):
    return {one.rstrip(".") for one in re.findall(r"\$([\d,.]+)/h", text)}


def months(text):
    return set(re.findall(r"\$([\d,.]*\d)/month", text))


def expect(condition, where, message):
    global checked
    checked += 1
    if not condition:
        faults.append(f"{where}: {message}")


def check_sets(where, shown, told):
    """What one format says of shares and money, the terminal says or JSON does."""
    # The picture of a fleet for an existing cluster has totals of both together.
    shown = {name: re.sub(r"fleet and existing cluster, .*? in use", " ", text) for name, text in shown.items()}
    known = numbers_of(told)
    shares = percents(shown["text"])
    if isinstance(told.get("containerInstances"), list):
        for one in told["containerInstances"]:
            for name in ("CPU", "MEMORY"):
                whole = one["registered"][name]
                shares.add(share(whole - one["remaining"][name], whole))
    prices = amounts(shown["text"]) | {usd(one) for one in known}
    for name in ("markdown", "html", "svg"):
        if name not in shown:
            continue
        strange = percents(re.sub(r"\d+ to \d+%|\d+-\d+%|[ ]0%|100%", " ", shown[name])) - shares
        # Boxes of a picture of the recommended fleet have shares of their own.
        if where[1] != "fleet" or name != "svg":
            expect(not strange, where, f"{name} says {sorted(strange)}, text and JSON do not")
        strange = amounts(shown[name]) - prices
        expect(not strange, where, f"{name} says {sorted('$' + one for one in strange)} an hour, text and JSON do not")
        strange = months(shown[name]) - months(shown["text"]) - {month(one) for one in known}
        expect(not strange, where, f"{name} says {sorted('$' + one for one in strange)} a month, text and JSON do not")


def check_place(where, shown, raw, told):
    summary = told["summary"]
    names = {"text": "CPU {}", "markdown": "CPU {}", "svg": "CPU {}", "html": "CPU reserved {}"}
    if summary["utilization"]["CPU"] is not None:
        wanted = share(summary["utilization"]["CPU"])
        for name, words in names.items():
            expect(words.format(wanted) in shown[name], where, f"{name} does not say {words.format(wanted)!r}")
    if summary["utilization"]["MEMORY"] is not None:
        wanted = share(summary["utilization"]["MEMORY"])
        for name in ("text", "markdown", "svg"):
            expect(f"MEM {wanted}" in shown[name], where, f"{name} does not say MEM {wanted}")
        expect(re.search(rf"memory reserved {wanted}", shown["html"]), where, f"html does not say memory reserved {wanted}")
    if summary["hourlyCost"] is not None:
        for name in ("text", "markdown", "svg", "html"):
            expect(f"${usd(summary['hourlyCost'])}/h" in shown[name], where, f"{name} does not say ${usd(summary['hourlyCost'])}/h")
    for one in told["containerInstances"]:
        cpu, memory = (share(one["registered"][key] - one["remaining"][key], one["registered"][key]) for key in ("CPU", "MEMORY"))
        expect(re.search(rf"{re.escape(one['id'])}, [^:]*: CPU {cpu}, memory {memory}", shown["svg"]), where, f"svg does not say CPU {cpu}, memory {memory} of {one['id']}")
    if "timeline" not in told:
        rows = list(csv.DictReader(raw["csv"].splitlines()))
        expect(sum(row["state"] == "placed" for row in rows) == summary["placed"], where, "csv has another count of placed tasks")
        if summary["unplaced"]:
            expect(sum(row["state"] != "placed" for row in rows) == summary["unplaced"] + summary["provisioning"], where, "csv has another count of tasks not placed")
        expect(f"tasks placed {summary['placed']:,} of" in shown["html"], where, "html has another count of placed tasks")


def check_fleet(where, shown, raw, told):
    use = told["utilization"]
    chosen = told["recommended"]
    if not use or not chosen:
        return
    wanted = usd(chosen["hourlyCost"])
    for name in ("text", "markdown", "html", "svg"):
        expect(f"${wanted}/h" in shown[name], where, f"{name} does not say ${wanted}/h")
    bought = [row for row in csv.DictReader(raw["csv"].splitlines()) if row["fleet"] == "recommended"]
    expect(sum(int(row["count"]) for row in bought) == sum(one["count"] for one in chosen["fleet"]), where, "csv buys another count")
    # The table's row of sums, or its only row, against the picture's line of totals.
    pictured = None if "existing cluster" in shown["svg"] else re.search(r"CPU (<?\d+%), MEM (<?\d+%)", shown["svg"])
    cells = re.findall(r"^\| (?:all|[\w.-]+) \|(.*)\|$", raw["markdown"].split("| single")[0].split("| if unavailable")[0], flags=re.M)
    rows = [percents(row) for row in cells if percents(row)]
    if pictured and rows:
        expect(set(pictured.groups()) <= rows[-1], where, f"the picture says {pictured.groups()}, the table {sorted(rows[-1])}")


def check_whatif(where, shown, raw, told):
    rows = list(csv.DictReader(raw["csv"].splitlines()))
    expect(len(rows) == 1 + len(told["variants"]), where, "csv has another count of rows")
    for row, one in zip(rows[1:], told["variants"]):
        expect(int(row["unplaced"]) == one["summary"]["unplaced"], where, f"csv says {row['unplaced']} not placed, JSON {one['summary']['unplaced']}")


for folder, words in example_lines():
    where = (str(folder.relative_to(PROJECT)), words[0])
    raw = reports(folder, words)
    shown = {name: plain(name, text) for name, text in raw.items() if name not in ("json", "csv")}
    told = json.loads(raw["json"])
    check_sets(where, shown, told)
    answer = re.sub(r"\s+", " ", told["answer"])
    if words[0] not in ("lint", "diff"):
        expect(answer in re.sub(r"[\u2068\u2069]", "", shown["text"]), where, f"text does not have the answer of JSON: {answer!r}")
        expect(letters(answer) in letters(shown["html"]), where, f"html does not have the answer of JSON: {answer!r}")
    check = {"place": check_place, "fleet": check_fleet, "whatif": check_whatif}.get(words[0])
    if check and (words[0] != "whatif" or "anyZone" in told):
        check(where, shown, raw, told)

print("\n".join(faults))
print(f"{checked} comparisons, {len(faults)} faults")
sys.exit(1 if faults or checked < 200 else 0)
