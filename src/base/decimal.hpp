#pragma once
#include <charconv>
#include <string>
#include <string_view>

namespace bayplan {

/// The fewest digits that read back as the same number, with an exponent where that is shorter: "0.72", "1e+21".
/// `number` is finite.
std::string shortest_decimal(double number);
/// Without an exponent, however long: "0.72", "1000000".
std::string plain_decimal(double number);
/// As std::from_chars reads, whatever the locale.
std::from_chars_result read_decimal(std::string_view text, double& number);

/// The same without <charconv>, which some standard libraries have for integers alone. Here so that a test can hold
/// them against the originals where there are both.
namespace without_charconv {
std::string shortest_decimal(double number);
std::string plain_decimal(double number);
std::from_chars_result read_decimal(std::string_view text, double& number);
}  // namespace without_charconv

}  // namespace bayplan
