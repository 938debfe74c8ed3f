#include "importers/clusters.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "importers/infrastructure.hpp"
#include "text/document.hpp"
#include "text/read.hpp"

namespace bayplan::importers {

namespace {

/// One entry of containerInstances, as it is to be written.
struct WrittenInstances {
  const DeclaredGroup* group = nullptr;
  const Fact* instance_type = nullptr;
  text::Value counted_at;  ///< Where the count comes from.
  std::int64_t count = 1;
  std::vector<std::string> zones;
  std::string provider;
  std::map<std::string, std::string> attributes;
  std::int64_t reserved_memory = 0;
  std::optional<std::vector<std::int64_t>> tcp_ports;
  std::optional<std::vector<std::int64_t>> udp_ports;
  bool registers_no_gpu = false;
};

using text::Kind;
using text::Value;

bool is_in(const text::Document& file, Value value) {
  return &value.document().source() == &file.source();
}

/// The document of a cluster file, each part with the place in `file` that it was made from.
std::shared_ptr<const text::Document> write_cluster(const text::Document& file, std::string_view cluster_name,
                                                    const std::vector<WrittenInstances>& entries) {
  text::Builder builder(file.shared_source(), file.format());
  const auto scalar = [&](Kind kind, std::string_view text, Span place) {
    builder.scalar(kind, text::Style::kDoubleQuoted, builder.keep(std::string(text)), place);
  };
  const auto key = [&](std::string_view name, Span place) { builder.key(builder.keep(std::string(name)), place); };
  const auto open = [&](std::string_view name, Kind kind, Span place) {
    key(name, place);
    builder.open(kind, place);
  };
  const auto string = [&](std::string_view name, std::string_view text, Span place) {
    key(name, place);
    scalar(Kind::kString, text, place);
  };
  const auto integer = [&](std::string_view name, std::int64_t number, Span place) {
    key(name, place);
    scalar(Kind::kInteger, std::to_string(number), place);
  };
  const auto ports = [&](std::string_view name, const std::vector<std::int64_t>& numbers, Span place) {
    open(name, Kind::kArray, place);
    for (const auto number : numbers) scalar(Kind::kInteger, std::to_string(number), place);
    builder.close(place.end);
  };

  const Span whole = file.root().span();
  builder.open(Kind::kObject, whole);
  if (!cluster_name.empty()) string("clusterName", cluster_name, whole);
  open("containerInstances", Kind::kArray, whole);
  for (const auto& entry : entries) {
    // A resource is found by its name rather than by the first line of what it says.
    const Value resource = entry.group->node;
    const Span place = resource.key_span().length() > 0 ? resource.key_span() : resource.span();
    builder.open(Kind::kObject, place);
    // The launch template may be in another file of a module.
    const Value type = entry.instance_type->at;
    string("instanceType", entry.instance_type->text, is_in(file, type) ? type.span() : place);
    integer("count", entry.count, entry.counted_at ? entry.counted_at.span() : place);
    open("availabilityZones", Kind::kArray, place);
    for (const auto& zone : entry.zones) scalar(Kind::kString, zone, place);
    builder.close(place.end);
    if (!entry.provider.empty()) string("capacityProviderName", entry.provider, place);
    open("attributes", Kind::kObject, place);
    for (const auto& [name, value] : entry.attributes) string(name, value, place);
    builder.close(place.end);
    if (entry.reserved_memory > 0) integer("reservedMemory", entry.reserved_memory, place);
    if (entry.tcp_ports) ports("reservedPorts", *entry.tcp_ports, place);
    if (entry.udp_ports) ports("reservedUdpPorts", *entry.udp_ports, place);
    if (entry.registers_no_gpu) {
      open("registeredResources", Kind::kObject, place);
      integer("GPU", 0, place);
      builder.close(place.end);
    }
    builder.close(place.end);
  }
  builder.close(whole.end);
  builder.close(whole.end);
  return std::move(builder).finish();
}

/// How a group is tied to a cluster.
enum class Tie : std::uint8_t {
  kSaid,      ///< ECS_CLUSTER or a capacity provider of the cluster names it.
  kProvider,  ///< Only a capacity provider names it that no cluster of the file uses.
  kUnread,    ///< Its user data is not known.
  kSilent,    ///< Nothing speaks of ECS.
};

struct Membership {
  const DeclaredGroup* group = nullptr;
  std::string cluster;  ///< Name in the file, or as ECS_CLUSTER says it; of kSaid only.
  Tie tie = Tie::kSilent;
  const DeclaredProvider* provider = nullptr;
};

bool holds(const std::vector<std::string>& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

/// Finds a cluster by its name in the file or in ECS; null when the file does not declare it.
const DeclaredCluster* declared_cluster(const Infrastructure& infrastructure, std::string_view name) {
  for (const auto& cluster : infrastructure.clusters) {
    if (cluster.name == name || (!name.empty() && cluster.cluster_name == name)) return &cluster;
  }
  return nullptr;
}

std::string cluster_said(const Infrastructure& from, const DeclaredGroup& group) {
  if (group.clusters_referred.size() == 1) return group.clusters_referred.front();
  if (!group.agent.cluster || group.agent.cluster->empty()) return {};
  const std::string& said = *group.agent.cluster;
  if (const auto* cluster = declared_cluster(from, said)) return cluster->name;
  // Left open, and only one can be meant.
  if (is_left_open(said) && from.clusters.size() == 1) return from.clusters.front().name;
  return said;
}

Membership find_membership(const Infrastructure& from, const DeclaredGroup& group) {
  Membership member{.group = &group};
  const auto provider = std::find_if(from.providers.begin(), from.providers.end(),
                                     [&](const DeclaredProvider& one) { return one.group == group.name; });
  if (provider != from.providers.end()) member.provider = &*provider;
  member.cluster = cluster_said(from, group);
  if (member.cluster.empty() && member.provider != nullptr) {
    for (const auto& cluster : from.clusters) {
      if (!holds(cluster.providers, provider->name) && !holds(cluster.providers, provider->provider_name)) continue;
      member.cluster = cluster.name;
      break;
    }
  }
  member.tie = !member.cluster.empty()      ? Tie::kSaid
               : member.provider != nullptr ? Tie::kProvider
               : group.has_unread_user_data ? Tie::kUnread
                                            : Tie::kSilent;
  return member;
}

constexpr std::int64_t kMostInstances = 1'000'000;
constexpr std::string_view kHelp = "describe them in a cluster file or with --instances TYPE=N@AZ";

std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 4;
  if (words.size() <= kShown) return one_of({words.begin(), words.end()}, "and");
  std::vector<std::string> shown(words.begin(), words.begin() + kShown);
  return fmt::format("{} and {} more", join(shown, ", "), words.size() - kShown);
}

void fail(ImportedCluster& result, Value at, std::string message, std::string help) {
  result.faults.push_back({at, std::move(message), std::move(help)});
}

void assume(ImportedCluster& result, std::string id, std::string subject, std::string text) {
  result.assumptions.push_back({std::move(id), std::move(subject), std::move(text)});
}

/// The name in the file of the cluster to read, empty if it has none; nothing with a fault noted. `said`: clusters that
/// instances say they join.
std::optional<std::string> choose_cluster(const Infrastructure& from, const std::vector<std::string>& said,
                                          std::string_view wanted, std::string_view path, ImportedCluster& result) {
  if (wanted.empty() && said.size() > 1) {
    fail(result, {},
         fmt::format("this {} contains instances of {} clusters: {}", from.file_kind, said.size(), listed(said)),
         fmt::format("select one: {}#{}", path, said.front()));
    return std::nullopt;
  }
  if (wanted.empty()) {
    if (!said.empty()) return said.front();
    return from.clusters.size() == 1 ? from.clusters.front().name : std::string();
  }
  const auto* cluster = declared_cluster(from, wanted);
  std::string chosen = cluster != nullptr ? cluster->name : std::string(wanted);
  const bool is_only_one = said.empty() && cluster != nullptr && from.clusters.size() == 1;
  if (holds(said, chosen) || is_only_one) return chosen;
  fail(result, cluster != nullptr ? cluster->node : Value(),
       cluster != nullptr ? fmt::format("no instance joins the cluster {}", wanted)
                          : fmt::format("no cluster '{}' in this {}", wanted, from.file_kind),
       said.empty() ? "" : fmt::format("instances join {}", listed(said)));
  return std::nullopt;
}

/// Whether the group is part of the chosen cluster. `said`: clusters that instances say they join.
bool belongs(const Membership& member, const std::vector<std::string>& said, std::string_view chosen,
             ImportedCluster& result) {
  const std::string& name = member.group->name;
  if (member.tie == Tie::kSaid) return member.cluster == chosen;
  if (member.tie == Tie::kProvider && said.size() <= 1) return true;
  if (!said.empty() && member.tie == Tie::kSilent) {
    assume(result, "instances-left-out", name,
           fmt::format("{} has no ECS_CLUSTER and no capacity provider; not counted as container instances", name));
    return false;
  }
  if (said.size() > 1) {
    assume(result, "instances-left-out", name, fmt::format("the cluster of {} is unknown; it is excluded", name));
    return false;
  }
  assume(result, "cluster-not-stated", name,
         fmt::format("the cluster of {} is unknown; its instances are included", name));
  return true;
}

std::string unknown(std::string what, const Fact& fact) {
  return what + " is unknown" + (fact.expression.empty() ? "" : ": " + fact.expression);
}

/// Nothing with a fault noted.
std::optional<std::int64_t> size_of(const DeclaredGroup& group, ImportedCluster& result) {
  if (group.unknown_count) {
    const Fact& count = *group.unknown_count;
    fail(result, count.at, unknown(fmt::format("how many of {} there are", group.name), count),
         count.help.empty() ? std::string(kHelp) : count.help);
    return std::nullopt;
  }
  if (group.is_instance) return 1;
  const bool is_desired = static_cast<bool>(group.desired);
  const Fact& fact = is_desired ? group.desired : group.minimum;
  const auto key = is_desired ? group.desired_key : group.minimum_key;
  if (!fact) {
    fail(result, group.node, fmt::format("{} sets neither {} nor {}", group.name, group.desired_key, group.minimum_key),
         std::string(kHelp));
    return std::nullopt;
  }
  if (!fact.is_known) {
    fail(result, fact.at, unknown(fmt::format("{} of {}", key, group.name), fact),
         fact.help.empty() ? std::string(kHelp) : fact.help);
    return std::nullopt;
  }
  const auto size = to_integer(fact.text);
  if (!size || *size < 0 || *size > kMostInstances) {
    fail(result, fact.at, fmt::format("invalid {} '{}' of {}", key, fact.text, group.name),
         fmt::format("must be a number between 0 and {}", kMostInstances));
    return std::nullopt;
  }
  return size;
}

/// Null with a fault noted.
const LaunchChoice* find_launch_choice(const Infrastructure& from, const DeclaredGroup& group,
                                       ImportedCluster& result) {
  if (!group.launch_choices.empty()) {
    const auto& first = group.launch_choices.front();
    if (!first.instance_type.is_known) {
      const auto& type = first.instance_type;
      fail(result, type.at, unknown(fmt::format("the instance type of {}", group.name), type),
           type.help.empty() ? std::string(kHelp) : type.help);
      return nullptr;
    }
    if (group.launch_choices.size() > 1 || group.chooses_by_requirements) {
      std::vector<std::string> types;
      for (const auto& choice : group.launch_choices)
        types.push_back(choice.instance_type.is_known ? choice.instance_type.text : choice.instance_type.expression);
      if (group.chooses_by_requirements) types.emplace_back("others by requirements");
      assume(result, "mixed-instances", group.name,
             fmt::format("{} can launch {}; all its instances are assumed to be {}", group.name, listed(types),
                         types.front()));
    }
    return &first;
  }
  if (group.chooses_by_requirements) {
    fail(result, group.node, fmt::format("{} selects its instance types by requirements", group.name),
         std::string(kHelp));
  } else if (group.unknown_launch) {
    fail(result, group.unknown_launch->at,
         fmt::format("the launch template of {} is not in this {}: {}", group.name, from.file_kind,
                     group.unknown_launch->expression),
         std::string(kHelp));
  } else {
    fail(result, group.node, fmt::format("{} has no instance type", group.name), std::string(kHelp));
  }
  return nullptr;
}

std::vector<std::string> list_zones(const DeclaredGroup& group, std::set<std::string>& zones_used,
                                    ImportedCluster& result) {
  std::vector<std::string> zones;
  std::vector<std::string> unknown;
  for (const auto& one : group.zones) {
    if (!holds(zones, one.zone)) zones.push_back(one.zone);
    if (one.zone.empty() && !one.expression.empty() && !holds(unknown, one.expression))
      unknown.push_back(one.expression);
    if (!one.zone.empty()) zones_used.insert(one.zone);
  }
  if (zones.empty()) zones.emplace_back();
  if (std::find(zones.begin(), zones.end(), "") != zones.end()) {
    assume(result, "zones-not-known", group.name,
           fmt::format("the zones of {} are unknown{}; its instances are in one unnamed zone", group.name,
                       unknown.empty() ? "" : " (" + listed(unknown) + ")"));
  }
  return zones;
}

void leave_out(std::vector<std::string>& left_out, std::string_view setting, std::string_view value) {
  left_out.push_back(value.empty() ? std::string(setting) : fmt::format("{} {}", setting, value));
}

void read_attributes(const std::string& text, std::map<std::string, std::string>& attributes,
                     std::vector<std::string>& left_out) {
  const auto document = text::read_document(text, {.format = text::Format::kJson});
  const Value root = document->root();
  if (!root || !root.is_object() || !document->faults().empty())
    return leave_out(left_out, "ECS_INSTANCE_ATTRIBUTES", text);
  for (const Value one : root.children()) {
    if (one.is_object() || one.is_array() || is_left_open(one.text()) || is_left_open(one.key())) {
      leave_out(left_out, fmt::format("attribute {}", one.key()), one.text());
    } else {
      attributes[std::string(one.key())] = one.is_null() ? "" : std::string(one.text());
    }
  }
}

std::optional<std::vector<std::int64_t>> read_ports(std::string_view setting, const std::optional<std::string>& text,
                                                    std::vector<std::string>& left_out) {
  if (!text) return std::nullopt;
  const auto document = text::read_document(*text, {.format = text::Format::kJson});
  const Value root = document->root();
  const auto is_port = [](Value port) {
    const auto number = port.integer();
    return number && *number >= 1 && *number <= 65535;
  };
  std::vector<std::int64_t> ports;
  bool is_list = root && root.is_array();
  if (is_list) {
    for (const Value port : root.children()) {
      is_list = is_list && is_port(port);
      if (is_port(port)) ports.push_back(*port.integer());
    }
  }
  if (is_list) return ports;
  leave_out(left_out, setting, *text);
  return std::nullopt;
}

/// Sets what the settings of the ECS agent in the user data say.
void use_agent(const DeclaredGroup& group, WrittenInstances& entry, ImportedCluster& result) {
  const auto& agent = group.agent;
  std::vector<std::string> left_out;
  if (agent.is_windows) entry.attributes["ecs.os-type"] = "windows";
  if (agent.attributes) read_attributes(*agent.attributes, entry.attributes, left_out);
  if (agent.reserved_memory) {
    const auto memory = to_integer(*agent.reserved_memory);
    if (memory && *memory >= 0 && *memory <= 1'000'000'000) {
      entry.reserved_memory = *memory;
    } else {
      leave_out(left_out, "ECS_RESERVED_MEMORY", *agent.reserved_memory);
    }
  }
  entry.tcp_ports = read_ports("ECS_RESERVED_PORTS", agent.reserved_ports, left_out);
  entry.udp_ports = read_ports("ECS_RESERVED_PORTS_UDP", agent.reserved_udp_ports, left_out);
  entry.registers_no_gpu = agent.gpu_support && lower(*agent.gpu_support) == "false";
  if (!left_out.empty()) {
    assume(result, "user-data-unread", group.name,
           fmt::format("ECS agent settings in user data are ignored where they are unknown: {}", listed(left_out)));
  } else if (group.has_unread_user_data) {
    assume(result, "user-data-unread", group.name,
           fmt::format("the user data of {} is unknown; its ECS agent settings are ignored", group.name));
  }
}

/// Notes what holds of the whole file, and the capacity providers of the chosen cluster.
void add_rest(const Infrastructure& from, const DeclaredCluster* cluster, const std::string& cluster_name,
              const std::vector<WrittenInstances>& entries, const std::set<std::string>& zones_used,
              ImportedCluster& result) {
  if (from.has_macros) {
    assume(result, "macros-not-run", cluster_name,
           "resources created by a macro (Fn::ForEach ...) are unknown and not counted");
  }
  if (from.has_zones_by_order && !zones_used.empty()) {
    assume(result, "zones-by-order", cluster_name,
           fmt::format(
               "Fn::GetAZs is resolved when the stack is created; {} are assumed to be the first zones of the region",
               listed({zones_used.begin(), zones_used.end()})));
  }
  if (!from.services.empty()) {
    assume(result, "services-not-placed", cluster_name,
           fmt::format("the services of the {} ({}) are not placed; only its instances are used", from.file_kind,
                       listed(from.services)));
  }
  for (const auto& provider : from.providers) {
    const bool is_listed = cluster != nullptr && (holds(cluster->providers, provider.name) ||
                                                  holds(cluster->providers, provider.provider_name));
    const bool is_used = std::any_of(entries.begin(), entries.end(),
                                     [&](const auto& entry) { return entry.provider == provider.provider_name; });
    if (is_listed || is_used) result.providers.push_back(provider);
  }
  if (cluster == nullptr) return;
  for (auto share : cluster->default_strategy) {
    for (const auto& provider : from.providers) {
      if (share.provider == provider.name) share.provider = provider.provider_name;
    }
    if (!share.provider.empty()) result.default_strategy.push_back(std::move(share));
  }
}

}  // namespace

ImportedCluster cluster_of(const Infrastructure& from, const text::Document& file, std::string_view wanted,
                           std::string_view path) {
  ImportedCluster result;
  if (from.groups.empty() && !from.has_managed_instances() && !from.left_out.empty()) {
    fail(result, from.clusters.empty() ? Value() : from.clusters.front().node,
         fmt::format("this {} creates no container instances with these parameters: {}", from.file_kind,
                     listed(from.left_out)),
         "--param NAME=VALUE changes the parameters of a condition");
    return result;
  }
  if (from.groups.empty() && !from.has_managed_instances()) {
    fail(
        result, from.clusters.empty() ? Value() : from.clusters.front().node,
        fmt::format("this {} describes no container instances: no Auto Scaling group, no EC2 instance", from.file_kind),
        from.has_macros ? "a macro may create them; run aws cloudformation get-template --template-stage Processed"
                        : "pass the file that creates them, or use --instances TYPE=N@AZ");
    return result;
  }
  std::vector<Membership> members;
  std::vector<std::string> said;  // clusters that instances say they join
  for (const auto& group : from.groups) {
    const auto& member = members.emplace_back(find_membership(from, group));
    if (member.tie == Tie::kSaid && !holds(said, member.cluster)) said.push_back(member.cluster);
  }
  const auto chosen = choose_cluster(from, said, wanted, path, result);
  if (!chosen) return result;
  const auto* cluster = declared_cluster(from, *chosen);
  // A name that is known only when the stack is created ("${AWS::StackName}-ecs") is no reason not to place: the
  // cluster is called as the file calls it, or not at all.
  const auto is_known = [](const std::string& name) { return !name.empty() && name.find("${") == std::string::npos; };
  std::string cluster_name = is_known(*chosen) ? *chosen : "";
  if (cluster != nullptr) cluster_name = is_known(cluster->cluster_name) ? cluster->cluster_name : cluster->name;

  std::vector<WrittenInstances> entries;
  std::vector<std::string> sizes;
  std::set<std::string> zones_used;
  for (const auto& member : members) {
    const DeclaredGroup& group = *member.group;
    if (!belongs(member, said, *chosen, result)) continue;
    const auto size = size_of(group, result);
    if (!group.unknown_condition.empty()) {
      assume(result, "condition-unknown", group.name,
             fmt::format("{} depends on the condition {}, which is unknown; it is included", group.name,
                         group.unknown_condition));
    }
    const auto add_size = [&](std::int64_t count) {
      if (group.is_instance) return;
      sizes.push_back(fmt::format("{} {}", group.name, count) +
                      (group.desired ? "" : fmt::format(" ({})", group.minimum_key)));
    };
    if (size == 0) {
      add_size(0);
      continue;
    }
    const LaunchChoice* choice = find_launch_choice(from, group, result);
    if (!size || choice == nullptr) continue;
    WrittenInstances entry{.group = &group, .instance_type = &choice->instance_type};
    entry.counted_at = group.desired ? group.desired.at : group.minimum.at;
    // A group whose types have weights states its size in units of these.
    const std::int64_t weight = std::max<std::int64_t>(1, to_integer(choice->weight.text).value_or(1));
    entry.count = (*size + weight - 1) / weight;
    entry.provider = member.provider == nullptr ? "" : member.provider->provider_name;
    entry.zones = list_zones(group, zones_used, result);
    use_agent(group, entry, result);
    add_size(entry.count);
    if (!group.image.empty()) result.images.push_back({group.name, choice->instance_type.text, group.image});
    entries.push_back(std::move(entry));
  }
  if (!sizes.empty()) {
    result.assumptions.insert(
        result.assumptions.begin(),
        {"group-size", cluster_name,
         fmt::format("groups have their desired number of instances, spread evenly over their zones: {}",
                     listed(sizes))});
  }
  // Of a cluster whose instances ECS launches as tasks need them, nothing more is read.
  if (!from.groups.empty()) add_rest(from, cluster, cluster_name, entries, zones_used, result);
  if (!result.faults.empty()) return result;
  std::vector<const text::Document*> files;
  for (const auto& entry : entries) {
    const auto* own = &entry.group->node.document();
    if (std::find(files.begin(), files.end(), own) == files.end()) files.push_back(own);
  }
  if (files.empty()) files.push_back(&file);
  for (const auto* one : files) {
    std::vector<WrittenInstances> of_file;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(of_file),
                 [&](const auto& entry) { return &entry.group->node.document() == one; });
    result.documents.push_back(write_cluster(*one, cluster_name, of_file));
  }
  return result;
}

}  // namespace bayplan::importers
