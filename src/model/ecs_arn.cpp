#include "model/ecs_arn.hpp"

#include <array>

namespace bayplan::model {

std::optional<EcsArn> parse_ecs_arn(std::string_view text, std::string_view kind) {
  std::array<std::string_view, 5> parts;  // arn, partition, service, region, account
  for (auto& part : parts) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    part = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  const bool is_of_kind = text.size() > kind.size() + 1 && text.starts_with(kind) && text[kind.size()] == '/';
  if (parts[0] != "arn" || parts[2] != "ecs" || !is_of_kind) return std::nullopt;
  const std::string_view name = text.substr(kind.size() + 1);
  const std::size_t slash = name.find('/');
  EcsArn arn{parts[3], parts[4], {}, name};
  if (slash != std::string_view::npos) {
    arn.cluster = name.substr(0, slash);
    arn.id = name.substr(slash + 1);
  }
  const bool is_plain = !arn.id.empty() && arn.id.find('/') == std::string_view::npos;
  return is_plain ? std::optional(arn) : std::nullopt;
}

}  // namespace bayplan::model
