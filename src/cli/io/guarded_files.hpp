#pragma once
#include <functional>
#include <iosfwd>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.hpp"

namespace bayplan::cli {

struct Streams;

/// The file system of one run. It remembers what was read, so that no report takes the place of an input, whoever named
/// that one: the line, a scenario, a config or a folder that was searched; and what is written, so that no report takes
/// the place of another. Reading may go on in several threads; the rest is for one.
class GuardedFiles : public Files {
 public:
  explicit GuardedFiles(Files& files) : files_(files) {}

  /// From now on `-` is a file whose content is read from `in` once.
  void serve_standard_input(std::istream& in) { in_ = &in; }

  /// From now on the content of what is read is kept, for `contents`.
  void keep_contents() { keeps_contents_ = true; }
  /// What was read since then, by the name that it was read by.
  const std::map<std::string, std::string>& contents() const { return contents_; }

  /// From now on each file and folder that is looked at gets a stamp, for `stamps`.
  void keep_stamps(std::function<std::string(const std::string& path)> stamp) { stamp_ = std::move(stamp); }
  /// The stamps by path, as they were before each was read first; without the reports of the run.
  std::map<std::string, std::string> stamps() const;

  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  Result<std::unique_ptr<FileReader>> open(const std::string& path) const override;
  bool is_folder(const std::string& path) const override { return files_.is_folder(path); }
  bool exists(const std::string& path) const override { return is_standard_input(path) || files_.exists(path); }
  std::string absolute(const std::string& path) const override { return files_.absolute(path); }
  Result<std::vector<std::string>> list(const std::string& folder) const override;
  /// An error when `refusal` has one; asked again before the new file takes its place.
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override;

  /// The error of a report that would overwrite the input at `path`.
  static Error report_over_input(const std::string& path) {
    return {.message = "the report would overwrite this input", .file = path, .help = "Name another file in --output."};
  }

  /// Why nothing may be written there: it was read, or another output goes there.
  std::optional<Error> refusal(const std::string& path) const;
  /// It was read, and turned out to be no input, or one that may go.
  void let_go(const std::string& path);
  /// Changes what was read, because that is what was asked for.
  Result<bool> rewrite(const std::string& path, std::string_view text) { return files_.write(path, text); }

 private:
  class Guarded;

  bool is_standard_input(std::string_view path) const { return in_ != nullptr && path == "-"; }
  bool was_read(const std::string& place) const;
  void keep_stamp(const std::string& path) const;
  /// Returns the absolute path, even of a file that does not exist yet; nothing for devices, which outputs may share.
  std::optional<std::string> place_of(const std::string& path) const;

  Files& files_;
  mutable std::mutex mutex_;
  std::istream* in_ = nullptr;
  bool keeps_contents_ = false;
  mutable std::map<std::string, std::string> contents_;
  mutable std::optional<std::string> input_;  ///< What was read from `in_`.
  mutable std::set<std::string> read_;        ///< The names of the files as they were given.
  std::set<std::string> written_;             ///< Places, as is `let_go_`.
  std::set<std::string> let_go_;
  std::function<std::string(const std::string& path)> stamp_;
  mutable std::map<std::string, std::string> stamps_;
};

/// `let_go` of the run's files.
void may_be_replaced(const Streams& io, const std::string& path);
/// `rewrite` of the run's files.
Result<bool> rewrite(const Streams& io, const std::string& path, std::string_view text);

}  // namespace bayplan::cli
