#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace bayplan::lsp {

/// The path of a file URI (RFC 8089) of this machine, decoded; nothing for other schemes and machines.
std::optional<std::string> path_of(std::string_view uri);

/// The URI of an absolute path.
std::string to_file_uri(std::string_view path);

/// Removes "." and ".." from the path textually; links are kept.
std::string normal_path(std::string_view path);

/// "web.json" of "file:///a/web.json" and of "untitled:web.json".
std::string_view last_name(std::string_view path);

}  // namespace bayplan::lsp
