#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "text/document.hpp"
#include "text/hcl.hpp"

namespace bayplan::importers {

/// A file that was parsed: Terraform code, a template, or values of variables.
struct HclSource {
  std::string name;  ///< Without its folder.
  std::shared_ptr<const std::string> text;
  text::HclFile file = {};                    ///< Of Terraform code.
  text::HclTemplate parts = {};               ///< Of a template.
  std::vector<text::Fault> text_faults = {};  ///< Of the encoding.
};

/// The parsed code of a folder. It is never changed, so several configurations use it at the same time.
struct HclFolder {
  std::vector<std::string> names;  ///< All files and folders inside, sorted.
  std::vector<HclSource> code;     ///< Those of Terraform code, in the order of their names.
  std::size_t bytes = 0;           ///< Bytes of the code.
};

/// "override.tf", "main_override.tf": Terraform merges its blocks into those of the other files (language
/// documentation, files/override).
bool is_override_file(std::string_view path);

/// "modules/web" and "main.tf" as "modules/web/main.tf".
std::string path_in(const std::string& folder, std::string_view name);
/// A path that a user names as `path_in` spells it: "./main.tf" is "main.tf", "web//main.tf" is "web/main.tf".
std::string path_in_module(std::string_view path);

HclSource parse_hcl(std::string name, std::string bytes, const Limits& limits);
HclSource parse_hcl_template(std::string name, std::string bytes, const Limits& limits);

/// Reads all Terraform code of a folder. `instead`: a text that replaces the file of its name, or is added; may be
/// null. `files`: null to read nothing else.
std::shared_ptr<const HclFolder> read_hcl_folder(const Files* files, const std::string& folder, const Limits& limits,
                                                 HclSource* instead = nullptr);

}  // namespace bayplan::importers
