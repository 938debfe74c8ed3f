#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/memory_files.hpp"

namespace bayplan::v0 {

/// Texts that the caller holds, with the disk behind them or without. Writes nothing.
class InputFiles : public bayplan::Files {
 public:
  InputFiles(const std::map<std::string, std::string>& texts, bool reads_disk)
      : texts_(texts), reads_disk_(reads_disk) {}

  bayplan::Result<std::string> read(const std::string& path, std::size_t limit) const override;
  bool is_folder(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  bayplan::Result<std::vector<std::string>> list(const std::string& folder) const override;
  bayplan::Result<std::unique_ptr<bayplan::NewFile>> create(const std::string& path) override;

 private:
  bool has_text(const std::string& path) const { return texts_.content.contains(path); }

  bayplan::MemoryFiles texts_;
  bayplan::DiskFiles disk_;
  bool reads_disk_;
};

}  // namespace bayplan::v0
