"""The script that `bayplan collect` prints, run by bash with the real AWS CLI against a stand-in endpoint on this machine,
and its output read by `bayplan place`. Nothing leaves the machine. usage: aws_cli.py BAYPLAN"""
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

INSTANCES = 230  # three calls of describe-container-instances
TASKS_EACH = 2   # five calls of describe-tasks
PAGE = 90        # of list-...: several pages


def arn(kind, name):
    return f"arn:aws:ecs:us-east-2:111122223333:{kind}/{name}"


def resource(name, value):
    if isinstance(value, list):
        return {"name": name, "type": "STRINGSET", "doubleValue": 0.0, "longValue": 0, "integerValue": 0, "stringSetValue": value}
    return {"name": name, "type": "INTEGER", "doubleValue": 0.0, "longValue": 0, "integerValue": value}


def instance(number):
    return {
        "containerInstanceArn": arn("container-instance", f"prod/{number:032x}"), "ec2InstanceId": f"i-{number:017x}",
        "status": "ACTIVE", "agentConnected": True, "runningTasksCount": TASKS_EACH, "pendingTasksCount": 0, "version": 1,
        "registeredAt": 1793600000.5, "versionInfo": {"agentVersion": "1.98.0"},
        "registeredResources": [resource("CPU", 8192), resource("MEMORY", 15270), resource("PORTS", ["22"])],
        "remainingResources": [resource("CPU", 8192 - 1024 * TASKS_EACH), resource("MEMORY", 15270 - 1000 * TASKS_EACH),
                               resource("PORTS", ["22"])],
        "attributes": [{"name": "ecs.availability-zone", "value": "us-east-2a"}, {"name": "ecs.instance-type", "value": "c5.2xlarge"}],
    }


def task(number):
    return {
        "taskArn": arn("task", f"prod/{number:032x}"), "clusterArn": arn("cluster", "prod"), "group": "service:web",
        "containerInstanceArn": arn("container-instance", f"prod/{number // TASKS_EACH:032x}"),
        "taskDefinitionArn": arn("task-definition", "web:7"), "lastStatus": "RUNNING", "desiredStatus": "RUNNING",
        "cpu": "1024", "memory": "1000", "launchType": "EC2", "createdAt": 1793600000.5,
        "containers": [{"name": "nginx", "lastStatus": "RUNNING"}],
    }


STORE = {
    "containerInstances": {one["containerInstanceArn"]: one for one in map(instance, range(INSTANCES))},
    "tasks": {one["taskArn"]: one for one in map(task, range(INSTANCES * TASKS_EACH))},
    "services": {arn("service", "prod/web"): {
        "serviceArn": arn("service", "prod/web"), "serviceName": "web", "clusterArn": arn("cluster", "prod"), "status": "ACTIVE",
        "desiredCount": INSTANCES * TASKS_EACH, "runningCount": INSTANCES * TASKS_EACH, "pendingCount": 0,
        "taskDefinition": arn("task-definition", "web:7")}},
}
CLUSTER = {"clusterArn": arn("cluster", "prod"), "clusterName": "prod", "status": "ACTIVE", "capacityProviders": ["own"],
           "registeredContainerInstancesCount": INSTANCES}
PROVIDER = {"capacityProviderArn": arn("capacity-provider", "own"), "name": "own", "status": "ACTIVE",
            "autoScalingGroupProvider": {"autoScalingGroupArn": "arn:aws:autoscaling:us-east-2:1:g", "managedScaling": {"status": "DISABLED"}}}
DEFINITION = {"taskDefinitionArn": arn("task-definition", "web:7"), "family": "web", "revision": 7, "status": "ACTIVE",
              "containerDefinitions": [{"name": "nginx", "image": "nginx:1.27", "cpu": 1024, "memory": 1000, "essential": True}]}
EC2 = """<?xml version="1.0"?><DescribeInstanceTypesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><instanceTypeSet><item>
<instanceType>c5.2xlarge</instanceType><vCpuInfo><defaultVCpus>8</defaultVCpus></vCpuInfo><memoryInfo><sizeInMiB>16384</sizeInMiB></memoryInfo>
<networkInfo><maximumNetworkInterfaces>4</maximumNetworkInterfaces></networkInfo></item></instanceTypeSet></DescribeInstanceTypesResponse>"""
LIMITS = {"containerInstances": 100, "tasks": 100, "services": 10}
CALLS = []


def answer(action, asked):
    CALLS.append(action)
    if action.startswith("List"):
        member = {"ListContainerInstances": "containerInstances", "ListTasks": "tasks", "ListServices": "services"}[action]
        names = list(STORE[member])
        begin = int(asked.get("nextToken", 0))
        page = {member[:-1] + "Arns": names[begin:begin + PAGE]}
        if begin + PAGE < len(names):
            page["nextToken"] = str(begin + PAGE)
        return page
    if action == "DescribeClusters":
        return {"clusters": [CLUSTER], "failures": []}
    if action == "DescribeCapacityProviders":
        assert asked["capacityProviders"] == ["own"], asked
        return {"capacityProviders": [PROVIDER], "failures": []}
    if action == "DescribeTaskDefinition":
        assert asked["taskDefinition"] == DEFINITION["taskDefinitionArn"], asked
        return {"taskDefinition": DEFINITION, "tags": []}
    member = {"DescribeContainerInstances": "containerInstances", "DescribeTasks": "tasks", "DescribeServices": "services"}[action]
    assert asked["cluster"] == "prod" and len(asked[member]) <= LIMITS[member], asked
    return {member: [STORE[member][name] for name in asked[member]], "failures": []}


class Endpoint(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        target = self.headers.get("X-Amz-Target", "")
        if target:
            text, kind = json.dumps(answer(target.split(".")[-1], json.loads(body))), "application/x-amz-json-1.1"
        else:
            assert "Action=DescribeInstanceTypes" in body and "InstanceType.1=c5.2xlarge" in body, body
            CALLS.append("DescribeInstanceTypes")
            text, kind = EC2, "text/xml"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass


def clients():
    """Debian's own and the one that a shell finds: versions 1 and 2 print times differently."""
    found = [path for path in ("/usr/bin/aws", shutil.which("aws")) if path and os.path.exists(path)]
    return list(dict.fromkeys(os.path.realpath(path) for path in found))


def try_client(aws, program, port):
    CALLS.clear()
    with tempfile.TemporaryDirectory() as folder:
        tools = os.path.join(folder, "bin")
        os.mkdir(tools)
        os.symlink(program, os.path.join(tools, "bayplan"))
        with open(os.path.join(tools, "aws"), "w") as script:
            script.write(f'#!/bin/sh\nexec "{aws}" --endpoint-url http://127.0.0.1:{port} "$@"\n')
        os.chmod(os.path.join(tools, "aws"), 0o755)
        environment = dict(os.environ, PATH=tools + ":" + os.environ["PATH"], AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none",
                           AWS_EC2_METADATA_DISABLED="true", AWS_PAGER="", HOME=folder, LC_ALL="C.UTF-8")
        script = subprocess.run([program, "collect", "--cluster", "prod", "--region", "us-east-2"], check=True, capture_output=True, text=True).stdout
        run = subprocess.run(["bash"], input=script, cwd=folder, env=environment, capture_output=True, text=True)
        print(run.stdout, run.stderr)
        expected = f"YES nothing to place: {INSTANCES * TASKS_EACH} tasks run on {INSTANCES} of {INSTANCES} instances"
        assert run.stdout.startswith(expected), "place does not say: " + expected
        assert "note" not in run.stdout, "the answers do not agree"
        assert run.stderr == "", "something went wrong on the way"
        assert CALLS.count("DescribeContainerInstances") == 3 and CALLS.count("DescribeTasks") == 5, CALLS
        assert CALLS.count("ListTasks") == 6 and "DescribeInstanceTypes" in CALLS, CALLS
        described = {name for name in CALLS if not name.startswith(("List", "Describe"))}
        assert not described, f"calls that change something: {described}"
        # Six more tasks of 1024 units fit on each instance, beside the two that run.
        more = [program, "place", "--cluster", "ecs-prod", "--task", f"web={INSTANCES * 6 + 1}", "--no-placements", "--format", "json"]
        placed = json.loads(subprocess.run(more, cwd=folder, capture_output=True, text=True).stdout)
        assert (placed["summary"]["placed"], placed["summary"]["unplaced"]) == (INSTANCES * 6, 1), placed["summary"]
        assert placed["failures"][0]["reason"] == "RESOURCE:CPU", placed["failures"]


def main():
    program = os.path.abspath(sys.argv[1])
    if not clients() or shutil.which("bash") is None:
        print("skipped: there is no AWS CLI (apt-get install awscli)")
        return 77
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for aws in clients():
        print(subprocess.run([aws, "--version"], capture_output=True, text=True).stdout)
        try_client(aws, program, server.server_port)
    return 0


if __name__ == "__main__":
    sys.exit(main())
