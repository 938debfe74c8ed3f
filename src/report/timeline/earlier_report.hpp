#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "placement/model/scenario.hpp"
#include "report/timeline/timeline_events.hpp"
#include "text/document.hpp"
#include "timeline/history.hpp"

namespace bayplan::report {

/// What a JSON report of a run over time says of it, as far as a continuation must know.
struct EarlierReport {
  struct Entry {
    timeline::Seconds at = 0;
    std::string event_name;
    EventNames names;
    text::Value node;
  };
  std::string file;
  std::shared_ptr<const text::Document> document;
  timeline::Seconds end = 0;
  std::vector<Entry> events;  ///< But for SERVICE_DEPLOYMENT_STUCK, which is said of the end of a run.
};

/// An error with its place when it is no such report.
Result<EarlierReport> read_earlier_report(std::shared_ptr<const text::Document> document, const std::string& file);

/// A run is the continuation of another when up to the end of that everything happens again. The first event that does
/// not, of both, in words; nothing when the history goes on from the report.
std::optional<Error> first_difference(const EarlierReport& earlier, const placement::Scenario& scenario,
                                      const timeline::History& history);

}  // namespace bayplan::report
