"""Random cases: a command line of the table of options, and the files that it reads."""
import dataclasses
import functools
import json
import random
import re
import shlex

import inputs
import schema_values
import world

#: How often each command is drawn; one that is not here has the weight 1.
WEIGHTS = {"place": 10, "fleet": 10, "whatif": 6, "repack": 5, "why": 5, "sweep": 4, "lint": 2, "fit": 2, "diff": 3, "dry-run": 3, "replay": 2}
#: How often an option is drawn; else about as often that a line has two of them. What --watch starts does not end by itself.
OFTEN = {"--no-lint": 0.6, "--each-az": 0.25, "--color": 0.03, "--max-input": 0.005, "--variant": 0.03,  "--stats": 0.02, "--continue-from": 0.02, "--help": 0, "--watch": 0, "--time-limit": 0.02, "--stdio": 0.5, "--param": 0.008,
         "--allow-partial": 0.5, "--cluster": 0.06, "--instances": 0.06, "--region": 0.02, "--fix": 0.1, "--until": 0.12, "--task": 0.08, "--spot": 0.15, "--survive-zone-loss": 0.15}
#: Options of which a line has at most one.
APART = [{"--strategy", "--placement-strategy"}, {"--policy", "--strategy"}, {"--policy", "--placement-strategy"}, {"--runs", "--ties"}, {"--cluster", "--instances"}, {"--spot", "--load"}, {"--spot", "--survive-zone-loss"}, {"--spot", "--deployable"}, {"--runs", "--policy"}, {"--load", "--commitment"}, {"--runs", "--until"},
         {"--fix", "--diff"}, {"--init", "--show-config"}, {"--create-baseline", "--baseline"}, {"--runs", "--deploy"}, {"--quiet", "--verbose"}, {"--spot", "--add-only"},
         {"--until", "--policy"}, {"--variant", "--each-az"}, {"--variant", "--lose-az"}, {"--variant", "--scale"}, {"--variant", "--set-desired-capacity"}, {"--variant", "--drain"}, {"--variant", "--terminate"}, {"--variant", "--add"},
         {"--variant", "--replace"}, {"--variant", "--strategy"}, {"--variant", "--deploy"}, {"--variant", "--each-instance"}, {"--variant", "--remove"}, {"--spot-prices", "--prices"}, {"--spot-prices", "--spot-discount"}, {"--each-az", "--each-instance"}, {"--init", "--fix"}, {"--init", "--show-files"}, {"--add-only", "--survive-zone-loss"}]
#: An option that is refused without another.
TOGETHER = {"--spot-pools": "--spot", "--spot-prices": "--spot", "--spot-discount": "--spot", "--spot": "--spot-discount", "--survive-zone-loss": "--zones"}
#: The likelihood that the scenario of a command runs over time: the others answer for time 0.
TIMED = {"place": 0.45, "whatif": 0.35, "fleet": 0.05}
TIMED_PLACES = re.compile(r"^(events|Event|DesiredCapacity|TaskProtection|CapacityProvider\b|AutoScalingGroup|Managed|InstanceRequirements|NumberRange|ServiceUpdate|spot|settings.timing|settings.whenFull)|startAt|startDelay|duration", re.I)
CHANGES = {"--lose-az", "--terminate", "--drain", "--remove", "--add", "--scale", "--set-desired-capacity", "--replace", "--deploy", "--strategy", "--placement-strategy", "--variant", "--each-az", "--each-instance"}
#: Views of a text report, which are refused without one.
VIEWS = {"--wide", "--sort", "--where"}
DEFINITIONS = ("t1.json", "t2.json")


class Case:
    """What a run needs: the words of the line, and the files, each a text or a JSON value."""

    def __init__(self, line, files, legal=True):
        self.line, self.files, self.legal = list(line), dict(files), legal

    @property
    def command(self):
        return self.line[0]

    def texts(self):
        """The files as they are written."""
        return {name: content if isinstance(content, str) else json.dumps(content) for name, content in self.files.items()}

    def record(self, **more):
        return {**more, "command": self.line, "files": self.files}

    def __str__(self):
        return "bayplan " + shlex.join(self.line)


class Line:
    """Draws one line; the files that it names are added to `files`."""

    def __init__(self, w, table, command, item=None):
        w.takes_policy = command.name in ("place", "whatif", "sweep")
        self.w, self.table, self.command, self.files, self.item = w, table, command, {}, item or Item()
        self.scenario = self.folder = None
        self.needs_zones = False

    # Files

    def scenario_file(self):
        if self.scenario is None:
            self.scenario = "s.yaml" if self.w.often(0.1) else "s.json"
            document = inputs.scenario(self.w)
            if self.w.often(0.15) and document["taskDefinitions"]:
                for number, definition in enumerate(document["taskDefinitions"]):
                    self.files[f"defs/{number}.json"] = definition
                document["taskDefinitions"] = ["defs/*.json"]
            if self.w.often(0.08) and "cluster" in document:
                self.files["cluster.json"] = document["cluster"]
                document["cluster"] = "cluster.json"
            if self.w.often(0.3) and "load" in document:
                self.files["load.csv"] = inputs.load_table(self.w)
                document["load"] = "load.csv"
            self.files[self.scenario] = document
        return self.scenario

    def snapshot(self):
        if self.folder is None:
            self.folder = "live"
            for name, content in inputs.snapshot(self.w).items():
                self.files[f"live/{name}"] = content
        return self.folder

    def definition(self):
        name = self.w.draw.choice(DEFINITIONS)
        self.files.setdefault(name, world.task_definition(self.w, self.w.reference()))
        return name

    def file(self, name, content):
        self.files.setdefault(name, content)
        return name

    def grid(self):
        return self.file("grid.json", inputs.grid(self.w, self.scenario_file()))

    # Values

    def task(self):
        return self.w.pick(self.w.reference(), self.definition()) if self.scenario or self.folder else self.definition()

    def value(self, option):
        """A value for the option, by its name, then by the name of its value."""
        w = self.w
        if option.words:
            return w.draw.choice(option.words)
        by_name = {
            "--effort": lambda: w.pick(1, 50, 1000, 5000, 20000), "--orders": lambda: w.pick(1, 2, 3), "--runs": lambda: w.pick(1, 2, 5, 20), "--jobs": lambda: w.pick(1, 2, 3),
            "--time-limit": lambda: w.pick(1, 2), "--until": lambda: w.pick("1s", "5m", "1h", "2h", "24h"), "--at": lambda: w.pick("0s", "5m", "1h"), "--zones": lambda: w.pick("1", "2", "3", ",".join(w.zones)) if not self.needs_zones else w.pick("2", "3"),
            "--cluster": self.cluster, "--prices": lambda: w.pick(self.file("prices.csv", inputs.price_table(w)), self.file("spot.json", inputs.spot_price_table(w))),
            "--spot-prices": lambda: self.file("spot.json", inputs.spot_price_table(w)), "--load": lambda: self.file("load.csv", inputs.load_table(w)),
            "--continue-from": lambda: self.file("run.json", "{}"), "--gap": lambda: w.pick("0%", "1%", "50%"), "--headroom": lambda: w.pick("0%", "10%", "100%"),
            "--spot": lambda: w.pick("30%", "70%", "70%", "100%", "100%"), "--spot-discount": lambda: w.pick("*=0.35", f"{w.draw.choice(w.types)}=0.5", "*=1"), "--policy": lambda: w.pick("best-fit", "worst-fit", "fgd", "random", "dot-product"),
            "--service": lambda: w.draw.choice(w.services or ["s1"]), "--variant": lambda: w.pick("wider", "lost", "busy"), "--quota": lambda: w.pick("G and VT=256", "Standard=8", "P=0"),
            "--commitment": lambda: w.pick("COMPUTE_SP=28%", "EC2_INSTANCE_SP:m5=40%@0.5", f"RESERVED_INSTANCES:{w.draw.choice(w.types)}=40%@2", "COMPUTE_SP=10%@1"),
            "--sort": lambda: w.pick("name", "type:desc", "free-memory", "tasks", "price:asc"), "--where": w.expression, "--shard": lambda: w.pick("1/2", "2/2", "1/1"), "--var": lambda: "TAG=1.2",
            "--env-file": lambda: self.file("a.env", "TAG=7\n"), "--config": lambda: self.file("lint.yaml", "ignore: [BAY5]\n"), "--baseline": lambda: self.file("baseline.json", {"schema": "bayplan/baseline/1", "findings": []}),
            "--create-baseline": lambda: "known.json", "--write-scenario": lambda: "started.yaml", "--output-file": lambda: w.pick("written", "written.txt", f"written.{w.draw.choice(self.command.formats)}"), "--daemon": self.definition, "--definition": self.definition, "--definitions": self.definition, "--max-input": lambda: w.pick(100, 1 << 20),
            "--stdin-filename": lambda: "web.json", "--folder": lambda: "out", "--min-agreement": lambda: w.pick("0", "0.5", "1"), "--max-moves": lambda: w.pick(0, 1, 3, 10), "--min-saving": lambda: w.pick("0", "0.5", "100"),
            "--together": lambda: w.pick(1, 2, 10), "--seed": lambda: w.draw.randrange(100), "--max-types": lambda: w.pick(1, 2, 3), "--spot-pools": lambda: w.pick(1, 2, 4), "--count": lambda: w.pick(1, 2, 5),
            "--min-gpus": lambda: w.pick(0, 1, 8), "--min-vcpu": lambda: w.pick(1, 64), "--compute-capability": lambda: w.pick("7.0", "8"), "--param": lambda: "Size=1", "--to-scenario": lambda: "recorded.json",
            "--fit-assumptions": lambda: "fitted.json", "--anonymize": lambda: "case.json", "--owned": lambda: f"{w.draw.choice(w.types)}={w.pick(1, 2, 5)}", "--cluster-name": lambda: "prod", "--instances": lambda: f"{w.draw.choice(w.types)}={w.pick(1, 2, 4)}{w.pick('', '@' + ','.join(w.zones))}",
        }
        by_value = {
            "FILE": self.some_file, "PATH": self.some_file, "DIR": lambda: "out", "ZONE": lambda: w.draw.choice(w.used_zones or w.zones), "ID": w.instance, "GLOB": w.type_or_glob, "DURATION": lambda: w.draw.choice(world.DURATIONS),
            "TYPE=N": lambda: f"{w.draw.choice(w.types)}={w.pick(0, 1, 2, 5)}", "TYPE=N@AZ,AZ": lambda: f"{w.draw.choice(w.types)}={w.pick(1, 2)}{w.pick('', '@' + w.draw.choice(w.zones))}", "REGION": lambda: w.region,
            "TYPES=FACTOR": lambda: f"{w.pick('*', w.draw.choice(w.types), 'm5')}={w.pick('0.72', '1', '0.000001')}", "OLD=NEW": lambda: f"{w.draw.choice(w.types)}={w.draw.choice(world.TYPES)}",
            "NAME=N": lambda: f"{w.draw.choice(w.replicas() or w.families)}={w.pick(0, 1, 5)}", "SERVICE=TASKDEF": lambda: f"{w.draw.choice(w.replicas() or ['s1'])}={w.reference()}",
            "PROVIDER=N": self.desired_capacity,
            "TASKDEF=COUNT": lambda: f"{self.task()}={w.pick(1, 2, 5, 'max')}", "STRATEGY": w.strategy_text, "TYPE:FIELD": w.strategy_text, "type=...,field=...": lambda: w.pick("type=binpack,field=memory", "type=spread,field=instanceId", "type=random"),
            "type=...,expression=...": lambda: w.pick("type=distinctInstance", f"type=memberOf,expression={w.expression()}"), "PERCENT": lambda: w.pick("0%", "5%", "100%"), "SIZE": lambda: w.pick("16GiB", "1 GiB", "64GiB"),
            "USD": lambda: w.pick("0", "1.5"), "MIB": lambda: w.pick("0", "32", "1000"), "RULE": lambda: w.pick("BAY4", "gpu", "ALL", "BAY113"), "CODE=LEVEL": lambda: "BAY113=warning", "SHARE": lambda: "0.5", "N": lambda: w.pick(1, 2, 3),
            "K": lambda: w.pick(0, 2), "NAME": lambda: w.draw.choice([*w.services, *w.families]), "FORMAT[=FILE]": lambda: w.draw.choice(self.command.formats), "SECONDS": lambda: w.pick(1, 5), "BYTES": lambda: 1 << 20,
        }
        make = by_name.get(option.name) or by_value.get(option.value) or (lambda: w.pick("1", "0", "10%", "a", "1h", "m5.large", "us-east-1a", self.some_file()))
        return str(make())

    def some_file(self):
        return self.definition()

    def cluster(self):
        if self.w.often(1 if self.command.name == "dry-run" else 0.7):
            return self.snapshot()
        whole = inputs.scenario(self.w)
        return self.file("c.json", whole.get("cluster", {"containerInstances": []}))

    # The line

    def positional(self, name):
        """The words for one kind of argument."""
        w = self.w
        if self.command.takes_rest:
            return []
        if name == "SCENARIO":
            return [] if w.often(0.02) else [self.scenario_file()]
        if name == "SNAPSHOT":
            return [self.snapshot() if w.often(0.6) else self.scenario_file()]
        if name == "GRID":
            return [self.grid()]
        if name == "TASKDEF" and self.command.name == "why":
            scenario = self.scenario_file()
            return [w.reference() if w.often(0.9) else w.draw.choice([*w.families, *w.services]), scenario] if w.often(0.8) else [self.definition(), scenario]
        if name == "OLD NEW":
            for old in DEFINITIONS:
                self.files.setdefault(old, world.task_definition(w, "web"))
            return list(DEFINITIONS)
        if name == "RECORDS":
            for _ in range(4):
                self.folder = None
                self.snapshot()
                if self.files.get("live/tasks.json", {}).get("tasks") if isinstance(self.files.get("live/tasks.json"), dict) else False:
                    break
            files = {one.removeprefix("live/"): content for one, content in self.files.items()}
            return ["live", self.file("events.jsonl", inputs.records(w, files))]
        known = {"TASKDEF": self.definition, "PATH": self.definition, "GLOB": w.type_or_glob, "CODE|TEXT": lambda: w.pick("BAY113", "RESOURCE:GPU", "gpu", "unable to place a task"), "COMMAND": lambda: w.draw.choice(sorted(self.table)),
                 "SHELL": lambda: w.pick("bash", "zsh", "fish"), "NAME": lambda: w.pick("scenario", "grid", "task-definition")}
        return [known.get(name, self.scenario_file)()]

    def rest(self):
        """A line of the AWS CLI."""
        w = self.w
        kind = w.pick("run-task", "run-task", "create-service", "register-task-definition", "update-service" if w.services else "run-task", "start-task")
        if kind == "register-task-definition":
            return ["aws", "ecs", kind, "--cli-input-json", f"file://{self.definition()}"]
        line = ["aws", "ecs", kind, "--cluster", "prod"]
        if kind == "run-task":
            line += ["--task-definition", w.reference(), "--count", str(w.pick(1, 2, 10))]
        if kind == "start-task":
            line += ["--task-definition", w.reference(), "--container-instances", "i-1"]
        if kind == "create-service":
            line += ["--service-name", w.pick("new", "api"), "--task-definition", w.reference(), "--desired-count", str(w.pick(0, 1, 3))]
        if kind == "update-service":
            line += ["--service", w.draw.choice(w.services or ["s1"]), "--desired-count", str(w.pick(0, 2, 9))]
        if w.often(0.3) and kind in ("run-task", "create-service"):
            line += ["--placement-constraints", w.pick("type=distinctInstance", f"type=memberOf,expression={w.expression()}")]
        return line

    def groups(self):
        """Capacity providers of the scenario with an Auto Scaling group."""
        document = self.files.get(self.scenario)
        document = document if isinstance(document, dict) else {}
        return [one for one in document.get("capacityProviders", []) if "autoScalingGroup" in one]

    def desired_capacity(self):
        groups = self.groups()
        if not groups:
            return "cp1=1"
        group = self.w.draw.choice(groups)
        least = group["autoScalingGroup"].get("minSize", 0)
        return f"{group['name']}={self.w.draw.randint(least, min(group['autoScalingGroup'].get('maxSize', least), least + 6))}"

    def words(self):
        w, command = self.w, self.command
        arguments = [word for name in command.positionals for word in self.positional(name)]
        options = [one for one in command.options if not {"--output", "--jobs"} & set(one.names)]
        common = min(0.12, 2.0 / max(1, len(options)))
        drawn = [one for one in options if w.often(OFTEN.get(one.name, common)) and not (one.name == "--deploy" and not w.replicas())]
        until = command.option("--until")
        if until and until not in drawn and '"every":' in json.dumps(self.files.get(self.scenario)):
            drawn.append(until)  # what repeats must have an end
        if command.name == "fleet":
            drawn = [one for one in drawn if one.name not in ("--effort", "--orders")] + [command.option("--effort"), command.option("--orders")]
        if command.name == "whatif":
            drawn = [one for one in drawn if one.name != "--set-desired-capacity" or (w.has_time and self.groups())]
            if not any(one.name in CHANGES for one in drawn):
                drawn.append(command.option(w.pick("--each-az", "--lose-az", "--drain", "--scale", "--terminate", "--add")))
            drawn = [one for one in drawn if one.name != "--at"] + ([command.option("--at")] if w.has_time else [])
        if command.name == "repack":
            drawn = [one for one in drawn if one.name not in ("--cluster", "--instances") or w.often(0.05)]
        if command.name == "replay":
            drawn = [one for one in drawn if one.name != "--task" or any(other.name.startswith("--anonymi") for other in drawn)]
        for one in drawn:  # which grows meanwhile
            needed = TOGETHER.get(one.name)
            has_prices = needed == "--spot-discount" and any(other.name == "--spot-prices" for other in drawn)
            if needed and not has_prices and command.option(needed) and command.option(needed) not in drawn:
                drawn.append(command.option(needed))
        chosen = {}
        about = command.option(self.item.option) if self.item.option else None
        if about and {"--output", "--jobs"} & set(about.names):
            about = None  # drawn below
        for one in ([about] if about else []) + w.draw.sample(drawn, len(drawn)):
            if one and not any(one.name in apart and apart & set(chosen) for apart in APART):
                chosen[one.name] = one
        if command.name == "dry-run" and "--instances" not in chosen and w.often(0.9):
            one = command.option("--cluster")
            chosen[one.name] = one
        if "--write-scenario" in chosen and w.often(0.9):  # refused where there is a scenario already
            arguments, self.scenario, w.has_time = [], None, False
            chosen = {name: one for name, one in chosen.items() if name not in ("--continue-from", "--policy")}
            for name in ("--task", w.pick("--instances", "--cluster")):
                chosen[name] = command.option(name)
            if "--cluster" in chosen:
                chosen.pop("--instances", None)
        if w.has_time:
            chosen = {name: one for name, one in chosen.items() if name not in ("--runs", "--policy") or name == self.item.option or w.often(0.05)}
        elif not {"--spot"} & set(chosen):
            chosen = {name: one for name, one in chosen.items() if not name.startswith("--spot-")}
        self.needs_zones = "--survive-zone-loss" in chosen
        words = []
        for one in chosen.values():
            if not one.value:
                words.append([w.draw.choice(one.names) if one.names[0].startswith("--") or w.often(0.7) else one.names[0]])
                continue
            for _ in range(w.pick(1, 1, 1, 1, 2) if "=" in one.value or one.name in ("--types", "--strategy", "--lose-az", "--drain") else 1):
                value = self.value(one)
                words.append([f"{one.name}={value}"] if w.often(0.1) else [one.name, value])
        return command, arguments, words

    def line(self):
        w = self.w
        command, arguments, words = self.words()
        output = self.output(words)
        words += output
        if command.option("--jobs") and (w.often(0.3) or self.item.option == "--jobs"):
            words.append(["-j", str(w.pick(1, 2, 3))])
        parts = [*words, *[[one] for one in arguments]]
        if command.name not in ("why", "diff", "replay") and w.often(0.3):
            w.draw.shuffle(parts)
        else:
            parts = [[one] for one in arguments] + words if w.often(0.5) else parts
        line = [command.name, *(word for part in parts for word in part)]
        return [*line, "--", *self.rest()] if command.takes_rest else line

    def output(self, words):
        """One format, rarely two, one of them in a file."""
        w, formats = self.w, self.command.formats
        if self.item.format or self.item.option in ("--output", "--format"):
            return [["--output", self.item.format or w.draw.choice(formats)]]
        if len(formats) == 1:
            return []
        views = any(part[0].split("=")[0] in VIEWS for part in words)
        one = formats[0] if views and w.often(0.98) else w.draw.choice(formats)
        parts = [["--output", one]] if one != formats[0] or w.often(0.3) else []
        if w.often(0.1):
            other = w.draw.choice(formats)
            parts = [*parts, ["--output", f"{other}=report.{other}"]] if parts else [["--output", formats[0]], ["--output", f"{other}=report.{other}"]]
        return parts


@dataclasses.dataclass(frozen=True)
class Item:
    """One thing that the cases are to have: a key or a word of a schema, or an option or a format of a command."""
    schema: str = ""
    place: str = ""
    word: str = None
    command: str = ""
    option: str = ""
    format: str = ""

    def __str__(self):
        if self.schema:
            return f"{self.schema}: {self.place}" + (f"={self.word}" if self.word else "")
        return f"bayplan {self.command} {self.option or '--output ' + self.format}"


#: Of every command; they print something else.
HELP = ("--help", "--version")


@functools.cache
def items_of_schema(name):
    whole = inputs.schema(name)
    keys, words = schema_values.keys_and_words(whole)
    return [Item(schema=name, place=place) for place in keys if "(alias)" not in place] + [Item(schema=name, place=place, word=word) for place, word in words]


def items(table):
    """All of them, in an order that is always the same."""
    made = items_of_schema("scenario") + items_of_schema("grid")
    for command in table.values():
        made += [Item(command=command.name, option=option.name) for option in command.options if option.name not in HELP and OFTEN.get(option.name) != 0]
        made += [Item(command=command.name, format=form) for form in command.formats if len(command.formats) > 1]
    return made


def turn(table, seed):
    """The item of a seed; a prime number scatters them, so that few seeds have some of each kind."""
    made = items(table)
    return made[seed // 2 * 7919 % len(made)]


def make_case(table, seed, only=None):
    """The case of a seed: the same for the same table of options, everywhere.

    Every other seed is about one key, word, option or format, so that each has its turn.
    """
    draw = random.Random(seed)
    names = sorted(only or table)
    item = turn(table, seed) if seed % 2 == 0 and not only else None
    if item and item.schema:
        names = ["sweep"] if item.schema == "grid" else ["place", "fleet", "whatif", "why", "repack", "sweep"] if item.place.split(".")[0] != "Event" else ["place", "whatif"]
        if item.schema == "scenario" and (TIMED_PLACES.search(item.place)):
            names = ["place", "whatif"]
    name = item.command if item and item.command else draw.choices(names, [WEIGHTS.get(one, 1) * (0.15 if one in ("man", "completion", "lsp", "mcp", "collect", "schema", "catalog", "explain") else 1) for one in names])[0]
    wanted = (item.place, item.word, schema_values.way_to(inputs.schema(item.schema), item.place, draw)) if item and item.schema else None
    w = world.World(draw, TIMED.get(name, 0.02), wanted)
    drawing = Line(w, table, table[name], item)
    line = drawing.line()
    files = drawing.files
    legal = True
    if draw.random() < (0.2 if item is None else 0.1) and files:
        victim = draw.choice(sorted(files))
        if isinstance(files[victim], (dict, list)):
            legal = False
            files[victim] = inputs.spoiled(draw, files[victim], inputs.scenario_aliases())
        elif draw.random() < 0.5 and files[victim]:
            legal = False
            text = files[victim]
            position = draw.randrange(len(text))
            files[victim] = text[:position] + draw.choice(["", "\x00", ",", "-1", "1e99", "\n"]) + text[position + draw.randrange(3):]
    return Case(line, files, legal)
