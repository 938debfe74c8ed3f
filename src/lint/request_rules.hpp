#pragma once
#include "lint/lint.hpp"
#include "model/service.hpp"
#include "rules/context.hpp"
#include "rules/emitter.hpp"
#include "rules/service/service_context.hpp"

namespace bayplan::lint {

/// Runs the rules of services and RunTask calls over one after the other.
class RequestRules {
 public:
  RequestRules(const Options& options, const Tools& tools, const FindDefinition& find, rules::Findings& found)
      : options_(options), tools_(tools), find_(find), found_(found) {}

  /// What a file of kind service or run-task holds.
  void check(const rules::Context& file);
  void check(const model::Service& service, rules::ServiceInput input, bool is_whole);
  void check(const model::TaskRun& run, rules::ServiceInput input, bool is_whole);

 private:
  rules::NamedDefinition definition_named(const model::PlacementRequest& request) const;
  void check(const rules::ServiceContext& context);

  const Options& options_;
  const Tools& tools_;
  const FindDefinition& find_;
  rules::Findings& found_;
};

}  // namespace bayplan::lint
