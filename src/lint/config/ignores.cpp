#include "lint/config/ignores.hpp"

#include <algorithm>

#include "lint/config/ignore_comments.hpp"

namespace bayplan::lint {
namespace {

bool is_inside(const Finding& finding, Span place) {
  return place.begin <= finding.span.begin && finding.span.begin < place.end;
}

bool is_at_or_below(std::string_view named_path, std::string_view path) {
  if (!named_path.starts_with(path)) return false;
  const std::string_view rest = named_path.substr(path.size());
  return rest.empty() || rest.front() == '.' || rest.front() == '[';
}

bool is_at_or_above(std::string_view folder, std::string_view other) {
  if (folder == "." || folder == "/" || folder == other) return true;
  return other.starts_with(folder) && other[folder.size()] == '/';
}

void silence(LintFinding& finding, Suppression::By by, const std::string& reason) {
  if (!finding.suppression) finding.suppression = Suppression{by, reason};
}

}  // namespace

bool FileIgnore::names_files() const {
  if (!files) return false;
  return std::all_of(files->texts.begin(), files->texts.end(), [](const std::string& text) {
    return text.find_first_of("*?[!\\") == std::string::npos && !text.ends_with('/');
  });
}

bool is_within(std::string_view named_path, std::string_view path, const FileReport& report) {
  if (path.empty() || is_at_or_below(named_path, path)) return true;
  const auto is_below = [&](std::string_view definition) {
    const bool is_part = named_path.starts_with(definition) && named_path.substr(definition.size()).starts_with('.');
    return is_part && is_at_or_below(named_path.substr(definition.size() + 1), path);
  };
  if (report.kind == rules::FileKind::kDescribe && is_below("taskDefinition")) return true;
  return std::any_of(report.subjects.begin(), report.subjects.end(),
                     [&](const auto& subject) { return is_below(subject.name); });
}

Ignores::Ignores(const std::vector<FileIgnore>& of_config, const Selection& selection, const Tools& tools,
                 const Files& files, std::int64_t now)
    : selection_(selection), tools_(tools), files_(files), now_(now) {
  for (const auto& one : of_config) {
    entries_.push_back(std::make_unique<Entry>(one));
  }
}

void Ignores::apply(FileReport& report) const {
  apply_comments(report);
  if (entries_.empty()) return;
  const std::string path = path_from_root(report.file, files_);
  for (const auto& entry : entries_) {
    const bool is_meant = !entry->written.files || entry->written.files->hold(path);
    if (!is_meant) continue;
    note_file(*entry, path);
    if (!entry->written.ignore.has_ended(now_)) apply_entry(*entry, report);
  }
}

void Ignores::note_file(Entry& entry, const std::string& path) {
  entry.is_meant = true;
  if (!entry.written.names_files()) return;
  const std::lock_guard lock(entry.mutex);
  entry.files.insert(path);
}

void Ignores::apply_entry(const Entry& entry, FileReport& report) const {
  const Ignore& ignore = entry.written.ignore;
  for (std::size_t i = 0; i < ignore.rules.size(); ++i) {
    for (auto& finding : report.findings) {
      if (!names(ignore.rules[i], finding.code) || !is_within(finding.named_path, entry.written.path, report)) continue;
      silence(finding, Suppression::By::kConfig, ignore.reason);
      entry.uses[i].silenced = true;
    }
    if (may_be_needed(ignore.rules[i], report)) entry.uses[i].may_be_needed = true;
  }
}

void Ignores::apply_comments(FileReport& report) const {
  auto comments = read_ignore_comments(*report.document, report.file);
  auto notes = std::move(comments.faults);
  for (const auto& [ignore, covers] : comments.ignores) {
    if (ignore.has_ended(now_)) {
      notes.push_back(ended(ignore));
      continue;
    }
    for (const auto& rule : ignore.rules) {
      if (auto note = apply_comment(rule, ignore.reason, covers, report)) notes.push_back(std::move(*note));
    }
  }
  std::stable_sort(notes.begin(), notes.end(), [](const Error& a, const Error& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  report.notes = std::move(notes);
}

std::optional<Error> Ignores::apply_comment(const Ignore::Rule& rule, const std::string& reason, Span covers,
                                            FileReport& report) const {
  if (const auto known = check_selectors({rule.selector}, tools_.rule_data.get()); !known) {
    Error note = rule.place;
    note.message = known.error().message;
    note.help = known.error().help;
    return note;
  }
  bool is_used = false;
  for (auto& finding : report.findings) {
    if (!is_inside(finding, covers) || !names(rule, finding.code)) continue;
    silence(finding, Suppression::By::kComment, reason);
    is_used = true;
  }
  if (is_used || !is_enabled(rule) || may_be_needed(rule, report)) return std::nullopt;
  return silences_nothing(rule);
}

std::vector<Error> Ignores::notes(const std::vector<std::string>& folders) const {
  std::vector<Error> notes;
  for (const auto& entry : entries_) {
    const FileIgnore& written = entry->written;
    if (!entry->is_meant) continue;
    if (written.ignore.has_ended(now_)) {
      notes.push_back(ended(written.ignore));
      continue;
    }
    const bool saw_all = std::any_of(folders.begin(), folders.end(),
                                     [&](const auto& folder) { return is_at_or_above(folder, written.folder); });
    const bool saw_named = written.names_files() && entry->files.size() >= written.files->texts.size();
    if (!saw_all && !saw_named) continue;
    for (std::size_t i = 0; i < written.ignore.rules.size(); ++i) {
      const auto& use = entry->uses[i];
      const auto& rule = written.ignore.rules[i];
      if (!use.silenced && !use.may_be_needed && is_enabled(rule)) notes.push_back(silences_nothing(rule));
    }
  }
  return notes;
}

bool Ignores::names(const Ignore::Rule& rule, std::string_view code) const {
  return match_length(rule.selector, tools_.rule_data.get().row(code)) > 0;
}

bool Ignores::may_be_needed(const Ignore::Rule& rule, const FileReport& report) const {
  return !is_whole(report) || std::any_of(report.skipped.begin(), report.skipped.end(),
                                          [&](const auto& skip) { return names(rule, skip.code); });
}

bool Ignores::is_enabled(const Ignore::Rule& rule) const {
  const auto rows = tools_.rule_data.get().every_row();
  return std::any_of(rows.begin(), rows.end(), [&](const auto* row) {
    return match_length(rule.selector, *row) > 0 && selection_.enables(*row);
  });
}

}  // namespace bayplan::lint
