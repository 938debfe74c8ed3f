#include "report/error_report.hpp"

#include "base/json_writer.hpp"
#include "report/document/json_parts.hpp"

namespace bayplan::report {
namespace {

void write_number(JsonWriter& json, std::string_view name, std::uint32_t number) {
  json.key(name);
  if (number == 0) {
    json.null();
  } else {
    json.value(number);
  }
}

}  // namespace

void write_error_report(std::ostream& out, std::string_view command, const std::vector<Error>& errors) {
  JsonWriter json(out);
  begin_report(json, "error-report", errors.empty() ? std::string_view("no error") : errors.front().message);
  json.key("assumptions").begin_array(JsonWriter::Layout::kLine).end_array();
  json.member("command", command).key("errors").begin_array();
  for (const auto& error : errors) {
    json.begin_object(JsonWriter::Layout::kLine);
    json.member_or_null("file", error.file);
    write_number(json, "line", error.line);
    write_number(json, "column", error.column);
    json.member("message", error.message);
    json.member_or_null("help", error.help);
    json.end_object();
  }
  json.end_array().end_object().finish();
}

}  // namespace bayplan::report
