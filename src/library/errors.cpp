#include "library/errors.hpp"

#include <fmt/core.h>

#include "text/location.hpp"

namespace bayplan::v0 {

std::string to_string(const Error& error) {
  std::string text;
  if (!error.file.empty()) {
    text += error.file;
    if (error.line > 0) text += ':' + std::to_string(error.line);
    if (error.column > 0) text += ':' + std::to_string(error.column);
    text += ": ";
  }
  text += error.message;
  return error.help.empty() ? text : text + " (" + error.help + ")";
}

Error public_error(bayplan::Error error) {
  return {ErrorKind::kInput, std::move(error.message), std::move(error.file), error.line,
          error.column,      std::move(error.help)};
}

std::vector<Error> public_errors(std::vector<bayplan::Error> errors) {
  std::vector<Error> list;
  list.reserve(errors.size());
  for (auto& error : errors) list.push_back(public_error(std::move(error)));
  return list;
}

std::vector<Error> refusals(const std::vector<bayplan::lint::FileReport>& reports) {
  std::vector<Error> list;
  for (const auto& report : reports) {
    const bayplan::text::LineIndex lines(report.document->source());
    for (const auto& finding : report.findings) {
      const auto at = lines.location(finding.span.begin);
      list.push_back({.message = fmt::format("ECS would reject this definition: {} {}", finding.code, finding.message),
                      .file = report.file,
                      .line = at.line,
                      .column = at.column,
                      .help = finding.help});
    }
  }
  return list;
}

std::vector<Error> internal_errors(const std::vector<std::string>& mistakes) {
  std::vector<Error> list;
  for (const auto& mistake : mistakes) {
    list.push_back({.kind = ErrorKind::kInternal,
                    .message = "the result failed its own verification: " + mistake,
                    .help = "please report it with the input"});
  }
  return list;
}

}  // namespace bayplan::v0
