#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "base/journal.hpp"
#include "base/result.hpp"
#include "study/sweep/sweep.hpp"

namespace bayplan::cli {

/// What the lines of a file must be of.
struct SweepRange {
  std::string grid;  ///< Fingerprint.
  study::Block block;
};

/// The lines of a sweep on disk: in FILE.partial until all of them are there, then in FILE.
class SweepResults {
 public:
  /// Takes up what is there, into `summary`: FILE whole, its lines put in order, or FILE.partial, from which a last
  /// line that was cut off is dropped. `fresh`: neither counts. An error, with nothing changed, when the lines are of
  /// another grid or shard, some lack, or two differ that should be the same.
  static Result<SweepResults> open(const std::string& path, const SweepRange& range, bool fresh, Files& files,
                                   study::SweepSummary& summary);

  std::int64_t next() const { return next_; }  ///< The first scenario without a line.
  bool is_complete() const { return is_complete_; }
  const std::string& note() const { return note_; }  ///< What a user should know of what was found; may be empty.

  Result<bool> append(std::string_view lines);
  Result<bool> finish();  ///< All lines are there: FILE.

 private:
  SweepResults() = default;

  std::string path_;
  std::optional<Journal> journal_;
  std::unique_ptr<NewFile> device_;  ///< FILE is no regular file: nothing is kept of it.
  std::int64_t next_ = 0;
  bool is_complete_ = false;
  std::string note_;
};

}  // namespace bayplan::cli
