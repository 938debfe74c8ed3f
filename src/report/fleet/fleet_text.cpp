#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "fleet/price_dates.hpp"
#include "placement/engine.hpp"
#include "placement/summary.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/terminal.hpp"
#include "report/fleet/filled_cluster.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_words.hpp"
#include "report/place/place_report.hpp"
#include "study/filled_fleet.hpp"

namespace bayplan::report {

using fleet::FilledFleet;
using study::FleetPlan;

namespace {

constexpr std::size_t kShownClosing = 3;
constexpr std::size_t kShownNames = 3;  ///< Of workloads with one constraint.
constexpr std::size_t kShownStrategies = 4;
constexpr std::size_t kShownRejections = 3;
constexpr std::size_t kShownMarginal = 6;
constexpr std::size_t kShownImpossible = 10;
constexpr std::size_t kShownRelaxed = 4;
constexpr std::size_t kShownLeftOut = 3;
constexpr std::size_t kShownRelaxedSubjects = 3;
constexpr std::size_t kEverySubject = std::numeric_limits<std::size_t>::max();

class FleetTextWriter {
 public:
  FleetTextWriter(std::ostream& out, const FleetReport& report, const FleetTextOptions& options)
      : out_(out), report_(report), plan_(report.plan), options_(options) {}

  void answer() {
    out_ << options_.style.answer(wrapped(printable(fleet_headline(report_)), 0)) << '\n';
    write_launch_type_notes(out_, report_.scenario.assumptions, options_.style);
  }

  void rest() {
    if (plan_.tasks > 0 && plan_.left_over() == 0) {
      fleet();
      constraints();
      instances();
      marginal_prices();
      quotas();
      zones();
      rollouts();
      memory_doubt();
      price_of_placement();
      alternatives();
      proof();
    }
    left_over();
    unplaceable();
    rates();
    if (options_.start_task) start_task();
    prices();
    assumptions();
  }

 private:
  std::string money(MicroUsd amount) const { return hourly(report_.market, amount); }

  void line(std::size_t indent, const std::string& text) {
    out_ << std::string(indent, ' ') << wrapped(printable(text), indent + 2) << '\n';
  }

  /// "count more (-v)" below a list that was cut.
  std::size_t shown(std::size_t all, std::size_t most) const { return options_.verbose ? all : std::min(all, most); }
  void tell_rest(std::size_t all, std::size_t told) {
    if (told < all) out_ << "  " << options_.style.dim(fmt::format("and {} more (-v)", all - told)) << '\n';
  }

  void fleet() {
    const auto table = fleet_table(report_);
    if (table.rows.empty()) return;
    print_table(out_, table, options_.style);
    const auto& use = plan_.use ? *plan_.use : plan_.ideal_use;
    if (const auto resource = use.binding_resource(); !resource.empty()) out_ << fmt::format("bound by {}\n", resource);
  }

  /// The recommended fleet as `place` would show it.
  void instances() {
    if (!options_.view.wide && !options_.view.chooses()) return;
    out_ << '\n';
    const FilledCluster filled(report_);
    if (filled.report() == nullptr) {
      line(0, "no instance is told by itself: no fleet is recommended, or it holds too many tasks");
      return;
    }
    write_cluster(out_, *filled.report(), {options_.style, options_.glyphs, false, options_.verbose, options_.view});
    out_ << '\n';
  }

  void price_of_placement() {
    const auto& filled = plan_.fill.recommended;
    if (!filled) return;
    const auto& request = report_.request;
    if (filled->hourly_cost > plan_.ideal_cost && !request.survives_zone_loss && !request.deployable) {
      line(0, fmt::format("what ECS's own placement costs: {} ({}) more than the ideal packing, {} at {}{}",
                          money(filled->hourly_cost - plan_.ideal_cost),
                          percent_more(filled->hourly_cost, plan_.ideal_cost), fleet_words(report_.market, plan_.ideal),
                          money(plan_.ideal_cost),
                          study::has_services(report_.scenario) ? "" : ", which StartTask fills (--start-task)"));
    }
    closing();
    strategies();
  }

  /// Where it matters how ECS is told to place; the cheapest of each cost and order of launches.
  void strategies() {
    std::vector<const FilledFleet*> told;
    for (const auto& one : plan_.fill.by_policy) {
      const bool is_told = std::any_of(told.begin(), told.end(), [&](const auto* other) {
        return other->policy.order == one.policy.order && other->hourly_cost == one.hourly_cost;
      });
      if (!is_told) told.push_back(&one);
    }
    if (told.size() < 2) return;
    out_ << "\nwhat it costs by how ECS is told to place"
         << (report_.request.deployable ? ", without room to deploy" : "") << '\n';
    const auto count = shown(told.size(), kShownStrategies);
    for (std::size_t i = 0; i < count; ++i) priced(*told[i], told[i]->hourly_cost, strategy_words(told[i]->policy));
    tell_rest(told.size(), count);
  }

  static std::string strategy_words(const fleet::Policy& policy) {
    const auto name = policy.is_as_written ? "as written" : policy.name;
    return name + (policy.order == placement::TaskOrder::kLargestFirst ? ", largest tasks first" : ", in any order");
  }

  /// "  $28.076/h  binpack:memory, in any order: 26 g4dn.xlarge and 2 p2.8xlarge"
  void priced(const FilledFleet& fleet, MicroUsd amount, const std::string& words) {
    constexpr std::size_t kWidth = 11;
    const auto price = money(amount);
    const auto width = std::max(kWidth, price.size());
    out_ << "  " << std::string(width - price.size(), ' ') << price << "  "
         << wrapped(printable(words + ": " + fleet_words(report_.market, fleet.purchases) + confirmations(fleet)),
                    width + 4)
         << '\n';
  }

  /// " (100 fresh orders)": in how many orders that the search had not seen the placement was simulated.
  static std::string confirmations(const FilledFleet& fleet) {
    if (fleet.confirmed == 0) return " (not simulated in fresh orders)";
    return fmt::format(" ({})", count_of(fleet.confirmed, "fresh order"));
  }

  void closing() {
    const auto& closing = plan_.fill.closing;
    if (closing.empty() || keeps_apart(report_, plan_.fill.recommended->policy)) return;
    out_ << "\nwhat would make it cheaper, each simulated in every launch order\n";
    const auto count = shown(closing.size(), kShownClosing);
    for (std::size_t i = 0; i < count; ++i) {
      priced(closing[i], closing[i].hourly_cost, closing_words(closing[i]));
    }
    tell_rest(closing.size(), count);
  }

  std::string closing_words(const FilledFleet& one) const {
    std::vector<std::string> parts = constraint_words(report_, one.policy, names_of_constraint());
    parts.push_back("with " + policy_words(one.policy));
    return join(parts, ", ");
  }

  std::size_t names_of_constraint() const { return options_.verbose ? kEverySubject - 1 : kShownNames; }

  /// The recommended fleet is filled only with these.
  void constraints() {
    const auto& filled = plan_.fill.recommended;
    if (!filled || !keeps_apart(report_, filled->policy)) return;
    out_ << "\nplacement constraints to write\n";
    for (const auto& words : constraint_words(report_, filled->policy, names_of_constraint())) line(2, words);
    out_ << '\n';
  }

  /// One line for all zones whose loss nothing comes of.
  void zones() {
    if (plan_.zone_losses.empty()) return;
    std::vector<std::string> parts;
    for (const auto& loss : plan_.zone_losses) {
      if (loss.without_place > 0) parts.push_back(fmt::format("{} {}", loss.availability_zone, loss.without_place));
    }
    if (parts.empty()) return line(0, "with any one zone lost every task still finds a place");
    line(0, "tasks without a place when a zone is lost: " + join(parts, ", ") + " (--survive-zone-loss plans for it)");
  }

  void rollouts() {
    const auto& services = plan_.rollouts.services;
    std::size_t rolling = 0;
    std::size_t untried = 0;
    for (const auto& one : services) {
      if (one.ok || !one.is_tried) {
        rolling += one.ok ? 1 : 0;
        untried += one.is_tried ? 0 : 1;
        continue;
      }
      out_ << options_.style.bold(options_.style.red("CANNOT DEPLOY")) << "  ";
      std::string text = one.service_name + ": " + one.why;
      for (const auto& missing : one.needs)
        text += fmt::format("; it rolls with {} {} more", missing.count, missing.instance_type);
      out_ << wrapped(printable(text), 15) << '\n';
    }
    if (untried > 0)
      line(0, fmt::format("not tried, as it would take too long: whether {} can deploy",
                          count_of(static_cast<std::int64_t>(untried), "service")));
    if (rolling > 0 && rolling == services.size())
      out_ << (rolling == 1 ? "its service can deploy" : "every service can deploy")
           << ", one at a time, within its healthy percents\n";
  }

  void memory_doubt() {
    const auto text = memory_doubt_words(report_);
    if (text.empty()) return;
    out_ << options_.style.bold(options_.style.red("MEMORY IN DOUBT")) << "  " << wrapped(printable(text), 17) << '\n';
  }

  void marginal_prices() {
    if (plan_.has_no_bound()) return;
    const auto names = shape_names(report_.scenario, plan_.question);
    const auto& worth = plan_.solution.certificate.duals.worth;
    std::vector<std::string> parts;
    const auto count = shown(std::min(names.size(), worth.size()), kShownMarginal);
    for (std::size_t i = 0; i < count; ++i)
      parts.push_back(fmt::format("{} {}", names[i],
                                  money((worth[i] + packing::kNanoUsdPerMicroUsd / 2) / packing::kNanoUsdPerMicroUsd)));
    if (count < names.size()) parts.push_back(fmt::format("and {} more (-v)", names.size() - count));
    if (!parts.empty()) line(0, "one task more costs about: " + join(parts, ", "));
    resource_prices();
  }

  void resource_prices() {
    std::vector<std::string> parts;
    for (const auto& [resource, usd] : plan_.resource_prices) {
      const auto amount = static_cast<MicroUsd>(std::llround(usd * kMicroUsdPerUsd));
      const auto unit = resource == "CPU" ? "vCPU" : resource == "MEMORY" ? "GiB" : "GPU";
      if (amount > 0) parts.push_back(fmt::format("{} a {}", money(amount), unit));
    }
    if (!parts.empty()) line(0, "by resource: " + join(parts, ", "));
  }

  void quotas() {
    const auto& filled = plan_.fill.recommended;
    std::vector<std::string> parts;
    std::string unknown;
    for (const auto& used : study::vcpus_by_quota(report_.market, filled ? filled->purchases : plan_.ideal)) {
      const std::string& quota = used.first;
      const std::int64_t vcpus = used.second;
      const auto limit = std::find_if(report_.market.quotas.begin(), report_.market.quotas.end(),
                                      [&](const auto& one) { return one.quota == quota; });
      const auto of = limit == report_.market.quotas.end() ? "" : fmt::format(" of {}", limit->vcpus);
      if (!quota.empty()) parts.push_back(fmt::format("{} {}{}", quota, vcpus, of));
      if (quota.empty()) unknown = fmt::format("{} of types whose quota is not known", vcpus);
    }
    if (!unknown.empty()) parts.push_back(std::move(unknown));
    if (!parts.empty()) line(0, "vCPUs that count to EC2 quotas: " + join(parts, ", "));
  }

  void alternatives() {
    const auto& all = plan_.alternatives;
    for (const auto& table : {single_type_table(report_), without_type_table(report_)}) {
      if (table.rows.empty()) continue;
      out_ << '\n';
      print_table(out_, table, options_.style);
    }
    const bool are_few = options_.verbose || all.impossible.size() <= kShownImpossible;
    if (all.impossible.empty() || !are_few) return;
    if (all.list.empty()) out_ << '\n';
    line(2, "not alone, as some task fits none of them: " + join(all.impossible, ", "));
  }

  void proof() {
    out_ << '\n';
    line(0, proof_words(report_));
    const auto relaxed = relaxation_words(report_, options_.verbose ? kEverySubject : kShownRelaxedSubjects);
    const auto count = shown(relaxed.size(), kShownRelaxed);
    for (std::size_t i = 0; i < count; ++i) line(2, relaxed[i]);
    tell_rest(relaxed.size(), count);
  }

  void left_over() {
    std::vector<std::string> parts;
    for (const auto& [workload, count] : fleet::tasks_left_over(plan_.question, plan_.solution.left_over))
      parts.push_back(fmt::format("{} {}", count, report_.scenario.workloads[workload].name));
    if (!parts.empty()) line(0, "without an instance: " + join(parts, ", "));
  }

  void unplaceable() {
    const auto& list = plan_.question.unplaceable;
    if (list.empty()) return;
    out_ << "\nfits no instance that may be bought\n";
    for (const auto& one : list) {
      const auto& workload = report_.scenario.workloads[one.workload];
      out_ << "  " << options_.style.bold(printable(fmt::format("{} {}", one.count, workload.name))) << "  "
           << capacity::describe(workload.requirement) << '\n';
      if (!one.contradiction.empty()) line(4, one.contradiction);
      if (!one.contradiction.empty() && !options_.verbose) continue;
      const auto count = shown(one.rejections.size(), kShownRejections);
      for (std::size_t i = 0; i < count; ++i)
        line(4, one.rejections[i].instance_type + ": " + rejection_words(one.rejections[i]));
      if (count < one.rejections.size())
        out_ << "    " << options_.style.dim(fmt::format("and {} more (-v)", one.rejections.size() - count)) << '\n';
    }
  }

  void rates() {
    for (const auto& family : report_.rates) {
      if (family.instances.empty()) continue;
      const auto unit = family.throughput.unit.empty() ? std::string("work") : family.throughput.unit;
      const auto& best = family.instances.front();
      out_ << '\n';
      if (best.rate_per_usd) {
        line(0, fmt::format("most {} of {} for the money: {} with {} GPU{} each on {}, {:.1f} per $/h", unit,
                            family.throughput.family, count_of(best.tasks, "task"), best.gpus,
                            best.gpus == 1 ? "" : "s", best.instance_type, *best.rate_per_usd));
      }
      print_table(out_, rate_table(family), options_.style);
      if (family.placed)
        line(0, fmt::format("the {} of this plan: {:.1f} {}", count_of(family.placed_tasks, "task"), *family.placed,
                            unit));
    }
  }

  void start_task() {
    const auto lines = start_task_lines(report_);
    if (lines.empty()) {
      out_ << "\nStartTask: the ideal fleet holds no standalone task\n";
      return;
    }
    out_ << '\n';
    line(0, fmt::format("the ideal fleet is {}; its standalone tasks go there with (put in the ids of your instances)",
                        fleet_words(report_.market, plan_.ideal)));
    for (const auto& text : lines) out_ << "  " << printable(text) << '\n';
  }

  void prices() {
    const auto days =
        price_dates(report_.market, plan_.fill.recommended ? plan_.fill.recommended->purchases : plan_.ideal);
    std::string text = "prices: " + report_.market.region;
    if (!days.newest.empty())
      text += ", " + (days.oldest == days.newest ? days.newest : days.oldest + " to " + days.newest);
    text += ", " + price_source(report_);
    out_ << '\n' << options_.style.dim(wrapped(printable(text), 2)) << '\n';
    left_out();
  }

  void left_out() {
    std::vector<fleet::LeftOut> all = report_.market.left_out;
    all.insert(all.end(), plan_.question.left_out.begin(), plan_.question.left_out.end());
    if (all.size() > kShownLeftOut && !options_.verbose) {
      const auto text = fmt::format("not planned with: {} types, such as {}, {} (-v tells all)", all.size(),
                                    all.front().instance_type, all.front().why);
      out_ << options_.style.dim(wrapped(printable(text), 2)) << '\n';
      return;
    }
    for (const auto& one : all)
      out_ << options_.style.dim(
                  wrapped(printable(fmt::format("not planned with: {}, {}", one.instance_type, one.why)), 2))
           << '\n';
  }

  void assumptions() {
    write_cluster_findings_text(out_, report_.scenario.findings, options_.style);
    write_assumptions_text(out_, assumptions_of(report_), options_.verbose, options_.style);
  }

  std::ostream& out_;
  const FleetReport& report_;
  const FleetPlan& plan_;
  const FleetTextOptions& options_;
};

}  // namespace

void write_fleet_text(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  FleetTextWriter writer(out, report, options);
  writer.answer();
  if (!options.quiet) writer.rest();
}

}  // namespace bayplan::report
