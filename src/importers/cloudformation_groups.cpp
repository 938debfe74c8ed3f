
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "importers/cloudformation_evaluator.hpp"
#include "importers/cloudformation_expression.hpp"
#include "importers/cloudformation_template.hpp"
#include "importers/infrastructure.hpp"
#include "importers/missing_parameters.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

namespace {

using text::Value;

/// A member of an object; nothing where the object is none, or has no such member.
inline text::Value member(text::Value object, std::string_view key) {
  return object && object.is_object() ? object.find(key) : text::Value();
}

/// Values of a template with their expressions worked out as far as they are known.
class TemplateValues {
 public:
  TemplateValues(const Template& of, Evaluator& evaluator, const text::Document& document);

  /// The object that a value is, whatever expression wraps it; else nothing.
  text::Value object_in(text::Value value);
  text::Value find_properties(text::Value resource);
  text::Value resource_named(std::string_view logical_id) const;

  /// Nothing where the member is not there or is removed by a condition.
  Fact fact(text::Value object, std::string_view key);
  Fact fact_from(text::Value at, const Outcome& outcome);

  /// Elements of a list, with lists inside it joined; a single value is a list of one.
  std::vector<Outcome> list_elements(text::Value value);

  /// The name in the file of what a value refers to: the resource of `type` itself, or the one whose `name_key` says
  /// the same; else the text.
  std::string referred(text::Value value, std::string_view type, std::string_view name_key);
  std::string referred(const Outcome& outcome, std::string_view type, std::string_view name_key);

 private:
  const Template& template_;
  Evaluator& evaluator_;
  text::Value root_;
  MissingParameters missing_;
};

using text::Value;

std::string expression_of(Value at, const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::kUnknown && !outcome.text.empty()) return outcome.text;
  if (const auto expression = expression_in(at)) return in_short(*expression);
  return at.is_object() || at.is_array() ? "" : std::string(at.text());
}

TemplateValues::TemplateValues(const Template& of, Evaluator& evaluator, const text::Document& document)
    : template_(of), evaluator_(evaluator), root_(document.root()), missing_(of, document) {}

Value TemplateValues::object_in(Value value) {
  if (!value) return {};
  const auto outcome = evaluator_.evaluate(value);
  return outcome.kind == Outcome::Kind::kWritten && outcome.written.is_object() ? outcome.written : Value();
}

Value TemplateValues::find_properties(Value resource) {
  return resource && resource.is_object() ? object_in(resource.find("Properties")) : Value();
}

Value TemplateValues::resource_named(std::string_view logical_id) const {
  const auto& resources = template_.resources();
  const auto found = resources.find(logical_id);
  return found == resources.end() ? Value() : found->second;
}

Fact TemplateValues::fact(Value object, std::string_view key) {
  const Value value = member(object, key);
  if (!value) return {};
  const auto outcome = evaluator_.evaluate(value);
  return outcome.kind == Outcome::Kind::kRemoved ? Fact{} : fact_from(value, outcome);
}

Fact TemplateValues::fact_from(Value at, const Outcome& outcome) {
  Fact result{.at = at};
  const auto known = Evaluator::known_text(outcome);
  result.is_known = known && !trim(*known).empty();
  if (result.is_known) {
    result.text = trim(*known);
  } else {
    result.expression = expression_of(at, outcome);
    result.help = missing_.help(at);
  }
  return result;
}

std::vector<Outcome> TemplateValues::list_elements(Value value) {
  if (!value) return {};
  auto outcome = evaluator_.evaluate(value);
  if (outcome.kind == Outcome::Kind::kList) return std::move(outcome.elements);
  std::vector<Outcome> elements;
  if (outcome.kind == Outcome::Kind::kWritten && outcome.written.is_array()) {
    for (const Value element : outcome.written.children()) {
      auto one = evaluator_.evaluate(element);
      if (one.kind == Outcome::Kind::kList) {
        std::move(one.elements.begin(), one.elements.end(), std::back_inserter(elements));
      } else if (one.kind != Outcome::Kind::kRemoved) {
        elements.push_back(std::move(one));
      }
    }
  } else if (outcome.kind != Outcome::Kind::kRemoved) {
    if (outcome.kind == Outcome::Kind::kUnknown && outcome.text.empty()) outcome.text = expression_of(value, outcome);
    elements.push_back(std::move(outcome));
  }
  return elements;
}

std::string TemplateValues::referred(Value value, std::string_view type, std::string_view name_key) {
  if (!value) return {};
  const auto outcome = evaluator_.evaluate(value);
  return referred(outcome, type, name_key);
}

std::string TemplateValues::referred(const Outcome& outcome, std::string_view type, std::string_view name_key) {
  if (!outcome.resource.empty()) return std::string(outcome.resource);
  const auto known = Evaluator::known_text(outcome);
  if (!known) return {};
  for (const Value resource : root_.find("Resources").children()) {
    if (template_.type_of(resource.key()) != type) continue;
    const auto name = fact(find_properties(resource), name_key);
    if (name.is_known && name.text == *known) return std::string(resource.key());
  }
  return std::string(*known);
}

using text::Value;

constexpr std::string_view kGroup = "AWS::AutoScaling::AutoScalingGroup";
constexpr std::string_view kInstance = "AWS::EC2::Instance";
constexpr std::string_view kLaunchTemplate = "AWS::EC2::LaunchTemplate";
constexpr std::string_view kLaunchConfiguration = "AWS::AutoScaling::LaunchConfiguration";
constexpr std::string_view kSubnet = "AWS::EC2::Subnet";
constexpr std::string_view kCluster = "AWS::ECS::Cluster";
constexpr std::string_view kProvider = "AWS::ECS::CapacityProvider";
constexpr std::string_view kAssociations = "AWS::ECS::ClusterCapacityProviderAssociations";
constexpr std::string_view kService = "AWS::ECS::Service";

/// Number of a region's zones that a group takes: most regions have three (EC2 User Guide, Regions and Zones, 2026).
constexpr std::size_t kZonesOfRegion = 3;
constexpr int kDeepest = 40;

/// Reads resources in turn. Its state is the evaluator, which notes what it was asked for, and the user data at hand.
class CloudFormationGroups {
 public:
  CloudFormationGroups(const text::Document& document, const ParameterValues& parameters)
      : root_(document.root()),
        template_(document, parameters),
        evaluator_(template_),
        values_(template_, evaluator_, document) {
    evaluator_.name_zones();
  }

  Infrastructure read() && {
    result_.file_kind = "template";
    for (const Value resource : root_.find("Resources").children()) add(resource);
    result_.has_macros = has_macro(root_.find("Resources"));
    // An association may precede its cluster: all clusters are known only now.
    for (const auto& [name, properties] : associations_) {
      for (auto& cluster : result_.clusters) {
        if (cluster.name == name || cluster.cluster_name == name) add_providers_of(properties, cluster);
      }
    }
    result_.asks_for_region |= evaluator_.take_asked_for_region();
    result_.has_zones_by_order = evaluator_.has_named_zones();
    return std::move(result_);
  }

 private:
  void add(Value resource) {
    const auto type = template_.type_of(resource.key());
    std::string unknown_condition;
    const bool matters = type == kGroup || type == kInstance || type == kCluster || type == kProvider ||
                         type == kAssociations || type == kService;
    if (!matters) return;
    if (is_left_out(resource, unknown_condition)) {
      if (type == kGroup || type == kInstance)
        result_.left_out.push_back(
            fmt::format("{} (condition {} is false)", resource.key(), resource.find("Condition").text()));
      return;
    }
    if (type == kCluster) return add_cluster(resource);
    if (type == kProvider) return add_provider(resource);
    if (type == kAssociations) {
      const Value properties = values_.find_properties(resource);
      associations_.push_back({values_.referred(member(properties, "Cluster"), kCluster, "ClusterName"), properties});
      return;
    }
    if (type == kService) return result_.services.emplace_back(resource.key()), void();
    DeclaredGroup group = type == kGroup ? group_of(resource) : instance_of(resource);
    group.unknown_condition = std::move(unknown_condition);
    result_.groups.push_back(std::move(group));
  }

  bool is_left_out(Value resource, std::string& unknown_condition) {
    const Value condition = resource.find("Condition");
    if (!condition) return false;
    const auto answer = evaluator_.condition(condition.text());
    if (!answer) unknown_condition = condition.text();
    return answer == false;
  }

  // ---- clusters and providers

  void add_cluster(Value resource) {
    const Value properties = values_.find_properties(resource);
    DeclaredCluster cluster{.name = std::string(resource.key()), .cluster_name = {}, .node = resource};
    if (const Value name = member(properties, "ClusterName")) {
      const auto outcome = evaluator_.evaluate(name);
      // A part that is not known is there as `${X}`, as it does in the user data.
      cluster.cluster_name =
          Evaluator::known_text(outcome).value_or(outcome.kind == Outcome::Kind::kText ? outcome.text : "");
    }
    add_providers_of(properties, cluster);
    result_.clusters.push_back(std::move(cluster));
  }

  void add_providers_of(Value properties, DeclaredCluster& cluster) {
    for (const auto& one : values_.list_elements(member(properties, "CapacityProviders")))
      cluster.providers.push_back(values_.referred(one, kProvider, "Name"));
    for (const auto& one : values_.list_elements(member(properties, "DefaultCapacityProviderStrategy"))) {
      const Value share = one.kind == Outcome::Kind::kWritten ? one.written : Value();
      cluster.default_strategy.push_back({values_.referred(member(share, "CapacityProvider"), kProvider, "Name"),
                                          number(values_.fact(share, "Base")), number(values_.fact(share, "Weight"))});
    }
  }

  static std::int64_t number(const Fact& fact) { return std::max<std::int64_t>(0, to_integer(fact.text).value_or(0)); }

  void add_provider(Value resource) {
    const Value properties = values_.find_properties(resource);
    const Value own = values_.object_in(member(properties, "AutoScalingGroupProvider"));
    DeclaredProvider provider{.name = std::string(resource.key()), .provider_name = std::string(resource.key())};
    if (const auto name = values_.fact(properties, "Name"); name.is_known) provider.provider_name = name.text;
    provider.group = values_.referred(member(own, "AutoScalingGroupArn"), kGroup, "AutoScalingGroupName");
    const Value scaling = values_.object_in(member(own, "ManagedScaling"));
    provider.scales = values_.fact(scaling, "Status").text == "ENABLED";
    provider.is_managed_instances = static_cast<bool>(member(properties, "ManagedInstancesProvider"));
    result_.providers.push_back(std::move(provider));
  }

  // ---- instances

  DeclaredGroup group_of(Value resource) {
    DeclaredGroup group{.name = std::string(resource.key()), .node = resource};
    const Value properties = values_.find_properties(resource);
    group.desired_key = "DesiredCapacity";
    group.minimum_key = "MinSize";
    group.desired = values_.fact(properties, group.desired_key);
    group.minimum = values_.fact(properties, group.minimum_key);
    group.zones = zones_of_group(properties);
    read_metadata(resource);
    if (const Value policy = values_.object_in(member(properties, "MixedInstancesPolicy"))) {
      add_mixed(values_.object_in(member(policy, "LaunchTemplate")), group);
    } else if (const Value launch = values_.object_in(member(properties, "LaunchTemplate"))) {
      add_launch(launch_template(launch, group), group);
    } else if (const Value name = member(properties, "LaunchConfigurationName")) {
      add_launch(launched_by(name, kLaunchConfiguration, "LaunchConfigurationName", group), group);
    } else if (const Value instance = member(properties, "InstanceId")) {
      add_launch(launched_by(instance, kInstance, "", group), group);
    }
    finish(group);
    return group;
  }

  DeclaredGroup instance_of(Value resource) {
    DeclaredGroup group{.name = std::string(resource.key()), .node = resource, .is_instance = true};
    const Value properties = values_.find_properties(resource);
    group.zones = zones_of_instance(properties);
    read_metadata(resource);
    if (const Value launch = values_.object_in(member(properties, "LaunchTemplate")))
      add_launch(launch_template(launch, group), group);
    if (const auto type = values_.fact(properties, "InstanceType")) {
      group.launch_choices = {{type, {}}};
      group.unknown_launch.reset();
    }
    read_image(properties, group);
    read_user_data(properties, group);
    finish(group);
    return group;
  }

  void finish(DeclaredGroup& group) {
    group.agent = read_agent_settings(texts_);
    if (group.image.find("Windows_Server") != std::string::npos) group.agent.is_windows = true;
    texts_.clear();
    if (!group.agent.cluster) return;
    // A `${ECSCluster}` that represents what is not known: the cluster of that name, perhaps.
    const std::string_view said = *group.agent.cluster;
    for (const Value resource : root_.find("Resources").children()) {
      const bool is_said = said == resource.key() || said == "${" + std::string(resource.key()) + "}" ||
                           said.starts_with("${" + std::string(resource.key()) + ".");
      if (is_said && template_.type_of(resource.key()) == kCluster)
        group.clusters_referred = {std::string(resource.key())};
    }
  }

  /// Data of the launch template that a specification names.
  Value launch_template(Value specification, DeclaredGroup& group) {
    const Value id = member(specification, "LaunchTemplateId");
    const Value name = member(specification, "LaunchTemplateName");
    const Value named = id ? id : name;
    if (!named) return {};
    const Value properties = launched_by(named, kLaunchTemplate, "LaunchTemplateName", group);
    return values_.object_in(member(properties, "LaunchTemplateData"));
  }

  Value launched_by(Value value, std::string_view type, std::string_view name_key, DeclaredGroup& group) {
    const std::string name = values_.referred(value, type, name_key);
    const Value resource = template_.type_of(name) == type ? values_.resource_named(name) : Value();
    if (!resource) {
      group.unknown_launch = values_.fact_from(value, evaluator_.evaluate(value));
      if (group.unknown_launch->is_known) group.unknown_launch->expression = group.unknown_launch->text;
      return {};
    }
    read_metadata(resource);
    return values_.find_properties(resource);
  }

  void add_launch(Value data, DeclaredGroup& group) {
    if (!data) return;
    group.chooses_by_requirements |= static_cast<bool>(member(data, "InstanceRequirements"));
    if (const auto type = values_.fact(data, "InstanceType")) group.launch_choices = {{type, {}}};
    read_image(data, group);
    read_user_data(data, group);
  }

  /// The parameter's own text where its type makes the name of an AMI of it, as `{{resolve:ssm:NAME}}` does.
  void read_image(Value holder, DeclaredGroup& group) {
    const Value value = member(holder, "ImageId");
    if (!value) return;
    const auto expression = expression_in(value);
    const Value argument = expression && expression->is("Ref") ? expression->argument : Value();
    group.image =
        argument ? std::string(template_.text_of_parameter(argument.text())) : values_.fact(holder, "ImageId").text;
  }

  void add_mixed(Value policy, DeclaredGroup& group) {
    if (const Value launch = values_.object_in(member(policy, "LaunchTemplateSpecification")))
      add_launch(launch_template(launch, group), group);
    std::vector<LaunchChoice> overrides;
    for (const auto& one : values_.list_elements(member(policy, "Overrides"))) {
      const Value written = one.kind == Outcome::Kind::kWritten ? one.written : Value();
      group.chooses_by_requirements |= static_cast<bool>(member(written, "InstanceRequirements"));
      if (const auto type = values_.fact(written, "InstanceType"))
        overrides.push_back({type, values_.fact(written, "WeightedCapacity")});
    }
    if (overrides.empty()) return;
    group.launch_choices = std::move(overrides);
    // The overrides say the types, so that a launch template kept elsewhere hides the user data alone.
    if (group.unknown_launch) group.has_unread_user_data = true;
    group.unknown_launch.reset();
  }

  void read_user_data(Value holder, DeclaredGroup& group) {
    const Value value = member(holder, "UserData");
    if (!value) return;
    result_.asks_for_region |= evaluator_.take_asked_for_region();
    const auto outcome = evaluator_.before_base64(value);
    evaluator_.take_asked_for_region();  // a script asks for it, the instances do not depend on it
    if (outcome.kind == Outcome::Kind::kText) {
      texts_.push_back(outcome.text);
    } else if (const auto known = Evaluator::known_text(outcome)) {
      texts_.push_back(plain_user_data(*known));
    } else if (outcome.kind != Outcome::Kind::kRemoved) {
      group.has_unread_user_data = true;
    }
  }

  /// What cloud-init of CloudFormation (AWS::CloudFormation::Init) writes and runs.
  void read_metadata(Value resource) {
    result_.asks_for_region |= evaluator_.take_asked_for_region();
    collect(member(member(resource, "Metadata"), "AWS::CloudFormation::Init"), 0);
    evaluator_.take_asked_for_region();
  }

  void collect(Value value, int depth) {
    if (!value || depth > kDeepest) return;
    const auto outcome = evaluator_.evaluate(value);
    if (outcome.kind == Outcome::Kind::kText) return texts_.push_back(outcome.text), void();
    if (outcome.kind != Outcome::Kind::kWritten) return;
    const Value written = outcome.written;
    if (written.is_string()) texts_.emplace_back(written.text());
    for (const Value child : written.children()) collect(child, depth + 1);
  }

  // ---- zones

  std::vector<GroupZone> zones_of_group(Value properties) {
    if (const Value zones = member(properties, "AvailabilityZones")) {
      const auto expression = expression_in(zones);
      auto elements = values_.list_elements(zones);
      if (expression && expression->is("GetAZs") && elements.size() > kZonesOfRegion) elements.resize(kZonesOfRegion);
      std::vector<GroupZone> result;
      for (const auto& one : elements) {
        const bool is_of_subnet = template_.type_of(one.resource) == kSubnet && one.text.ends_with(".AvailabilityZone");
        result.push_back(is_of_subnet ? zone_of_subnet(one) : zone_in(one));
      }
      return result;
    }
    std::vector<GroupZone> result;
    for (const auto& one : values_.list_elements(member(properties, "VPCZoneIdentifier"))) {
      const auto known = Evaluator::known_text(one);
      if (!known && one.kind != Outcome::Kind::kText) {
        result.push_back(zone_of_subnet(one));
        continue;
      }
      // Fn::Join and Fn::Sub make a text of IDs: "subnet-1,${SubnetB}".
      for (const auto part : bayplan::split(known ? *known : std::string_view(one.text), ',')) {
        const auto id = trim(part);
        const bool is_reference = id.starts_with("${") && id.ends_with('}');
        result.push_back(is_reference ? zone_of_resource(id.substr(2, id.size() - 3), std::string(id))
                                      : GroupZone{{}, std::string(id)});
      }
    }
    return result;
  }

  std::vector<GroupZone> zones_of_instance(Value properties) {
    if (const auto zone = values_.fact(properties, "AvailabilityZone")) return {{zone.text, zone.expression}};
    Value subnet = member(properties, "SubnetId");
    if (!subnet) {
      const auto interfaces = values_.list_elements(member(properties, "NetworkInterfaces"));
      if (!interfaces.empty() && interfaces.front().kind == Outcome::Kind::kWritten)
        subnet = member(interfaces.front().written, "SubnetId");
    }
    if (!subnet) return {};
    return {zone_of_subnet(evaluator_.evaluate(subnet))};
  }

  GroupZone zone_of_subnet(const Outcome& outcome) {
    const auto known = Evaluator::known_text(outcome);
    return zone_of_resource(outcome.resource, known ? std::string(*known) : outcome.text);
  }

  /// `expression`: of a subnet that is no resource of the template.
  GroupZone zone_of_resource(std::string_view name, std::string expression) {
    if (template_.type_of(name) != kSubnet) return {{}, std::move(expression)};
    const Value properties = values_.find_properties(values_.resource_named(name));
    const Value zone = member(properties, "AvailabilityZone");
    return zone ? zone_in(evaluator_.evaluate(zone)) : GroupZone{{}, std::string(name)};
  }

  static GroupZone zone_in(const Outcome& outcome) {
    const auto known = Evaluator::known_text(outcome);
    return known ? GroupZone{std::string(trim(*known)), {}} : GroupZone{{}, outcome.text};
  }

  Value root_;
  Template template_;
  Evaluator evaluator_;
  TemplateValues values_;
  Infrastructure result_;
  std::vector<std::pair<std::string, Value>> associations_;
  std::vector<std::string> texts_;  ///< User data of the group at hand.
};

}  // namespace

Infrastructure infrastructure_of_template(const text::Document& document, const ParameterValues& parameters) {
  if (!is_cloudformation(document.root())) return {};
  return CloudFormationGroups(document, parameters).read();
}

}  // namespace bayplan::importers
