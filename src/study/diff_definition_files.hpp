#pragma once
#include <map>
#include <string>

#include "base/files.hpp"
#include "study/diff_side.hpp"

namespace bayplan::study {

/// Definitions of OLD and NEW as files of their own beside those on disk, so that they are loaded as any other,
/// whatever they were part of.
class DefinitionFiles : public Files {
 public:
  explicit DefinitionFiles(const Files& disk) : disk_(disk) {}

  /// The path by which the definition can be read. It states no revision: it is none of those registered.
  std::string add(const SideDefinition& definition, const std::string& family);
  /// The file that a path made by `add` stands for; other paths are what they are.
  std::string origin_of(const std::string& path) const;

  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  bool exists(const std::string& path) const override;
  bool is_folder(const std::string& path) const override { return disk_.is_folder(path); }
  std::string absolute(const std::string& path) const override { return disk_.absolute(path); }
  Result<std::vector<std::string>> list(const std::string& folder) const override { return disk_.list(folder); }
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override;

 private:
  struct Made {
    std::string text;
    std::string written_in;
  };

  const Files& disk_;
  std::map<std::string, Made, std::less<>> made_;
};

}  // namespace bayplan::study
