#include "report/lint/lint_writer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/escape.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

/// GitHub keeps ten of each kind a step (https://docs.github.com/en/actions, limits of annotations).
constexpr std::size_t kShownAnnotations = 10;

enum Kind : std::size_t { kError, kWarning, kNotice };
constexpr std::array<std::string_view, 3> kCommands{"error", "warning", "notice"};

Kind kind_of(Severity severity) {
  return severity == Severity::kError ? kError : severity == Severity::kWarning ? kWarning : kNotice;
}

/// What a workflow command cannot hold as it is; a property also needs its separators escaped.
std::string escaped_line(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '%') {
      out += "%25";
    } else if (is_property && c == ':') {
      out += "%3A";
    } else if (is_property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(std::min(end + 1, text.size()))) {
    end = text.find('\n');
    out += escaped_line(text.substr(0, end), is_property);
    if (end != std::string_view::npos) out += "%0A";
  }
  return out;
}

class GithubLintWriter : public LintWriter {
 public:
  GithubLintWriter(std::ostream& out, const Lazy<rules::RuleData>& data) : out_(out), data_(data) {}

  void file(const lint::FileReport& report) override {
    if (report.findings.empty()) return;
    const text::LineIndex lines(report.document->source());
    for (const auto& finding : report.findings) {
      if (!finding.suppression) keep(report.file, finding, lines);
    }
  }

  void unreadable(const Error& error) override {
    if (++counts_[kError] > kShownAnnotations) return;
    commands_[kError].push_back("::error file=" + escaped(repository_path(error.file), true) +
                                ",title=bayplan::" + escaped(error.message, false) + "\n");
  }

  void finish(const lint::Summary& /*summary*/) override {
    const std::size_t room_for_notices = kShownAnnotations - 1;  // the last one may have to say how many more
    std::size_t more = 0;
    for (const Kind kind : {kError, kWarning, kNotice}) {
      const std::size_t room = kind == kNotice ? room_for_notices : kShownAnnotations;
      for (std::size_t i = 0; i < std::min(room, commands_[kind].size()); ++i) out_ << commands_[kind][i];
      if (counts_[kind] > room) more += counts_[kind] - room;
    }
    if (more > 0) {
      out_ << "::notice title=bayplan::" << count_of(static_cast<std::int64_t>(more), "more finding", "more findings")
           << "; the job summary and the other formats hold all of them\n";
    }
  }

 private:
  void keep(const std::string& file, const lint::LintFinding& finding, const text::LineIndex& lines) {
    const Kind kind = kind_of(finding.severity);
    if (++counts_[kind] > kShownAnnotations) return;
    const auto begin = lines.location(finding.span.begin);
    const auto end = lines.location(finding.span.end);
    std::string command = "::" + std::string(kCommands[kind]) + " file=" + escaped(repository_path(file), true);
    command += ",line=" + std::to_string(begin.line) + ",endLine=" + std::to_string(end.line);
    // Columns over several lines make GitHub refuse the annotation.
    if (begin.line == end.line) {
      command += ",col=" + std::to_string(begin.column) + ",endColumn=" + std::to_string(end.column);
    }
    const auto& row = data_.get().row(finding.code);
    command += ",title=" + escaped(row.name(), true) + "::";
    command += escaped(finding.message + (finding.help.empty() ? "" : "\n" + finding.help), false) + "\n";
    commands_[kind].push_back(std::move(command));
  }

  std::ostream& out_;
  const Lazy<rules::RuleData>& data_;
  std::array<std::vector<std::string>, 3> commands_;
  std::array<std::size_t, 3> counts_{};
};

}  // namespace

std::unique_ptr<LintWriter> lint_github(std::ostream& out, const Lazy<rules::RuleData>& data,
                                        const LintView& /*view*/) {
  return std::make_unique<GithubLintWriter>(out, data);
}

}  // namespace bayplan::report
