#include "lint/fix/add_ignores.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/config/ignore_comments.hpp"
#include "text/edited_text.hpp"
#include "text/encoding.hpp"

namespace bayplan::lint {
namespace {

std::multiset<std::string_view> open_rules(const FileReport& report) {
  std::multiset<std::string_view> rules;
  for (const auto& finding : report.findings) {
    if (!finding.suppression) rules.insert(finding.code);
  }
  return rules;
}

std::vector<std::string> each_once(const std::multiset<std::string_view>& rules) {
  const std::set<std::string_view> once(rules.begin(), rules.end());
  return {once.begin(), once.end()};
}

}  // namespace

FixedText add_ignores(std::string bytes, const Recheck& recheck) {
  const FileReport before = recheck(bytes);
  const auto open = open_rules(before);
  if (open.empty()) return {std::move(bytes), 0, {}};
  auto decoded = text::decode(bytes);
  std::vector<UnwantedFinding> findings;
  // In a template whose placeholders were filled in, offsets are not those of the file.
  const bool is_as_written = before.document && before.document->source() == decoded.text &&
                             text::encode(decoded.text, decoded.encoding) == bytes;
  for (const auto& finding : before.findings) {
    if (is_as_written && !finding.suppression) findings.push_back({finding.code, finding.span.begin});
  }
  auto edits = findings.empty() ? std::vector<Edit>() : ignore_comments(*before.document, before.file, findings);
  if (edits.empty()) return {std::move(bytes), 0, {}, each_once(open)};

  auto commented = text::encode(text::apply(decoded.text, std::move(edits)).text, decoded.encoding);
  const FileReport after = recheck(commented);
  auto left = open_rules(after);
  // In .jsonc, each comment is an info of its own.
  for (const auto& finding : after.findings) {
    const bool is_of_comment =
        finding.severity == Severity::kInfo && left.count(finding.code) > open.count(finding.code);
    if (is_of_comment) left.erase(left.find(finding.code));
  }
  if (after.kind != before.kind || !std::includes(open.begin(), open.end(), left.begin(), left.end()))
    return {std::move(bytes), 0, {}, each_once(open)};
  return {std::move(commented), open.size() - left.size(), {}, each_once(left)};
}

}  // namespace bayplan::lint
