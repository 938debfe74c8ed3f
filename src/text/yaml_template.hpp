#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.hpp"
#include "text/yaml_events.hpp"

namespace bayplan::text {

/// A text in which the template expressions where a YAML value may stand are hidden from the parser (`image: {{ repo
/// }}:x` is two nested maps to YAML). Every byte keeps its place.
struct MaskedYaml {
  std::string text;
  std::vector<Span> hidden;  ///< In text order.
};

/// Nothing when the text holds no template.
std::optional<MaskedYaml> mask_templates(std::string_view text);

/// The scalar's text as it was written, from events read off the masked text. Owned by the caller when it is no slice.
std::string unmask(std::string_view decoded, Span span, std::string_view source, const MaskedYaml& masked);

/// Whether `decoded` holds hidden bytes.
bool holds_mask(std::string_view decoded);

}  // namespace bayplan::text
