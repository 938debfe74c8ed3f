#include "lint/config_sections.hpp"

#include "base/fill.hpp"
#include "capacity/uncountable.hpp"
#include "model/bind_document.hpp"

namespace bayplan::lint {
namespace {

using text::Value;

/// A value that may be one text or a list of them.
std::vector<Value> items_of(Value list) {
  if (!list.is_array()) return {list};
  const auto children = list.children();
  return {children.begin(), children.end()};
}

void bind_until(Value day, shape::Sources& sources, Ignore& ignore) {
  ignore.until = parse_day(day.text());
  ignore.until_place = sources.error_at(day, {});
  if (!ignore.until) sources.fail(day, fill("'{}' is no day", {day.text()}), "write it as 2027-01-31");
}

void bind_path(Value path, shape::Sources& sources, FileIgnore& entry) {
  entry.path = std::string(path.text());
  if (!entry.path.starts_with('/')) return;
  sources.fail(path, fill("'{}' names places by number", {entry.path}),
               "write names, which stay true: containerDefinitions[web].memory");
}

FileIgnore bind_file_ignore(Value object, const std::string& folder, shape::Sources& sources,
                            const Lazy<rules::RuleData>& data) {
  FileIgnore entry{.folder = folder};
  if (const Value files = object.find("files")) entry.files = FilePatterns::of(folder, texts_of(files));
  for (const Value rule : items_of(object.find("rules"))) {
    if (!check_selector(rule, rule.text(), sources, data)) continue;
    entry.ignore.rules.push_back({std::string(rule.text()), sources.error_at(rule, {})});
  }
  if (const Value path = object.find("path")) bind_path(path, sources, entry);
  if (const Value day = object.find("until")) bind_until(day, sources, entry.ignore);
  if (const Value reason = object.find("reason")) entry.ignore.reason = std::string(reason.text());
  return entry;
}

/// The definitions of one daemon's file; an error at the item that names it when it is of no use.
void bind_daemon(Value item, const std::string& path, shape::Sources& sources, ClusterSettings& settings) {
  const std::string file = shape::relative_to(path, item.text());
  const auto* document = sources.read_definition(file, item);
  if (document == nullptr) return;
  const auto tasks = model::bind_document(*document, {});
  if (tasks.empty()) sources.fail(item, fill("{} holds no task definition", {file}));
  for (const auto& task : tasks) {
    auto requirement = capacity::requirement_of(task);
    if (!requirement.unknown.empty()) {
      sources.fail(item, fill("{} of {} is not known", {requirement.unknown.front(), file}),
                   "what a daemon takes must stand in its file");
    }
    for (const auto& size : capacity::uncountable_sizes(task))
      sources.fail(item, fill("{}: {}", {file, size.message}), size.help);
    settings.daemons.push_back(std::move(requirement));
  }
}

}  // namespace

std::vector<std::string> texts_of(Value list) {
  std::vector<std::string> texts;
  for (const Value item : items_of(list)) texts.emplace_back(item.text());
  return texts;
}

bool check_selector(Value place, std::string_view selector, shape::Sources& sources,
                    const Lazy<rules::RuleData>& data) {
  const auto checked = check_selectors({std::string(selector)}, data.get());
  if (!checked) sources.fail(place, checked.error().message, checked.error().help);
  return checked.ok();
}

std::vector<FileIgnore> bind_file_ignores(Value list, const std::string& folder, shape::Sources& sources,
                                          const Lazy<rules::RuleData>& data) {
  std::vector<FileIgnore> entries;
  for (const Value entry : list.children()) entries.push_back(bind_file_ignore(entry, folder, sources, data));
  return entries;
}

void bind_cluster(Value object, const std::string& path, shape::Sources& sources, ClusterSettings& settings) {
  if (const Value memory = object.find("reservedMemory")) settings.reserved_memory = memory.integer();
  if (const Value trunking = object.find("trunking")) {
    settings.trunking = trunking.boolean().value_or(trunking.text() == "on");
  }
  const Value daemons = object.find("daemons");
  if (!daemons) return;
  settings.daemon_files = texts_of(daemons);
  settings.daemons.clear();
  for (const Value item : items_of(daemons)) bind_daemon(item, path, sources, settings);
}

}  // namespace bayplan::lint
