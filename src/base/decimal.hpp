#pragma once
#include <charconv>
#include <string>
#include <string_view>

namespace bayplan {

/// The fewest digits that read back as the same number, with an exponent where that is shorter: "0.72", "1e+21".
/// `number` is finite.
std::string shortest_decimal(double number);
/// Formats the same digits without an exponent at any length: "0.72", "1000000".
std::string plain_decimal(double number);
/// Reads a number as std::from_chars does. The locale has no effect.
std::from_chars_result read_decimal(std::string_view text, double& number);

/// The same functions without floating-point <charconv>, which some standard libraries lack. They are declared here
/// so that a test can compare both implementations.
namespace without_charconv {
std::string shortest_decimal(double number);
std::string plain_decimal(double number);
std::from_chars_result read_decimal(std::string_view text, double& number);
}  // namespace without_charconv

}  // namespace bayplan
