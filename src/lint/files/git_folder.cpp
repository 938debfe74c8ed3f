#include "lint/files/git_folder.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "lint/files/folder_search.hpp"

namespace bayplan::lint {
namespace {

constexpr std::size_t kLargestGitFile = 1024 * 1024;

std::string seen_from(const std::string& folder, std::string_view path) {
  return path.starts_with('/') ? std::string(path) : inside(folder, std::string(path));
}

/// The path that a small file holds, seen from `folder`.
std::optional<std::string> path_in(const std::string& file, std::string_view label, const std::string& folder,
                                   const Files& files) {
  const auto text = files.read(file, kLargestGitFile);
  if (!text || !text->starts_with(label)) return std::nullopt;
  const auto path = trim(std::string_view(*text).substr(label.size()));
  return path.empty() ? std::nullopt : std::optional(seen_from(folder, path));
}

}  // namespace

std::optional<GitFolder> find_git_folder(const std::string& root, const Files& files) {
  const std::string path = inside(root, ".git");
  const auto own = files.is_folder(path) ? std::optional(path) : path_in(path, "gitdir:", root, files);
  if (!own) return std::nullopt;
  const auto common = path_in(inside(*own, "commondir"), "", *own, files);
  return GitFolder{*own, common.value_or(*own)};
}

std::size_t object_name_size(const GitFolder& git, const Files& files) {
  constexpr std::size_t kSha1 = 20, kSha256 = 32;
  const auto config = files.read(inside(git.common, "config"), kLargestGitFile);
  if (!config) return kSha1;
  bool is_extension = false;
  for (const auto written : split(*config, '\n')) {
    std::string line = lower(written);
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    if (line.starts_with('[')) is_extension = line.starts_with("[extensions]");
    if (is_extension && line.ends_with("objectformat=sha256")) return kSha256;
  }
  return kSha1;
}

}  // namespace bayplan::lint
