"""The names of one random scenario, and what stands at the keys of the schema that refer to each other."""
from schema_values import LEAVE_OUT

#: Types of the catalog: small, ARM, GPUs of several sizes, metal.
TYPES = ["t3.micro", "t3.small", "m5.large", "m5.xlarge", "c5.large", "c5.xlarge", "c6a.large", "c6g.large", "r5.large", "m5.metal", "g4dn.xlarge", "g4dn.12xlarge", "g5.xlarge",
         "p3.2xlarge", "p3.16xlarge"]
FAMILIES, SERVICES = ["web", "train", "a", "batch", "infer"], ["s1", "web", "api", "dm", "worker"]
OWN_TYPES = ["rack-a", "rack-b", "m5.custom"]
REGIONS = {"us-east-1": "abc", "us-east-2": "abc", "eu-west-1": "abc", "us-west-2": "abcd"}
ATTRIBUTES = ["rack", "stack", "com.example.tier"]
VALUES = ["a", "b", "gpu", "2"]
FIELDS = {"spread": ["instanceId", "host", "attribute:ecs.availability-zone", "attribute:ecs.instance-type", "attribute:rack", "attribute:nowhere"], "binpack": ["cpu", "memory", "CPU", "MEMORY"]}
DURATIONS = ["1s", "30s", "90s", "5m", "10m", "30m", "1h", "1h30m", "2h"]
ALARMS = ["high-cpu", "errors"]


class World:
    """Draws the names first, so that everything drawn later can refer to them."""

    def __init__(self, draw, timed=0.35, wanted=None):
        """`timed`: how likely the scenario runs over time; `wanted`: see SchemaValues."""
        self.draw, self.wanted = draw, wanted or (None, None, set())
        way = self.wanted[2]
        self.region = draw.choice(["us-east-1"] * 6 + list(REGIONS))
        self.zones = draw.sample([self.region + letter for letter in REGIONS[self.region]], draw.choice([1, 2, 2, 2, 3, 3]))
        self.types = draw.sample(TYPES, draw.choice([1, 2, 3])) + (draw.sample(OWN_TYPES, draw.choice([1, 2])) if draw.random() < 0.2 or "instanceTypes" in way or "InstanceType" in way else [])
        self.families = draw.sample(FAMILIES, draw.choice([1, 1, 2, 3]))
        self.services = draw.sample(SERVICES, draw.choice([1, 2]) if way & {"services", "Service", "ServiceUpdate"} else draw.choice([0, 1, 1, 2, 3]))
        self.subnets = {f"subnet-{i}": draw.choice(self.zones) for i in range(draw.choice([0, 0, 1, 2]))}
        self.has_time = draw.random() < timed or bool(way & {"events", "Event", "CapacityProvider", "settings.timing"})
        self.providers = draw.sample(["cp1", "cp2", "managed"] if self.has_time else ["cp1", "cp2"], 2 if way & {"CapacityProvider", "CapacityProviderStrategyItem"} else draw.choice([0, 0, 0, 1, 2]))
        self.kinds = {name: "managed" if name == "managed" or (self.has_time and draw.random() < 0.2) else "group" for name in self.providers}
        if self.providers and "ManagedInstancesProvider" in way:
            self.kinds[self.providers[0]] = "managed"
        if self.providers and way & {"AutoScalingGroup", "CapacityProvider.autoScalingGroupProvider"}:
            self.kinds[self.providers[0]] = "group"
        if "subnets" in way or any(place.endswith(".subnets") for place in way):
            self.subnets = self.subnets or {"subnet-0": self.zones[0]}
        self.takes_policy = True
        self.daemons = {name for name in self.services if name == "dm" or draw.random() < 0.15}
        self.has_spot = draw.random() < 0.2 or "spot.pools" in way
        self.instances = {}  # type -> how many the cluster has
        self.unnamed = 0  # instances with an id of their own
        self.used_zones = []
        self.pools = []  # of Spot instances of the cluster
        self.alarms = []  # that a service watches
        self.next_service = list(self.services)
        self.next_provider = list(self.providers)
        self.next_type = [name for name in self.types if name in OWN_TYPES]

    def pick(self, *values):
        return self.draw.choice(values)

    def often(self, probability):
        return self.draw.random() < probability

    def type_or_glob(self):
        name = self.draw.choice(self.types)
        return self.pick(name, name, f"{name.split('.')[0]}.*", "m5.*")

    def instance(self):
        """An instance as reports call it, or a glob."""
        name = self.draw.choice(sorted(self.instances) or self.types)
        return self.pick(f"{name}#{self.draw.randrange(1, self.instances.get(name, 1) + 1)}", f"{name}#*", "*")

    def replicas(self):
        return [name for name in self.services if name not in self.daemons]

    def pool(self):
        return self.draw.choice(self.pools or [f"{self.draw.choice(self.types)}@{self.draw.choice(self.zones)}"])

    def expression(self, depth=0):
        """A memberOf of odd but legal form."""
        type_name, zone = self.draw.choice(self.types), self.draw.choice(self.zones)
        plain = [f"attribute:ecs.instance-type == {type_name}", f"attribute:ecs.instance-type =~ {type_name.split('.')[0]}.*", f"attribute:ecs.availability-zone in [{zone}]",
                 f"attribute:ecs.availability-zone != {zone}", "attribute:rack exists", "attribute:rack == a", "attribute:rack not_in [a, b]", "not(attribute:stack == gpu)",
                 "attribute:stack !exists", "agentVersion >= 1.0.0", "agentConnected == true", f"task:group == service:{self.pick(*(self.services or ['s1']))}",
                 f"not(task:group == family:{self.pick(*self.families)})", "ec2InstanceId in ['i-1', 'i-2']", "attribute:ecs.cpu-architecture == x86_64", "runningTasksCount < 3"]
        if depth < 2 and self.often(0.25):
            return f"({self.expression(depth + 1)}) {self.pick('and', 'or', '&&', '||')} ({self.expression(depth + 1)})"
        return self.draw.choice(plain)

    def strategy_text(self):
        kind = self.pick("spread", "binpack", "binpack", "random")
        return kind if kind == "random" else f"{kind}:{self.draw.choice(FIELDS[kind])}"

    def reference(self):
        return self.draw.choice(self.families)


def task_definition(world, family):
    """A definition that ECS would accept, in most cases."""
    w = world
    mode = w.pick(None, None, "bridge", "host", "awsvpc", "awsvpc" if w.subnets else "bridge", "none")
    containers = []
    for number in range(w.pick(1, 1, 1, 2, 3)):
        container = {"name": f"c{number}", "image": "nginx:1.27", "essential": True}
        if w.often(0.7):
            container["cpu"] = w.pick(0, 10, 128, 256, 512, 1024, 2047, 4092)
        if w.often(0.85):
            container["memory"] = w.pick(6, 64, 256, 512, 1024, 2047, 7000, 15000)
        if "memory" not in container or w.often(0.15):
            container["memoryReservation"] = min(w.pick(6, 32, 128, 512), container.get("memory", 512))
        if w.often(0.2) and mode != "none":
            port = w.pick(80, 8080, 443, 22, 51678, 30000)
            mapping = {"containerPort": port + number}
            if mode in ("host", "awsvpc"):
                mapping["hostPort"] = port + number
            elif w.often(0.6):
                mapping["hostPort"] = w.pick(0, port + number, 1 + number)
            if w.often(0.2):
                mapping["protocol"] = w.pick("tcp", "udp")
            container["portMappings"] = [mapping]
        if w.often(0.1):
            container["stopTimeout"] = w.pick(2, 30, 120)
        if w.often(0.08):
            container["healthCheck"] = {"command": ["CMD", "true"], "interval": w.pick(5, 30), "retries": w.pick(1, 3), "startPeriod": w.pick(0, 60)}
        if number and w.often(0.3):
            container["essential"] = False
        containers.append(container)
    definition = {"family": family, "containerDefinitions": containers}
    if w.often(0.25):
        containers[0]["resourceRequirements"] = [gpu_requirement(w)]
    if mode:
        definition["networkMode"] = mode
    if w.often(0.5):
        definition["requiresCompatibilities"] = [w.pick("EC2", "EC2", "EC2", "MANAGED_INSTANCES" if mode in ("awsvpc", "host") else "EC2")]
    if w.often(0.15):
        definition["memory"] = str(max(1024, sum(one.get("memory", one.get("memoryReservation", 0)) for one in containers)))
        definition["cpu"] = str(max(1024, sum(one.get("cpu", 0) for one in containers)))
    if w.often(0.1):
        definition["placementConstraints"] = [{"type": "memberOf", "expression": w.expression()}]
    if w.often(0.08):
        definition["runtimePlatform"] = {"cpuArchitecture": w.pick("X86_64", "ARM64"), "operatingSystemFamily": "LINUX"}
    if w.often(0.04):
        definition["volumes"] = [{"name": "data", "configuredAtLaunch": True}]
        containers[0]["mountPoints"] = [{"sourceVolume": "data", "containerPath": "/data"}]
    return definition


def gpu_requirement(w):
    if w.often(0.2):
        sharing = {"nvidiaMps": {"memory": w.pick(1, 1024, 8000)}} if w.often(0.8) else {"nvidiaMps": {"memory": 2048, "activeThreadPercentage": w.pick(1, 50, 100)}}
        return {"type": "GPU", "value": w.pick("1", "0.5"), "sharingStrategy": sharing} if w.often(0.3) else {"type": "GPU", "sharingStrategy": sharing}
    return {"type": "GPU", "value": w.pick("1", "1", "2", "4", "8", "ALL")}


def count(w, *values):
    return w.pick(*values, 200) if w.often(0.05) else w.pick(*values)


def scenario_hints(w):
    """Place of schemas/scenario.schema.json -> function that gives the value. Whatever is not here, the schema alone draws."""
    def duration():
        return w.draw.choice(DURATIONS)

    def when_timed(value):
        return lambda: value() if w.has_time else LEAVE_OUT

    def texts(value):
        return lambda: value() if w.often(0.7) else [value(), value()]

    def pairs(name, number):
        return lambda: w.pick(f"{name()}={number()}", {name(): number()}, [f"{name()}={number()}"])

    def service():
        return w.draw.choice(w.services) if w.services else LEAVE_OUT

    def attributes():
        names = w.draw.sample(ATTRIBUTES, w.pick(1, 1, 2))
        return {name: w.draw.choice(VALUES) for name in names} if w.often(0.7) else [{"name": name, "value": w.draw.choice([*VALUES, 3, True, None])} for name in names]

    def size():
        return w.pick(1000, 15000, "14GiB", "512MiB", "1.5 GiB")

    def next_or(names):
        return lambda: names.pop(0) if names else LEAVE_OUT

    def load():
        factors = [w.pick(0, 0.25, 0.5, 1, 1.5, 2) for _ in range(w.pick(1, 2, 3, 4, 24))]
        named = {name: factors for name in w.replicas() if w.often(0.6)}
        return w.pick(factors, named or factors)

    own = [name for name in w.types if name in OWN_TYPES]
    zones = lambda: w.draw.sample(w.zones, w.draw.randrange(1, len(w.zones) + 1))  # noqa: E731
    zone = lambda: w.draw.choice(w.zones)  # noqa: E731
    type_name = lambda: w.draw.choice(w.types)  # noqa: E731
    subnets = lambda: w.draw.sample(sorted(w.subnets), w.draw.randrange(1, len(w.subnets) + 1)) if w.subnets else LEAVE_OUT  # noqa: E731
    provider = lambda: w.draw.choice(w.providers) if w.providers else LEAVE_OUT  # noqa: E731
    group_provider = lambda: w.draw.choice([name for name in w.providers if w.kinds[name] == "group"] or [LEAVE_OUT])  # noqa: E731
    ports = lambda: [w.pick(22, 80, 2375, 8080, 51678) for _ in range(w.pick(1, 2))]  # noqa: E731
    return {
        "region": lambda: w.region,
        "cluster": lambda: CLUSTER,
        "taskDefinitions": lambda: [task_definition(w, family) for family in w.families],
        "services": lambda: LEAVE_OUT,  # made by `scenario`, as are the next three: their names go together
        "capacityProviders": lambda: LEAVE_OUT,
        "instanceTypes": lambda: LEAVE_OUT,
        "subnets": lambda: {name: w.pick(zone, {"availabilityZone": zone, "availableIpAddressCount": w.draw.randrange(9)}) for name, zone in w.subnets.items()} or LEAVE_OUT,
        "load": load,
        "needs names": lambda: w.pick(w.families[:1], [f"{w.families[0]}/c0"]),
        "throughput names": lambda: w.families[:1],
        "Throughput names": lambda: w.types[:1],
        "Throughput value": lambda: {w.pick("1", "4"): w.pick(100, 321.16)},
        "Throughput.unit": lambda: "images/s",
        "variants names": lambda: w.draw.sample(["wider", "lost", "busy"], w.pick(1, 2)),
        "spot.pools names": lambda: [w.pool()] if w.pools else [],
        "spot.pools value": lambda: w.pick(0, 5, 20, 99),
        "settings.seed": lambda: w.draw.randrange(1000),
        "Duration": duration,
        "Port": lambda: w.pick(1, 22, 8080, 65535),
        "Size": size,
        "Need.gpuMemory": lambda: w.pick("14GiB", "1 GiB", 1000),
        "Need.minComputeCapability": lambda: w.pick("7.0", "7.5", 8, "6.1"),
        "Cluster.clusterName": lambda: w.pick("prod", "two words", "a & b"),
        "ContainerInstance.instanceType": type_name,
        "ContainerInstance.count": lambda: count(w, 1, 1, 2, 3, 5, 8),
        "ContainerInstance.availabilityZone": zone,
        "ContainerInstance.availabilityZones": zones,
        "ContainerInstance.attributes": attributes,
        "ContainerInstance.capacityProviderName": group_provider,
        "ContainerInstance.agentVersion": lambda: w.pick("1.98.0", "1.40.1", 1.5),
        "ContainerInstance.registeredAt": lambda: w.pick("2026-01-01T00:00:00Z", "2026-02-03T04:05:06+01:00"),
        "ContainerInstance.subnetId": lambda: w.draw.choice(sorted(w.subnets)) if w.subnets else LEAVE_OUT,
        "ContainerInstance.gpuMemory": size,
        "ContainerInstance.reservedMemory": lambda: w.pick(0, 32, 256, 1024),
        "ContainerInstance.reservedPorts": ports,
        "ContainerInstance.reservedUdpPorts": ports,
        "ContainerInstance.ec2InstanceId": lambda: f"i-{w.draw.randrange(1 << 24):06x}",
        "ContainerInstance.status": lambda: w.pick("ACTIVE", "ACTIVE", "DRAINING", "REGISTERING", "DEREGISTERING", "REGISTRATION_FAILED", "INACTIVE"),
        "ContainerInstance.agentConnected": lambda: w.often(0.8),
        "RegisteredResources.CPU": lambda: w.pick(0, 1, 1024, 2048, 4096, 16384),
        "RegisteredResources.MEMORY": lambda: w.pick(1, 512, 3900, 7800, 31000),
        "RegisteredResources.GPU": lambda: w.pick(0, 1, 4, 8),
        "Attribute.name": lambda: w.draw.choice(ATTRIBUTES),
        "PlacementConstraint": lambda: {"type": "distinctInstance"} if w.often(0.3) else {"type": "memberOf", "expression": w.expression()},
        "CapacityProviderStrategyItem.capacityProvider": provider,
        "CapacityProviderStrategyItem.base": lambda: w.pick(0, 1, 2),
        "CapacityProviderStrategyItem.weight": lambda: w.pick(0, 1, 1, 3, 100),
        "NetworkConfiguration.awsvpcConfiguration.subnets": subnets,
        "ResourceRequirement": lambda: gpu_requirement(w),
        "ContainerOverride.name": lambda: "c0",
        "ContainerOverride.cpu": lambda: w.pick(0, 128, 1024),
        "ContainerOverride.memory": lambda: w.pick(64, 512, 4096),
        "ContainerOverride.memoryReservation": lambda: w.pick(4, 32),
        "TaskOverride.cpu": lambda: w.pick("256", "1024", "2 vCPU"),
        "TaskOverride.memory": lambda: w.pick("512", "2048", "4 GB"),
        "DeploymentConfiguration.minimumHealthyPercent": lambda: w.pick(0, 50, 66, 100),
        "DeploymentConfiguration.maximumPercent": lambda: w.pick(100, 150, 200, 200),
        "Cluster.containerInstances count": lambda: w.pick(0, 1, 1, 2, 2, 3) if w.often(0.1) else w.pick(1, 1, 2, 2, 3),
        "tasks count": lambda: w.pick(1, 1, 2, 3),
        "DeploymentConfiguration.alarms.alarmNames": lambda: w.draw.sample(ALARMS, 1),
        "DeploymentConfiguration.lifecycleHooks.lifecycleStages": lambda: [w.pick("PRE_SCALE_UP", "POST_SCALE_UP", "POST_TEST_TRAFFIC_SHIFT", "POST_PRODUCTION_TRAFFIC_SHIFT")],
        "DeploymentConfiguration.bakeTimeInMinutes": lambda: w.pick(0, 1, 10),
        "Service.serviceName": next_or(w.next_service),
        "Service.taskDefinition": w.reference,
        "Service.launchType": lambda: "EC2",
        "Service.desiredCount": lambda: count(w, 0, 1, 1, 2, 3, 5, 12),
        "Service.healthCheckGracePeriodSeconds": lambda: w.pick(0, 60, 600),
        "Service.loadBalancers": lambda: [{"containerName": "c0", "containerPort": 80, "targetGroupArn": "arn:aws:elasticloadbalancing:us-east-1:111122223333:targetgroup/t/0123456789abcdef"}],
        "Service.startDelay": when_timed(duration),
        "Service.duration": when_timed(duration),
        "ServiceUpdate.service": service,
        "ServiceUpdate.taskDefinition": w.reference,
        "ServiceUpdate.desiredCount": lambda: count(w, 0, 1, 2, 5, 12),
        "TaskRun.taskDefinition": w.reference,
        "TaskRun.launchType": lambda: "EC2",
        "TaskRun.count": lambda: count(w, 1, 1, 2, 3, 7, 20),
        "TaskRun.group": lambda: w.pick("family:web", "night", "service:s1", "g 1"),
        "TaskRun.startAt": when_timed(duration),
        "TaskRun.duration": when_timed(duration),
        "TaskRun.startDelay": when_timed(duration),
        "TaskRun.every": when_timed(lambda: w.pick("20m", "1h30m", "1d")),
        "Event.every": lambda: w.pick("20m", "1h30m", "1d"),
        "events": lambda: LEAVE_OUT,
        "Event.drain": w.instance,
        "Event.terminate": w.instance,
        "Event.loseAvailabilityZone": lambda: w.draw.choice(w.used_zones or w.zones),
        "Event.stopTask": lambda: w.pick(f"{w.reference()}#1", f"{w.reference()}#*", "*"),
        "TaskProtection.tasks": lambda: w.pick("*", *(f"{name}#{which}" for name in w.services for which in "1*")),
        "Event.stopServiceDeployment": service,
        "Event.interruptSpotInstances": lambda: w.pick(w.instance(), w.pool(), "*"),
        "Event.recommendRebalance": lambda: w.pick(w.instance(), w.pool(), "*"),
        "Event.raiseAlarm": lambda: w.draw.choice(w.alarms or ALARMS),
        "AutoScalingGroup.instanceTypes": lambda: w.draw.sample(w.types, w.pick(1, 1, min(2, len(w.types)))),
        "AutoScalingGroup.minSize": lambda: w.pick(0, 0, 1, 2),
        "AutoScalingGroup.maxSize": lambda: w.pick(0, 2, 4, 10),
        "AutoScalingGroup.availabilityZones": zones,
        "AutoScalingGroup.subnets": subnets,
        "AutoScalingGroup.attributes": attributes,
        "AutoScalingGroup.agentVersion": lambda: w.pick("1.98.0", 1.5),
        "AutoScalingGroup.reservedMemory": lambda: w.pick(0, 256),
        "AutoScalingGroup.reservedPorts": ports,
        "AutoScalingGroup.reservedUdpPorts": ports,
        "ManagedScaling.targetCapacity": lambda: w.pick(1, 50, 80, 100),
        "ManagedScaling.maximumScalingStepSize": lambda: w.pick(1, 10, 10000),
        "ManagedScaling.instanceWarmupPeriod": lambda: w.pick(0, 60, 300),
        "ManagedScaling.status": lambda: w.pick("ENABLED", "ENABLED", "DISABLED"),
        "NumberRange": lambda: w.pick({"min": 0}, {"min": 1, "max": 64}, {"max": 100000}),
        "InstanceRequirements.vCpuCount": lambda: w.pick({"min": 1}, {"min": 2, "max": 16}),
        "InstanceRequirements.memoryMiB": lambda: w.pick({"min": 1024}, {"min": 2048, "max": 70000}),
        "InstanceRequirements.allowedInstanceTypes": lambda: [w.pick("m5.*", "c5.*", "c6i.*", "g4dn.*")],
        "InstanceRequirements.excludedInstanceTypes": lambda: [w.pick("m5.metal", "t*")],
        "InstanceRequirements.acceleratorNames": lambda: [w.pick("t4", "a10g", "v100")],
        "CapacityProvider.name": next_or(w.next_provider),
        "CapacityProvider.availabilityZones": zones,
        "ManagedInstancesProvider.infrastructureOptimization.scaleInAfter": lambda: w.pick(-1, 0, 60, 3600),
        "ManagedInstancesProvider.instanceLaunchTemplate.networkConfiguration.subnets": subnets,
        "InstanceType.instanceType": next_or(w.next_type),
        "InstanceType.hourlyPrice": lambda: w.pick(0, 0.05, 0.81, 2.5),
        "InstanceType.maxNetworkInterfaces": lambda: w.pick(1, 3, 15),
        "Commitment.instanceFamily": lambda: w.pick("m5", "c5", "c6a"),
        "Commitment.instanceType": type_name,
        "Commitment.discount": lambda: w.pick("28%", 0.4, "0.1", 0),
        "Commitment.hourlyPrice": lambda: w.pick(0.03, 0.5),
        "Commitment.hourlyCommitment": lambda: w.pick(0.1, 0.5, 5),
        "Commitment.instanceCount": lambda: w.pick(0, 1, 4),
        "Extras.rootVolume.volumeType": lambda: w.pick("gp3", "gp2"),
        "Extras.rootVolume.volumeSize": lambda: w.pick(1, 30, 100),
        "Extras.rootVolume.pricePerGbMonth": lambda: w.pick(0, 0.08),
        "Extras.publicIpv4.perInstance": lambda: w.pick(0, 1, 2),
        "Extras.publicIpv4.count": lambda: w.pick(0, 2),
        "Extras.publicIpv4.hourlyPrice": lambda: w.pick(0, 0.005),
        "Variant.lose-az": texts(lambda: w.draw.choice(w.used_zones or w.zones)),
        "Variant.drain": texts(w.instance),
        "Variant.terminate": texts(w.instance),
        "Variant.add": pairs(type_name, lambda: w.pick(1, 2)),
        "Variant.remove": pairs(type_name, lambda: 1),
        "Variant.replace": pairs(type_name, lambda: w.pick("m5.xlarge", "c5.xlarge", "g4dn.xlarge")),
        "Variant.scale": pairs(lambda: w.draw.choice(w.replicas() or w.families), lambda: w.pick(0, 1, 5)),
        "Variant.deploy": lambda: f"{w.draw.choice(w.replicas())}={w.reference()}" if w.replicas() else LEAVE_OUT,
        "Variant.strategy": texts(w.strategy_text),
        "Variant.placement-strategy": lambda: w.pick("type=binpack,field=memory", "type=spread,field=instanceId"),
        "settings.policy": lambda: LEAVE_OUT if w.has_time or not w.takes_policy or w.often(0.7) else w.pick("best-fit", "worst-fit", "first-fit", "dot-product", "gpu-packing", "gpu-clustering", "fgd", "random"),
        "settings.whenFull": when_timed(lambda: w.pick("fail", "wait")),
        "settings.timing.endlessAfter": lambda: w.pick("2h", "24h"),
        "settings.timing.scaleOutDataPoints": lambda: w.pick(1, 2, 5),
        "settings.timing.scaleInDataPoints": lambda: w.pick(1, 15),
        "settings.timing.provisioningLimit": lambda: w.pick(1, 3, 500),
        "own types": lambda: own,
    }


def scenario_finish(w):
    """Definition of the schema -> function that makes the keys of a drawn object go together, as ECS and the loader ask."""
    def without(drawn, *names):
        return {name: value for name, value in drawn.items() if name not in names}

    def instance(drawn):
        if "availabilityZones" in drawn or "subnetId" in drawn:
            drawn = without(drawn, "availabilityZone") if "availabilityZones" in drawn else drawn
        if "subnetId" in drawn:
            drawn = {**without(drawn, "availabilityZones"), "availabilityZone": w.subnets[drawn["subnetId"]]}
        if "ec2InstanceId" in drawn:
            drawn["count"] = 1
        if w.has_spot and w.often(0.7):
            drawn["instanceLifecycle"] = "spot"
        if drawn.get("instanceLifecycle") == "spot":
            w.pools += [f"{drawn['instanceType']}@{zone}" for zone in drawn.get("availabilityZones", [drawn.get("availabilityZone", w.zones[0])])]
        else:
            drawn = without(drawn, "spotInstanceDraining")
        w.used_zones += drawn.get("availabilityZones", [drawn["availabilityZone"]] if "availabilityZone" in drawn else [])
        if "ec2InstanceId" in drawn:
            w.unnamed += 1
        else:
            w.instances[drawn["instanceType"]] = w.instances.get(drawn["instanceType"], 0) + drawn.get("count", 1)
        return drawn

    def strategy(drawn):
        return {"type": "random"} if drawn["type"] == "random" else {**drawn, "field": w.draw.choice(FIELDS[drawn["type"]])}

    def providers_of(drawn):
        items = [one for one in drawn.get("capacityProviderStrategy", []) if "capacityProvider" in one]
        items = list({one["capacityProvider"]: one for one in items}.values())
        if any(w.kinds[one["capacityProvider"]] == "managed" for one in items):
            items = [one for one in items if w.kinds[one["capacityProvider"]] == "managed"]
        for number, one in enumerate(items):
            if number:
                one.pop("base", None)
        if items and all(not one.get("weight") for one in items):
            items[0]["weight"] = 1
        drawn = without(drawn, "capacityProviderStrategy")
        return {**without(drawn, "launchType"), "capacityProviderStrategy": items} if items else drawn

    def constraints(drawn):
        seen = list({str(one): one for one in drawn.get("placementConstraints", [])}.values())[:10]
        return {**drawn, "placementConstraints": seen} if "placementConstraints" in drawn else drawn

    def deployment(drawn):
        least, most = drawn.get("minimumHealthyPercent", 100), drawn.get("maximumPercent", 200)
        if least >= most and least >= 100:
            drawn["maximumPercent"] = 200
        kind = drawn.get("strategy", "ROLLING")
        for key, name in (("linearConfiguration", "LINEAR"), ("canaryConfiguration", "CANARY")):
            if key in drawn and w.often(0.8):
                kind = drawn["strategy"] = name
        if kind == "ROLLING" and "lifecycleHooks" in drawn and w.often(0.5):
            kind = drawn["strategy"] = "BLUE_GREEN"
        if kind != "LINEAR":
            drawn = without(drawn, "linearConfiguration")
        if kind != "CANARY":
            drawn = without(drawn, "canaryConfiguration")
        if kind == "ROLLING":
            drawn = without(drawn, "bakeTimeInMinutes", "lifecycleHooks") if w.often(0.7) else drawn
        else:
            drawn = without(drawn, "earlySuccessCriteria", "deploymentCircuitBreaker")
        if "alarms" in drawn:
            drawn["alarms"] = {"alarmNames": w.draw.sample(ALARMS, 1), "enable": True, "rollback": True, **drawn["alarms"]}
            w.alarms += drawn["alarms"]["alarmNames"] if drawn["alarms"]["enable"] else []
        return drawn

    def service(drawn):
        drawn = constraints(providers_of(drawn))
        if drawn.get("serviceName") in w.daemons or drawn.get("schedulingStrategy") == "DAEMON":
            drawn = {**without(drawn, "desiredCount", "placementStrategy", "availabilityZoneRebalancing", "capacityProviderStrategy", "duration"), "schedulingStrategy": "DAEMON"}
            drawn["placementConstraints"] = [one for one in drawn.get("placementConstraints", []) if one["type"] != "distinctInstance"]
            w.daemons.add(drawn.get("serviceName"))
            if "deploymentConfiguration" in drawn:
                drawn["deploymentConfiguration"] = {"minimumHealthyPercent": 0, "maximumPercent": 100}
        else:
            drawn.setdefault("desiredCount", 1)
            if "placementStrategy" in drawn:
                drawn["placementStrategy"] = [one for one in drawn["placementStrategy"] if one["type"] != "random"]
        controller = drawn.get("deploymentController", {}).get("type", "ECS")
        if controller != "ECS":
            drawn = without(drawn, "deploymentConfiguration")
        if controller == "EXTERNAL" and w.often(0.8):
            drawn = without(drawn, "deploymentController")
        first = drawn.get("placementStrategy", [{}])[:1]
        if drawn.get("maximumPercent", 200) == 100 or (first and first[0].get("field") not in (None, "attribute:ecs.availability-zone")):
            drawn.setdefault("availabilityZoneRebalancing", "DISABLED")
            drawn["availabilityZoneRebalancing"] = "DISABLED"
        return drawn

    def update(drawn):
        drawn = constraints(providers_of(drawn))
        if drawn.get("service") in w.daemons:
            drawn = without(drawn, "desiredCount", "placementStrategy", "capacityProviderStrategy", "availabilityZoneRebalancing", "deploymentConfiguration", "placementConstraints")
        if any(name in drawn for name in ("startDelay", "duration", "placementStrategy", "placementConstraints", "capacityProviderStrategy")):
            drawn["forceNewDeployment"] = True
        drawn["placementStrategy"] = [one for one in drawn.get("placementStrategy", []) if one["type"] != "random"]
        return drawn if drawn["placementStrategy"] else without(drawn, "placementStrategy")

    def override(drawn):
        return drawn

    def container_override(drawn):
        if "memory" in drawn and drawn.get("memoryReservation", 0) > drawn["memory"]:
            drawn["memoryReservation"] = drawn["memory"]
        return drawn

    def group(drawn):
        if not w.has_time:
            drawn = without(drawn, "minSize", "maxSize", "bootTime", "capacityRebalance")
        else:
            drawn["maxSize"] = max(drawn.get("maxSize", 10), drawn.get("minSize", 0), sum(w.instances.values()) + w.unnamed)
        if "subnets" not in drawn:
            drawn.setdefault("availabilityZones", w.zones)
        else:
            drawn = without(drawn, "availabilityZones")
        if drawn.get("instanceLifecycle") != "spot":
            drawn = without(drawn, "spotInstanceDraining", "capacityRebalance")
        return {"instanceTypes": w.types[:1], **drawn}

    def provider(drawn):
        if not w.has_time:
            drawn = without(drawn, "managedScaling", "managedTerminationProtection", "managedDraining", "autoScalingGroupProvider")
        if w.kinds.get(drawn.get("name")) == "managed":
            drawn = without(drawn, "autoScalingGroup", "autoScalingGroupProvider", "managedScaling", "managedTerminationProtection", "managedDraining")
            return {**drawn, "managedInstancesProvider": drawn.get("managedInstancesProvider", {}), "availabilityZones": drawn.get("availabilityZones", w.zones)}
        drawn = without(drawn, "managedInstancesProvider", "availabilityZones")
        if "autoScalingGroupProvider" in drawn:
            drawn = without(drawn, "managedScaling", "managedTerminationProtection", "managedDraining")
        return drawn

    def timing(drawn):
        return without(drawn, "placementRetryDelay", "restartDelay") if "restartDelayLimit" in drawn or w.often(0.7) else drawn

    def scaling(drawn):
        if drawn.get("minimumScalingStepSize", 1) > drawn.get("maximumScalingStepSize", 10000):
            drawn["minimumScalingStepSize"] = 1
        return drawn

    def commitment(drawn):
        kind = drawn["type"]
        drawn = without(drawn, *{"COMPUTE_SP": ["instanceFamily", "instanceType", "instanceCount", "hourlyPrice"], "EC2_INSTANCE_SP": ["instanceType", "instanceCount", "hourlyPrice"],
                                 "RESERVED_INSTANCES": ["instanceFamily", "hourlyCommitment"]}[kind])
        if kind == "EC2_INSTANCE_SP":
            drawn.setdefault("instanceFamily", "m5")
        if kind == "RESERVED_INSTANCES":
            drawn.setdefault("instanceType", w.types[0])
        if "hourlyPrice" in drawn:
            return without(drawn, "discount")
        drawn.setdefault("discount", "28%")
        return drawn

    def requirements(drawn):
        return without(drawn, "excludedInstanceTypes") if "allowedInstanceTypes" in drawn else drawn

    def own_type(drawn):
        resources = drawn["registeredResources"]
        return {**drawn, "registeredResources": {**resources, "CPU": resources.get("CPU") or 4096, "MEMORY": resources.get("MEMORY", 16000)}}

    def breaker(drawn):
        return without(drawn, "rollback") if not drawn["enable"] and w.often(0.9) else drawn

    return {"ContainerInstance": instance, "PlacementStrategy": strategy, "DeploymentConfiguration": deployment, "Service": service, "ServiceUpdate": update,
            "TaskRun": lambda drawn: constraints(providers_of(drawn)), "TaskOverride": override, "ContainerOverride": container_override, "AutoScalingGroup": group,
            "CapacityProvider": provider, "ManagedScaling": scaling, "Commitment": commitment, "InstanceRequirements": requirements, "DeploymentCircuitBreaker": breaker, "settings.timing": timing, "InstanceType": own_type}


#: What `scenario` puts the cluster in place of.
CLUSTER = "cluster.json"

#: How often an optional key is there; else 0.12, and 0.03 for a key that is not read.
CHANCES = {"cluster": 0.97, "tasks": 0.6, "settings": 0.4, "region": 0.5, "spot": 0.08, "needs": 0.06, "throughput": 0.05, "load": 0.06, "commitments": 0.08, "extras": 0.08,
           "variants": 0.12, "taskDefinitions": 1.0, "subnets": 1.0, "ContainerInstance.count": 0.5, "ContainerInstance.availabilityZone": 0.5, "ContainerInstance.availabilityZones": 0.4,
           "ContainerInstance.status": 0.06, "ContainerInstance.agentConnected": 0.04, "ContainerInstance.registeredResources": 0.05, "RegisteredResources.CPU": 0.7,
           "RegisteredResources.MEMORY": 0.7, "RegisteredResources.GPU": 0.2, "ContainerInstance.capacityProviderName": 0.3, "Service.desiredCount": 0.95,
           "Service.placementStrategy": 0.5, "Service.placementConstraints": 0.25, "TaskRun.placementStrategy": 0.5, "TaskRun.placementConstraints": 0.25, "TaskRun.count": 0.6,
           "Service.capacityProviderStrategy": 0.3, "TaskRun.capacityProviderStrategy": 0.25, "Service.networkConfiguration": 0.15, "TaskRun.networkConfiguration": 0.1,
           "Service.schedulingStrategy": 0.08, "CapacityProvider.autoScalingGroup": 0.9, "CapacityProvider.managedInstancesProvider": 0.5, "CapacityProvider.managedScaling": 0.6,
           "ManagedScaling.status": 0.9, "AutoScalingGroup.minSize": 0.6, "AutoScalingGroup.maxSize": 0.8, "CapacityProviderStrategyItem.weight": 0.8,
           "NetworkConfiguration.awsvpcConfiguration": 1.0, "NetworkConfiguration.awsvpcConfiguration.subnets": 1.0, "ManagedInstancesProvider.instanceLaunchTemplate": 0.7,
           "ManagedInstancesProvider.instanceLaunchTemplate.instanceRequirements": 0.6, "TaskRun.overrides": 0.1, "ServiceUpdate.taskDefinition": 0.4, "ServiceUpdate.desiredCount": 0.5,
           "TaskRun.allOrNothing": 0.15, "TaskRun.every": 0.04, "Event.every": 0.04, "TaskRun.startAt": 0.5, "TaskRun.duration": 0.5, "Extras.rootVolume": 0.5, "Extras.publicIpv4": 0.6, "RegisteredResources": 0.5,
           "spot.interruptionFrequency": 0.7, "spot.pools": 0.4, "Commitment.discount": 0.8}


def chance(place, node):
    return CHANCES.get(place, 0.03 if "Not read" in node.get("description", "") or "not read" in node.get("description", "") else 0.12)
