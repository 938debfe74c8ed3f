#pragma once
// A whole lint run, gathered: for tests that look at reports, not at what is written.
#include <vector>

#include "lint/lint_files.hpp"

inline std::vector<bayplan::lint::FileReport> checked_reports(const std::vector<bayplan::lint::Candidate>& candidates,
                                                              const bayplan::lint::Options& options,
                                                              const bayplan::lint::Tools& tools,
                                                              const bayplan::Files& files, unsigned jobs = 1) {
  std::vector<bayplan::lint::FileReport> reports;
  bayplan::lint::lint_each(candidates, options, tools, files, jobs, [&](bayplan::lint::Outcome outcome) {
    if (outcome.is_checked()) reports.push_back(std::move(outcome.report));
  });
  return reports;
}
