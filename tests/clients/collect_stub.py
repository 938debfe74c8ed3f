"""A mock cluster for tests of the script that `bayplan collect` prints, with failing calls. Shapes: API references of ECS, EC2
and Auto Scaling; the figures are not those of a real account."""
import json
import os
import subprocess

REGION = "us-east-2"
SUBNETS = {"subnet-0000000a": "us-east-2a", "subnet-0000000b": "us-east-2b"}


def arn(kind, name):
    return f"arn:aws:ecs:us-east-2:111122223333:{kind}/{name}"


def resource(name, value):
    if isinstance(value, list):
        return {"name": name, "type": "STRINGSET", "doubleValue": 0.0, "longValue": 0, "integerValue": 0, "stringSetValue": value}
    return {"name": name, "type": "INTEGER", "doubleValue": 0.0, "longValue": 0, "integerValue": value}


class Cluster:
    """`instances` container instances in two zones, each with `tasks_each` tasks; task i runs definition i modulo `definitions`."""

    def __init__(self, instances, tasks_each, definitions=1):
        self.families = [f"web{number}" for number in range(definitions)]
        self.tasks_each = tasks_each
        count = instances * tasks_each
        self.instances = [self.instance(number) for number in range(instances)]
        self.tasks = [self.task(number) for number in range(count)]
        self.services = [{
            "serviceArn": arn("service", f"prod/{family}"), "serviceName": family, "clusterArn": arn("cluster", "prod"),
            "status": "ACTIVE", "schedulingStrategy": "REPLICA", "launchType": "EC2",
            "desiredCount": len(range(number, count, definitions)), "runningCount": len(range(number, count, definitions)),
            "pendingCount": 0, "taskDefinition": arn("task-definition", f"{family}:7"),
            "networkConfiguration": {"awsvpcConfiguration": {"subnets": list(SUBNETS)}}} for number, family in enumerate(self.families)]
        self.cluster = {
            "clusterArn": arn("cluster", "prod"), "clusterName": "prod", "status": "ACTIVE", "capacityProviders": ["own"],
            "registeredContainerInstancesCount": instances, "runningTasksCount": count, "pendingTasksCount": 0,
            "activeServicesCount": definitions}

    def instance(self, number):
        return {
            "containerInstanceArn": arn("container-instance", f"prod/{number:032x}"), "ec2InstanceId": f"i-{number:017x}",
            "status": "ACTIVE", "agentConnected": True, "runningTasksCount": self.tasks_each, "pendingTasksCount": 0, "version": 1,
            "capacityProviderName": "own", "registeredAt": 1793600000.5, "versionInfo": {"agentVersion": "1.98.0"},
            "registeredResources": [resource("CPU", 8192), resource("MEMORY", 15270), resource("PORTS", ["22"])],
            "remainingResources": [resource("CPU", 8192 - 1024 * self.tasks_each), resource("MEMORY", 15270 - 1000 * self.tasks_each),
                                   resource("PORTS", ["22"])],
            "attributes": [{"name": "ecs.availability-zone", "value": list(SUBNETS.values())[number % 2]},
                           {"name": "ecs.instance-type", "value": "c5.2xlarge"}],
        }

    def task(self, number):
        return {
            "taskArn": arn("task", f"prod/{number:032x}"), "clusterArn": arn("cluster", "prod"),
            "group": "service:" + self.families[number % len(self.families)],
            "containerInstanceArn": arn("container-instance", f"prod/{number // self.tasks_each:032x}"),
            "taskDefinitionArn": arn("task-definition", self.families[number % len(self.families)] + ":7"), "lastStatus": "RUNNING",
            "desiredStatus": "RUNNING", "cpu": "1024", "memory": "1000", "launchType": "EC2", "createdAt": 1793600000.5,
            "containers": [{"name": "nginx", "lastStatus": "RUNNING"}],
        }

    def definition(self, name):
        return {"taskDefinitionArn": name, "family": name.split("/")[-1].split(":")[0], "revision": 7, "status": "ACTIVE",
                "containerDefinitions": [{"name": "nginx", "image": "nginx:1.27", "cpu": 1024, "memory": 1000, "essential": True}]}

    def provider(self):
        return {"capacityProviderArn": arn("capacity-provider", "own"), "name": "own", "status": "ACTIVE",
                "autoScalingGroupProvider": {
                    "autoScalingGroupArn": "arn:aws:autoscaling:us-east-2:111122223333:autoScalingGroup:0:autoScalingGroupName/own-group",
                    "managedScaling": {"status": "DISABLED"}}}

    def listed(self, member):
        key = {"containerInstances": "containerInstanceArn", "tasks": "taskArn", "services": "serviceArn"}[member]
        return {one[key]: one for one in getattr(self, {"containerInstances": "instances"}.get(member, member))}


def collect_script(program, *arguments):
    return subprocess.run([program, "collect", "--cluster", "prod", "--region", REGION, *arguments], check=True, capture_output=True,
                          text=True).stdout


def run_script(script, folder, tools, **environment):
    """The script with `tools` before everything else on the PATH, at home in `folder`."""
    variables = dict(os.environ, PATH=tools + ":" + os.environ["PATH"], AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none",
                     AWS_EC2_METADATA_DISABLED="true", HOME=folder, LC_ALL="C.UTF-8", **environment)
    return subprocess.run(["bash"], input=script, cwd=folder, env=variables, capture_output=True, text=True)


def manifest_of(folder):
    with open(os.path.join(folder, "ecs-prod", "manifest.json")) as file:
        return json.load(file)
