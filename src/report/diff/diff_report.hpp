#pragma once
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lazy.hpp"
#include "report/document/report_document.hpp"
#include "rules/rule_data.hpp"
#include "study/diff/diff.hpp"
#include "text/location.hpp"

/// What a comparison says, in the words that its reports share.
namespace bayplan::report {

/// A comparison and what its words need.
class DiffView {
 public:
  DiffView(const study::DiffReport& report, const Lazy<rules::RuleData>& rules) : report_(report), rules_(rules) {}

  const study::DiffReport& report() const { return report_; }
  const study::DiffSide& before() const { return report_.before; }
  const study::DiffSide& after() const { return report_.after; }
  std::string_view rule_id(std::string_view code) const { return rules_.get().row(code).id; }

  /// The value of a change on one side; null if it is absent there.
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

/// Prices of the instance types that the report names.
capacity::PriceRange find_price_range(const study::DiffReport& report);

/// Whether the report speaks of prices, whose region it then has to say.
bool tells_prices(const study::DiffReport& report);

std::string words_of(const DiffView::Place& place);  ///< "train.json:14:17"

void write_diff_json(std::ostream& out, const DiffView& view);
/// A comment on a pull request, whose first line is a mark by which a bot finds it again; or a page.
ReportDocument diff_document(const DiffView& view);
/// A row a field that changed, and one for each definition that only one side has.
void write_diff_csv(std::ostream& out, const DiffView& view);

/// "3 fields changed; +1 GPU, +2048 MiB per task; g4dn.12xlarge holds 2 instead of 4; 1 new error"
std::string diff_sentence(const study::DiffReport& report, const study::DefinitionDiff& diff);

/// "train: 3 fields changed ..." of one definition; of several how many differ, and the worst of it.
std::string diff_headline(const study::DiffReport& report);

/// "+1 GPU", "+2048 MiB", "+1 host port (TCP 8080)", "awsvpc: +1 ENI"; empty when a task takes what it took.
std::vector<std::string> effect_parts(const capacity::TaskRequirement& before, const capacity::TaskRequirement& after);

/// "memory": what a placeholder on one side alone leaves open; no part of the above speaks of it.
std::vector<std::string_view> open_parts(const capacity::TaskRequirement& before,
                                         const capacity::TaskRequirement& after);

/// "1 GPU, 4 vCPU, 15000 MiB", and what of it is not known.
std::string task_words(const capacity::TaskRequirement& task);

/// Why NEW cannot be deployed: "no instance type holds it".
std::string obstacle_words(const study::DefinitionDiff& diff, study::Obstacle obstacle);
/// "can no longer be deployed: ECS would refuse it"; empty if nothing prevents it.
std::string verdict_words(const study::DefinitionDiff& diff);
std::string_view name_of(study::Obstacle obstacle);  ///< "noType": a word for programs.

/// "3 more copies fit on the cluster (was 5)"; the reason why no more is left out.
std::string room_words(const study::ClusterEffect& effect);

/// "0 of 2 instances have 2 free GPUs (...)"; empty where it was not found out.
std::string room_end_words(const study::Room& room);

/// "the deployment of web (web:2) never finishes: ..."; whether OLD would is said too.
std::string rollout_words(const study::ServiceRollout& rollout);

/// "2", "2-3", "any", "0"; "-" where there is no definition.
std::string copies_words(const std::optional<capacity::FitRow>& row);

/// "2 -> 3"; of what did not change, itself alone.
std::string changed(const std::string& before, const std::string& after);

/// What a copy costs an hour, "0.526"; "-" where that is not known.
std::string copy_price_words(const std::optional<capacity::FitRow>& row, std::string_view currency = {});

/// What a copy costs at least: "$0.526 an hour on g4dn.xlarge", "of unknown price".
std::string cheapest_words(const study::SideCapacity& side);

/// "2 new errors", "1 new warning", "3 findings gone".
std::vector<std::string> finding_counts(const study::DiffReport& report, const study::FindingChanges& changes);

/// What became of a field: "changed", "added", "removed"; a word for programs too.
std::string_view kind_of(const study::FieldChange& change);

/// "+ containerDefinitions[web].environment[LR]"; `+` was not there, `-` is not there any more.
std::string field_words(const study::FieldChange& change);

/// What one side says, quoted where it could be misread, and whether it is a placeholder; a long text is cut in
/// the middle unless `whole`.
std::string side_words(const study::FieldSide& side, bool whole);

/// Its position in NEW; of what is removed, in OLD.
std::string place_of(const DiffView& view, const study::DefinitionDiff& diff, const study::FieldChange& change);

/// Where one side says it; nothing when it does not.
std::optional<DiffView::Place> place_before(const DiffView& view, const study::DefinitionDiff& diff,
                                            const study::FieldChange& change);
std::optional<DiffView::Place> place_after(const DiffView& view, const study::DefinitionDiff& diff,
                                           const study::FieldChange& change);

}  // namespace bayplan::report
