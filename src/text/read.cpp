#include "text/read.hpp"

#include "base/strings.hpp"
#include "text/json_reader.hpp"

namespace bayplan::text {

std::optional<Format> format_of_name(std::string_view path) {
  const auto dot = path.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string ending = lower(path.substr(dot + 1));
  if (ending == "yaml" || ending == "yml") return Format::kYaml;
  if (ending == "json" || ending == "jsonc" || ending == "json5") return Format::kJson;
  return std::nullopt;
}

std::unique_ptr<const Document> read_document(std::string bytes, const ReadOptions& options) {
  Builder builder(std::move(bytes), Format::kJson);
  if (auto fault = read_json(builder.source(), options.limits, builder)) builder.fault(std::move(*fault));
  return std::move(builder).finish();
}

}  // namespace bayplan::text
