#include "lint/files/file_patterns.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace bayplan::lint {
namespace {

/// Names between the slashes; nothing for "." and "/".
std::vector<std::string_view> split_steps(std::string_view path) {
  auto steps = split(path, '/');
  std::erase_if(steps, [](std::string_view step) { return step.empty() || step == "."; });
  return steps;
}

}  // namespace

FilePatterns FilePatterns::of(std::string folder, std::vector<std::string> texts) {
  auto patterns = IgnorePatterns::parse(join(texts, "\n"));
  return {std::move(folder), std::move(texts), std::move(patterns)};
}

bool FilePatterns::hold(std::string_view absolute) const {
  const std::string prefix = folder == "." ? "" : folder.ends_with('/') ? folder : folder + "/";
  if (!absolute.starts_with(prefix)) return false;
  const std::string_view path = absolute.substr(prefix.size());
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (patterns.ignores(path.substr(0, slash), true).value_or(false)) return true;
  }
  return patterns.ignores(path, false).value_or(false);
}

std::string path_from_root(const std::string& path, const Files& files) {
  std::string absolute = files.absolute(path);
  if (absolute.starts_with('/')) return absolute;
  while (absolute.starts_with("./")) absolute.erase(0, 2);
  const std::string here = files.absolute(".");
  return here == "." ? absolute : here == "/" ? here + absolute : here + "/" + absolute;
}

std::string path_seen_from(std::string_view folder, std::string_view path) {
  const auto from = split_steps(folder);
  const auto to = split_steps(path);
  std::size_t common = 0;
  while (common < from.size() && common + 1 < to.size() && from[common] == to[common]) ++common;
  std::string result;
  for (std::size_t i = common; i < from.size(); ++i) result += "../";
  for (std::size_t i = common; i < to.size(); ++i) (result += i == common ? "" : "/") += to[i];
  return result;
}

}  // namespace bayplan::lint
