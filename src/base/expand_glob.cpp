#include "base/expand_glob.hpp"

#include <algorithm>

#include "base/pattern.hpp"
#include "base/strings.hpp"

namespace bayplan {
namespace {

/// Texts without the first `{a,b}`, one for each of its words; nothing where there is none.
std::vector<std::string> without_braces(std::string_view pattern) {
  const auto open = pattern.find('{');
  const auto close = open == std::string_view::npos ? open : pattern.find('}', open);
  if (close == std::string_view::npos) return {};
  const auto words = split(pattern.substr(open + 1, close - open - 1), ',');
  if (words.size() < 2) return {};
  std::vector<std::string> texts;
  for (const auto word : words) {
    auto& text = texts.emplace_back(pattern.substr(0, open));
    (text += word) += pattern.substr(close + 1);
  }
  return texts;
}

class PathMatcher {
 public:
  using List = std::function<std::vector<std::string>(const std::string& folder)>;

  PathMatcher(GlobMatches matches, const Files& files, const List& list, std::vector<std::string>& found)
      : takes_folders_(matches == GlobMatches::kFilesAndFolders), files_(files), list_(list), found_(found) {}

  /// `done`: the path so far, empty or with a slash at its end; `rest`: the pattern below it.
  void match(const std::string& done, std::string_view rest) {
    const auto slash = rest.find('/');
    const auto part = rest.substr(0, slash);
    const bool is_last = slash == std::string_view::npos;
    if (part == "**") return match_any_depth(done, is_last ? "*" : rest.substr(slash + 1));
    const auto go_on = [&](std::string_view name) {
      const auto path = done + std::string(name);
      if (!is_last) {
        match(path + "/", rest.substr(slash + 1));
      } else if (files_.exists(path) && (takes_folders_ || !files_.is_folder(path))) {
        found_.push_back(path);
      }
    };
    if (!is_glob(part)) return go_on(part);
    for (const auto& name : names_in(done)) {
      const bool is_hidden = name.starts_with('.') && !part.starts_with('.');
      if (!is_hidden && glob_matches(part, name)) go_on(name);
    }
  }

 private:
  void match_any_depth(const std::string& done, std::string_view rest) {
    match(done, rest);
    for (const auto& name : names_in(done)) {
      const auto path = done + name;
      if (!name.starts_with('.') && files_.is_folder(path)) match_any_depth(path + "/", rest);
    }
  }

  std::vector<std::string> names_in(const std::string& done) const {
    const bool is_root = done == "/";
    return list_(done.empty() ? "." : is_root ? done : done.substr(0, done.size() - 1));
  }

  bool takes_folders_;
  const Files& files_;
  const List& list_;
  std::vector<std::string>& found_;
};

void expand_into(std::string_view pattern, GlobMatches matches, const Files& files, const PathMatcher::List& list,
                 std::vector<std::string>& found) {
  const auto texts = without_braces(pattern);
  for (const auto& text : texts) expand_into(text, matches, files, list, found);
  if (texts.empty()) PathMatcher(matches, files, list, found).match("", pattern);
}

}  // namespace

bool is_path_glob(std::string_view text) {
  return is_glob(text) || !without_braces(text).empty();
}

std::vector<std::string> expand_glob(std::string_view pattern, GlobMatches matches, const Files& files,
                                     const std::function<std::vector<std::string>(const std::string&)>& list) {
  std::vector<std::string> found;
  expand_into(pattern, matches, files, list, found);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<std::string> expand_glob(std::string_view pattern, GlobMatches matches, const Files& files) {
  return expand_glob(pattern, matches, files, [&](const std::string& folder) {
    auto names = files.list(folder);
    return names ? std::move(*names) : std::vector<std::string>();
  });
}

}  // namespace bayplan
