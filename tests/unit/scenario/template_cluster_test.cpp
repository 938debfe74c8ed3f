// CloudFormation templates and Terraform plans as clusters.
#include <algorithm>

#include "scenario/loaded.hpp"

namespace template_cluster_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;
using test::load_texts;
using test::Loaded;
using test::placed_message;
using test::scenario_of;

namespace {

using Lines = std::vector<std::string>;

constexpr const char* kTask = R"({"family": "web", "containerDefinitions": [
  {"name": "main", "image": "x:1", "cpu": 1, "memory": 1, "essential": true}]})";

std::unique_ptr<Loaded> load(const std::string& name, const std::string& text,
                             importers::ParameterValues parameters = {}, const std::string& cluster = {},
                             std::optional<std::string> region = "us-east-2") {
  ScenarioRequest request;
  request.cluster = cluster.empty() ? name : cluster;
  request.parameters = std::move(parameters);
  request.tasks = {"web.json=1"};
  request.region = std::move(region);
  return load_texts(request, {{name, text}, {"web.json", kTask}});
}

std::unique_ptr<Loaded> load_template(const std::string& text, importers::ParameterValues parameters = {},
                                      const std::string& cluster = {}) {
  return load("cluster.yaml", text, std::move(parameters), cluster);
}

Lines errors_of(const Loaded& loaded) {
  Lines lines;
  for (const auto& error : loaded.result.errors) lines.push_back(placed_message(error));
  return lines;
}

/// "c5.large#1 us-east-2a line 7 stack=gpu"
Lines instances_of(const Loaded& loaded) {
  const auto& scenario = scenario_of(loaded);
  Lines lines;
  for (const auto& instance : scenario.instances) {
    const auto& profile = scenario.profiles[instance.profile];
    std::string line = instance.id + " " + (profile.availability_zone.empty() ? "-" : profile.availability_zone) +
                       " line " + std::to_string(profile.origin.line);
    if (!profile.capacity_provider_name.empty()) line += " of " + profile.capacity_provider_name;
    for (const auto& [name, value] : profile.attributes) {
      if (!name.starts_with("ecs.")) line += " " + name + "=" + value;
    }
    lines.push_back(line);
  }
  return lines;
}

Lines collect_assumptions(const Loaded& loaded) {
  Lines lines;
  for (const auto& one : scenario_of(loaded).assumptions) {
    const bool is_ours = one.id != "memory-estimated" && one.id != "random-seed" && one.id != "current-agent" &&
                         one.id != "revision-counted";
    if (is_ours) lines.push_back(one.id + " (" + one.subject + "): " + one.text);
  }
  return lines;
}

/// A template with one group, `group` being more of its properties and `launch` those of its launch template.
std::string one_group(const std::string& group, const std::string& launch, const std::string& more = "") {
  return "Resources:\n"
         "  Prod: {Type: AWS::ECS::Cluster}\n"
         "  Web:\n"
         "    Type: AWS::AutoScaling::AutoScalingGroup\n"
         "    Properties:\n"
         "      LaunchTemplate: {LaunchTemplateId: !Ref Launch, Version: '1'}\n" +
         group +
         "  Launch:\n"
         "    Type: AWS::EC2::LaunchTemplate\n"
         "    Properties:\n"
         "      LaunchTemplateData:\n" +
         launch + more;
}

constexpr const char* kJoins =
    "        UserData: {'Fn::Base64': !Sub 'echo ECS_CLUSTER=${Prod} >> /etc/ecs/ecs.config'}\n";
constexpr const char* kTwo =
    "      DesiredCapacity: 2\n      MinSize: 1\n      AvailabilityZones: [us-east-2a, us-east-2b]\n";

}  // namespace

TEST_CASE("a group is as many instances as its desired capacity, dealt to its zones", "[placement][template]") {
  const auto loaded = load_template(one_group(kTwo, std::string("        InstanceType: c5.large\n") + kJoins));
  CHECK(instances_of(*loaded) == Lines{"c5.large#1 us-east-2a line 3", "c5.large#2 us-east-2b line 3"});
  CHECK(scenario_of(*loaded).cluster_name == "Prod");
  CHECK(
      collect_assumptions(*loaded) ==
      Lines{"group-size (Prod): groups have their desired number of instances, spread evenly over their zones: Web 2"});
}

TEST_CASE("without a desired capacity the least size counts", "[placement][template]") {
  const auto loaded =
      load_template(one_group("      MinSize: '3'\n      MaxSize: 9\n      AvailabilityZones: [us-east-2a]\n",
                              std::string("        InstanceType: c5.large\n") + kJoins));
  CHECK(instances_of(*loaded).size() == 3);
  CHECK(collect_assumptions(*loaded) ==
        Lines{"group-size (Prod): groups have their desired number of instances, spread evenly over "
              "their zones: Web 3 (MinSize)"});
}

TEST_CASE("an empty group has no instances and needs no type", "[placement][template]") {
  const auto loaded = load_template(one_group("      DesiredCapacity: 0\n", "        InstanceType: !Ref Unknown\n"));
  CHECK(instances_of(*loaded).empty());
}

TEST_CASE("parameters say types and sizes", "[placement][template]") {
  const std::string text =
      "Parameters:\n"
      "  Type: {Type: String}\n"
      "  Count: {Type: Number, Default: 1}\n" +
      one_group("      DesiredCapacity: !Ref Count\n      AvailabilityZones: [us-east-2a]\n",
                std::string("        InstanceType: !Ref Type\n") + kJoins);
  CHECK(instances_of(*load_template(text, {{"Type", "p3.8xlarge"}, {"Count", "2"}})) ==
        Lines{"p3.8xlarge#1 us-east-2a line 6", "p3.8xlarge#2 us-east-2a line 6"});
  CHECK(errors_of(*load_template(text)) ==
        Lines{"16:28: the instance type of Web is unknown: !Ref Type (--param Type=VALUE)"});
  CHECK(errors_of(*load_template(text, {{"Type", "p3.8xlarge"}, {"Count", "many"}})) ==
        Lines{"10:29: invalid DesiredCapacity 'many' of Web (must be a number between 0 and 1000000)"});
  const auto unknown = load_template(text, {{"Type", "p3.9xlarge"}});  // a template's type is skipped with a note
  CHECK(errors_of(*unknown).empty());
  REQUIRE(scenario_of(*unknown).findings.size() == 1);
  CHECK(scenario_of(*unknown).findings[0].id == "instance-type-unknown");
  CHECK(scenario_of(*unknown).findings[0].subject == "p3.9xlarge");
  CHECK(errors_of(*load_template(text, {{"Typ", "p3.8xlarge"}}))[0] ==
        "0:0: --param Typ: the template has no such parameter (did you mean Type?)");
  CHECK(errors_of(*load_template(text, {{"Zone", "p3.8xlarge"}}))[0].starts_with(
      "0:0: --param Zone: the template has no such parameter (its parameters are "));
  CHECK(errors_of(*load_template("Resources: {Web: {Type: 'AWS::ECS::Cluster'}}\n", {{"Type", "x"}}))[0] ==
        "0:0: --param Type: the template has no such parameter (it has no parameters)");
}

TEST_CASE("a condition that needs a parameter is asked for it", "[placement][template]") {
  const std::string text =
      "Parameters: {Stage: {Type: String}}\n"
      "Conditions: {IsProduction: !Equals [!Ref Stage, production]}\n" +
      one_group(kTwo, std::string("        InstanceType: !If [IsProduction, c5.4xlarge, c5.large]\n") + kJoins);
  CHECK(errors_of(*load_template(text))[0].ends_with("(--param Stage=VALUE)"));
  CHECK(instances_of(*load_template(text, {{"Stage", "production"}}))[0].starts_with("c5.4xlarge#1"));
  CHECK(instances_of(*load_template(text, {{"Stage", "test"}}))[0].starts_with("c5.large#1"));
}

TEST_CASE("resources whose condition is false are not there", "[placement][template]") {
  const std::string text =
      "Parameters: {Gpu: {Type: String, Default: 'no'}}\n"
      "Conditions: {HasGpu: !Equals [!Ref Gpu, 'yes']}\n" +
      one_group(std::string(kTwo) + "    Condition: HasGpu\n",
                std::string("        InstanceType: c5.large\n") + kJoins);
  CHECK(errors_of(*load_template(text))[0] ==
        "4:9: this template creates no container instances with these parameters: Web (condition HasGpu is false) "
        "(--param NAME=VALUE changes the parameters of a condition)");
  CHECK(instances_of(*load_template(text, {{"Gpu", "yes"}})).size() == 2);
}

TEST_CASE("subnets say the zones, those of Fn::GetAZs by their order", "[placement][template]") {
  const std::string subnets =
      "  A: {Type: AWS::EC2::Subnet, Properties: {AvailabilityZone: !Select [0, !GetAZs '']}}\n"
      "  B: {Type: AWS::EC2::Subnet, Properties: {AvailabilityZone: {'Fn::Select': ['1', {'Fn::GetAZs': {Ref: "
      "'AWS::Region'}}]}}}\n"
      "  C: {Type: AWS::EC2::Subnet, Properties: {AvailabilityZone: !Sub '${AWS::Region}a'}}\n";
  const auto loaded =
      load_template(one_group("      DesiredCapacity: 3\n      VPCZoneIdentifier: [!Ref A, !Ref B, !Ref C]\n",
                              std::string("        InstanceType: c5.large\n") + kJoins, subnets));
  CHECK(instances_of(*loaded) ==
        Lines{"c5.large#1 us-east-2a line 3", "c5.large#2 us-east-2b line 3", "c5.large#3 us-east-2a line 3"});
  CHECK(collect_assumptions(*loaded).back() ==
        "zones-by-order (Prod): Fn::GetAZs is resolved when the stack is created; us-east-2a and us-east-2b are "
        "assumed to be the first zones of the region");
  const auto zones = [&](const std::string& list) {
    const auto in_zones = load_template(one_group(
        "      DesiredCapacity: 2\n      " + list + "\n", std::string("        InstanceType: c5.large\n") + kJoins,
        "  A: {Type: AWS::EC2::Subnet, Properties: {AvailabilityZone: us-east-2c}}\n"
        "  B: {Type: AWS::EC2::Subnet, Properties: {AvailabilityZone: us-east-2a}}\n"));
    return instances_of(*in_zones);
  };
  const Lines in_both{"c5.large#1 us-east-2c line 3", "c5.large#2 us-east-2a line 3"};
  CHECK(zones("VPCZoneIdentifier: [!Ref A, !Ref B]") == in_both);
  CHECK(zones("VPCZoneIdentifier: [!Join [',', [!Ref A, !Ref B]]]") == in_both);
  CHECK(zones("VPCZoneIdentifier: [!Sub '${A},${B}']") == in_both);
  CHECK(zones("AvailabilityZones: [!GetAtt A.AvailabilityZone, !GetAtt B.AvailabilityZone]") == in_both);
  const auto all = load_template(one_group("      DesiredCapacity: 4\n      AvailabilityZones: !GetAZs us-west-2\n",
                                           std::string("        InstanceType: c5.large\n") + kJoins));
  CHECK(instances_of(*all)[2] == "c5.large#3 us-west-2c line 3");
  CHECK(instances_of(*all)[3] == "c5.large#4 us-west-2a line 3");
}

TEST_CASE("a region that nobody states is taken and said", "[placement][template]") {
  const std::string text = one_group("      DesiredCapacity: 1\n      AvailabilityZones: [!Sub '${AWS::Region}b']\n",
                                     std::string("        InstanceType: c5.large\n") + kJoins);
  const auto loaded = load("cluster.yaml", text, {}, {}, std::nullopt);
  CHECK(instances_of(*loaded)[0] == "c5.large#1 us-east-1b line 3");
  CHECK(collect_assumptions(*loaded)[0] ==
        "region-taken (us-east-1): the template depends on its region: us-east-1 is taken, --region names another");
  const auto said = load("cluster.yaml", text, {{"AWS::Region", "eu-west-1"}}, {}, std::nullopt);
  CHECK(instances_of(*said)[0] == "c5.large#1 eu-west-1b line 3");
  CHECK(scenario_of(*said).region == "eu-west-1");
  CHECK(collect_assumptions(*said).size() == 1);
}

TEST_CASE("zones that are not known have no name", "[placement][template]") {
  const std::string text = "Parameters: {Subnets: {Type: 'List<AWS::EC2::Subnet::Id>'}}\n" +
                           one_group("      DesiredCapacity: 2\n      VPCZoneIdentifier: !Ref Subnets\n",
                                     std::string("        InstanceType: c5.large\n") + kJoins);
  const auto loaded = load_template(text);
  CHECK(instances_of(*loaded)[1] == "c5.large#2 - line 4");
  CHECK(collect_assumptions(*loaded)[1] ==
        "zones-not-known (Web): the zones of Web are unknown (!Ref Subnets); its instances are in one unnamed zone");
}

TEST_CASE("a scenario names the zones of subnets", "[placement][template]") {
  const std::string text =
      "Parameters: {Subnets: {Type: 'List<AWS::EC2::Subnet::Id>', Default: 'subnet-1, subnet-2'}}\n" +
      one_group("      DesiredCapacity: 2\n      VPCZoneIdentifier: !Ref Subnets\n",
                std::string("        InstanceType: c5.large\n") + kJoins);
  const auto loaded = load_texts({.scenario = "s/s.yaml"}, {{"s/cluster.yaml", text},
                                                            {"s/web.json", kTask},
                                                            {"s/s.yaml",
                                                             "cluster: cluster.yaml#Prod\ntaskDefinitions: [web.json]\n"
                                                             "subnets: {subnet-1: us-east-1a, subnet-2: us-east-1c}\n"
                                                             "tasks: [{taskDefinition: web}]\n"}});
  CHECK(instances_of(*loaded) == Lines{"c5.large#1 us-east-1a line 4", "c5.large#2 us-east-1c line 4"});
}

TEST_CASE("user data tells what the agent is told", "[placement][template]") {
  const auto loaded =
      load_template(one_group(kTwo,
                              "        InstanceType: c5.large\n"
                              "        UserData:\n"
                              "          Fn::Base64: !Sub |\n"
                              "            #!/bin/bash\n"
                              "            # ECS_CLUSTER=other\n"
                              "            cat <<'END' >> /etc/ecs/ecs.config\n"
                              "            ECS_CLUSTER=${Prod}\n"
                              "            ECS_INSTANCE_ATTRIBUTES={\"stack\": \"web\", \"build\": \"${Build}\"}\n"
                              "            ECS_RESERVED_MEMORY=256\n"
                              "            ECS_RESERVED_PORTS=[22, 9100]\n"
                              "            END\n"
                              "            echo ECS_RESERVED_PORTS_UDP=\"[53]\" >> /etc/ecs/ecs.config\n"));
  const auto plain = load_template(one_group(kTwo, std::string("        InstanceType: c5.large\n") + kJoins));
  CHECK(instances_of(*loaded)[0] == "c5.large#1 us-east-2a line 3 stack=web");
  const auto& profile = scenario_of(*loaded).profiles[0];
  CHECK(profile.memory == scenario_of(*plain).profiles[0].memory - 256);
  CHECK(profile.reserved_tcp_ports == std::vector<std::uint16_t>{22, 9100});
  CHECK(profile.reserved_udp_ports == std::vector<std::uint16_t>{53});
  CHECK(collect_assumptions(*loaded)[1] ==
        "user-data-unread (Web): ECS agent settings in user data are ignored where they are unknown: attribute "
        "build "
        "${Build}");
}

TEST_CASE("cloud-init and escaped quotes are read, and a driver that is switched off", "[placement][template]") {
  const auto loaded = load_template(one_group(
      kTwo, "        InstanceType: p3.2xlarge\n",
      "    Metadata:\n"
      "      AWS::CloudFormation::Init:\n"
      "        config:\n"
      "          commands:\n"
      "            01:\n"
      "              command: !Join ['', ['echo ECS_CLUSTER=', !Ref Prod, ' >> /etc/ecs/ecs.config']]\n"
      "            02:\n"
      "              command: 'echo \"ECS_INSTANCE_ATTRIBUTES={\\\"stack\\\": \\\"gpu\\\"}\" >> /etc/ecs/ecs.config'\n"
      "            03: {command: 'echo ECS_ENABLE_GPU_SUPPORT=false >> /etc/ecs/ecs.config'}\n"));
  CHECK(instances_of(*loaded)[0] == "p3.2xlarge#1 us-east-2a line 3 stack=gpu");
  CHECK(scenario_of(*loaded).profiles[0].gpu_count == 0);
}

TEST_CASE("capacity providers own groups and name their cluster", "[placement][template]") {
  const std::string providers =
      "  Spot:\n"
      "    Type: AWS::ECS::CapacityProvider\n"
      "    Properties: {Name: spot, AutoScalingGroupProvider: {AutoScalingGroupArn: !Ref Web, ManagedScaling: {Status: "
      "ENABLED}}}\n"
      "  Links:\n"
      "    Type: AWS::ECS::ClusterCapacityProviderAssociations\n"
      "    Properties:\n"
      "      Cluster: !Ref Prod\n"
      "      CapacityProviders: [!Ref Spot]\n"
      "      DefaultCapacityProviderStrategy: [{CapacityProvider: !Ref Spot, Weight: 1}]\n";
  const auto loaded = load_template(one_group(kTwo, "        InstanceType: c5.large\n", providers));
  CHECK(instances_of(*loaded)[0] == "c5.large#1 us-east-2a line 3 of spot");
  const auto& workload = scenario_of(*loaded).workloads.at(0);
  REQUIRE(workload.capacity_providers.size() == 1);
  CHECK(workload.capacity_providers[0].capacity_provider == "spot");
  CHECK(collect_assumptions(*loaded).back().starts_with("managed-scaling-not-simulated (spot)"));
}

namespace {

/// Two clusters with a group each, and one that says nothing.
std::string two_clusters() {
  return R"(Resources:
  Web: {Type: AWS::ECS::Cluster, Properties: {ClusterName: web-prod}}
  Batch: {Type: AWS::ECS::Cluster}
  Bastion: {Type: AWS::EC2::Instance, Properties: {InstanceType: t3.micro, AvailabilityZone: us-east-2a}}
  WebGroup:
    Type: AWS::AutoScaling::AutoScalingGroup
    Properties: {MinSize: 1, LaunchConfigurationName: !Ref WebLaunch, AvailabilityZones: [us-east-2a]}
  WebLaunch:
    Type: AWS::AutoScaling::LaunchConfiguration
    Properties: {InstanceType: c5.large, UserData: {'Fn::Base64': 'echo ECS_CLUSTER=web-prod > /etc/ecs/ecs.config'}}
  BatchHost:
    Type: AWS::EC2::Instance
    Properties:
      InstanceType: m5.large
      AvailabilityZone: us-east-2b
      UserData: !Base64
        Fn::Join: ['', ['ECS_CLUSTER=', !Ref Batch]]
)";
}

}  // namespace

TEST_CASE("of several clusters one has to be named", "[placement][template]") {
  CHECK(errors_of(*load_template(two_clusters())) ==
        Lines{"0:0: this template contains instances of 2 clusters: Web and Batch (select one: cluster.yaml#Web)"});
  const auto batch = load_template(two_clusters(), {}, "cluster.yaml#Batch");
  CHECK(instances_of(*batch) == Lines{"m5.large#1 us-east-2b line 11"});
  const auto web = load_template(two_clusters(), {}, "cluster.yaml#web-prod");
  CHECK(instances_of(*web) == Lines{"c5.large#1 us-east-2a line 5"});
  CHECK(scenario_of(*web).cluster_name == "web-prod");
  CHECK(collect_assumptions(*web).back() ==
        "instances-left-out (Bastion): Bastion has no ECS_CLUSTER and no capacity provider; not counted as "
        "container instances");
  CHECK(errors_of(*load_template(two_clusters(), {}, "cluster.yaml#Wob")) ==
        Lines{"0:0: no cluster 'Wob' in this template (instances join Web and Batch)"});
}

TEST_CASE("mixed instances are counted as their first type, by weight", "[placement][template]") {
  const auto loaded = load_template(R"(Resources:
  Group:
    Type: AWS::AutoScaling::AutoScalingGroup
    Properties:
      DesiredCapacity: 8
      AvailabilityZones: [us-east-2a]
      MixedInstancesPolicy:
        LaunchTemplate:
          LaunchTemplateSpecification: {LaunchTemplateId: !ImportValue launch, Version: '3'}
          Overrides: [{InstanceType: g4dn.xlarge, WeightedCapacity: '3'}, {InstanceType: g4dn.2xlarge}]
)");
  CHECK(instances_of(*loaded).size() == 3);
  const auto assumptions = collect_assumptions(*loaded);
  CHECK(std::find(assumptions.begin(), assumptions.end(),
                  "mixed-instances (Group): Group can launch g4dn.xlarge and g4dn.2xlarge; all its instances are "
                  "assumed to be g4dn.xlarge") != assumptions.end());
  CHECK(std::find(assumptions.begin(), assumptions.end(),
                  "cluster-not-stated (Group): the cluster of Group is unknown; its instances are included") !=
        assumptions.end());
}

TEST_CASE("what a group launches must be in the file", "[placement][template]") {
  const auto launched = [](const std::string& launch) {
    return errors_of(
        *load_template("Resources:\n  G:\n    Type: AWS::AutoScaling::AutoScalingGroup\n"
                       "    Properties:\n      MinSize: 1\n" +
                       launch))[0];
  };
  CHECK(
      launched("      LaunchTemplate: {LaunchTemplateId: !ImportValue launch}\n") ==
      "6:55: the launch template of G is not in this template: !ImportValue launch (describe them in a cluster file or "
      "with --instances TYPE=N@AZ)");
  CHECK(launched("      LaunchConfigurationName: other\n")
            .starts_with("6:32: the launch template of G is not in this template: other"));
  CHECK(launched("").starts_with("3:5: G has no instance type"));
  CHECK(launched("      MixedInstancesPolicy: {LaunchTemplate: {Overrides: [{InstanceRequirements: {}}]}}\n")
            .starts_with("3:5: G selects its instance types by requirements"));
}

TEST_CASE("parameters are for templates alone", "[placement][template]") {
  CHECK(errors_of(*load("c.yaml", "containerInstances: [{instanceType: c5.large}]", {{"A", "1"}})) ==
        Lines{"0:0: --param A: neither the cluster nor a task definition is from a CloudFormation template (a plan of "
              "Terraform is made with its "
              "variables: "
              "terraform plan -var NAME=VALUE)"});
  CHECK(errors_of(*load_template("Parameters: {A: {Type: String, AllowedValues: [x, y]}}\n" + one_group(kTwo, kJoins),
                                 {{"A", "z"}})) ==
        Lines{"0:0: --param A=z: the template does not allow this value (AllowedValues are x and y)"});
}

TEST_CASE("JSON templates with long functions", "[placement][template]") {
  const auto loaded = load("cluster.template.json", R"({"Resources": {
    "Prod": {"Type": "AWS::ECS::Cluster"},
    "Host": {"Type": "AWS::EC2::Instance", "Properties": {
      "InstanceType": {"Fn::FindInMap": ["Types", {"Ref": "AWS::Region"}, "type"]},
      "AvailabilityZone": {"Fn::Select": [2, {"Fn::GetAZs": ""}]},
      "UserData": {"Fn::Base64": {"Fn::Join": ["", ["ECS_CLUSTER=", {"Ref": "Prod"}, "\n"]]}}}}},
    "Mappings": {"Types": {"us-east-2": {"type": "g4dn.xlarge"}}}})");
  CHECK(instances_of(*loaded) == Lines{"g4dn.xlarge#1 us-east-2c line 3"});
}

TEST_CASE("an image without the driver of its GPUs is told, Windows is seen", "[placement][template]") {
  const auto with_image = [](const std::string& image) {
    return load_template(
        "Parameters: {Image: {Type: 'AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>', Default: " + image + "}}\n" +
        one_group(kTwo, std::string("        InstanceType: p3.2xlarge\n        ImageId: !Ref Image\n") + kJoins));
  };
  const auto plain = with_image("/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id");
  CHECK(collect_assumptions(*plain).back() ==
        "gpu-driver-missing (Web): Web launches p3.2xlarge from "
        "/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id, which has no NVIDIA driver: its GPUs "
        "count "
        "here, but ECS will see none");
  CHECK(collect_assumptions(*with_image("/aws/service/ecs/optimized-ami/amazon-linux-2/gpu/recommended/image_id"))
            .size() == 1);
  CHECK(collect_assumptions(*with_image("ami-0123456789abcdef0")).size() == 1);
  const auto windows =
      with_image("/aws/service/ami-windows-latest/Windows_Server-2022-English-Full-ECS_Optimized/image_id");
  CHECK(scenario_of(*windows).profiles[0].attributes.find("ecs.os-type")->second == "windows");
}

namespace {

std::string base64(const std::string& text) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) result += i + k > text.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
  return result;
}

std::string resource(const std::string& address, const std::string& values, const std::string& index = "") {
  const auto dot = address.find('.');
  std::string key;
  for (const char c : index) key += c == '"' ? std::string("\\\"") : std::string(1, c);
  return R"({"address": ")" + address + (index.empty() ? "" : "[" + key + "]") + R"(", "mode": "managed", "type": ")" +
         address.substr(0, dot) + R"(", "name": ")" + address.substr(dot + 1) + R"(", )" +
         (index.empty() ? "" : R"("index": )" + index + ", ") + R"("values": )" + values + "}";
}

std::string configured(const std::string& address, const std::string& expressions) {
  const auto dot = address.find('.');
  return R"({"mode": "managed", "type": ")" + address.substr(0, dot) + R"(", "name": ")" + address.substr(dot + 1) +
         R"(", "expressions": )" + expressions + "}";
}

std::string changed(const std::string& address, const std::string& unknown) {
  return R"({"address": ")" + address + R"(", "type": ")" + address.substr(0, address.find('.')) +
         R"(", "change": {"actions": ["create"], "after_unknown": )" + unknown + "}}";
}

std::string refers(const std::string& to) {
  return R"({"references": [")" + to + R"("]})";
}

/// A plan in which nothing is made yet.
std::string plan() {
  return R"({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {"resources": [)"
         "\n" +
         resource("aws_autoscaling_group.gpu", R"({"min_size": 1, "max_size": 4, "desired_capacity": 3,
            "launch_template": [{"version": "$Latest"}], "mixed_instances_policy": []})") +
         ",\n" + resource("aws_launch_template.gpu", R"({"name": "gpu", "instance_type": "g4dn.xlarge"})") + ",\n" +
         resource("aws_subnet.a", R"({"availability_zone": "eu-west-1a"})", "0") + ",\n" +
         resource("aws_subnet.a", R"({"availability_zone": "eu-west-1b"})", "1") + ",\n" +
         resource("aws_ecs_cluster.prod", R"({"name": "prod"})") + ",\n" +
         resource("aws_ecs_capacity_provider.gpu", R"({"name": "gpu-provider",
            "auto_scaling_group_provider": [{"managed_scaling": [{"status": "ENABLED"}]}]})") +
         ",\n" +
         resource("aws_ecs_cluster_capacity_providers.prod",
                  R"({"cluster_name": "prod", "capacity_providers": ["gpu-provider"],
            "default_capacity_provider_strategy": [{"base": 0, "weight": 100, "capacity_provider": "gpu-provider"}]})") +
         R"(]}}, "resource_changes": [)" +
         changed("aws_autoscaling_group.gpu", R"({"vpc_zone_identifier": true, "launch_template": [{"id": true}]})") +
         "," + changed("aws_launch_template.gpu", R"({"id": true, "user_data": true})") +
         R"(], "configuration": {"provider_config": {"aws": {"expressions": {"region": {"constant_value": "eu-west-1"}}}},
           "root_module": {"resources": [)" +
         configured("aws_autoscaling_group.gpu",
                    R"({"desired_capacity": {"constant_value": 3}, "min_size": {"constant_value": 1},
                        "vpc_zone_identifier": )" +
                        refers("aws_subnet.a") + R"(, "launch_template": [{"id": )" +
                        refers("aws_launch_template.gpu.id") + "}]}") +
         "," +
         configured("aws_launch_template.gpu", R"({"instance_type": {"constant_value": "g4dn.xlarge"}, "user_data": )" +
                                                   refers("aws_ecs_cluster.prod.name") + "}") +
         "," +
         configured("aws_ecs_capacity_provider.gpu", R"({"auto_scaling_group_provider": [{"auto_scaling_group_arn": )" +
                                                         refers("aws_autoscaling_group.gpu.arn") + "}]}") +
         "]}}}";
}

/// A state: ids are known, user data too.
std::string state() {
  const std::string data = base64(
      "#!/bin/bash\necho 'ECS_CLUSTER=prod' >> /etc/ecs/ecs.config\n"
      "echo 'ECS_INSTANCE_ATTRIBUTES={\"stack\":\"web\"}' >> /etc/ecs/ecs.config\n");
  return R"({"format_version": "1.0", "terraform_version": "1.9.0", "values": {"root_module": {"resources": [)"
         "\n" +
         resource("aws_ecs_cluster.prod", R"({"name": "prod", "id": "arn:aws:ecs:us-east-2:1:cluster/prod"})") + ",\n" +
         resource("aws_autoscaling_group.web", R"({"min_size": 1, "desired_capacity": 2, "name": "web",
            "availability_zones": ["us-east-2a", "us-east-2b"], "vpc_zone_identifier": ["subnet-0a", "subnet-0b"],
            "launch_template": [{"id": "lt-1", "name": "web", "version": "3"}]})") +
         ",\n" +
         resource("aws_launch_template.web",
                  R"({"id": "lt-1", "name": "web", "instance_type": "m5.large", "user_data": ")" + data + "\"}") +
         ",\n" +
         resource("aws_instance.bastion", R"({"instance_type": "t3.micro", "availability_zone": "us-east-2a"})") +
         R"(], "child_modules": [{"address": "module.vpc", "resources": [)" +
         resource("aws_subnet.x", R"({"id": "subnet-0a", "availability_zone": "us-east-2a"})") + "]}]}}}";
}

}  // namespace

TEST_CASE("a plan links its resources by what its configuration refers to", "[placement][template]") {
  const auto loaded = load("plan.json", plan(), {}, {}, std::nullopt);
  CHECK(instances_of(*loaded) == Lines{"g4dn.xlarge#1 eu-west-1a line 2 of gpu-provider",
                                       "g4dn.xlarge#2 eu-west-1b line 2 of gpu-provider",
                                       "g4dn.xlarge#3 eu-west-1a line 2 of gpu-provider"});
  CHECK(scenario_of(*loaded).region == "eu-west-1");
  CHECK(scenario_of(*loaded).cluster_name == "prod");
  CHECK(scenario_of(*loaded).workloads.at(0).capacity_providers.at(0).capacity_provider == "gpu-provider");
  CHECK(collect_assumptions(*loaded)[0] ==
        "group-size (prod): groups have their desired number of instances, spread evenly over their zones: "
        "aws_autoscaling_group.gpu 3");
  CHECK(collect_assumptions(*loaded)[1] ==
        "user-data-unread (aws_autoscaling_group.gpu): the user data of aws_autoscaling_group.gpu is unknown; its ECS "
        "agent "
        "settings are ignored");
}

TEST_CASE("a state links its resources by their ids", "[placement][template]") {
  const auto loaded = load("state.json", state());
  CHECK(instances_of(*loaded) == Lines{"m5.large#1 us-east-2a line 3 stack=web", "m5.large#2 - line 3 stack=web"});
  CHECK(collect_assumptions(*loaded)[1] ==
        "zones-not-known (aws_autoscaling_group.web): the zones of aws_autoscaling_group.web are unknown (subnet-0b); "
        "its "
        "instances are in one unnamed zone");
  CHECK(collect_assumptions(*loaded)[2].starts_with("instances-left-out (aws_instance.bastion)"));
  CHECK(
      errors_of(*load("state.json", state(), {{"A", "b"}}))[0].starts_with("0:0: --param A: neither the cluster nor"));
}

namespace {

constexpr const char* kCode = R"(provider "aws" {
  region = "eu-west-1"
}
resource "aws_ecs_cluster" "prod" {
  name = "prod"
}
resource "aws_subnet" "private" {
  count             = 2
  availability_zone = ["eu-west-1a", "eu-west-1b"][count.index]
}
resource "aws_autoscaling_group" "gpu" {
  min_size            = 0
  desired_capacity    = var.size
  vpc_zone_identifier = aws_subnet.private[*].id
  launch_template {
    id = aws_launch_template.gpu.id
  }
}
variable "size" {}
resource "aws_ecs_capacity_provider" "gpu" {
  name = "gpu-provider"
  auto_scaling_group_provider {
    auto_scaling_group_arn = aws_autoscaling_group.gpu.arn
  }
}
resource "aws_ecs_cluster_capacity_providers" "prod" {
  cluster_name       = aws_ecs_cluster.prod.name
  capacity_providers = [aws_ecs_capacity_provider.gpu.name]
  default_capacity_provider_strategy {
    capacity_provider = aws_ecs_capacity_provider.gpu.name
    weight            = 100
  }
}
)";

constexpr const char* kLaunch = R"(resource "aws_launch_template" "gpu" {
  instance_type = "g4dn.xlarge"
  user_data = base64encode(<<-EOT
    #!/bin/bash
    echo ECS_CLUSTER=${aws_ecs_cluster.prod.name} >> /etc/ecs/ecs.config
    echo ECS_RESERVED_MEMORY=${var.reserved} >> /etc/ecs/ecs.config
    echo 'ECS_INSTANCE_ATTRIBUTES={"stack":"gpu"}' >> /etc/ecs/ecs.config
  EOT
  )
}
variable "reserved" {}
)";

std::unique_ptr<Loaded> load_code(std::map<std::string, std::string> files,
                                  std::map<std::string, std::string, std::less<>> variables = {},
                                  const std::string& cluster = "infra") {
  ScenarioRequest request;
  request.cluster = cluster;
  request.variables = std::move(variables);
  request.tasks = {"web.json=1"};
  files.emplace("web.json", kTask);
  return load_texts(request, std::move(files));
}

}  // namespace

TEST_CASE("Terraform code links its resources by their addresses, across the files of a module",
          "[placement][template]") {
  const std::string cluster = GENERATE("infra", "infra/main.tf", "infra/launch.tf");
  const auto loaded = load_code({{"infra/main.tf", kCode}, {"infra/launch.tf", kLaunch}}, {{"size", "3"}}, cluster);
  CHECK(instances_of(*loaded) == Lines{"g4dn.xlarge#1 eu-west-1a line 11 of gpu-provider stack=gpu",
                                       "g4dn.xlarge#2 eu-west-1b line 11 of gpu-provider stack=gpu",
                                       "g4dn.xlarge#3 eu-west-1a line 11 of gpu-provider stack=gpu"});
  CHECK(scenario_of(*loaded).profiles.at(0).origin.file == "infra/main.tf");
  CHECK(scenario_of(*loaded).region == "eu-west-1");
  CHECK(scenario_of(*loaded).cluster_name == "prod");
  CHECK(scenario_of(*loaded).workloads.at(0).capacity_providers.at(0).capacity_provider == "gpu-provider");
  CHECK(
      collect_assumptions(*loaded)[1].starts_with("user-data-unread (aws_autoscaling_group.gpu): ECS agent settings in "
                                                  "user data are ignored where they are unknown: "
                                                  "ECS_RESERVED_MEMORY ${var.reserved}"));
}

namespace {

/// Three subnets with an index, two with a key, and launch templates of two types.
constexpr const char* kIndexed = R"(
variable "i" {}
resource "aws_subnet" "p" {
  count             = 3
  availability_zone = ["us-east-1a", "us-east-1b", "us-east-1c"][count.index]
}
resource "aws_subnet" "named" {
  for_each          = { x = "us-east-1d", y = "us-east-1f" }
  availability_zone = each.value
}
resource "aws_launch_template" "lt" {
  for_each      = { big = "m5.4xlarge", small = "m5.large" }
  instance_type = each.value
}
)";

/// A group in these subnets that launches from this template.
std::string group_in(const std::string& subnets, const std::string& launch_template = "lt[\"small\"]") {
  return "resource \"aws_autoscaling_group\" \"g\" {\n  min_size = 3\n  vpc_zone_identifier = " + subnets +
         "\n  launch_template {\n    id = aws_launch_template." + launch_template + ".id\n  }\n}\n";
}

/// Type and zone of each instance.
Lines places_of(const Loaded& loaded) {
  Lines places;
  for (const auto& line : instances_of(loaded)) {
    const auto type = line.substr(0, line.find('#'));
    const auto zone = line.substr(line.find(' ') + 1);
    places.push_back(type + " " + zone.substr(0, zone.find(' ')));
  }
  return places;
}

}  // namespace

TEST_CASE("an index in Terraform code means that resource, however the code leads to it", "[placement][template]") {
  const auto zones = [](const std::string& subnets, const std::string& more = "") {
    const auto loaded = load_code({{"infra/main.tf", kIndexed + group_in(subnets) + more}});
    std::string letters;
    for (const auto& place : places_of(*loaded)) letters += place == "m5.large -" ? '-' : place.back();
    return letters;
  };
  CHECK(zones("[aws_subnet.p[0].id]") == "aaa");
  CHECK(zones("[aws_subnet.p[2].id, aws_subnet.p[1].id]") == "cbc");
  CHECK(zones("[aws_subnet.named[\"y\"].id]") == "fff");
  CHECK(zones("[aws_subnet.p[local.i].id]", "locals {\n  i = 1\n}\n") == "bbb");
  CHECK(zones("aws_subnet.p[*].id") == "abc");
  CHECK(zones("aws_subnet.p.*.id") == "abc");
  CHECK(zones("aws_subnet.p[*].availability_zone") == "abc");
  CHECK(zones("[aws_subnet.p.*.id[1]]") == "bbb");
  CHECK(zones("[element(aws_subnet.p.*.id, 4)]") == "bbb");
  CHECK(zones("flatten([aws_subnet.p.*.id, [aws_subnet.named[\"x\"].id]])") == "abc");
  CHECK(zones("[for s in aws_subnet.p : s.id]") == "abc");
  CHECK(zones("[for k, s in aws_subnet.named : s.id if k == \"y\"]") == "fff");
  CHECK(zones("values(aws_subnet.named)[*].id") == "dfd");
  CHECK(zones("local.subnets", "locals {\n  subnets = [aws_subnet.p[1].id]\n}\n") == "bbb");
  CHECK(zones("[aws_default_subnet.d.id]",
              "resource \"aws_default_subnet\" \"d\" {\n  availability_zone = \"us-east-1e\"\n}\n") == "eee");
  // Which of them is meant is unknown, so the zone is.
  CHECK(zones("[aws_subnet.p[var.i].id]") == "---");
  CHECK(zones("[aws_subnet.p[0].id == \"\" ? aws_subnet.p[0].id : aws_subnet.p[1].id]") == "---");
}

TEST_CASE("subnets reach a group of Terraform code through inputs and outputs of modules", "[placement][template]") {
  const std::string net = std::string(kIndexed) + "output \"ids\" {\n  value = aws_subnet.p[*].id\n}\n" +
                          "output \"one\" {\n  value = aws_subnet.named[\"x\"]\n}\n";
  const std::string hosts = "variable \"subnets\" {}\n" + group_in("var.subnets", "t") +
                            "resource \"aws_launch_template\" \"t\" {\n  instance_type = \"m5.large\"\n}\n"
                            // The module that has the group has subnets of this name, too.
                            "resource \"aws_subnet\" \"p\" {\n  availability_zone = \"us-east-1f\"\n}\n";
  const auto places = [&](const std::string& subnets, const std::string& each = "") {
    const std::string main = "module \"net\" {\n  source = \"./net\"\n  i = 0\n}\nmodule \"hosts\" {\n  source = " +
                             ("\"./hosts\"\n" + each + "  subnets = " + subnets) + "\n}\n";
    return places_of(*load_code({{"infra/main.tf", main}, {"infra/net/net.tf", net}, {"infra/hosts/hosts.tf", hosts}}));
  };
  CHECK(places("module.net.ids") == Lines{"m5.large us-east-1a", "m5.large us-east-1b", "m5.large us-east-1c"});
  CHECK(places("[module.net.ids[2]]") == Lines(3, "m5.large us-east-1c"));
  CHECK(places("[module.net.one.id]") == Lines(3, "m5.large us-east-1d"));
  CHECK(places("[module.net.ids[count.index]]", "  count = 2\n") ==
        Lines{"m5.large us-east-1a", "m5.large us-east-1a", "m5.large us-east-1a", "m5.large us-east-1b",
              "m5.large us-east-1b", "m5.large us-east-1b"});
}

TEST_CASE("a launch template with an index is that one, also where the group has an index of its own",
          "[placement][template]") {
  const std::string groups = R"(
resource "aws_autoscaling_group" "g" {
  for_each           = { big = "small", small = "small" }
  min_size           = 1
  availability_zones = ["us-east-1a"]
  launch_template {
    id = aws_launch_template.lt[INDEX].id
  }
}
)";
  const auto types = [&](const std::string& index, const std::string& more = "") {
    std::string code = kIndexed + groups + more;
    code.replace(code.find("INDEX"), 5, index);
    return instances_of(*load_code({{"infra/main.tf", code}}));
  };
  CHECK(types("\"big\"") == Lines{"m5.4xlarge#1 us-east-1a line 16", "m5.4xlarge#2 us-east-1a line 16"});
  CHECK(types("each.key") == Lines{"m5.4xlarge#1 us-east-1a line 16", "m5.large#1 us-east-1a line 16"});
  CHECK(types("each.value") == Lines{"m5.large#1 us-east-1a line 16", "m5.large#2 us-east-1a line 16"});
  const std::string provider =
      "resource \"aws_ecs_capacity_provider\" \"small\" {\n  name = \"small\"\n  auto_scaling_group_provider {\n"
      "    auto_scaling_group_arn = aws_autoscaling_group.g[\"small\"].arn\n  }\n}\n";
  CHECK(types("each.key", provider) ==
        Lines{"m5.4xlarge#1 us-east-1a line 16", "m5.large#1 us-east-1a line 16 of small"});
}

TEST_CASE("in a plan, an index of a reference means that resource", "[placement][template]") {
  const auto group = [](const std::string& key) {
    return resource("aws_autoscaling_group.g", R"({"min_size": 1, "launch_template": [{"version": "$Latest"}]})",
                    "\"" + key + "\"");
  };
  const auto plan_with = [&](const std::string& subnets, const std::string& launch_template) {
    return R"({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {"resources": [)" +
           group("big") + "," + group("small") + "," +
           resource("aws_launch_template.lt", R"({"instance_type": "m5.4xlarge"})", "\"big\"") + "," +
           resource("aws_launch_template.lt", R"({"instance_type": "m5.large"})", "\"small\"") + "," +
           resource("aws_subnet.p", R"({"availability_zone": "us-east-1a"})", "0") + "," +
           resource("aws_subnet.p", R"({"availability_zone": "us-east-1b"})", "1") +
           R"(]}}, "resource_changes": [], "configuration": {"root_module": {"resources": [)" +
           configured("aws_autoscaling_group.g", R"({"min_size": {}, "vpc_zone_identifier": {"references": )" +
                                                     subnets + R"(}, "launch_template": [{"id": {"references": )" +
                                                     launch_template + "}}]}") +
           "," + configured("aws_launch_template.lt", R"({"instance_type": {"references": ["each.value"]}})") + "]}}}";
  };
  const auto places = [&](const std::string& subnets, const std::string& launch_template) {
    return places_of(*load("plan.json", plan_with(subnets, launch_template)));
  };
  const std::string own = R"(["aws_launch_template.lt", "each.key"])";
  const std::string big =
      R"(["aws_launch_template.lt[\"big\"].id", "aws_launch_template.lt[\"big\"]", "aws_launch_template.lt"])";
  const std::string second = R"(["aws_subnet.p[1].id", "aws_subnet.p[1]", "aws_subnet.p"])";
  CHECK(places(second, own) == Lines{"m5.4xlarge us-east-1b", "m5.large us-east-1b"});
  CHECK(places(second, big) == Lines{"m5.4xlarge us-east-1b", "m5.4xlarge us-east-1b"});
  CHECK(places(R"(["aws_subnet.p[1].id", "aws_subnet.p[1]", "aws_subnet.p", "aws_subnet.p"])", big) ==
        Lines{"m5.4xlarge us-east-1b", "m5.4xlarge us-east-1b"});
  // The index is unknown, and so is which of the launch templates is meant.
  const auto refused = load("plan.json", plan_with(second, R"(["aws_launch_template.lt", "each.value"])"));
  CHECK(errors_of(*refused).size() == 2);
}

TEST_CASE("what Terraform code leaves open is an error with the option that settles it", "[placement][template]") {
  const auto errors = [](const std::string& code, std::map<std::string, std::string, std::less<>> variables = {}) {
    return errors_of(*load_code({{"infra/main.tf", code}}, std::move(variables)));
  };
  CHECK(errors(std::string(kCode) + kLaunch) ==
        Lines{"13:25: desired_capacity of aws_autoscaling_group.gpu is unknown: var.size (--var size=VALUE)"});
  const std::string instance =
      "resource \"aws_instance\" \"a\" {\n  count = var.n\n  instance_type = \"m5.large\"\n}\n";
  const std::string variable = "variable \"n\" {}\n";
  CHECK(errors(instance + variable) ==
        Lines{"1:1: how many of aws_instance.a there are is unknown: var.n (--var n=VALUE)"});
  CHECK(errors(instance + variable, {{"n", "2"}}).empty());
  CHECK(errors("resource \"aws_instance\" \"a\" {\n  instance_type = data.x.y.type\n}\n") ==
        Lines{"2:19: the instance type of aws_instance.a is unknown: data.x.y.type (describe them in a cluster file or "
              "with --instances TYPE=N@AZ)"});
  CHECK(errors("resource \"aws_instance\" \"a\" {\n  instance_type = \n}\n").size() == 1);
  CHECK(errors("locals {}\n") ==
        Lines{"0:0: this Terraform code describes no container instances: no Auto Scaling group, no EC2 instance (pass "
              "the file that creates them, or use --instances TYPE=N@AZ)"});
  CHECK(errors(instance + variable, {{"n", "2"}, {"m", "1"}}) ==
        Lines{"0:0: --var m: the Terraform code declares no such variable"});
}

TEST_CASE("a variable of the root module that goes through a module is settled by its own option",
          "[placement][template]") {
  const auto errors = [](const std::string& input, const std::string& number = "var.n") {
    return errors_of(
        *load_code({{"infra/main.tf", "variable \"hosts\" {}\nmodule \"m\" {\n  source = \"./m\"\n" + input + "}\n"},
                    {"infra/m/m.tf", "variable \"n\" {}\nresource \"aws_instance\" \"a\" {\n  count = " + number +
                                         "\n  instance_type = \"m5.large\"\n}\n"}}));
  };
  const Lines settled{"2:1: how many of module.m.aws_instance.a there are is unknown: var.hosts (--var hosts=VALUE)"};
  CHECK(errors("  n = var.hosts\n") == settled);
  CHECK(errors("  n = var.hosts\n", "var.n + 1") == settled);
  CHECK(errors("  n = var.hosts\n", "var.n ? 1 : 0") == settled);
  CHECK(errors("  n = var.hosts + 1\n") == settled);
  // A variable of the module alone has no option.
  CHECK(errors("") == Lines{"2:1: how many of module.m.aws_instance.a there are is unknown: module.m.var.n (describe "
                            "them in a cluster file or with --instances TYPE=N@AZ)"});
}

TEST_CASE("the files of a module and its folder name the same task definitions", "[placement][template]") {
  const std::string definition =
      "resource \"aws_ecs_task_definition\" \"t\" {\n  family = \"t\"\n"
      "  container_definitions = jsonencode([{name = \"m\", image = \"x:1\", cpu = 1, memory = 1}])\n}\n";
  ScenarioRequest request;
  request.instances = {"m5.large=1"};
  request.definitions = {"infra"};
  request.tasks = {"infra/main.tf=1", "infra=1"};
  const auto loaded = load_texts(request, {{"infra/main.tf", definition}});
  REQUIRE(scenario_of(*loaded).task_definitions.size() == 1);
  CHECK(scenario_of(*loaded).task_definitions[0].name == "t:1");
}

TEST_CASE("modules whose code is not there are named: they may create instances", "[placement][template]") {
  const auto loaded = load_code({{"infra/main.tf",
                                  "resource \"aws_instance\" \"a\" {\n  instance_type = \"m5.large\"\n}\n"
                                  "module \"asg\" {\n  source = \"terraform-aws-modules/autoscaling/aws\"\n}\n"}});
  CHECK(collect_assumptions(*loaded)[0] ==
        "modules-not-read (infra): what these modules create is unknown and not counted: module.asg "
        "(terraform-aws-modules/autoscaling/aws)");
}

TEST_CASE("the services of Terraform code run where its instances are", "[placement][template]") {
  const std::string services =
      "resource \"aws_ecs_task_definition\" \"t\" {\n  for_each = toset([\"a\", \"b\"])\n  family = each.key\n"
      "  container_definitions = jsonencode([{name = \"m\", image = \"x:1\", cpu = 1, memory = 1, essential = "
      "true}])\n}\n"
      "resource \"aws_ecs_service\" \"s\" {\n  for_each = toset([\"a\", \"b\"])\n  name = \"svc-${each.key}\"\n"
      "  task_definition = aws_ecs_task_definition.t[each.key].arn\n  desired_count = 2\n}\n";
  ScenarioRequest request;
  request.scenario = "infra";
  request.variables = {{"size", "1"}};
  const auto loaded =
      load_texts(request, {{"infra/main.tf", kCode}, {"infra/launch.tf", kLaunch}, {"infra/services.tf", services}});
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.workloads.size() == 2);
  CHECK(scenario.workloads[0].name == "svc-a");
  CHECK(scenario.task_definitions[scenario.workloads[0].task_definition].family == "a");
  CHECK(scenario.task_definitions[scenario.workloads[1].task_definition].family == "b");
  CHECK(scenario.task_definitions[0].origin.file == "infra/services.tf#aws_ecs_task_definition.t[\"a\"]");

  const auto family_run = [&](const std::string& definition, const std::string& file = "infra/services.tf") {
    std::string named = services;
    named.replace(named.find("aws_ecs_task_definition.t[each.key].arn"), 39, definition);
    const std::string definition_in_json =
        R"({"resource": {"aws_ecs_task_definition": {"t": {"for_each": "${toset([\"a\", \"b\"])}", "family": "${each.key}",
            "container_definitions": "[{\"name\": \"m\", \"image\": \"x:1\", \"cpu\": 1, \"memory\": 1}]"}},
            "aws_ecs_service": {"s": {"name": "svc", "desired_count": 1, "task_definition": ")" +
        definition + R"("}}}})";
    const auto one = load_texts(request, {{"infra/main.tf", kCode},
                                          {"infra/launch.tf", kLaunch},
                                          {file, file.ends_with(".json") ? definition_in_json : named}});
    std::string families;
    for (const auto& workload : scenario_of(*one).workloads)
      families += scenario_of(*one).task_definitions[workload.task_definition].family;
    return families;
  };
  CHECK(family_run("aws_ecs_task_definition.t[\"b\"].arn") == "bb");
  CHECK(family_run("aws_ecs_task_definition.t[\"b\"].id") == "bb");
  CHECK(family_run("aws_ecs_task_definition.t[each.key == \"a\" ? \"b\" : \"a\"].arn") == "ba");
  CHECK(family_run("\"b:${aws_ecs_task_definition.t[\"b\"].revision}\"") == "bb");
  CHECK(family_run("local.definition\n}\nlocals {\n  definition = aws_ecs_task_definition.t[\"b\"].arn\n") == "bb");
  CHECK(family_run("${aws_ecs_task_definition.t[\\\"b\\\"].arn}", "infra/services.tf.json") == "b");

  std::string open = services;
  open.replace(open.rfind("toset"), std::string("toset([\"a\", \"b\"])").size(), "var.names");
  const auto refused = load_texts(request, {{"infra/main.tf", kCode},
                                            {"infra/launch.tf", kLaunch},
                                            {"infra/services.tf", open + "variable \"names\" {}\n"}});
  CHECK(errors_of(*refused)[0] ==
        "6:1: how many of aws_ecs_service.s there are is unknown: var.names (--var names=VALUE)");
}

TEST_CASE("damaged templates and plans are errors or clusters, never worse", "[placement][template]") {
  const std::string name = GENERATE(std::string("c.yaml"), std::string("plan.json"));
  const std::string text = name == "c.yaml" ? two_clusters() : plan();
  catalog::Catalog catalog = catalog::Catalog::load();
  std::size_t loaded = 0;
  const auto attempt = [&](const std::string& damaged) {
    const auto result = load_scenario({.cluster = name + "#Web", .tasks = {"web.json=1"}},
                                      MemoryFiles({{name, damaged}, {"web.json", kTask}}), catalog);
    CHECK(result.scenario.has_value() == result.errors.empty());
    for (const auto& error : result.errors) CHECK_FALSE(error.message.empty());
    loaded += result.scenario.has_value() ? 1 : 0;
  };
  for (std::size_t i = 0; i < text.size(); i += 23) attempt(text.substr(0, i));
  for (std::size_t i = 0; i < text.size(); i += 17) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x15);
    attempt(damaged);
  }
  if (name == "c.yaml") CHECK(loaded > 0);
}

}  // namespace template_cluster_test
