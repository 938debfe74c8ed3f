#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/context.hpp"

namespace bayplan::rules {

/// A list whose every element was bound; an absent one counts as empty.
template <class T>
bool is_readable(const model::List<T>& list) {
  return !list.present() || (list.node.is_array() && list.size() == list.node.size());
}

/// "volume 'data'", or "volumes[1]" of one without a known name.
std::string in_words(const model::Volume& volume);

/// The names of all volumes; nothing if the file does not have them all: a list of containers alone, a text cut
/// short, a misspelt or misplaced key, a volume whose name is missing or a placeholder.
std::optional<std::vector<std::string_view>> volume_names(const Context& ctx);

/// The source volumes of all mount points, in text order; nothing if the file does not have them all.
std::optional<std::vector<model::StringField>> mounted_volumes(const Context& ctx);

/// FARGATE or MANAGED_INSTANCES is asked for: the instance is not the user's, and neither are its paths.
bool runs_on_hidden_instances(const Context& ctx);

/// A path as the container runtime compares it: without `/` at the end or twice.
std::string clean_path(std::string_view path);
/// "/data". Of Linux; see `is_windows_path`.
bool is_absolute(std::string_view path);
/// "C:\data", "d:/", "\\.\pipe\docker_engine".
bool is_windows_path(std::string_view path);

}  // namespace bayplan::rules
