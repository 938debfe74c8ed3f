#include "importers/clusters.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
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

class ClusterWriter {
 public:
  explicit ClusterWriter(const text::Document& file) : builder_(file.shared_source(), file.format()) {}

  std::shared_ptr<const text::Document> write(Span whole, std::string_view cluster_name,
                                              const std::vector<WrittenInstances>& entries) && {
    builder_.open(Kind::kObject, whole);
    if (!cluster_name.empty()) string("clusterName", cluster_name, whole);
    open("containerInstances", Kind::kArray, whole);
    for (const auto& one : entries) entry(one);
    builder_.close(whole.end);
    builder_.close(whole.end);
    return std::move(builder_).finish();
  }

 private:
  void entry(const WrittenInstances& entry) {
    const Span place = place_of(entry.group->node);
    builder_.open(Kind::kObject, place);
    string("instanceType", entry.instance_type->text, entry.instance_type->at.span());
    integer("count", entry.count, entry.counted_at ? entry.counted_at.span() : place);
    open("availabilityZones", Kind::kArray, place);
    for (const auto& zone : entry.zones) scalar(Kind::kString, zone, place);
    builder_.close(place.end);
    if (!entry.provider.empty()) string("capacityProviderName", entry.provider, place);
    open("attributes", Kind::kObject, place);
    for (const auto& [name, value] : entry.attributes) string(name, value, place);
    builder_.close(place.end);
    if (entry.reserved_memory > 0) integer("reservedMemory", entry.reserved_memory, place);
    if (entry.tcp_ports) ports("reservedPorts", *entry.tcp_ports, place);
    if (entry.udp_ports) ports("reservedUdpPorts", *entry.udp_ports, place);
    if (entry.registers_no_gpu) {
      open("registeredResources", Kind::kObject, place);
      integer("GPU", 0, place);
      builder_.close(place.end);
    }
    builder_.close(place.end);
  }

  /// A resource is found by its name rather than by the first line of what it says.
  static Span place_of(Value resource) {
    return resource.key_span().length() > 0 ? resource.key_span() : resource.span();
  }

  void ports(std::string_view key, const std::vector<std::int64_t>& ports, Span place) {
    open(key, Kind::kArray, place);
    for (const auto port : ports) scalar(Kind::kInteger, std::to_string(port), place);
    builder_.close(place.end);
  }

  void open(std::string_view key, Kind kind, Span place) {
    builder_.key(builder_.keep(std::string(key)), place);
    builder_.open(kind, place);
  }

  void string(std::string_view key, std::string_view text, Span place) {
    builder_.key(builder_.keep(std::string(key)), place);
    scalar(Kind::kString, text, place);
  }

  void integer(std::string_view key, std::int64_t number, Span place) {
    builder_.key(builder_.keep(std::string(key)), place);
    scalar(Kind::kInteger, std::to_string(number), place);
  }

  void scalar(Kind kind, std::string_view text, Span place) {
    builder_.scalar(kind, text::Style::kDoubleQuoted, builder_.keep(std::string(text)), place);
  }

  text::Builder builder_;
};

/// The document of a cluster file, each part with the place in `file` that it was made from.
std::shared_ptr<const text::Document> write_cluster(const text::Document& file, std::string_view cluster_name,
                                                    const std::vector<WrittenInstances>& entries) {
  return ClusterWriter(file).write(file.root().span(), cluster_name, entries);
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

/// Finds a cluster by its name in the file or in ECS; null when the file does not declare it.
const DeclaredCluster* declared_cluster(const Infrastructure& infrastructure, std::string_view name);

bool holds(const std::vector<std::string>& list, const std::string& one);

std::string cluster_said(const Infrastructure& from, const DeclaredGroup& group) {
  if (group.clusters_referred.size() == 1) return group.clusters_referred.front();
  if (!group.agent.cluster || group.agent.cluster->empty()) return {};
  const std::string& said = *group.agent.cluster;
  if (const auto* cluster = declared_cluster(from, said)) return cluster->name;
  // Left open, and only one can be meant.
  if (is_left_open(said) && from.clusters.size() == 1) return from.clusters.front().name;
  return said;
}

const DeclaredProvider* find_provider(const Infrastructure& from, const DeclaredGroup& group) {
  for (const auto& provider : from.providers) {
    if (provider.group == group.name) return &provider;
  }
  return nullptr;
}

std::string cluster_with(const Infrastructure& from, const DeclaredProvider& provider) {
  for (const auto& cluster : from.clusters) {
    if (holds(cluster.providers, provider.name) || holds(cluster.providers, provider.provider_name))
      return cluster.name;
  }
  return {};
}

Membership find_membership(const Infrastructure& from, const DeclaredGroup& group) {
  Membership member{.group = &group};
  member.provider = find_provider(from, group);
  member.cluster = cluster_said(from, group);
  if (member.cluster.empty() && member.provider != nullptr) member.cluster = cluster_with(from, *member.provider);
  member.tie = !member.cluster.empty()      ? Tie::kSaid
               : member.provider != nullptr ? Tie::kProvider
               : group.has_unread_user_data ? Tie::kUnread
                                            : Tie::kSilent;
  return member;
}

bool holds(const std::vector<std::string>& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

const DeclaredCluster* declared_cluster(const Infrastructure& infrastructure, std::string_view name) {
  for (const auto& cluster : infrastructure.clusters) {
    if (cluster.name == name || (!name.empty() && cluster.cluster_name == name)) return &cluster;
  }
  return nullptr;
}

/// The membership of each group, in order.
std::vector<Membership> list_memberships(const Infrastructure& infrastructure) {
  std::vector<Membership> members;
  for (const auto& group : infrastructure.groups) members.push_back(find_membership(infrastructure, group));
  return members;
}

using text::Value;

constexpr std::int64_t kMostInstances = 1'000'000;
constexpr std::string_view kHelp = "describe them in a cluster file or with --instances TYPE=N@AZ";

std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 4;
  if (words.size() <= kShown) return one_of({words.begin(), words.end()}, "and");
  std::vector<std::string> shown(words.begin(), words.begin() + kShown);
  return fmt::format("{} and {} more", join(shown, ", "), words.size() - kShown);
}

class ClusterMaker {
 public:
  ClusterMaker(const Infrastructure& from, const text::Document& file, std::string_view path)
      : from_(from), file_(file), path_(path) {}

  ImportedCluster make(std::string_view wanted) && {
    members_ = list_memberships(from_);
    for (const auto& member : members_) {
      if (member.tie == Tie::kSaid && !holds(said_, member.cluster)) said_.push_back(member.cluster);
    }
    if (from_.groups.empty() && from_.has_managed_instances()) {
      choose(wanted);  // ECS launches what the tasks need
    } else if (from_.groups.empty()) {
      fail_without_groups();
    } else if (choose(wanted)) {
      for (const auto& member : members_) take(member);
      note_sizes();
      note_rest();
    }
    if (result_.faults.empty()) result_.document = write_cluster(file_, cluster_name(), entries_);
    return std::move(result_);
  }

 private:
  void fail(Value at, std::string message, std::string help) {
    result_.faults.push_back({at, std::move(message), std::move(help)});
  }

  void assume(std::string id, std::string subject, std::string text) {
    result_.assumptions.push_back({std::move(id), std::move(subject), std::move(text)});
  }

  // ---- which cluster

  const DeclaredCluster* declared(std::string_view name) const { return declared_cluster(from_, name); }

  void fail_without_groups() {
    fail(from_.clusters.empty() ? Value() : from_.clusters.front().node,
         fmt::format("this {} describes no container instances: no Auto Scaling group, no EC2 instance",
                     from_.file_kind),
         from_.has_macros ? "a macro may create them; run aws cloudformation get-template --template-stage Processed"
                          : "pass the file that creates them, or use --instances TYPE=N@AZ");
  }

  bool choose(std::string_view wanted) {
    const auto& names = said_;
    if (!wanted.empty()) return choose_named(wanted, names);
    if (names.size() > 1) {
      fail({},
           fmt::format("this {} contains instances of {} clusters: {}", from_.file_kind, names.size(), listed(names)),
           fmt::format("select one: {}#{}", path_, names.front()));
      return false;
    }
    if (!names.empty()) {
      chosen_ = names.front();
    } else if (from_.clusters.size() == 1) {
      chosen_ = from_.clusters.front().name;
    }
    return true;
  }

  bool choose_named(std::string_view wanted, const std::vector<std::string>& names) {
    const auto* cluster = declared(wanted);
    chosen_ = cluster != nullptr ? cluster->name : std::string(wanted);
    const bool is_only_one = names.empty() && cluster != nullptr && from_.clusters.size() == 1;
    if (holds(names, chosen_) || is_only_one) return true;
    fail(cluster != nullptr ? cluster->node : Value(),
         cluster != nullptr ? fmt::format("no instance joins the cluster {}", wanted)
                            : fmt::format("no cluster '{}' in this {}", wanted, from_.file_kind),
         names.empty() ? "" : fmt::format("instances join {}", listed(names)));
    return false;
  }

  std::string cluster_name() const {
    const auto* cluster = declared(chosen_);
    return cluster != nullptr && !cluster->cluster_name.empty() ? cluster->cluster_name : chosen_;
  }

  // ---- its instances

  void take(const Membership& member) {
    const DeclaredGroup& group = *member.group;
    if (!belongs(member)) return;
    const auto size = size_of(group);
    if (!group.unknown_condition.empty()) {
      assume("condition-unknown", group.name,
             fmt::format("{} depends on the condition {}, which is unknown; it is included", group.name,
                         group.unknown_condition));
    }
    if (size == 0) return add_size(group, 0);
    const LaunchChoice* choice = find_launch_choice(group);
    if (!size || choice == nullptr) return;
    WrittenInstances entry{.group = &group, .instance_type = &choice->instance_type};
    entry.counted_at = group.desired ? group.desired.at : group.minimum.at;
    entry.count = instances_of(*size, *choice);
    entry.provider = member.provider == nullptr ? "" : member.provider->provider_name;
    entry.zones = list_zones(group);
    use_agent(group, entry);
    add_size(group, entry.count);
    if (!group.image.empty()) result_.images.push_back({group.name, choice->instance_type.text, group.image});
    entries_.push_back(std::move(entry));
  }

  bool belongs(const Membership& member) {
    const std::string& name = member.group->name;
    if (member.tie == Tie::kSaid) return member.cluster == chosen_;
    const bool others_say = !said_.empty();
    if (member.tie == Tie::kProvider && said_.size() <= 1) return true;
    if (others_say && member.tie == Tie::kSilent) {
      assume("instances-left-out", name,
             fmt::format("{} has no ECS_CLUSTER and no capacity provider; not counted as container instances", name));
      return false;
    }
    if (said_.size() > 1) {
      assume("instances-left-out", name, fmt::format("the cluster of {} is unknown; it is excluded", name));
      return false;
    }
    assume("cluster-not-stated", name, fmt::format("the cluster of {} is unknown; its instances are included", name));
    return true;
  }

  /// Nothing with a fault noted.
  std::optional<std::int64_t> size_of(const DeclaredGroup& group) {
    if (group.is_instance) return 1;
    const bool is_desired = static_cast<bool>(group.desired);
    const Fact& fact = is_desired ? group.desired : group.minimum;
    const auto key = is_desired ? group.desired_key : group.minimum_key;
    if (!fact) {
      fail(group.node, fmt::format("{} sets neither {} nor {}", group.name, group.desired_key, group.minimum_key),
           std::string(kHelp));
      return std::nullopt;
    }
    if (!fact.is_known) {
      fail(fact.at, unknown(fmt::format("{} of {}", key, group.name), fact),
           fact.help.empty() ? std::string(kHelp) : fact.help);
      return std::nullopt;
    }
    const auto size = to_integer(fact.text);
    if (!size || *size < 0 || *size > kMostInstances) {
      fail(fact.at, fmt::format("invalid {} '{}' of {}", key, fact.text, group.name),
           fmt::format("must be a number between 0 and {}", kMostInstances));
      return std::nullopt;
    }
    return size;
  }

  static std::string unknown(std::string what, const Fact& fact) {
    return what + " is unknown" + (fact.expression.empty() ? "" : ": " + fact.expression);
  }

  /// Null with a fault noted.
  const LaunchChoice* find_launch_choice(const DeclaredGroup& group) {
    if (!group.launch_choices.empty()) {
      const auto& first = group.launch_choices.front();
      if (!first.instance_type.is_known) {
        const auto& type = first.instance_type;
        fail(type.at, unknown(fmt::format("the instance type of {}", group.name), type),
             type.help.empty() ? std::string(kHelp) : type.help);
        return nullptr;
      }
      note_choices(group);
      return &first;
    }
    if (group.chooses_by_requirements) {
      fail(group.node, fmt::format("{} selects its instance types by requirements", group.name), std::string(kHelp));
    } else if (group.unknown_launch) {
      fail(group.unknown_launch->at,
           fmt::format("the launch template of {} is not in this {}: {}", group.name, from_.file_kind,
                       group.unknown_launch->expression),
           std::string(kHelp));
    } else {
      fail(group.node, fmt::format("{} has no instance type", group.name), std::string(kHelp));
    }
    return nullptr;
  }

  void note_choices(const DeclaredGroup& group) {
    if (group.launch_choices.size() < 2 && !group.chooses_by_requirements) return;
    std::vector<std::string> types;
    for (const auto& choice : group.launch_choices)
      types.push_back(choice.instance_type.is_known ? choice.instance_type.text : choice.instance_type.expression);
    if (group.chooses_by_requirements) types.emplace_back("others by requirements");
    assume("mixed-instances", group.name,
           fmt::format("{} can launch {}; all its instances are assumed to be {}", group.name, listed(types),
                       types.front()));
  }

  /// A group counts units where its types have weights.
  static std::int64_t instances_of(std::int64_t size, const LaunchChoice& choice) {
    const std::int64_t weight = std::max<std::int64_t>(1, to_integer(choice.weight.text).value_or(1));
    return (size + weight - 1) / weight;
  }

  std::vector<std::string> list_zones(const DeclaredGroup& group) {
    std::vector<std::string> zones;
    std::vector<std::string> unknown;
    for (const auto& one : group.zones) {
      if (!holds(zones, one.zone)) zones.push_back(one.zone);
      if (one.zone.empty() && !one.expression.empty() && !holds(unknown, one.expression))
        unknown.push_back(one.expression);
      if (!one.zone.empty()) zones_used_.insert(one.zone);
    }
    if (zones.empty()) zones.emplace_back();
    if (std::find(zones.begin(), zones.end(), "") != zones.end()) {
      assume("zones-not-known", group.name,
             fmt::format("the zones of {} are unknown{}; its instances are in one unnamed zone", group.name,
                         unknown.empty() ? "" : " (" + listed(unknown) + ")"));
    }
    return zones;
  }

  void add_size(const DeclaredGroup& group, std::int64_t count) {
    if (group.is_instance) return;
    sizes_.push_back(fmt::format("{} {}", group.name, count) +
                     (group.desired ? "" : fmt::format(" ({})", group.minimum_key)));
  }

  // ---- what the agent is told

  void use_agent(const DeclaredGroup& group, WrittenInstances& entry) {
    left_out_.clear();
    read_agent(group, entry);
    if (!left_out_.empty()) {
      assume("user-data-unread", group.name,
             fmt::format("ECS agent settings in user data are ignored where they are unknown: {}", listed(left_out_)));
    } else if (group.has_unread_user_data) {
      assume("user-data-unread", group.name,
             fmt::format("the user data of {} is unknown; its ECS agent settings are ignored", group.name));
    }
  }

  void read_agent(const DeclaredGroup& group, WrittenInstances& entry) {
    const auto& agent = group.agent;
    if (agent.is_windows) entry.attributes["ecs.os-type"] = "windows";
    if (agent.attributes) read_attributes(*agent.attributes, entry);
    if (agent.reserved_memory) {
      const auto memory = to_integer(*agent.reserved_memory);
      if (memory && *memory >= 0 && *memory <= 1'000'000'000) {
        entry.reserved_memory = *memory;
      } else {
        leave_out("ECS_RESERVED_MEMORY", *agent.reserved_memory);
      }
    }
    entry.tcp_ports = read_ports("ECS_RESERVED_PORTS", agent.reserved_ports);
    entry.udp_ports = read_ports("ECS_RESERVED_PORTS_UDP", agent.reserved_udp_ports);
    entry.registers_no_gpu = agent.gpu_support && lower(*agent.gpu_support) == "false";
  }

  void leave_out(std::string_view setting, std::string_view value) {
    left_out_.push_back(value.empty() ? std::string(setting) : fmt::format("{} {}", setting, value));
  }

  void read_attributes(const std::string& text, WrittenInstances& entry) {
    const auto document = text::read_document(text, {.format = text::Format::kJson});
    const Value root = document->root();
    if (!root || !root.is_object() || !document->faults().empty()) return leave_out("ECS_INSTANCE_ATTRIBUTES", text);
    for (const Value one : root.children()) {
      if (one.is_object() || one.is_array() || is_left_open(one.text()) || is_left_open(one.key())) {
        leave_out(fmt::format("attribute {}", one.key()), one.text());
      } else {
        entry.attributes[std::string(one.key())] = one.is_null() ? "" : std::string(one.text());
      }
    }
  }

  std::optional<std::vector<std::int64_t>> read_ports(std::string_view setting,
                                                      const std::optional<std::string>& text) {
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
    leave_out(setting, *text);
    return std::nullopt;
  }

  // ---- what has to be said of all of it

  void note_sizes() {
    if (sizes_.empty()) return;
    result_.assumptions.insert(
        result_.assumptions.begin(),
        {"group-size", cluster_name(),
         fmt::format("groups have their desired number of instances, spread evenly over their zones: {}",
                     listed(sizes_))});
  }

  void note_rest() {
    if (from_.has_macros) {
      assume("macros-not-run", cluster_name(),
             "resources created by a macro (Fn::ForEach ...) are unknown and not counted");
    }
    if (from_.has_zones_by_order && !zones_used_.empty()) {
      assume("zones-by-order", cluster_name(),
             fmt::format(
                 "Fn::GetAZs is resolved when the stack is created; {} are assumed to be the first zones of the region",
                 listed({zones_used_.begin(), zones_used_.end()})));
    }
    if (!from_.services.empty()) {
      assume("services-not-placed", cluster_name(),
             fmt::format("the services of the {} ({}) are not placed; only its instances are used", from_.file_kind,
                         listed(from_.services)));
    }
    for (const auto& provider : from_.providers) {
      const auto* cluster = declared(chosen_);
      const bool is_listed = cluster != nullptr && (holds(cluster->providers, provider.name) ||
                                                    holds(cluster->providers, provider.provider_name));
      const bool is_used = std::any_of(entries_.begin(), entries_.end(),
                                       [&](const auto& entry) { return entry.provider == provider.provider_name; });
      if (is_listed || is_used) result_.providers.push_back(provider);
    }
    if (const auto* cluster = declared(chosen_)) use_default_strategy(*cluster);
  }

  void use_default_strategy(const DeclaredCluster& cluster) {
    for (auto share : cluster.default_strategy) {
      for (const auto& provider : from_.providers) {
        if (share.provider == provider.name) share.provider = provider.provider_name;
      }
      if (!share.provider.empty()) result_.default_strategy.push_back(std::move(share));
    }
  }

  const Infrastructure& from_;
  const text::Document& file_;
  std::string_view path_;
  ImportedCluster result_;
  std::vector<Membership> members_;
  std::vector<std::string> said_;  ///< Clusters that instances say they join.
  std::string chosen_;
  std::vector<WrittenInstances> entries_;
  std::vector<std::string> sizes_;
  std::vector<std::string> left_out_;  ///< What was left out of the current group.
  std::set<std::string> zones_used_;
};

}  // namespace

ImportedCluster cluster_of(const Infrastructure& infrastructure, const text::Document& file, std::string_view wanted,
                           std::string_view path) {
  return ClusterMaker(infrastructure, file, path).make(wanted);
}

}  // namespace bayplan::importers
