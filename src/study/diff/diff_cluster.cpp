#include "study/diff/diff_cluster.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "base/files.hpp"
#include "base/json_writer.hpp"
#include "placement/engine/engine.hpp"
#include "placement/engine/not_placeable.hpp"
#include "placement/model/redeploy.hpp"
#include "placement/verify/verify.hpp"
#include "study/diff/diff_canonical.hpp"
#include "study/diff/diff_side.hpp"
#include "study/in_flight.hpp"
#include "text/read.hpp"
#include "text/write_value.hpp"

namespace bayplan::study {

namespace {

/// Definitions of OLD and NEW as files of their own beside those on disk, so that they are loaded as any other,
/// whatever they were part of.
class DefinitionFiles : public Files {
 public:
  explicit DefinitionFiles(const Files& disk) : disk_(disk) {}

  /// The path by which the definition can be read. It states no revision: it is none of those registered.
  std::string add(const SideDefinition& definition, const std::string& family);
  /// The file that a path made by `add` stands for; other paths are what they are.
  std::string find_origin(const std::string& path) const;

  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  bool exists(const std::string& path) const override;
  bool is_folder(const std::string& path) const override { return disk_.is_folder(path); }
  std::string absolute(const std::string& path) const override { return disk_.absolute(path); }
  Result<std::vector<std::string>> list(const std::string& folder) const override { return disk_.list(folder); }
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override;

 private:
  struct Made {
    std::string text;
    std::string written_in;
  };

  const Files& disk_;
  std::map<std::string, Made, std::less<>> made_;
};

std::string as_json(text::Value root, const std::string& family) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object().member("family", family);
  if (root.is_array()) {
    json.key("containerDefinitions");
    write_value(json, root);
  } else {
    for (const text::Value member : members_of(root)) {
      if (member.key() == "family" || is_read_only(member.key())) continue;
      json.key(member.key());
      write_value(json, member);
    }
  }
  json.end_object().finish();
  return out.str();
}

std::string DefinitionFiles::add(const SideDefinition& definition, const std::string& family) {
  const std::string path = "diff definition " + std::to_string(made_.size()) + ".json";
  made_.emplace(path, Made{as_json(definition.compared.root, family), definition.file});
  return path;
}

std::string DefinitionFiles::find_origin(const std::string& path) const {
  const auto found = made_.find(path);
  return found == made_.end() ? path : found->second.written_in;
}

Result<std::string> DefinitionFiles::read(const std::string& path, std::size_t limit) const {
  const auto found = made_.find(path);
  return found == made_.end() ? disk_.read(path, limit) : Result<std::string>(found->second.text);
}

bool DefinitionFiles::exists(const std::string& path) const {
  return made_.contains(path) || disk_.exists(path);
}

Result<std::unique_ptr<NewFile>> DefinitionFiles::create(const std::string& path) {
  return Error{.message = "nothing is written here", .file = path};
}

}  // namespace

using namespace placement;  // NOLINT: the study of placements is about nothing else
using namespace scenario;   // NOLINT

namespace {

/// Members that a scenario has, and no other description of a cluster.
bool is_scenario(const std::string& path, const Files& files, const Limits& limits) {
  if (files.is_folder(path)) return false;
  auto bytes = files.read(path, limits.definition_bytes);
  if (!bytes) return false;
  const auto document =
      text::read_document(std::move(*bytes), {.format = text::format_of_name(path), .limits = limits});
  const auto root = document->root();
  return root && root.is_object() && (root.find("cluster") || root.find("taskDefinitions"));
}

/// The workloads of one question among those of the scenario.
struct Asked {
  std::optional<std::uint32_t> before;
  std::optional<std::uint32_t> after;
};

class ClusterInquiry {
 public:
  ClusterInquiry(const std::vector<ClusterQuestion>& questions, const Files& files, catalog::Catalog& catalog)
      : questions_(questions), files_(files), catalog_(catalog) {}

  ClusterAnswers run(ScenarioRequest request, const Limits& limits) {
    if (!load(std::move(request), limits)) return std::move(answers_);
    answers_.region = scenario_->region;
    find_types();
    for (std::size_t i = 0; i < questions_.size() && answers_.mistakes.empty(); ++i) {
      ClusterEffect effect;
      effect.before = compute_room(asked_[i].before);
      effect.after = compute_room(asked_[i].after);
      if (asked_[i].after) roll_out(questions_[i].family, asked_[i], effect);
      answers_.effects.push_back(std::move(effect));
    }
    return std::move(answers_);
  }

 private:
  bool load(ScenarioRequest request, const Limits& limits) {
    std::vector<std::pair<std::string, std::string>> paths;
    for (const auto& question : questions_) {
      paths.emplace_back(path_of(question.before, question.family), path_of(question.after, question.family));
      for (const auto& path : {paths.back().second, paths.back().first}) {  // NEW has the next revision
        if (!path.empty()) request.tasks.push_back(path + "=max");
      }
    }
    if (request.cluster && is_scenario(*request.cluster, files_, limits)) {
      request.scenario = *request.cluster;
      request.cluster.reset();
    }
    request.may_be_idle = true;
    request.takes_services = true;
    auto loaded = load_settled(request, files_, catalog_, limits);
    if (!loaded.scenario) {
      refuse_time(request, limits);
      if (!answers_.errors.empty()) return false;
      loaded = without_services(std::move(loaded), std::move(request), limits);
    }
    answers_.errors = std::move(loaded.errors);
    for (auto& error : answers_.errors) error.file = files_.find_origin(error.file);
    if (!loaded.scenario) return false;
    scenario_ = std::move(*loaded.scenario);
    for (const auto& error : scenario_->not_simulated) answers_.errors.push_back(error);
    for (const auto& error : refuse_over_time(*scenario_, "diff")) answers_.errors.push_back(error);
    for (const auto& [before, after] : paths) asked_.push_back({workload_of(before), workload_of(after)});
    take_out_questions();
    return answers_.errors.empty();
  }

  /// What a scenario says of time is told, not what follows from it.
  void refuse_time(ScenarioRequest request, const Limits& limits) {
    request.tasks.clear();
    const auto alone = load_settled(request, files_, catalog_, limits);
    if (alone.scenario) answers_.errors = refuse_over_time(*alone.scenario, "diff");
  }

  /// What is missing to let the services of a live cluster act does not matter to how many copies fit.
  LoadedScenario without_services(LoadedScenario failed, ScenarioRequest request, const Limits& limits) {
    request.takes_services = false;
    auto loaded = load_settled(request, files_, catalog_, limits);
    if (!loaded.scenario) return failed;
    for (const auto& error : failed.errors)
      answers_.assumptions.push_back({"deployments-not-tried", error.file, error.message});
    return loaded;
  }

  std::string path_of(const SideDefinition* definition, const std::string& family) {
    return definition == nullptr ? std::string() : files_.add(*definition, family);
  }

  std::optional<std::uint32_t> workload_of(const std::string& path) const {
    for (std::uint32_t i = 0; i < scenario_->workloads.size(); ++i) {
      const auto& workload = scenario_->workloads[i];
      if (!path.empty() && scenario_->task_definitions[workload.task_definition].origin.file == path) return i;
    }
    return std::nullopt;
  }

  /// Each is asked alone: until then none of them takes a place.
  void take_out_questions() {
    for (const auto& asked : asked_) {
      for (const auto& workload : {asked.before, asked.after}) {
        if (workload) scenario_->workloads[*workload].count = 0;
      }
    }
    std::erase_if(scenario_->calls, [&](const Call& call) { return is_question(call.workload); });
    for (const auto& one : scenario_->assumptions) {
      const bool is_ours = one.id == "revision-counted" || one.id == "service-already-runs";
      const bool is_known =
          std::find(answers_.assumptions.begin(), answers_.assumptions.end(), one) != answers_.assumptions.end();
      if (!is_ours && !is_known) answers_.assumptions.push_back(one);
    }
  }

  bool is_question(std::uint32_t workload) const {
    return std::any_of(asked_.begin(), asked_.end(),
                       [&](const Asked& one) { return one.before == workload || one.after == workload; });
  }

  void find_types() {
    std::set<std::string> names;
    for (const auto& profile : scenario_->profiles) names.insert(profile.instance_type);
    for (const auto& type : catalog_.types()) {
      if (names.contains(type.name)) answers_.types.push_back(&type);
    }
  }

  std::optional<Room> compute_room(std::optional<std::uint32_t> workload) {
    if (!workload) return std::nullopt;
    auto scenario = std::make_shared<Scenario>(*scenario_);
    scenario->workloads[*workload].count.reset();
    const auto outcome = place(*scenario);
    note(verify(*scenario, outcome));
    Room room{.scenario = scenario};
    room.copies = std::count_if(outcome.placements.begin(), outcome.placements.end(),
                                [&](const auto& placement) { return placement.attempt.workload == *workload; });
    for (const auto& limit : outcome.limits) {
      if (limit.attempt.workload == *workload) room.why = explained(outcome, limit);
    }
    return room;
  }

  void roll_out(const std::string& family, const Asked& asked, ClusterEffect& effect) {
    for (std::uint32_t i = 0; i < scenario_->workloads.size() && answers_.mistakes.empty(); ++i) {
      const auto& workload = scenario_->workloads[i];
      if (workload.kind == WorkloadKind::kTasks || is_question(i)) continue;
      if (scenario_->task_definitions[workload.task_definition].family != family) continue;
      ServiceRollout rollout{workload.name, deployed(i, *asked.after)};
      if (!rollout.finishes() && asked.before) rollout.could_before = deployed(i, *asked.before)->finishes();
      effect.rollouts.push_back(std::move(rollout));
    }
  }

  std::shared_ptr<const DeployedVariant> deployed(std::uint32_t service, std::uint32_t question) {
    Variant variant;
    variant.deployments = {{service, scenario_->workloads[question].task_definition}};
    auto result = std::make_shared<const DeployedVariant>(deploy(*scenario_, variant));
    note(result->mistakes);
    for (auto& one : deployment_assumptions(*result->scenario)) {
      auto& known = answers_.assumptions;
      const auto& name = scenario_->workloads[service].name;
      if (one.subject == name && std::find(known.begin(), known.end(), one) == known.end())
        known.push_back(std::move(one));
    }
    return result;
  }

  void note(const std::vector<std::string>& mistakes) {
    answers_.mistakes.insert(answers_.mistakes.end(), mistakes.begin(), mistakes.end());
  }

  const std::vector<ClusterQuestion>& questions_;
  DefinitionFiles files_;
  catalog::Catalog& catalog_;
  std::optional<Scenario> scenario_;
  std::vector<Asked> asked_;  ///< One entry per question.
  ClusterAnswers answers_;
};

}  // namespace

bool ClusterEffect::fits_nowhere() const {
  return rollouts.empty() && after && after->copies == 0 && (!before || before->copies > 0);
}

bool ClusterEffect::holds_up() const {
  return std::any_of(rollouts.begin(), rollouts.end(),
                     [](const auto& one) { return !one.finishes() && one.could_before; });
}

ClusterAnswers ask_cluster(const std::vector<ClusterQuestion>& questions, ScenarioRequest cluster, const Files& files,
                           catalog::Catalog& catalog, const Limits& limits) {
  return ClusterInquiry(questions, files, catalog).run(std::move(cluster), limits);
}

}  // namespace bayplan::study
