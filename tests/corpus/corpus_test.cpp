// Lints every real task definition of a corpus beside the project.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <vector>

#include "base/files.hpp"
#include "catch.hpp"
#include "lint/lint.hpp"
#include "support/in_sources.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bayplan;

const fs::path kCorpus = in_sources("../shared/corpus");

/// One line of a CSV text; fields may be quoted, quotes inside doubled.
std::vector<std::string> list_fields(const std::string& text, std::size_t& at) {
  std::vector<std::string> fields(1);
  for (bool quoted = false; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' && quoted && text[at + 1] == '"') {
      fields.back() += text[++at];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c == '\n' && !quoted) {
      ++at;
      break;
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

using Row = std::map<std::string, std::string>;

std::vector<Row> manifest() {
  const auto text = DiskFiles().read((kCorpus / "manifest.csv").string(), 1u << 26);
  REQUIRE(text.ok());
  std::size_t at = 0;
  const auto names = list_fields(*text, at);
  std::vector<Row> rows;
  while (at < text->size()) {
    const auto fields = list_fields(*text, at);
    Row row;
    for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i) row[names[i]] = fields[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

bool is_absent() {
  if (fs::exists(kCorpus / "manifest.csv")) return false;
  std::cout << "SKIPPED: no corpus beside the project\n";
  return true;
}

lint::FileReport report_on(const std::string& file, const lint::Tools& tools) {
  auto bytes = DiskFiles().read((kCorpus / "files" / file).string(), 1u << 26);
  REQUIRE(bytes.ok());
  return lint::lint_document(std::move(*bytes), file, {}, tools);
}

constexpr std::string_view kLastSyntaxRule = "BAY006";

/// What botocore's parameter validator looks at: unknown and missing members, and types. It knows no empty text (BAY101
/// on an empty family), no encodings (BAY005), and was given describe output without its wrapper (BAY010).
bool is_of_validator(const lint::LintFinding& finding) {
  static const std::set<std::string_view> kCodes{"BAY007", "BAY009", "BAY011", "BAY012", "BAY013", "BAY014",
                                                 "BAY015", "BAY016", "BAY017", "BAY018", "BAY019", "BAY020",
                                                 "BAY021", "BAY023", "BAY103", "BAY401"};
  if (finding.code == "BAY101") return finding.message.find("empty") == std::string::npos;
  if (finding.code == "BAY005") return false;
  return finding.code <= kLastSyntaxRule || finding.code == "BAY026" || kCodes.count(finding.code) == 1;
}

std::string_view text_at(const text::Document& document, Span span) {
  return std::string_view(document.source()).substr(span.begin, span.length());
}

/// `containerDefinitions[0].memory` as a JSON pointer.
std::string pointer_of(const std::string& parameter) {
  std::string pointer = "/";
  for (const char c : parameter) {
    if (c == ']') continue;
    pointer += c == '.' || c == '[' ? '/' : c;
  }
  return pointer;
}

/// Whether the finding is about the first thing that botocore names. One finding may stand for many places (the keys of
/// an answer or of a map, a skeleton, nulls), and a text that does not parse has none.
bool is_about(const lint::LintFinding& finding, const std::string& first_error) {
  static const std::set<std::string_view> kForMany{"BAY011", "BAY020", "BAY026"};
  if (finding.code <= kLastSyntaxRule) return first_error == "does not parse";
  if (kForMany.count(finding.code) == 1) return true;
  std::smatch found;
  std::string pointer;
  static const std::regex kMember(R"re((?:Unknown|Missing required) parameter in (\S+): "([^"]*)")re");
  static const std::regex kValue(R"(Invalid (?:type|length) for parameter (\S+), value)");
  if (std::regex_search(first_error, found, kMember)) {
    pointer = (found[1] == "input" ? "" : pointer_of(found[1])) + "/" + found[2].str();
  } else if (std::regex_search(first_error, found, kValue)) {
    pointer = pointer_of(found[1]);
  } else {
    return false;
  }
  const std::string wrapper = "/taskDefinition";
  const bool is_wrapped = finding.pointer.rfind(wrapper + "/", 0) == 0;
  const std::string seen = is_wrapped ? finding.pointer.substr(wrapper.size()) : finding.pointer;
  const bool is_of_map_in_list = finding.code == "BAY021" && pointer.rfind(seen + "/", 0) == 0;
  return is_of_map_in_list || seen == pointer || seen.rfind(pointer + "/", 0) == 0 || finding.code == "BAY013";
}

}  // namespace

TEST_CASE("no error on a definition that ECS accepted") {
  if (is_absent()) return;
  const lint::Tools tools;
  int accepted = 0;
  for (const auto& row : manifest()) {
    if (row.at("pristine_describe") != "yes") continue;
    ++accepted;
    const auto report = report_on(row.at("file"), tools);
    CHECK(lint::is_linted(report));
    for (const auto& finding : report.findings) {
      INFO(report.file << " " << finding.code << " " << finding.message);
      CHECK(finding.severity != Severity::kError);
    }
  }
  CHECK(accepted > 50);
}

TEST_CASE("most definitions of real projects are clean") {
  if (is_absent()) return;
  const lint::Tools tools;
  std::vector<std::size_t> counts;
  for (const auto& row : manifest()) {
    if (row.at("kind") != "register-input" || row.at("parses") != "yes" || row.at("origin") != "project") continue;
    counts.push_back(report_on(row.at("file"), tools).findings.size());
  }
  REQUIRE(counts.size() > 100);
  std::sort(counts.begin(), counts.end());
  const auto clean = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0u));
  INFO(clean << " of " << counts.size() << " without a finding");
  CHECK(clean * 4 >= counts.size() * 3);
  CHECK(counts[counts.size() * 9 / 10] <= 2);
}

TEST_CASE("a definition that does not parse has a place and a cause") {
  if (is_absent()) return;
  const lint::Tools tools;
  int broken = 0;
  for (const auto& row : manifest()) {
    if (row.at("broken") != "yes" || row.at("kind") == "cloudformation") continue;
    ++broken;
    INFO(row.at("file") << ": " << row.at("notes"));
    const auto report = report_on(row.at("file"), tools);
    const auto fault = std::find_if(report.findings.begin(), report.findings.end(),
                                    [](const auto& finding) { return finding.code <= kLastSyntaxRule; });
    REQUIRE(fault != report.findings.end());
    CHECK(fault->severity == Severity::kError);
    CHECK_FALSE(fault->message.empty());
    CHECK(fault->span.end <= report.document->source().size());
  }
  CHECK(broken > 20);
}

TEST_CASE("what botocore refuses is a finding of shape at the same place and nothing else is") {
  if (is_absent()) return;
  const lint::Tools tools;
  int compared = 0;
  for (const auto& row : manifest()) {
    const bool is_valid = row.at("botocore_valid") == "yes";
    if (!is_valid && row.at("botocore_valid") != "no") continue;
    if (row.at("botocore_first_error").find("{'Ref': ") != std::string::npos) continue;  // a value not known yet
    ++compared;
    const auto report = report_on(row.at("file"), tools);
    const std::string first_error = row.at("botocore_first_error");
    INFO(row.at("file") << ": " << (is_valid ? "valid" : first_error));
    std::string told;
    bool speaks_there = false;
    for (const auto& finding : report.findings) {
      // The finding of the wrapper covers the keys that ECS adds to its definition.
      speaks_there = speaks_there || finding.code == "BAY010";
      const bool is_of_null = text_at(*report.document, finding.span) == "null";  // by the rule that misses the member
      if (!is_of_validator(finding) && !is_of_null) continue;
      told += std::string(finding.code) + " " + finding.pointer + "; ";
      speaks_there = speaks_there || is_about(finding, first_error);
    }
    INFO("bayplan: " << told);
    if (is_valid) {
      CHECK(told.empty());
    } else {
      CHECK(speaks_there);
    }
  }
  CHECK(compared > 500);
}
