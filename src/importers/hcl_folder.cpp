#include "importers/hcl_folder.hpp"

#include <algorithm>
#include <utility>

#include "base/path_sandbox.hpp"
#include "importers/terraform.hpp"
#include "text/encoding.hpp"
#include "text/hcl_json.hpp"

namespace bayplan::importers {

bool is_override_file(std::string_view path) {
  const auto slash = path.rfind('/');
  auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (name.ends_with(".json")) name.remove_suffix(5);
  return name == "override.tf" || name.ends_with("_override.tf");
}

std::string path_in(const std::string& folder, std::string_view name) {
  if (folder == "." || folder.empty()) return std::string(name);
  return (folder.ends_with('/') ? folder : folder + "/") + std::string(name);
}

std::string path_in_module(std::string_view path) {
  return path_in(folder_around(path), path.substr(path.rfind('/') + 1));
}

namespace {

HclSource decoded_source(std::string name, std::string bytes) {
  text::Decoded decoded = text::decode(std::move(bytes));
  // Terraform takes the mark off itself, which is the first fault: https://github.com/hashicorp/hcl,
  // hclsyntax/token.go.
  const bool is_hcl = !name.ends_with(".json") && decoded.encoding.form == text::Encoding::Form::kUtf8;
  if (is_hcl && decoded.encoding.has_mark) decoded.faults.erase(decoded.faults.begin());
  return {.name = std::move(name),
          .text = std::make_shared<const std::string>(std::move(decoded.text)),
          .text_faults = std::move(decoded.faults)};
}

}  // namespace

HclSource parse_hcl(std::string name, std::string bytes, const Limits& limits) {
  HclSource source = decoded_source(std::move(name), std::move(bytes));
  source.file = source.name.ends_with(".tf.json")       ? text::read_hcl_json(*source.text, limits)
                : source.name.ends_with(".tfvars.json") ? text::read_hcl_values_json(*source.text, limits)
                                                        : text::read_hcl(*source.text, limits);
  return source;
}

HclSource parse_hcl_template(std::string name, std::string bytes, const Limits& limits) {
  HclSource source = decoded_source(std::move(name), std::move(bytes));
  source.parts = text::read_hcl_template(*source.text, limits);
  return source;
}

std::shared_ptr<const HclFolder> read_hcl_folder(const Files* files, const std::string& folder, const Limits& limits,
                                                 HclSource* instead) {
  auto result = std::make_shared<HclFolder>();
  if (files != nullptr) {
    if (auto names = files->list(folder)) result->names = std::move(*names);
  }
  for (const auto& name : result->names) {
    if (!is_terraform_module_file(name) || (instead != nullptr && name == instead->name)) continue;
    auto bytes = files->read(path_in(folder, name), limits.definition_bytes);
    if (bytes) result->code.push_back(parse_hcl(name, std::move(*bytes), limits));
  }
  if (instead != nullptr) {
    const auto place = std::lower_bound(result->code.begin(), result->code.end(), instead->name,
                                        [](const HclSource& one, const std::string& name) { return one.name < name; });
    result->code.insert(place, std::move(*instead));
  }
  for (const HclSource& source : result->code) result->bytes += source.text->size();
  return result;
}

}  // namespace bayplan::importers
