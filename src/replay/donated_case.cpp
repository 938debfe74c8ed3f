#include "replay/donated_case.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include <fmt/core.h>

#include "base/date_time.hpp"
#include "base/json_writer.hpp"
#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "replay/replay.hpp"

namespace bayplan::replay {
namespace {

using Layout = JsonWriter::Layout;

constexpr std::string_view kArn = "arn:aws:ecs:us-east-1:000000000000:";
constexpr std::string_view kZone = "ecs.availability-zone";
constexpr std::int64_t kBegin = 946684800;  ///< 2000-01-01T00:00:00Z: real times are not written.
constexpr std::int64_t kTasksStarted = kBegin + 100'000;
constexpr std::int64_t kDescribed = kTasksStarted + 100;
constexpr std::int64_t kDecided = kDescribed + 100;
constexpr std::uint16_t kFirstPort = 20'001;
constexpr std::uint16_t kWellKnownPorts = 1'024;
constexpr std::array<std::uint16_t, 4> kAgentPorts{2375, 2376, 51678, 51679};

/// Checks that become an attribute of the instances that pass them: what they look at is not written.
constexpr Check kHiddenChecks[] = {Check::kCapacityProvider, Check::kAttribute,     Check::kLocation,
                                   Check::kNetworkInterface, Check::kEbsAttachment, Check::kMemberOf,
                                   Check::kDistinctInstance};

std::string check_name(Check check) {
  return fmt::format("check{}", static_cast<int>(check));
}

/// Position of each instance in the order of `key`; equal keys share one.
template <class Key>
std::vector<std::size_t> ranks(std::size_t count, Key key) {
  std::map<decltype(key(0u)), std::size_t> order;
  for (std::uint32_t i = 0; i < count; ++i) order[key(i)] = 0;
  std::size_t next = 0;
  for (auto& [text, rank] : order) rank = next++;
  std::vector<std::size_t> result;
  for (std::uint32_t i = 0; i < count; ++i) result.push_back(order.at(key(i)));
  return result;
}

/// Writes records in which every name is replaced. Its state is the numbers that names got so far.
class CaseWriter {
 public:
  CaseWriter(RecordedCluster& cluster, std::uint32_t task_class, std::string_view provider, std::uint32_t chosen)
      : cluster_(cluster),
        what_(cluster.placement_class(task_class)),
        filter_(cluster.filter(task_class)),
        provider_(provider),
        chosen_(chosen) {
    const auto size = cluster.size();
    arn_rank_ = ranks(size, [&](std::uint32_t i) { return std::string_view(cluster_.profile(i).arn); });
    ec2_rank_ = ranks(size, [&](std::uint32_t i) { return std::string_view(cluster_.profile(i).ec2_instance_id); });
    zone_rank_ = ranks(size, [&](std::uint32_t i) { return std::string_view(cluster_.profile(i).availability_zone); });
    time_rank_ = ranks(size, [&](std::uint32_t i) { return cluster_.profile(i).registered_at.value_or(0); });
    is_service_ = what_.workload.kind == WorkloadKind::kService;
    find_checks();
    find_ports();
    // Attributes that a strategy spreads over, other than the zone.
    for (const auto& strategy : what_.strategies) {
      const std::string attribute(strategy.attribute());
      if (!attribute.empty() && attribute != kZone && !attributes_.contains(attribute))
        attributes_.emplace(attribute, fmt::format("attribute{}", attributes_.size() + 1));
    }
  }

  Result<std::string> write() {
    const auto& task = what_.workload.requirement;
    if (task.wants_neuron())
      return Error{.message = "the task uses Neuron devices, which a donated case cannot contain"};
    if (task.gpu_form != capacity::GpuForm::kNone && task.gpu_form != capacity::GpuForm::kCount &&
        task.gpu_form != capacity::GpuForm::kAll)
      return Error{.message = "the task shares a GPU, which a donated case cannot contain"};
    write_definition();
    if (is_service_) write_request("CreateService", kBegin);
    for (std::uint32_t i = 0; i < cluster_.size(); ++i) write_instance(i);
    for (std::uint32_t i = 0; i < cluster_.size(); ++i) write_tasks(i);
    if (!is_service_) write_request("RunTask", kDecided);
    write_decision();
    return out_.str();
  }

 private:
  void find_checks() {
    for (const auto check : kHiddenChecks) {
      for (std::uint32_t i = 0; i < cluster_.size(); ++i) {
        if (!failing(i).has(check)) continue;
        checks_.push_back(check);
        break;
      }
    }
  }

  CheckSet failing(std::uint32_t instance) const {
    return filter_.failing(instance, cluster_.states()[instance], provider_);
  }

  void find_ports() {
    std::set<std::uint16_t> others;
    const auto add = [&](const std::vector<std::uint16_t>& ports) {
      for (const auto port : ports) {
        if (port >= kWellKnownPorts && !is_among(port)) others.insert(port);
      }
    };
    for (std::uint32_t i = 0; i < cluster_.size(); ++i) {
      add(cluster_.states()[i].tcp_ports);
      add(cluster_.states()[i].udp_ports);
      add(cluster_.profile(i).reserved_tcp_ports);
      add(cluster_.profile(i).reserved_udp_ports);
    }
    add(what_.workload.requirement.tcp_ports);
    add(what_.workload.requirement.udp_ports);
    std::uint16_t next = kFirstPort;
    for (const auto port : others) ports_[port] = next++;
  }

  static bool is_among(std::uint16_t port) {
    return std::find(kAgentPorts.begin(), kAgentPorts.end(), port) != kAgentPorts.end();
  }

  std::uint16_t port(std::uint16_t written) const {
    const auto renamed = ports_.find(written);
    return renamed == ports_.end() ? written : renamed->second;
  }

  std::string arn(std::uint32_t instance) const {
    return fmt::format("{}container-instance/c/{:06}", kArn, arn_rank_[instance]);
  }
  std::string zone(std::uint32_t instance) const {
    return fmt::format("us-east-1{}", static_cast<char>('a' + zone_rank_[instance] % 26));
  }
  std::string group() const { return is_service_ ? "service:s" : "family:t"; }

  JsonWriter& begin_call(JsonWriter& json, std::string_view name, std::int64_t at) {
    json.begin_object(Layout::kLine).member("eventVersion", "1.11").member("eventSource", "ecs.amazonaws.com");
    json.member("eventName", name).member("eventTime", format_date_time(at));
    return json.member("eventID", fmt::format("call-{}", name));
  }

  void end_line() { out_ << '\n'; }

  void write_definition() {
    JsonWriter json(out_);
    const auto& task = what_.workload.requirement;
    begin_call(json, "RegisterTaskDefinition", kBegin).key("responseElements").begin_object(Layout::kLine);
    json.key("taskDefinition").begin_object(Layout::kLine).member("family", "t").member("revision", 1);
    json.key("requiresAttributes").begin_array(Layout::kLine).end_array();
    json.key("containerDefinitions").begin_array(Layout::kLine).begin_object(Layout::kLine);
    json.member("name", "main").member("image", "image").member("cpu", task.cpu).member("memory", task.memory);
    json.key("portMappings").begin_array(Layout::kLine);
    const auto write_ports = [&](const std::vector<std::uint16_t>& ports, std::string_view protocol) {
      for (const auto one : ports) {
        json.begin_object(Layout::kLine).member("containerPort", port(one)).member("hostPort", port(one));
        json.member("protocol", protocol).end_object();
      }
    };
    write_ports(task.tcp_ports, "tcp");
    write_ports(task.udp_ports, "udp");
    json.end_array();
    if (task.wants_gpu()) {
      const std::string value = task.gpu_form == capacity::GpuForm::kAll ? "ALL" : std::to_string(task.gpu_count);
      json.key("resourceRequirements").begin_array(Layout::kLine).begin_object(Layout::kLine);
      json.member("type", "GPU").member("value", value).end_object().end_array();
    }
    json.end_object().end_array().end_object().end_object().end_object();
    end_line();
  }

  void write_request(std::string_view call, std::int64_t at) {
    JsonWriter json(out_);
    begin_call(json, call, at).key("requestParameters").begin_object(Layout::kLine).member("cluster", "c");
    json.member("taskDefinition", "t:1");
    if (is_service_) json.member("serviceName", "s");
    json.key("placementStrategy").begin_array(Layout::kLine);
    for (const auto& strategy : what_.workload.strategies) {
      json.begin_object(Layout::kLine);
      if (strategy.type == StrategyType::kRandom) {
        json.member("type", "random");
      } else {
        const auto renamed = attributes_.find(std::string(strategy.attribute()));
        json.member("type", strategy.type == StrategyType::kSpread ? "spread" : "binpack");
        json.member("field", renamed == attributes_.end() ? strategy.field : "attribute:" + renamed->second);
      }
      json.end_object();
    }
    json.end_array().key("placementConstraints").begin_array(Layout::kLine);
    for (const auto check : checks_) {
      json.begin_object(Layout::kLine).member("type", "memberOf");
      json.member("expression", fmt::format("attribute:{} == yes", check_name(check))).end_object();
    }
    json.end_array().end_object();
    if (!is_service_) {
      json.key("responseElements").begin_object(Layout::kLine).key("tasks").begin_array(Layout::kLine);
      json.begin_object(Layout::kLine)
          .member("taskArn", fmt::format("{}task/c/decision", kArn))
          .end_object()
          .end_array()
          .end_object();
    }
    json.end_object();
    end_line();
  }

  void write_resources(JsonWriter& json, std::string_view key, CpuUnits cpu, MiB memory,
                       const std::vector<std::uint16_t>& tcp, const std::vector<std::uint16_t>& udp,
                       const std::vector<std::string>& gpus) {
    const auto amount = [&](std::string_view name, std::int64_t value) {
      json.begin_object(Layout::kLine)
          .member("name", name)
          .member("type", "INTEGER")
          .member("integerValue", value)
          .end_object();
    };
    const auto set = [&](std::string_view name, const std::vector<std::string>& values) {
      json.begin_object(Layout::kLine).member("name", name).member("type", "STRINGSET");
      json.key("stringSetValue").begin_array(Layout::kLine);
      for (const auto& value : values) json.value(value);
      json.end_array().end_object();
    };
    const auto texts = [&](const std::vector<std::uint16_t>& ports) {
      std::vector<std::string> values;
      for (const auto one : ports) values.push_back(std::to_string(port(one)));
      return values;
    };
    json.key(key).begin_array(Layout::kLine);
    amount("CPU", cpu);
    amount("MEMORY", memory);
    set("PORTS", texts(tcp));
    set("PORTS_UDP", texts(udp));
    if (!gpus.empty() || key == "remainingResources") set("GPU", gpus);
    json.end_array();
  }

  JsonWriter& begin_event(JsonWriter& json, std::string_view type, std::int64_t at) {
    json.begin_object(Layout::kLine).member("source", "aws.ecs").member("detail-type", type);
    json.member("time", format_date_time(at)).key("detail").begin_object(Layout::kLine);
    return json.member("clusterArn", fmt::format("{}cluster/c", kArn)).member("updatedAt", format_date_time(at));
  }

  void write_instance(std::uint32_t i) {
    JsonWriter json(out_);
    const auto& profile = cluster_.profile(i);
    const auto& state = cluster_.states()[i];
    begin_event(json, "ECS Container Instance State Change", kDescribed).member("containerInstanceArn", arn(i));
    if (!profile.ec2_instance_id.empty()) json.member("ec2InstanceId", fmt::format("i-{:08x}", ec2_rank_[i]));
    json.member("version", 1)
        .member("status", name_of(profile.status))
        .member("agentConnected", profile.agent_connected);
    if (profile.registered_at)
      json.member("registeredAt", format_date_time(kBegin + static_cast<std::int64_t>(time_rank_[i])));
    std::int64_t tasks = 0;
    for (const auto& own : state.tasks_by_group) tasks += own.tasks;
    json.member("runningTasksCount", tasks).member("pendingTasksCount", 0);
    std::vector<std::string> gpus, free;
    for (std::size_t gpu = 0; gpu < state.gpus.size(); ++gpu) {
      gpus.push_back(fmt::format("GPU-{}", gpu));
      if (state.gpus[gpu].state == GpuState::kIdle) free.push_back(gpus.back());
    }
    write_resources(json, "registeredResources", profile.cpu, profile.memory, profile.reserved_tcp_ports,
                    profile.reserved_udp_ports, gpus);
    write_resources(json, "remainingResources", state.cpu, state.memory, state.tcp_ports, state.udp_ports, free);
    write_attributes(json, i);
    json.end_object().end_object();
    end_line();
  }

  void write_attributes(JsonWriter& json, std::uint32_t i) {
    const auto& profile = cluster_.profile(i);
    const auto attribute = [&](std::string_view name, std::string_view value) {
      json.begin_object(Layout::kLine).member("name", name).member("value", value).end_object();
    };
    json.key("attributes").begin_array(Layout::kLine);
    if (!profile.instance_type.empty()) attribute("ecs.instance-type", profile.instance_type);
    if (!profile.availability_zone.empty()) attribute(kZone, zone(i));
    for (const auto& [name, renamed] : attributes_) {
      const auto found = profile.attributes.find(name);
      if (found == profile.attributes.end()) continue;
      auto& known = values_[name];
      attribute(renamed, fmt::format("value{}", known.try_emplace(found->second, known.size() + 1).first->second));
    }
    for (const auto check : checks_) {
      if (!failing(i).has(check)) attribute(check_name(check), "yes");
    }
    json.end_array();
  }

  void write_tasks(std::uint32_t i) {
    for (const auto& own : cluster_.states()[i].tasks_by_group) {
      for (std::uint32_t number = 0; number < own.tasks; ++number) {
        JsonWriter json(out_);
        begin_event(json, "ECS Task State Change", kTasksStarted)
            .member("taskArn", fmt::format("{}task/c/{:08}", kArn, ++tasks_));
        json.member("containerInstanceArn", arn(i)).member("createdAt", format_date_time(kTasksStarted));
        json.member("lastStatus", "RUNNING").member("desiredStatus", "RUNNING").member("version", 1);
        std::string name = group();
        if (own.group != what_.group)
          name = fmt::format("family:g{}", groups_.try_emplace(own.group, groups_.size() + 1).first->second);
        json.member("group", name);
        json.member("launchType", "EC2").member("taskDefinitionArn", fmt::format("{}task-definition/other:1", kArn));
        json.end_object().end_object();
        end_line();
      }
    }
  }

  void write_decision() {
    JsonWriter json(out_);
    const auto& task = what_.workload.requirement;
    begin_event(json, "ECS Task State Change", kDecided).member("taskArn", fmt::format("{}task/c/decision", kArn));
    json.member("containerInstanceArn", arn(chosen_)).member("createdAt", format_date_time(kDecided));
    json.member("lastStatus", "PENDING")
        .member("desiredStatus", "RUNNING")
        .member("version", 1)
        .member("group", group());
    json.member("launchType", "EC2").member("taskDefinitionArn", fmt::format("{}task-definition/t:1", kArn));
    json.member("cpu", std::to_string(task.cpu))
        .member("memory", std::to_string(task.memory))
        .end_object()
        .end_object();
    end_line();
  }

  RecordedCluster& cluster_;
  const PlacementClass& what_;
  const Filter& filter_;
  std::string_view provider_;
  std::uint32_t chosen_;
  bool is_service_ = false;
  std::vector<std::size_t> arn_rank_, ec2_rank_, zone_rank_, time_rank_;
  std::vector<Check> checks_;
  std::map<std::uint16_t, std::uint16_t> ports_;
  std::map<std::string, std::string> attributes_;
  std::map<std::string, std::map<std::string, std::size_t>> values_;
  std::map<std::uint32_t, std::size_t> groups_;
  std::size_t tasks_ = 0;
  std::ostringstream out_;
};

/// Names of the account, of four letters and more.
std::vector<std::string> secrets_of(const RecordedCluster& cluster, const PlacementClass& what) {
  std::set<std::string> names;
  const auto add = [&](std::string_view text) {
    if (text.size() >= 4) names.emplace(text);
  };
  add(what.workload.name);
  add(what.workload.group);
  add(cluster.scenario().cluster_name);
  add(cluster.scenario().task_definitions[what.workload.task_definition].family);
  for (std::uint32_t i = 0; i < cluster.size(); ++i) {
    const auto& profile = cluster.profile(i);
    add(profile.ec2_instance_id);
    add(std::string_view(profile.arn).substr(profile.arn.rfind('/') + 1));
    add(profile.subnet_id);
    add(profile.capacity_provider_name);
    for (const auto& [name, value] : profile.attributes) {
      if (name.starts_with("ecs.") || name.starts_with("com.amazonaws.")) continue;
      add(name);
      add(value);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace

Result<DonatedCase> make_donated_case(RecordedCluster& cluster, std::uint32_t task_class, std::string_view provider,
                                      std::uint32_t chosen, const Ruling& ruling) {
  auto records = CaseWriter(cluster, task_class, provider, chosen).write();
  if (!records) return records.error();
  return DonatedCase{std::move(*records), ruling, secrets_of(cluster, cluster.placement_class(task_class))};
}

std::optional<Error> check_donated_case(const DonatedCase& donated, const catalog::Catalog& catalog) {
  for (const auto& secret : donated.secrets) {
    constexpr std::string_view kOwnWords[] = {"main", "image", "yes", "decision", "other", "true"};
    if (std::find(std::begin(kOwnWords), std::end(kOwnWords), secret) != std::end(kOwnWords)) continue;
    if (donated.records.find("\"" + secret + "\"") != std::string::npos ||
        (secret.size() > 8 && donated.records.find(secret) != std::string::npos))
      return Error{.message = fmt::format("the case would contain the name '{}'", secret),
                   .help = "please report this as a bug of bayplan"};
  }
  MemoryFiles files({{"case.jsonl", donated.records}});
  catalog::Catalog own = catalog;
  ReplayRequest request;
  request.paths = {"case.jsonl"};
  const auto again = replay(request, files, own, {});
  if (!again.result || again.result->all.judged != 1 || again.result->disagreements.size() != 1)
    return Error{.message = "the case does not give one disagreement",
                 .help = "please report this as a bug of bayplan"};
  const auto& one = again.result->disagreements.front();
  const auto& ruling = donated.ruling;
  const bool is_same = one.verdict == ruling.verdict && one.eligible == ruling.eligible && one.best == ruling.best &&
                       one.regret == ruling.regret && one.rank == ruling.better + 1;
  if (is_same) return std::nullopt;
  return Error{.message = "the case gives another disagreement", .help = "please report this as a bug of bayplan"};
}

}  // namespace bayplan::replay
