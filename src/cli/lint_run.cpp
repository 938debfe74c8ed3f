#include "cli/lint_run.hpp"

#include "cli/guarded_files.hpp"
#include "cli/job_summary.hpp"
#include "lint/foreign_kind.hpp"

namespace bayplan::cli {
namespace {

/// Why a file that the user named was not checked.
std::string reason_for(const lint::FileReport& report) {
  if (lint::is_terraform_code(report.file)) {
    return "is Terraform code; lint reads its plan: terraform show -json PLAN > plan.json";
  }
  const auto foreign = lint::foreign_kind(*report.document);
  const std::string name(lint::name_of(foreign));
  switch (foreign) {
    case lint::ForeignKind::kCopilot:
      return "is an " + name + "; lint reads the template of it: copilot svc package > stack.yaml";
    case lint::ForeignKind::kEcspresso:
      return "is an " + name + "; lint the files that its service_definition and task_definition name";
    case lint::ForeignKind::kTaskSet:
      return "is a " + name + ", of which lint has no rules; lint its task definition";
    case lint::ForeignKind::kJsonLines:
      return "is " + name + "; lint reads one document per file";
    case lint::ForeignKind::kGuardTest:
    case lint::ForeignKind::kRecording:
      return "is a " + name;
    case lint::ForeignKind::kNone:
      break;
  }
  switch (report.kind) {
    case rules::FileKind::kCloudFormation:
    case rules::FileKind::kCdk:
      return "is a template without task definitions and services of ECS";
    case rules::FileKind::kTerraform:
      return "is a Terraform plan or state without task definitions and services of ECS";
    default:
      return "is no task definition, service or run-task input";
  }
}

}  // namespace

LintRun::LintRun(const std::vector<Output>& outputs, const report::LintView& view, const GlobalOptions& global,
                 const lint::Tools& tools, Streams& io)
    : io_(io), tools_(tools), outputs_(outputs, io) {
  for (const auto& output : outputs_.all()) {
    auto own = view;
    own.style = style_of(global, io, output.is_standard_output);
    add_writer(output.format, output.out, own);
    if (output.format != "github") continue;
    job_summary_ = std::make_unique<std::ostringstream>();
    add_writer("markdown", *job_summary_, {});
  }
}

void LintRun::add_writer(std::string_view format, std::ostream& out, const report::LintView& view) {
  writers_.push_back(report::lint_writer(format, out, tools_.rule_data, view));
}

void LintRun::start(const lint::FoundFiles& found) {
  excluded_ = found.excluded;
  summary_.search.has_folders = found.has_folders;
  summary_.search.passed_over = found.passed_over;
  for (const auto& error : found.errors) take_error(error);
}

void LintRun::take(lint::Outcome outcome) {
  if (outcome.error) return take_error(std::move(*outcome.error));
  const auto& report = outcome.report;
  if (!outcome.is_named) ++summary_.search.looked_at;
  if (!outcome.is_checked() && !outcome.is_named) return pass_over(report);
  if (outcome.is_checked()) {
    if (!outcome.is_named) ++summary_.search.recognized;
    summary_.add(report);
  } else {
    const bool is_foreign = lint::foreign_kind(*report.document) != lint::ForeignKind::kNone;
    const bool is_unknown = report.kind == rules::FileKind::kUnrecognized;
    unrecognized_.push_back({.message = reason_for(report),
                             .file = report.file,
                             .help = is_unknown && !is_foreign
                                         ? "A task definition has containerDefinitions; --from says what a file is."
                                         : ""});
  }
  for (const auto& writer : writers_) writer->file(report);
}

void LintRun::pass_over(const lint::FileReport& report) {
  summary_.search.passed_over.push_back(
      {report.file, lint::PassReason::kUnrecognized, std::string(lint::what_it_is(report))});
  may_be_replaced(io_, report.file);
}

void LintRun::take_error(Error error) {
  for (const auto& writer : writers_) writer->unreadable(error);
  errors_.push_back(std::move(error));
}

int LintRun::finish(bool tells_unrecognized) {
  lint::sort_by_path(summary_.search.passed_over);
  for (const auto& writer : writers_) writer->finish(summary_);
  const int written = outputs_.commit();
  const int added = job_summary_ ? add_to_job_summary(job_summary_->str(), io_) : kClean;
  for (const auto& error : errors_) fail(io_, error);
  if (tells_unrecognized) {
    for (const auto& error : unrecognized_) fail(io_, error);
  }
  return written != kClean ? written : added;
}

}  // namespace bayplan::cli
