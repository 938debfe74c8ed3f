#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "study/dry_run/dry_run.hpp"

/// What the dry runs of all calls have in common.
namespace bayplan::study {

inline constexpr std::string_view kCommandLine = "command line";

/// What a call is tried with.
struct TrialTools {
  const awscli::CommandLine& line;
  const DryRunSetting& setting;
  const Files& files;
  catalog::Catalog& catalog;
  const lint::Tools& lint;
};

DryRun begin_run(awscli::Request request, const TrialTools& tools);
inline awscli::Verb verb_of(const DryRun& run) {
  return run.request.operation->verb;
}
inline text::Value root_of(const DryRun& run) {
  return run.request.document->root();
}
void assume(DryRun& run, std::string id, std::string subject, std::string text);
void add_effect(DryRun& run, std::string id, std::string subject, std::string text);

// How a trial ends.
DryRunResult done(DryRun run);
DryRunResult refused(DryRun run, CallRefusal refusal);
DryRunResult failed(std::vector<Error> errors);
DryRunResult failed(Error error);
/// The placement did not pass its verification.
DryRunResult withdrawn(std::vector<std::string> mistakes);

/// What the rules say of the request. `completed`: the request with what ECS takes from the cluster where it says
/// nothing; null where that is nothing.
lint::FileReport lint_call(const DryRun& run, const TrialTools& tools, const lint::Options& options,
                           const lint::FindDefinition& find = {},
                           const std::shared_ptr<const text::Document>& completed = nullptr);
/// Keeps the findings in the run, and the refusal that follows from them. True: nothing comes of the call.
bool is_refused_by_lint(DryRun& run, const TrialTools& tools, const lint::FindDefinition& find = {},
                        const std::shared_ptr<const text::Document>& completed = nullptr);

scenario::ScenarioRequest cluster_request(const TrialTools& tools);
/// The cluster as it is once what is in flight has settled, whatever the call asks for.
scenario::LoadedScenario load_described(const TrialTools& tools);
/// Where no cluster is described.
std::optional<Error> missing_cluster(const TrialTools& tools);
/// Where the call names another cluster than the one that is described; an assumption where it names none.
std::optional<Error> other_cluster(DryRun& run);
/// An error at a part of the request.
Error objection(const DryRun& run, const text::Value& written, std::string message, std::string help = {});

/// The rules of the path that the call takes.
lint::Options as_aws_cli();
bool has_errors(const lint::FileReport& report);

rules::FileKind kind_of(awscli::Verb verb);

}  // namespace bayplan::study
