#include "report/whatif_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/ecs_words.hpp"
#include "report/assumptions.hpp"
#include "report/figures.hpp"
#include "report/place_words.hpp"
#include "report/whatif_deployment.hpp"
#include "report/whatif_tables.hpp"
#include "report/whatif_words.hpp"
#include "report/wrap.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::ComparedVariant;
using study::Comparison;
using study::EachOf;
using study::NameResult;
using study::VariantResult;

namespace {

constexpr std::size_t kShownWhatIfRemedies = 4;
constexpr std::size_t kShownHelp = 2;  ///< Of one variant among many.
constexpr std::size_t kShownListLines = 10;

class WhatIfTextWriter {
 public:
  WhatIfTextWriter(std::ostream& out, const Scenario& scenario, const Comparison& comparison,
                   const WhatIfTextOptions& options)
      : out_(out), scenario_(scenario), comparison_(comparison), options_(options) {}

  void answer() { out_ << options_.style.answer(wrapped(printable(whatif_headline(comparison_)), 0)) << '\n'; }

  /// All of one variant.
  void detail(const ComparedVariant& variant) {
    const auto& asked = variant.asked.variant;
    if (asked.changes.empty() && asked.events.empty()) return deployments(variant);
    write_names(out_, comparison_.baseline, variant.result, options_);
    out_ << '\n';
    const auto& before = comparison_.baseline_runs;
    write_figures(out_, {{"before", &comparison_.baseline, &before}, {"after", &variant.result, &variant.runs}},
                  options_);
    shares(variant);
    totals(variant.result);
    if (const auto gone = gone_words(variant.result, options_.verbose); !gone.empty()) line(0, gone);
    failures(variant.result);
    list("held", held_words(variant.result));
    list("moves", move_words(variant.result, options_.verbose));
    standalone(variant.result);
    remedies(variant);
    if (variant.deployed) out_ << '\n';
    deployments(variant);
  }

  /// A row a variant; those that leave more say why.
  void side_by_side() {
    const auto told = told_variants(comparison_, options_.verbose);
    std::vector<FiguresRow> rows{{"baseline", &comparison_.baseline, &comparison_.baseline_runs}};
    for (const auto* variant : told) {
      const bool is_failure = variant->asked.each != EachOf::kNone;
      rows.push_back({label_of(*variant), &variant->result, &variant->runs, is_failure});
    }
    write_figures(out_, rows, options_);
    if (told.size() < comparison_.variants.size())
      out_ << fmt::format("  and {} more (-v)\n", comparison_.variants.size() - told.size());
    for (const auto* variant : told) shares(*variant);
    totals(comparison_.baseline);
    stories(told);
  }

  void assumptions() {
    write_cluster_findings_text(out_, scenario_.findings, options_.style);
    const auto all = assumptions_of(scenario_, comparison_);
    if (!all.empty()) out_ << '\n';
    write_assumptions_text(out_, all, options_.verbose, options_.style);
  }

 private:
  void line(std::size_t indent, const std::string& text) {
    out_ << std::string(indent, ' ') << wrapped(printable(text), indent + 2) << '\n';
  }

  /// Whole per cent, never 0 or 100 where that is not true.
  static std::string share(std::int64_t part, std::int64_t whole) {
    const auto percent = part == 0 ? 0 : std::clamp<std::int64_t>((part * 100 + whole / 2) / whole, 1, 99);
    return fmt::format("{} % of {} runs", part == whole ? 100 : percent, whole);
  }

  /// Which runs are meant, and in how many what a planner hopes for holds.
  void shares(const ComparedVariant& variant) {
    if (!variant.runs || !variant.runs->differ()) return;
    const auto& runs = *variant.runs;
    std::vector<std::string> parts;
    if (runs.unplaced.max > 0) parts.push_back("everything is placed in " + share(runs.placed_all, runs.runs));
    if (runs.left_idle > 0) parts.push_back("an instance stays empty in " + share(runs.left_idle, runs.runs));
    if (parts.empty()) return;
    line(2, fmt::format("{}: {}", label_of(variant), join(parts, ", ")));
  }

  void totals(const VariantResult& result) {
    const auto& summary = result.summary;
    std::string text = count_of(summary.instances, "instance");
    if (summary.hourly_cost) text += fmt::format(", ${}/h ({})", usd(*summary.hourly_cost), scenario_.region);
    if (comparison_.baseline_runs) {
      const auto& runs = *comparison_.baseline_runs;
      text += fmt::format(", {} with seeds from {}", count_of(runs.runs, "run"), runs.first_seed);
    } else {
      text += fmt::format(", seed {}", scenario_.seed);
    }
    out_ << options_.style.dim(text) << '\n';
  }

  /// Why variants leave more without a place, in a few lines each; those that have the same to tell together.
  void stories(const std::vector<const ComparedVariant*>& told) {
    std::vector<std::vector<const ComparedVariant*>> groups;
    for (const auto* variant : told) {
      if (comparison_.excess(*variant) <= 0 && !variant->deployed) continue;
      const auto same = std::find_if(groups.begin(), groups.end(),
                                     [&](const auto& group) { return is_alike(*group.front(), *variant); });
      same == groups.end() || options_.verbose ? groups.push_back({variant}) : same->push_back(variant);
    }
    for (const auto& group : groups) story(group);
    help_for_all("zone", comparison_.of_zones);
    help_for_all("single instance", comparison_.of_instances);
  }

  /// What lets any of them be lost.
  void help_for_all(std::string_view thing, const study::Remedies& remedies) {
    const auto words = remedy_words(remedies);
    if (words.empty()) return;
    const auto& first = words.front();
    out_ << '\n';
    line(0, fmt::format("any {} could be lost with {}, {}", thing, first.flag, first.cost));
  }

  void deployments(const ComparedVariant& variant) {
    if (variant.deployed) write_deployments_text(out_, *variant.deployed, options_.style);
  }

  bool is_alike(const ComparedVariant& a, const ComparedVariant& b) const {
    return a.asked.each != EachOf::kNone && a.asked.each == b.asked.each && !a.deployed && !b.deployed &&
           lacking_words(comparison_, a) == lacking_words(comparison_, b) &&
           held_words(a.result).size() == held_words(b.result).size();
  }

  void story(const std::vector<const ComparedVariant*>& group) {
    const auto& first = *group.front();
    std::vector<std::string> labels;
    for (const auto* variant : group) labels.push_back(label_of(*variant));
    out_ << '\n' << options_.style.bold(wrapped(printable(join(labels, ", ")), 2)) << '\n';
    if (comparison_.excess(first) > 0) {
      line(2, lacking_words(comparison_, first));
      for (const auto& words : held_words(first.result)) line(2, words);
      help(first, group.size() > 1 ? " " + label_of(first) : std::string());
    }
    deployments(first);
  }

  /// `whom`: where others stand beside it.
  void help(const ComparedVariant& variant, const std::string& whom) {
    if (variant.remedies.tried == 0) return;
    const auto words = remedy_words(variant.remedies);
    line(2, words.empty() ? "nothing that was tried would help" + whom : "what would help" + whom);
    remedy_lines(words, 4, kShownHelp);
  }

  void failures(const VariantResult& result) {
    bool is_first = true;
    for (const auto& name : result.names) {
      if (!name.failure || name.unplaced() == name.held) continue;
      if (is_first) out_ << "\nnot placed\n";
      is_first = false;
      failure(result, name);
    }
  }

  void failure(const VariantResult& result, const NameResult& name) {
    const auto& scenario = *result.scenario;
    const auto& failed = *name.failure;
    const auto& task = scenario.workloads[failed.turn.workload].requirement;
    out_ << "  " << options_.style.bold(printable(fmt::format("{} {}", name.unplaced() - name.held, name.name))) << "  "
         << describe(task) << '\n';
    if (failed.closest) {
      const auto* closest = rejection_of(failed, *failed.closest);
      const auto lacking = closest == nullptr ? std::string() : shortfall_text(scenario, failed, *closest);
      line(4, fmt::format("closest: {}, {}{}", scenario.instances[*failed.closest].id, failure_reason(scenario, failed),
                          lacking.empty() ? "" : " (" + lacking + ")"));
    }
    if (const auto counts = reason_counts(scenario, failed); !counts.empty()) line(4, "rejected: " + counts);
  }

  void list(std::string_view heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    out_ << '\n' << heading << '\n';
    const auto shown = options_.verbose ? lines.size() : std::min(kShownListLines, lines.size());
    for (std::size_t i = 0; i < shown; ++i) line(2, lines[i]);
    if (shown < lines.size()) out_ << fmt::format("  and {} more (-v)\n", lines.size() - shown);
  }

  /// Tasks of RunTask that lost their instance.
  void standalone(const VariantResult& result) {
    std::vector<std::string> parts;
    for (const auto& name : result.names) {
      if (!name.is_service && name.moves > 0) parts.push_back(fmt::format("{} {}", name.moves, name.name));
    }
    if (parts.empty()) return;
    out_ << '\n';
    line(0, fmt::format("ECS does not start RunTask tasks again; counted as run again by their owner: {}",
                        join(parts, ", ")));
  }

  void remedies(const ComparedVariant& variant) {
    if (comparison_.excess(variant) <= 0 || variant.runs) return;
    const auto& found = variant.remedies;
    const auto tried = count_of(found.tried, "change");
    const auto words = remedy_words(found);
    if (words.empty()) {
      if (found.tried > 0) out_ << "\nnothing that was tried would help (" << tried << " simulated)\n";
      return;
    }
    out_ << fmt::format("\nwhat would help, each simulated ({} tried), the cheapest first\n", tried);
    remedy_lines(words, 2, kShownWhatIfRemedies);
  }

  /// Those that cost nothing less than fewer tasks are told in any case.
  void remedy_lines(const std::vector<RemedyWords>& words, std::size_t indent, std::size_t most) {
    std::size_t width = 0;
    for (const auto& one : words) width = std::max(width, one.cost.size());
    const auto shown = options_.verbose ? words.size() : std::min(most, words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto& one = words[i];
      if (i >= shown && !one.cost.empty()) continue;
      out_ << std::string(indent + width - one.cost.size(), ' ') << options_.style.bold(one.cost) << "  "
           << wrapped(printable(one.flag + (one.more.empty() ? "" : "  (" + one.more + ")")), indent + width + 2)
           << '\n';
    }
  }

  std::ostream& out_;
  const Scenario& scenario_;
  const Comparison& comparison_;
  const WhatIfTextOptions& options_;
};

}  // namespace

void write_whatif_text(std::ostream& out, const Scenario& scenario, const Comparison& comparison,
                       const WhatIfTextOptions& options) {
  WhatIfTextWriter writer(out, scenario, comparison, options);
  writer.answer();
  if (options.quiet) return;
  const auto& variants = comparison.variants;
  if (variants.size() == 1 && variants.front().asked.each == EachOf::kNone) {
    writer.detail(variants.front());
  } else {
    writer.side_by_side();
  }
  writer.assumptions();
}

}  // namespace bayplan::report
