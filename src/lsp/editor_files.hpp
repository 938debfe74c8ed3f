#pragma once
#include <functional>
#include <string>

#include "base/files.hpp"
#include "lsp/open_document.hpp"

namespace bayplan::lsp {

/// The open document at a path from the root, or null.
using FindOpen = std::function<const OpenDocument*(const std::string& path)>;

/// The files of the disk as they would be if everything open were saved, seen from `folder`: paths that do not begin at
/// the root are of that folder, so that a file is linted as `bayplan lint` run in its folder does it. Writes nothing.
class EditorFiles : public Files {
 public:
  EditorFiles(Files& disk, std::string folder, FindOpen find_open)
      : disk_(disk), folder_(std::move(folder)), find_open_(std::move(find_open)) {}

  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  bool is_folder(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::vector<std::string>> list(const std::string& folder) const override;
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override;

  std::string path_from_root(const std::string& path) const;  ///< By the text alone.

 private:
  Files& disk_;
  std::string folder_;
  FindOpen find_open_;
};

}  // namespace bayplan::lsp
