#include "cli/whatif_over_time.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "cli/formats.hpp"
#include "report/whatif/whatif_report.hpp"
#include "study/comparison_over_time.hpp"

namespace bayplan::cli {
namespace {

/// Those of `whatif`, of runs over time.
constexpr std::array<Format<study::ComparisonOverTime>, 5> kWhatIfOverTimeFormats{
    {{"text", report::write_whatif_over_time_text},
     {"json", report::write_whatif_over_time_json},
     {"html", report::whatif_over_time_document, report::Medium::kPage},
     {"markdown", report::whatif_over_time_document, report::Medium::kComment},
     {"csv", report::write_whatif_over_time_csv}}};

}  // namespace

std::optional<Error> check_instant(const placement::Scenario& scenario,
                                   const std::vector<study::LoadedVariant>& variants,
                                   const std::optional<placement::Seconds>& at) {
  const auto happens = std::find_if(variants.begin(), variants.end(), study::happens_at_an_instant);
  if (!scenario.timetable.has_time) {
    if (!at) return std::nullopt;
    return Error{.message = "--at: the scenario has no time in it; what happens finds the cluster as it stands",
                 .help = "leave --at out"};
  }
  if (happens == variants.end()) {
    if (!at) return std::nullopt;
    return Error{.message = "--at: nothing of the variants happens at an instant",
                 .help = "lose-az, drain, terminate and deploy do; the rest holds from the start"};
  }
  if (at) return std::nullopt;
  const auto& origin = happens->variant.origin;
  const auto name = happens->variant.name.empty() ? std::string("a single failure") : happens->variant.name;
  return Error{.message = name + ": the scenario takes time, and nobody says when this happens",
               .file = origin.file,
               .line = origin.line,
               .column = origin.column,
               .help = "add --at DURATION, for example --at 1h30m"};
}

int whatif_over_time(const placement::Scenario& scenario, const std::vector<study::LoadedVariant>& variants,
                     placement::Seconds at, const std::vector<Output>& outputs, const GlobalOptions& global,
                     Streams& io, Stats& stats) {
  stats.phase("simulate");
  const auto comparison = study::compare_over_time(scenario, variants, at);
  stats.size(count_of(static_cast<std::int64_t>(comparison.variants.size()), "variant"));
  if (!comparison.errors.empty()) return fail_all(io, comparison.errors);
  if (!comparison.mistakes.empty()) return internal_error(io, comparison.mistakes);
  stats.phase("report");
  const int written = write_report(outputs, kWhatIfOverTimeFormats, comparison, global, io);
  stats.print(io.err);
  if (written != kClean) return written;
  return comparison.any_leaves_more() ? kFindings : kClean;
}

}  // namespace bayplan::cli
