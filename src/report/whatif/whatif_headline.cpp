// The first line of `whatif`: the answer.
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/strategies.hpp"
#include "report/whatif/whatif_deployment.hpp"
#include "report/whatif/whatif_words.hpp"
#include "report/why/why_report.hpp"
#include "study/simulation/events_by_kind.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::ComparedVariant;
using study::Comparison;
using study::EachOf;
using study::VariantResult;

namespace {

constexpr std::size_t kShownVariants = 3;

std::int64_t count_desired(const VariantResult& result) {
  std::int64_t desired = 0;
  for (const auto& name : result.names) desired += name.desired;
  return desired;
}

/// What is tried: "losing us-east-2a", "with binpack:memory".
class SubjectWords {
 public:
  explicit SubjectWords(const VariantResult& result) : scenario_(*result.scenario) {}

  std::string operator()(const placement::TerminateInstances& event) const { return "losing " + who(event.instances); }
  std::string operator()(const placement::DrainInstances& event) const { return "draining " + who(event.instances); }
  std::string operator()(const placement::RemoveInstances& event) const {
    return fmt::format("removing {} {}", event.count, event.instance_type);
  }
  std::string operator()(const placement::Scale& event) const {
    return fmt::format("scaling {} to {}", scenario_.workloads[event.workloads.front()].name, event.count);
  }
  std::string operator()(const placement::AddInstances& event) const {
    return fmt::format("adding {}", count_of(static_cast<std::int64_t>(event.instances.size()), "instance"));
  }

  /// Of changes only those that a flag makes have words; the others are named as they were written.
  static std::string of_change(const study::ScenarioChange& change) {
    if (const auto* replaced = std::get_if<study::ReplaceType>(&change))
      return fmt::format("replacing {} with {}", replaced->from, replaced->to);
    const auto* chain = std::get_if<study::ChangeStrategy>(&change);
    if (chain == nullptr) return {};
    std::vector<std::string> strategies;
    for (const auto& strategy : chain->strategies) strategies.push_back(strategy_text(strategy));
    return "with " + join(strategies, ", ");
  }

 private:
  const std::string& zone_of(std::uint32_t instance) const {
    return scenario_.profiles[scenario_.instances[instance].profile].availability_zone;
  }

  /// The zones where it is all of them, else how many instances.
  std::string who(const std::vector<std::uint32_t>& instances) const {
    if (instances.size() == 1) return scenario_.instances[instances.front()].id;
    if (instances.empty()) return "nothing";
    const std::set<std::uint32_t> set(instances.begin(), instances.end());
    std::set<std::string> zones;
    for (const std::uint32_t instance : set) zones.insert(zone_of(instance));
    const auto count = count_of(static_cast<std::int64_t>(set.size()), "instance");
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
      if (zones.count(zone_of(i)) > set.count(i)) return count;
    }
    if (zones.begin()->empty()) return set.size() == scenario_.instances.size() ? "every instance" : count;
    const std::vector<std::string_view> names(zones.begin(), zones.end());
    return one_of(names, "and");
  }

  const Scenario& scenario_;
};

std::string subject_of(const ComparedVariant& variant) {
  const auto& asked = variant.asked;
  if (asked.each != EachOf::kNoFailure) return "losing " + asked.lost;
  const auto& one = asked.variant;
  const SubjectWords words(variant.result);
  std::string subject;
  if (one.changes.size() + one.events.size() == 1)
    subject =
        one.changes.empty() ? std::visit(words, one.events.front()) : SubjectWords::of_change(one.changes.front());
  return subject.empty() ? "with " + one.name : subject;
}

/// Only removes instances: losing a zone is not a saving.
bool is_failure(const study::Variant& variant) {
  const auto [terminated, drained, removals, additions, scales] = study::by_kind(variant.events);
  return variant.changes.empty() && removals.empty() && additions.empty() && scales.empty();
}

/// "everything is placed (before: 1 of 3 tasks not placed)"
std::string placed_words(const VariantResult& before, const VariantResult& after) {
  if (after.unplaced() > 0) {
    const auto left = fmt::format("{} not placed", count_of(after.unplaced(), "task"));
    return after.unplaced() == before.unplaced() ? left + ", as before"
                                                 : fmt::format("{} ({} before)", left, before.unplaced());
  }
  if (before.unplaced() == 0) return "everything is placed";
  return fmt::format("everything is placed (before: {} of {} not placed)", before.unplaced(),
                     count_of(count_desired(before), "task"));
}

/// Apart from its deployments.
std::string words_of_placing(const Comparison& comparison, const ComparedVariant& variant) {
  const auto subject = subject_of(variant);
  const auto& named = variant.asked.variant;
  const std::string own_name = named.origin.line > 0 ? named.name + ": " : std::string();
  const bool leaves_more = comparison.excess(variant) > 0;
  const auto cost = is_failure(named) ? std::string() : cost_difference(comparison.baseline, variant.result);
  const std::string tail = cost.empty() ? "" : "; " + cost;
  if (leaves_more) {
    return fmt::format("NO  {}{}: {}", own_name, subject, lacking_words(comparison, variant));
  }
  const auto placed = placed_words(comparison.baseline, variant.result);
  const auto moved = variant.result.moves > 0 ? fmt::format(", {} moved", variant.result.moves) : std::string();
  const std::string_view answer = comparison.helps_nothing(variant) ? "NO  " : "YES ";
  return fmt::format("{}{}{}: {}{}{}", answer, own_name, subject, placed, moved, tail);
}

/// "lose-az us-east-2a": the variant without its deployments.
std::string changes_of(const ComparedVariant& variant) {
  std::vector<std::string> changes;
  for (const auto& one : variant.asked.written.variations) {
    if (one.key != study::VariationKey::kDeploy)
      changes.push_back(fmt::format("{} {}", study::name_of(one.key), one.text));
  }
  return join(changes, ", ");
}

std::string words_of_one(const Comparison& comparison, const ComparedVariant& variant) {
  if (!variant.deployed) return words_of_placing(comparison, variant);
  const auto deployment = deployment_headline(*variant.deployed);
  const auto& asked = variant.asked.variant;
  const std::string own_name = asked.origin.line > 0 ? asked.name + ": " : std::string();
  const bool is_alone = asked.changes.empty() && asked.events.empty();
  if (is_alone) return (variant.finishes() ? "YES " : "NO  ") + own_name + deployment;
  if (comparison.excess(variant) > 0 || variant.finishes())
    return words_of_placing(comparison, variant) + "; " + deployment;
  return fmt::format("NO  {}with {} {}", own_name, changes_of(variant), deployment);
}

/// What makes it worse than the baseline.
std::string trouble_words(const Comparison& comparison, const ComparedVariant& variant) {
  if (comparison.excess(variant) > 0) return lacking_words(comparison, variant);
  return comparison.helps_nothing(variant) ? placed_words(comparison.baseline, variant.result)
                                           : deployment_headline(*variant.deployed);
}

/// The variant that leaves most tasks unplaced.
const ComparedVariant& worst_of(const std::vector<const ComparedVariant*>& variants) {
  return **std::max_element(variants.begin(), variants.end(),
                            [](const auto* a, const auto* b) { return a->effect.unplaced < b->effect.unplaced; });
}

/// "; most room for t4: pack, 3 more"
std::string words_of_room(const std::vector<const ComparedVariant*>& variants) {
  const auto& first = variants.front()->result;
  if (first.room.size() != 1 || variants.size() < 2) return {};
  const auto more = [](const ComparedVariant* variant) {
    return variant->runs ? variant->runs->room.front().median : variant->result.room.front().more;
  };
  const auto [least, most] = std::minmax_element(variants.begin(), variants.end(),
                                                 [&](const auto* a, const auto* b) { return more(a) < more(b); });
  const auto& name = first.room.front().name;
  if (more(*least) == more(*most)) return fmt::format("; each leaves room for {} {}", more(*most), name);
  return fmt::format("; most room for {}: {}, {} more", name, (*most)->name(), more(*most));
}

std::string words_of_many(const Comparison& comparison, const std::vector<const ComparedVariant*>& variants) {
  std::vector<const ComparedVariant*> worse;
  std::vector<std::string> whole;
  for (const auto* variant : variants) {
    if (comparison.is_worse(*variant)) worse.push_back(variant);
    if (variant->result.unplaced() == 0) whole.push_back(variant->name());
  }
  const auto all = variants.size();
  if (!worse.empty()) {
    const auto& worst = worst_of(worse);
    const bool leaves_more = comparison.excess(worst) > 0;
    const std::string_view how =
        leaves_more ? worse.size() == 1 ? "leaves more tasks unplaced" : "leave more tasks unplaced"
        : comparison.helps_nothing(worst) ? worse.size() == 1 ? "places no more tasks" : "place no more tasks"
        : worse.size() == 1               ? "does not deploy"
                                          : "do not deploy";
    return fmt::format("NO  {} of {} variants {}; {}{}: {}", worse.size(), all, how,
                       worse.size() == 1 ? "" : "the worst ", worst.name(), trouble_words(comparison, worst));
  }
  if (whole.size() == all)
    return fmt::format("YES each of {} variants places everything", all) + words_of_room(variants);
  const auto before =
      fmt::format("{} of {}", comparison.baseline.unplaced(), count_of(count_desired(comparison.baseline), "task"));
  if (whole.empty()) return fmt::format("YES no variant leaves more tasks unplaced than before ({})", before);
  return fmt::format("YES {} of {} variants {} everything (before: {} not placed): {}", whole.size(), all,
                     whole.size() == 1 ? "places" : "place", before, some_of(whole, kShownVariants));
}

/// Single failures of one kind: how many there are, and those that cannot happen, the worst first.
struct Failures {
  EachOf each = EachOf::kNoFailure;
  std::size_t all = 0;
  std::vector<const ComparedVariant*> fatal;

  bool is_zone() const { return each == EachOf::kZone; }
};

Failures failures_of(const Comparison& comparison, EachOf each) {
  Failures failures{each, 0, {}};
  for (const auto& variant : comparison.variants) {
    if (variant.asked.each != each) continue;
    ++failures.all;
    if (comparison.is_worse(variant)) failures.fatal.push_back(&variant);
  }
  return failures;
}

/// "losing us-east-2a: 2 of 18 infer tasks cannot be placed (no free GPU)"
std::string words_of_fatal(const Comparison& comparison, const Failures& failures) {
  const auto& worst = *failures.fatal.front();
  const auto lacking = trouble_words(comparison, worst);
  const auto& lost = worst.asked.lost;
  if (failures.fatal.size() == 1) return fmt::format("losing {}: {}", lost, lacking);
  const auto thing = failures.is_zone() ? "single-zone" : "single-instance";
  const auto how_many =
      failures.fatal.size() == failures.all
          ? fmt::format("the cluster survives no {} loss", thing)
          : fmt::format("the cluster does not survive {} of {} {} losses", failures.fatal.size(), failures.all, thing);
  return fmt::format("{}; the worst, {}: {}", how_many, lost, lacking);
}

/// "any other zone", "any single instance"; empty where no loss is survived.
std::string harmless(const Failures& failures) {
  if (failures.all == 0 || failures.fatal.size() == failures.all) return {};
  const auto others = failures.all - failures.fatal.size();
  const std::string_view any = failures.fatal.empty() ? "any" : others == 1 ? "the other" : "any other";
  return fmt::format("{}{}", any,
                     failures.is_zone()                       ? " zone"
                     : others == 1 && !failures.fatal.empty() ? " instance"
                                                              : " single instance");
}

std::string words_of_failures(const Comparison& comparison) {
  const Failures kinds[] = {failures_of(comparison, EachOf::kZone), failures_of(comparison, EachOf::kInstance)};
  std::vector<std::string> fatal;
  std::vector<std::string> can;
  for (const auto& failures : kinds) {
    if (!failures.fatal.empty()) fatal.push_back(words_of_fatal(comparison, failures));
    if (auto words = harmless(failures); !words.empty()) can.push_back(std::move(words));
  }
  const auto harmless_ones = join(can, " and ");
  if (fatal.empty()) return "YES the cluster survives the loss of " + harmless_ones;
  return "NO  " + join(fatal, "; ") +
         (can.empty() ? "" : fmt::format("; the cluster survives the loss of {}", harmless_ones));
}

}  // namespace

std::string variant_title(const ComparedVariant& variant) {
  const auto& one = variant.asked.variant;
  if (variant.asked.each != EachOf::kNoFailure || one.origin.line > 0) return make_label(variant);
  const SubjectWords words(variant.result);
  std::vector<std::string> parts;
  for (const auto& change : one.changes) parts.push_back(SubjectWords::of_change(change));
  for (const auto& event : one.events) parts.push_back(std::visit(words, event));
  for (const auto& written : variant.asked.written.variations) {
    if (written.key == study::VariationKey::kDeploy) parts.push_back("deploying " + written.text);
  }
  const bool is_unsaid = std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); });
  if (parts.empty() || is_unsaid) return make_label(variant);
  auto title = join(parts, ", ");
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

std::string whatif_headline(const Comparison& comparison) {
  std::vector<const ComparedVariant*> stated;
  std::set<std::string> bases;
  for (const auto& variant : comparison.variants) {
    variant.asked.each == EachOf::kNoFailure ? stated.push_back(&variant) : void(bases.insert(variant.asked.base));
  }
  const auto is_worse = [&](const ComparedVariant* variant) { return comparison.is_worse(*variant); };
  if (!bases.empty() && std::none_of(stated.begin(), stated.end(), is_worse)) {
    auto words = words_of_failures(comparison);
    if (bases.size() == 1 && !bases.begin()->empty()) words.insert(4, "with " + *bases.begin() + ": ");
    return words;
  }
  if (stated.empty()) return "YES nothing to compare with the scenario";
  return stated.size() == 1 ? words_of_one(comparison, *stated.front()) : words_of_many(comparison, stated);
}

}  // namespace bayplan::report
