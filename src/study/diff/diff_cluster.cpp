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

/// Definitions of OLD and NEW as files of their own next to those on disk, so that they are loaded as any other,
/// whatever they were part of.
class DefinitionFiles : public Files {
 public:
  explicit DefinitionFiles(const Files& disk) : disk_(disk) {}

  /// The path by which the definition can be read. It states no revision: it is none of those registered.
  std::string add(const SideDefinition& definition, const std::string& family);
  /// The file that a path made by `add` represents; other paths are what they are.
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

bool is_question(const std::vector<Asked>& asked, std::uint32_t workload) {
  return std::any_of(asked.begin(), asked.end(),
                     [&](const Asked& one) { return one.before == workload || one.after == workload; });
}

void add_assumption(const Assumption& assumption, ClusterAnswers& answers) {
  auto& known = answers.assumptions;
  if (std::find(known.begin(), known.end(), assumption) == known.end()) known.push_back(assumption);
}

/// Loads the scenario with the definitions of all questions as RunTask requests for as many copies as fit. Where the
/// services of a live cluster cannot act for lack of some data, it is loaded without them: how many copies fit does not
/// depend on that. Notes errors and assumptions in `answers`.
std::optional<Scenario> load_with_questions(ScenarioRequest request, const DefinitionFiles& files,
                                            catalog::Catalog& catalog, const Limits& limits, ClusterAnswers& answers) {
  if (request.cluster && is_scenario(*request.cluster, files, limits)) {
    request.scenario = *request.cluster;
    request.cluster.reset();
  }
  request.may_be_idle = true;
  request.takes_services = true;
  auto loaded = load_settled(request, files, catalog, limits);
  if (!loaded.scenario) {
    // Of a scenario over time that is reported, not what follows from it for the questions.
    ScenarioRequest alone = request;
    alone.tasks.clear();
    const auto without_questions = load_settled(alone, files, catalog, limits);
    if (without_questions.scenario) answers.errors = refuse_over_time(*without_questions.scenario, "diff");
    if (!answers.errors.empty()) return std::nullopt;
    request.takes_services = false;
    auto without_services = load_settled(request, files, catalog, limits);
    if (without_services.scenario) {
      for (const auto& error : loaded.errors)
        answers.assumptions.push_back({"deployments-not-tried", error.file, error.message});
      loaded = std::move(without_services);
    }
  }
  answers.errors = std::move(loaded.errors);
  for (auto& error : answers.errors) error.file = files.find_origin(error.file);
  if (!loaded.scenario) return std::nullopt;
  for (const auto& error : loaded.scenario->not_simulated) answers.errors.push_back(error);
  for (const auto& error : refuse_over_time(*loaded.scenario, "diff")) answers.errors.push_back(error);
  return std::move(loaded.scenario);
}

/// How many copies of the workload fit, and why not one more.
Room compute_room(const Scenario& cluster, std::uint32_t workload, ClusterAnswers& answers) {
  auto scenario = std::make_shared<Scenario>(cluster);
  scenario->workloads[workload].count.reset();
  const auto outcome = place(*scenario);
  const auto mistakes = verify(*scenario, outcome);
  answers.mistakes.insert(answers.mistakes.end(), mistakes.begin(), mistakes.end());
  Room room{.scenario = scenario};
  room.copies = std::count_if(outcome.placements.begin(), outcome.placements.end(),
                              [&](const auto& placement) { return placement.attempt.workload == workload; });
  for (const auto& limit : outcome.limits) {
    if (limit.attempt.workload == workload) room.why = explained(outcome, limit);
  }
  return room;
}

/// The service deploys the definition of a question.
std::shared_ptr<const DeployedVariant> deployed(const Scenario& scenario, std::uint32_t service, std::uint32_t question,
                                                ClusterAnswers& answers) {
  Variant variant;
  variant.deployments = {{service, scenario.workloads[question].task_definition}};
  auto result = std::make_shared<const DeployedVariant>(deploy(scenario, variant));
  answers.mistakes.insert(answers.mistakes.end(), result->mistakes.begin(), result->mistakes.end());
  for (const auto& one : deployment_assumptions(*result->scenario)) {
    if (one.subject == scenario.workloads[service].name) add_assumption(one, answers);
  }
  return result;
}

}  // namespace

bool ClusterEffect::fits_nowhere() const {
  return rollouts.empty() && after && after->copies == 0 && (!before || before->copies > 0);
}

bool ClusterEffect::holds_up() const {
  return std::any_of(rollouts.begin(), rollouts.end(),
                     [](const auto& one) { return !one.finishes() && one.could_before; });
}

ClusterAnswers ask_cluster(const std::vector<ClusterQuestion>& questions, ScenarioRequest request, const Files& disk,
                           catalog::Catalog& catalog, const Limits& limits) {
  ClusterAnswers answers;
  DefinitionFiles files(disk);
  std::vector<std::pair<std::string, std::string>> paths;  // of each question; empty = it has no such definition
  for (const auto& question : questions) {
    const auto path_of = [&](const SideDefinition* definition) {
      return definition == nullptr ? std::string() : files.add(*definition, question.family);
    };
    auto after = path_of(question.after);  // NEW has the next revision, so it comes first
    auto before = path_of(question.before);
    for (const auto& path : {after, before}) {
      if (!path.empty()) request.tasks.push_back(path + "=max");
    }
    paths.emplace_back(std::move(before), std::move(after));
  }
  auto loaded = load_with_questions(std::move(request), files, catalog, limits, answers);
  if (!loaded) return answers;
  Scenario& scenario = *loaded;

  // Each question is asked alone: until then none of its workloads takes a place.
  std::vector<Asked> asked;
  const auto workload_of = [&](const std::string& path) -> std::optional<std::uint32_t> {
    for (std::uint32_t i = 0; i < scenario.workloads.size() && !path.empty(); ++i) {
      if (scenario.task_definitions[scenario.workloads[i].task_definition].origin.file == path) return i;
    }
    return std::nullopt;
  };
  for (const auto& [before, after] : paths) asked.push_back({workload_of(before), workload_of(after)});
  for (const auto& one : asked) {
    if (one.before) scenario.workloads[*one.before].count = 0;
    if (one.after) scenario.workloads[*one.after].count = 0;
  }
  std::erase_if(scenario.calls, [&](const Call& call) { return is_question(asked, call.workload); });
  for (const auto& one : scenario.assumptions) {
    const bool is_of_questions = one.id == "revision-counted" || one.id == "service-already-runs";
    if (!is_of_questions) add_assumption(one, answers);
  }
  if (!answers.errors.empty()) return answers;

  answers.region = scenario.region;
  std::set<std::string> types;
  for (const auto& profile : scenario.profiles) types.insert(profile.instance_type);
  for (const auto& type : catalog.types()) {
    if (types.contains(type.name)) answers.types.push_back(&type);
  }
  for (std::size_t i = 0; i < questions.size() && answers.mistakes.empty(); ++i) {
    const auto [before, after] = asked[i];
    ClusterEffect effect;
    if (before) effect.before = compute_room(scenario, *before, answers);
    if (after) effect.after = compute_room(scenario, *after, answers);
    for (std::uint32_t w = 0; after && w < scenario.workloads.size() && answers.mistakes.empty(); ++w) {
      const auto& workload = scenario.workloads[w];
      if (workload.kind == WorkloadKind::kTasks || is_question(asked, w)) continue;
      if (scenario.task_definitions[workload.task_definition].family != questions[i].family) continue;
      ServiceRollout rollout{workload.name, deployed(scenario, w, *after, answers)};
      if (!rollout.finishes() && before) rollout.could_before = deployed(scenario, w, *before, answers)->finishes();
      effect.rollouts.push_back(std::move(rollout));
    }
    answers.effects.push_back(std::move(effect));
  }
  return answers;
}

}  // namespace bayplan::study
