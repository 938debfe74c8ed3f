#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace bayplan::report {

/// Rows of a CSV file (RFC 4180): UTF-8, CRLF, quotes where a cell needs them.
///
/// Texts are made printable, so that a row is a line. A text that a spreadsheet would take for a formula (it begins
/// with `=`, `+`, `-` or `@`) has a `'` in front (OWASP, "CSV Injection").
class CsvWriter {
 public:
  explicit CsvWriter(std::ostream& out) : out_(out) {}

  void header(std::initializer_list<std::string_view> names);

  CsvWriter& text(std::string_view text);
  /// Several texts in one cell, with a blank between.
  template <class Texts>
  CsvWriter& list(const Texts& texts) {
    std::string all;
    for (const auto& one : texts) all.append(all.empty() ? "" : " ").append(one);
    return text(all);
  }
  CsvWriter& number(std::int64_t number);
  CsvWriter& number(double number);  ///< The shortest digits that give it again.
  CsvWriter& number(const std::optional<std::int64_t>& number);
  CsvWriter& number(const std::optional<double>& number);
  /// Nothing for zero, where zero cannot be.
  CsvWriter& known(std::int64_t number);
  CsvWriter& usd(const std::optional<MicroUsd>& amount);
  CsvWriter& flag(bool flag);  ///< "true", "false".
  CsvWriter& nothing();
  void end_row();

 private:
  void begin_cell();

  std::ostream& out_;
  bool is_first_ = true;
};

}  // namespace bayplan::report
