#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "study/repack.hpp"

/// Sentences of the reports of `repack`.
namespace bayplan::report {

struct RepackReport {
  const study::RepackPlan& plan;
  std::optional<MicroUsd> min_saving;     ///< --min-saving
  std::optional<std::int64_t> max_moves;  ///< --max-moves

  /// It gives something back, and saves what was asked for.
  bool is_worth_it() const;
};

/// "Give back 3 of 12 instances: $11.736/h less of $46.944/h, 9 moves"
std::string repack_headline(const RepackReport& report);

/// "4 web, 1 infer", "none, empty", "; 2 train must end first"
std::string step_words(const study::RepackPlan& plan, const study::RepackStep& step);

/// "infer has no place elsewhere (RESOURCE:GPU)"
std::string staying_words(const study::RepackPlan& plan, const study::Staying& staying);

/// "no plan of any kind saves more", "no plan of any kind saves more than $15.648/h: the tasks need the GPU"; may be
/// empty.
std::string limit_words(const study::RepackPlan& plan);

/// "2a,2b (3 zones before)"
std::string zone_words(const study::RepackPlan& plan, const study::RepackName& name);

/// "2 services end up in fewer zones: infer, api; --keep-zones forbids that"; empty where none does.
std::string fewer_zones_words(const study::RepackPlan& plan);

/// Of the scenario, the engine, and what giving back takes for granted.
std::vector<Assumption> assumptions_of(const study::RepackPlan& plan);

/// "no-place", "standalone-tasks": as reports in JSON say it.
std::string_view word_of(study::Stays why);

}  // namespace bayplan::report
