#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"

namespace bayplan::study {

/// FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
class Fingerprint {
 public:
  void add(std::string_view bytes);
  std::string text() const;  ///< 16 hexadecimal digits.

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Files of another file system, which keep account of all that was read of them: its content, not where it lies.
class HashedFiles : public Files {
 public:
  explicit HashedFiles(const Files& files) : files_(files) {}

  const Fingerprint& fingerprint() const { return fingerprint_; }

  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  bool is_folder(const std::string& path) const override { return files_.is_folder(path); }
  bool exists(const std::string& path) const override { return files_.exists(path); }
  std::string absolute(const std::string& path) const override { return files_.absolute(path); }
  Result<std::vector<std::string>> list(const std::string& folder) const override { return files_.list(folder); }
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override { return Error{"is only read from", path}; }

 private:
  const Files& files_;
  mutable Fingerprint fingerprint_;
};

}  // namespace bayplan::study
