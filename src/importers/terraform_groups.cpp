#include "importers/infrastructure.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "importers/terraform_attributes.hpp"
#include "importers/terraform_resources.hpp"

namespace bayplan::importers {
namespace {

using text::Value;

constexpr std::string_view kTerraformTemplate = "aws_launch_template";
constexpr std::string_view kTerraformConfiguration = "aws_launch_configuration";

Value member(Value object, std::string_view key) {
  return object && object.is_object() ? object.find(key) : Value();
}

/// A block of which there is at most one: Terraform writes a list.
Value block(Value object, std::string_view key) {
  const Value value = member(object, key);
  return value && value.is_array() ? value.at(0) : value;
}

std::string written(Value object, std::string_view key) {
  const Value value = member(object, key);
  return value && !value.is_null() ? std::string(value.text()) : std::string();
}

/// Reads resources in turn. Its state is the index of all resources and the zones of subnets, which links are resolved
/// by.
class TerraformGroups {
 public:
  explicit TerraformGroups(Value root) : root_(root), resources_(cluster_resources(root)) {}

  Infrastructure read() && {
    result_.file_kind = root_.find("planned_values") ? "plan" : "state";
    const Value providers = member(member(root_, "configuration"), "provider_config");
    const Value expressions = member(member(providers, "aws"), "expressions");
    result_.region = written(member(expressions, "region"), "constant_value");
    // Zones of subnets, those of data sources too.
    for (const std::string_view key : {"planned_values", "prior_state", "values"}) {
      const Value state = member(root_, key);
      const Value values = member(state, "values") ? member(state, "values") : state;
      read_module(member(values, "root_module"), 0);
    }
    for (const auto& resource : resources_) add_subnet(resource.values);
    for (const auto& resource : resources_) add(resource);
    join_providers();
    return std::move(result_);
  }

 private:
  void read_module(Value module, int depth) {
    constexpr int kDeepest = 100;
    if (!module || depth > kDeepest) return;
    if (const Value resources = member(module, "resources")) {
      for (const Value resource : resources.children()) {
        if (written(resource, "type") == "aws_subnet") add_subnet(member(resource, "values"));
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
    if (resource.type == "aws_autoscaling_group") result_.groups.push_back(group_of(resource));
    if (resource.type == "aws_instance") result_.groups.push_back(instance_of(resource));
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
    return {.at = value, .text = std::string(value.text()), .is_known = true};
  }

  /// The resources of a type that an attribute means: by its id, ARN or name, else by the configuration. Of counted
  /// ones the one with the same index, where there is one.
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
    for (const auto& address : references->second) {
      for (const auto& one : resources_) {
        if (one.type == type && one.plain_address == address) found.push_back(&one);
      }
    }
    return found;
  }

  const TerraformResource* only(const TerraformResource& from, std::string_view attribute, std::string_view type,
                                const std::vector<std::string>& texts) const {
    auto found = meant(from, attribute, type, texts);
    if (found.size() > 1 && from.index)
      std::erase_if(found, [&](const auto* one) { return !one->index || one->index.text() != from.index.text(); });
    return found.size() == 1 ? found.front() : nullptr;
  }

  // ---- clusters and providers

  void add_cluster(const TerraformResource& resource) {
    DeclaredCluster cluster{
        .name = resource.address, .cluster_name = written(resource.values, "name"), .node = resource.values.parent()};
    add_providers_of(resource.values, cluster);
    result_.clusters.push_back(std::move(cluster));
  }

  static void add_providers_of(Value values, DeclaredCluster& cluster) {
    if (const Value names = member(values, "capacity_providers")) {
      for (const Value name : names.children()) cluster.providers.emplace_back(name.text());
    }
    const Value strategy = member(values, "default_capacity_provider_strategy");
    if (!strategy) return;
    for (const Value share : strategy.children()) {
      cluster.default_strategy.push_back({written(share, "capacity_provider"),
                                          to_integer(written(share, "base")).value_or(0),
                                          to_integer(written(share, "weight")).value_or(0)});
    }
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
    provider.scales = written(block(own, "managed_scaling"), "status") == "ENABLED";
    provider.is_managed_instances = !is_unset(member(resource.values, "managed_instances_provider"));
    result_.providers.push_back(std::move(provider));
  }

  // ---- instances

  DeclaredGroup group_of(const TerraformResource& resource) {
    DeclaredGroup group{.name = resource.address, .node = resource.values.parent()};
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
    DeclaredGroup group{.name = resource.address, .node = resource.values.parent(), .is_instance = true};
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
      group.unknown_launch =
          Fact{.at = at ? at : from.values, .expression = said.empty() ? std::string(kKnownAfterApply) : said};
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
    if (const Value list = member(policy, "override")) {
      for (const Value one : list.children()) {
        group.chooses_by_requirements |= !is_unset(member(one, "instance_requirements"));
        if (const auto type = fact(one, {}, "instance_type"))
          overrides.push_back({type, fact(one, {}, "weighted_capacity")});
      }
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
      if (data.is_known && !is_hash) {
        texts.push_back(plain_user_data(data.text));
      } else {
        group.has_unread_user_data = true;
      }
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
    const auto named = list_texts(resource, "availability_zones");
    const auto subnets = list_texts(resource, "vpc_zone_identifier");
    for (const auto& id : subnets) zones.push_back(zone_of(id));
    if (zones.empty()) {
      for (const auto* subnet : meant(resource, "vpc_zone_identifier", "aws_subnet", {}))
        zones.push_back(zone_of_resource(*subnet));
    }
    if (zones.empty()) {
      for (const auto& zone : named) zones.push_back({zone, {}});
    }
    if (zones.empty() && is_unknown(member(resource.unknown, "vpc_zone_identifier")))
      zones.push_back({{}, std::string(kKnownAfterApply)});
    return zones;
  }

  std::vector<GroupZone> zones_of_instance(const TerraformResource& resource) const {
    if (const auto zone = written(resource.values, "availability_zone"); !zone.empty()) return {{zone, {}}};
    const auto id = written(resource.values, "subnet_id");
    if (!id.empty()) return {zone_of(id)};
    const auto* subnet = only(resource, "subnet_id", "aws_subnet", {});
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
    const auto zone = written(subnet.values, "availability_zone");
    return zone.empty() ? GroupZone{{}, subnet.address} : GroupZone{zone, {}};
  }

  Value root_;
  std::vector<TerraformResource> resources_;
  Infrastructure result_;
  std::map<std::string, std::string> zone_of_subnet_;
};

}  // namespace

Infrastructure infrastructure_of_plan(const text::Document& document) {
  const Value root = document.root();
  if (!root || !root.is_object()) return {};
  return TerraformGroups(root).read();
}

}  // namespace bayplan::importers
