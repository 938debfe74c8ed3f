#include "replay/replay.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "replay/records/read_records.hpp"
#include "replay/replayer.hpp"
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

}  // namespace

std::string_view word_of(NotJudged why) {
  return kNotJudgedWords[static_cast<std::size_t>(why)].word;
}

std::string_view words_for(NotJudged why) {
  return kNotJudgedWords[static_cast<std::size_t>(why)].words;
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

void Replayer::run_timeline() {
  for (std::size_t i = 0; i < timeline_.size();) {
    const auto& item = timeline_[i];
    const auto is_of_tasks = [](Kind kind) { return kind >= Kind::kStopped && kind <= Kind::kDecision; };
    if (is_of_tasks(item.kind)) {
      i = run_block(i);
      continue;
    }
    if (item.kind == Kind::kTerms) apply_terms(item.index);
    if (item.kind == Kind::kObservation) observe(item.index);
    if (item.kind == Kind::kSnapshot) check_snapshot(snapshots_[item.index]);
    if (item.kind == Kind::kFailure) judge_failure(history_.failures[item.index]);
    if (item.kind == Kind::kPresumedEnd) release(item.index);
    if (item.kind == Kind::kUnseenBegin) begin_unseen(item.index);
    if (item.kind == Kind::kUnseenEnd) end_unseen(item.index);
    if (item.kind == Kind::kCallFailure) judge_call_failures(history_.calls[item.index]);
    ++i;
  }
}

/// Everything of tasks at one time. Returns the index of the item after it.
std::size_t Replayer::run_block(std::size_t begin) {
  std::size_t end = begin;
  std::size_t decisions = 0;
  while (end < timeline_.size() && timeline_[end].at == timeline_[begin].at && timeline_[end].kind <= Kind::kDecision) {
    decisions += timeline_[end].kind == Kind::kDecision ? 1 : 0;
    ++end;
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (timeline_[i].kind != Kind::kProbe) continue;
    const std::uint32_t task = timeline_[i].index;
    const Question question = question_of(history_.tasks[task]);
    if (question.obstacle) continue;
    const auto ruling = judge_->judge(question.task_class, question.provider, question.instance);
    probes_[task] = {ruling.verdict, ruling.is_informative()};
  }
  if (decisions > 0 && end - begin > 1) {
    decide_block(
        {timeline_.begin() + static_cast<std::ptrdiff_t>(begin), timeline_.begin() + static_cast<std::ptrdiff_t>(end)});
    return end;
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (timeline_[i].kind == Kind::kStopped) release(timeline_[i].index);
    if (timeline_[i].kind == Kind::kStopping) stop_counting(timeline_[i].index);
    if (timeline_[i].kind == Kind::kDecision) decide(timeline_[i].index);
  }
  return end;
}

ReplayResult Replayer::run() && {
  run_timeline();
  settle_orders();
  for (auto& [name, part] : by_strategy_) result_.by_strategy.push_back(std::move(part));
  for (auto& [name, part] : by_group_) result_.by_group.push_back(std::move(part));
  const auto more_judged = [](const auto& a, const auto& b) { return a.sums.judged > b.sums.judged; };
  std::stable_sort(result_.by_strategy.begin(), result_.by_strategy.end(), more_judged);
  std::stable_sort(result_.by_group.begin(), result_.by_group.end(), more_judged);
  result_.tie_rules = ties_->fits();
  for (const auto& [variation, fit] : choices_) result_.choices.push_back(fit);
  for (std::uint32_t i = 0; i < cluster_->class_count(); ++i)
    result_.requests.push_back(cluster_->placement_class(i).workload);
  result_.start = start_;
  result_.scenario = cluster_->scenario();
  for (auto& document : documents_) result_.scenario.documents.push_back(std::move(document));
  return std::move(result_);
}

LoadedReplay replay(const ReplayRequest& request, const Files& files, catalog::Catalog& catalog, const Limits& limits) {
  std::vector<Snapshot> snapshots;
  RecordBuilder builder;
  for (const auto& path : request.paths) {
    if (!is_snapshot(path, files, limits)) {
      if (auto error = read_records(path, files, limits, builder)) return {std::nullopt, {std::move(*error)}};
      continue;
    }
    scenario::ScenarioRequest snapshot;
    snapshot.cluster = path;
    snapshot.allow_partial = true;
    snapshot.may_be_idle = true;
    snapshot.definitions = request.definitions;
    auto loaded = scenario::load_scenario(snapshot, files, catalog, limits);
    if (!loaded.scenario) return {std::nullopt, std::move(loaded.errors)};
    snapshots.push_back({path, time_of_snapshot(path, files), std::move(*loaded.scenario)});
  }
  Scenario definitions;
  if (snapshots.empty() && !request.definitions.empty()) {
    scenario::ScenarioRequest stated;
    stated.definitions = request.definitions;
    stated.may_be_idle = true;
    auto loaded = scenario::load_scenario(stated, files, catalog, limits);
    if (!loaded.scenario) return {std::nullopt, std::move(loaded.errors)};
    definitions = std::move(*loaded.scenario);
  }
  std::stable_sort(snapshots.begin(), snapshots.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  History history = std::move(builder).finish();
  return {Replayer(std::move(history), std::move(snapshots), std::move(definitions), request, catalog).run(), {}};
}

}  // namespace bayplan::replay
