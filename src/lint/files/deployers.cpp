#include "lint/files/deployers.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.hpp"
#include "lint/files/folder_search.hpp"
#include "text/read.hpp"

namespace bayplan::lint {
namespace {

using rules::DeployClient;
using text::Value;

constexpr std::string_view kWorkflows = ".github/workflows";
constexpr std::string_view kRenderAction = "aws-actions/amazon-ecs-render-task-definition@";
constexpr std::string_view kDeployAction = "aws-actions/amazon-ecs-deploy-task-definition@";

bool is_yaml(std::string_view name) {
  return name.ends_with(".yml") || name.ends_with(".yaml");
}

/// ecspresso.yml, ecspresso-prod.yaml; config.yaml was the name until version 2.
bool is_ecspresso_name(std::string_view name) {
  if (name == "config.yaml" || name == "config.yml") return true;
  return (is_yaml(name) || name.ends_with(".json")) && lower(name).find("ecspresso") != std::string::npos;
}

std::string_view scalar_text(Value object, std::string_view key) {
  const Value value = object && object.is_object() ? object.find(key) : Value();
  return value && (value.is_string() || value.kind() == text::Kind::kPlaceholder) ? value.text() : std::string_view();
}

std::string folder_above(std::string_view folder) {
  const auto slash = folder.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : std::string(folder.substr(0, slash));
}

/// The folders whose files may name one in `folder`, the nearest first.
std::vector<std::string> folders_around(const std::string& folder, const Files& files) {
  std::vector<std::string> folders{folder};
  while (!files.exists(inside(folders.back(), ".git"))) {
    if (folders.back() == "/" || folders.back().front() != '/') {
      const std::string here = files.absolute(".");
      const bool is_below = folder == here || folder.starts_with(here == "/" ? here : here + "/");
      std::erase_if(folders,
                    [&](const std::string& one) { return one != folder && (!is_below || one.size() < here.size()); });
      break;
    }
    folders.push_back(folder_above(folders.back()));
  }
  return folders;
}

/// `${{ env.NAME }}` and `${{ steps.ID.outputs.task-definition }}` as far as the workflow itself says what they are.
class WorkflowValues {
 public:
  explicit WorkflowValues(std::vector<Value> environments) : environments_(std::move(environments)) {}

  void set_output(std::string_view step, std::string value) {
    if (!step.empty()) outputs_.insert_or_assign(std::string(step), std::move(value));
  }

  /// Nothing for what is known only when the workflow runs.
  std::optional<std::string> resolve(std::string_view given) const {
    const std::string_view value = trim(given);
    if (value.find("${{") == std::string_view::npos)
      return value.empty() ? std::nullopt : std::optional(std::string(value));
    if (!value.starts_with("${{") || !value.ends_with("}}") || value.find("${{", 3) != std::string_view::npos)
      return std::nullopt;
    const std::string_view expression = trim(value.substr(3, value.size() - 5));
    if (expression.starts_with("env.")) {
      for (const Value environment : environments_) {
        if (const auto found = scalar_text(environment, expression.substr(4)); !found.empty()) return resolve(found);
      }
    }
    if (expression.starts_with("steps.") && expression.ends_with(".outputs.task-definition")) {
      const auto output = outputs_.find(expression.substr(6, expression.find('.', 6) - 6));
      if (output != outputs_.end()) return output->second;
    }
    return std::nullopt;
  }

 private:
  std::vector<Value> environments_;  ///< The innermost first.
  std::map<std::string, std::string, std::less<>> outputs_;
};

void add(const rules::Deployment& from, rules::Deployment& to) {
  if (to.named_by.empty()) to.named_by = from.named_by;
  if (to.client == DeployClient::kAny) to.client = from.client;
  to.fills_in_all_images = to.fills_in_all_images || from.fills_in_all_images;
  to.images_filled_in.insert(from.images_filled_in.begin(), from.images_filled_in.end());
}

}  // namespace

rules::Deployment Deployers::find(const std::string& path) const {
  rules::Deployment deployment;
  const std::string absolute = files_.absolute(path);
  const std::string own = folder_above(absolute);
  for (const auto& folder : folders_around(own, files_)) {
    for (const auto& use : uses_in(folder)) {
      if (use.path == absolute) add(use.deployment, deployment);
    }
  }
  return deployment;
}

rules::Deployment Deployers::find_for_template(const std::string& path) const {
  for (const auto& folder : folders_around(folder_above(files_.absolute(path)), files_)) {
    for (const auto& use : uses_in(folder)) {
      if (use.path.empty()) return use.deployment;
    }
  }
  return {};
}

bool Deployers::name_as_service(const std::string& path) const {
  const std::string absolute = files_.absolute(path);
  for (const auto& folder : folders_around(folder_above(absolute), files_)) {
    const auto& uses = uses_in(folder);
    const auto names_it = [&](const Use& use) { return use.path == absolute && use.is_service; };
    if (std::any_of(uses.begin(), uses.end(), names_it)) return true;
  }
  return false;
}

const std::vector<Deployers::Use>& Deployers::uses_in(const std::string& folder) const {
  const std::lock_guard lock(mutex_);
  const auto known = by_folder_.find(folder);
  if (known != by_folder_.end()) return known->second;
  // Nothing is looked for in the root of the file system, where no project is.
  if (folder.empty() || folder == "/") return by_folder_.emplace(folder, std::vector<Use>()).first->second;
  std::vector<Use> uses;
  const auto add_all = [&](std::vector<Use> more) { std::move(more.begin(), more.end(), std::back_inserter(uses)); };
  if (const auto names = files_.list(folder)) {
    // `ecspresso --config NAME` accepts any name; in a folder of many files, reading all of them takes too long.
    constexpr std::size_t kMostRead = 30;
    const bool reads_all = std::count_if(names->begin(), names->end(), is_yaml) <= std::ptrdiff_t{kMostRead};
    for (const auto& name : *names) {
      if (is_ecspresso_name(name) || (reads_all && is_yaml(name))) add_all(read_ecspresso(folder, name));
    }
  }
  const std::string workflows = inside(folder, std::string(kWorkflows));
  if (files_.is_folder(workflows)) {
    if (const auto names = files_.list(workflows)) {
      for (const auto& name : *names) {
        if (is_yaml(name)) add_all(read_workflow(folder, name));
      }
    }
  }
  return by_folder_.emplace(folder, std::move(uses)).first->second;
}

// https://github.com/kayac/ecspresso, "Configuration file": paths are relative to the file.
std::vector<Deployers::Use> Deployers::read_ecspresso(const std::string& folder, const std::string& name) const {
  auto bytes = files_.read(inside(folder, name), limits_.definition_bytes);
  if (!bytes || bytes->find("_definition") == std::string::npos) return {};
  const auto document =
      text::read_document(std::move(*bytes), {.format = text::format_of_name(name), .limits = limits_});
  std::vector<Use> uses;
  for (const std::string_view key : {"task_definition", "service_definition"}) {
    const auto named = scalar_text(document->root(), key);
    if (named.empty() || scalar_text(document->root(), "service").empty()) continue;
    if (!is_ecspresso_name(name) && scalar_text(document->root(), "cluster").empty()) continue;
    uses.push_back({files_.absolute(inside(folder, std::string(named))),
                    {.client = DeployClient::kEcspresso, .named_by = name},
                    key == "service_definition"});
  }
  return uses;
}

// https://github.com/aws-actions/amazon-ecs-render-task-definition: the action writes the image of one container into a
// copy of the file, which a second step may render for another container. Paths are relative to the repository.
std::vector<Deployers::Use> Deployers::read_workflow(const std::string& folder, const std::string& name) const {
  const std::string relative = inside(std::string(kWorkflows), name);
  auto bytes = files_.read(inside(folder, relative), limits_.definition_bytes);
  if (!bytes || bytes->find("aws-actions/amazon-ecs-") == std::string::npos) return {};
  const auto document = text::read_document(std::move(*bytes), {.format = text::Format::kYaml, .limits = limits_});
  const Value root = document->root();
  const Value jobs = root && root.is_object() ? root.find("jobs") : Value();
  if (!jobs || !jobs.is_object()) return {};
  std::map<std::string, rules::Deployment> by_file;
  bool deploys_other_files = false;  // known, or made, only when the workflow runs
  for (const Value job : jobs.children()) {
    const Value steps = job.is_object() ? job.find("steps") : Value();
    if (!steps || !steps.is_array()) continue;
    WorkflowValues values({job.find("env"), root.find("env")});
    for (const Value step : steps.children()) {
      const auto uses = scalar_text(step, "uses");
      const bool renders = uses.starts_with(kRenderAction);
      if (!renders && !uses.starts_with(kDeployAction)) continue;
      const Value inputs = step.find("with");
      const auto given = scalar_text(inputs, "task-definition");
      const auto file = values.resolve(given);
      if (!given.empty() && !renders) {
        deploys_other_files = deploys_other_files || !file || !files_.exists(files_.absolute(inside(folder, *file)));
      }
      if (!file) continue;
      rules::Deployment& deployment = by_file[*file];
      deployment.named_by = relative;
      if (!renders) {
        deployment.client = DeployClient::kGithubAction;
        continue;
      }
      values.set_output(scalar_text(step, "id"), *file);
      const auto container = values.resolve(scalar_text(inputs, "container-name"));
      if (container) deployment.images_filled_in.insert(*container);
      deployment.fills_in_all_images = deployment.fills_in_all_images || !container;
    }
  }
  std::vector<Use> uses;
  if (deploys_other_files) uses.push_back({{}, {.client = DeployClient::kGithubAction, .named_by = relative}});
  for (auto& [file, deployment] : by_file)
    uses.push_back({files_.absolute(inside(folder, file)), std::move(deployment)});
  return uses;
}

}  // namespace bayplan::lint
