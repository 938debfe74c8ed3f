"""Compares the request that the real AWS CLI sends to a mock endpoint on this machine with the request that `bayplan dry-run`
reads from the same command; both must reject the same commands. Nothing leaves the machine. usage: dry_run.py BAYPLAN"""
import http.server
import json
import os
import random
import subprocess
import sys
import tempfile
import threading

import aws_process

SENT = []
FILES = {
    "td.json": json.dumps({"family": "web", "networkMode": "awsvpc", "cpu": "256", "memory": "512",
                           "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "environment": [{"name": "A", "value": "é\n"}]}]}),
    "td.yaml": "family: web\ncontainerDefinitions:\n  - {name: app, image: 'nginx:1.27', memory: 128}\n",
    "containers.json": '[{"name": "app", "image": "nginx:1.27", "memory": 128}]',
    "overrides.json": '{"containerOverrides": [{"name": "app", "command": ["a", "b c"]}]}',
    "name.txt": "web",
    "run.json": '{"taskDefinition": "web", "count": 2, "group": "g"}',
}
LIVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "place", "live", "cluster")
REGISTER = ["ecs", "register-task-definition", "--family", "web"]
RUN = ["ecs", "run-task", "--task-definition", "web"]
SERVICE = ["ecs", "create-service", "--service-name", "s", "--task-definition", "web", "--desired-count", "1"]
UPDATE = ["ecs", "update-service", "--cluster", "vision", "--service", "infer"]
START = ["ecs", "start-task", "--task-definition", "web"]
SIMPLE = ["--container-definitions", "name=app,image=nginx:1.27,memory=128"]

CASES = [
    ["ecs", "register-task-definition", "--cli-input-json", "file://td.json"],
    ["ecs", "register-task-definition", "--cli-input-json", "file://td.json", "--family", "other", "--cpu=512"],
    ["ecs", "register-task-definition", "--cli-input-json", '{"family": "web", "containerDefinitions": [{"name": "a", "image": "b"}]}'],
    REGISTER + SIMPLE,
    REGISTER + ["--container-definitions", "file://containers.json"],
    ["ecs", "register-task-definition", "--family", "file://name.txt"] + SIMPLE,
    REGISTER + ["--container-definitions", "name=app,image=nginx,memory=128,essential=TRUE,privileged=False,command=sh,-c,ls"],
    REGISTER + ["--container-definitions", "name=app,image=nginx,memory=128,portMappings=[{containerPort=80,hostPort=0},{containerPort=443}]"],
    REGISTER + ["--container-definitions", "name=app,image=nginx,memory=128,environment=[{name=A,value='1,2'},{name=B,value=\"x y\"}]"],
    REGISTER + ["--container-definitions", "name=app,image=nginx,memory=128,logConfiguration={logDriver=awslogs,options={awslogs-group=/ecs/web,awslogs-region=us-east-1}}"],
    REGISTER + ["--container-definitions", "name=app,image=nginx,memory=128", "name=side,image=busybox,memory=64"],
    REGISTER + ["--container-definitions", '{"name": "app", "image": "nginx"}', '{"name": "b", "image": "c"}'],
    REGISTER + ["--container-definitions", '[{"name": "app", "image": "nginx"}]', "--requires-compatibilities", "EC2", "FARGATE"],
    REGISTER + SIMPLE + ["--tags", "key=team,value=web", "key=b,value="],
    REGISTER + SIMPLE + ["--volumes", "name=data,host={sourcePath=/data}", "name=efs,efsVolumeConfiguration={fileSystemId=fs-1,transitEncryption=ENABLED}"],
    REGISTER + SIMPLE + ["--placement-constraints", "type=memberOf,expression=attribute:stack == prod"],
    REGISTER + SIMPLE + ["--placement-constraints", "type=memberOf,expression='attribute:ecs.instance-type in [p3.2xlarge, p3.8xlarge]'"],
    REGISTER + SIMPLE + ["--ephemeral-storage", "sizeInGiB=30", "--runtime-platform", "cpuArchitecture=ARM64,operatingSystemFamily=LINUX"],
    REGISTER + SIMPLE + ["--memory", "1 GB", "--cpu", "-5", "--no-enable-fault-injection"],
    REGISTER + SIMPLE + ["--enable-fault-injection", "--network", "awsvpc", "--region", "us-east-2", "--output", "json"],
    REGISTER + ["--container-definitions", "name=app,image=nginx,memory=128,dockerLabels={a=b,c.d=e}"],
    REGISTER + ["--container-definitions", "name=app,image=nginx,memory=128,resourceRequirements=[{type=GPU,value=1}]"],
    REGISTER + ["--container-definitions", "name=app, image=nginx , memory=128"],
    REGISTER + ["--container-definitions", "name=app,image=a\\,b,memory=1_000"],
    REGISTER + ["--container-definitions", "name=app,image=nginx", "--container-definitions", "name=last,image=nginx"],
    REGISTER + ["--container-definitions", "name=app,image=nginx,entryPoint=[sh,-c],secrets=[{name=A,valueFrom=arn:aws:ssm:us-east-1:1:parameter/a}]"],
    RUN, RUN + ["--count", "3", "--cluster", "prod", "--group", "family:x", "--started-by", "ci"], RUN + ["--count=2", "--clus=prod"],
    RUN + ["--placement-strategy", "type=spread,field=attribute:ecs.availability-zone", "type=binpack,field=memory"],
    RUN + ["--placement-strategy", "type=random"], RUN + ["--placement-constraints", "type=distinctInstance"],
    RUN + ["--placement-constraints", "type=memberOf,expression=attribute:ecs.instance-type =~ p3.*", "type=distinctInstance"],
    RUN + ["--overrides", "file://overrides.json"], RUN + ["--overrides", "containerOverrides=[{name=app,command=[a,b],cpu=10}],cpu=256"],
    RUN + ["--overrides", '{"containerOverrides": [{"name": "app", "environment": [{"name": "A", "value": "1"}]}]}'],
    RUN + ["--network-configuration", "awsvpcConfiguration={subnets=[subnet-1,subnet-2],securityGroups=[sg-1],assignPublicIp=DISABLED}"],
    RUN + ["--network-configuration", "awsvpcConfiguration={subnets=subnet-1}"],
    RUN + ["--capacity-provider-strategy", "capacityProvider=a,weight=1,base=1", "capacityProvider=b,weight=2"],
    RUN + ["--enable-execute-command", "--no-enable-ecs-managed-tags", "--propagate-tags", "TASK_DEFINITION"],
    RUN + ["--tags"], RUN + ["--launch-type", "EC2", "--reference-id", "x"],
    ["ecs", "run-task", "--cli-input-json", "file://run.json", "--count", "5"],
    ["--region", "us-east-1", "ecs", "run-task", "--task-definition", "web"],
    START + ["--container-instances", "p3#1", "b"], START + ["--container-instances", '["a", "b"]', "--group", "g"],
    SERVICE + ["--deployment-configuration", "maximumPercent=200,minimumHealthyPercent=50,deploymentCircuitBreaker={enable=true,rollback=false}"],
    SERVICE + ["--load-balancers", "targetGroupArn=arn:aws:elasticloadbalancing:x,containerName=app,containerPort=80"],
    SERVICE + ["--scheduling-strategy", "DAEMON", "--deployment-controller", "type=ECS", "--service-registries", "registryArn=arn:x,port=1"],
    SERVICE + ["--service-connect-configuration", "enabled=true,namespace=n,services=[{portName=p,clientAliases=[{port=80,dnsName=a}]}]"],
    UPDATE + ["--desired-count", "4", "--force-new-deployment"], UPDATE + ["--task-definition", "train:3", "--enable-execute-command"],
    # What the AWS CLI does not send:
    RUN + ["--clutser", "prod"], RUN + ["--count", "many"], RUN + ["--placement", "random"], RUN + ["stray"], RUN + ["--count"],
    RUN + ["--placement-strategy", "type"], RUN + ["--placement-strategy", "type=random,type=spread"], RUN + ["--overrides", "{]"],
    RUN + ["--placement-strategy", "type='random"], RUN + ["--enable-execute-command", "true"], RUN + ["--output", "xml"],
    REGISTER, ["ecs", "run-task"], RUN + ["--network-configuration", "awsvpcConfiguration=[a"], RUN + ["--overrides", "file://none.json"],
    REGISTER + ["--container-definitions", "name=app,image=nginx,memory=lots"], REGISTER + ["--container-definitions", "name=app,imag=nginx"],
    REGISTER + ["--container-definitions", "name=app,image=nginx,portMappings={containerPort=80}"],
    ["ecs", "register-task-definition", "--cli-input-json", "[]"], ["ecs", "register-task-definition", "--cli-input-json", "{,}"],
    ["ecs", "run-tsk", "--task-definition", "web"],
]


def random_cases(count):
    """Arguments of letters that mean something in shorthand, as the expression of a constraint and as an override."""
    draw = random.Random(20261121)
    for _ in range(count):
        text = "".join(draw.choice("ab=,,[]{}'\" \\1:") for _ in range(draw.randrange(1, 12)))
        yield RUN + ["--placement-constraints", "type=memberOf,expression=" + text]


class Endpoint(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        SENT.append(json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0)))))
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *arguments):
        pass


def check(line, program, aws, endpoint, folder, environment):
    SENT.clear()
    theirs = subprocess.run([*aws.command, "--endpoint-url", endpoint] + line, cwd=folder, env=environment, capture_output=True, text=True)
    sent = SENT[0] if SENT else None
    # A service to update is one that a live cluster has; this one lacks a task definition that others use.
    cluster = (["--cluster", LIVE, "--allow-partial"] if line[1] == "update-service" else
               ["--instances", "c5.large=1@us-east-1a", "--definition", "td.json"])
    ours = subprocess.run([program, "dry-run", *cluster, "--output", "json", "--", "aws"] + line,
                          cwd=folder, env=environment, capture_output=True, text=True)
    report = json.loads(ours.stdout) if ours.returncode != 2 else None
    if sent is None:
        refused = ours.returncode == 2 or (report and report["error"] and report["error"]["by"] == "aws-cli")
        if not refused and any(word in theirs.stderr and word in line for word in NEWER):
            return "skipped"
        return None if refused else f"the AWS CLI sends nothing, and bayplan takes it: {ours.stdout[:300]}"
    if report is None:
        # Calls that cannot be tried for want of a description: not what is tested here.
        return "skipped" if ours.returncode == 2 and any(word in ours.stderr for word in NOT_TRIED) else f"bayplan refuses it: {ours.stderr}"
    if report["error"] and report["error"]["by"] == "aws-cli":
        return f"the AWS CLI sends it, and bayplan says that it does not: {report['error']}"
    if "clientToken" not in report["request"]:
        sent.pop("clientToken", None)
    return None if report["request"] == sent else f"sent {json.dumps(sent)}\nread {json.dumps(report['request'])}"


# Options that an AWS CLI of 2023, such as Debian 12's, does not know yet.
NEWER = ["--enable-fault-injection", "--no-enable-fault-injection"]
NOT_TRIED = ["is not tried in this version", "no capacity provider", "expression:", "not simulated", "memberOf needs"]


def main():
    program = os.path.abspath(sys.argv[1])
    installed = aws_process.clients()
    if not installed:
        print("skipped: there is no AWS CLI (apt-get install awscli)")
        return 77
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    faults, skipped, compared = [], 0, 0
    with tempfile.TemporaryDirectory() as folder, aws_process.Client(installed[0]) as aws:
        for name, text in FILES.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        environment = dict(os.environ, AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none", AWS_DEFAULT_REGION="us-east-1",
                           AWS_EC2_METADATA_DISABLED="true", AWS_PAGER="", HOME=folder, LC_ALL="C.UTF-8")
        version = subprocess.run([*aws.command, "--version"], env=environment, capture_output=True, text=True).stdout
        cases = CASES + list(random_cases(25))
        if version.startswith("aws-cli/2"):
            cases.append(["ecs", "register-task-definition", "--cli-input-yaml", "file://td.yaml"])
        for line in cases:
            fault = check(line, program, aws, f"http://127.0.0.1:{server.server_port}", folder, environment)
            if fault == "skipped":
                skipped += 1
            elif fault:
                faults.append(f"aws {' '.join(line)}\n{fault}")
            else:
                compared += 1
    print("\n".join(faults))
    print(f"{version.split()[0]}: {compared} lines read alike, {skipped} not tried, {len(faults)} faults")
    return 1 if faults or compared < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
