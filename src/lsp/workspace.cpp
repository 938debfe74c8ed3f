#include "lsp/workspace.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "lint/config/config_options.hpp"
#include "lint/config/ignores.hpp"
#include "lint/files/find_files.hpp"
#include "lint/fix/fix_files.hpp"
#include "lint/lint_files.hpp"
#include "lsp/file_uri.hpp"
#include "lsp/open_document.hpp"
#include "report/schemas.hpp"
#include "shape/sources.hpp"
#include "text/read.hpp"

namespace bayplan::lsp {

std::string EditorFiles::path_from_root(const std::string& path) const {
  return normal_path(path.starts_with('/') ? path : folder_ + "/" + path);
}

Result<std::string> EditorFiles::read(const std::string& path, std::size_t limit) const {
  const std::string full = path_from_root(path);
  const OpenDocument* open = find_open_(full);
  if (open == nullptr) return disk_.read(full, limit);
  if (open->text.size() > limit) return Error{"is larger than " + std::to_string(limit) + " bytes", path};
  return open->text;
}

bool EditorFiles::is_folder(const std::string& path) const {
  return disk_.is_folder(path_from_root(path));
}

bool EditorFiles::exists(const std::string& path) const {
  const std::string full = path_from_root(path);
  return find_open_(full) != nullptr || disk_.exists(full);
}

std::string EditorFiles::absolute(const std::string& path) const {
  return disk_.absolute(path_from_root(path));
}

Result<std::vector<std::string>> EditorFiles::list(const std::string& folder) const {
  return disk_.list(path_from_root(folder));
}

Result<std::unique_ptr<NewFile>> EditorFiles::create(const std::string& path) {
  return Error{.message = "an editor's files are not written", .file = path};
}

namespace {

constexpr std::size_t kMaxConfig = 16u << 20;

/// The text of a file that could not be read; no text begins so.
constexpr std::string_view kMissing = "\xff";

std::string content_of(const std::string& path, const Files& files) {
  auto content = files.read(path, kMaxConfig);
  return content ? std::move(*content) : std::string(kMissing);
}

/// Passes everything on and remembers what was read.
class ReadLog : public Files {
 public:
  ReadLog(const EditorFiles& files, std::map<std::string, std::string>& log) : files_(files), log_(log) {}

  Result<std::string> read(const std::string& path, std::size_t limit) const override {
    auto content = files_.read(path, limit);
    log_[path] = content ? *content : std::string(kMissing);
    return content;
  }
  bool is_folder(const std::string& path) const override { return files_.is_folder(path); }
  bool exists(const std::string& path) const override { return files_.exists(path); }
  std::string absolute(const std::string& path) const override { return files_.absolute(path); }
  Result<std::vector<std::string>> list(const std::string& folder) const override { return files_.list(folder); }
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override {
    return Error{.message = "nothing is written", .file = path};
  }

 private:
  const EditorFiles& files_;
  std::map<std::string, std::string>& log_;
};

}  // namespace

bool SettingsStore::is_current(const Entry& entry, const std::string& config, const EditorFiles& files) const {
  if (!entry.is_read || entry.config != config) return false;
  return std::all_of(entry.read.begin(), entry.read.end(),
                     [&](const auto& one) { return content_of(one.first, files) == one.second; });
}

void SettingsStore::read(Entry& entry, const EditorFiles& files) const {
  entry.read.clear();
  entry.is_read = true;
  lint::ConfigFile file;
  if (!entry.config.empty()) file = lint::read_found_config(entry.config, ReadLog(files, entry.read), tools_.rule_data);
  entry.current.errors = std::move(file.errors);
  if (entry.current.errors.empty() && file.config.types) {
    if (auto fault = lint::fault_of_types(file.config, tools_.catalog.get()))
      entry.current.errors.push_back(std::move(*fault));
  }
  entry.current.files.clear();
  for (const auto& [path, content] : entry.read) entry.current.files.push_back(files.path_from_root(path));
  if (!entry.current.errors.empty()) return;
  auto options = lint::options_of(file.config);
  entry.current.settings = std::make_shared<const Settings>(Settings{std::move(file.config), std::move(options)});
}

const FolderSettings& SettingsStore::of(const std::string& folder, const EditorFiles& files) {
  Entry& entry = by_folder_[folder];
  const std::string config = lint::find_config(files).value_or("");
  if (is_current(entry, config, files)) return entry.current;
  entry.config = config;
  read(entry, files);
  return entry.current;
}

namespace {

using text::Value;

/// Most texts of an editor are none of these, and are not read for it.
bool may_be_own(std::string_view text) {
  constexpr std::string_view kWords[] = {"containerInstances", "taskDefinitions", "axes"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// Empty for what is no file of bayplan.
std::string_view declared_schema_name(Value root) {
  if (!root || !root.is_object()) return {};
  if (root.find("scenario") && root.find("axes")) return "grid";
  const bool places = root.find("services") || root.find("tasks") || root.find("events");
  if (root.find("taskDefinitions") && (root.find("cluster") || places)) return "scenario";
  const Value instances = root.find("containerInstances");
  if (!instances || !instances.is_array()) return {};
  // In describe output each instance has its ARN.
  const Value first = instances.at(0);
  return first && first.is_object() && first.find("containerInstanceArn") ? "" : "cluster";
}

std::string_view schema_named(std::string_view name) {
  for (const auto& schema : report::schemas()) {
    if (schema.name == name) return schema.text;
  }
  return {};
}

/// What `bayplan place` or `bayplan sweep` would refuse in the form of a scenario, a cluster or a grid before they
/// begin: syntax, unknown and missing members, wrong types. Nothing for a text that is none of these. `files` holds the
/// text under the document's name.
std::vector<Error> errors_of_own_file(const OpenDocument& document, const Files& files) {
  if (!may_be_own(document.text)) return {};
  const auto repaired = text::read_document(
      document.text, {.format = text::format_of_name(document.name), .limits = {}, .comments_allowed = true});
  const auto schema = schema_named(declared_schema_name(repaired->root()));
  if (schema.empty()) return {};
  shape::Sources sources(files, Limits{});
  if (const auto* read = sources.read_snapshot(document.name, {})) sources.check_shape(schema, read->root());
  return std::move(sources).take_errors();
}

/// Names that people give to nothing but task definitions: those are checked from the first letter on.
bool is_named_like_definition(std::string_view name) {
  std::string letters;
  for (const char c : lower(name)) {
    if (c >= 'a' && c <= 'z') letters += c;
  }
  return letters.find("taskdef") != std::string::npos || letters.find("containerdef") != std::string::npos;
}

std::string with_ending(std::string name, const std::string& language) {
  if (name.find('.') != std::string::npos) return name;
  if (language == "yaml") return name + ".yaml";
  if (language == "jsonc") return name + ".jsonc";
  if (language == "terraform") return name + ".tf";
  return language == "json" ? name + ".json" : name;
}

/// `root`: the folder of texts that are in no file.
OpenDocument document_at(const std::string& uri, const std::string& language, const std::string& root) {
  OpenDocument document{.uri = uri, .text = {}};
  const auto path = path_of(uri);
  const std::string normal = path ? normal_path(*path) : std::string();
  if (const std::string name(last_name(normal)); !name.empty()) {
    document.folder = normal_path(normal + "/..");
    document.name = name;
  } else {
    const std::string called(last_name(uri));
    document.folder = root;
    document.name = with_ending(called.empty() ? "untitled" : called, language);  // file:/// has no name
  }
  return document;
}

}  // namespace

bool is_own_file(text::Value root) {
  return !declared_schema_name(root).empty();
}

const OpenDocument& Workspace::open(std::string uri, const std::string& language, std::int64_t version,
                                    std::string text) {
  OpenDocument document = document_at(uri, language, root_);
  document.version = version;
  document.text = std::move(text);
  Entry& entry = entries_[std::move(uri)];
  entry = Entry{.document = std::move(document), .check = std::nullopt};
  note_change(entry.document);
  return entry.document;
}

void Workspace::close(const std::string& uri) {
  const auto entry = entries_.find(uri);
  if (entry == entries_.end()) return;
  const OpenDocument closed = std::move(entry->second.document);
  entries_.erase(entry);
  note_change(closed);  // what lies on disk holds again
}

OpenDocument* Workspace::find(const std::string& uri) {
  const auto entry = entries_.find(uri);
  return entry == entries_.end() ? nullptr : &entry->second.document;
}

const OpenDocument* Workspace::find_at(const std::string& path) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const auto& entry) { return entry.second.document.path() == path; });
  return found == entries_.end() ? nullptr : &found->second.document;
}

std::string Workspace::text_at(const std::string& path) const {
  if (const OpenDocument* open = find_at(path)) return open->text;
  auto text = disk_.read(path, Limits{}.definition_bytes);
  return text ? std::move(*text) : std::string();
}

void Workspace::note_change(const OpenDocument& changed) {
  const std::string path = changed.path();
  const bool is_config = std::any_of(entries_.begin(), entries_.end(), [&](const auto& entry) {
    const auto& check = entry.second.check;
    return check &&
           std::find(check->config_files.begin(), check->config_files.end(), path) != check->config_files.end();
  });
  if (is_config || lint::is_config_name(changed.name)) return note_change_of_disk();
  for (auto& [uri, entry] : entries_) {
    const bool is_beside = entry.document.folder == changed.folder;
    const bool may_name_it = is_beside && entry.check &&
                             (entry.check->report.kind == rules::FileKind::kService ||
                              entry.check->report.kind == rules::FileKind::kRunTask);
    // Code of Terraform is read with its module and the modules below.
    const bool is_module =
        entry.document.format() == text::Format::kHcl && changed.path().starts_with(entry.document.folder);
    if (uri == changed.uri || may_name_it || is_module) note(entry);
  }
}

void Workspace::note_change_of_disk() {
  for (auto& [uri, entry] : entries_) note(entry);
}

void Workspace::note(Entry& entry) {
  entry.is_stale = true;
  entry.is_changed = true;
}

std::vector<std::string> Workspace::take_changed() {
  std::vector<std::string> uris;
  for (auto& [uri, entry] : entries_) {
    if (std::exchange(entry.is_changed, false)) uris.push_back(uri);
  }
  return uris;
}

void Workspace::take_changed(const std::string& uri) {
  entries_.at(uri).is_changed = false;
}

EditorFiles Workspace::files_of(const OpenDocument& document) const {
  return EditorFiles(disk_, document.folder, [this](const std::string& path) { return find_at(path); });
}

/// An editor opens every JSON and YAML file: what a search in folders would pass over is not meant.
bool Workspace::is_meant(const Entry& entry, const lint::Options& options) const {
  if (entry.was_known || is_named_like_definition(entry.document.name)) return true;
  const std::string& text = entry.document.text;
  if (!lint::may_be_linted(text)) return false;
  return lint::is_linted(lint::read_file(text, entry.document.name, lint::Search::kFound, options, tools_));
}

void Workspace::lint(Entry& entry) {
  const auto files = files_of(entry.document);
  const auto& folder = settings_.of(entry.document.folder, files);
  Check& check = entry.check.emplace();
  check.config_errors = folder.errors;
  check.config_files = folder.files;
  check.settings = folder.settings;
  entry.is_stale = false;
  check.own_errors = errors_of_own_file(entry.document, files);
  if (!check.settings) return;
  const lint::Config& config = check.settings->config;
  const lint::Options& options = check.settings->options;
  if (!is_meant(entry, options)) return;
  lint::SearchOptions search;
  if (config.exclude) search.exclude = &*config.exclude;
  const auto found = lint::find_files({entry.document.name}, files, search);
  const lint::Ignores ignores(config.file_ignores, options.selection, tools_, files, now_ == nullptr ? 0 : now_());
  lint::lint_each(
      found.candidates, options, tools_, files, 1,
      [&](lint::Outcome outcome) {
        check.is_linted = outcome.is_checked();
        check.report = std::move(outcome.report);
      },
      [&](lint::FileReport& report) { ignores.apply(report); });
  if (check.is_linted) entry.was_known = true;
}

const Check& Workspace::check(const std::string& uri) {
  Entry& entry = entries_.at(uri);
  if (entry.is_stale) lint(entry);
  return *entry.check;
}

std::optional<CheckedFile> Workspace::check_on_disk(const std::string& uri) {
  const auto path = path_of(uri);
  auto text = path ? disk_.read(normal_path(*path), Limits{}.definition_bytes) : Result<std::string>(Error{});
  if (!text) return std::nullopt;
  Entry entry{.document = document_at(uri, {}, root_), .check = std::nullopt};
  entry.document.text = std::move(*text);
  lint(entry);
  return CheckedFile{std::move(entry.document), std::move(*entry.check)};
}

const Check& Workspace::last_check(const std::string& uri) {
  const Entry& entry = entries_.at(uri);
  return entry.check ? *entry.check : check(uri);
}

std::map<std::string, std::vector<Error>> Workspace::config_errors() const {
  std::map<std::string, std::vector<Error>> by_path;
  for (const auto& [uri, entry] : entries_) {
    if (!entry.check) continue;
    const auto files = files_of(entry.document);
    for (const auto& error : entry.check->config_errors) {
      auto& known = by_path[files.path_from_root(error.file)];
      const auto is_same = [&](const Error& one) {
        return std::tie(one.line, one.column, one.message) == std::tie(error.line, error.column, error.message);
      };
      if (std::none_of(known.begin(), known.end(), is_same)) known.push_back(error);
    }
  }
  return by_path;
}

std::optional<std::string> Workspace::fixed(const std::string& uri) {
  const Check& check = this->check(uri);
  if (!check.is_linted) return std::nullopt;
  const OpenDocument& document = entries_.at(uri).document;
  const auto files = files_of(document);
  const auto& settings = *check.settings;
  const lint::Ignores ignores(settings.config.file_ignores, settings.options.selection, tools_, files,
                              now_ == nullptr ? 0 : now_());
  std::optional<std::string> text;
  lint::fix_each(
      {{document.name, lint::Search::kNamed, {}}}, settings.options, tools_, files, 1,
      [](std::string bytes, const lint::Recheck& recheck) { return lint::fix_text(std::move(bytes), recheck); },
      [&](lint::FixOutcome outcome) {
        if (outcome.after.fixed > 0) text = std::move(outcome.after.bytes);
      },
      [&](lint::FileReport& report) { ignores.apply(report); });
  return text;
}

}  // namespace bayplan::lsp
