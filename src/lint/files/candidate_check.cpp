#include "lint/files/candidate_check.hpp"

#include <algorithm>

#include "base/path_sandbox.hpp"
#include "lint/files/folder_search.hpp"
#include "model/definition_reference.hpp"

namespace bayplan::lint {

namespace {

bool holds_definition(const FileReport& report) {
  const bool is_definition =
      report.kind == rules::FileKind::kTaskDefinition || report.kind == rules::FileKind::kDescribe;
  return is_definition && report.document->root() && is_whole(report);
}

}  // namespace

rules::NamedDefinition RunDefinitions::find(std::string_view reference, const Candidate& asking) {
  const auto wanted = model::parse_definition_reference(reference);
  if (!wanted) return {};
  const std::lock_guard lock(mutex_);
  index_run();
  const auto find_in = [&](const Paths& paths, auto& loaded) -> rules::NamedDefinition {
    const auto family = paths.find(wanted->family);
    if (family == paths.end()) return {};
    return list_definitions(family->first, family->second, loaded).find(reference, asking.path);
  };
  auto found = find_in(of_run_, loaded_of_run_);
  const bool is_file = asking.search == Search::kNamed && !asking.content;
  if (found.task != nullptr || !is_file) return found;
  const std::string folder = folder_around(asking.path);
  return find_in(beside(folder), loaded_beside_[folder]);
}

FileReport RunDefinitions::whole_definition(const Candidate& candidate, Search search) const {
  FileReport nothing;
  auto bytes = candidate.content ? Result<std::string>(*candidate.content)
                                 : files_.read(candidate.path, options_.limits.definition_bytes);
  if (!bytes || !may_be_linted(*bytes)) return nothing;
  Options own = options_;
  own.search = search;
  auto report = read_report(std::move(*bytes), candidate.path, own, tools_);
  return holds_definition(report) ? std::move(report) : std::move(nothing);
}

void RunDefinitions::index(const Candidate& candidate, Search search, Paths& paths) const {
  const auto report = whole_definition(candidate, search);
  if (!report.document) return;
  const text::Value family = definition_of(*report.document).find("family");
  if (family && family.is_string()) paths[std::string(family.text())].push_back(candidate);
}

void RunDefinitions::index_run() {
  if (is_indexed_) return;
  is_indexed_ = true;
  for (const auto& candidate : candidates_) index(candidate, candidate.search, of_run_);
}

/// Returns the definitions beside a service that was named without its definition, without reporting these files.
const RunDefinitions::Paths& RunDefinitions::beside(const std::string& folder) {
  const auto [place, is_new] = beside_.try_emplace(folder);
  const auto names = is_new ? files_.list(folder) : Result<std::vector<std::string>>(std::vector<std::string>{});
  if (!names) return place->second;
  for (const auto& name : *names) {
    const Candidate candidate{inside(folder, name), Search::kFound, {}};
    const bool is_of_run = std::any_of(candidates_.begin(), candidates_.end(),
                                       [&](const Candidate& one) { return one.path == candidate.path; });
    if (is_of_run || !has_known_ending(name) || files_.is_folder(candidate.path)) continue;
    index(candidate, Search::kFound, place->second);
  }
  return place->second;
}

const Definitions& RunDefinitions::list_definitions(const std::string& family, const std::vector<Candidate>& candidates,
                                                    std::map<std::string, Definitions, std::less<>>& loaded) const {
  const auto [place, is_new] = loaded.try_emplace(family);
  if (!is_new) return place->second;
  for (const auto& candidate : candidates) {
    auto report = whole_definition(candidate, candidate.search);
    if (!report.document) continue;  // gone since it was indexed
    place->second.add(candidate.path, report.document, definition_of(*report.document), options_.placeholders);
  }
  return place->second;
}

Result<std::string> CandidateCheck::read(const Candidate& candidate) const {
  if (candidate.content) return *candidate.content;
  const Limits& limits = options_.limits;
  return files_.read(candidate.path, std::max(limits.definition_bytes, limits.snapshot_bytes));
}

FileReport CandidateCheck::check(const Candidate& candidate, std::string bytes) {
  Options own = options_;
  own.search = candidate.search;
  auto report = lint_document(std::move(bytes), candidate.path, own, tools_,
                              [&](std::string_view reference) { return definitions_.find(reference, candidate); });
  if (amend_ && is_linted(report)) amend_(report);
  return report;
}

bool is_looked_at(const Candidate& candidate, std::string_view bytes) {
  return candidate.search == Search::kNamed || may_be_linted(bytes);
}

}  // namespace bayplan::lint
