#include "text/read.hpp"

#include "base/strings.hpp"
#include "text/json_reader.hpp"
#include "text/yaml_reader.hpp"

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
  const Format format = options.format.value_or(Format::kJson);
  Builder builder(std::move(bytes), format);
  auto fault = format == Format::kYaml ? read_yaml(builder.source(), options.limits, builder)
                                       : read_json(builder.source(), options.limits, builder);
  if (fault) builder.fault(std::move(*fault));
  return std::move(builder).finish();
}

}  // namespace bayplan::text
