#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.hpp"

namespace bayplan {

enum class Severity : std::uint8_t { kStyle, kInfo, kWarning, kError };

std::string_view name_of(Severity severity);  ///< "error", "warning", "info", "style".
std::optional<Severity> severity_named(std::string_view name);

/// Replaces the bytes of `span` (empty span = insertion) with `text`.
struct Edit {
  Span span;
  std::string text;
};

struct Fix {
  bool safe = false;        ///< Safe fixes keep the meaning of what ECS would accept; `--fix` applies only these.
  std::vector<Edit> edits;  ///< Sorted by position, not overlapping.
};

/// Another place that explains the finding.
struct Related {
  std::string message;
  Span span;
};

/// One fault found in one document.
struct Finding {
  std::string_view code;  ///< "BAY113"; static storage.
  Severity severity = Severity::kError;
  std::string message;  ///< Value seen and value wanted; no full stop.
  std::string help;     ///< What to write instead; may be empty.
  Span span;            ///< The value at fault.
  std::string pointer;  ///< JSON pointer (RFC 6901) of that value.
  std::vector<Related> related;
  std::optional<Fix> fix;
};

}  // namespace bayplan
