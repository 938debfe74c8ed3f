#include "placement/loading.hpp"

#include <algorithm>
#include <tuple>

#include "base/glob.hpp"
#include "base/reach.hpp"
#include "base/strings.hpp"

namespace bayplan::placement {

Origin origin_of(const Sources& sources, text::Value at) {
  const Error place = sources.error_at(at, {});
  return {place.file, place.line, place.column};
}

namespace {

void expand(const Files& files, const Reach& reach, const std::string& done, std::string_view rest,
            std::vector<std::string>& found) {
  const std::size_t slash = rest.find('/');
  const std::string_view part = rest.substr(0, slash);
  const bool is_last = slash == std::string_view::npos;
  const auto go_on = [&](std::string_view name) {
    const std::string path = done + std::string(name);
    if (!is_last) {
      expand(files, reach, path + "/", rest.substr(slash + 1), found);
    } else if (files.exists(path) && !files.is_folder(path)) {
      found.push_back(path);
    }
  };
  if (!is_glob(part)) return go_on(part);
  const std::string folder = done.empty() ? "." : done;
  if (!reach.holds(folder)) return;  // not even its names are told
  const auto names = files.list(folder);
  if (!names) return;
  for (const auto& name : *names) {
    const bool hidden = name.starts_with('.') && !part.starts_with('.');
    if (!hidden && glob_matches(part, name)) go_on(name);
  }
}

}  // namespace

std::vector<std::string> expand_glob(const Files& files, const std::string& folder, const std::string& pattern) {
  if (!is_glob(pattern)) return {pattern};
  std::vector<std::string> found;
  expand(files, Reach(files, folder), "", pattern, found);
  return found;
}

void sort_by_place(std::vector<Error>& errors) {
  std::stable_sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) {
    return std::tuple(a.line, a.column) < std::tuple(b.line, b.column);
  });
}

void assume(Scenario& scenario, std::string id, std::string subject, std::string text) {
  for (const auto& known : scenario.assumptions) {
    if (known.id == id && known.subject == subject) return;
  }
  scenario.assumptions.push_back({std::move(id), std::move(subject), std::move(text)});
}

}  // namespace bayplan::placement
