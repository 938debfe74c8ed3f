#include "study/diff_definition_files.hpp"

#include <sstream>

#include "base/json_writer.hpp"
#include "study/diff_canonical.hpp"
#include "text/write_value.hpp"

namespace bayplan::study {
namespace {

std::string as_json(text::Value root, const std::string& family) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object().member("family", family);
  if (root.is_array()) {
    json.key("containerDefinitions");
    write_value(json, root);
  } else {
    for (const text::Value member : members_of(root)) {
      if (member.key() == "family" || is_read_only(member.key())) continue;
      json.key(member.key());
      write_value(json, member);
    }
  }
  json.end_object().finish();
  return out.str();
}

}  // namespace

std::string DefinitionFiles::add(const SideDefinition& definition, const std::string& family) {
  const std::string path = "diff definition " + std::to_string(made_.size()) + ".json";
  made_.emplace(path, Made{as_json(definition.compared.root, family), definition.file});
  return path;
}

std::string DefinitionFiles::origin_of(const std::string& path) const {
  const auto found = made_.find(path);
  return found == made_.end() ? path : found->second.written_in;
}

Result<std::string> DefinitionFiles::read(const std::string& path, std::size_t limit) const {
  const auto found = made_.find(path);
  return found == made_.end() ? disk_.read(path, limit) : Result<std::string>(found->second.text);
}

bool DefinitionFiles::exists(const std::string& path) const {
  return made_.contains(path) || disk_.exists(path);
}

Result<std::unique_ptr<NewFile>> DefinitionFiles::create(const std::string& path) {
  return Error{.message = "nothing is written here", .file = path};
}

}  // namespace bayplan::study
