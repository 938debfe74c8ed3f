"""Runs the script that `bayplan collect` prints in bash, with the real AWS CLI and a mock endpoint on this machine, and reads its
output with `bayplan place`. Nothing leaves the machine. The endpoint answers, rejects, throttles and truncates responses.
usage: aws_cli.py BAYPLAN"""
import collections
import http.server
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

import aws_process
from collect_stub import SUBNETS, Cluster, collect_script, manifest_of, run_script

INSTANCES = 230  # three calls of describe-container-instances
TASKS_EACH = 2   # five calls of describe-tasks
PAGE = 90        # of list-...: several pages
LIMITS = {"containerInstances": 100, "tasks": 100, "services": 10, "capacityProviders": 10}
MEMBERS = {"ListContainerInstances": "containerInstances", "ListTasks": "tasks", "ListServices": "services",
           "DescribeContainerInstances": "containerInstances", "DescribeTasks": "tasks", "DescribeServices": "services"}


def xml(action, namespace, text):
    return f'<?xml version="1.0"?><{action}Response xmlns="{namespace}">{text}</{action}Response>'


def of_ec2(cluster, action, asked):
    ec2 = "http://ec2.amazonaws.com/doc/2016-11-15/"
    values = [value for key, value in asked.items() if key.startswith("Filter.1.Value.")]
    if action == "DescribeInstanceTypes":
        assert asked["InstanceType.1"] == "c5.2xlarge", asked
        return xml(action, ec2, "<instanceTypeSet><item><instanceType>c5.2xlarge</instanceType><vCpuInfo><defaultVCpus>8</defaultVCpus>"
                   "</vCpuInfo><memoryInfo><sizeInMiB>16384</sizeInMiB></memoryInfo><networkInfo><maximumNetworkInterfaces>4"
                   "</maximumNetworkInterfaces></networkInfo></item></instanceTypeSet>")
    if action == "DescribeInstances":
        assert asked["Filter.1.Name"] == "instance-id" and 0 < len(values) <= 100, asked
        items = "".join(
            f"<item><instanceId>{name}</instanceId><instanceType>c5.2xlarge</instanceType><subnetId>{list(SUBNETS)[int(name[2:], 16) % 2]}</subnetId>"
            f"<placement><availabilityZone>{list(SUBNETS.values())[int(name[2:], 16) % 2]}</availabilityZone></placement>"
            + ("<instanceLifecycle>spot</instanceLifecycle>" if int(name[2:], 16) == 3 else "")
            + "<tagSet><item><key>aws:autoscaling:groupName</key><value>own-group</value></item></tagSet></item>" for name in values)
        return xml(action, ec2, f"<reservationSet><item><instancesSet>{items}</instancesSet></item></reservationSet>")
    if action == "DescribeSubnets":
        assert asked["Filter.1.Name"] == "subnet-id" and sorted(values) == sorted(SUBNETS), asked
        items = "".join(f"<item><subnetId>{name}</subnetId><availabilityZone>{SUBNETS[name]}</availabilityZone></item>" for name in values)
        return xml(action, ec2, f"<subnetSet>{items}</subnetSet>")
    assert action == "DescribeAutoScalingGroups" and asked["AutoScalingGroupNames.member.1"] == "own-group", asked
    members = "".join(f"<member><InstanceId>{one['ec2InstanceId']}</InstanceId><LifecycleState>InService</LifecycleState></member>"
                      for one in cluster.instances)
    return xml(action, "http://autoscaling.amazonaws.com/doc/2011-01-01/",
               "<DescribeAutoScalingGroupsResult><AutoScalingGroups><member><AutoScalingGroupName>own-group</AutoScalingGroupName>"
               f"<MinSize>0</MinSize><MaxSize>300</MaxSize><Instances>{members}</Instances></member></AutoScalingGroups>"
               "</DescribeAutoScalingGroupsResult>")


def of_ecs(cluster, action, asked):
    if action == "DescribeClusters":
        return {"clusters": [cluster.cluster], "failures": []}
    if action == "DescribeCapacityProviders":
        assert asked["capacityProviders"] == ["own"], asked
        return {"capacityProviders": [cluster.provider()], "failures": []}
    if action == "DescribeTaskDefinition":
        return {"taskDefinition": cluster.definition(asked["taskDefinition"]), "tags": []}
    member = MEMBERS[action]
    listed = cluster.listed(member)
    assert asked["cluster"] == "prod", asked
    if action.startswith("Describe"):
        assert len(asked[member]) <= LIMITS[member], asked
        return {member: [listed[name] for name in asked[member]], "failures": []}
    begin = int(asked.get("nextToken", 0))
    page = {member[:-1] + "Arns": list(listed)[begin:begin + PAGE]}
    if begin + PAGE < len(listed):
        page["nextToken"] = str(begin + PAGE)
    return page


class World:
    """What the endpoint knows, how it misbehaves, and what it was asked."""
    cluster = None
    denied = ()       # actions that are refused, each or with one word of what was asked
    throttled = 0     # so many of the next answers are refused as too fast
    cut_off = ()      # actions whose answer ends too early
    calls = collections.Counter()
    lock = threading.Lock()


class Endpoint(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        target = self.headers.get("X-Amz-Target", "")
        asked = json.loads(body) if target else dict(urllib.parse.parse_qsl(body))
        action = target.split(".")[-1] if target else asked["Action"]
        with World.lock:
            World.calls[action] += 1
            is_throttled = World.throttled > 0
            World.throttled -= is_throttled
        if is_throttled:
            return self.fail(target, "ThrottlingException", "Rate exceeded")
        if any(action == one.split()[0] and one.split()[-1] in body + action for one in World.denied):
            return self.fail(target, "AccessDeniedException" if target else "UnauthorizedOperation", f"not authorized to perform {action}")
        if target:
            return self.say(200, json.dumps(of_ecs(World.cluster, action, asked)), "application/x-amz-json-1.1", action in World.cut_off)
        return self.say(200, of_ec2(World.cluster, action, asked), "text/xml")

    def fail(self, target, code, message):
        if target:
            return self.say(400, json.dumps({"__type": code, "message": message}), "application/x-amz-json-1.1")
        return self.say(400, f"<Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors></Response>", "text/xml")

    def say(self, status, text, kind, is_cut_off=False):
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:len(data) // 2] if is_cut_off else data)
        self.close_connection = True

    def log_message(self, *arguments):
        pass


class Run:
    """The script in a folder of its own, with one client."""

    def __init__(self, aws, program, port, cluster, denied=(), throttled=0, cut_off=()):
        World.cluster, World.denied, World.throttled, World.cut_off = cluster, denied, throttled, cut_off
        World.calls.clear()
        self.program = program
        self.kept = tempfile.TemporaryDirectory()
        self.folder = self.kept.name
        tools = os.path.join(self.folder, "bin")
        os.mkdir(tools)
        os.symlink(program, os.path.join(tools, "bayplan"))
        with open(os.path.join(tools, "aws"), "w") as script:
            script.write(f'#!/bin/sh\nexec {shlex.join(aws)} --endpoint-url http://127.0.0.1:{port} "$@"\n')
        os.chmod(os.path.join(tools, "aws"), 0o755)
        self.done = run_script(collect_script(program), self.folder, tools, AWS_MAX_ATTEMPTS="3")
        print(self.done.stdout, self.done.stderr)
        self.failed = [one for one in manifest_of(self.folder)["calls"] if one["exitCode"] != 0]

    def bayplan(self, *arguments):
        return subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True)


def try_whole(*where):
    run = Run(*where, Cluster(INSTANCES, TASKS_EACH))
    calls = World.calls
    expected = f"YES nothing to place: {INSTANCES * TASKS_EACH} tasks run on {INSTANCES} of {INSTANCES} instances"
    assert run.done.returncode == 0 and run.done.stdout.startswith(expected), "place does not say: " + expected
    assert "note" not in run.done.stdout, "the answers do not agree"
    assumed = " ".join(run.bayplan("place", "--cluster", "ecs-prod", "-v").stdout.split("Assumption: ", 1)[1].split())
    assert "1 instance is a Spot" in assumed and "[spot-at-on-demand-price: prod]" in assumed and "subnet" not in assumed, assumed
    assert "0 failed: ecs-prod" in run.done.stderr and not run.failed, run.failed
    assert calls["DescribeContainerInstances"] == 3 and calls["DescribeTasks"] == 5 and calls["DescribeInstances"] == 3, calls
    assert calls["ListTasks"] == 12 and calls["DescribeSubnets"] == calls["DescribeAutoScalingGroups"] == 1, calls  # twice, of six pages
    assert not [name for name in calls if not name.startswith(("List", "Describe"))], f"calls that change something: {calls}"
    # Six more tasks of 1024 units fit on each instance, beside the two that run.
    more = run.bayplan("place", "--cluster", "ecs-prod", "--task", f"web0={INSTANCES * 6 + 1}", "--no-placements", "--format", "json")
    placed = json.loads(more.stdout)
    assert (placed["summary"]["placed"], placed["summary"]["unplaced"]) == (INSTANCES * 6, 1), placed["summary"]
    assert placed["failures"][0]["reason"] == "RESOURCE:CPU", placed["failures"]


def try_refusals(*where):
    """One definition of some, and the subnets: the rest is there, and each is told."""
    run = Run(*where, Cluster(8, 2, definitions=8), denied=("DescribeTaskDefinition web3:7", "DescribeSubnets"))
    assert run.done.returncode == 1 and run.done.stdout == "", "a script that ends well"
    assert sorted(one["file"] for one in run.failed) == ["subnets.json", "task-definitions/web3-7.json"], run.failed
    assert all("not authorized to perform" in one["error"] for one in run.failed), run.failed
    assert "collect: FAILED aws ecs describe-task-definition: An error occurred (AccessDeniedException)" in run.done.stderr
    assert len(os.listdir(os.path.join(run.folder, "ecs-prod", "task-definitions"))) == 7
    refused = run.bayplan("whatif", "--cluster", "ecs-prod", "--each-az")
    assert refused.returncode == 2 and "aws ecs describe-task-definition failed" in refused.stderr, refused
    allowed = run.bayplan("whatif", "--cluster", "ecs-prod", "--each-az", "--allow-partial")
    assert allowed.returncode in (0, 1) and "note snapshot-incomplete" in allowed.stdout, allowed


def try_no_access(*where):
    run = Run(*where, Cluster(1, 1), denied=("DescribeClusters",))
    assert run.done.returncode == 1 and sum(World.calls.values()) == 1, World.calls
    assert "collect: aws ecs describe-clusters: An error occurred (AccessDeniedException)" in run.done.stderr


def try_throttling(*where):
    run = Run(*where, Cluster(4, 2), throttled=2)
    assert run.done.returncode == 0 and not run.failed and World.calls["DescribeClusters"] == 4, (run.failed, World.calls)


def try_cut_off(*where):
    run = Run(*where, Cluster(4, 2), cut_off=("DescribeServices",))
    assert run.done.returncode == 1 and [one["file"] for one in run.failed] == ["services.json"], run.failed
    refused = run.bayplan("place", "--cluster", "ecs-prod")
    assert refused.returncode == 2 and "aws ecs describe-services failed" in refused.stderr, refused


def main():
    program = os.path.abspath(sys.argv[1])
    clients = aws_process.clients()
    if not clients or shutil.which("bash") is None:
        print("skipped: there is no AWS CLI (apt-get install awscli)")
        return 77
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for path in clients:
        print(subprocess.run([path, "--version"], capture_output=True, text=True).stdout)
        with aws_process.Client(path) as aws:
            for case in (try_whole, try_refusals, try_no_access, try_throttling, try_cut_off):
                print("--", case.__name__)
                # One case starts the client itself, as a shell does.
                case([path] if case is try_throttling else aws.command, program, server.server_port)
    return 0


if __name__ == "__main__":
    sys.exit(main())
