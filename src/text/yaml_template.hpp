#pragma once
#include <cstdint>
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

/// `- !Sub |`: yaml-cpp 0.7 measures the lines of such a block against the column of the tag, not of the dash, and
/// refuses what every other reader takes.
struct UntaggedYaml {
  struct Tag {
    std::uint32_t block;  ///< Offset of the `|` or `>`.
    Span span;            ///< Of the tag, which is blanks in `text`.
  };
  std::string text;
  std::vector<Tag> tags;  ///< In text order.
};

/// The text with the tags of blocks in lists taken away; nothing when there is none.
std::optional<UntaggedYaml> hide_block_tags(std::string_view text);

/// The scalar's text as it was written, from events read off the masked text. Owned by the caller when it is no slice.
std::string unmask(std::string_view decoded, Span span, std::string_view source, const MaskedYaml& masked);

/// Whether `decoded` holds hidden bytes.
bool holds_mask(std::string_view decoded);

}  // namespace bayplan::text
