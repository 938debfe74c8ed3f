// What a replay knows before the first record: the cluster, its services and definitions, and the order of the records.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "model/ecs_arn.hpp"
#include "replay/replayer.hpp"

namespace bayplan::replay {
namespace {

constexpr Milliseconds kMinute = 60'000;

std::string_view id_of(std::string_view arn) {
  return arn.substr(arn.rfind('/') + 1);
}

/// Tasks in the order of the records that place them, those of one call in the order of its answer: a report of a task
/// may have been read before.
std::vector<std::uint32_t> order_of_placement(const History& history) {
  std::vector<std::uint32_t> position(history.tasks.size());
  for (const auto& call : history.calls) {
    for (std::uint32_t i = 0; i < call.tasks.size(); ++i) position[call.tasks[i]] = i;
  }
  const auto key = [&](std::uint32_t task) {
    const auto& own = history.tasks[task];
    const RecordPlace place = own.call == kNoIndex ? own.place : history.calls[own.call].place;
    return std::tuple(place.file, place.line, own.call, position[task]);
  };
  std::vector<std::uint32_t> order(history.tasks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return order;
}

bool is_on_instances(std::string_view launch_type) {
  return launch_type != "FARGATE" && launch_type != "EXTERNAL";
}

}  // namespace

Replayer::Replayer(History history, std::vector<Snapshot> snapshots, Scenario definitions, const ReplayRequest& request,
                   const catalog::Catalog& catalog)
    : history_(result_.history), snapshots_(std::move(snapshots)), request_(request), catalog_(catalog) {
  history_ = std::move(history);
  result_.snapshots = snapshots_.size();
  choose_cluster();
  Scenario scenario = std::move(definitions);
  if (!snapshots_.empty()) {
    scenario = snapshots_.front().scenario;
    start_ = snapshots_.front().at;
    result_.assumptions = scenario.assumptions;
    for (const auto& service : scenario.services) service_terms_[service.name] = add_terms(terms_of_service(service));
  }
  region_ = scenario.region;
  cluster_ = std::make_unique<RecordedCluster>(std::move(scenario), catalog);
  judge_ = std::make_unique<Judge>(*cluster_);
  ties_ = std::make_unique<TieRules>(*cluster_);
  stopping_.resize(cluster_->size());
  judge_->stopping = &stopping_;
  doubts_.resize(cluster_->size());
  judge_->doubts = &doubts_;
  for (std::uint32_t i = 0; i < cluster_->size(); ++i) {
    arn_of_.push_back(history_.names.id(cluster_->profile(i).arn));
    record_of(i).is_checked = true;
  }
  if (request.has_strategies) {
    PlacementTerms terms;
    terms.strategies = request.strategies;
    stated_terms_ = add_terms(std::move(terms));
  }
  tasks_.resize(history_.tasks.size());
  use_definitions();
  find_providers();
  is_open_.resize(history_.tasks.size());
  use_snapshot_tasks();
  make_timeline();
  make_changes();
}

std::uint32_t Replayer::add_terms(PlacementTerms terms) {
  terms_.push_back(std::move(terms));
  return static_cast<std::uint32_t>(terms_.size() - 1);
}

/// The cluster of the snapshots, else the one that most records are of. Records of others are not used.
void Replayer::choose_cluster() {
  std::string name = request_.cluster.value_or("");
  if (name.empty() && !snapshots_.empty()) name = snapshots_.front().scenario.cluster_name;
  std::int64_t most = -1;
  NameId chosen = kNoName;
  for (const auto& [cluster, count] : history_.clusters) {
    if (!name.empty() && cluster_name(history_.names.text(cluster)) != cluster_name(name)) continue;
    if (count > most) {
      most = count;
      chosen = cluster;
    }
  }
  own_cluster_ = chosen;
  result_.cluster = std::string(chosen == kNoName ? cluster_name(name) : cluster_name(history_.names.text(chosen)));
  std::vector<std::string> others;
  for (const auto& [cluster, count] : history_.clusters) {
    if (cluster == chosen) continue;
    others.emplace_back(cluster_name(history_.names.text(cluster)));
    history_.counts.unused[static_cast<std::size_t>(Unused::kOtherCluster)] += count;
  }
  if (others.empty()) return;
  const auto foreign = std::find_if(history_.tasks.begin(), history_.tasks.end(),
                                    [&](const RecordedTask& task) { return !is_own(task.cluster); });
  RecordPlace place;
  if (foreign != history_.tasks.end()) place = foreign->place;
  history_.counts.first_unused[static_cast<std::size_t>(Unused::kOtherCluster)] = place;
  history_.problems.push_back({place, fmt::format("{} in these records; {} is replayed, not {} (--cluster-name NAME)",
                                                  count_of(static_cast<std::int64_t>(others.size()) + 1, "cluster"),
                                                  result_.cluster, join(others, ", "))});
}

/// Records that name no cluster are of the one that is replayed; so are those that name it without its ARN.
bool Replayer::is_own(NameId cluster) const {
  if (cluster == kNoName || cluster == own_cluster_) return true;
  const auto text = history_.names.text(cluster);
  return !text.starts_with("arn:") && text == result_.cluster;
}

void Replayer::use_definitions() {
  for (auto later = snapshots_.begin() + (snapshots_.empty() ? 0 : 1); later != snapshots_.end(); ++later) {
    for (auto& definition : later->scenario.task_definitions) {
      if (!cluster_->definition_named(definition.name)) cluster_->add_definition(definition);
    }
  }
  for (const auto& recorded : history_.definitions) {
    auto definition = definition_of_json(recorded.json, documents_);
    if (!definition) {
      history_.problems.push_back({recorded.place, "the task definition cannot be read"});
    } else if (!cluster_->definition_named(definition->name)) {
      cluster_->add_definition(std::move(*definition));
    }
  }
}

/// Instance events do not name the capacity provider; the tasks of an instance do.
void Replayer::find_providers() {
  for (const auto& task : history_.tasks) {
    if (task.provider != kNoName && task.instance != kNoName) provider_of_.emplace(task.instance, task.provider);
  }
  for (std::uint32_t i = 0; i < cluster_->size(); ++i) {
    const auto provider = provider_of_.find(arn_of_[i]);
    if (provider != provider_of_.end()) cluster_->set_provider(i, std::string(history_.names.text(provider->second)));
  }
}

/// A task of the snapshot as work that begins with it.
void Replayer::note_running(const RunningTask& running, Milliseconds stopped) {
  const auto definition = definition_named(running.task_definition);
  if (running.stopping || !definition) {
    result_.unknown_runs += running.stopping ? 0 : 1;
    return;
  }
  RecordedTask task;
  task.definition = history_.names.id(running.task_definition);
  task.group = history_.names.id(running.group);
  auto terms = terms_of(task);
  if (!terms) terms = unknown_terms_ ? unknown_terms_ : unknown_terms_ = add_terms({});
  result_.runs.push_back({start_, stopped, class_of(held_of(task), *definition, *terms, running.group)});
}

/// Tasks that ran when the snapshot was taken were placed before it.
void Replayer::use_snapshot_tasks() {
  if (snapshots_.empty()) return;
  std::unordered_map<std::string_view, std::uint32_t> by_id;
  for (std::uint32_t i = 0; i < history_.tasks.size(); ++i)
    by_id.emplace(id_of(history_.names.text(history_.tasks[i].arn)), i);
  for (const auto& running : cluster_->scenario().running) {
    const auto found = by_id.find(running.id);
    note_running(running, found == by_id.end() ? kNoTime : history_.tasks[found->second].stopped);
    if (found == by_id.end()) continue;
    auto& task = history_.tasks[found->second];
    if (!is_own(task.cluster)) continue;
    task.is_in_snapshot = true;
    if (task.instance == kNoName) task.instance = arn_of_[running.instance];  // a report of its end names none
    auto& state = tasks_[found->second];
    state = {held_of(task), running.instance, true, !running.stopping};
    if (running.stopping) stopping_[running.instance].push_back({cluster_->groups().number(running.group), 1});
    if (!running.gpus.empty()) devices_[found->second] = running.gpus;
  }
}

Milliseconds Replayer::decision_time(const RecordedTask& task) const {
  return task.was_provisioning || task.created == kNoTime ? task.with_instance : task.created;
}

void Replayer::make_timeline() {
  const auto add = [this](Milliseconds at, Kind kind, std::size_t index) {
    if (at != kNoTime && (start_ == kNoTime || at >= start_))
      timeline_.push_back({at, static_cast<std::uint32_t>(index), kind});
  };
  for (const std::uint32_t i : order_of_placement(history_)) {
    const auto& task = history_.tasks[i];
    if (task.instance == kNoName || !is_own(task.cluster)) continue;
    if (!is_on_instances(history_.names.text(task.launch_type))) continue;
    const Milliseconds at = decision_time(task);
    if (!task.is_in_snapshot) {
      if (start_ != kNoTime && (at == kNoTime || at < start_)) {
        if (at != kNoTime && task.stopped != kNoTime && task.stopped < start_) continue;  // came and went before it
        ++result_.placements;
        count_not_judged(i, at == kNoTime ? NotJudged::kTimeUnknown : NotJudged::kBeforeSnapshot);
        continue;
      }
      if (at == kNoTime) continue;
      ++result_.placements;
      if (result_.first == kNoTime || at < result_.first) result_.first = at;
      result_.last = std::max(result_.last, at);
      add(at, Kind::kDecision, i);
      if (task.was_provisioning && task.created != kNoTime && task.created < at) add(task.created, Kind::kProbe, i);
    }
    const Milliseconds stopping = task.stopping == kNoTime ? task.stopped : task.stopping;
    if (stopping != kNoTime) add(std::max(stopping, at), Kind::kStopping, i);
    if (task.stopped != kNoTime) add(std::max(task.stopped, at), Kind::kStopped, i);
  }
  for (std::size_t i = 0; i < history_.observations.size(); ++i) {
    const auto& seen = history_.observations[i];
    if (is_own(history_.instances[seen.instance].cluster)) add(seen.at, Kind::kObservation, i);
  }
  for (std::size_t i = 0; i < history_.services.size(); ++i) {
    if (is_own(history_.services[i].cluster)) add(history_.services[i].at, Kind::kTerms, i);
  }
  for (std::size_t i = 0; i < history_.failures.size(); ++i) {
    if (is_own(history_.failures[i].cluster)) add(history_.failures[i].at, Kind::kFailure, i);
  }
  for (std::size_t i = 0; i < history_.calls.size(); ++i) {
    if (!history_.calls[i].failures.empty() && is_own(history_.calls[i].cluster))
      add(history_.calls[i].at, Kind::kCallFailure, i);
  }
  for (std::size_t i = 1; i < snapshots_.size(); ++i) add(snapshots_[i].at, Kind::kSnapshot, i);
  find_open_tasks();
  std::stable_sort(timeline_.begin(), timeline_.end(), [](const TimelineItem& a, const TimelineItem& b) {
    return a.at != b.at ? a.at < b.at : a.kind < b.kind;
  });
}

/// Tasks whose end was lost. Instance events show it; without these a task may run as long as the longest of a hundred
/// of its definition, and is uncertain all that time.
void Replayer::find_open_tasks() {
  if (history_.counts.instance_events > 0) return;
  constexpr std::size_t kFewestDurations = 20;
  std::map<NameId, std::vector<Milliseconds>> durations;
  Milliseconds last = kNoTime;
  for (const auto& task : history_.tasks) {
    if (task.instance == kNoName || !is_own(task.cluster)) continue;
    last = std::max({last, task.stopped, decision_time(task)});
    if (task.stopped != kNoTime && task.created != kNoTime)
      durations[task.definition].push_back(task.stopped - task.created);
  }
  for (auto& [definition, list] : durations) std::sort(list.begin(), list.end());
  for (std::size_t i = 0; i < history_.tasks.size(); ++i) {
    const auto& task = history_.tasks[i];
    if (task.stopped != kNoTime || task.instance == kNoName || !is_own(task.cluster)) continue;
    const auto known = durations.find(task.definition);
    if (known == durations.end() || known->second.size() < kFewestDurations) continue;
    const Milliseconds until = decision_time(task) + known->second[known->second.size() * 99 / 100];
    if (until >= last) continue;  // it may run on
    is_open_[i] = true;
    ++result_.presumed_ends;
    timeline_.push_back({until, static_cast<std::uint32_t>(i), Kind::kPresumedEnd});
  }
  find_unseen_tasks(durations);
}

/// Tasks that agents report, and whose placement has no record: it was lost, or they are tasks of a service, which ECS
/// starts without a call. Their instance is known, and what they take is not.
void Replayer::find_unseen_tasks(const std::map<NameId, std::vector<Milliseconds>>& durations) {
  std::optional<Milliseconds> longest;
  for (const auto& [definition, list] : durations)
    longest = std::max(longest.value_or(0), list[list.size() * 99 / 100]);
  const Milliseconds first = start_ != kNoTime ? start_ : result_.first;
  for (std::size_t i = 0; i < history_.tasks.size(); ++i) {
    const auto& task = history_.tasks[i];
    if (task.instance != kNoName || task.reported_by == kNoName || !is_own(task.cluster)) continue;
    if (task.stopped != kNoTime && task.stopped < first) continue;
    const auto index = static_cast<std::uint32_t>(i);
    Milliseconds begin = first;
    if (task.reported != kNoTime) {
      begin = std::max(first, task.reported - kMinute);
    } else if (longest) {
      begin = std::max(first, task.stopped - *longest);
    }
    timeline_.push_back({begin, index, Kind::kUnseenBegin});
    if (task.stopped != kNoTime) {
      timeline_.push_back({std::max(begin, task.stopped), index, Kind::kUnseenEnd});
    } else if (longest) {
      timeline_.push_back({begin + *longest, index, Kind::kUnseenEnd});
    }
  }
}

void Replayer::make_changes() {
  for (std::size_t i = 0; i < history_.tasks.size(); ++i) {
    const auto& task = history_.tasks[i];
    if (task.instance == kNoName || !is_own(task.cluster)) continue;
    auto& changes = instance_records_[task.instance].changes;
    const Milliseconds at = decision_time(task);
    const auto index = static_cast<std::uint32_t>(i);
    changes.push_back({at, index, true});
    if (task.stopped != kNoTime) changes.push_back({std::max(at, task.stopped), index, false});
  }
  for (auto& [arn, record] : instance_records_) {  // each by itself: their order does not matter
    std::stable_sort(record.changes.begin(), record.changes.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
  }
  if (!snapshots_.empty()) return;
  // Without a snapshot an instance is unknown until its first record; one that registered long before was there.
  std::vector<bool> is_seen(history_.instances.size());
  for (const auto& seen : history_.observations) {
    if (is_seen[seen.instance] || !is_own(history_.instances[seen.instance].cluster)) continue;
    is_seen[seen.instance] = true;
    const auto described = described_of(seen.instance, seen.description);
    const bool is_new = described && described->registered_at && *described->registered_at * 1000 + kMinute >= seen.at;
    if (!is_new) all_known_at_ = std::max(all_known_at_, seen.at);
  }
}

}  // namespace bayplan::replay
