#!/usr/bin/env python3
"""Makes the records of an account whose placement engine is known: what `bayplan replay` must find.

    bench/replay/generate.py FOLDER --engine exact --form eventbridge --placements 10000

writes FOLDER/snapshot (as bayplan collect does), FOLDER/events.jsonl and FOLDER/trail/*.json.gz (as --form says), and
FOLDER/truth.json: how many placements had eligible instances that the strategies exclude, and how many of them went to
one of the best.

The engines: `exact` follows the strategies and breaks ties at random, `newest` breaks them by the most recently
registered instance, `noise` takes any eligible instance in 5 % of the placements, `random` always.
"""
import argparse
import gzip
import heapq
import json
import pathlib
import random
import time

ACCOUNT, REGION, CLUSTER = "111122223333", "us-west-2", "bench"
ARN = f"arn:aws:ecs:{REGION}:{ACCOUNT}"
START = 1772323200  # 2026-03-01T00:00:00Z
ZONES = ["us-west-2a", "us-west-2b", "us-west-2c"]
TYPES = {"m5.xlarge": (4096, 15742), "m5.2xlarge": (8192, 31670), "c5.2xlarge": (8192, 15486)}
RESERVED = ["22", "2375", "2376", "51678", "51679"]
ZONE = ("spread", "attribute:ecs.availability-zone")
INSTANCE = ("spread", "instanceId")
# name, CPU, memory, host port or 0, strategies
SERVICES = [("web", 256, 512, 0, [ZONE, ("binpack", "memory")]), ("api", 512, 1024, 0, [ZONE, INSTANCE]),
            ("cache", 128, 2048, 6379, [INSTANCE]), ("worker", 1024, 1536, 0, [("binpack", "cpu")]),
            ("mail", 64, 256, 0, []), ("index", 2048, 4096, 0, [("binpack", "memory")])]
FAMILIES = [("train", 1024, 3072, 0, [("binpack", "memory")]), ("etl", 512, 1536, 0, [INSTANCE]),
            ("report", 256, 700, 0, [ZONE, ("binpack", "cpu")]), ("scan", 100, 300, 0, [])]


def iso(seconds, whole=False):
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(int(seconds)))
    if whole:
        return stamp + "Z"
    fraction = f"{int(round(seconds * 1000)) % 1000:03}".rstrip("0")
    return stamp + (f".{fraction}" if fraction else "") + "Z"


def us_time(seconds):
    stamp = time.gmtime(int(seconds))
    return f"{time.strftime('%b', stamp)} {stamp.tm_mday}, {stamp.tm_year}, {(stamp.tm_hour + 11) % 12 + 1}:{stamp.tm_min:02}:{stamp.tm_sec:02} {'AM' if stamp.tm_hour < 12 else 'PM'}"


class Instance:
    def __init__(self, number, zone, kind, random_source):
        self.zone, self.kind = zone, kind
        self.cpu, self.memory = self.all_cpu, self.all_memory = TYPES[kind]
        self.id = f"{random_source.getrandbits(128):032x}"
        self.arn = f"{ARN}:container-instance/{CLUSTER}/{self.id}"
        self.ec2 = f"i-{random_source.getrandbits(68):017x}"
        self.registered_at = START - 86400 + random_source.randrange(86000)
        self.ports, self.groups, self.tasks, self.version = set(), {}, 0, 10
        self.number = number

    def resources(self, cpu, memory, ports):
        return [{"name": "CPU", "type": "INTEGER", "integerValue": cpu}, {"name": "MEMORY", "type": "INTEGER", "integerValue": memory},
                {"name": "PORTS", "type": "STRINGSET", "stringSetValue": RESERVED + sorted(str(p) for p in ports)},
                {"name": "PORTS_UDP", "type": "STRINGSET", "stringSetValue": []}]

    def described(self):
        return {"containerInstanceArn": self.arn, "ec2InstanceId": self.ec2, "version": self.version, "status": "ACTIVE", "agentConnected": True,
                "runningTasksCount": self.tasks, "pendingTasksCount": 0, "registeredAt": iso(self.registered_at),
                "versionInfo": {"agentVersion": "1.99.0", "dockerVersion": "DockerVersion: 25.0.8"},
                "registeredResources": self.resources(self.all_cpu, self.all_memory, ()),
                "remainingResources": self.resources(self.cpu, self.memory, self.ports),
                "attributes": [{"name": "ecs.availability-zone", "value": self.zone}, {"name": "ecs.instance-type", "value": self.kind},
                               {"name": "ecs.os-type", "value": "linux"}, {"name": "ecs.cpu-architecture", "value": "x86_64"}]}


class Task:
    def __init__(self, workload, kind, number, created, random_source):
        self.name, self.cpu, self.memory, self.port, self.strategies = workload
        self.kind = kind
        self.group = f"{'service' if kind == 'service' else 'family'}:{self.name}"
        self.arn = f"{ARN}:task/{CLUSTER}/{random_source.getrandbits(128):032x}"
        self.created, self.number, self.version = created, number, 0

    def detail(self, now, last, desired, extra=None):
        self.version += 1
        detail = {"attachments": [], "attributes": [{"name": "ecs.cpu-architecture", "value": "x86_64"}],
                  "availabilityZone": self.instance.zone, "clusterArn": f"{ARN}:cluster/{CLUSTER}", "connectivity": "CONNECTED",
                  "containerInstanceArn": self.instance.arn,
                  "containers": [{"containerArn": self.arn.replace(":task/", ":container/"), "lastStatus": last, "name": "main",
                                  "image": f"{ACCOUNT}.dkr.ecr.{REGION}.amazonaws.com/{self.name}:1", "networkInterfaces": [],
                                  "taskArn": self.arn, "cpu": str(self.cpu), "memory": str(self.memory)}],
                  "cpu": str(self.cpu), "createdAt": iso(self.created), "desiredStatus": desired, "enableExecuteCommand": False,
                  "group": self.group, "launchType": "EC2", "lastStatus": last, "memory": str(self.memory),
                  "overrides": {"containerOverrides": [{"name": "main"}]},
                  "startedBy": "ecs-svc/1234567890123456789" if self.kind == "service" else "nightly", "taskArn": self.arn,
                  "taskDefinitionArn": f"{ARN}:task-definition/{self.name}:1", "updatedAt": iso(now), "version": self.version}
        detail.update(extra or {})
        return detail


class Account:
    def __init__(self, options):
        self.options, self.random = options, random.Random(options.seed)
        kinds = list(TYPES)
        self.instances = [Instance(i, ZONES[i % len(ZONES)], kinds[i // len(ZONES) % len(kinds)], self.random) for i in range(options.instances)]
        self.zone_counts, self.queue, self.order = {}, [], 0
        self.events, self.calls = [], []
        self.informative = self.hits = self.placed = self.failed = self.ties = 0

    def at(self, when, what, *arguments):
        self.order += 1
        heapq.heappush(self.queue, (when, self.order, what, arguments))

    def emit(self, when, kind, detail, resource):
        self.order += 1
        self.events.append((when, {"version": "0", "id": f"{self.random.getrandbits(128):032x}", "detail-type": kind, "source": "aws.ecs",
                                   "account": ACCOUNT, "time": iso(when, True), "region": REGION, "resources": [resource], "detail": detail}))

    def eligible(self, task):
        return [i for i in self.instances if i.cpu >= task.cpu and i.memory >= task.memory and task.port not in i.ports]

    def best(self, task, eligible):
        """What the documentation says: each strategy keeps the instances with the smallest key."""
        strategies = task.strategies or ([ZONE, INSTANCE] if task.kind == "service" else [])
        if task.kind == "service" and strategies == [ZONE]:
            strategies = [ZONE, INSTANCE]
        best = eligible
        for kind, field in strategies:
            if field == ZONE[1]:
                keys = [self.zone_counts.get((task.group, i.zone), 0) for i in best]
            elif kind == "spread":
                keys = [i.groups.get(task.group, 0) for i in best]
            else:
                keys = [getattr(i, field) for i in best]
            least = min(keys)
            best = [i for i, key in zip(best, keys) if key == least]
        return best

    def choose(self, task):
        eligible = self.eligible(task)
        if not eligible:
            self.failed += 1
            return None
        best = self.best(task, eligible)
        engine = self.options.engine
        if engine == "random" or (engine == "noise" and self.random.random() < 0.05):
            chosen = self.random.choice(eligible)
        elif engine == "newest" and (task.kind == "service" or task.strategies):
            chosen = max(best, key=lambda i: i.registered_at)
        else:
            chosen = self.random.choice(best)
        if len(best) < len(eligible):
            self.informative += 1
            self.hits += chosen in best
        self.placed += 1
        return chosen

    def report(self, instance, now):
        instance.version += 1
        detail = dict(instance.described(), clusterArn=f"{ARN}:cluster/{CLUSTER}", updatedAt=iso(now))
        self.emit(now, "ECS Container Instance State Change", detail, instance.arn)

    def place(self, task, now):
        chosen = self.choose(task)
        if chosen is None:
            return False
        task.instance = chosen
        chosen.cpu -= task.cpu
        chosen.memory -= task.memory
        chosen.tasks += 1
        if task.port:
            chosen.ports.add(task.port)
        chosen.groups[task.group] = chosen.groups.get(task.group, 0) + 1
        key = (task.group, chosen.zone)
        self.zone_counts[key] = self.zone_counts.get(key, 0) + 1
        end = now + 60 + self.random.expovariate(1 / self.options.duration)
        self.at(end, self.stop, task)
        if self.options.form != "eventbridge":
            self.at(now + self.random.uniform(2, 8), self.report_running, task)
        if self.options.form != "cloudtrail":
            self.emit(now, "ECS Task State Change", task.detail(now, "PENDING", "RUNNING"), task.arn)
            self.at(now + self.random.uniform(2, 8), self.run, task)
            self.at(now + self.random.uniform(0.02, 0.2), lambda now, i=chosen: self.report(i, now))
        return True

    def report_running(self, now, task):
        self.agent_call(now, task, {"status": "RUNNING", "pullStartedAt": us_time(now - 1)})

    def agent_call(self, now, task, request):
        """The agent calls with the role of its instance, whose session has the name of the instance."""
        self.call(now, "SubmitTaskStateChange", {"cluster": CLUSTER, "task": task.arn, **request}, {"acknowledgment": "ok"},
                  {"arn": f"arn:aws:sts::{ACCOUNT}:assumed-role/ecsInstanceRole/{task.instance.ec2}"})

    def run(self, now, task):
        self.emit(now, "ECS Task State Change", task.detail(now, "RUNNING", "RUNNING"), task.arn)

    def stop(self, now, task):
        key = (task.group, task.instance.zone)
        task.instance.groups[task.group] -= 1
        self.zone_counts[key] -= 1
        if self.options.form == "cloudtrail":
            return self.end(now, task, now)
        self.emit(now, "ECS Task State Change", task.detail(now, "RUNNING", "STOPPED", {"stoppingAt": iso(now)}), task.arn)
        self.at(now + self.random.uniform(1, 3), lambda when, t=task, s=now: self.end(when, t, s))

    def end(self, now, task, stopping):
        instance = task.instance
        instance.cpu += task.cpu
        instance.memory += task.memory
        instance.tasks -= 1
        instance.ports.discard(task.port)
        if self.options.form != "eventbridge":
            self.agent_call(now, task, {"status": "STOPPED", "reason": ""})
        if self.options.form != "cloudtrail":
            extra = {"stoppingAt": iso(stopping), "stoppedAt": iso(now), "stopCode": "EssentialContainerExited"}
            self.emit(now, "ECS Task State Change", task.detail(now, "STOPPED", "STOPPED", extra), task.arn)
            self.at(now + self.random.uniform(0.02, 0.2), lambda when, i=instance: self.report(i, when))

    def call(self, now, name, request, response, caller=None):
        number = self.random.getrandbits(128)
        self.calls.append((now, {"eventVersion": "1.11", "userIdentity": {"type": "AssumedRole", "accountId": ACCOUNT, **(caller or {})},
                                 "eventTime": iso(now, True),
                                 "eventSource": "ecs.amazonaws.com", "eventName": name, "awsRegion": REGION, "sourceIPAddress": "203.0.113.12",
                                 "userAgent": "aws-cli/2", "requestParameters": request, "responseElements": response, "requestID": f"r-{number:032x}",
                                 "eventID": f"e-{number:032x}", "readOnly": False, "eventType": "AwsApiCall", "recipientAccountId": ACCOUNT}))

    def arrive(self, now):
        form = self.options.form
        is_service = form == "eventbridge" or (form == "both" and self.random.random() < 0.5)
        workload = self.random.choice(SERVICES if is_service else FAMILIES)
        count = 1 if self.random.random() < 0.8 else self.random.randint(2, 4)
        placed = []
        for number in range(count):
            # The tasks of one call are placed milliseconds apart.
            task = Task(workload, "service" if is_service else "task", number, round(now + 0.007 * number, 3), self.random)
            if self.place(task, task.created):
                placed.append(task)
        if not is_service:
            strategies = [{"type": kind, "field": field} for kind, field in workload[4]]
            request = {"cluster": CLUSTER, "taskDefinition": f"{workload[0]}:1", "count": count, "launchType": "EC2", "startedBy": "nightly"}
            if strategies:
                request["placementStrategy"] = strategies
            failures = [] if len(placed) == count else [{"arn": i.arn, "reason": "RESOURCE:MEMORY"} for i in self.instances[:2]]
            tasks = [{"taskArn": t.arn, "clusterArn": f"{ARN}:cluster/{CLUSTER}", "taskDefinitionArn": f"{ARN}:task-definition/{t.name}:1",
                      "containerInstanceArn": t.instance.arn, "lastStatus": "PENDING", "desiredStatus": "RUNNING", "cpu": str(t.cpu),
                      "memory": str(t.memory), "containers": [{"name": "main", "cpu": str(t.cpu), "memory": str(t.memory)}], "startedBy": "nightly",
                      "version": 1, "createdAt": us_time(t.created), "group": t.group, "launchType": "EC2", "attachments": [], "tags": []} for t in placed]
            self.call(now, "RunTask", request, {"tasks": tasks, "failures": failures})
        if self.placed < self.options.placements:
            self.at(round(now + self.random.expovariate(1 / self.options.gap), 3), self.arrive)

    def simulate(self):
        self.at(START + 60.0, self.arrive)
        while self.queue:
            when, _, what, arguments = heapq.heappop(self.queue)
            what(round(when, 3), *arguments)
            if self.placed >= self.options.placements and what == self.stop and len(self.queue) < 3:
                break


def spoil(events, options, source):
    """Delivery at least once and in any order; some events are lost."""
    degraded = []
    for when, event in events:
        if source.random() < options.lost:
            continue
        moved = when + source.uniform(0, options.shuffle)
        degraded.append((moved, event))
        if source.random() < options.duplicates:
            degraded.append((moved + source.uniform(0, max(1, options.shuffle)), event))
    return sorted(degraded, key=lambda pair: pair[0])


def write_snapshot(account, folder):
    folder.mkdir(parents=True, exist_ok=True)
    write = lambda name, content: (folder / name).write_text(json.dumps(content, indent=1))
    for instance in account.instances:
        assert instance.tasks == 0
    write("container-instances.json", {"containerInstances": [i.described() for i in account.instances]})
    write("clusters.json", {"clusters": [{"clusterArn": f"{ARN}:cluster/{CLUSTER}", "clusterName": CLUSTER, "status": "ACTIVE",
                                          "registeredContainerInstancesCount": len(account.instances), "runningTasksCount": 0,
                                          "pendingTasksCount": 0, "activeServicesCount": len(SERVICES)}]})
    write("services.json", {"services": [{"serviceArn": f"{ARN}:service/{CLUSTER}/{name}", "serviceName": name, "clusterArn": f"{ARN}:cluster/{CLUSTER}",
                                          "status": "ACTIVE", "desiredCount": 0, "runningCount": 0, "pendingCount": 0, "launchType": "EC2",
                                          "taskDefinition": f"{ARN}:task-definition/{name}:1", "schedulingStrategy": "REPLICA",
                                          "placementConstraints": [], "placementStrategy": [{"type": t, "field": f} for t, f in strategies]}
                                         for name, _, _, _, strategies in SERVICES]})
    for name, cpu, memory, port, _ in SERVICES + FAMILIES:
        ports = [{"containerPort": port, "hostPort": port, "protocol": "tcp"}] if port else []
        write(f"task-definition-{name}.json", {"taskDefinition": {
            "taskDefinitionArn": f"{ARN}:task-definition/{name}:1", "family": name, "revision": 1, "status": "ACTIVE", "networkMode": "bridge",
            "containerDefinitions": [{"name": "main", "image": "busybox", "cpu": cpu, "memory": memory, "essential": True, "portMappings": ports}]}})
    write("manifest.json", {"schema": "bayplan/snapshot-manifest/1", "snapshotOf": CLUSTER, "startedAt": iso(START, True), "endedAt": iso(START, True), "calls": []})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--engine", choices=["exact", "newest", "noise", "random"], default="exact")
    parser.add_argument("--form", choices=["eventbridge", "cloudtrail", "both"], default="eventbridge")
    parser.add_argument("--placements", type=int, default=10000)
    parser.add_argument("--instances", type=int, default=60)
    parser.add_argument("--gap", type=float, default=8.0, help="mean seconds between requests")
    parser.add_argument("--duration", type=float, default=1800.0, help="mean seconds that a task runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shuffle", type=float, default=0, help="deliver up to this number of seconds late")
    parser.add_argument("--duplicates", type=float, default=0, help="share of events that are delivered twice")
    parser.add_argument("--lost", type=float, default=0, help="share of events that are not delivered")
    options = parser.parse_args()
    account = Account(options)
    write_snapshot(account, options.folder / "snapshot")
    account.simulate()
    source = random.Random(options.seed + 1)
    if options.form != "cloudtrail":
        with open(options.folder / "events.jsonl", "w") as file:
            for _, event in spoil(account.events, options, source):
                file.write(json.dumps(event, separators=(",", ":")) + "\n")
    if options.form != "eventbridge":
        trail = options.folder / "trail"
        trail.mkdir(exist_ok=True)
        calls = [record for _, record in spoil(account.calls, options, source)]
        for number in range(0, len(calls), 1000):
            with gzip.open(trail / f"{number // 1000:05}.json.gz", "wt") as file:
                json.dump({"Records": calls[number:number + 1000]}, file)
    truth = {"placements": account.placed, "failed": account.failed, "informative": account.informative, "hits": account.hits,
             "agreement": account.hits / max(1, account.informative), "events": len(account.events), "calls": len(account.calls)}
    (options.folder / "truth.json").write_text(json.dumps(truth) + "\n")
    print(json.dumps(truth))


if __name__ == "__main__":
    main()
