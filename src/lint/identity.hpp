#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/finding.hpp"
#include "text/document.hpp"

namespace bayplan::lint {

/// What a pointer names: absent where the document has no such value; then `parent` may still be there.
struct Resolved {
  text::Value value;
  text::Value parent;
};
Resolved resolve(text::Value root, std::string_view pointer);

/// "/containerDefinitions/0/memory" as "containerDefinitions[web].memory": elements by name where they have one.
std::string named_path(text::Value root, std::string_view pointer);

/// Name of the container definition that `pointer` goes through, when it has one.
std::optional<std::string> container_of(text::Value root, std::string_view pointer);

/// Identity of a finding over time: rule, file, path by names and value; 16 hexadecimal digits.
std::string compute_fingerprint(const Finding& finding, std::string_view named_path, std::string_view file,
                                std::string_view source);

}  // namespace bayplan::lint
