#include "lint/config/baseline.hpp"

#include <algorithm>
#include <sstream>

#include "base/json_writer.hpp"
#include "base/path_sandbox.hpp"
#include "embedded/baseline_schema.hpp"
#include "lint/files/definitions.hpp"
#include "lint/files/file_patterns.hpp"
#include "lint/identity.hpp"
#include "shape/sources.hpp"

namespace bayplan::lint {
namespace {

/// Digits of a fingerprint before the number that distinguishes equal ones.
constexpr std::size_t kDigits = 16;

std::string text_of(text::Value entry, std::string_view member) {
  const text::Value value = entry.find(member);
  return value ? std::string(value.text()) : std::string();
}

bool is_of_baseline(const LintFinding& finding) {
  return finding.suppression && finding.suppression->by == Suppression::By::kBaseline;
}

}  // namespace

// A device is no place: what is written there is meant for a file of the working folder.
BaselineNames::BaselineNames(const std::string& baseline, const Files& files)
    : files_(files), folder_(files.absolute(baseline.starts_with("/dev/") ? "." : folder_around(baseline))) {}

std::string BaselineNames::file_of(const FileReport& report) const {
  return path_seen_from(folder_, path_from_root(report.file, files_));
}

BaselineEntry BaselineNames::entry_of(const LintFinding& finding, const FileReport& report, const std::string& file) {
  const std::string fingerprint = compute_fingerprint(finding, finding.named_path, file, report.document->source()) +
                                  finding.fingerprint.substr(std::min(kDigits, finding.fingerprint.size()));
  return {file, finding.named_path, std::string(finding.code), fingerprint};
}

Baseline::Baseline(const std::string& path, const Files& files, std::vector<BaselineEntry> entries)
    : names_(path, files) {
  for (auto& entry : entries) files_[entry.file][entry.fingerprint].code = std::move(entry.code);
}

void Baseline::apply(FileReport& report, const Selection& selection, const Tools& tools) const {
  if (files_.empty()) return;
  const std::string file = names_.file_of(report);
  const auto known = files_.find(file);
  if (known == files_.end()) return;
  for (auto& finding : report.findings) {
    const auto entry = known->second.find(BaselineNames::entry_of(finding, report, file).fingerprint);
    if (entry == known->second.end()) continue;
    entry->second.is_found = true;
    if (!finding.suppression) finding.suppression = Suppression{Suppression::By::kBaseline, {}};
  }
  if (!is_whole(report)) return;
  for (const auto& [fingerprint, entry] : known->second) {
    if (entry.is_found) continue;
    const auto* row = tools.rule_data.get().find(entry.code);
    const bool was_skipped = std::any_of(report.skipped.begin(), report.skipped.end(),
                                         [&code = entry.code](const auto& skip) { return skip.code == code; });
    entry.is_looked_for = row == nullptr || (selection.enables(*row) && !was_skipped);
  }
}

std::size_t Baseline::count_fixed() const {
  std::size_t fixed = 0;
  for (const auto& [file, entries] : files_) {
    for (const auto& [fingerprint, entry] : entries) fixed += entry.is_looked_for && !entry.is_found ? 1 : 0;
  }
  return fixed;
}

BaselineFile read_baseline(const std::string& path, const Files& files) {
  BaselineFile result;
  shape::Sources sources(files, Limits{});
  if (const auto* document = sources.read_snapshot(path, {})) {
    if (sources.check_shape(embedded::baseline_schema(), document->root())) {
      std::vector<BaselineEntry> entries;
      for (const text::Value one : document->root().find("findings").children()) {
        entries.push_back(
            {text_of(one, "file"), text_of(one, "path"), text_of(one, "code"), text_of(one, "fingerprint")});
      }
      result.baseline = std::make_unique<const Baseline>(path, files, std::move(entries));
    }
  }
  result.errors = std::move(sources).take_errors();
  return result;
}

void NewBaseline::add(const FileReport& report) {
  if (std::none_of(report.findings.begin(), report.findings.end(), is_of_baseline)) return;
  const std::string file = names_.file_of(report);
  for (const auto& finding : report.findings) {
    if (is_of_baseline(finding)) entries_.insert(BaselineNames::entry_of(finding, report, file));
  }
}

std::size_t NewBaseline::file_count() const {
  std::set<std::string_view> files;
  for (const auto& entry : entries_) files.insert(entry.file);
  return files.size();
}

Result<bool> NewBaseline::write() const {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object().member("schema", "bayplan/baseline/1").key("findings").begin_array();
  for (const auto& entry : entries_) {
    json.begin_object(JsonWriter::Layout::kLine)
        .member("fingerprint", entry.fingerprint)
        .member("code", entry.code)
        .member("file", entry.file)
        .member("path", entry.path)
        .end_object();
  }
  json.end_array().end_object().finish();
  return files_.write(path_, out.str());
}

void silence_all(FileReport& report) {
  for (auto& finding : report.findings) {
    if (!finding.suppression) finding.suppression = Suppression{Suppression::By::kBaseline, {}};
  }
}

}  // namespace bayplan::lint
