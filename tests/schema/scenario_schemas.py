#!/usr/bin/env python3
"""usage: scenario_schemas.py SCHEMA_CHECK PROJECT -- compares the schemas of bayplan's own files (clusters, scenarios, grids,
configs, baselines) with python3-jsonschema: they are valid, share their definitions, accept every example, and agree with our
schema runner on examples with one changed member at a time."""
import copy, glob, json, os, subprocess, sys, tempfile

try:
    import jsonschema, yaml
except ImportError as missing:
    print(f"SKIPPED: no {missing.name} (apt-get install python3-jsonschema python3-yaml)")
    sys.exit(77)

runner, project = sys.argv[1:3]
failures = []


def load(name):
    with open(os.path.join(project, "schemas", name)) as file:
        return json.load(file)


schemas = {name: load(f"{name}.schema.json") for name in ("assumptions", "scenario", "cluster", "config", "baseline", "grid", "snapshot-manifest")}
for name, schema in schemas.items():
    jsonschema.Draft202012Validator.check_schema(schema)
for name, definition in schemas["cluster"]["$defs"].items():
    if schemas["scenario"]["$defs"].get(name) != definition:
        failures.append(f"$defs/{name} differs between cluster and scenario")
for key in ("type", "properties", "required", "additionalProperties"):
    if schemas["scenario"]["$defs"]["Cluster"].get(key) != schemas["cluster"].get(key):
        failures.append(f"the cluster's {key} differs from $defs/Cluster of the scenario")

# A call that was written for ECS can be pasted into a scenario.
for name, request in (("Service", "service"), ("TaskRun", "run-task"), ("DeploymentConfiguration", "service")):
    members = load(f"{request}.schema.json")
    members = members["$defs"].get(name, members)["properties"]
    for member in members:
        if member not in schemas["scenario"]["$defs"][name]["properties"]:
            failures.append(f"a scenario's {name} does not take {member}")

EXAMPLES = {
    "cluster": [{"clusterName": "c", "containerInstances": [
        {"instanceType": "p3.2xlarge", "count": 2, "availabilityZones": ["us-east-2a"], "attributes": {"stack": "gpu", "n": 2},
         "capacityProviderName": "gpu", "awsvpcTrunking": False, "gpuSharing": True, "reservedMemory": 256,
         "status": "ACTIVE", "agentConnected": True, "agentVersion": "1.90.0", "registeredAt": "2026-11-01T00:00:00Z",
         "subnetId": "subnet-1", "gpuMemory": 15000, "reservedPorts": [22, 2375], "reservedUdpPorts": [],
         "registeredResources": {"CPU": 8192, "MEMORY": 61000, "GPU": 1}},
        {"instanceType": "c5.large", "ec2InstanceId": "i-0abc", "attributes": [{"name": "a", "value": "b"}], "gpuMemory": "14GiB"}]}],
    "scenario": [{"region": "us-east-2", "cluster": "cluster.yaml", "taskDefinitions": ["defs/*.json", {"family": "x"}],
        "services": [{"serviceName": "web", "taskDefinition": "web", "desiredCount": 10, "schedulingStrategy": "REPLICA",
                      "placementStrategy": [{"type": "spread", "field": "attribute:ecs.availability-zone"}],
                      "placementConstraints": [{"type": "distinctInstance"}], "startDelay": "20s", "duration": "1h",
                      "deploymentConfiguration": {"minimumHealthyPercent": 50, "deploymentCircuitBreaker": {
                          "enable": True, "rollback": True, "resetOnHealthyTask": False,
                          "thresholdConfiguration": {"type": "COUNT", "value": 5}}}}],
        "tasks": [{"taskDefinition": "t", "count": 2, "group": "training", "startAt": "0s", "duration": "30m",
                   "startDelay": "4m", "allOrNothing": False, "placementStrategy": [{"type": "binpack", "field": "memory"}]}],
        "capacityProviders": [{"name": "gpu", "autoScalingGroup": {"instanceTypes": ["p3.2xlarge"], "minSize": 0, "maxSize": 10,
                               "availabilityZones": ["us-east-2a"], "bootTime": "3m"},
                               "managedScaling": {"status": "ENABLED", "targetCapacity": 100, "instanceWarmupPeriod": 300}},
                              {"name": "far", "autoScalingGroupProvider": {"autoScalingGroupArn": "arn", "managedDraining": "ENABLED",
                               "managedScaling": {"status": "DISABLED"}}}],
        "events": [{"at": "1h", "loseAvailabilityZone": "us-east-2a"}, {"at": "1h", "drain": "i-1"}, {"at": "1h", "terminate": "*"},
                   {"at": "2h", "stopTask": "t#1"}, {"at": "2h", "addInstances": {"instanceType": "c5.large"}},
                   {"at": "2h", "stopServiceDeployment": "web"}, {"at": "2h", "raiseAlarm": "errors"},
                   {"at": "2h", "updateTaskProtection": {"tasks": "web#*", "protectionEnabled": True, "expiresInMinutes": 30}},
                   {"at": "2h", "setDesiredCapacity": {"capacityProvider": "gpu", "desiredCapacity": 4}},
                   {"at": "2h", "updateService": {"service": "web", "desiredCount": 3, "forceNewDeployment": True,
                    "taskDefinition": "web:2", "deploymentConfiguration": {"maximumPercent": 150, "strategy": "LINEAR",
                     "bakeTimeInMinutes": 5, "linearConfiguration": {"stepPercent": 10.5, "stepBakeTimeInMinutes": 6},
                     "canaryConfiguration": {"canaryPercent": 0.1, "canaryBakeTimeInMinutes": 10},
                     "alarms": {"alarmNames": ["errors"], "enable": True, "rollback": True},
                     "earlySuccessCriteria": {"enable": True, "healthyPercent": 80, "sourceServiceRevisionCleanup": "BLOCKING"},
                     "lifecycleHooks": [{"targetType": "PAUSE", "lifecycleStages": ["POST_SCALE_UP"],
                                         "timeoutConfiguration": {"timeoutInMinutes": 60, "action": "CONTINUE"}}]}}}],
        "instanceTypes": [{"instanceType": "rack-a", "registeredResources": {"CPU": 98304, "MEMORY": 393216, "GPU": 8},
                           "gpuMemory": 16384, "maxNetworkInterfaces": 15, "hourlyPrice": 1.5}],
        "needs": {"train/trainer": {"gpuMemory": "14GiB", "minComputeCapability": "7.0", "interconnect": "nvlink"}},
        "throughput": {"train": {"unit": "images/s", "p3.2xlarge": {"1": 321.16}, "p3.16xlarge": {"4": 1297.41, "8": 1707.23}}},
        "variants": {"wider": {"replace": {"p3.2xlarge": "p3.16xlarge"}, "strategy": ["spread:instanceId", "binpack:memory"]},
                     "darker": {"lose-az": "us-east-2a", "add": ["p3.2xlarge=1@us-east-2b"], "scale": {"web": 8}, "drain": ["i-1"],
                                "terminate": "i-2*", "remove": "p3.2xlarge=1", "deploy": "web=web:2"},
                     "any": {"each-az": True, "each-instance": False, "placement-strategy": "type=binpack,field=cpu"}}, "subnets": {"subnet-1": "us-east-2a", "subnet-2": {"availabilityZone": "us-east-2b", "availableIpAddressCount": 12}},
        "settings": {"seed": 1, "whenFull": "fail", "order": "given",
                     "timing": {"healthyAfter": "40s", "scaleInDataPoints": 15}}}],
    "config": [{"extends": ["base.yaml"], "include": ["*.taskdef"], "exclude": "generated/", "launchType": "FARGATE",
        "deployWith": "terraform", "types": ["g4dn.*"],
        "cluster": {"reservedMemory": 256, "daemons": ["agent.yaml"], "trunking": True},
        "needs": {"train/app": {"gpuMemory": "14GiB", "minComputeCapability": "7.5", "interconnect": "pcie"}},
        "select": ["BAY1"], "extendSelect": ["security"], "ignore": ["BAY210"], "severity": {"gpu": "info"},
        "perFileIgnores": [{"files": ["legacy/"], "rules": ["BAY113"], "path": "containerDefinitions[web].memory",
                            "until": "2027-01-31", "reason": "replaced in spring"}],
        "placeholders": ["@@[A-Z]+@@"]}, {"cluster": {"trunking": "on"}, "perFileIgnores": [{"rules": "ALL"}]}],
    "grid": [{"scenario": "night.yaml", "axes": {
        "strategy": {"even": {"strategy": ["spread:instanceId"], "order": "given"}, "pack": {"strategy": "binpack:memory", "seed": 7}},
        "hosts": {"vary": "instances g4dn.12xlarge", "from": 1, "to": 9, "step": 2},
        "type": {"vary": "replace p3.2xlarge", "values": ["p3.8xlarge", ["p3.16xlarge"], 7]},
        "lost": [{}, {"lose-az": "us-east-2a", "drain": ["i-1"]}, {"add": {"p3.2xlarge": 2}, "remove": "c5.large=1"}]}}],
    "assumptions": [{"schema": "bayplan/assumptions/1", "cluster": "prod", "ties": "registered-last", "decisions": 412, "explained": 398},
                    {"schema": "bayplan/assumptions/1", "cluster": "prod", "ties": "random", "decisions": 9, "explained": None}],
    "baseline": [{"schema": "bayplan/baseline/1", "findings": [
        {"fingerprint": "00953d3b6e18f231-2", "code": "BAY1101", "file": "deploy/web.json", "path": "serviceName"}]}],
    "snapshot-manifest": [{
        "schema": "bayplan/snapshot-manifest/1", "snapshotOf": "prod", "startedAt": "2026-11-23T18:00:00Z", "endedAt": "2026-11-23T18:05:00Z",
        "calls": [{"call": "ecs describe-clusters", "file": "clusters.json", "seconds": 1, "exitCode": 0},
                  {"call": "ecs describe-tasks", "file": "tasks.json", "exitCode": 254, "error": "AccessDenied"}],
        "changed": ["ecs list-tasks"]}],
}
for path in glob.glob(os.path.join(project, "examples", "**", "*.yaml"), recursive=True):
    name = os.path.basename(path).removesuffix(".yaml")
    if name in EXAMPLES:
        with open(path) as file:
            EXAMPLES[name].append(yaml.safe_load(file))

OTHERS = [None, -1, 0, 70000, 1.5, "", "x", True, [], {}, ["x"], {"unknownKey": 1}]


def spots(value, path=()):
    """Paths of every value below."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield path + (key,)
        yield from spots(child, path + (key,))


def changed(example):
    yield copy.deepcopy(example)
    for path in spots(example):
        for other in OTHERS:
            copy_ = copy.deepcopy(example)
            holder = copy_
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] = other
            yield copy_


for name, examples in EXAMPLES.items():
    validator = jsonschema.Draft202012Validator(schemas[name])
    for example in examples:
        for error in validator.iter_errors(example):
            failures.append(f"{name}: {error.json_path}: {error.message}")
    variants = [variant for example in examples for variant in changed(example)]
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"{number}.json") for number in range(len(variants))]
        for path, variant in zip(paths, variants):
            with open(path, "w") as file:
                json.dump(variant, file)
        schema_path = os.path.join(project, "schemas", f"{name}.schema.json")
        out = subprocess.run([runner, "--schema", schema_path, *paths], text=True, capture_output=True, check=True).stdout
    verdicts = [line.split(" ")[0] for line in out.splitlines() if not line.startswith("\t")]
    assert len(verdicts) == len(variants), (len(verdicts), len(variants))
    for variant, verdict in zip(variants, verdicts):
        if (verdict == "valid") != validator.is_valid(variant):
            failures.append(f"{name}: we say {verdict}, the validator does not: {json.dumps(variant)[:400]}")
    print(f"{name}: {len(variants)} variants, {sum(validator.is_valid(v) for v in variants)} valid")

class Loader(yaml.SafeLoader):
    """Of YAML 1.2, where a day is a text."""
    yaml_implicit_resolvers = {letter: [one for one in resolvers if not one[0].endswith("timestamp")]
                               for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def whole(path):
    with open(path) as file:
        return yaml.load(file, Loader) or {}


golden = os.path.join(project, "tests", "golden", "lint")
for path in sorted(glob.glob(os.path.join(golden, "**", ".bayplan.yaml"), recursive=True, include_hidden=True)
                   + glob.glob(os.path.join(golden, "**", "known.json"), recursive=True)):
    if os.sep + "broken-" in path:
        continue
    name = "baseline" if path.endswith(".json") else "config"
    for error in jsonschema.Draft202012Validator(schemas[name]).iter_errors(whole(path)):
        failures.append(f"{path}: {error.json_path}: {error.message}")

for failure in failures[:20]:
    print("FAILED", failure)
sys.exit(1 if failures else 0)
