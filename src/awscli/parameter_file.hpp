#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"

namespace bayplan::awscli {

using Variable = const char* (*)(const char* name);

/// "web.json" of "file://web.json", with ~ and $NAME filled in as Python's os.path does; nothing when the text names no
/// file.
struct ParameterFile {
  std::string path;
  bool is_binary = false;  ///< fileb://
};
std::optional<ParameterFile> parameter_file(std::string_view text, Variable variable);

}  // namespace bayplan::awscli
