// A folder of describe output -> profiles, instances and what runs on them.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/offer.hpp"
#include "catalog/region.hpp"
#include "model/ecs_arn.hpp"
#include "placement/model/profiles.hpp"
#include "scenario/described_files.hpp"
#include "scenario/described_profile.hpp"
#include "scenario/live_daemons.hpp"
#include "scenario/live_gaps.hpp"
#include "scenario/live_notes.hpp"
#include "scenario/live_services.hpp"
#include "scenario/live_use.hpp"
#include "scenario/loading.hpp"

namespace bayplan::scenario {

namespace {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

void note_clusters(LiveNotes& notes, const DescribedFiles& files, const std::string& cluster) {
  for (const auto& found : files.clusters) {
    const auto& described = found.what;
    const auto count =
        static_cast<std::int64_t>(std::count_if(files.instances.begin(), files.instances.end(),
                                                [](const auto& instance) { return instance.what.is_counted(); }));
    if (described.name != cluster || !described.registered_instances || *described.registered_instances == count)
      continue;
    notes.add(
        "instances-not-described", cluster,
        fmt::format("the cluster registers {}, {} described", count_of(*described.registered_instances, "instance"),
                    count == 1 ? "1 is" : fmt::format("{} are", count)));
  }
}

void note_services(LiveNotes& notes, const DescribedFiles& files) {
  for (const auto& found : files.services) {
    const auto& service = found.what;
    const std::int64_t has = service.running_count + service.pending_count;
    if (!service.desired_count || has >= *service.desired_count) continue;
    notes.add("service-below-desired", service.name,
              fmt::format("has {} of {}: ECS will place the others in room that counts as free here", has,
                          count_of(*service.desired_count, "task")));
  }
}

/// Developer guide, cluster auto scaling: the largest type of a group decides how many instances a scale-out starts,
/// and what the smallest cannot hold starts none.
void note_providers(const Loading& loading, LiveNotes& notes) {
  std::map<std::string_view, std::set<std::string>> list_types;
  for (const auto& profile : loading.scenario.profiles) {
    const auto found = loading.described_providers.find(profile.capacity_provider_name);
    if (found != loading.described_providers.end() && found->second)
      list_types[profile.capacity_provider_name].insert(profile.instance_type);
  }
  for (const auto& [provider, types] : list_types) {
    if (types.size() < 2) continue;
    notes.add(
        "several-types-in-managed-provider", std::string(provider),
        fmt::format("scales by itself and has {}: ECS counts a scale-out in its largest type, and starts nothing for "
                    "a task that its smallest cannot hold; a provider for each type avoids both",
                    some_of({types.begin(), types.end()})));
  }
}

/// An instance whose agent does not register takes no task, and its group launches no other in its place.
void note_groups(LiveNotes& notes, const DescribedFiles& files) {
  std::set<std::string_view> registered;
  for (const auto& found : files.instances) registered.insert(found.what.ec2_instance_id);
  for (const auto& found : files.groups) {
    std::vector<std::string> others;
    for (const auto& id : found.what.in_service) {
      if (!registered.contains(id)) others.push_back(id);
    }
    if (others.empty()) continue;
    notes.add("group-instance-not-registered", found.what.name,
              fmt::format("{} InService in this Auto Scaling group and not registered with the cluster: {}",
                          others.size() == 1 ? "1 instance is" : fmt::format("{} instances are", others.size()),
                          some_of(others)));
  }
}

template <class T>
void note_listed(LiveNotes& notes, const std::vector<WithOrigin<std::string>>& listed,
                 const std::vector<WithOrigin<T>>& described, std::string_view one) {
  std::set<std::string_view> names;
  for (const auto& found : listed) names.insert(found.what);
  for (const auto& found : described) names.erase(found.what.arn);
  if (names.empty()) return;
  notes.add("listed-not-described", std::string(names.begin()->substr(names.begin()->rfind('/') + 1)),
            fmt::format("{} listed and not described: {} unknown",
                        names.size() == 1 ? fmt::format("1 {} is", one) : fmt::format("{} {}s are", names.size(), one),
                        one == "instance"   ? "its tasks are"
                        : one == "service"  ? "its tasks are"
                        : names.size() == 1 ? "its resources are"
                                            : "their resources are"));
}

void note_files(LiveNotes& notes, const DescribedFiles& files, const std::string& cluster) {
  note_listed(notes, files.listed_instances, files.instances, "instance");
  note_listed(notes, files.listed_tasks, files.tasks, "task");
  note_listed(notes, files.listed_services, files.services, "service");
  for (const auto& one : files.notes) notes.add(one.id, one.subject, one.text);
  for (const auto& found : files.failures) {
    notes.add("describe-failure", found.what.arn, fmt::format("was asked for and not found: {}", found.what.reason));
  }
  for (const auto& file : files.other_files)
    notes.add("file-not-used", file, "holds nothing that aws ecs describe-... prints");
  for (const auto& file : files.empty_files)
    notes.add("file-not-used", file, "is empty: correct only if there is nothing to describe");
  if (files.superseded > 0) {
    notes.add("described-twice", cluster,
              fmt::format("{} described in two versions; the newer counts",
                          files.superseded == 1 ? "1 element is" : fmt::format("{} elements are", files.superseded)));
  }
}

/// Notes what the answers about a live cluster leave out or say against each other: instances and tasks that are
/// counted or listed and not described, services below what they want, failures, files of no use, and several types
/// under a provider that scales.
void note_contradictions(const Loading& loading, LiveNotes& notes, const DescribedFiles& files,
                         const std::string& cluster) {
  note_clusters(notes, files, cluster);
  if (!loading.takes_services && !loading.settles) note_services(notes, files);  // else the rest is placed
  note_providers(loading, notes);
  note_groups(notes, files);
  note_files(notes, files, cluster);
}

}  // namespace

using catalog::InstanceType;
using model::DescribedInstance;
using model::DescribedInstanceType;
using model::DescribedService;
using text::Value;

namespace {

std::string find_attribute(const DescribedInstance& instance, std::string_view name) {
  const auto found = instance.attributes.find(name);
  return found == instance.attributes.end() ? std::string() : found->second;
}

InstanceType type_of(const DescribedInstanceType& described) {
  InstanceType type;
  type.name = described.name;
  type.vcpus = described.vcpus.value_or(0);
  type.cpu = type.vcpus * kUnitsPerVcpu;
  type.memory = described.memory.value_or(0);
  type.memory_basis_text = "not known";
  type.is_own = true;
  return type;
}

/// What EC2 says of the type, where the catalog says nothing.
void fill_in(const DescribedInstanceType& described, InstanceType& type) {
  if (type.max_enis == 0 && described.network_interfaces) {
    type.max_enis = *described.network_interfaces;
    // One interface is the instance's own (ECS developer guide, container-instance-eni).
    type.eni_task_limit = std::max<std::int64_t>(0, type.max_enis - 1);
  }
  if (!type.ebs_attachments && described.ebs_attachments.value_or(0) > 0) {
    type.ebs_attachments = std::min<std::int64_t>(*described.ebs_attachments, kUnlimitedAttachments);
    // EC2 calls the limit of Xen instances shared, but network interfaces are no part of it (docs/catalog.md).
    type.has_shared_ebs_limit = described.ebs_limit_type == "shared" && described.hypervisor != "xen";
  }
  if (type.architectures.empty()) type.architectures = described.architectures;
  if (type.hypervisor.empty()) type.hypervisor = described.hypervisor;
  if (type.generation == catalog::Generation::kUnknown && described.current_generation)
    type.generation = *described.current_generation ? catalog::Generation::kCurrent : catalog::Generation::kPrevious;
  if (described.neuron_devices > 0 && type.neuron.devices == 0) {
    type.accelerator_kind = "neuron";
    // Inf1 is the only family whose devices ECS does not assign (data/neuron-devices.csv).
    type.neuron = {described.neuron_devices, described.neuron_cores_per_device, type.family() != "inf1", {}};
  }
  if (described.gpu_count == 0) return;
  if (!type.gpu) {
    type.accelerator_kind = "gpu";
    type.gpu.emplace();
    type.gpu->count = described.gpu_count;
    type.gpu->manufacturer = described.gpu_manufacturer;
    type.gpu->model = described.gpu_model;
  }
  if (type.gpu->memory == 0)
    type.gpu->memory = type.is_own ? capacity::usable_gpu_memory(described.gpu_memory) : described.gpu_memory;
}

}  // namespace

std::vector<std::string> neuron_device_ids(const InstanceProfile& profile, const model::DescribedResources& registered,
                                           const model::DescribedResources& resources) {
  const auto ids = resources.neuron_ids.value_or(std::vector<std::string>());
  if (!resources.has_neuron_cores) return ids;
  const auto cores = static_cast<std::int64_t>(registered.neuron_ids.value_or(std::vector<std::string>()).size());
  const std::int64_t devices =
      profile.type != nullptr && profile.type->neuron.devices > 0 ? profile.type->neuron.devices : cores;
  std::vector<std::string> whole;
  for (std::int64_t device = 0; device < devices; ++device) {
    const std::int64_t per_device = std::max<std::int64_t>(1, cores / devices);
    const auto is_of_device = [&](const std::string& id) { return to_integer(id).value_or(-1) / per_device == device; };
    if (std::count_if(ids.begin(), ids.end(), is_of_device) == per_device) whole.push_back(std::to_string(device));
  }
  return whole;
}

namespace {

void use_registered(const DescribedInstance& described, InstanceProfile& profile) {
  const auto& registered = described.registered;
  profile.cpu = *registered.cpu;
  profile.memory = *registered.memory;
  profile.memory_basis = catalog::MemoryBasis::kStated;
  profile.gpu_ids = registered.gpu_ids.value_or(std::vector<std::string>());
  profile.gpu_count = static_cast<std::int64_t>(profile.gpu_ids.size());
  if (profile.gpu_count == 0) {
    profile.gpu_ids = neuron_device_ids(profile, registered, registered);
    profile.neuron_devices = static_cast<std::int64_t>(profile.gpu_ids.size());
  } else {
    profile.neuron_devices = 0;
  }
  profile.reserved_tcp_ports = registered.tcp_ports.value_or(capacity::default_reserved_tcp_ports(is_windows(profile)));
  profile.reserved_udp_ports = registered.udp_ports.value_or(std::vector<std::uint16_t>());
  if (described.gpus.empty() || described.gpus.front().total_memory.value_or(0) <= 0) return;
  profile.gpu_memory = *described.gpus.front().total_memory;
  profile.gpu_memory_estimated = false;
}

}  // namespace

InstanceProfile profile_of_described(const catalog::Catalog& catalog, const DescribedInstance& described,
                                     const std::string& region) {
  InstanceProfile profile;
  profile.instance_type = find_attribute(described, "ecs.instance-type");
  profile.type = catalog.find(profile.instance_type);
  profile.availability_zone = find_attribute(described, "ecs.availability-zone");
  profile.subnet_id = find_attribute(described, "ecs.subnet-id");
  profile.ec2_instance_id = described.ec2_instance_id;
  profile.arn = described.arn;
  profile.capacity_provider_name = described.capacity_provider_name;
  profile.status = status_named(described.status);
  profile.agent_connected = described.agent_connected.value_or(true);
  profile.agent_version = described.agent_version;
  profile.registered_at = described.registered_at;
  profile.attributes = described.attributes;
  for (const auto& [name, value] : profile.attributes) {
    if (name.find("ecs.capability.") != std::string::npos) profile.has_all_capabilities = false;
  }
  profile.awsvpc_trunking = profile.attributes.contains("ecs.awsvpc-trunk-id");
  profile.gpu_sharing = profile.attributes.contains(kSharingCapability);
  profile.network_interfaces = kUnlimitedInterfaces;
  if (profile.type != nullptr) use_offer(*profile.type, 0, profile);
  use_registered(described, profile);
  use_price(profile, region);
  return profile;
}

namespace {

class LiveCluster {
 public:
  LiveCluster(Loading& loading, const std::string& path, Value from)
      : loading_(loading), path_(path), from_(from), files_(read_described_files(loading, path, from)) {}

  void run() {
    if (!check_one_cluster()) return;
    use_fitted_assumptions();
    use_region();
    add_types();
    add_providers();
    add_definitions();
    for (const auto& found : files_.subnets) {
      learn_subnet_zone(loading_, found.what.id, found.what.availability_zone, found.origin);
      auto& addresses = loading_.scenario.subnets.at(found.what.id).available_addresses;
      if (!addresses) addresses = found.what.available_ip_address_count;  // what the scenario states goes first
    }
    for (const auto& found : files_.ec2_instances)
      learn_subnet_zone(loading_, found.what.subnet_id, found.what.availability_zone, found.origin);
    for (const auto& found : files_.instances) add_instance(found);
    add_tasks();
    learn_subnets_of_tasks();
    loading_.scenario.in_use.resize(loading_.scenario.instances.size());
    for (const auto& live : instances_) loading_.scenario.in_use[live.index] = use_of(loading_, notes_, live);
    note_stopped();
    note_definitions();
    note_spot_instances();
    note_standalone_subnets();
    add_services(loading_, notes_, files_.services);
    check_gaps(loading_, notes_, files_, cluster_);
    note_daemons(loading_.scenario, notes_, files_.services);
    note_contradictions(loading_, notes_, files_, cluster_);
    auto findings = std::move(notes_).findings();
    loading_.scenario.findings.insert(loading_.scenario.findings.end(), findings.begin(), findings.end());
  }

 private:
  void fail(std::string message, std::string help) {
    if (from_) return loading_.sources.fail(from_, std::move(message), std::move(help));
    loading_.sources.fail(Error{std::move(message), path_, 0, 0, std::move(help)});
  }

  /// The cluster that instances, tasks and services belong to: exactly one, and among those of describe-clusters.
  bool check_one_cluster() {
    std::map<std::string, std::string> file_of;
    const auto identity = [](const auto& what, const std::string& name) {
      return fmt::format("{} in {} of account {}", name, what.region, what.account);
    };
    const auto add = [&](const auto& list) {
      for (const auto& found : list) {
        if (found.what.cluster.empty()) continue;
        cluster_ = found.what.cluster;
        file_of.try_emplace(identity(found.what, found.what.cluster), found.origin.file);
      }
    };
    add(files_.instances);
    add(files_.tasks);
    add(files_.services);
    if (file_of.size() > 1) {
      std::vector<std::string> names;
      for (const auto& [name, file] : file_of) names.push_back(fmt::format("{} ({})", name, file));
      fail(fmt::format("{} clusters are described: {}", file_of.size(), some_of(names)),
           "use a separate folder for each");
      return false;
    }
    const bool is_among = std::any_of(files_.clusters.begin(), files_.clusters.end(), [&](const auto& found) {
      return file_of.contains(identity(found.what, found.what.name));
    });
    if (!file_of.empty() && !files_.clusters.empty() && !is_among) {
      const auto& other = files_.clusters.front();
      loading_.sources.fail(Error{fmt::format("this is cluster {}; the other files describe {}",
                                              identity(other.what, other.what.name), file_of.begin()->first),
                                  other.origin.file, other.origin.line, other.origin.column,
                                  "use a separate folder for each cluster"});
      return false;
    }
    if (files_.instances.empty() && !loading_.sources.has_errors()) {
      const std::string there = what_is_there();
      fail("no container instances are described here" + (there.empty() ? "" : ", only " + there), no_instances_help());
      return false;
    }
    if (cluster_.empty() && files_.clusters.size() == 1) cluster_ = files_.clusters.front().what.name;
    loading_.scenario.cluster_name = cluster_;
    return check_clusters() && check_lists() && check_services() && !files_.instances.empty();
  }

  bool refuse(const Origin& origin, std::string message, std::string help) {
    loading_.sources.fail(Error{std::move(message), origin.file, origin.line, origin.column, std::move(help)});
    return false;
  }

  bool check_clusters() {
    for (const auto& found : files_.clusters) {
      if (found.what.name == cluster_ && found.what.status == "INACTIVE")
        return refuse(found.origin, fmt::format("cluster {} is INACTIVE: it was deleted", cluster_),
                      "collect a cluster that is there");
    }
    return true;
  }

  /// What `list-tasks` and its like answered is of this cluster, where the ARNs say of which.
  bool check_lists() {
    const auto check = [&](const std::vector<WithOrigin<std::string>>& listed, std::string_view kind) {
      for (const auto& found : listed) {
        const auto arn = model::parse_ecs_arn(found.what, kind);
        if (!arn || arn->cluster.empty() || cluster_.empty() || arn->cluster == cluster_) continue;
        return refuse(found.origin,
                      fmt::format("this list is of cluster {}, and {} is described", arn->cluster, cluster_),
                      "use a separate folder for each cluster");
      }
      return true;
    };
    return check(files_.listed_instances, "container-instance") && check(files_.listed_tasks, "task") &&
           check(files_.listed_services, "service");
  }

  /// One description a service; the older form of an ARN names no cluster.
  bool check_services() {
    std::map<std::string, const WithOrigin<DescribedService>*> known;
    for (const auto& found : files_.services) {
      if (found.what.cluster.empty() || !found.what.is_counted()) continue;
      const auto [first, is_new] = known.try_emplace(found.what.name, &found);
      if (is_new || first->second->what.arn == found.what.arn) continue;
      return refuse(found.origin,
                    fmt::format("service {} is described under two ARNs, {} and {}", found.what.name,
                                first->second->what.arn, found.what.arn),
                    "collect the snapshot again");
    }
    return true;
  }

  /// Whether the ARN of a described definition is of this cluster's account and region, and says what the definition
  /// says of itself.
  bool check_definition(Value definition) {
    const Value written = definition.find("taskDefinitionArn");
    const auto arn = written ? model::parse_ecs_arn(written.text(), "task-definition") : std::nullopt;
    if (!arn) return true;
    const auto& instance = files_.instances.front().what;
    const bool is_foreign =
        !instance.account.empty() && (arn->region != instance.region || arn->account != instance.account);
    if (is_foreign) {
      loading_.sources.fail(
          written,
          fmt::format("this task definition is of account {} in {}, and the cluster of account {} in {}", arn->account,
                      arn->region, instance.account, instance.region),
          "use a separate folder for each account and region");
      return false;
    }
    const Value family = definition.find("family");
    const Value revision = definition.find("revision");
    if (!family || !revision || fmt::format("{}:{}", family.text(), revision.text()) == arn->id) return true;
    loading_.sources.fail(
        written, fmt::format("the ARN is of {}, and the definition is {}:{}", arn->id, family.text(), revision.text()),
        "collect the snapshot again");
    return false;
  }

  std::string what_is_there() const {
    std::vector<std::string> parts;
    const auto add = [&](const auto& list, std::string_view one) {
      if (!list.empty()) parts.push_back(count_of(static_cast<std::int64_t>(list.size()), one));
    };
    add(files_.tasks, "task");
    add(files_.services, "service");
    add(files_.clusters, "cluster");
    add(files_.definitions, "task definition");
    return join(parts, ", ");
  }

  std::string no_instances_help() const {
    if (!files_.failures.empty()) {
      const auto& failure = files_.failures.front().what;
      return fmt::format("{}: {}; wrong cluster or region?", failure.arn, failure.reason);
    }
    if (!files_.empty_files.empty())
      return fmt::format("{} is empty; did the AWS CLI say why when it was called?", files_.empty_files.front());
    return "bayplan collect prints the commands that describe a cluster; of a template or plan name the file itself";
  }

  /// What `bayplan replay` found in recorded placements: ties go to the first instance in file order, so the instances
  /// are put into the order of the rule.
  void use_fitted_assumptions() {
    const std::string file = path_ + "/" + std::string(kFittedAssumptions);
    if (!loading_.sources.files().is_folder(path_) || !loading_.sources.files().exists(file)) return;
    const text::Document* document = loading_.sources.read_snapshot(file, from_);
    if (document == nullptr || !document->root()) return;
    const Value ties = document->root().find("ties");
    const std::string rule(ties && ties.is_string() ? ties.text() : std::string_view());
    if (rule == "random") {
      loading_.scenario.ties = TieOrder::kDrawn;
    } else if (!order_by_rule(rule)) {
      return loading_.sources.fail(ties ? ties : document->root(), fmt::format("ties cannot be '{}'", rule),
                                   "bayplan replay --fit-assumptions writes this file");
    }
    assume(loading_.scenario, "tie-rule-fitted", cluster_,
           fmt::format("ties are broken as {} says ({}): instances are in that order", kFittedAssumptions, rule));
  }

  bool order_by_rule(const std::string& rule) {
    auto& instances = files_.instances;
    const auto order_by = [&](auto key, bool is_reversed) {
      std::stable_sort(instances.begin(), instances.end(), [&](const auto& a, const auto& b) {
        return is_reversed ? key(b.what) < key(a.what) : key(a.what) < key(b.what);
      });
      return true;
    };
    const auto registered = [](const DescribedInstance& one) { return one.registered_at.value_or(0); };
    const auto arn = [](const DescribedInstance& one) { return std::string_view(one.arn); };
    const auto ec2 = [](const DescribedInstance& one) { return std::string_view(one.ec2_instance_id); };
    if (rule == "first-in-file") return true;
    if (rule == "last-in-file") return std::reverse(instances.begin(), instances.end()), true;
    if (rule == "registered-first") return order_by(registered, false);
    if (rule == "registered-last") return order_by(registered, true);
    if (rule == "first-arn") return order_by(arn, false);
    if (rule == "last-arn") return order_by(arn, true);
    if (rule == "first-ec2-instance-id") return order_by(ec2, false);
    if (rule == "last-ec2-instance-id") return order_by(ec2, true);
    return false;
  }

  void use_region() {
    if (loading_.region_is_stated) return;
    const std::string& region = files_.instances.front().what.region;
    if (catalog::known_region(loading_.catalog, region)) loading_.scenario.region = region;
  }

  void add_types() {
    for (const auto& found : files_.types) {
      const InstanceType* known = loading_.catalog.find(found.what.name);
      InstanceType type = known == nullptr ? type_of(found.what) : *known;
      fill_in(found.what, type);
      loading_.catalog.add(std::move(type));
    }
  }

  void add_providers() {
    for (const auto& found : files_.providers) {
      loading_.described_providers.insert_or_assign(found.what.name, found.what.scales);
    }
    for (const auto& document : files_.provider_documents) {
      const Value name = document->root().find("name");
      if (!name) continue;
      loading_.scenario.providers.described.push_back(document->root());
      if (document->root().find("managedInstancesProvider"))
        loading_.managed_instances_providers.insert_or_assign(std::string(name.text()), document->root());
    }
    for (const auto& found : files_.clusters) {
      if (found.what.name != cluster_) continue;
      loading_.scenario.providers.associated = found.what.capacity_providers;
      for (const auto& share : found.what.default_strategy) {
        loading_.described_providers.try_emplace(share.capacity_provider, false);
        loading_.default_providers.push_back({share.capacity_provider, share.base, share.weight});
      }
    }
  }

  void add_definitions() {
    for (const auto& document : files_.definitions) {
      if (check_definition(document->root())) add_described_definition(loading_, document->root());
    }
    for (const auto& file : files_.definition_files) add_definitions_of_file(loading_, {file, {}}, from_);
  }

  void add_instance(const WithOrigin<DescribedInstance>& found) {
    const auto& described = found.what;
    if (!check_instance(found)) return;
    InstanceProfile profile = profile_of_described(loading_.catalog, described, loading_.scenario.region);
    profile.origin = found.origin;
    note_zone(loading_.scenario, profile.availability_zone);
    learn_subnet_zone(loading_, profile.subnet_id, profile.availability_zone, found.origin);
    std::string id = id_for(described);
    note_unknown(described, id, profile);
    add(described, std::move(id), std::move(profile));
  }

  /// What no placement can do without.
  bool check_instance(const WithOrigin<DescribedInstance>& found) {
    const auto& described = found.what;
    const auto refuse = [&](std::string message, std::string help) {
      loading_.sources.fail(
          Error{described.arn + ": " + message, found.origin.file, found.origin.line, found.origin.column, help});
      return false;
    };
    const auto& registered = described.registered;
    if (!registered.cpu || !registered.memory) {
      return refuse(fmt::format("registeredResources {} is missing", registered.cpu ? "MEMORY" : "CPU"),
                    "without it, the capacity of the instance is unknown");
    }
    if (!described.status.empty() && name_of(status_named(described.status)) != described.status)
      return refuse(fmt::format("status cannot be '{}'", described.status), "ACTIVE, DRAINING, REGISTERING ...");
    return true;
  }

  /// An instance that registered anew is described under its old ARN too, INACTIVE.
  std::string id_for(const DescribedInstance& described) {
    if (described.ec2_instance_id.empty()) return described.id;
    if (ids_.insert(described.ec2_instance_id).second) return described.ec2_instance_id;
    notes_.add("duplicate-instance-id", described.ec2_instance_id,
               fmt::format("two container instances have this id; the later is called {}", described.id));
    return described.id;
  }

  /// Once for all of its instances. A finding, because costs and fleets leave them out.
  void note_unknown_type(const std::string& type) {
    auto& findings = loading_.scenario.findings;
    const bool is_noted = std::any_of(findings.begin(), findings.end(), [&](const auto& one) {
      return one.id == "instance-type-unknown" && one.subject == type;
    });
    if (is_noted) return;
    findings.push_back(
        {"instance-type-unknown", type,
         fmt::format("the catalog (EC2 data of {}) lacks the type: its instances count with what they "
                     "register, at an unknown price; add its description by aws ec2 describe-instance-types",
                     loading_.catalog.data_date())});
  }

  void note_unknown(const DescribedInstance& described, const std::string& id, const InstanceProfile& profile) {
    const std::string& type = profile.instance_type;
    if (type.empty()) {
      notes_.add("instance-type-not-described", id,
                 "has no attribute ecs.instance-type: its price and network interfaces are unknown");
    } else if (profile.type == nullptr) {
      note_unknown_type(type);
    }
    if (!type.empty() && profile.network_interfaces == kUnlimitedInterfaces) {
      assume(loading_.scenario, "network-interfaces-unknown", type,
             fmt::format("the network interfaces of {} are unknown and limit no task", type));
    }
    if (described.status.empty() || !described.agent_connected) {
      notes_.add("state-not-described", id,
                 described.status.empty() ? "its status is not described; it counts as ACTIVE"
                                          : "agentConnected is not described; it counts as true");
    }
  }

  void add(const DescribedInstance& described, std::string id, InstanceProfile profile) {
    Scenario& scenario = loading_.scenario;
    const auto index = static_cast<std::uint32_t>(scenario.instances.size());
    ++loading_.instances_of_type[profile.instance_type];
    scenario.instances.push_back({std::move(id), static_cast<std::uint32_t>(scenario.profiles.size())});
    scenario.profiles.push_back(std::move(profile));
    by_arn_.emplace(described.arn, instances_.size());
    instances_.push_back({&described, index, {}});
  }

  void add_tasks() {
    std::map<std::string, std::int64_t> lost;
    std::int64_t waiting = 0;
    for (const auto& found : files_.tasks) {
      const auto& task = found.what;
      if (task.last_status == "STOPPED") continue;
      if (task.instance_arn.empty()) {
        if (task.launch_type == "FARGATE")
          loading_.scenario.elsewhere.push_back({task.id, task.launch_type, task.group});
        const bool waits = task.launch_type != "FARGATE" && task.launch_type != "MANAGED_INSTANCES" &&
                           task.desired_status != "STOPPED";
        if (waits && loading_.settles) {
          add_waiting(found);
        } else {
          waiting += waits ? 1 : 0;
        }
        continue;
      }
      const auto instance = by_arn_.find(task.instance_arn);
      if (instance == by_arn_.end()) {
        ++lost[task.instance_arn];
      } else {
        instances_[instance->second].tasks.push_back(&task);
      }
    }
    for (const auto& [arn, count] : lost) {
      notes_.add("task-instance-not-described", arn.substr(arn.rfind('/') + 1),
                 fmt::format("{} on an instance that is not described; ignored", count_of(count, "task")));
    }
    if (waiting > 0) {
      notes_.add("tasks-waiting", cluster_,
                 fmt::format("{} for an instance; ignored, although ECS will place {} first",
                             waiting == 1 ? "1 task waits" : fmt::format("{} tasks wait", waiting),
                             waiting == 1 ? "it" : "them"));
    }
  }

  /// A task of a service is one of those that the service is short of.
  void add_waiting(const WithOrigin<model::DescribedTask>& found) {
    const auto& task = found.what;
    if (task.group.starts_with("service:")) {
      ++loading_.tasks_off_instances[task.group];
      return;
    }
    auto& all = loading_.waiting_tasks;
    const auto known = std::find_if(all.begin(), all.end(), [&](const WaitingTasks& one) {
      return one.task_definition == task.task_definition && one.group == task.group &&
             one.capacity_provider == task.capacity_provider_name;
    });
    if (known != all.end()) {
      ++known->count;
    } else {
      all.push_back({task.task_definition, task.group, task.capacity_provider_name, 1, found.origin});
    }
  }

  /// A task says its zone; else it is that of its instance, in which its network interface is.
  void learn_subnets_of_tasks() {
    for (const auto& found : files_.tasks) {
      const auto instance = by_arn_.find(found.what.instance_arn);
      const auto& zone = !found.what.availability_zone.empty() || instance == by_arn_.end()
                             ? found.what.availability_zone
                             : profile_of(instances_[instance->second]).availability_zone;
      learn_subnet_zone(loading_, found.what.subnet_id, zone, found.origin);
    }
  }

  const InstanceProfile& profile_of(const LiveInstance& live) const {
    return loading_.scenario.profiles[loading_.scenario.instances[live.index].profile];
  }

  /// Services say where their tasks may run again; of standalone tasks only their owner knows it.
  void note_standalone_subnets() {
    if (!loading_.takes_services) return;
    for (const auto& live : instances_) {
      for (const auto* task : live.tasks) {
        if (task->has_network_interface && !task->group.starts_with("service:"))
          zones_of_subnets(loading_, std::string(family_of(task->task_definition)), {});
      }
    }
  }

  static std::string_view family_of(std::string_view definition) { return definition.substr(0, definition.rfind(':')); }

  /// Prices of instances are On-Demand prices.
  void note_spot_instances() {
    std::set<std::string_view> spot;
    for (const auto& found : files_.ec2_instances) {
      if (found.what.lifecycle == "spot" && ids_.contains(found.what.id)) spot.insert(found.what.id);
    }
    for (auto& profile : loading_.scenario.profiles) profile.is_spot |= spot.contains(profile.ec2_instance_id);
    const auto count = static_cast<std::int64_t>(spot.size());
    if (count == 0) return;
    assume(loading_.scenario, "spot-at-on-demand-price", cluster_,
           count == 1 ? "1 instance is a Spot Instance and counts at the On-Demand price"
                      : fmt::format("{} instances are Spot Instances and count at the On-Demand price", count));
  }

  /// ECS waits no longer than the stop timeout of their containers for them.
  void note_stopped() {
    if (!loading_.settles) return;
    std::int64_t stopping = 0;
    for (const auto& live : instances_) {
      stopping += std::count_if(live.tasks.begin(), live.tasks.end(),
                                [](const auto* task) { return task->desired_status == "STOPPED"; });
    }
    if (stopping == 0) return;
    assume(loading_.scenario, "stopping-tasks-ended", cluster_,
           fmt::format("{} with desiredStatus STOPPED {} as ended: {} within the stop timeout",
                       count_of(stopping, "task"), stopping == 1 ? "counts" : "count",
                       stopping == 1 ? "it frees its resources" : "they free their resources"));
  }

  void note_definitions() {
    std::set<std::string> missing;
    std::set<std::string, std::less<>> known;
    for (const auto& definition : loading_.scenario.task_definitions) known.insert(definition.name);
    for (const auto& task : loading_.scenario.running) {
      if (!known.contains(task.task_definition)) missing.insert(task.task_definition);
    }
    if (missing.empty()) return;
    assume(loading_.scenario, "definition-not-described", some_of({missing.begin(), missing.end()}),
           "not described: of its running tasks, only the resources are known, and each of their GPUs counts as whole");
  }

  Loading& loading_;
  const std::string path_;
  Value from_;
  DescribedFiles files_;
  LiveNotes notes_;
  std::string cluster_;
  std::vector<LiveInstance> instances_;
  std::unordered_map<std::string, std::size_t> by_arn_;  ///< Looked up only: its order never shows.
  std::set<std::string> ids_;
};

}  // namespace

void add_described_cluster(Loading& loading, const std::string& path, Value from) {
  LiveCluster(loading, path, from).run();
}

}  // namespace bayplan::scenario
