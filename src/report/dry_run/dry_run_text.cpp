#include <string>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/model/outcome.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/dry_run/dry_run_report.hpp"
#include "report/lint/source_frame.hpp"
#include "report/place/place_report.hpp"
#include "report/place/place_words.hpp"
#include "report/whatif/whatif_deployment.hpp"

namespace bayplan::report {
namespace {

using study::DryRun;

constexpr std::size_t kGutter = 3;

std::string place_text(const Error& place) {
  if (place.line == 0) return printable(place.file);
  return fmt::format("{}:{}:{}", printable(place.file), place.line, place.column);
}

void write_frame_of(std::ostream& out, const DryRun& run, Span span, char mark, const std::string& note,
                    Severity severity, const Style& style) {
  const auto* segment = run.request.segment_at(span.begin);
  if (segment == nullptr) {
    if (!note.empty()) write_note(out, note, kGutter, style);
    return;
  }
  const std::uint32_t begin = span.begin - segment->span.begin;
  const Span shown{begin, std::max(begin, std::min(span.end, segment->span.end) - segment->span.begin)};
  const std::size_t digits = std::to_string(segment->lines.location(begin).line).size();
  write_frame(out, segment->lines, {shown, mark, note, severity}, std::max(kGutter, digits), style);
}

/// Of another option its name says enough.
void write_related(std::ostream& out, const DryRun& run, const Related& related, const Style& style) {
  const auto* segment = run.request.segment_at(related.span.begin);
  if (segment != nullptr && segment->is_file) {
    return write_frame_of(out, run, related.span, '-', related.message, Severity::kInfo, style);
  }
  write_note(out, fmt::format("{}: {}", place_text(run.request.place_of(related.span.begin)), related.message), kGutter,
             style);
}

void write_finding(std::ostream& out, const DryRun& run, const lint::LintFinding& finding,
                   const Lazy<rules::RuleData>& data, const Style& style) {
  const auto& row = data.get().row(finding.code);
  out << style.bold(place_text(run.request.place_of(finding.span.begin))) << ' '
      << style.of(finding.severity, name_of(finding.severity)) << ' ' << finding.code << ' ' << row.id << ": "
      << printable(finding.message) << '\n';
  if (row.hides_source) return write_note(out, finding.help, kGutter, style);
  write_frame_of(out, run, finding.span, '^', finding.help, finding.severity, style);
  for (const auto& related : finding.related) write_related(out, run, related, style);
}

/// "; 2 errors, 1 warning"
std::string finding_counts(const DryRun& run) {
  std::string text;
  for (const auto severity : {Severity::kError, Severity::kWarning}) {
    std::int64_t count = 0;
    for (const auto& finding : run.lint.findings) count += finding.severity == severity ? 1 : 0;
    if (count == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "; " : ", ", count_of(count, name_of(severity)));
  }
  return text;
}

std::string refused_headline(const DryRun& run) {
  const auto& refusal = *run.refusal;
  const bool by_client = refusal.by == study::RefusedBy::kClient;
  std::string why = printable(refusal.message);
  if (why.ends_with('.')) why.pop_back();
  return fmt::format("NO  {} rejects {}: {}{}", by_client ? "the AWS CLI" : "ECS", run.request.operation->api_name, why,
                     finding_counts(run));
}

std::string registered_headline(const DryRun& run) {
  const text::Value family = run.request.document->root().find("family");
  const std::string revision = run.revision ? ":" + std::to_string(*run.revision) : "";
  return fmt::format("YES ECS registers {}{} for {}{}", family ? family.text() : "", revision,
                     join(run.compatibilities, ", "), finding_counts(run));
}

std::string started_headline(const DryRun& run) {
  const auto placed = static_cast<std::int64_t>(run.outcome->placements.size());
  const auto failed = static_cast<std::int64_t>(run.failures.size());
  if (failed == 0) return fmt::format("YES {} started", count_of(placed, "task"));
  const auto& first = run.failures.front();
  return fmt::format("NO  {} of {} not started: {} on {}", failed, count_of(placed + failed, "task"), first.reason,
                     first.arn);
}

/// "minimumHealthyPercent 50 and maximumPercent 100"
std::string percents(const DryRun& run) {
  const auto& service = run.scenario->workloads.front();
  return fmt::format("minimumHealthyPercent {} and maximumPercent {}", service.minimum_healthy_percent,
                     service.maximum_percent);
}

/// Where no task may start at once.
std::string waiting_headline(const DryRun& run) {
  const auto& update = *run.update;
  if (update.is_stuck()) return fmt::format("NO  the deployment cannot start: {} leave no room", percents(run));
  if (update.is_new_deployment && update.desired > 0) {
    return fmt::format("YES {} leave no room: ECS stops {} first", percents(run), count_of(update.stops(), "task"));
  }
  if (update.stops() > 0)
    return fmt::format("YES ECS stops {} of {}", update.stops(), count_of(update.running, "task"));
  return fmt::format("YES nothing to place: desired {}, running {}", update.desired, update.running);
}

std::string updated_headline(const DryRun& run) {
  if (run.rollout) return (run.rollout->finishes() ? "YES " : "NO  ") + deployment_headline(*run.rollout);
  const auto& update = *run.update;
  if (update.starts() == 0) return waiting_headline(run);
  const std::string placed = headline(make_report_of_one_order(*run.scenario, *run.outcome));
  if (update.running == 0 || !run.outcome->failures.empty()) return placed;
  return fmt::format("{}, in addition to {} of {}", placed, count_of(update.running, "running task"),
                     update.before.name);
}

}  // namespace

std::string dry_run_answer(const DryRun& run) {
  if (run.refusal) return refused_headline(run);
  if (!run.effects.empty()) {
    return fmt::format("{}{}{}", run.succeeds() ? "YES " : "NO  ", printable(run.effects.front().text),
                       finding_counts(run));
  }
  if (run.update) return updated_headline(run);
  if (run.request.operation->verb == awscli::Verb::kStartTask) return started_headline(run);
  if (!run.outcome) return registered_headline(run);
  return headline(make_report_of_one_order(*run.scenario, *run.outcome));
}

namespace {

constexpr std::size_t kShownPlacements = 8;

/// Where the tasks of the call are placed; devices where some are used.
void write_dry_run_placements(std::ostream& out, const DryRun& run, const TextOptions& view) {
  if (!run.outcome || run.outcome->placements.empty()) return;
  const auto& scenario = *run.scenario;
  Table table({"task", "instance", "zone", std::string(device_words(scenario).plural)});
  for (const auto& placement : run.outcome->placements) {
    const auto& instance = scenario.instances[placement.instance];
    std::vector<std::string> gpus;
    for (const auto& given : placement.gpus) {
      for (const auto device : given.devices) gpus.push_back(placement::gpu_id(scenario, placement.instance, device));
    }
    table.add({placement::task_id(scenario, placement.attempt), instance.id,
               scenario.profiles[instance.profile].availability_zone, join(gpus, " ")});
    if (!view.verbose && table.rows.size() == kShownPlacements) break;
  }
  table.drop_empty_columns();
  print_table(out, table, view.style);
  print_left_out(out, run.outcome->placements.size() - table.rows.size());
}

}  // namespace

void write_dry_run_text(std::ostream& out, const DryRun& run, const Lazy<rules::RuleData>& data,
                        const TextOptions& view) {
  out << view.style.bold(answer_lines(dry_run_answer(run), view.quiet)) << '\n';
  for (const auto& finding : run.lint.findings) {
    if (view.quiet && finding.severity != Severity::kError) continue;
    write_finding(out, run, finding, data, view.style);
  }
  if (view.quiet) return;
  for (std::size_t i = 1; i < run.effects.size(); ++i) out << "  " << wrapped(run.effects[i].text, 2) << '\n';
  write_dry_run_placements(out, run, view);
  if (run.rollout) {
    ReportDocument deployments("dry-run");
    deployments.has_all_lines = true;
    add_deployments(deployments, *run.rollout);
    write_text(out, deployments, view);
  }
  if (run.scenario) write_cluster_findings_text(out, run.scenario->findings, view.verbose, view.style);
  write_assumptions_text(out, collect_assumptions(run), view.verbose, view.style);
  if (run.refusal) {
    out << '\n' << study::client_words(*run.refusal, *run.request.operation) << '\n';
    if (run.refusal->in_own_words)
      out << view.style.dim("(paraphrased: no recorded ECS response to this call)") << '\n';
    return;
  }
  if (!view.verbose) {
    out << view.style.dim("Response: --output aws, or -v") << '\n';
    return;
  }
  out << '\n';
  write_dry_run_response(out, run);
}

}  // namespace bayplan::report
