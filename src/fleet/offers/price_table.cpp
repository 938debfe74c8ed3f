// CSV (RFC 4180, one row a line) -> prices.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "fleet/offers/price_rows.hpp"
#include "text/csv_lines.hpp"

namespace bayplan::fleet {

namespace {

struct Field {
  std::string text;        ///< The text without surrounding quotes and blanks.
  std::size_t offset = 0;  ///< Offset in the file.
  bool is_closed = true;   ///< False where the line ends before the quote does.
};

using Line = text::CsvLine;

/// Columns that mean something, in any order and case.
enum Column : std::size_t { kType, kPrice, kRegion, kDate, kCurrency, kColumns };
constexpr std::array<std::string_view, kColumns> kNames = {"instanceType", "hourlyPrice", "region", "date", "currency"};

/// Position of each column in a row.
using Positions = std::array<std::size_t, kColumns>;
constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

/// Moves `at` to the comma behind the field, or to the end of the line.
Field field_at(const Line& line, std::size_t& at) {
  at = std::min(line.text.find_first_not_of(" \t", at), line.text.size());
  Field field{{}, line.offset + at};
  const bool is_quoted = at < line.text.size() && line.text[at] == '"';
  if (is_quoted) {
    field.is_closed = false;
    for (++at; at < line.text.size() && !field.is_closed; ++at) {
      if (line.text[at] != '"') {
        field.text += line.text[at];
      } else if (line.text.substr(at).starts_with("\"\"")) {
        field.text += line.text[at++];
      } else {
        field.is_closed = true;
      }
    }
  }
  const auto comma = std::min(line.text.find(',', at), line.text.size());
  if (!is_quoted) field.text = trim(line.text.substr(at, comma - at));
  at = comma;
  return field;
}

std::vector<Field> list_fields(const Line& line) {
  std::vector<Field> fields;
  for (std::size_t at = 0;; ++at) {  // past the comma
    fields.push_back(field_at(line, at));
    if (at >= line.text.size()) return fields;
  }
}

std::optional<Positions> read_header(const Line& line, PriceRows& rows) {
  const auto header = list_fields(line);
  Positions positions{};
  positions.fill(kAbsent);
  for (std::size_t i = 0; i < header.size(); ++i) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (equal_ignoring_case(header[i].text, kNames[column]) && positions[column] == kAbsent) positions[column] = i;
    }
  }
  // Columns of other names are the user's own; without the column that one is a letter off from, a price would be
  // read for every region or day.
  for (const auto& field : header) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (positions[column] != kAbsent || edit_distance(lower(field.text), lower(kNames[column]), 1) > 1) continue;
      rows.fail(field.offset, fmt::format("unknown column '{}'", printable(field.text)),
                fmt::format("did you mean '{}'?", kNames[column]));
      return std::nullopt;
    }
  }
  if (positions[kType] != kAbsent && positions[kPrice] != kAbsent) return positions;
  if (header.front().text == "FormatVersion") {
    rows.fail(line.offset, "this is the CSV form of an AWS price list", "index.json of the same folder is read");
  } else {
    rows.fail(line.offset,
              fmt::format("the first line has no column {}", kNames[positions[kType] == kAbsent ? kType : kPrice]),
              line.text.find(',') == std::string_view::npos && line.text.find_first_of(";\t") != std::string_view::npos
                  ? "separate the columns with commas: instanceType,hourlyPrice"
                  : "it must name the columns, for example instanceType,hourlyPrice,region,date");
  }
  return std::nullopt;
}

void read_row(const Line& line, const Positions& positions, PriceRows& rows) {
  const auto fields = list_fields(line);
  const auto open = std::find_if(fields.begin(), fields.end(), [](const Field& one) { return !one.is_closed; });
  if (open != fields.end()) return rows.fail(open->offset, "the quote is not closed", "a row is one line");
  const auto field = [&](Column column) -> const Field* {
    return positions[column] < fields.size() ? &fields[positions[column]] : nullptr;
  };
  const Field* type = field(kType);
  const Field* price = field(kPrice);
  if (type == nullptr || type->text.empty()) return rows.fail(line.offset, "the row has no instance type");
  if (price == nullptr || price->text.empty())
    return rows.fail(line.offset, fmt::format("the row of {} has no price", printable(type->text)));
  const Field* region = field(kRegion);
  if (region != nullptr && !rows.takes(region->text)) return;
  const Field* date = field(kDate);
  const bool has_date = date != nullptr && !date->text.empty();
  if (has_date && date_part(date->text).empty()) {
    return rows.fail(date->offset, fmt::format("the date cannot be '{}'", printable(date->text)),
                     "for example 2026-07-20");
  }
  const Field* currency = field(kCurrency);
  if (currency != nullptr && !currency->text.empty() && !equal_ignoring_case(currency->text, "USD")) {
    return rows.fail(currency->offset, fmt::format("the currency is '{}'", printable(currency->text)),
                     "only prices in USD are read");
  }
  const bool is_other = type->text.find(':') != std::string::npos;
  const auto hourly = is_other ? parse_nano_usd(price->text) : parse_usd(price->text);
  if (!hourly) {
    return rows.fail(price->offset,
                     fmt::format("the price of {} cannot be '{}'", printable(type->text), printable(price->text)),
                     "use USD/hour as a plain number such as 0.526");
  }
  if (*hourly == 0) {
    return rows.fail(
        price->offset, fmt::format("the price of {} is 0", printable(type->text)),
        is_other ? "leave the row out where the price is not known" : "use --owned for instances that cost nothing");
  }
  const auto day = has_date ? date_part(date->text) : std::string();
  is_other ? rows.add_other(type->text, *hourly, day, type->offset)
           : rows.add_once(type->text, *hourly, day, type->offset);
}

}  // namespace

void read_price_table(std::string_view text, PriceRows& rows) {
  text::CsvLines lines(text);
  Line line;
  if (!lines.next(line))
    return rows.fail(0, "the file is empty", "its first line names the columns: instanceType,hourlyPrice");
  const auto positions = read_header(line, rows);
  if (!positions) return;
  while (lines.next(line)) read_row(line, *positions, rows);
  rows.check_other();
}

}  // namespace bayplan::fleet
