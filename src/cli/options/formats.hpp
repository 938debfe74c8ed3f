#pragma once
#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "cli/application.hpp"
#include "cli/io/outputs.hpp"
#include "report/document/report_document.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::cli {

/// One format of a command's report: its name for --output and the function that writes it or builds its document. A
/// command lists its formats in one array, the default first; its help, its completions and the check of --output read
/// the same array.
template <class Report>
class Format {
 public:
  using Writer = void (*)(std::ostream& out, const Report& report);
  using TextWriter = void (*)(std::ostream& out, const Report& report, const report::TextOptions& options);
  using Builder = report::ReportDocument (*)(const Report& report);

  constexpr Format(std::string_view name, Writer writer) : name_(name), write_(writer) {}
  constexpr Format(std::string_view name, TextWriter writer) : name_(name), write_text_(writer) {}
  constexpr Format(std::string_view name, Builder builder, report::Medium medium)
      : name_(name), build_(builder), medium_(medium) {}

  constexpr std::string_view name() const { return name_; }
  /// `io`: knows what made the report, which a page says.
  void write(std::ostream& out, const Report& report, const report::TextOptions& options, const Streams& io) const {
    if (write_ != nullptr) return write_(out, report);
    if (write_text_ != nullptr) return write_text_(out, report, options);
    auto document = build_(report);
    document.command_line = io.command_line;
    document.subject = path_to_pass_on(document.subject, io.folder);
    report::write_document(out, document, medium_, options);
  }

 private:
  std::string_view name_;
  Writer write_ = nullptr;
  TextWriter write_text_ = nullptr;
  Builder build_ = nullptr;
  report::Medium medium_ = report::Medium::kComment;
};

template <class Formats>
std::vector<std::string_view> list_names(const Formats& formats) {
  std::vector<std::string_view> names;
  for (const auto& format : formats) names.push_back(format.name());
  return names;
}

/// Writes the report in each format that was asked for. Gives kClean, or kUnusable when a file could not be written
/// (the others still are).
template <class Formats, class Report>
int write_report(const std::vector<Output>& outputs, const Formats& formats, const Report& report,
                 const GlobalOptions& global, Streams& io) {
  return write_outputs(outputs, io, [&](std::string_view name, std::ostream& out, bool is_standard_output) {
    const auto format =
        std::find_if(formats.begin(), formats.end(), [&](const auto& one) { return one.name() == name; });
    format->write(out, report, text_options(global, io, is_standard_output), io);
  });
}

}  // namespace bayplan::cli
