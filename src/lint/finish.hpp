#pragma once
#include "importers/subject.hpp"
#include "lint/lint.hpp"
#include "rules/emitter.hpp"

namespace bayplan::lint {

/// Where findings were made and where they go.
struct Finish {
  const Options& options;
  const text::Document& document;               ///< What the rules looked at.
  const importers::Subject* subject = nullptr;  ///< Set when that is a part of the file, in other words.
  FileReport& report;
};

/// What is told in the end: selected, one fault once; adds it to the report.
void finish_findings(rules::Findings found, const Finish& finish, const Tools& tools);

/// Brings the findings of a file into file order and tells equal ones apart.
void order_findings(FileReport& report);

}  // namespace bayplan::lint
