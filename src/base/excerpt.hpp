#pragma once
#include <cstddef>
#include <string>
#include <string_view>

/// Parts of long texts, for messages; never half a character of UTF-8.
namespace bayplan {

/// A text of at most so many bytes whole; of a longer one these bytes, less a character that does not end among them,
/// and "..." behind.
std::string shortened_to(std::string_view text, std::size_t most);

/// In single quotes: a text of at most 200 bytes whole, of a longer one what stands some 40 bytes around `at`.
std::string quoted_around(std::string_view text, std::size_t at);

}  // namespace bayplan
