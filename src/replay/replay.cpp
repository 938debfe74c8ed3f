#include "replay/replay.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/strategies.hpp"
#include "replay/decisions.hpp"
#include "replay/instance_book.hpp"
#include "replay/records/read_records.hpp"
#include "replay/timeline.hpp"
#include "scenario/described_files.hpp"
#include "scenario/load_scenario.hpp"
#include "text/read.hpp"

namespace bayplan::replay {
namespace {

struct NotJudgedWords {
  std::string_view word;
  std::string_view words;
};

constexpr NotJudgedWords kNotJudgedWords[kNotJudgedKinds] = {
    {"no-state-yet", "the state of the cluster is not recorded yet"},
    {"no-task-definition", "the task definition is missing"},
    {"strategy-unknown", "no record has the strategy"},
    {"time-unknown", "the time of the placement is unknown"},
    {"order-ambiguous", "placed at the same time as others"},
    {"not-a-decision", "StartTask or a daemon service"},
    {"instance-unknown", "no record describes the instance"},
    {"managed-instances", "Managed Instances"},
    {"before-snapshot", "placed before the snapshot"},
    {"end-unknown", "a record of another task is missing"},
};

/// endedAt of the manifest that `bayplan collect` writes.
Milliseconds time_of_snapshot(const std::string& folder, const Files& files) {
  constexpr std::size_t kMostManifest = std::size_t{16} << 20;
  const auto manifest = files.read(folder + "/manifest.json", kMostManifest);
  if (!manifest) return kNoTime;
  const auto document = text::read_document(*manifest, {.format = text::Format::kJson});
  if (!document->root()) return kNoTime;
  for (const std::string_view key : {"endedAt", "startedAt"}) {
    const auto member = document->root().find(key);
    const auto time = member ? parse_record_time(member.text()) : std::nullopt;
    if (time) return time->at;
  }
  return kNoTime;
}

/// A folder is a snapshot if it has a manifest of `bayplan collect`, or a file of describe output; a file if it is such
/// output.
bool is_snapshot(const std::string& path, const Files& files, const Limits& limits) {
  const auto describes = [&](const std::string& file) {
    constexpr std::size_t kBeginning = std::size_t{1} << 16;
    auto reader = files.open(file);
    if (!reader) return false;
    std::string text(kBeginning, '\0');
    const auto count = (*reader)->read(text.data(), text.size());
    if (!count) return false;
    text.resize(*count);
    if (text.find("containerInstances") == std::string::npos) return false;
    const auto whole = files.read(file, limits.snapshot_bytes);
    return whole && scenario::is_describe_output(*whole);
  };
  if (!files.is_folder(path)) return path.ends_with(".json") && describes(path);
  if (files.exists(path + "/manifest.json")) return true;
  const auto names = files.list(path);
  if (!names) return false;
  return std::any_of(names->begin(), names->end(), [&](const std::string& name) {
    return name.ends_with(".json") && !files.is_folder(path + "/" + name) && describes(path + "/" + name);
  });
}

/// The cluster of the snapshots, else the one that most records are of.
NameId find_cluster(const History& history, std::string_view name) {
  std::int64_t most = -1;
  NameId chosen = kNoName;
  for (const auto& [cluster, count] : history.clusters) {
    if (!name.empty() && cluster_name(history.names.text(cluster)) != cluster_name(name)) continue;
    if (count > most) {
      most = count;
      chosen = cluster;
    }
  }
  return chosen;
}

/// Says that the records are of several clusters, and counts those of the others.
void note_other_clusters(History& history, NameId chosen, std::string_view name, RecordPlace first) {
  std::vector<std::string> others;
  for (const auto& [cluster, count] : history.clusters) {
    if (cluster == chosen) continue;
    others.emplace_back(cluster_name(history.names.text(cluster)));
    history.counts.unused[static_cast<std::size_t>(Unused::kOtherCluster)] += count;
  }
  if (others.empty()) return;
  history.counts.first_unused[static_cast<std::size_t>(Unused::kOtherCluster)] = first;
  history.problems.push_back({first, fmt::format("{} in these records; {} is replayed, not {} (--cluster-name NAME)",
                                                 count_of(static_cast<std::int64_t>(others.size()) + 1, "cluster"),
                                                 name, join(others, ", "))});
}

/// Keeps the records of one cluster and returns its name. `wanted`: the name that is asked for; may be empty. Tasks and
/// calls of others stay without content, because records refer to them by number.
std::string keep_one_cluster(History& history, std::string_view wanted) {
  const NameId chosen = find_cluster(history, wanted);
  std::string name(cluster_name(chosen == kNoName ? wanted : history.names.text(chosen)));
  /// Records that name no cluster are of the one that is replayed; so are those that name it without its ARN.
  const auto is_foreign = [&](NameId cluster) {
    if (cluster == kNoName || cluster == chosen) return false;
    const auto text = history.names.text(cluster);
    return text.starts_with("arn:") || text != name;
  };
  RecordPlace first;
  const auto foreign = std::find_if(history.tasks.begin(), history.tasks.end(),
                                    [&](const RecordedTask& task) { return is_foreign(task.cluster); });
  if (foreign != history.tasks.end()) first = foreign->place;
  note_other_clusters(history, chosen, name, first);
  for (auto& task : history.tasks) {
    if (!is_foreign(task.cluster)) continue;
    RecordedTask empty;
    empty.arn = task.arn;
    empty.place = task.place;
    task = empty;
  }
  for (auto& call : history.calls) {
    if (is_foreign(call.cluster)) call.failures.clear();
  }
  std::erase_if(history.observations,
                [&](const InstanceObservation& seen) { return is_foreign(history.instances[seen.instance].cluster); });
  std::erase_if(history.services, [&](const RecordedService& service) { return is_foreign(service.cluster); });
  std::erase_if(history.failures, [&](const RecordedFailure& failure) { return is_foreign(failure.cluster); });
  return name;
}

/// Definitions that later snapshots and the records have. `documents` keep what the definitions refer to.
void add_definitions(History& history, std::vector<Snapshot>& snapshots, RecordedCluster& cluster,
                     std::vector<std::shared_ptr<const text::Document>>& documents) {
  for (std::size_t i = 1; i < snapshots.size(); ++i) {
    for (auto& definition : snapshots[i].scenario.task_definitions) {
      if (!cluster.definition_named(definition.name)) cluster.add_definition(definition);
    }
  }
  for (const auto& recorded : history.definitions) {
    auto definition = definition_of_json(recorded.json, documents);
    if (!definition) {
      history.problems.push_back({recorded.place, "the task definition cannot be read"});
    } else if (!cluster.definition_named(definition->name)) {
      cluster.add_definition(std::move(*definition));
    }
  }
}

/// Tasks that ran when the snapshot was taken were placed before it. Returns the task of each running one of the
/// scenario, or kNoIndex if no record has it.
std::vector<std::uint32_t> mark_running_tasks(History& history, const RecordedCluster& cluster) {
  const auto id_of = [&](NameId arn) {
    const auto text = history.names.text(arn);
    return text.substr(text.rfind('/') + 1);
  };
  std::unordered_map<std::string_view, std::uint32_t> by_id;
  for (std::uint32_t i = 0; i < history.tasks.size(); ++i) by_id.emplace(id_of(history.tasks[i].arn), i);
  std::vector<std::uint32_t> tasks;
  for (const auto& running : cluster.scenario().running) {
    const auto found = by_id.find(running.id);
    tasks.push_back(found == by_id.end() ? kNoIndex : found->second);
    if (found == by_id.end()) continue;
    auto& task = history.tasks[found->second];
    task.is_in_snapshot = true;
    // A report of its end names no instance.
    if (task.instance == kNoName) task.instance = history.names.id(cluster.profile(running.instance).arn);
  }
  return tasks;
}

/// A task of the snapshot as work that begins with it.
void note_running(const RunningTask& running, Milliseconds stopped, History& history, const RecordedCluster& cluster,
                  Requests& requests, ReplayResult& result) {
  const auto definition = cluster.definition_named(running.task_definition);
  if (running.stopping || !definition) {
    result.unknown_runs += running.stopping ? 0 : 1;
    return;
  }
  RecordedTask task;
  task.definition = history.names.id(running.task_definition);
  task.group = history.names.id(running.group);
  const auto terms = requests.terms_of(task);
  result.runs.push_back(
      {result.start, stopped, requests.class_of(task, *definition, terms ? *terms : requests.unknown_terms())});
}

void note_failure(JudgedFailure judged, std::optional<std::uint32_t> task_class,
                  const std::vector<std::uint32_t>& instances, RecordedCluster& cluster, ReplayResult& result) {
  judged.is_known = task_class.has_value();
  if (task_class) {
    judged.fails = !Judge(cluster).is_placeable(*task_class, {});
    std::set<std::string> reasons;
    std::vector<std::uint32_t> asked = instances;
    if (asked.empty()) {
      asked.resize(cluster.size());
      std::iota(asked.begin(), asked.end(), 0);
    }
    for (const auto instance : asked) {
      const auto failed = cluster.filter(*task_class).failing(instance, cluster.states()[instance], {});
      for (const auto check : failed.list()) reasons.insert(reason_text(check, cluster.profile(instance).status));
    }
    judged.has_reason = reasons.contains(judged.reason);
    judged.simulated.assign(reasons.begin(), reasons.end());
    ++result.failures_known;
    result.failures_agreeing += judged.fails ? 1 : 0;
    result.failures_with_reason += judged.has_reason ? 1 : 0;
  }
  if (result.failures.size() < kMostListed) result.failures.push_back(std::move(judged));
}

/// Notes in `result` whether the simulation fails as ECS did: SERVICE_TASK_PLACEMENT_FAILURE of a service. The cluster
/// is as it was at that time.
void judge_failure(const RecordedFailure& failure, const History& history, RecordedCluster& cluster, Requests& requests,
                   ReplayResult& result) {
  const std::string name(history.names.text(failure.service));
  JudgedFailure judged;
  judged.name = name;
  judged.reason = std::string(history.names.text(failure.reason));
  judged.at = failure.at;
  judged.place = failure.place;
  std::vector<std::uint32_t> instances;
  for (const auto arn : failure.instances) {
    if (const auto instance = cluster.find(history.names.text(arn))) instances.push_back(*instance);
  }
  if (instances.size() == 1) judged.instance = cluster.scenario().instances[instances.front()].id;
  std::optional<std::uint32_t> task_class;
  if (const auto terms = requests.terms_of_service(name))
    task_class = requests.class_of_failure(*terms, requests.terms(*terms).task_definition, "service:" + name);
  note_failure(std::move(judged), task_class, instances, cluster, result);
}

/// Does the same for the failures in an answer of RunTask.
void judge_call_failures(std::uint32_t number, const History& history, RecordedCluster& cluster, Requests& requests,
                         ReplayResult& result) {
  const RecordedCall& call = history.calls[number];
  const auto terms = requests.terms_of_call(number);
  std::string name = requests.terms(terms).task_definition;
  std::string group = "family:" + name.substr(0, name.find(':'));
  if (!call.tasks.empty()) {
    const auto& task = history.tasks[call.tasks.front()];
    name = std::string(history.names.text(task.definition));
    group = std::string(history.names.text(task.group));
  }
  const auto task_class = requests.class_of_failure(terms, name, group);
  for (const auto& [arn, reason] : call.failures) {
    JudgedFailure judged;
    judged.name = name;
    judged.reason = std::string(history.names.text(reason));
    judged.at = call.at;
    judged.place = call.place;
    std::vector<std::uint32_t> instances;
    if (const auto instance = cluster.find(history.names.text(arn))) {
      instances.push_back(*instance);
      judged.instance = cluster.scenario().instances[*instance].id;
    }
    note_failure(std::move(judged), task_class, instances, cluster, result);
  }
}

/// Judges the records in the order in which they happened. `definitions`: a scenario with nothing but definitions, for
/// records without a snapshot.
ReplayResult replay_records(History records, std::vector<Snapshot> snapshots, Scenario definitions,
                            const ReplayRequest& request, const catalog::Catalog& catalog) {
  ReplayResult result;
  result.snapshots = snapshots.size();
  History& history = result.history;
  history = std::move(records);
  const std::string& described = snapshots.empty() ? std::string() : snapshots.front().scenario.cluster_name;
  result.cluster = keep_one_cluster(history, request.cluster.value_or(described));
  if (!snapshots.empty()) {
    result.start = snapshots.front().at;
    result.assumptions = snapshots.front().scenario.assumptions;
  }
  RecordedCluster cluster(snapshots.empty() ? std::move(definitions) : snapshots.front().scenario, catalog);
  Requests requests(history, cluster);
  for (const auto& service : cluster.scenario().services) requests.describe(service);
  if (request.has_strategies) requests.state(request.strategies);
  std::vector<std::shared_ptr<const text::Document>> documents;
  add_definitions(history, snapshots, cluster, documents);
  const auto running = mark_running_tasks(history, cluster);
  std::vector<Milliseconds> times;
  for (const auto& snapshot : snapshots) times.push_back(snapshot.at);
  const Timeline timeline = make_timeline(history, times);
  result.placements = timeline.placements;
  result.first = timeline.first;
  result.last = timeline.last;
  result.presumed_ends = timeline.open_tasks;

  TaskStates tasks(history, cluster, requests, timeline.is_open);
  InstanceBook instances(history, cluster, requests, tasks, catalog, !snapshots.empty(), result);
  for (std::size_t i = 0; i < running.size(); ++i) {
    const auto& task = cluster.scenario().running[i];
    if (running[i] != kNoIndex) tasks.add_running(running[i], task);
    const Milliseconds stopped = running[i] == kNoIndex ? kNoTime : history.tasks[running[i]].stopped;
    note_running(task, stopped, history, cluster, requests, result);
  }
  Judge judge(cluster);
  judge.stopping = &tasks.stopping();
  judge.doubts = &tasks.doubts();
  TieRules ties(cluster);
  Tally tally(history, cluster, tasks, judge, ties, request.donates, result);
  for (const auto& [task, why] : timeline.not_judged) tally.count_not_judged(task, why);
  Decisions decisions(history, cluster, requests, tasks, instances, judge, ties, tally, result);

  const std::span<const TimelineItem> items = timeline.items;
  for (std::size_t i = 0; i < items.size();) {
    const auto& item = items[i];
    std::size_t end = i + 1;
    if (item.is_of_task()) {
      while (end < items.size() && items[end].at == item.at && items[end].is_of_task()) ++end;
      decisions.run(items.subspan(i, end - i));
    }
    using Kind = TimelineItem::Kind;
    if (item.kind == Kind::kTerms) requests.apply(history.services[item.index]);
    if (item.kind == Kind::kObservation) instances.observe(history.observations[item.index]);
    if (item.kind == Kind::kSnapshot) instances.check_snapshot(snapshots[item.index]);
    if (item.kind == Kind::kFailure) judge_failure(history.failures[item.index], history, cluster, requests, result);
    if (item.kind == Kind::kCallFailure) judge_call_failures(item.index, history, cluster, requests, result);
    if (item.kind == Kind::kPresumedEnd) tasks.release(item.index);
    if (item.kind == Kind::kUnseenBegin && tasks.begin_unseen(item.index)) ++result.unseen_tasks;
    if (item.kind == Kind::kUnseenEnd) tasks.end_unseen(item.index);
    i = end;
  }
  decisions.settle_orders();
  tally.finish();
  for (std::uint32_t i = 0; i < cluster.class_count(); ++i)
    result.requests.push_back(cluster.placement_class(i).workload);
  result.scenario = cluster.scenario();
  for (auto& document : documents) result.scenario.documents.push_back(std::move(document));
  return result;
}

}  // namespace

std::string_view word_of(NotJudged why) {
  return kNotJudgedWords[static_cast<std::size_t>(why)].word;
}

std::string_view words_for(NotJudged why) {
  return kNotJudgedWords[static_cast<std::size_t>(why)].words;
}

std::string strategy_words(const std::vector<Strategy>& strategies) {
  std::vector<std::string> parts;
  for (const auto& strategy : strategies) parts.push_back(strategy_text(strategy));
  return parts.empty() ? "random" : join(parts, ", ");
}

std::string_view word_of(Variation variation) {
  switch (variation) {
    case Variation::kDrainingTasksIgnored:
      return "draining-tasks-ignored";
    case Variation::kStoppingTasksCounted:
      return "stopping-tasks-counted";
    case Variation::kNoSecondKey:
      return "no-second-key";
    case Variation::kAsSimulated:
      break;
  }
  return "none";
}

namespace {

/// Values of a template's or plan's definition may be unknown as long as nothing depends on them; a replay depends on
/// all of them.
std::optional<Error> find_unknown_value(const Scenario& scenario) {
  for (const auto& definition : scenario.task_definitions) {
    const auto& unknown = definition.requirement.unknown;
    if (unknown.empty()) continue;
    const auto& at = definition.origin;
    return Error{.message = fmt::format("{} of task definition '{}' is unknown", unknown.front(), definition.family),
                 .file = at.file,
                 .line = at.line,
                 .column = at.column,
                 .help = "name a definition whose values are known: FILE#NAME"};
  }
  return std::nullopt;
}

}  // namespace

LoadedReplay replay(const ReplayRequest& request, const Files& files, catalog::Catalog& catalog, const Limits& limits) {
  std::vector<Snapshot> snapshots;
  RecordBuilder builder;
  Limits record_limits = limits;
  record_limits.snapshot_bytes = request.record_bytes;
  for (const auto& path : request.paths) {
    if (!is_snapshot(path, files, limits)) {
      if (auto error = read_records(path, files, record_limits, builder)) return {std::nullopt, {std::move(*error)}};
      continue;
    }
    scenario::ScenarioRequest snapshot;
    snapshot.cluster = path;
    snapshot.allow_partial = true;
    snapshot.may_be_idle = true;
    snapshot.definitions = request.definitions;
    auto loaded = scenario::load_scenario(snapshot, files, catalog, limits);
    if (!loaded.scenario) return {std::nullopt, std::move(loaded.errors)};
    if (auto error = find_unknown_value(*loaded.scenario)) return {std::nullopt, {std::move(*error)}};
    snapshots.push_back({path, time_of_snapshot(path, files), std::move(*loaded.scenario)});
  }
  Scenario definitions;
  if (snapshots.empty() && !request.definitions.empty()) {
    scenario::ScenarioRequest stated;
    stated.definitions = request.definitions;
    stated.may_be_idle = true;
    auto loaded = scenario::load_scenario(stated, files, catalog, limits);
    if (!loaded.scenario) return {std::nullopt, std::move(loaded.errors)};
    if (auto error = find_unknown_value(*loaded.scenario)) return {std::nullopt, {std::move(*error)}};
    definitions = std::move(*loaded.scenario);
  }
  std::stable_sort(snapshots.begin(), snapshots.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  History history = std::move(builder).finish();
  return {replay_records(std::move(history), std::move(snapshots), std::move(definitions), request, catalog), {}};
}

}  // namespace bayplan::replay
