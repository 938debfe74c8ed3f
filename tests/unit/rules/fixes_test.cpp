// Every fix of every bad example, applied alone: its finding is gone, and a safe one brings no other.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "lint/fix/fixes.hpp"
#include "support/in_sources.hpp"

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

bool is_safe(const lint::LintFinding& finding) {
  return finding.fix && finding.fix->safe;
}

/// All safe fixes at once, by hand; nothing when two of them touch.
std::optional<std::string> all_fixed(const lint::FileReport& report) {
  Fix all{true, {}};
  for (const auto& finding : report.findings) {
    if (is_safe(finding)) all.edits.insert(all.edits.end(), finding.fix->edits.begin(), finding.fix->edits.end());
  }
  std::sort(all.edits.begin(), all.edits.end(),
            [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
  for (std::size_t i = 1; i < all.edits.size(); ++i) {
    if (all.edits[i].span.begin <= all.edits[i - 1].span.end) return std::nullopt;
  }
  return fixed(report.document->source(), all);
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
  for (const auto& entry : fs::recursive_directory_iterator(in_sources("tests/rules"))) {
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
      // What the reader guessed after one missing bracket is mended with it.
      const auto most = count_of(before, finding.code) - 1;
      CHECK((finding.code == "BAY001" ? count_of(after, finding.code) <= most : count_of(after, finding.code) == most));
      if (finding.fix->safe) CHECK(after.document->faults().size() <= before.document->faults().size());
      ++tried;
    }
  }
  CHECK(tried > 20);
}

TEST_CASE("fixing a bad example leaves no safe fix without a word, and the second time nothing to do") {
  const lint::Tools tools;
  std::size_t changed = 0, checked_by_hand = 0;
  for (const auto& entry : fs::recursive_directory_iterator(in_sources("tests/rules"))) {
    const fs::path& file = entry.path();
    if (!entry.is_regular_file() || file.extension() == ".out") continue;
    INFO(file.parent_path().filename().string() << "/" << file.filename().string());
    const auto recheck = [&](std::string text) { return lint_text(std::move(text), file, tools); };
    const std::string original = content_of(file);
    const auto before = recheck(original);
    const auto result = lint::fix_text(original, recheck);
    const auto after = recheck(result.bytes);
    INFO(result.bytes);

    const auto safe = std::count_if(after.findings.begin(), after.findings.end(), is_safe);
    const bool is_refused_whole = result.bytes == original && result.left.size() == 1;
    CHECK((static_cast<std::size_t>(safe) == result.left.size() || is_refused_whole));
    CHECK(static_cast<bool>(after.document->root()) >= static_cast<bool>(before.document->root()));
    const auto again = lint::fix_text(result.bytes, recheck);
    CHECK(again.fixed == 0);
    CHECK(again.bytes == result.bytes);
    changed += result.fixed > 0 ? 1 : 0;

    const auto by_hand = all_fixed(before);
    const bool is_one_pass = by_hand && before.document->source() == original && result.left.empty() &&
                             lint::fix_text(*by_hand, recheck).fixed == 0;
    if (!is_one_pass) continue;
    CHECK(result.bytes == *by_hand);
    checked_by_hand += result.fixed > 0 ? 1 : 0;
  }
  CHECK(changed > 70);
  CHECK(checked_by_hand > 70);
}
