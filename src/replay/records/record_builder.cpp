#include "replay/records/record_builder.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <tuple>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "model/ecs_arn.hpp"

namespace bayplan::replay {
namespace {

constexpr Milliseconds kClocksApart = 5 * 60 * 1000;
constexpr std::int64_t kClockProblemsTold = 3;
/// No instance and no task is larger; keeps every sum far from overflow.
constexpr std::int64_t kLargest = 100'000'000'000;
/// A record is inside of a string of another at most twice: a CloudTrail record in a log event.
constexpr int kMostWrappers = 4;
constexpr std::string_view kCallEvent = "AWS API Call via CloudTrail";

/// A size, or -1 if there is none.
std::int64_t size_or_none(const std::optional<std::int64_t>& size) {
  return size ? std::clamp<std::int64_t>(*size, -1, kLargest) : -1;
}

std::string_view last_part(std::string_view arn) {
  return arn.substr(arn.rfind('/') + 1);
}

/// registeredResources or remainingResources of one record.
struct Resources {
  bool is_stated = false;
  bool has_cpu = false;  ///< Stated, and not negative.
  bool has_memory = false;
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::vector<std::int64_t> tcp;
  std::vector<std::int64_t> udp;
  std::vector<std::string_view> gpus;  ///< Views the record.

  std::size_t hash() const;
};

std::string joined(std::vector<std::int64_t>& ports) {
  std::sort(ports.begin(), ports.end());
  std::string text;
  for (const auto port : ports) (text += text.empty() ? "" : ",") += std::to_string(port);
  return text;
}

std::string joined(std::vector<std::string_view>& ids) {
  std::sort(ids.begin(), ids.end());
  std::string text;
  for (const auto id : ids) (text += text.empty() ? "" : ",") += id;
  return text;
}

std::size_t hash_of(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

/// The same for lists in another order: ECS does not promise one.
std::size_t Resources::hash() const {
  std::size_t sum = static_cast<std::size_t>(cpu) * 31 + static_cast<std::size_t>(memory);
  for (const auto port : tcp) sum += static_cast<std::size_t>(port) * 2654435761u;
  for (const auto port : udp) sum += static_cast<std::size_t>(port) * 40503u;
  for (const auto gpu : gpus) sum += hash_of(gpu);
  return sum;
}

void read_resource(JsonCursor& cursor, Resources& resources) {
  std::string buffer;
  std::string_view name, type;
  std::optional<std::int64_t> whole, large, real;
  std::vector<std::string_view> set;
  cursor.object([&](std::string_view key) {
    if (key == "name") return static_cast<void>(name = cursor.text(buffer));
    if (key == "type") return static_cast<void>(type = cursor.text(buffer));
    if (key == "integerValue") return static_cast<void>(whole = cursor.integer());
    if (key == "longValue") return static_cast<void>(large = cursor.integer());
    if (key == "doubleValue") return static_cast<void>(real = cursor.integer());
    if (key == "stringSetValue") return cursor.array([&] { set.push_back(cursor.text(buffer)); });
    cursor.skip();
  });
  const auto stated = type == "LONG" ? large : type == "DOUBLE" ? real : whole;
  const std::int64_t amount = std::clamp<std::int64_t>(stated.value_or(0), -kLargest, kLargest);
  const bool is_valid = stated && *stated >= 0;
  const auto ports = [&](std::vector<std::int64_t>& into) {
    for (const auto port : set) {
      if (const auto number = to_integer(port)) into.push_back(*number);
    }
  };
  if (name == "CPU") {
    resources.cpu = amount;
    resources.has_cpu = is_valid;
  }
  if (name == "MEMORY") {
    resources.memory = amount;
    resources.has_memory = is_valid;
  }
  if (name == "PORTS") ports(resources.tcp);
  if (name == "PORTS_UDP") ports(resources.udp);
  if (name == "GPU") resources.gpus = std::move(set);
}

Resources read_resources(JsonCursor& cursor) {
  Resources resources;
  resources.is_stated = cursor.peek() == '[';
  cursor.array([&] { read_resource(cursor, resources); });
  return resources;
}

RecordedStatus status_named(std::string_view status) {
  if (status.empty()) return RecordedStatus::kUnknown;
  if (status == "ACTIVE") return RecordedStatus::kActive;
  if (status == "DRAINING") return RecordedStatus::kDraining;
  return status == "INACTIVE" ? RecordedStatus::kInactive : RecordedStatus::kOther;
}

void lower_to(Milliseconds& known, Milliseconds at) {
  if (at != kNoTime && (known == kNoTime || at < known)) known = at;
}

/// What the records of a call say that its tasks have in common. Names of callers, tags and tokens differ from call to
/// call and say nothing.
std::string request_terms(std::string_view request) {
  constexpr std::string_view kTerms[] = {"capacityProviderStrategy",
                                         "desiredCount",
                                         "group",
                                         "launchType",
                                         "networkConfiguration",
                                         "placementConstraints",
                                         "placementStrategy",
                                         "schedulingStrategy",
                                         "taskDefinition"};
  std::string terms = "{";
  JsonCursor cursor(request);
  cursor.object([&](std::string_view key) {
    const std::string_view value = cursor.raw();
    if (!is_among(key, kTerms) || value == "null") return;
    fmt::format_to(std::back_inserter(terms), "{}\"{}\":{}", terms.size() == 1 ? "" : ",", key, value);
  });
  return terms + "}";
}

}  // namespace

std::string_view word_of(Unused why) {
  constexpr std::string_view kWords[kUnusedKinds] = {"duplicate", "foreign", "otherCluster",
                                                     "notNeeded", "broken",  "incomplete"};
  return kWords[static_cast<std::size_t>(why)];
}

std::int64_t RecordCounts::used() const {
  std::int64_t count = read;
  for (const auto one : unused) count -= one;
  return count;
}

std::string History::where(RecordPlace place) const {
  const std::string& file = files.at(place.file);
  return place.line == 0 ? file : fmt::format("{}:{}", file, place.line);
}

std::string_view cluster_name(std::string_view arn_or_name) {
  return last_part(arn_or_name);
}

/// The members of a record around what it is about. Views the record.
struct RecordBuilder::Envelope {
  std::string_view source;  ///< EventBridge: source; CloudTrail: eventSource.
  std::string_view type;    ///< detail-type
  std::string_view id;      ///< id, eventID
  std::string_view time;    ///< time, eventTime
  std::string_view detail;
  std::string_view resources;
  std::string_view call;    ///< eventName
  std::string_view caller;  ///< userIdentity
  std::string_view request;
  std::string_view response;
  std::string_view error;  ///< errorCode
  std::string_view
      wrapped;  ///< The record itself, as a text: CloudTrailEvent of lookup-events, message of a log event.
};

/// The members of a task in an event or an answer. Views the record.
struct RecordBuilder::TaskFields {
  std::string_view arn, cluster, instance, group, definition, provider, launch_type, started_by;
  std::string_view last_status, desired_status;
  std::string_view created, updated, stopping, stopped;
  std::string_view containers;
  TaskSize size;
  std::string gpus;
  std::int64_t version = 0;
};

std::string_view RecordBuilder::text(JsonCursor& cursor) {
  const std::string_view found = cursor.text(buffer_);
  if (found.data() != buffer_.data()) return found;
  return kept_.emplace_back(buffer_);
}

RecordBuilder::Envelope RecordBuilder::read_envelope(JsonCursor& cursor) {
  Envelope envelope;
  cursor.object([&](std::string_view key) {
    if (key == "detail") return static_cast<void>(envelope.detail = cursor.raw());
    if (key == "detail-type") return static_cast<void>(envelope.type = text(cursor));
    if (key == "source" || key == "eventSource") return static_cast<void>(envelope.source = text(cursor));
    if (key == "id" || key == "eventID") return static_cast<void>(envelope.id = text(cursor));
    if (key == "time" || key == "eventTime") return static_cast<void>(envelope.time = text(cursor));
    if (key == "resources") return static_cast<void>(envelope.resources = cursor.raw());
    if (key == "eventName") return static_cast<void>(envelope.call = text(cursor));
    if (key == "userIdentity") return static_cast<void>(envelope.caller = cursor.raw());
    if (key == "requestParameters") return static_cast<void>(envelope.request = cursor.raw());
    if (key == "responseElements") return static_cast<void>(envelope.response = cursor.raw());
    if (key == "errorCode") return static_cast<void>(envelope.error = text(cursor));
    if (key == "CloudTrailEvent" || key == "message") return static_cast<void>(envelope.wrapped = text(cursor));
    cursor.skip();
  });
  return envelope;
}

void RecordBuilder::add(std::string_view json, RecordPlace place) {
  kept_.clear();
  JsonCursor cursor(json);
  Envelope envelope = read_envelope(cursor);
  const bool is_wrapped = envelope.detail.empty() && envelope.request.empty() && !envelope.wrapped.empty();
  if (cursor.ok() && is_wrapped && wrappers_ < kMostWrappers && trim(envelope.wrapped).starts_with('{')) {
    const std::string inside(envelope.wrapped);  // `add` drops the texts of this record
    ++wrappers_;
    add(inside, place);
    --wrappers_;
    return;
  }
  ++history_.counts.read;
  if (!cursor.ok()) return add_broken(place, "");
  if (envelope.type == kCallEvent && !envelope.detail.empty()) {
    JsonCursor inner(envelope.detail);
    envelope = read_envelope(inner);
  }
  if (envelope.source == "ecs.amazonaws.com" && !envelope.call.empty()) return add_call(envelope, place);
  if (envelope.source == "aws.ecs" && !envelope.detail.empty()) return add_event(envelope, place);
  history_.counts.skip(Unused::kForeign, place);
}

void RecordBuilder::add_broken(RecordPlace place, std::string why) {
  if (why.empty()) {
    history_.counts.skip(Unused::kBroken, place);
    why = "not JSON, or cut off";
  }
  constexpr std::size_t kMostProblems = 50;
  if (history_.problems.size() < kMostProblems) history_.problems.push_back({place, std::move(why)});
}

void RecordBuilder::add_event(const Envelope& envelope, RecordPlace place) {
  if (envelope.type == "ECS Task State Change") return add_task(envelope.detail, envelope, place);
  if (envelope.type == "ECS Container Instance State Change") {
    ++history_.counts.instance_events;
    return add_instance(envelope.detail, envelope.time, place, true);
  }
  if (envelope.type == "ECS Service Action") return add_service_action(envelope, place);
  history_.counts.skip(Unused::kNotNeeded, place);
}

void RecordBuilder::note_cluster(NameId cluster) {
  if (cluster != kNoName) ++history_.clusters[cluster];
}

void RecordBuilder::check_clocks(std::string_view envelope_time, Milliseconds own, RecordPlace place) {
  const auto sent = parse_record_time(envelope_time);
  if (!sent || own == kNoTime || std::abs(sent->at - own) <= kClocksApart) return;
  if (++history_.counts.apart_clocks <= kClockProblemsTold)
    history_.problems.push_back(
        {place, fmt::format("the event of {} has content of a time more than 5 minutes apart", envelope_time)});
}

std::uint32_t RecordBuilder::task_index(std::string_view arn, RecordPlace place) {
  const NameId id = history_.names.id(arn);
  const auto [entry, is_new] = task_of_.try_emplace(id, static_cast<std::uint32_t>(history_.tasks.size()));
  if (is_new) {
    history_.tasks.emplace_back().arn = id;
    history_.tasks.back().place = place;
  }
  return entry->second;
}

std::uint32_t RecordBuilder::instance_index(std::string_view arn) {
  const NameId id = history_.names.id(arn);
  const auto [entry, is_new] = instance_of_.try_emplace(id, static_cast<std::uint32_t>(history_.instances.size()));
  if (is_new) history_.instances.emplace_back().arn = id;
  return entry->second;
}

/// Sizes and GPUs of the containers: what the task has if it states no size itself.
void RecordBuilder::read_containers(JsonCursor& cursor, TaskFields& task) {
  TaskSize sum{0, 0};
  std::vector<std::string_view> gpus;
  cursor.array([&] {
    std::optional<std::int64_t> cpu, memory, reservation;
    cursor.object([&](std::string_view key) {
      if (key == "cpu") return static_cast<void>(cpu = cursor.integer());
      if (key == "memory") return static_cast<void>(memory = cursor.integer());
      if (key == "memoryReservation") return static_cast<void>(reservation = cursor.integer());
      if (key == "gpuIds") return cursor.array([&] { gpus.push_back(text(cursor)); });
      cursor.skip();
    });
    if (reservation.value_or(0) > 0) memory = reservation;
    sum.cpu = cpu && sum.cpu >= 0 ? size_or_none(sum.cpu + size_or_none(cpu)) : -1;
    sum.memory = memory && sum.memory >= 0 ? size_or_none(sum.memory + size_or_none(memory)) : -1;
  });
  if (task.size.cpu <= 0) task.size.cpu = sum.cpu;
  if (task.size.memory <= 0) task.size.memory = sum.memory;
  task.gpus = joined(gpus);
}

RecordBuilder::TaskFields RecordBuilder::read_task(JsonCursor& cursor) {
  TaskFields task;
  cursor.object([&](std::string_view key) {
    switch (key.size()) {  // most members are none of these
      case 3:
        if (key == "cpu") return static_cast<void>(task.size.cpu = size_or_none(cursor.integer()));
        break;
      case 5:
        if (key == "group") return static_cast<void>(task.group = text(cursor));
        break;
      case 6:
        if (key == "memory") return static_cast<void>(task.size.memory = size_or_none(cursor.integer()));
        break;
      case 7:
        if (key == "taskArn") return static_cast<void>(task.arn = text(cursor));
        if (key == "version") return static_cast<void>(task.version = cursor.integer().value_or(0));
        break;
      case 9:
        if (key == "createdAt") return static_cast<void>(task.created = text(cursor));
        if (key == "updatedAt") return static_cast<void>(task.updated = text(cursor));
        if (key == "stoppedAt") return static_cast<void>(task.stopped = text(cursor));
        if (key == "startedBy") return static_cast<void>(task.started_by = text(cursor));
        break;
      case 10:
        if (key == "clusterArn") return static_cast<void>(task.cluster = text(cursor));
        if (key == "lastStatus") return static_cast<void>(task.last_status = text(cursor));
        if (key == "launchType") return static_cast<void>(task.launch_type = text(cursor));
        if (key == "stoppingAt") return static_cast<void>(task.stopping = text(cursor));
        if (key == "containers") return static_cast<void>(task.containers = cursor.raw());
        break;
      case 13:
        if (key == "desiredStatus") return static_cast<void>(task.desired_status = text(cursor));
        break;
      case 17:
        if (key == "taskDefinitionArn") return static_cast<void>(task.definition = text(cursor));
        break;
      case 20:
        if (key == "containerInstanceArn") return static_cast<void>(task.instance = text(cursor));
        if (key == "capacityProviderName") return static_cast<void>(task.provider = text(cursor));
        break;
      default:
        break;
    }
    cursor.skip();
  });
  return task;
}

void RecordBuilder::note_version(RecordedTask& task, const TaskFields& fields, RecordPlace place, bool is_event) {
  const auto version = static_cast<std::int32_t>(std::clamp<std::int64_t>(fields.version, 0, 1'000'000));
  const auto updated = parse_record_time(fields.updated);
  const Milliseconds at = updated ? updated->at : kNoTime;
  if (is_event && version > 0) ++task.versions;
  if (version > task.newest_version) {
    if (at != kNoTime && task.newest != kNoTime && at < task.newest) ++history_.counts.backward_clocks;
    task.newest_version = version;
    if (at != kNoTime) task.newest = at;
  } else if (version < task.newest_version && at != kNoTime && task.newest != kNoTime && at > task.newest) {
    if (++history_.counts.backward_clocks <= kClockProblemsTold)
      history_.problems.push_back(
          {place, fmt::format("version {} of a task is later than version {}", version, task.newest_version)});
  }
}

void RecordBuilder::merge(const TaskFields& fields, RecordPlace place, bool is_event) {
  RecordedTask& task = history_.tasks[task_index(fields.arn, place)];
  auto& names = history_.names;
  const bool is_first = task.versions == 0 && task.created == kNoTime;
  const auto fill = [&](NameId& known, std::string_view text) {
    if (known == kNoName && !text.empty()) known = names.id(text);
  };
  fill(task.cluster, fields.cluster);
  fill(task.instance, fields.instance);
  fill(task.group, fields.group);
  fill(task.definition, last_part(fields.definition));
  fill(task.provider, fields.provider);
  fill(task.launch_type, fields.launch_type);
  fill(task.started_by, fields.started_by);
  const bool lacks_size = task.size.cpu < 0 || task.size.memory < 0;
  if ((is_first || lacks_size) && !fields.containers.empty()) {
    TaskFields own = fields;
    JsonCursor cursor(fields.containers);
    read_containers(cursor, own);
    if (lacks_size) task.size = own.size;
    fill(task.gpus, own.gpus);
  } else if (lacks_size) {
    task.size = fields.size;
  }
  note_version(task, fields, place, is_event);
  const auto created = parse_record_time(fields.created);
  if (created && (task.created == kNoTime || (task.created_in_second && is_event))) {
    task.created = created->at;
    // Events cut zeros at the end of a fraction; CloudTrail knows whole seconds only.
    task.created_in_second = created->is_whole_second && !is_event;
    if (task.created_in_second) ++history_.counts.whole_second_times;
  }
  const auto updated = parse_record_time(fields.updated);
  const Milliseconds at = updated ? updated->at : created ? created->at : kNoTime;
  if (!fields.instance.empty()) lower_to(task.with_instance, at);
  if (fields.instance.empty() && fields.last_status == "PROVISIONING") task.was_provisioning = true;
  const auto time_or = [&](std::string_view stated) {
    const auto own = parse_record_time(stated);
    return own ? own->at : at;
  };
  if (fields.desired_status != "STOPPED") return;
  if (is_event && task.ended_in_second) {
    task.ended_in_second = false;
    task.stopped = kNoTime;
  }
  lower_to(task.stopping, time_or(fields.stopping));
  if (fields.last_status != "STOPPED") return;
  lower_to(task.stopped, time_or(fields.stopped));
}

void RecordBuilder::add_task(std::string_view detail, const Envelope& envelope, RecordPlace place) {
  ++history_.counts.task_events;
  JsonCursor cursor(detail);
  TaskFields fields = read_task(cursor);
  if (fields.arn.empty() || (fields.created.empty() && fields.updated.empty() && envelope.time.empty()))
    return history_.counts.skip(Unused::kIncomplete, place);
  if (fields.updated.empty()) fields.updated = envelope.time;
  RecordedTask& task = history_.tasks[task_index(fields.arn, place)];
  const auto version = static_cast<std::uint64_t>(std::max<std::int64_t>(0, fields.version));
  bool is_seen = false;
  if (version >= 1 && version <= 64) {
    const std::uint64_t bit = std::uint64_t{1} << (version - 1);
    is_seen = (task.seen_versions & bit) != 0;
    task.seen_versions |= bit;
  } else if (version > 64) {
    is_seen = !high_versions_.insert((std::uint64_t{task.arn} << 32) | version).second;
  }
  if (is_seen) return history_.counts.skip(Unused::kDuplicate, place);
  const auto own = parse_record_time(fields.updated);
  check_clocks(envelope.time, own ? own->at : kNoTime, place);
  note_cluster(history_.names.id(fields.cluster));
  merge(fields, place, true);
}

void RecordBuilder::add_instance(std::string_view detail, std::string_view time, RecordPlace place, bool is_event) {
  JsonCursor cursor(detail);
  std::string_view arn, cluster, status, updated;
  InstanceObservation seen;
  Resources registered, remaining;
  std::size_t state = 0;
  cursor.object([&](std::string_view key) {
    if (key == "containerInstanceArn") return static_cast<void>(arn = text(cursor));
    if (key == "clusterArn") return static_cast<void>(cluster = text(cursor));
    if (key == "status") return static_cast<void>(status = text(cursor));
    if (key == "updatedAt") return static_cast<void>(updated = text(cursor));
    if (key == "agentConnected") return static_cast<void>(seen.agent_connected = cursor.boolean());
    if (key == "version")
      return static_cast<void>(seen.version = static_cast<std::int32_t>(cursor.integer().value_or(0)));
    if (key == "runningTasksCount")
      return static_cast<void>(seen.running = static_cast<std::int32_t>(cursor.integer().value_or(-1)));
    if (key == "pendingTasksCount")
      return static_cast<void>(seen.pending = static_cast<std::int32_t>(cursor.integer().value_or(-1)));
    if (key == "remainingResources") return static_cast<void>(remaining = read_resources(cursor));
    if (key == "registeredResources") return static_cast<void>(registered = read_resources(cursor));
    if (key == "attributes") return cursor.array([&] { state += hash_of(cursor.raw()); });
    cursor.skip();
  });
  const auto own = parse_record_time(updated.empty() ? time : updated);
  if (arn.empty() || !own) return history_.counts.skip(Unused::kIncomplete, place);
  if (is_event) check_clocks(time, own->at, place);
  seen.instance = instance_index(arn);
  auto& instance = history_.instances[seen.instance];
  auto& names = history_.names;
  if (instance.cluster == kNoName) instance.cluster = names.id(cluster);
  if (is_event) note_cluster(names.id(cluster));
  state += registered.hash();
  const auto known = state_hash_.find(instance.arn);
  if (known == state_hash_.end() || known->second != state) {
    state_hash_[instance.arn] = state;
    instance.descriptions.push_back({std::string(detail), place});
  }
  seen.description = static_cast<std::uint32_t>(instance.descriptions.size() - 1);
  seen.at = own->at;
  seen.is_whole_second = own->is_whole_second;
  seen.status = status_named(status);
  seen.has_remaining = remaining.is_stated && remaining.has_cpu && remaining.has_memory;
  if (remaining.is_stated && !seen.has_remaining && ++history_.counts.incomplete_resources <= kClockProblemsTold)
    history_.problems.push_back({place, "remainingResources without a valid CPU and MEMORY are not used"});
  seen.cpu = remaining.cpu;
  seen.memory = remaining.memory;
  seen.tcp_ports = names.id(joined(remaining.tcp));
  seen.udp_ports = names.id(joined(remaining.udp));
  seen.free_gpus = names.id(joined(remaining.gpus));
  seen.place = place;
  history_.observations.push_back(seen);
}

void RecordBuilder::add_service_action(const Envelope& envelope, RecordPlace place) {
  ++history_.counts.service_events;
  RecordedFailure failure;
  failure.place = place;
  std::string_view name, cluster, created, reason;
  JsonCursor cursor(envelope.detail);
  auto& names = history_.names;
  cursor.object([&](std::string_view key) {
    if (key == "eventName") return static_cast<void>(name = text(cursor));
    if (key == "clusterArn") return static_cast<void>(cluster = text(cursor));
    if (key == "createdAt") return static_cast<void>(created = text(cursor));
    if (key == "reason") return static_cast<void>(reason = text(cursor));
    if (key == "containerInstanceArns")
      return cursor.array([&] { failure.instances.push_back(names.id(text(cursor))); });
    cursor.skip();
  });
  if (name != "SERVICE_TASK_PLACEMENT_FAILURE") return history_.counts.skip(Unused::kNotNeeded, place);
  JsonCursor resources(envelope.resources);
  if (!envelope.resources.empty())
    resources.array([&] {
      const auto arn = text(resources);
      if (model::parse_ecs_arn(arn, "service")) failure.service = names.id(last_part(arn));
    });
  const auto at = parse_record_time(created.empty() ? envelope.time : created);
  if (!at || failure.service == kNoName) return history_.counts.skip(Unused::kIncomplete, place);
  // The examples of the documentation repeat one id for different failures.
  if (!seen_ids_.insert(fmt::format("{} {} {}", envelope.id, created, reason)).second)
    return history_.counts.skip(Unused::kDuplicate, place);
  failure.at = at->at;
  failure.cluster = names.id(cluster);
  note_cluster(failure.cluster);
  failure.reason = names.id(reason);
  history_.failures.push_back(std::move(failure));
}

void RecordBuilder::add_call(const Envelope& envelope, RecordPlace place) {
  ++history_.counts.calls;
  const std::string_view call = envelope.call;
  if (!envelope.error.empty()) return history_.counts.skip(Unused::kNotNeeded, place);
  if (!envelope.id.empty() && !seen_ids_.insert(std::string(envelope.id)).second)
    return history_.counts.skip(Unused::kDuplicate, place);
  if (call == "RunTask") return add_run_task(envelope, place, false);
  if (call == "StartTask") return add_run_task(envelope, place, true);
  if (call == "CreateService") return add_service(envelope, place, false);
  if (call == "UpdateService") return add_service(envelope, place, true);
  if (call == "SubmitTaskStateChange") return add_state_change(envelope, place);
  if (call == "StopTask") return add_stopped_task(envelope, place);
  if (call == "RegisterContainerInstance" || call == "DeregisterContainerInstance" ||
      call == "UpdateContainerInstancesState")
    return add_instances_of(envelope, place);
  if (call == "RegisterTaskDefinition") {
    JsonCursor cursor(envelope.response.empty() ? envelope.request : envelope.response);
    std::string_view definition;
    cursor.object([&](std::string_view key) {
      if (key == "taskDefinition") return static_cast<void>(definition = cursor.raw());
      cursor.skip();
    });
    if (definition.empty()) return history_.counts.skip(Unused::kIncomplete, place);
    history_.definitions.push_back({std::string(definition), place});
    return;
  }
  history_.counts.skip(Unused::kNotNeeded, place);
}

void RecordBuilder::add_run_task(const Envelope& envelope, RecordPlace place, bool is_start) {
  const auto at = parse_record_time(envelope.time);
  if (!at) return history_.counts.skip(Unused::kIncomplete, place);
  auto& names = history_.names;
  RecordedCall call;
  call.at = at->at;
  call.place = place;
  call.request = names.id(request_terms(envelope.request));
  JsonCursor request(envelope.request);
  request.object([&](std::string_view key) {
    if (key == "cluster") return static_cast<void>(call.cluster = names.id(text(request)));
    if (key == "count") return static_cast<void>(call.count = request.integer().value_or(1));
    request.skip();
  });
  const auto number = static_cast<std::uint32_t>(history_.calls.size());
  JsonCursor response(envelope.response);
  const auto read_failure = [&] {
    std::string_view arn, reason;
    response.object([&](std::string_view key) {
      if (key == "arn") return static_cast<void>(arn = text(response));
      if (key == "reason") return static_cast<void>(reason = text(response));
      response.skip();
    });
    call.failures.emplace_back(names.id(arn), names.id(reason));
  };
  const auto read_one = [&] {
    TaskFields fields = read_task(response);
    if (fields.arn.empty()) return;
    if (fields.created.empty()) fields.created = envelope.time;
    const NameId cluster = names.id(fields.cluster);
    note_cluster(cluster);
    if (call.cluster == kNoName || !names.text(call.cluster).starts_with("arn:")) call.cluster = cluster;
    merge(fields, place, false);
    const std::uint32_t index = task_index(fields.arn, place);
    history_.tasks[index].call = number;
    history_.tasks[index].is_started_on |= is_start;
    call.tasks.push_back(index);
  };
  if (!envelope.response.empty())
    response.object([&](std::string_view key) {
      if (key == "tasks") return response.array(read_one);
      if (key == "failures") return response.array(read_failure);
      response.skip();
    });
  history_.calls.push_back(std::move(call));
}

void RecordBuilder::add_service(const Envelope& envelope, RecordPlace place, bool is_update) {
  const auto at = parse_record_time(envelope.time);
  auto& names = history_.names;
  RecordedService service;
  service.place = place;
  service.is_update = is_update;
  service.request = names.id(request_terms(envelope.request));
  JsonCursor cursor(envelope.request);
  cursor.object([&](std::string_view key) {
    if (key == "cluster") return static_cast<void>(service.cluster = names.id(text(cursor)));
    if (key == "service" || key == "serviceName")
      return static_cast<void>(service.name = names.id(last_part(text(cursor))));
    cursor.skip();
  });
  if (!at || service.name == kNoName) return history_.counts.skip(Unused::kIncomplete, place);
  service.at = at->at;
  history_.services.push_back(service);
}

void RecordBuilder::add_instances_of(const Envelope& envelope, RecordPlace place) {
  JsonCursor cursor(envelope.response);
  std::vector<std::string_view> found;
  if (!envelope.response.empty())
    cursor.object([&](std::string_view key) {
      if (key == "containerInstance") return found.push_back(cursor.raw());
      if (key == "containerInstances") return cursor.array([&] { found.push_back(cursor.raw()); });
      cursor.skip();
    });
  if (found.empty()) return history_.counts.skip(Unused::kIncomplete, place);
  for (const auto json : found) add_instance(json, envelope.time, place, false);
}

/// The EC2 ID of an instance whose role made the call: the name of the session of an instance profile is that ID.
std::string_view RecordBuilder::calling_instance(std::string_view caller) {
  JsonCursor cursor(caller);
  std::string_view arn;
  cursor.object([&](std::string_view key) {
    if (key == "arn") return static_cast<void>(arn = text(cursor));
    cursor.skip();
  });
  const std::string_view session = last_part(arn);
  return session.starts_with("i-") ? session : std::string_view();
}

/// What the agent of an instance reports of a task.
void RecordBuilder::add_state_change(const Envelope& envelope, RecordPlace place) {
  JsonCursor cursor(envelope.request);
  std::string_view arn, status, pull, cluster;
  cursor.object([&](std::string_view key) {
    if (key == "task") return static_cast<void>(arn = text(cursor));
    if (key == "status") return static_cast<void>(status = text(cursor));
    if (key == "pullStartedAt") return static_cast<void>(pull = text(cursor));
    if (key == "cluster") return static_cast<void>(cluster = text(cursor));
    cursor.skip();
  });
  if (arn.empty()) return history_.counts.skip(Unused::kNotNeeded, place);
  const auto at = parse_record_time(envelope.time);
  if (!at) return history_.counts.skip(Unused::kIncomplete, place);
  auto& names = history_.names;
  auto& task = history_.tasks[task_index(arn, place)];
  if (task.cluster == kNoName && !cluster.empty()) task.cluster = names.id(cluster);
  if (const auto instance = calling_instance(envelope.caller); !instance.empty()) task.reported_by = names.id(instance);
  if (status != "STOPPED") lower_to(task.reported, at->at);
  if (const auto pulled = parse_record_time(pull)) lower_to(task.reported, pulled->at);
  if (status != "STOPPED" || task.stopped != kNoTime) return;
  task.stopped = at->at;
  task.ended_in_second = true;
}

void RecordBuilder::add_stopped_task(const Envelope& envelope, RecordPlace place) {
  JsonCursor cursor(envelope.response);
  if (envelope.response.empty()) return history_.counts.skip(Unused::kIncomplete, place);
  cursor.object([&](std::string_view key) {
    if (key != "task") return cursor.skip();
    TaskFields fields = read_task(cursor);
    if (fields.arn.empty()) return;
    if (fields.updated.empty()) fields.updated = envelope.time;
    merge(fields, place, false);
  });
}

History RecordBuilder::finish() && {
  auto& seen = history_.observations;
  const auto key = [](const InstanceObservation& one) { return std::tuple(one.instance, one.version, one.at); };
  std::stable_sort(seen.begin(), seen.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::vector<InstanceObservation> kept;
  kept.reserve(seen.size());
  for (const auto& one : seen) {
    const bool is_versioned = one.version > 0 && !kept.empty() && kept.back().instance == one.instance;
    if (is_versioned && kept.back().version == one.version) {
      history_.counts.skip(Unused::kDuplicate, one.place);
      continue;
    }
    if (is_versioned && one.version > kept.back().version) {
      history_.counts.version_gaps += kept.back().version > 0 ? one.version - kept.back().version - 1 : 0;
      if (one.at < kept.back().at) ++history_.counts.backward_clocks;
    }
    kept.push_back(one);
  }
  std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  seen = std::move(kept);
  for (const auto& task : history_.tasks) {
    if (task.seen_versions == 0) continue;
    const int lowest = std::countr_zero(task.seen_versions) + 1;
    history_.counts.version_gaps += std::max(0, task.newest_version - lowest + 1 - task.versions);
  }
  return std::move(history_);
}

}  // namespace bayplan::replay
