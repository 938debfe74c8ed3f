#pragma once
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include "base/lazy.hpp"
#include "report/document/document.hpp"
#include "report/document/text_options.hpp"
#include "rules/rule_data.hpp"
#include "study/diff.hpp"
#include "text/location.hpp"

namespace bayplan::report {

/// A comparison and what its words need.
class DiffTold {
 public:
  DiffTold(const study::DiffReport& report, const Lazy<rules::RuleData>& rules) : report_(report), rules_(rules) {}

  const study::DiffReport& report() const { return report_; }
  const study::DiffSide& before() const { return report_.before; }
  const study::DiffSide& after() const { return report_.after; }
  std::string_view rule_id(std::string_view code) const { return rules_.get().row(code).id; }

  /// Where the value of a change stands on one side; null when it does not.
  struct Place {
    std::string file;
    text::Location at;
  };
  Place place(const study::DiffSide& side, std::size_t report, std::uint32_t offset) const;
  Place place(const study::DiffSide& side, const study::FindingPlace& finding) const;

 private:
  const study::DiffReport& report_;
  const Lazy<rules::RuleData>& rules_;
  mutable std::map<const text::Document*, text::LineIndex> lines_;
};

std::string words_of(const DiffTold::Place& place);  ///< "train.json:14:17"

void write_diff_text(std::ostream& out, const DiffTold& told, const TextOptions& view);
void write_diff_json(std::ostream& out, const DiffTold& told);
/// A comment on a pull request, whose first line is a mark by which a bot finds it again; or a page.
Document diff_document(const DiffTold& told, Medium medium);
/// A row a field that changed, and one for each definition that only one side has.
void write_diff_csv(std::ostream& out, const DiffTold& told);

}  // namespace bayplan::report
