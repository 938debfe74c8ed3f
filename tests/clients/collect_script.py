"""Runs the script that `bayplan collect` prints in bash with a mock AWS CLI: its calls, its handling of failed calls, and what
bayplan reports about the folder. usage: collect_script.py BAYPLAN"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from collect_stub import Cluster, SUBNETS, collect_script, manifest_of, run_script

DENIED = "An error occurred (AccessDeniedException) when calling the %s operation: not authorized to \"call\" it"

#: The stand-in: answers out of a folder of files by call, fails as version 1 does (255), and writes down what it was asked.
AWS = """#!/bin/sh
here=$(dirname "$0")
echo "$*" >> "$here/log"
for word in "$@"; do last=$word; done
for refused in "$here/refuse/$1 $2" "$here/refuse/$1 $2 ${last##*/}"; do
  [ -e "$refused" ] && { cat "$refused" >&2; exit 255; }
done
n=$(grep -c -x -F -- "$*" "$here/log")
for answer in "$here/answers/$1 $2 ${last##*/}" "$here/answers/$1 $2 #$n" "$here/answers/$1 $2"; do
  [ -e "$answer" ] && { cat "$answer"; exit 0; }
done
echo "no answer to $*" >&2
exit 252
"""


class Stand:
    """A folder with the stand-in and the answers of one cluster; lists and descriptions of one page."""

    def __init__(self, program, cluster):
        self.program = program
        self.kept = tempfile.TemporaryDirectory()
        self.folder = self.kept.name
        self.tools = os.path.join(self.folder, "bin")
        for name in ("answers", "refuse"):
            os.makedirs(os.path.join(self.tools, name))
        os.symlink(program, os.path.join(self.tools, "bayplan"))
        with open(os.path.join(self.tools, "aws"), "w") as file:
            file.write(AWS)
        os.chmod(os.path.join(self.tools, "aws"), 0o755)
        self.answer("ecs describe-clusters", {"clusters": [cluster.cluster], "failures": []})
        self.answer("ecs describe-capacity-providers", {"capacityProviders": [cluster.provider()], "failures": []})
        for member, key in (("containerInstances", "container-instances"), ("tasks", "tasks"), ("services", "services")):
            listed = cluster.listed(member)
            self.answer("ecs list-" + key, {member[:-1] + "Arns": list(listed)})
            self.answer("ecs describe-" + key, {member: list(listed.values()), "failures": []})
        for family in cluster.families:
            name = f"arn:aws:ecs:us-east-2:111122223333:task-definition/{family}:7"
            self.answer(f"ecs describe-task-definition {family}:7", {"taskDefinition": cluster.definition(name), "tags": []})
        self.answer("ec2 describe-instance-types", {"InstanceTypes": [{"InstanceType": "c5.2xlarge"}]})
        self.answer("ec2 describe-instances", {"Instances": [
            {"InstanceId": one["ec2InstanceId"], "AutoScalingGroupName": "own-group"} for one in cluster.instances]})
        self.answer("autoscaling describe-auto-scaling-groups", {"AutoScalingGroups": []})
        self.answer("ec2 describe-subnets", {"Subnets": [{"SubnetId": one, "AvailabilityZone": zone} for one, zone in SUBNETS.items()]})

    def answer(self, call, what):
        with open(os.path.join(self.tools, "answers", call), "w") as file:
            json.dump(what, file, indent=4)

    def refuse(self, call, message):
        with open(os.path.join(self.tools, "refuse", call), "w") as file:
            file.write(message + "\n")

    def run(self):
        log = os.path.join(self.tools, "log")
        if os.path.exists(log):
            os.remove(log)
        done = run_script(collect_script(self.program), self.folder, self.tools)
        with open(log) as file:
            self.calls = file.read().splitlines()
        return done

    def place(self, *arguments):
        return subprocess.run([self.program, "place", "--cluster", "ecs-prod", *arguments], cwd=self.folder, capture_output=True, text=True)

    def count(self, call):
        return sum(one.startswith(call) for one in self.calls)


def expect(condition, done, what):
    assert condition, f"{what}\n{done.stdout}\n{done.stderr}"


def whole(program):
    stand = Stand(program, Cluster(4, 3, definitions=6))
    done = stand.run()
    expect(done.returncode == 0 and done.stdout.startswith("YES nothing to place: 12 tasks run on 4 of 4 instances"), done, "a whole run")
    expect("collect: 22 calls in" in done.stderr and "0 failed: ecs-prod" in done.stderr, done, "its summary")
    expect("note" not in done.stdout and "subnet" not in done.stdout, done, "the answers agree")
    manifest = manifest_of(stand.folder)
    assert manifest["snapshotOf"] == "prod" and manifest["startedAt"] <= manifest["endedAt"] and manifest["changed"] == [], manifest
    assert len(manifest["calls"]) == len(stand.calls) == 22 and all(one["exitCode"] == 0 for one in manifest["calls"]), manifest
    assert stand.count("ecs describe-task-definition") == 6, stand.calls
    changes = [one for one in stand.calls if not one.split()[1].startswith(("list-", "describe-"))]
    assert not changes, changes
    # Again, after a service went: nothing of the first run is left.
    cluster = Cluster(4, 3, definitions=5)
    again = Stand(program, cluster)
    shutil.copytree(os.path.join(stand.folder, "ecs-prod"), os.path.join(again.folder, "ecs-prod"))
    done = again.run()
    expect(done.returncode == 0, done, "a second run into the folder")
    assert len(os.listdir(os.path.join(again.folder, "ecs-prod", "task-definitions"))) == 5


def a_refused_definition(program):
    """One of many fails with 255: the others are there all the same."""
    stand = Stand(program, Cluster(10, 5, definitions=50))
    stand.refuse("ecs describe-task-definition web7:7", DENIED % "DescribeTaskDefinition")
    done = stand.run()
    expect(done.returncode == 1 and done.stdout == "", done, "a failed call")
    expect("collect: FAILED aws ecs describe-task-definition: An error occurred (AccessDeniedException)" in done.stderr, done, "what failed")
    assert stand.count("ecs describe-task-definition") == 50, stand.calls
    assert len(os.listdir(os.path.join(stand.folder, "ecs-prod", "task-definitions"))) == 49
    failed = [one for one in manifest_of(stand.folder)["calls"] if one["exitCode"] != 0]
    assert [(one["file"], one["exitCode"]) for one in failed] == [("task-definitions/web7-7.json", 255)], failed
    assert failed[0]["error"].endswith('not authorized to "call" it'), failed
    refused = stand.place()
    expect(refused.returncode == 2 and "the snapshot is incomplete: aws ecs describe-task-definition failed" in refused.stderr, refused,
           "place refuses")
    expect("ecs-prod/manifest.json:" in refused.stderr and "--allow-partial" in refused.stderr, refused, "its place and its help")
    allowed = stand.place("--allow-partial")
    expect(allowed.returncode == 0 and "note snapshot-incomplete (prod)" in allowed.stdout, allowed, "--allow-partial")


def refused_services(program):
    stand = Stand(program, Cluster(2, 2))
    stand.refuse("ecs describe-services", DENIED % "DescribeServices")
    done = stand.run()
    expect(done.returncode == 1 and "FAILED aws ecs describe-services" in done.stderr, done, "refused services")
    refused = subprocess.run([program, "whatif", "--cluster", "ecs-prod", "--each-az"], cwd=stand.folder, capture_output=True, text=True)
    expect(refused.returncode == 2 and "aws ecs describe-services failed" in refused.stderr, refused, "whatif refuses")


def refused_subnets(program):
    """What is not of ECS is assumed, and said."""
    stand = Stand(program, Cluster(2, 2))
    stand.refuse("ec2 describe-subnets", "An error occurred (UnauthorizedOperation) when calling the DescribeSubnets operation")
    done = stand.run()
    expect(done.returncode == 1, done, "refused subnets")
    placed = stand.place()
    expect(placed.returncode == 0 and "note snapshot-incomplete (prod): aws ec2 describe-subnets failed" in placed.stdout, placed, "noted")


def no_cluster(program):
    stand = Stand(program, Cluster(1, 1))
    stand.refuse("ecs describe-clusters", "Unable to locate credentials.")
    done = stand.run()
    expect(done.returncode == 1 and "collect: aws ecs describe-clusters: Unable to locate credentials." in done.stderr, done, "no credentials")
    assert len(stand.calls) == 1, stand.calls
    refused = stand.place()
    expect(refused.returncode == 2, refused, "nothing is there")


def a_truncated_answer(program):
    stand = Stand(program, Cluster(2, 2))
    path = os.path.join(stand.tools, "answers", "ecs describe-tasks")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text[:len(text) // 2])
    done = stand.run()
    expect(done.returncode == 1 and "FAILED aws ecs describe-tasks: an answer that is cut off" in done.stderr, done, "cut off")


def an_empty_answer(program):
    """What version 2 makes of an answer whose body ends too early: nothing, and an exit code of 0."""
    stand = Stand(program, Cluster(2, 2))
    open(os.path.join(stand.tools, "answers", "ecs describe-services"), "w").close()
    done = stand.run()
    expect(done.returncode == 1 and "FAILED aws ecs describe-services: an empty answer" in done.stderr, done, "an empty answer")


def a_changed_cluster(program):
    before, after = Cluster(2, 2), Cluster(2, 3)
    stand = Stand(program, before)
    stand.answer("ecs list-tasks #2", {"taskArns": list(after.listed("tasks"))})
    done = stand.run()
    expect(done.returncode == 0 and 'changed in the meantime ("ecs list-tasks")' in done.stderr, done, "a change in the meantime")
    expect("note changed-while-collected (prod): ecs list-tasks answered differently" in done.stdout, done, "place says so")
    assert manifest_of(stand.folder)["changed"] == ["ecs list-tasks"]


def a_folder_of_others(program):
    stand = Stand(program, Cluster(1, 1))
    os.mkdir(os.path.join(stand.folder, "ecs-prod"))
    with open(os.path.join(stand.folder, "ecs-prod", "mine.json"), "w") as file:
        file.write("{}")
    log = os.path.join(stand.tools, "log")
    open(log, "w").close()
    done = run_script(collect_script(program), stand.folder, stand.tools)
    expect(done.returncode == 1 and "ecs-prod contains other files" in done.stderr, done, "a folder of others")
    assert os.listdir(os.path.join(stand.folder, "ecs-prod")) == ["mine.json"] and os.path.getsize(log) == 0


def main():
    program = os.path.abspath(sys.argv[1])
    if shutil.which("bash") is None:
        print("skipped: there is no bash")
        return 77
    for case in (whole, a_refused_definition, refused_services, refused_subnets, no_cluster, a_truncated_answer, an_empty_answer, a_changed_cluster,
                 a_folder_of_others):
        case(program)
        print("ok", case.__name__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
