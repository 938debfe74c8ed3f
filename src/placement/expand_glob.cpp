#include "placement/expand_glob.hpp"

#include "base/fill.hpp"
#include "base/glob.hpp"
#include "base/pattern.hpp"

namespace bayplan::placement {
namespace {

class GlobExpansion {
 public:
  GlobExpansion(shape::Sources& sources, text::Value written) : sources_(sources), written_(written) {}

  void expand(const std::string& done, std::string_view rest) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    const bool is_last = slash == std::string_view::npos;
    const auto go_on = [&](std::string_view name) {
      const std::string path = done + std::string(name);
      if (!is_last) {
        expand(path + "/", rest.substr(slash + 1));
      } else if (files().exists(path) && !files().is_folder(path)) {
        found_.push_back(path);
      }
    };
    if (!is_glob(part)) return go_on(part);
    for (const auto& name : names_in(done.empty() ? "." : done)) {
      const bool hidden = name.starts_with('.') && !part.starts_with('.');
      if (!hidden && glob_matches(part, name)) go_on(name);
    }
  }

  std::vector<std::string> take_found() { return std::move(found_); }

 private:
  const Files& files() const { return sources_.files(); }

  /// None of what is out of reach: not even its names are told.
  std::vector<std::string> names_in(const std::string& folder) {
    if (!sources_.may_name(written_, folder)) return {};
    auto names = files().list(folder);
    if (names) return std::move(*names);
    if (files().is_folder(folder))
      sources_.fail(written_, fill("{}: {}", {folder, names.error().message}), names.error().help);
    return {};
  }

  shape::Sources& sources_;
  text::Value written_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> expand_glob(shape::Sources& sources, text::Value written) {
  const std::string pattern = shape::relative_to(sources.file_of(written), written.text());
  if (!is_glob(pattern)) return {pattern};
  const std::size_t errors = sources.error_count();
  GlobExpansion expansion(sources, written);
  expansion.expand("", pattern);
  auto found = expansion.take_found();
  if (found.empty() && sources.error_count() == errors)
    sources.fail(written, fill("no file matches '{}'", {written.text()}));
  return found;
}

}  // namespace bayplan::placement
