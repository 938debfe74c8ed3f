#pragma once
#include <optional>
#include <string>
#include <vector>

#include "study/comparison.hpp"

/// Sentences of the reports of `whatif`.
namespace bayplan::report {

/// "NO  us-east-2a cannot be lost: 2 of 18 infer tasks have no GPU; any other zone can"
std::string whatif_headline(const study::Comparison& comparison);

/// "a, b and 3 more": at most so many are named.
std::string some_of(const std::vector<std::string>& names, std::size_t shown);

/// "2 of 18 infer tasks have no GPU": names that have more tasks without a place than in the baseline.
std::string lacking_words(const study::Comparison& comparison, const study::ComparedVariant& variant);

/// "2 UNPLACED RESOURCE:GPU", "ok, 4 moved": how a service fares. `before`: its tasks without a place in the baseline.
std::string result_words(const study::NameResult& name, std::int64_t before);

/// "RESOURCE:GPU", "RESOURCE:GPU 2, MemberOf 1"
std::string reason_words(const study::NameResult& name);

/// Those that are told in detail: of single failures the worst, unless `all`.
std::vector<const study::ComparedVariant*> told_variants(const study::Comparison& comparison, bool all);

/// "even", "lose-az us-east-2a, drain i-0f3"; of single failures what is lost: "us-east-2a".
std::string label_of(const study::ComparedVariant& variant);

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
std::vector<Assumption> assumptions_of(const placement::Scenario& scenario, const study::Comparison& comparison);

}  // namespace bayplan::report
