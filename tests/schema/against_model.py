#!/usr/bin/env python3
"""usage: against_model.py PROJECT -- the schemas match the API model, except for the listed additions."""
import json, os, sys

project = sys.argv[1]
model_path = os.path.join(project, "..", "shared", "spec", "task-definition-model.json")
if not os.path.exists(model_path):
    print("SKIPPED: no ../shared/spec/task-definition-model.json")
    sys.exit(77)

model = json.load(open(model_path))
schema = json.load(open(os.path.join(project, "schemas", "task-definition.schema.json")))
newer = model["additionsNewerThanSource"]

# What the schema has beyond the model, and why.
REQUIRED_BY_THE_SERVICE = {"ContainerDefinition": ["name", "image"]}
NO_LONGER_REQUIRED = {"ResourceRequirement": ["value"]}
NEWER_STRUCTURES = ["SharingStrategy", "NvidiaMpsAllocation"]
NEWER_MEMBERS = {"ResourceRequirement": newer["ResourceRequirement"]["newMembers"]}
# Of @aws-sdk/client-ecs 3.1164.0, which scripts/model-drift compares.
NEWER_SERVICE_MEMBERS = {
    "CreateServiceRequest": ["gatewayConnectors"], "UpdateServiceRequest": ["gatewayConnectors"],
    "DeploymentConfiguration": ["earlySuccessCriteria"], "ServiceConnectConfiguration": ["containerConfigurations"],
    "VpcLatticeConfiguration": ["advancedConfiguration"]}
NEWER_SERVICE_STRUCTURES = [
    "DeploymentEarlySuccessCriteria", "ServiceConnectContainerConfiguration", "VpcLatticeAdvancedConfiguration",
    "GatewayConnector", "GatewayConnectorHealthCheck", "GatewayConnectorHealthCheckMatcher", "GatewayConnectorFilters"]
# The model in ../shared/spec has no such request; scripts/model-drift compares it with the SDK.
OTHER_REQUESTS = ["StopTaskRequest"]
NOT_STRUCTURES = ["Int32"]

faults = []


def expect(where, ours, theirs):
    if ours != theirs:
        faults.append(f"{where}: schema {ours!r}, model {theirs!r}")


def referenced(part):
    return part.get("$ref", "").rsplit("/", 1)[-1]


def compare_member(where, ours, theirs):
    kind = theirs["type"]
    if kind == "structure":
        return expect(where, referenced(ours), theirs["shape"])
    if kind == "integer":
        return expect(where, referenced(ours), "Int32")
    if kind == "double":
        return expect(where, ours.get("type"), "number")
    if kind == "list":
        expect(where, ours.get("type"), "array")
        expect(where + " max", ours.get("maxItems"), theirs.get("max"))
        return compare_member(where + "[]", ours.get("items", {}), theirs["element"])
    if kind == "map":
        expect(where, ours.get("type"), "object")
        return compare_member(where + "{}", ours.get("additionalProperties", {}), theirs["value"])
    expect(where, ours.get("type"), kind)
    expect(where + " enum", ours.get("enum"), theirs.get("enum"))
    expect(where + " min", ours.get("minLength", 0), theirs.get("min", 0))
    expect(where + " max", ours.get("maxLength"), theirs.get("max"))
    expect(where + " pattern", ours.get("pattern"), f"^{theirs['pattern']}$" if "pattern" in theirs else None)


def compare_structure(name, ours, theirs):
    members = {**theirs["members"], **NEWER_MEMBERS.get(name, {})}
    required = [m for m in theirs.get("required", []) if m not in NO_LONGER_REQUIRED.get(name, [])]
    required += REQUIRED_BY_THE_SERVICE.get(name, [])
    newer_members = NEWER_SERVICE_MEMBERS.get(name, [])
    expect(name + " members", [m for m in ours["properties"] if m not in newer_members], list(members))
    expect(name + " required", sorted(ours.get("required", [])), sorted(required))
    # A document of the caller's own: the model names no members, and takes any.
    expect(name + " closed", ours.get("additionalProperties"), None if name == "HookDetails" else False)
    for member in members:
        compare_member(f"{name}.{member}", ours["properties"].get(member, {}), members[member])


def compare_request(file, roots, first):
    """A schema of a request against the model of the calls; what both models have, the task definition's has shown."""
    requests = json.load(open(os.path.join(project, "..", "shared", "spec", "aws-describe-model.json")))["structures"]
    request = json.load(open(os.path.join(project, "schemas", file)))
    ours = {**request["$defs"], first: request}
    for name in ours:
        if name in schema["$defs"]:
            expect(f"{file} {name}", ours[name], schema["$defs"][name])
        elif name not in NEWER_SERVICE_STRUCTURES + OTHER_REQUESTS:
            compare_structure(name, ours[name], requests[name])
    missing = [name for name in roots if name not in ours]
    expect(file + " requests", missing, [])
    if first == "CreateServiceRequest":
        answer = [m for m in requests["Service"]["members"] if m not in requests[first]["members"]]
        expect(file + " response-only members", request["x-response-only"], answer)


structures = {**model["structures"], **{name: newer[name] for name in NEWER_STRUCTURES}}
definitions = {**schema["$defs"], model["root"]: schema}
expect("structures", sorted(set(definitions) - set(NOT_STRUCTURES)), sorted(structures))
expect("Int32", schema["$defs"]["Int32"], {"type": "integer", "minimum": -2**31, "maximum": 2**31 - 1})
expect("response-only members", schema["x-response-only"], list(model["responseOnlyMembers"]))
for name in structures:
    if name in definitions:
        compare_structure(name, definitions[name], structures[name])
compare_request("service.schema.json", ["CreateServiceRequest", "UpdateServiceRequest"], "CreateServiceRequest")
compare_request("run-task.schema.json", ["RunTaskRequest", "StartTaskRequest"], "RunTaskRequest")
print("\n".join(faults) or f"{len(structures)} structures agree with the model of {model['meta']['sourceCommit'][:8]}")
sys.exit(1 if faults else 0)
