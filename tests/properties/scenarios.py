"""Random clusters and tasks as JSON scenarios, from a seed: small, with all strategies and with hostile names."""
import random

NAMES = ["web", "a.b-c_d", "\"quoted\"", "back\\slash", "two\nlines", "\u202eevil\u0007\u001b[31m", "\U0001f6a2", "\u0645\u0647\u0645", "</script>", "a,b;c", "=1+1", "\u2028", "x" * 200]
STRATEGIES = [[], [{"type": "random"}], [{"type": "binpack", "field": "memory"}], [{"type": "binpack", "field": "cpu"}],
              [{"type": "spread", "field": "instanceId"}], [{"type": "spread", "field": "attribute:ecs.availability-zone"}, {"type": "binpack", "field": "memory"}],
              [{"type": "spread", "field": "attribute:rack"}]]
ZONES = ["us-east-1a", "us-east-1b", "us-east-1c"]
RACKS = [{"instanceType": "rack-a", "registeredResources": {"CPU": 4096, "MEMORY": 16000, "GPU": 1}, "hourlyPrice": 0.81},
         {"instanceType": "rack-b", "registeredResources": {"CPU": 16384, "MEMORY": 64000, "GPU": 2}, "hourlyPrice": 1.9},
         {"instanceType": "rack-c", "registeredResources": {"CPU": 32768, "MEMORY": 128000}, "hourlyPrice": 0.97},
         {"instanceType": "rack-d", "registeredResources": {"CPU": 8192, "MEMORY": 30000, "GPU": 4}, "hourlyPrice": 2.05}]


def definition(draw, family):
    container = {"name": "c", "image": "nginx:1.27", "cpu": draw.choice([0, 128, 512, 1024, 3000]), "memory": draw.choice([64, 500, 2000, 7000, 20000])}
    if draw.random() < 0.3:
        container["resourceRequirements"] = [{"type": "GPU", "value": str(draw.choice([1, 1, 2, 4]))}]
    if draw.random() < 0.2:
        container["portMappings"] = [{"containerPort": 80, "hostPort": 8080}]
    return {"family": family, "requiresCompatibilities": ["EC2"], "containerDefinitions": [container]}


def instances(draw):
    made = []
    for _ in range(draw.randrange(1, 5)):
        one = {"instanceType": draw.choice(RACKS)["instanceType"], "count": draw.randrange(1, 4), "availabilityZones": draw.sample(ZONES, draw.randrange(1, 4))}
        if draw.random() < 0.3:
            one["attributes"] = {"rack": draw.choice(NAMES[:3])}
        if draw.random() < 0.1:
            one["status"] = "DRAINING"
        made.append(one)
    return made


def constraints(draw):
    return [draw.choice([{"type": "distinctInstance"}, {"type": "memberOf", "expression": "attribute:ecs.instance-type =~ rack-[ab]"},
                         {"type": "memberOf", "expression": "attribute:ecs.availability-zone in [us-east-1a, us-east-1b]"}])] if draw.random() < 0.3 else []


def scenario(seed):
    draw = random.Random(seed)
    families = [f"t{i}" for i in range(draw.randrange(1, 5))]
    made = {"region": "us-east-1", "instanceTypes": RACKS, "cluster": {"clusterName": draw.choice(NAMES), "containerInstances": instances(draw)},
            "taskDefinitions": [definition(draw, family) for family in families], "services": [], "tasks": [], "settings": {"seed": seed % 1000}}
    for family in families:
        strategy, limits = draw.choice(STRATEGIES), constraints(draw)
        if draw.random() < 0.5:
            made["services"].append({"serviceName": f"{family}-service", "taskDefinition": family, "desiredCount": draw.randrange(0, 8),
                                     "placementStrategy": [one for one in strategy if one["type"] != "random"], "placementConstraints": limits})
        else:
            made["tasks"].append({"taskDefinition": family, "count": draw.randrange(1, 8), "group": f"{draw.choice(NAMES)} {family}", "placementStrategy": strategy,
                                  "placementConstraints": limits})
    return made
