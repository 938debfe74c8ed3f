#include "lint/config/config.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "base/file_part.hpp"
#include "base/files.hpp"
#include "base/path_sandbox.hpp"
#include "base/utf8.hpp"
#include "capacity/uncountable.hpp"
#include "embedded/config_schema.hpp"
#include "importers/definition_file.hpp"
#include "lint/config/contradictions.hpp"
#include "lint/config/selection.hpp"
#include "lint/files/definitions.hpp"
#include "model/variables.hpp"
#include "shape/request_schemas.hpp"
#include "shape/sources.hpp"

namespace bayplan::lint {

namespace {

/// The items of a list, or the one text in place of a list.
std::vector<std::string> list_texts(text::Value list);

/// Whether a rule, group or beginning of a code is named so; else that is noted at `place`.
bool check_selector(text::Value place, std::string_view selector, shape::Sources& sources,
                    const Lazy<rules::RuleData>& data);

using text::Value;

/// A value that may be one text or a list of them.
std::vector<Value> list_items(Value list) {
  if (!list.is_array()) return {list};
  const auto children = list.children();
  return {children.begin(), children.end()};
}

void bind_until(Value day, shape::Sources& sources, Ignore& ignore) {
  ignore.until = parse_day(day.text());
  ignore.until_place = sources.error_at(day, {});
  if (!ignore.until) sources.fail(day, fmt::format("'{}' is not a date", day.text()), "use the form 2027-01-31");
}

void bind_path(Value path, shape::Sources& sources, FileIgnore& entry) {
  entry.path = std::string(path.text());
  if (!entry.path.starts_with('/')) return;
  sources.fail(path, fmt::format("'{}' uses list indexes", entry.path),
               "use names, which do not change: containerDefinitions[web].memory");
}

FileIgnore bind_file_ignore(Value object, const std::string& folder, shape::Sources& sources,
                            const Lazy<rules::RuleData>& data) {
  FileIgnore entry{.folder = folder};
  if (const Value files = object.find("files")) entry.files = FilePatterns::of(folder, list_texts(files));
  for (const Value rule : list_items(object.find("rules"))) {
    if (!check_selector(rule, rule.text(), sources, data)) continue;
    entry.ignore.rules.push_back({std::string(rule.text()), sources.error_at(rule, {})});
  }
  if (const Value path = object.find("path")) bind_path(path, sources, entry);
  if (const Value day = object.find("until")) bind_until(day, sources, entry.ignore);
  if (const Value reason = object.find("reason")) entry.ignore.reason = std::string(reason.text());
  return entry;
}

/// The definitions of one daemon's file, or the one that is named behind `#`; an error at the item that names it when
/// it is of no use.
void bind_daemon(Value item, const std::string& path, shape::Sources& sources, ClusterSettings& settings) {
  const auto part = parse_file_part(shape::relative_to(path, item.text()), sources.files());
  const std::string& file = part.file;
  const auto* document = sources.read_definition(file, item);
  if (document == nullptr) return;
  const std::shared_ptr<const text::Document> kept_by_sources(std::shared_ptr<const text::Document>(), document);
  const auto read = importers::read_definition_file(kept_by_sources, file, {}, {}, sources.limits());
  if (read.definitions.empty()) sources.fail(item, fmt::format("{} contains no task definition", file));
  const auto chosen = importers::find_definitions(read, part.name);
  if (!chosen) return sources.fail(item, fmt::format("{}: {}", file, chosen.error().message), chosen.error().help);
  for (const auto index : *chosen) {
    const auto& task = read.definitions[index].task;
    auto requirement = capacity::requirement_of(task);
    if (!requirement.unknown.empty()) {
      sources.fail(item, fmt::format("{} of {} is a placeholder", requirement.unknown.front(), item.text()),
                   "the file of a daemon must state its resources");
    }
    for (const auto& size : capacity::uncountable_sizes(task))
      sources.fail(item, fmt::format("{}: {}", file, size.message), size.help);
    settings.daemons.push_back(std::move(requirement));
  }
}

std::vector<std::string> list_texts(Value list) {
  std::vector<std::string> texts;
  for (const Value item : list_items(list)) texts.emplace_back(item.text());
  return texts;
}

bool check_selector(Value place, std::string_view selector, shape::Sources& sources,
                    const Lazy<rules::RuleData>& data) {
  const auto checked = check_selectors({std::string(selector)}, data.get());
  if (!checked) sources.fail(place, checked.error().message, checked.error().help);
  return checked.ok();
}

/// `perFileIgnores` of a config in `folder`.
std::vector<FileIgnore> bind_file_ignores(Value list, const std::string& folder, shape::Sources& sources,
                                          const Lazy<rules::RuleData>& data) {
  std::vector<FileIgnore> entries;
  for (const Value entry : list.children()) entries.push_back(bind_file_ignore(entry, folder, sources, data));
  return entries;
}

/// `cluster` of the config `path`; reads the daemons' definitions. What it does not say stays.
void bind_cluster(Value object, const std::string& path, shape::Sources& sources, ClusterSettings& settings) {
  if (const Value memory = object.find("reservedMemory")) settings.reserved_memory = memory.integer();
  if (const Value trunking = object.find("trunking")) {
    settings.trunking = trunking.boolean().value_or(trunking.text() == "on");
  }
  const Value daemons = object.find("daemons");
  if (!daemons) return;
  settings.daemon_files = list_texts(daemons);
  settings.daemons.clear();
  for (const Value item : list_items(daemons)) bind_daemon(item, path, sources, settings);
}

using text::Value;

template <class T>
using Names = std::array<std::pair<std::string_view, T>, 4>;

constexpr Names<rules::DeployClient> kClients{{{"any", rules::DeployClient::kAny},
                                               {"aws-cli", rules::DeployClient::kAwsCli},
                                               {"github-action", rules::DeployClient::kGithubAction},
                                               {"terraform", rules::DeployClient::kTerraform}}};

constexpr Names<model::Compatibility> kCompatibilities{
    {{"EC2", model::Compatibility::kEc2},
     {"FARGATE", model::Compatibility::kFargate},
     {"EXTERNAL", model::Compatibility::kExternal},
     {"MANAGED_INSTANCES", model::Compatibility::kManagedInstances}}};

template <class T>
std::optional<T> value_named(const Names<T>& names, std::string_view name) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& one) { return one.first == name; });
  return found == names.end() ? std::nullopt : std::optional<T>(found->second);
}

template <class T>
std::string_view name_in(const Names<T>& names, T value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& one) { return one.second == value; })->first;
}

/// Reads one config after the other into the same `Config`: a later one replaces what it names.
class Reader {
 public:
  Reader(const Files& files, const Lazy<rules::RuleData>& data, shape::Sources& sources, Config& config)
      : files_(files), data_(data), sources_(sources), config_(config) {}

  void read(const std::string& path, Value from) {
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      return sources_.fail(from, fmt::format("circular extends: {}", path));
    }
    open_.push_back(path);
    read_opened(path, from);
    open_.pop_back();
    if (open_.empty() && !sources_.has_errors()) check_house_rules_agree();
  }

 private:
  void read_opened(const std::string& path, Value from) {
    const auto* document = sources_.read_settings(path, from);
    if (document == nullptr || !document->root()) return;
    const Value root = document->root();
    if (!sources_.check_shape(embedded::config_schema(), root)) return;
    if (const Value extends = root.find("extends")) {
      for (const Value base : list_items(extends)) {
        if (base.text().find("://") != std::string_view::npos) {
          sources_.fail(base, "extends reads local files only", "copy the file into the repository, or check it out");
          continue;
        }
        read(shape::relative_to(path, base.text()), base);
      }
    }
    bind(path, root);
  }

  /// When all is read, because a rule that the config ignores contradicts none.
  void check_house_rules_agree() {
    check_rules_agree(
        config_.house_rules,
        [&](const rules::HouseRule& rule) {
          const auto row = rules::house_row(rule);
          const auto selects = [&](std::string_view selector) { return match_length(selector, row) > 0; };
          const auto selects_in_files = [&](const FileIgnore& entry) {
            return std::any_of(entry.ignore.rules.begin(), entry.ignore.rules.end(),
                               [&](const auto& selector) { return selects(selector.selector); });
          };
          const auto any = [&](const auto& selectors) {
            return selectors && std::any_of(selectors->begin(), selectors->end(), selects);
          };
          return any(config_.ignore) || (config_.select && !any(config_.select)) ||
                 std::any_of(config_.file_ignores.begin(), config_.file_ignores.end(), selects_in_files);
        },
        sources_);
  }

  void bind(const std::string& path, Value root) {
    note_places(root);
    const std::string folder = files_.absolute(folder_around(path));
    // First, because other keys may name these rules.
    if (const Value list = root.find("rules")) {
      bind_house_rules(list, sources_, schemas_, config_.house_rules);
      data_.get().add(config_.house_rules);
    }
    if (const Value list = root.find("include")) config_.include = FilePatterns::of(folder, list_texts(list));
    if (const Value list = root.find("exclude")) config_.exclude = FilePatterns::of(folder, list_texts(list));
    if (const Value name = root.find("launchType")) config_.launch_type = compatibility_named(name.text());
    if (const Value name = root.find("deployWith")) config_.deploy_with = value_named(kClients, name.text());
    if (const Value list = root.find("types")) config_.types = list_texts(list);
    bind_selectors(root.find("select"), config_.select);
    bind_selectors(root.find("extendSelect"), config_.extend_select);
    bind_selectors(root.find("ignore"), config_.ignore);
    bind_severities(root.find("severity"));
    bind_placeholders(root.find("placeholders"));
    if (const Value level = root.find("failOn")) config_.fail_on = severity_named(level.text());
    if (const Value file = root.find("baseline")) {
      config_.baseline = shape::relative_to(path, file.text());
      config_.baseline_text = std::string(file.text());
    }
    if (const Value flag = root.find("strict")) config_.strict = flag.boolean();
    if (const Value flag = root.find("strictUnknown")) config_.strict_unknown = flag.boolean();
    if (const Value flag = root.find("unsafeFixes")) config_.unsafe_fixes = flag.boolean();
    if (const Value kind = root.find("kind")) config_.daemon = kind.text() == "daemon";
    if (const Value map = root.find("parameters")) {
      for (const Value one : map.children()) config_.parameters[std::string(one.key())] = std::string(one.text());
    }
    if (const Value map = root.find("variables")) bind_variables(map);
    if (const Value cluster = root.find("cluster")) bind_cluster(cluster, path, sources_, config_.cluster);
    if (const Value list = root.find("perFileIgnores")) {
      config_.file_ignores = bind_file_ignores(list, folder, sources_, data_);
    }
    for (const auto& fault : capacity::uncountable_needs(root.find("needs")))
      sources_.fail(fault.at, fault.message, fault.help);
    for (auto& [name, needs] : capacity::bind_needs(root.find("needs"))) config_.needs[name] = needs;
  }

  /// Records the place of each key, and of each entry for keys that are merged entry by entry.
  void note_places(Value root) {
    for (const Value setting : root.children()) {
      const std::string key(setting.key());
      config_.places[key] = sources_.place_of(setting);
      // Of what a glob of types names only the catalog knows: fault_of_types.
      if (key == "types") {
        for (const Value item : setting.children())
          config_.places["types." + std::string(item.text())] = sources_.place_of(item);
      }
      const bool is_merged =
          key == "cluster" || key == "needs" || key == "parameters" || key == "severity" || key == "variables";
      if (!is_merged) continue;
      for (const Value entry : setting.children()) {
        config_.places[key + "." + std::string(entry.key())] = sources_.place_of(entry);
      }
    }
  }

  void bind_selectors(Value list, std::optional<std::vector<std::string>>& selectors) {
    if (!list) return;
    for (const Value item : list.children()) check_selector(item, item.text(), sources_, data_);
    selectors = list_texts(list);
  }

  void bind_variables(Value map) {
    for (const Value one : map.children()) {
      if (!model::is_variable_name(one.key())) {
        sources_.fail_at(one.key_span(), one, fmt::format("'{}' is not a variable name", printable(one.key())),
                         "write the name alone, without ${ }: letters, digits, _, . and -");
        continue;
      }
      config_.variables[std::string(one.key())] = std::string(one.text());
    }
  }

  void bind_severities(Value map) {
    if (!map) return;
    for (const Value entry : map.children()) {
      if (const auto known = check_selectors({std::string(entry.key())}, data_.get()); !known) {
        sources_.fail_at(entry.key_span(), entry, known.error().message, known.error().help);
        continue;
      }
      config_.severities.push_back(
          {std::string(entry.key()), severity_named(entry.text()).value_or(Severity::kWarning)});
    }
  }

  void bind_placeholders(Value list) {
    if (!list) return;
    config_.placeholders.clear();
    config_.placeholder_texts = list_texts(list);
    for (const Value item : list.children()) {
      auto pattern = Pattern::compile(item.text());
      if (pattern && pattern->matches_part("")) {
        sources_.fail(item,
                      fmt::format("placeholder pattern '{}' matches empty text, so every value would be a placeholder",
                                  item.text()),
                      "use a pattern that requires at least one character: '__[A-Z]+__'");
      } else if (pattern) {
        config_.placeholders.push_back(std::move(*pattern));
      } else {
        sources_.fail(item, pattern.error().message, pattern.error().help);
      }
    }
  }

  const Files& files_;
  const Lazy<rules::RuleData>& data_;
  shape::Sources& sources_;
  Config& config_;
  shape::RequestSchemas schemas_;  ///< For the paths of house rules.
  std::vector<std::string> open_;  ///< Configs that are being read, outermost first.
};

}  // namespace

ConfigFile read_config(const std::string& path, const Files& files, const Lazy<rules::RuleData>& data) {
  ConfigFile result;
  shape::Sources sources(files, Limits{});
  Reader(files, data, sources, result.config).read(path, {});
  result.errors = std::move(sources).take_errors();
  return result;
}

std::optional<model::Compatibility> compatibility_named(std::string_view name) {
  return value_named(kCompatibilities, name);
}

std::string_view name_of(model::Compatibility compatibility) {
  return name_in(kCompatibilities, compatibility);
}

std::string_view name_of(rules::DeployClient client) {
  return name_in(kClients, client);
}

}  // namespace bayplan::lint
