#pragma once
// The folders of tests/rules: a bad file gives exactly its .out, a good file gives nothing.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "support/in_sources.hpp"
#include "support/lint_run.hpp"
#include "text/location.hpp"

namespace bayplan::rule_cases {

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// One folder a rule, named by its code, in code order.
inline std::vector<std::filesystem::path> folders() {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(in_sources("tests/rules"))) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// The inputs of one rule: bad* and good* but for the expected output, in name order.
inline std::vector<std::filesystem::path> inputs_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".out") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline bool is_bad(const std::filesystem::path& file) {
  return file.filename().string().rfind("bad", 0) == 0;
}

inline std::filesystem::path output_file_of(const std::filesystem::path& bad_file) {
  return std::filesystem::path(bad_file).replace_extension(".out");
}

inline lint::Options options_for(const std::string& code) {
  lint::Options options;
  options.selection.extend_select = {code};
  options.rules.daemon = code == "BAY028";
  return options;
}

/// What a line of text leaves out: help, places that explain, edits of the fix. A line each, indented.
inline void write_details(std::ostream& out, const lint::LintFinding& finding, const text::LineIndex& lines) {
  const auto place = [&](std::uint32_t offset) {
    const auto at = lines.location(offset);
    return std::to_string(at.line) + ":" + std::to_string(at.column);
  };
  if (!finding.help.empty()) out << "  help: " << finding.help << "\n";
  for (const auto& related : finding.related) {
    out << "  see " << place(related.span.begin) << ": " << related.message << "\n";
  }
  if (!finding.fix) return;
  for (const auto& edit : finding.fix->edits) {
    out << (finding.fix->safe ? "  fix " : "  unsafe fix ") << place(edit.span.begin) << " to " << place(edit.span.end)
        << ": " << json_quoted(edit.text) << "\n";
  }
}

/// Its findings, a line each as in the format oneline, with what belongs to each below it.
inline std::string text_of(const lint::FileReport& report, const lint::Tools& tools) {
  std::ostringstream out;
  const text::LineIndex lines(report.document->source());
  for (const auto& finding : report.findings) {
    const auto at = lines.location(finding.span.begin);
    out << report.file << ':' << at.line << ':' << at.column << ' ' << name_of(finding.severity) << ' ' << finding.code
        << ' ' << tools.rule_data.get().row(finding.code).id << ": " << printable(finding.message) << '\n';
    write_details(out, finding, lines);
  }
  return out.str();
}

/// Of one run over the files of a folder: what is said of services and run-task input.
inline std::string output_of_run(const std::filesystem::path& folder, const std::string& code,
                                 const lint::Tools& tools) {
  std::vector<lint::Candidate> candidates;
  for (const auto& file : inputs_of(folder)) {
    candidates.push_back({file.filename().string(), lint::Search::kNamed, content_of(file)});
  }
  std::string output;
  for (const auto& report : checked_reports(candidates, options_for(code), tools, DiskFiles())) {
    const bool is_request = report.kind == rules::FileKind::kService || report.kind == rules::FileKind::kRunTask;
    if (is_request) output += text_of(report, tools);
  }
  return output;
}

/// What lint says of a case of the rule `code`. A folder is one run over its files.
inline std::string output_of(const std::filesystem::path& file, const std::string& code, const lint::Tools& tools) {
  if (std::filesystem::is_directory(file)) return output_of_run(file, code, tools);
  return text_of(lint::lint_document(content_of(file), file.filename().string(), options_for(code), tools), tools);
}

}  // namespace bayplan::rule_cases
