#include "importers/terraform_modules.hpp"

#include <algorithm>

#include "base/path_sandbox.hpp"
#include "importers/cloudformation.hpp"
#include "importers/terraform.hpp"
#include "importers/terraform_resources.hpp"

namespace bayplan::importers {

std::vector<std::vector<Subject>> subjects_of_code(const std::vector<const text::Document*>& files,
                                                   const shape::RequestSchemas& schemas, const Limits& limits) {
  auto result = read_terraform(files, schemas, limits);
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (auto& subject : result[i]) {
      const auto& schema = schema_of(subject.kind, schemas).get();
      subject = in_types_of_provider(std::move(subject), *files[i], schema);
    }
  }
  return result;
}

TerraformModules::TerraformModules(const Files& files, std::vector<std::pair<std::string, std::string>> paths,
                                   const GivenVariables& given, const shape::RequestSchemas& schemas,
                                   const Limits& limits)
    : files_(files), given_(given), schemas_(schemas), limits_(limits) {
  std::set<std::string, std::less<>> folders;
  for (auto& [path, sandbox] : paths) {
    const std::string folder = folder_around(path);
    if (folders.insert(folder).second) modules_of_run_.try_emplace(files.absolute(folder), folder, sandbox);
    paths_.insert(path_in_module(path));
  }
  if (modules_of_run_.size() > 1) read_calls();
}

/// Notes which inputs the modules of the run get from each other. Only code with a source like "../web" is parsed.
void TerraformModules::read_calls() {
  std::set<std::string, std::less<>> calling;
  for (const auto& path : paths_) {
    const auto bytes = files_.read(path, limits_.definition_bytes);
    if (bytes && may_call_local_module(*bytes)) calling.insert(folder_around(path));
  }
  for (const auto& folder : calling) {
    const auto parsed = load_folder(folder);
    for (const HclSource& source : parsed->code) {
      for (const auto& block : source.file.body.blocks) {
        const auto called = block.type == "module" ? local_source_of_call(block) : std::nullopt;
        if (!called) continue;
        const std::string absolute = files_.absolute(path_in(folder, *called));
        if (!modules_of_run_.contains(absolute)) continue;
        auto& names = inputs_[absolute].set_by_callers;
        for (const auto& attribute : block.body.attributes) names.insert(attribute.name);
      }
    }
  }
}

std::shared_ptr<const HclFolder> TerraformModules::load_folder(const std::string& folder) const {
  using Parsed = Lazy<std::shared_ptr<const HclFolder>>;
  constexpr std::size_t kMostRecent = 256;
  const std::string absolute = files_.absolute(folder);
  std::shared_ptr<const Parsed> parsed;
  {
    const std::lock_guard lock(mutex_);
    parsed = folders_[absolute].lock();
    if (!parsed) {
      parsed = std::make_shared<const Parsed>([this, folder] { return read_hcl_folder(&files_, folder, limits_); });
      folders_[absolute] = parsed;
      recent_.push_back(parsed);
      if (recent_.size() > kMostRecent) recent_.pop_front();
    }
  }
  return parsed->get();
}

std::shared_ptr<const TerraformModule> TerraformModules::evaluate(const ModuleKey& key) const {
  const auto& [folder, sandbox] = key;
  const auto inputs = inputs_.find(files_.absolute(folder));
  // A module that the run calls is no root module: its callers give the values.
  auto evaluated = evaluate_terraform_module({&files_, sandbox.empty() ? folder : sandbox, folder,
                                              [this](const std::string& wanted) { return load_folder(wanted); },
                                              inputs != inputs_.end() ? inputs->second : HclInputs{.given = &given_}},
                                             limits_);
  auto& trees = evaluated.trees;
  std::vector<const text::Document*> documents;
  for (const auto& tree : trees) documents.push_back(tree.document.get());
  auto subjects = subjects_of_code(documents, schemas_, limits_);
  const auto module = std::make_shared<TerraformModule>();
  module->variables = std::move(evaluated.variables);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const bool is_of_run = paths_.contains(trees[i].path);
    const auto [entry, is_new] = module->files.emplace(
        trees[i].path, TerraformFile{std::move(trees[i].document), std::move(subjects[i]), std::move(trees[i].called),
                                     std::move(trees[i].texts), is_of_run});
    for (const Subject& subject : entry->second.subjects) {
      const TerraformModule::Place place{entry->first, &entry->second, &subject};
      module->subjects.emplace(subject.name, place);
      const text::Value family = subject.document->root().find("family");
      const bool has_family = subject.kind == SubjectKind::kTaskDefinition && family && family.is_string();
      if (has_family) module->by_family.emplace(family.text(), place);
    }
  }
  return module;
}

std::shared_ptr<const TerraformModule> TerraformModules::module_in(const ModuleKey& key) const {
  using Evaluated = Lazy<std::shared_ptr<const TerraformModule>>;
  std::shared_ptr<const Evaluated> module;
  {
    const std::lock_guard lock(mutex_);
    auto& known = modules_[key];
    if (!known) known = std::make_shared<const Evaluated>([this, key] { return evaluate(key); });
    module = known;
  }
  return module->get();
}

std::shared_ptr<const TerraformModule> TerraformModules::module_of(const std::string& path,
                                                                   const std::string& sandbox) const {
  auto module = module_in({folder_around(path), sandbox});
  return module->find_file(path) != nullptr ? module : nullptr;
}

std::optional<SubjectOfModule> TerraformModules::in_called_module(const std::vector<ResourceOfModule>& places) const {
  for (const auto& place : places) {
    const auto known = modules_of_run_.find(files_.absolute(place.folder));
    if (known == modules_of_run_.end()) continue;
    const auto module = module_in(known->second);
    auto found = module->subjects.find(place.address);
    // Where a count or for_each is known for this call alone, the module has one resource without an index.
    if (found == module->subjects.end()) found = module->subjects.find(without_indices(place.address));
    if (found != module->subjects.end() && found->second.file->is_of_run) return SubjectOfModule{module, found->second};
  }
  return std::nullopt;
}

const TerraformFile* TerraformModule::find_file(std::string_view path) const {
  const auto found = files.find(path_in_module(path));
  return found == files.end() ? nullptr : &found->second;
}

const TerraformModule::Place* TerraformModule::find_definition(std::string_view name) const {
  const auto found = subjects.find(name);
  if (found != subjects.end() && found->second.subject->kind == SubjectKind::kTaskDefinition) return &found->second;
  const auto of_family = by_family.find(name);
  return by_family.count(name) == 1 ? &of_family->second : nullptr;
}

}  // namespace bayplan::importers
