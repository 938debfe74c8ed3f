#include "report/document/csv.hpp"

#include <fmt/core.h>

#include "base/utf8.hpp"
#include "report/document/figures.hpp"

namespace bayplan::report {
namespace {

bool is_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos;
}

/// Blanks at the ends too: some readers drop them elsewhere.
bool needs_quotes(std::string_view text) {
  return text.find_first_of(",\"\r\n") != std::string_view::npos || text.starts_with(' ') || text.ends_with(' ');
}

}  // namespace

void CsvWriter::begin_cell() {
  if (!is_first_) out_ << ',';
  is_first_ = false;
}

void CsvWriter::header(std::initializer_list<std::string_view> names) {
  for (const auto name : names) text(name);
  end_row();
}

CsvWriter& CsvWriter::text(std::string_view text) {
  begin_cell();
  std::string shown = printable(text);
  if (is_formula(shown)) shown.insert(0, 1, '\'');
  if (!needs_quotes(shown)) {
    out_ << shown;
    return *this;
  }
  out_ << '"';
  for (const char c : shown) {
    if (c == '"') out_ << '"';
    out_ << c;
  }
  out_ << '"';
  return *this;
}

CsvWriter& CsvWriter::number(std::int64_t number) {
  begin_cell();
  out_ << number;
  return *this;
}

CsvWriter& CsvWriter::number(double number) {
  begin_cell();
  out_ << fmt::format("{}", number);
  return *this;
}

CsvWriter& CsvWriter::number(const std::optional<std::int64_t>& number) {
  return number ? this->number(*number) : nothing();
}

CsvWriter& CsvWriter::number(const std::optional<double>& number) {
  return number ? this->number(*number) : nothing();
}

CsvWriter& CsvWriter::known(std::int64_t number) {
  return number == 0 ? nothing() : this->number(number);
}

CsvWriter& CsvWriter::usd(const std::optional<MicroUsd>& amount) {
  return amount ? number(usd_number(*amount)) : nothing();
}

CsvWriter& CsvWriter::flag(bool flag) {
  return text(flag ? "true" : "false");
}

CsvWriter& CsvWriter::nothing() {
  begin_cell();
  return *this;
}

void CsvWriter::end_row() {
  out_ << "\r\n";
  is_first_ = true;
}

}  // namespace bayplan::report
