// Lints every real task definition of a corpus beside the project.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <vector>

#include "base/files.hpp"
#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bayplan;

const fs::path kCorpus = BAYPLAN_SOURCE_DIR "/../shared/corpus";

/// One line of a CSV text; fields may be quoted, quotes inside doubled.
std::vector<std::string> fields_of(const std::string& text, std::size_t& at) {
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
  const auto names = fields_of(*text, at);
  std::vector<Row> rows;
  while (at < text->size()) {
    const auto fields = fields_of(*text, at);
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

}  // namespace

TEST_CASE("no error on a definition that ECS accepted") {
  if (is_absent()) return;
  const lint::Tools tools;
  int accepted = 0;
  for (const auto& row : manifest()) {
    if (row.at("pristine_describe") != "yes") continue;
    ++accepted;
    const auto report = report_on(row.at("file"), tools);
    CHECK(lint::is_linted(report.kind));
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
    const auto origin = row.count("origin") ? row.at("origin") : "";
    if (row.at("kind") != "register-input" || row.at("parses") != "yes" || (origin != "project" && !origin.empty()))
      continue;
    counts.push_back(report_on(row.at("file"), tools).findings.size());
  }
  REQUIRE(counts.size() > 100);
  std::sort(counts.begin(), counts.end());
  const auto clean = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0u));
  INFO(clean << " of " << counts.size() << " without a finding");
  CHECK(clean * 4 >= counts.size() * 3);
  CHECK(counts[counts.size() * 9 / 10] <= 2);
}
