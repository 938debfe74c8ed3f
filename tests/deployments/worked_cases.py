"""Asks every command that simulates a deployment about the same worked cases, and compares each answer with what ECS documents.

S slots for the task, N tasks that all run, and a new revision: which deployments complete follows from API_DeploymentConfiguration and the
examples of the ECS developer guide by arithmetic. The cluster is a folder of `aws ecs describe-*` output, as a user has it.
usage: worked_cases.py BAYPLAN
"""
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ARN = "arn:aws:ecs:us-east-1:123456789012:"
SLOT_CPU, MEMORY, TASK_MEMORY = 512, 7900, 512
BALANCER = "arn:aws:elasticloadbalancing:us-east-1:123456789012:"
LOAD_BALANCED = {"loadBalancers": [{
    "targetGroupArn": BALANCER + "targetgroup/blue/1", "containerName": "web", "containerPort": 80,
    "advancedConfiguration": {
        "alternateTargetGroupArn": BALANCER + "targetgroup/green/2", "productionListenerRule": BALANCER + "listener-rule/app/l/1/2/3",
        "roleArn": "arn:aws:iam::123456789012:role/ecs"}}]}
BREAKER = {"deploymentCircuitBreaker": {"enable": True, "rollback": True}}
EARLY = {"earlySuccessCriteria": {"enable": True, "healthyPercent": 80, "sourceServiceRevisionCleanup": "BLOCKING"}}


def percents(least, most, **more):
    return {"minimumHealthyPercent": least, "maximumPercent": most, **more}


# Slots, tasks, deploymentConfiguration, whether the service has a load balancer, whether the deployment completes.
CASES = [
    (8, 4, percents(100, 200), False, True),  # one wave
    (4, 4, percents(100, 200), False, False),  # no room, and nothing may stop
    (4, 4, percents(50, 100), False, True),  # two at a time
    (8, 3, percents(100, 125), False, False),  # floor(3.75) is 3: nothing may start
    (4, 2, percents(75, 150), False, True),  # one by one
    (12, 10, percents(50, 150), False, True),  # two free slots for five tasks: old ones make room
    (8, 4, percents(100, 200, strategy="BLUE_GREEN", bakeTimeInMinutes=30), True, True),
    (7, 4, percents(50, 100, strategy="BLUE_GREEN"), True, False),  # both revisions run: percents do not help
    (10, 5, percents(100, 200, strategy="LINEAR", bakeTimeInMinutes=15, linearConfiguration={"stepPercent": 10, "stepBakeTimeInMinutes": 6}),
     True, True),
    (4, 4, percents(100, 200, **BREAKER), False, False),  # rolled back
    (12, 10, percents(80, 120, **EARLY), False, True),
]


def resources(cpu, memory):
    ports = [{"name": "PORTS", "type": "STRINGSET", "stringSetValue": ["22", "2375", "2376", "51678", "51679"]},
             {"name": "PORTS_UDP", "type": "STRINGSET", "stringSetValue": []}]
    amounts = [{"name": name, "type": "INTEGER", "integerValue": value} for name, value in (("CPU", cpu), ("MEMORY", memory))]
    return amounts + ports


def instance(number, running):
    attributes = {"ecs.availability-zone": "us-east-1a", "ecs.instance-type": "m5.large", "ecs.os-type": "linux", "ecs.cpu-architecture": "x86_64"}
    return {"containerInstanceArn": f"{ARN}container-instance/c/{number:032x}", "ec2InstanceId": f"i-{number:017x}", "status": "ACTIVE",
            "agentConnected": True, "runningTasksCount": running, "pendingTasksCount": 0,
            "registeredResources": resources(SLOT_CPU, MEMORY),
            "remainingResources": resources(SLOT_CPU * (1 - running), MEMORY - TASK_MEMORY * running),
            "attributes": [{"name": name, "value": value} for name, value in attributes.items()]}


def task(number):
    size = {"cpu": str(SLOT_CPU), "memory": str(TASK_MEMORY)}
    return {"taskArn": f"{ARN}task/c/{number:032x}", "clusterArn": ARN + "cluster/c", "containerInstanceArn": f"{ARN}container-instance/c/{number:032x}",
            "taskDefinitionArn": ARN + "task-definition/web:1", "lastStatus": "RUNNING", "desiredStatus": "RUNNING", "group": "service:web",
            "launchType": "EC2", **size, "containers": [{"name": "web", "lastStatus": "RUNNING", **size}]}


def definition(revision):
    container = {"name": "web", "image": f"nginx:1.2{revision}", "cpu": SLOT_CPU, "memory": TASK_MEMORY, "essential": True, "portMappings": [{"containerPort": 80}]}
    return {"taskDefinitionArn": f"{ARN}task-definition/web:{revision}", "family": "web", "revision": revision, "status": "ACTIVE",
            "requiresCompatibilities": ["EC2"], "containerDefinitions": [container]}


def describe(folder, slots, tasks, configuration, has_balancer):
    service = {"serviceArn": ARN + "service/c/web", "serviceName": "web", "clusterArn": ARN + "cluster/c", "status": "ACTIVE", "desiredCount": tasks,
               "runningCount": tasks, "pendingCount": 0, "launchType": "EC2", "taskDefinition": ARN + "task-definition/web:1",
               "deploymentConfiguration": configuration, "schedulingStrategy": "REPLICA", "deployments": [], "events": [],
               **(LOAD_BALANCED if has_balancer else {})}
    answers = {"container-instances": {"containerInstances": [instance(i, int(i < tasks)) for i in range(slots)]},
               "tasks": {"tasks": [task(i) for i in range(tasks)]}, "services": {"services": [service]},
               "web-1": {"taskDefinition": definition(1)}, "web-2": {"taskDefinition": definition(2)}}
    for name, answer in answers.items():
        (folder / f"{name}.json").write_text(json.dumps({**answer, "failures": []} if not name.startswith("web") else answer), encoding="utf-8")


def main():
    mistakes = []
    for number, (slots, tasks, configuration, has_balancer, completes) in enumerate(CASES, 1):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            describe(folder, slots, tasks, configuration, has_balancer)
            update = ["aws", "ecs", "update-service", "--cluster", "c", "--service", "web", "--task-definition", "web:2"]
            first = []
            for command in (["whatif", "--cluster", name, "--deploy", "web=web:2"], ["dry-run", "--cluster", name, "--", *update]):
                run = subprocess.run([PROGRAM, *command], capture_output=True, text=True, check=False)
                if run.returncode != (0 if completes else 1):
                    mistakes.append(f"case {number}: {command[0]} exits with {run.returncode}: {(run.stdout + run.stderr).splitlines()[:2]}")
                first.append(" ".join(run.stdout.partition("deployment of web:")[0].split()).partition(" healthy")[0])
            if completes and first[0] != first[1]:
                mistakes.append(f"case {number}: what-if and dry-run differ: {first}")
            change = subprocess.run([PROGRAM, "diff", folder / "web-1.json", folder / "web-2.json", "--cluster", name, "--output", "json"],
                                    capture_output=True, text=True, check=False)
            finishes = [service["finishes"] for changed in json.loads(change.stdout)["taskDefinitions"]
                        for service in changed["cluster"]["services"]]
            if finishes != [completes]:
                mistakes.append(f"case {number}: diff says finishes {finishes}")
    sys.exit("\n".join(mistakes) or 0)


main()
