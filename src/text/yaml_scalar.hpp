#pragma once
#include <cstdint>
#include <string_view>

#include "text/document.hpp"

namespace bayplan::text {

/// What a plain scalar is by the core schema of YAML 1.2.2, section 10.3.2: `yes` and `on` are strings, `0777` is 777.
Kind resolve_plain(std::string_view text);

/// What another reader takes a plain scalar for that the core schema takes for text.
enum class OtherReading : std::uint8_t { kNone, kBoolean, kBase60, kInteger, kFloat, kDate };

/// kBoolean and kBase60 (`yes`, `22:22`, `20:30.5`) are of YAML 1.1: https://yaml.org/type/bool.html,
/// https://yaml.org/type/int.html, https://yaml.org/type/float.html. kInteger, kFloat and kDate (`1_000`, `0b11`,
/// `1_0.5`, `2024-06-20`) are those that ruamel.yaml, with which aws-cli reads YAML, adds to YAML 1.2; tried with
/// ruamel.yaml 0.17.21.
OtherReading other_reading(std::string_view text);

}  // namespace bayplan::text
