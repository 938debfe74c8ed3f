// Every fix of every bad example, applied alone: its finding is gone, and a safe one brings no other.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bayplan;

std::string content_of(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

std::string fixed(std::string source, const Fix& fix) {
  for (auto edit = fix.edits.rbegin(); edit != fix.edits.rend(); ++edit) {
    source.replace(edit->span.begin, edit->span.length(), edit->text);
  }
  return source;
}

lint::FileReport lint_text(std::string text, const fs::path& file, const lint::Tools& tools) {
  lint::Options options;
  options.selection.extend_select = {"BAY"};
  return lint::lint_document(std::move(text), file.filename().string(), options, tools);
}

std::size_t count_of(const lint::FileReport& report, std::string_view code) {
  return static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(), [&](const auto& one) { return one.code == code; }));
}

bool in_order(const Fix& fix) {
  for (std::size_t i = 1; i < fix.edits.size(); ++i) {
    if (fix.edits[i].span.begin < fix.edits[i - 1].span.end) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a fix removes its finding and leaves a readable text") {
  const lint::Tools tools;
  std::size_t tried = 0;
  for (const auto& entry : fs::recursive_directory_iterator(BAYPLAN_SOURCE_DIR "/tests/rules")) {
    const fs::path& file = entry.path();
    if (!entry.is_regular_file() || file.extension() == ".out") continue;
    const auto before = lint_text(content_of(file), file, tools);
    for (const auto& finding : before.findings) {
      if (!finding.fix) continue;
      INFO(file.parent_path().filename().string()
           << "/" << file.filename().string() << " " << finding.code << " " << finding.pointer);
      CHECK(in_order(*finding.fix));
      const auto after = lint_text(fixed(before.document->source(), *finding.fix), file, tools);
      INFO(after.document->source());
      CHECK(after.document->root());
      CHECK(count_of(after, finding.code) == count_of(before, finding.code) - 1);
      if (finding.fix->safe) CHECK(after.document->faults().size() <= before.document->faults().size());
      ++tried;
    }
  }
  CHECK(tried > 20);
}
