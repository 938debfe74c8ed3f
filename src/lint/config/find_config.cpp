#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "lint/config/config.hpp"
#include "shape/sources.hpp"

namespace bayplan::lint {
namespace {

/// Names that other linters use for their configuration, in the form of this one.
constexpr std::array<std::string_view, 11> kSimilarNames{
    ".bayplan.json",   ".bayplan.jsonc", ".bayplan.toml", ".bayplanrc",   ".bayplanrc.yaml", ".bayplanrc.yml",
    ".bayplanrc.json", "bayplan.yaml",   "bayplan.yml",   "bayplan.json", "bayplan.toml"};

/// "", "../", "../../" and so on, up to the root of the repository or of the file system.
std::vector<std::string> folders_upward(const Files& files) {
  const std::string absolute = files.absolute(".");
  const auto above = static_cast<std::size_t>(std::count(absolute.begin(), absolute.end(), '/'));
  std::vector<std::string> folders{""};
  while (folders.size() <= above && !files.exists(folders.back() + ".git")) folders.push_back(folders.back() + "../");
  return folders;
}

/// The configuration file in this folder. A folder of this name, or a broken link, is reported when it is read.
std::optional<std::string> config_in(const std::string& folder, const Files& files) {
  for (const std::string_view name : kConfigNames) {
    const std::string path = folder + std::string(name);
    if (files.exists(path) || is_broken_link(files, path)) return path;
  }
  return std::nullopt;
}

/// Whether the file has a key that only settings have. A scenario has `cluster` and `needs`, too.
bool consists_of_settings(const std::string& path, const Files& files) {
  constexpr std::string_view kKeys[] = {"extends", "include",      "exclude",      "launchType", "deployWith",
                                        "select",  "ignore",       "extendSelect", "severity",   "perFileIgnores",
                                        "types",   "placeholders", "rules"};
  shape::Sources sources(files, Limits{});
  const auto* document = sources.read_settings(path, {});
  if (document == nullptr || !document->root() || !document->root().is_object()) return false;
  return std::any_of(std::begin(kKeys), std::end(kKeys),
                     [&](std::string_view key) { return static_cast<bool>(document->root().find(key)); });
}

bool is_meant_as_config(const std::string& folder, std::string_view name, const Files& files) {
  const std::string path = folder + std::string(name);
  if (!files.exists(path) || files.is_folder(path)) return false;
  return name.starts_with('.') || name.ends_with(".toml") || consists_of_settings(path, files);
}

Error not_read(const std::string& path, std::string_view read_instead, std::string help) {
  return {.message = fmt::format("ignored; settings are read from {}", read_instead),
          .file = path,
          .help = std::move(help)};
}

}  // namespace

std::optional<std::string> find_config(const Files& files) {
  for (const auto& folder : folders_upward(files)) {
    if (auto path = config_in(folder, files)) return path;
  }
  return std::nullopt;
}

std::vector<Error> ignored_configs(const Files& files) {
  std::vector<Error> ignored;
  for (const auto& folder : folders_upward(files)) {
    const auto config = config_in(folder, files);
    const std::string read_instead = config.value_or(folder + std::string(kConfigName));
    for (const std::string_view name : kConfigNames) {
      const std::string path = folder + std::string(name);
      if (config && path != *config && files.exists(path))
        ignored.push_back(not_read(path, read_instead, "Merge the files, and delete one of them."));
    }
    for (const std::string_view name : kSimilarNames) {
      if (is_meant_as_config(folder, name, files))
        ignored.push_back(
            not_read(folder + std::string(name), read_instead, "Rename the file, or name it with --config."));
    }
    if (config) break;
  }
  return ignored;
}

bool is_config_name(std::string_view name) {
  return std::find(kConfigNames.begin(), kConfigNames.end(), name) != kConfigNames.end();
}

}  // namespace bayplan::lint
