#pragma once
#include <memory>
#include <string>

#include "study/dry_run/dry_run.hpp"

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

/// The dry run of one call: what those of all operations have in common.
class CallTrial {
 public:
  CallTrial(awscli::Request request, const TrialTools& tools);
  virtual ~CallTrial() = default;
  CallTrial(const CallTrial&) = delete;
  CallTrial& operator=(const CallTrial&) = delete;

  DryRunResult run();

 protected:
  virtual void try_call() = 0;

  awscli::Verb verb() const { return run_.request.operation->verb; }
  text::Value root() const { return run_.request.document->root(); }
  void assume(std::string id, std::string subject, std::string text);
  lint::FileReport lint(const lint::Options& options, const lint::FindDefinition& find = {}) const;
  /// Whether the findings say that nothing comes of the call.
  bool is_refused_by_lint(const lint::FindDefinition& find = {});
  scenario::ScenarioRequest cluster_request() const;
  /// What is there, whatever the call asks for.
  scenario::LoadedScenario load_described() const;
  /// Whether a cluster is described; false with the error noted.
  bool has_cluster();
  /// The call names the cluster that is described, or none; false with the error noted.
  bool check_cluster();
  /// An error at a part of the request.
  void object_to(const text::Value& written, std::string message, std::string help = {});

  TrialTools tools_;
  DryRun run_;
  /// The request with what ECS takes from the cluster where it says nothing; null where that is nothing.
  std::shared_ptr<const text::Document> completed_;
  DryRunResult result_;

 private:
  void note_first_of_many();
};

/// The rules of the path that the call takes.
lint::Options as_aws_cli();
bool has_errors(const lint::FileReport& report);

rules::FileKind kind_of(awscli::Verb verb);

}  // namespace bayplan::study
