#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "study/whatif/comparison.hpp"

/// Sentences of the reports of `whatif`.
namespace bayplan::report {

/// "NO  losing us-east-2a: 2 of 18 infer tasks cannot be placed (no free GPU)"
std::string whatif_headline(const study::Comparison& comparison);

/// "a, b and 3 more": at most `shown` are named.
std::string some_of(const std::vector<std::string>& names, std::size_t shown);

/// "2 of 18 infer tasks cannot be placed (no free GPU)": names that have more tasks without a place than in the
/// baseline.
std::string lacking_words(const study::Comparison& comparison, const study::ComparedVariant& variant);

/// "2 UNPLACED RESOURCE:GPU", "ok, 4 moved": how a service fares.
std::string result_words(const study::NameResult& name, const study::VariantResult& baseline);

/// "RESOURCE:GPU", "RESOURCE:GPU 2, MemberOf 1"
std::string reason_words(const study::NameResult& name);

/// Lists the variants that are reported in detail: only the worst single failures unless `all`.
std::vector<const study::ComparedVariant*> shown_variants(const study::Comparison& comparison, bool all);

/// The one variant that is shown in detail; null where there are several, or single failures.
const study::ComparedVariant* only_variant(const study::Comparison& comparison);

/// "even", "lose-az us-east-2a, drain i-0f3"; of single failures what is lost: "us-east-2a".
std::string make_label(const study::ComparedVariant& variant);

/// How a document names the variant: by its own name, else in words: "Losing us-east-2a, draining i-0f3".
std::string variant_title(const study::ComparedVariant& variant);

/// "3 infer -> i-0a1, i-0b7, i-0c2"
std::vector<std::string> move_words(const study::VariantResult& result, bool all);

/// "gone: i-0f3, i-0f4"; empty where none is.
std::string gone_words(const study::VariantResult& result, bool all);

/// "2 infer tasks run on: no place elsewhere, and none may stop first ...", "never empties: i-0f3"
std::vector<std::string> held_words(const study::VariantResult& result);

/// Remedies as a reader takes them: those that differ in the zone only drawn together, "--scale" last.
struct RemedyWords {
  std::string cost;  ///< "+$3.912/h", "price unknown"; "" for fewer tasks.
  std::string flag;
  std::string more;  ///< "or in us-east-2c"; may be empty.
};
std::vector<RemedyWords> remedy_words(const study::Remedies& remedies);

/// "+$36.72/h", "-$3.912/h"; empty where the cost is the same or not known.
std::string cost_difference(const study::VariantResult& before, const study::VariantResult& after);

/// What all results together rest on, each once.
std::vector<Assumption> collect_assumptions(const placement::Scenario& scenario, const study::Comparison& comparison);

/// One row of figures, or two where runs differ.
struct FiguresRow {
  std::string label;
  const study::VariantResult* result = nullptr;
  const std::optional<study::RunFigures>* runs = nullptr;
  bool is_failure = false;  ///< One of every single failure.
};

/// The baseline, then the variants that are shown.
std::vector<FiguresRow> compared_rows(const study::Comparison& comparison,
                                      const std::vector<const study::ComparedVariant*>& variants);

/// What no row can have (GPUs, prices, room, moves) has no column.
Table figures_table(const std::vector<FiguresRow>& rows);

/// The same for a terminal: headings that leave its 80 columns to the labels.
Table with_short_headings(Table table, const Glyphs& glyphs);

/// The services and standalone tasks of one variant. `all`: also those that nothing happens to, where they
/// are many.
Table names_table(const study::VariantResult& before, const study::VariantResult& after, bool all);

}  // namespace bayplan::report
