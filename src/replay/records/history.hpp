#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/units.hpp"
#include "replay/records/record_time.hpp"

/// What an account has recorded of its clusters, as compact values: a log has millions of records.
namespace bayplan::replay {

/// A text of the records as a small number.
using NameId = std::uint32_t;
inline constexpr NameId kNoName = std::numeric_limits<NameId>::max();
inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

class Names {
 public:
  NameId id(std::string_view text) {
    if (text.empty()) return kNoName;
    const auto found = ids_.find(text);
    if (found != ids_.end()) return found->second;
    const auto number = static_cast<NameId>(texts_.size());
    ids_.emplace(texts_.emplace_back(text), number);
    return number;
  }
  /// Empty for kNoName.
  std::string_view text(NameId id) const { return id == kNoName ? std::string_view() : std::string_view(texts_[id]); }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;                     ///< Its elements do not move.
  std::unordered_map<std::string_view, NameId> ids_;  ///< Looked up only: its order never shows.
};

/// Where a record is: index into History::files, and the line; 0 if only the file is known.
struct RecordPlace {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
};

/// What a task takes, as its records say; -1 if they do not.
struct TaskSize {
  CpuUnits cpu = -1;
  MiB memory = -1;
  bool operator==(const TaskSize&) const = default;
};

/// One task over its life. Times that no record states are kNoTime.
struct RecordedTask {
  NameId arn = kNoName;
  NameId cluster = kNoName;      ///< ARN, or the name if no record has the ARN.
  NameId instance = kNoName;     ///< ARN of its container instance.
  NameId group = kNoName;        ///< "service:web"
  NameId definition = kNoName;   ///< "web:3"
  NameId provider = kNoName;     ///< Name of its capacity provider.
  NameId launch_type = kNoName;  ///< "EC2" ...
  NameId gpus = kNoName;         ///< IDs of its GPUs, with commas between them.
  NameId started_by = kNoName;   ///< "ecs-svc/..." of a deployment, or what the caller wrote.
  NameId reported_by = kNoName;  ///< EC2 ID of the instance whose agent reported its state (CloudTrail).
  TaskSize size;
  std::uint32_t call = kNoIndex;  ///< Index into History::calls: the RunTask that started it.
  Milliseconds created = kNoTime;
  Milliseconds with_instance = kNoTime;  ///< Time of the first record that names the instance.
  Milliseconds reported = kNoTime;       ///< Its agent had begun to start it: pullStartedAt, or the first report.
  Milliseconds stopping = kNoTime;       ///< desiredStatus became STOPPED.
  Milliseconds stopped = kNoTime;        ///< lastStatus became STOPPED.
  Milliseconds newest = kNoTime;         ///< Time of the record with the highest version.
  std::uint64_t seen_versions = 0;       ///< Bit v-1 for version v, up to 64.
  std::int32_t newest_version = 0;
  std::int32_t versions = 0;       ///< Different versions seen.
  RecordPlace place;               ///< The first record read.
  bool created_in_second = false;  ///< `created` is known to the second only.
  bool ended_in_second = false;    ///< So is `stopped`.
  bool was_provisioning = false;   ///< It waited for its instance: `created` is not the time of the placement.
  bool is_started_on = false;      ///< StartTask named the instance: nothing was decided.
  bool is_in_snapshot = false;     ///< It ran before the records begin.
};

/// registeredResources, attributes and the rest of one state of an instance, as JSON of API_ContainerInstance.
struct InstanceDescription {
  std::string json;
  RecordPlace place;
};

struct RecordedInstance {
  NameId arn = kNoName;
  NameId cluster = kNoName;
  std::vector<InstanceDescription> descriptions;  ///< A new one whenever attributes or registered resources differ.
};

enum class RecordedStatus : std::uint8_t { kUnknown, kActive, kDraining, kInactive, kOther };

/// What one record says of one instance.
struct InstanceObservation {
  Milliseconds at = kNoTime;
  std::uint32_t instance = 0;  ///< Index into History::instances.
  std::int32_t version = 0;
  std::uint32_t description = 0;  ///< Index into RecordedInstance::descriptions.
  RecordedStatus status = RecordedStatus::kUnknown;
  bool agent_connected = true;
  bool is_whole_second = false;
  bool has_remaining = false;
  CpuUnits cpu = 0;  ///< Remaining, as the others.
  MiB memory = 0;
  NameId tcp_ports = kNoName;  ///< Taken: sorted, with commas between them; kNoName = none.
  NameId udp_ports = kNoName;
  NameId free_gpus = kNoName;  ///< IDs, sorted, with commas between them.
  std::int32_t running = -1;   ///< runningTasksCount; -1 = not stated.
  std::int32_t pending = -1;
  RecordPlace place;
};

/// A RunTask call: what its tasks have in common.
struct RecordedCall {
  Milliseconds at = kNoTime;
  NameId cluster = kNoName;                         ///< As the request names it.
  NameId request = kNoName;                         ///< The JSON of requestParameters.
  std::vector<std::uint32_t> tasks;                 ///< Indices into History::tasks.
  std::vector<std::pair<NameId, NameId>> failures;  ///< ARN and reason.
  std::int64_t count = 1;
  RecordPlace place;
};

/// CreateService or UpdateService: what the tasks of a service have in common from then on.
struct RecordedService {
  Milliseconds at = kNoTime;
  NameId cluster = kNoName;
  NameId name = kNoName;
  NameId request = kNoName;  ///< The JSON of requestParameters.
  bool is_update = false;    ///< What the request does not state stays as it was.
  RecordPlace place;
};

/// SERVICE_TASK_PLACEMENT_FAILURE
struct RecordedFailure {
  Milliseconds at = kNoTime;
  NameId service = kNoName;  ///< Its name.
  NameId cluster = kNoName;
  NameId reason = kNoName;  ///< "RESOURCE:CPU"
  std::vector<NameId> instances;
  RecordPlace place;
};

struct RecordedDefinition {
  std::string json;  ///< API_TaskDefinition
  RecordPlace place;
};

/// Why records were not used.
enum class Unused : std::uint8_t {
  kDuplicate,  ///< The same version of the same resource, or the same event, again.
  kForeign,    ///< Not an event of ECS.
  kOtherCluster,
  kNotNeeded,   ///< An event of ECS that says nothing about placement.
  kBroken,      ///< Not JSON, or cut off.
  kIncomplete,  ///< Without an ARN, a time or another member that it must have.
};
inline constexpr std::size_t kUnusedKinds = 6;
/// "duplicate", "foreign" ...: as reports in JSON say it.
std::string_view word_of(Unused why);

/// Something that a reader of the report must know about the records, with its place.
struct RecordProblem {
  RecordPlace place;
  std::string text;
};

/// How much of the records was used.
struct RecordCounts {
  std::int64_t read = 0;
  std::array<std::int64_t, kUnusedKinds> unused{};
  std::array<RecordPlace, kUnusedKinds> first_unused{};  ///< Where the first of each kind is.
  std::int64_t task_events = 0;
  std::int64_t instance_events = 0;
  std::int64_t service_events = 0;
  std::int64_t calls = 0;            ///< CloudTrail.
  std::int64_t version_gaps = 0;     ///< Versions between the first and the last of a resource that no record has.
  std::int64_t backward_clocks = 0;  ///< A higher version with an earlier time.
  std::int64_t apart_clocks = 0;     ///< The envelope and the content are more than five minutes apart.
  std::int64_t whole_second_times = 0;
  std::int64_t incomplete_resources = 0;  ///< remainingResources without a valid CPU or MEMORY.

  void skip(Unused why, RecordPlace place) {
    auto& count = unused[static_cast<std::size_t>(why)];
    if (count++ == 0) first_unused[static_cast<std::size_t>(why)] = place;
  }
  std::int64_t of(Unused why) const { return unused[static_cast<std::size_t>(why)]; }
  std::int64_t used() const;
};

struct History {
  Names names;
  std::vector<std::string> files;  ///< As the user named them.
  std::vector<RecordedTask> tasks;
  std::vector<RecordedInstance> instances;
  std::vector<InstanceObservation> observations;  ///< By time, each version of an instance once.
  std::vector<RecordedCall> calls;
  std::vector<RecordedService> services;
  std::vector<RecordedFailure> failures;
  std::vector<RecordedDefinition> definitions;
  std::map<NameId, std::int64_t> clusters;  ///< Records by cluster.
  RecordCounts counts;
  std::vector<RecordProblem> problems;

  std::string where(RecordPlace place) const;  ///< "events.jsonl:12"
};

/// Name of the cluster in an ARN, or the text itself.
std::string_view cluster_name(std::string_view arn_or_name);

}  // namespace bayplan::replay
