#include "lint/files/definition_links.hpp"

#include <algorithm>

#include "base/path_sandbox.hpp"
#include "lint/files/folder_search.hpp"
#include "model/definition_reference.hpp"

namespace bayplan::lint {
namespace {

/// A file that may hold a definition. Nothing is in it if it cannot be read or does not look like one.
ReadFile read_definition(const RunInput& run, const Candidate& candidate) {
  auto bytes = candidate.content ? Result<std::string>(*candidate.content)
                                 : run.files.read(candidate.path, run.options.limits.definition_bytes);
  if (!bytes || !may_be_linted(*bytes)) return {.file = candidate.path};
  return read_file(std::move(*bytes), candidate.path, candidate.search, run.options, run.tools,
                   {candidate.content ? nullptr : &run.files, candidate.folder});
}

}  // namespace

std::string family_of(const ReadFile& file) {
  const bool is_definition = file.kind == rules::FileKind::kTaskDefinition || file.kind == rules::FileKind::kDescribe;
  if (!is_definition || !file.document->root() || !is_whole(file)) return {};
  const text::Value family = definition_of(*file.document).find("family");
  return family && family.is_string() ? std::string(family.text()) : std::string();
}

Definitions DefinitionFamilies::read(const RunInput& run, const std::vector<Source>& sources) {
  Definitions definitions;
  for (const auto& source : sources) {
    auto document = source.document;
    if (!document) {
      const auto read = read_definition(run, *source.file);
      if (family_of(read).empty()) continue;  // it was changed since its family was looked at
      document = read.document;
    }
    definitions.add(source.file->path, document, definition_of(*document), run.options.placeholders);
  }
  return definitions;
}

void DefinitionFamilies::add(const std::string& family, const Candidate& file,
                             std::shared_ptr<const text::Document> document) {
  auto& known = by_family_[family];
  if (!known) known = std::make_unique<Family>(run_);
  known->sources.push_back({&file, std::move(document)});
}

rules::NamedDefinition DefinitionFamilies::find(std::string_view reference, std::string_view asking_file) const {
  const auto wanted = model::parse_definition_reference(reference);
  const auto family = wanted ? by_family_.find(wanted->family) : by_family_.end();
  if (family == by_family_.end()) return {};
  return family->second->definitions.get().find(reference, asking_file);
}

DefinitionLinks::DefinitionLinks(const RunInput& run, DefinitionFamilies of_run,
                                 const std::vector<const Candidate*>& asking)
    : run_(run), of_run_(std::move(of_run)) {
  for (const auto* candidate : asking) {
    const auto folder = folder_around(candidate->path);
    auto& beside = beside_[folder];
    if (!beside) beside = std::make_unique<const Lazy<Beside>>([this, folder] { return look_beside(folder); });
  }
}

rules::NamedDefinition DefinitionLinks::find(std::string_view reference, const Candidate& asking) const {
  auto found = of_run_.find(reference, asking.path);
  found.is_checked = found.task != nullptr;
  const bool is_file = asking.search == Search::kNamed && !asking.content;
  if (found.task != nullptr || !is_file || !model::parse_definition_reference(reference)) return found;
  return beside_.at(folder_around(asking.path))->get().families.find(reference, asking.path);
}

DefinitionLinks::Beside DefinitionLinks::look_beside(const std::string& folder) const {
  Beside beside{{}, DefinitionFamilies(run_)};
  const auto names = run_.files.list(folder);
  if (!names) return beside;
  for (const auto& name : *names) {
    const std::string path = inside(folder, name);
    const bool is_of_run = std::any_of(run_.candidates.begin(), run_.candidates.end(),
                                       [&](const Candidate& one) { return one.path == path; });
    if (is_of_run || !has_known_ending(name) || is_terraform_code(name) || run_.files.is_folder(path)) continue;
    const auto& candidate = beside.files.emplace_back(Candidate{path, Search::kFound, {}});
    const auto family = family_of(read_definition(run_, candidate));
    if (!family.empty()) beside.families.add(family, candidate, nullptr);
  }
  return beside;
}

}  // namespace bayplan::lint
