#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"

namespace bayplan::cli::mcp {

/// The output of the text report: RootFiles keeps what is written there. A path of the system, which no file of a user
/// has.
inline constexpr std::string_view kTextReport = "/dev/bayplan-text-report";

/// The files of one tool call: those below the folders that the client allows, and nothing else. Links are resolved
/// first. Whatever is outside does not exist, and reading it is an error that names it; nothing is written. Relative
/// paths start at the first folder.
class RootFiles : public Files {
 public:
  /// `roots`: the folders of the client. Without a list: the working folder, unless that is the root of the file
  /// system, which is where clients start servers without a project.
  RootFiles(Files& files, const std::optional<std::vector<std::string>>& roots);

  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  Result<std::unique_ptr<FileReader>> open(const std::string& path) const override;
  bool is_folder(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::vector<std::string>> list(const std::string& folder) const override;
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override;

  /// Why `path` must not be read, whether there is such a file or not; nothing for paths below the roots.
  std::optional<Error> refusal(const std::string& path) const;

  const std::string& text_report() const { return text_report_; }

 private:
  class TextReport;

  /// The path on the disk.
  std::string place_of(const std::string& path) const;

  Files& files_;
  std::vector<std::string> roots_;  ///< Absolute paths, links resolved.
  std::string start_;               ///< Where relative paths start; empty for the working folder.
  std::string text_report_;
};

}  // namespace bayplan::cli::mcp
