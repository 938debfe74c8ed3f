#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "base/json_writer.hpp"
#include "placement/model/scenario.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

/// Assumptions of one id, which a report shows in one line.
struct AssumptionGroup {
  std::string_view id;
  std::string_view text;              ///< Text of the first one.
  std::int64_t count = 0;             ///< How many they are.
  std::int64_t differing = 0;         ///< Number of texts that differ from the first by more than the subject.
  std::vector<std::string> subjects;  ///< Subjects of all, in their order, without empty ones.

  /// The text; "...; 2 differ in detail" where not all say the same.
  std::string words() const;

  /// "web", "web, api, etl and 1 more" (all of them when `is_whole`), "2 times"; empty for one without a subject.
  std::string subject_words(bool is_whole) const;
};

/// Groups assumptions by ID alone, or by ID and text, in the order of the first of each group. The groups view
/// `assumptions`.
std::vector<AssumptionGroup> grouped_by_id(const std::vector<Assumption>& assumptions);
std::vector<AssumptionGroup> grouped_by_text(const std::vector<Assumption>& assumptions);

/// What the first lines of a report must say: that tasks are placed on EC2 instances where ECS would use another launch
/// type ("web and api: requiresCompatibilities is FARGATE, ..."), or assigns no Neuron devices. Mostly empty.
std::vector<std::string> notes_of(const std::vector<Assumption>& assumptions);

/// An "Assumption: TEXT [ID: web, api]" line for each text, broken to fit 80 columns. Without `verbose`, only up to
/// three for what the input lacks or is not simulated; "3 assumptions (-v)" counts the others.
void write_assumptions_text(std::ostream& out, const std::vector<Assumption>& assumptions, bool verbose,
                            const Style& style);

/// A "note ID (SUBJECT): TEXT" line for each thing that the description of a live cluster lacks or contradicts. Without
/// `verbose`, three of them and "2 more notes (-v)". Writes nothing where there are none.
void write_cluster_findings_text(std::ostream& out, const std::vector<placement::ClusterFinding>& findings,
                                 bool verbose, const Style& style);

/// The member "clusterFindings" of the object that is open.
void write_cluster_findings_json(JsonWriter& json, const std::vector<placement::ClusterFinding>& findings);

/// The members "assumptions" and "assumptionCounts" (how many there are of each id) of the object that is open.
void write_assumptions_json(JsonWriter& json, const std::vector<Assumption>& assumptions);

}  // namespace bayplan::report
