#include "lint/config.hpp"

#include <algorithm>

#include "base/fill.hpp"
#include "base/strings.hpp"
#include "embedded/config_schema.hpp"
#include "shape/sources.hpp"

namespace bayplan::lint {
namespace {

using text::Value;

constexpr std::string_view kName = ".bayplan.yaml";

std::vector<std::string> texts_of(Value list) {
  std::vector<std::string> texts;
  if (list.is_string()) return {std::string(list.text())};
  for (const Value item : list.children()) texts.emplace_back(item.text());
  return texts;
}

std::optional<rules::DeployClient> client_named(std::string_view name) {
  if (name == "any") return rules::DeployClient::kAny;
  if (name == "aws-cli") return rules::DeployClient::kAwsCli;
  if (name == "github-action") return rules::DeployClient::kGithubAction;
  if (name == "terraform") return rules::DeployClient::kTerraform;
  return std::nullopt;
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// Reads one config after the other into the same `Config`: a later one replaces what it names.
class Reader {
 public:
  Reader(const Files& files, const Lazy<rules::RuleData>& data, shape::Sources& sources, Config& config)
      : files_(files), data_(data), sources_(sources), config_(config) {}

  void read(const std::string& path, Value from) {
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      return sources_.fail(from, fill("{} extends itself in the end", {path}));
    }
    open_.push_back(path);
    read_opened(path, from);
    open_.pop_back();
  }

 private:
  void read_opened(const std::string& path, Value from) {
    const auto* document = sources_.read_definition(path, from);
    if (document == nullptr) return;
    const Value root = document->root();
    if (!sources_.check_shape(embedded::config_schema(), root)) return;
    if (const Value extends = root.find("extends")) {
      for (const auto& base : texts_of(extends)) read(shape::relative_to(path, base), extends);
    }
    bind(path, root);
  }

  void bind(const std::string& path, Value root) {
    if (const Value list = root.find("exclude")) {
      config_.exclude = Exclusion{files_.absolute(folder_of(path)), IgnorePatterns::parse(join(texts_of(list), "\n"))};
    }
    if (const Value name = root.find("launchType")) config_.launch_type = compatibility_named(name.text());
    if (const Value name = root.find("deployWith")) config_.deploy_with = client_named(name.text());
    if (const Value list = root.find("types")) config_.types = texts_of(list);
    bind_selectors(root.find("select"), config_.select);
    bind_selectors(root.find("extendSelect"), config_.extend_select);
    bind_selectors(root.find("ignore"), config_.ignore);
    bind_severities(root.find("severity"));
    bind_placeholders(root.find("placeholders"));
    for (auto& [name, needs] : rules::bind_needs(root.find("needs"))) config_.needs[name] = needs;
  }

  bool is_selector(Value place, const std::string& selector) {
    const auto checked = check_selectors({selector}, data_.get());
    if (!checked) sources_.fail(place, checked.error().message, checked.error().help);
    return checked.ok();
  }

  void bind_selectors(Value list, std::optional<std::vector<std::string>>& selectors) {
    if (!list) return;
    for (const Value item : list.children()) is_selector(item, std::string(item.text()));
    selectors = texts_of(list);
  }

  void bind_severities(Value map) {
    if (!map) return;
    for (const Value entry : map.children()) {
      std::string selector(entry.key());
      if (!is_selector(entry, selector)) continue;
      config_.severities.push_back({std::move(selector), severity_named(entry.text()).value_or(Severity::kWarning)});
    }
  }

  void bind_placeholders(Value list) {
    if (!list) return;
    config_.placeholders.clear();
    for (const Value item : list.children()) {
      auto pattern = Pattern::compile(item.text());
      if (pattern) {
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
  std::vector<std::string> open_;  ///< Configs that are being read, outermost first.
};

}  // namespace

bool Exclusion::holds(std::string_view absolute) const {
  const std::string prefix = folder == "." ? "" : folder.ends_with('/') ? folder : folder + "/";
  if (!absolute.starts_with(prefix)) return false;
  const std::string_view path = absolute.substr(prefix.size());
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (patterns.ignores(path.substr(0, slash), true).value_or(false)) return true;
  }
  return patterns.ignores(path, false).value_or(false);
}

std::optional<std::string> find_config(const Files& files) {
  const std::string absolute = files.absolute(".");
  const auto above = static_cast<std::size_t>(std::count(absolute.begin(), absolute.end(), '/'));
  std::string prefix;
  for (std::size_t level = 0; level <= above; ++level) {
    const std::string path = prefix + std::string(kName);
    if (files.exists(path) && !files.is_folder(path)) return path;
    if (files.exists(prefix + ".git")) return std::nullopt;
    prefix += "../";
  }
  return std::nullopt;
}

ConfigFile read_config(const std::string& path, const Files& files, const Lazy<rules::RuleData>& data) {
  ConfigFile result;
  shape::Sources sources(files, Limits{});
  Reader(files, data, sources, result.config).read(path, {});
  result.errors = std::move(sources).take_errors();
  return result;
}

std::optional<model::Compatibility> compatibility_named(std::string_view name) {
  if (name == "EC2") return model::Compatibility::kEc2;
  if (name == "FARGATE") return model::Compatibility::kFargate;
  if (name == "EXTERNAL") return model::Compatibility::kExternal;
  if (name == "MANAGED_INSTANCES") return model::Compatibility::kManagedInstances;
  return std::nullopt;
}

}  // namespace bayplan::lint
