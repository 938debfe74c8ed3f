#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace bayplan {

/// The bytes of a text in base64 (RFC 4648, section 4); line ends in between do not count. Nothing for other texts.
std::optional<std::string> decode_base64(std::string_view text);

/// Encodes bytes in base64 (RFC 4648, section 4) with padding, on one line.
std::string encode_base64(std::string_view bytes);

}  // namespace bayplan
