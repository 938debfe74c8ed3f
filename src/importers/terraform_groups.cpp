#include "importers/infrastructure.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.hpp"
#include "importers/terraform_attributes.hpp"
#include "importers/terraform_code.hpp"
#include "importers/terraform_resources.hpp"

namespace bayplan::importers {
namespace {

using text::Value;

constexpr std::string_view kTerraformTemplate = "aws_launch_template";
constexpr std::string_view kTerraformConfiguration = "aws_launch_configuration";
/// Types of subnets, which differ in who makes them.
constexpr std::string_view kSubnet = "aws_subnet";
constexpr std::string_view kDefaultSubnet = "aws_default_subnet";

Value member(Value object, std::string_view key) {
  return object && object.is_object() ? object.find(key) : Value();
}

/// A block of which there is at most one: Terraform writes a list.
Value block(Value object, std::string_view key) {
  const Value value = member(object, key);
  return value && value.is_array() ? value.at(0) : value;
}

/// The blocks of a type: a list, or one block of code in JSON.
std::vector<Value> blocks(Value object, std::string_view key) {
  const Value value = member(object, key);
  if (!value || value.is_object()) return value ? std::vector<Value>{value} : std::vector<Value>();
  const auto children = value.children();
  return {children.begin(), children.end()};
}

/// The text of a member; empty if it is absent or unknown.
std::string written(Value object, std::string_view key) {
  const Value value = member(object, key);
  const bool is_text = value && !value.is_null() && value.kind() != text::Kind::kPlaceholder;
  return is_text ? std::string(value.text()) : std::string();
}

/// A value of code, or a part of its text, that is not known before a plan.
bool is_open(Value value) {
  return is_of_code(value) &&
         (value.kind() == text::Kind::kPlaceholder || value.text().find("${") != std::string_view::npos);
}

/// The first unknown value of code in a value; absent if there is none.
Value find_open(Value value) {
  if (!value) return {};
  if (!value.is_object() && !value.is_array()) return is_open(value) ? value : Value();
  for (const Value child : value.children()) {
    if (const Value found = find_open(child)) return found;
  }
  return {};
}

/// A line of user data that is unknown as a whole may set anything.
bool has_unknown_line(std::string_view user_data) {
  for (const auto line : split(user_data, '\n')) {
    const auto words = trim(line);
    if (words.starts_with("${") && words.ends_with("}")) return true;
  }
  return false;
}

/// Reads resources in turn. Its state is the index of all resources and the zones of subnets, which links are resolved
/// by.
class TerraformGroups {
 public:
  explicit TerraformGroups(std::vector<TerraformResource> resources) : resources_(std::move(resources)) {}

  Infrastructure read_plan(Value root) && {
    result_.file_kind = root.find("planned_values") ? "plan" : "state";
    const Value providers = member(member(root, "configuration"), "provider_config");
    const Value expressions = member(member(providers, "aws"), "expressions");
    result_.region = written(member(expressions, "region"), "constant_value");
    // Zones of subnets, those of data sources too.
    for (const std::string_view key : {"planned_values", "prior_state", "values"}) {
      const Value state = member(root, key);
      const Value values = member(state, "values") ? member(state, "values") : state;
      read_module(member(values, "root_module"), 0);
    }
    return std::move(*this).read();
  }

  Infrastructure read_code(const std::string& region) && {
    result_.file_kind = "Terraform code";
    result_.region = region;
    return std::move(*this).read();
  }

 private:
  Infrastructure read() && {
    for (const auto& resource : resources_) add_subnet(resource.values);
    for (const auto& resource : resources_) add(resource);
    join_providers();
    return std::move(result_);
  }

  void read_module(Value module, int depth) {
    constexpr int kDeepest = 100;
    if (!module || depth > kDeepest) return;
    if (const Value resources = member(module, "resources")) {
      for (const Value resource : resources.children()) {
        const auto type = written(resource, "type");
        if (type == kSubnet || type == kDefaultSubnet) add_subnet(member(resource, "values"));
      }
    }
    if (const Value children = member(module, "child_modules")) {
      for (const Value child : children.children()) read_module(child, depth + 1);
    }
  }

  void add_subnet(Value values) {
    const std::string id = written(values, "id");
    const std::string zone = written(values, "availability_zone");
    if (id.starts_with("subnet-") && !zone.empty()) zone_of_subnet_.emplace(id, zone);
  }

  void add(const TerraformResource& resource) {
    if (resource.type == "aws_ecs_cluster") add_cluster(resource);
    if (resource.type == "aws_ecs_capacity_provider") add_provider(resource);
    if (resource.type == "aws_ecs_service") result_.services.push_back(resource.address);
    if (resource.type == "aws_autoscaling_group") add_group(resource, group_of(resource));
    if (resource.type == "aws_instance") add_group(resource, instance_of(resource));
  }

  void add_group(const TerraformResource& resource, DeclaredGroup group) {
    if (const Value count = resource.unknown_count)
      group.unknown_count =
          Fact{.at = count, .expression = std::string(count.text()), .help = variable_option(count.text())};
    result_.groups.push_back(std::move(group));
  }

  /// What reports name as the resource: in a plan the object around its attributes.
  static Value node_of(const TerraformResource& resource) {
    return is_of_code(resource.values) ? resource.values : resource.values.parent();
  }

  // ---- values and links

  /// Nothing for what is not set, and for what the provider fills in though the configuration does not set it.
  static Fact fact(const TerraformResource& resource, std::string_view key) {
    return resource.may_set(key) ? fact(resource.values, resource.unknown, key) : Fact{};
  }

  static Fact fact(Value values, Value unknown, std::string_view key) {
    const Value later = member(unknown, key);
    if (is_unknown(later)) return {.at = later, .expression = std::string(kKnownAfterApply)};
    const Value value = member(values, key);
    if (is_unset(value)) return {};
    if (is_open(value))
      return {.at = value, .expression = std::string(value.text()), .help = variable_option(value.text())};
    return {.at = value, .text = std::string(value.text()), .is_known = true};
  }

  /// The resources of a type that an attribute means: by its id, ARN or name, else by the configuration.
  std::vector<const TerraformResource*> meant(const TerraformResource& from, std::string_view attribute,
                                              std::string_view type, const std::vector<std::string>& texts) const {
    std::vector<const TerraformResource*> found;
    for (const auto& one : resources_) {
      if (one.type != type) continue;
      for (const std::string_view key : {"id", "arn", "name"}) {
        const std::string own = written(one.values, key);
        if (!own.empty() && std::find(texts.begin(), texts.end(), own) != texts.end()) {
          found.push_back(&one);
          break;
        }
      }
    }
    if (!found.empty()) return found;
    const auto references = from.references.find(attribute);
    if (references == from.references.end()) return {};
    for (const auto& reference : references->second) add_meant(reference, type, found);
    return found;
  }

  void add_meant(std::string_view reference, std::string_view type,
                 std::vector<const TerraformResource*>& found) const {
    for (const auto& one : resources_) {
      const bool is_new = std::find(found.begin(), found.end(), &one) == found.end();
      const bool is_wanted = one.type == type || (type == kSubnet && one.type == kDefaultSubnet);
      if (is_wanted && is_new && is_meant(reference, one)) found.push_back(&one);
    }
  }

  const TerraformResource* only(const TerraformResource& from, std::string_view attribute, std::string_view type,
                                const std::vector<std::string>& texts) const {
    const auto found = meant(from, attribute, type, texts);
    return found.size() == 1 ? found.front() : nullptr;
  }

  // ---- clusters and providers

  void add_cluster(const TerraformResource& resource) {
    DeclaredCluster cluster{
        .name = resource.address, .cluster_name = written(resource.values, "name"), .node = node_of(resource)};
    add_providers_of(resource.values, cluster);
    result_.clusters.push_back(std::move(cluster));
  }

  void add_providers_of(Value values, DeclaredCluster& cluster) const {
    if (const Value names = member(values, "capacity_providers")) {
      for (const Value name : names.children()) cluster.providers.push_back(provider_named(name));
    }
    for (const Value share : blocks(values, "default_capacity_provider_strategy")) {
      cluster.default_strategy.push_back({provider_named(member(share, "capacity_provider")),
                                          to_integer(written(share, "base")).value_or(0),
                                          to_integer(written(share, "weight")).value_or(0)});
    }
  }

  /// The name of a provider, or the address of the one that code refers to; empty for an unknown name.
  std::string provider_named(Value name) const {
    std::vector<const TerraformResource*> found;
    for (const auto& reference : resources_in_code(name)) add_meant(reference, "aws_ecs_capacity_provider", found);
    if (found.size() == 1) return found.front()->address;
    const bool is_text = name && !name.is_null() && name.kind() != text::Kind::kPlaceholder;
    return is_text ? std::string(name.text()) : std::string();
  }

  void join_providers() {
    for (const auto& resource : resources_) {
      if (resource.type != "aws_ecs_cluster_capacity_providers") continue;
      const auto* meant = only(resource, "cluster_name", "aws_ecs_cluster", {written(resource.values, "cluster_name")});
      if (meant == nullptr) continue;
      for (auto& cluster : result_.clusters) {
        if (cluster.name != meant->address) continue;
        add_providers_of(resource.values, cluster);
        for (const auto* provider : this->meant(resource, "capacity_providers", "aws_ecs_capacity_provider", {}))
          cluster.providers.push_back(provider->address);
      }
    }
  }

  void add_provider(const TerraformResource& resource) {
    DeclaredProvider provider{.name = resource.address, .provider_name = written(resource.values, "name")};
    const Value own = block(resource.values, "auto_scaling_group_provider");
    const auto* group = only(resource, "auto_scaling_group_provider", "aws_autoscaling_group",
                             {written(own, "auto_scaling_group_arn")});
    if (group != nullptr) provider.group = group->address;
    // Code refers to a provider whose name is unknown by its address.
    if (provider.provider_name.empty()) provider.provider_name = resource.address;
    provider.scales = written(block(own, "managed_scaling"), "status") == "ENABLED";
    provider.is_managed_instances = !is_unset(member(resource.values, "managed_instances_provider"));
    result_.providers.push_back(std::move(provider));
  }

  // ---- instances

  DeclaredGroup group_of(const TerraformResource& resource) {
    DeclaredGroup group{.name = resource.address, .node = node_of(resource)};
    group.desired_key = "desired_capacity";
    group.minimum_key = "min_size";
    group.desired = fact(resource, group.desired_key);
    group.minimum = fact(resource, group.minimum_key);
    group.zones = zones_of_group(resource);
    if (const Value mixed = block(resource.values, "mixed_instances_policy")) {
      add_mixed(resource, mixed, group);
    } else if (const Value launch = block(resource.values, "launch_template")) {
      add_launch(resource, "launch_template", kTerraformTemplate, {written(launch, "id"), written(launch, "name")},
                 group);
    } else {
      add_launch(resource, "launch_configuration", kTerraformConfiguration,
                 {written(resource.values, "launch_configuration")}, group);
    }
    return group;
  }

  DeclaredGroup instance_of(const TerraformResource& resource) {
    DeclaredGroup group{.name = resource.address, .node = node_of(resource), .is_instance = true};
    group.zones = zones_of_instance(resource);
    if (const Value launch = block(resource.values, "launch_template"))
      add_launch(resource, "launch_template", kTerraformTemplate, {written(launch, "id"), written(launch, "name")},
                 group);
    if (const auto type = fact(resource, "instance_type")) {
      group.launch_choices = {{type, {}}};
      group.unknown_launch.reset();
    }
    read_user_data(resource, group);
    return group;
  }

  void add_launch(const TerraformResource& from, std::string_view attribute, std::string_view type,
                  const std::vector<std::string>& texts, DeclaredGroup& group) {
    const auto* launch = only(from, attribute, type, texts);
    if (launch == nullptr) {
      const Value at = member(from.values, attribute);
      std::string said;
      for (const auto& text : texts) said = said.empty() ? text : said;
      const Value open = find_open(at);
      group.unknown_launch = Fact{.at = at ? at : from.values,
                                  .expression = !said.empty() ? said
                                                : open        ? std::string(open.text())
                                                              : std::string(kKnownAfterApply)};
      return;
    }
    if (const auto instance_type = fact(*launch, "instance_type")) group.launch_choices = {{instance_type, {}}};
    group.chooses_by_requirements |= !is_unset(member(launch->values, "instance_requirements"));
    read_user_data(*launch, group);
  }

  void add_mixed(const TerraformResource& from, Value mixed, DeclaredGroup& group) {
    const Value policy = block(mixed, "launch_template");
    const Value specification = block(policy, "launch_template_specification");
    add_launch(from, "mixed_instances_policy", kTerraformTemplate,
               {written(specification, "launch_template_id"), written(specification, "launch_template_name")}, group);
    std::vector<LaunchChoice> overrides;
    for (const Value one : blocks(policy, "override")) {
      group.chooses_by_requirements |= !is_unset(member(one, "instance_requirements"));
      if (is_open(one))  // blocks of `dynamic` that are unknown
        overrides.push_back(
            {{.at = one, .expression = std::string(one.text()), .help = variable_option(one.text())}, {}});
      if (const auto type = fact(one, {}, "instance_type"))
        overrides.push_back({type, fact(one, {}, "weighted_capacity")});
    }
    if (overrides.empty()) return;
    group.launch_choices = std::move(overrides);
    if (group.unknown_launch) group.has_unread_user_data = true;
    group.unknown_launch.reset();
  }

  /// A template and an instance may both have some; what is read last wins, as it does for the instance.
  void read_user_data(const TerraformResource& holder, DeclaredGroup& group) {
    std::vector<std::string> texts;
    for (const std::string_view key : {"user_data", "user_data_base64"}) {
      const auto data = fact(holder, key);
      if (!data) continue;
      // Older providers keep the hash of user data, forty hex digits, not the text.
      const bool is_hash =
          data.text.size() == 40 && data.text.find_first_not_of("0123456789abcdef") == std::string::npos;
      // The text of code is read although parts of it are unknown: most of it sets nothing of the agent.
      const bool is_text = data.is_known || (is_open(data.at) && data.at.is_string());
      if (is_text && !is_hash) texts.push_back(plain_user_data(data.at.text()));
      if (!is_text || is_hash || (is_open(data.at) && has_unknown_line(data.at.text())))
        group.has_unread_user_data = true;
      for (const auto* cluster : meant(holder, key, "aws_ecs_cluster", {})) {
        const bool is_new = std::find(group.clusters_referred.begin(), group.clusters_referred.end(),
                                      cluster->address) == group.clusters_referred.end();
        if (is_new) group.clusters_referred.push_back(cluster->address);
      }
    }
    if (!texts.empty()) group.agent = read_agent_settings(texts);
    // What the text says is nearer than what the configuration refers to.
    if (group.agent.cluster && !is_left_open(*group.agent.cluster)) group.clusters_referred.clear();
  }

  // ---- zones

  std::vector<GroupZone> zones_of_group(const TerraformResource& resource) const {
    std::vector<GroupZone> zones;
    if (is_of_code(resource.values)) {
      const Value subnets = member(resource.values, "vpc_zone_identifier");
      const Value named = member(resource.values, "availability_zones");
      add_zones_of_code(is_unset(subnets) ? named : subnets, zones);
      return zones;
    }
    const auto named = list_texts(resource, "availability_zones");
    const auto subnets = list_texts(resource, "vpc_zone_identifier");
    for (const auto& id : subnets) zones.push_back(zone_of(id));
    if (zones.empty()) {
      for (const auto* subnet : meant(resource, "vpc_zone_identifier", kSubnet, {}))
        zones.push_back(zone_of_resource(*subnet));
    }
    if (zones.empty()) {
      for (const auto& zone : named) zones.push_back({zone, {}});
    }
    if (zones.empty() && is_unknown(member(resource.unknown, "vpc_zone_identifier")))
      zones.push_back({{}, std::string(kKnownAfterApply)});
    return zones;
  }

  /// `list`: of zones or subnets.
  void add_zones_of_code(Value list, std::vector<GroupZone>& zones) const {
    if (!list || list.is_null()) return;
    if (list.is_array()) {
      for (const Value one : list.children()) add_zones_of_code(one, zones);
      return;
    }
    const std::string text(list.text());
    if (!is_open(list)) return zones.push_back(text.starts_with("subnet-") ? zone_of(text) : GroupZone{text, {}});
    std::vector<const TerraformResource*> subnets;
    for (const auto& reference : resources_in_code(list)) add_meant(reference, kSubnet, subnets);
    for (const auto* subnet : subnets) zones.push_back(zone_of_resource(*subnet));
    if (subnets.empty()) zones.push_back({{}, text});
  }

  std::vector<GroupZone> zones_of_instance(const TerraformResource& resource) const {
    if (is_of_code(resource.values)) {
      std::vector<GroupZone> zones;
      const Value zone = member(resource.values, "availability_zone");
      add_zones_of_code(is_unset(zone) ? member(resource.values, "subnet_id") : zone, zones);
      return zones;
    }
    if (const auto zone = written(resource.values, "availability_zone"); !zone.empty()) return {{zone, {}}};
    const auto id = written(resource.values, "subnet_id");
    if (!id.empty()) return {zone_of(id)};
    const auto* subnet = only(resource, "subnet_id", kSubnet, {});
    if (subnet != nullptr) return {zone_of_resource(*subnet)};
    return {};
  }

  static std::vector<std::string> list_texts(const TerraformResource& resource, std::string_view key) {
    std::vector<std::string> texts;
    const Value list = resource.may_set(key) ? member(resource.values, key) : Value();
    if (!list || !list.is_array()) return texts;
    for (const Value one : list.children()) {
      if (!one.is_null()) texts.emplace_back(one.text());
    }
    return texts;
  }

  GroupZone zone_of(const std::string& subnet) const {
    const auto found = zone_of_subnet_.find(subnet);
    return found == zone_of_subnet_.end() ? GroupZone{{}, subnet} : GroupZone{found->second, {}};
  }

  static GroupZone zone_of_resource(const TerraformResource& subnet) {
    const Value given = member(subnet.values, "availability_zone");
    const auto zone = written(subnet.values, "availability_zone");
    return zone.empty() || is_open(given) ? GroupZone{{}, subnet.address} : GroupZone{zone, {}};
  }

  std::vector<TerraformResource> resources_;
  Infrastructure result_;
  std::map<std::string, std::string> zone_of_subnet_;
};

}  // namespace

Infrastructure infrastructure_of_plan(const text::Document& document) {
  const Value root = document.root();
  if (!root || !root.is_object()) return {};
  return TerraformGroups(cluster_resources(root)).read_plan(root);
}

Infrastructure infrastructure_of_code(const std::vector<const text::Document*>& files, const std::string& region) {
  std::vector<TerraformResource> resources;
  for (const auto* file : files) {
    for (auto& resource : cluster_resources(file->root())) resources.push_back(std::move(resource));
  }
  return TerraformGroups(std::move(resources)).read_code(region);
}

}  // namespace bayplan::importers
