#include "lint/lint_files.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <thread>

namespace bayplan::lint {
namespace {

/// Calls `work` for each index with `jobs` threads.
void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> threads;
  const auto helpers = std::min<std::size_t>(jobs, count);
  for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(take);
  take();
}

bool is_request(const FileReport& report) {
  return report.kind == rules::FileKind::kService || report.kind == rules::FileKind::kRunTask;
}

class FileLinter {
 public:
  FileLinter(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files)
      : candidates_(candidates),
        options_(options),
        tools_(tools),
        files_(files),
        reports_(candidates.size()),
        errors_(candidates.size()) {}

  /// Services and run-task input are held against the definitions of the whole run, so they come last.
  Run run(unsigned jobs) && {
    in_parallel(candidates_.size(), jobs, [this](std::size_t i) { read(i); });
    std::vector<std::size_t> requests;
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      if (is_request(reports_[i])) requests.push_back(i);
    }
    if (!requests.empty()) gather_definitions(requests);
    in_parallel(requests.size(), jobs, [&](std::size_t i) { check_request(requests[i]); });
    return sorted_out();
  }

 private:
  Options options_of(std::size_t i) const {
    Options own = options_;
    own.search = candidates_[i].search;
    return own;
  }

  std::optional<std::string> content_of(std::size_t i) {
    if (candidates_[i].content) return candidates_[i].content;
    auto bytes = files_.read(candidates_[i].path, std::max(options_.limits.definition_bytes,  //
                                                           options_.limits.snapshot_bytes));
    if (!bytes) errors_[i] = bytes.error();
    return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
  }

  void read(std::size_t i) {
    auto bytes = content_of(i);
    if (!bytes || (candidates_[i].search == Search::kFound && !may_be_linted(*bytes))) return;
    const Options own = options_of(i);
    reports_[i] = read_report(std::move(*bytes), candidates_[i].path, own);
    if (!is_request(reports_[i])) check_report(reports_[i], own, tools_);
  }

  void check_request(std::size_t i) {
    const std::string& file = candidates_[i].path;
    check_report(reports_[i], options_of(i), tools_, [&](std::string_view reference) {
      auto found = of_run_.find(reference, file);
      if (found.task != nullptr) return found;
      const auto beside = beside_.find(folder_of(file));
      return beside == beside_.end() ? found : beside->second.find(reference, file);
    });
  }

  void gather_definitions(const std::vector<std::size_t>& requests) {
    for (const auto& report : reports_) add_definition(report, of_run_);
    std::set<std::string, std::less<>> known;
    for (const auto& candidate : candidates_) known.insert(candidate.path);
    for (const std::size_t i : requests) {
      const bool is_file = candidates_[i].search == Search::kNamed && !candidates_[i].content;
      if (is_file) look_beside(std::string(folder_of(candidates_[i].path)), known);
    }
  }

  /// The definitions of a folder, for a service that was named without its definition. Whole files only: nothing is
  /// said of them.
  void look_beside(const std::string& folder, const std::set<std::string, std::less<>>& known) {
    const auto [place, is_new] = beside_.try_emplace(folder);
    const auto names = is_new ? files_.list(folder) : Result<std::vector<std::string>>(std::vector<std::string>{});
    if (!names) return;
    Options own = options_;
    own.search = Search::kFound;
    for (const auto& name : *names) {
      const std::string path = folder == "." ? name : folder == "/" ? folder + name : folder + "/" + name;
      if (!has_known_ending(name) || known.contains(path) || files_.is_folder(path)) continue;
      auto bytes = files_.read(path, options_.limits.definition_bytes);
      if (bytes && may_be_linted(*bytes)) add_definition(read_report(std::move(*bytes), path, own), place->second);
    }
  }

  void add_definition(const FileReport& report, Definitions& definitions) const {
    const bool holds_one = report.kind == rules::FileKind::kTaskDefinition || report.kind == rules::FileKind::kDescribe;
    if (!holds_one || !is_whole(*report.document)) return;
    definitions.add(report.file, report.document, definition_of(*report.document), options_.placeholders);
  }

  Run sorted_out() {
    Run run;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (errors_[i]) {
        run.errors.push_back(std::move(*errors_[i]));
      } else if (is_linted(reports_[i].kind)) {
        run.files.push_back(std::move(reports_[i]));
      } else if (candidates_[i].search == Search::kNamed) {
        run.not_linted.push_back(std::move(reports_[i]));
      }
    }
    return run;
  }

  const std::vector<Candidate>& candidates_;
  const Options& options_;
  const Tools& tools_;
  const Files& files_;
  std::vector<FileReport> reports_;
  std::vector<std::optional<Error>> errors_;
  Definitions of_run_;
  std::map<std::string, Definitions, std::less<>> beside_;  ///< By folder.
};

}  // namespace

Run lint_files(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
               unsigned jobs) {
  return FileLinter(candidates, options, tools, files).run(jobs);
}

}  // namespace bayplan::lint
