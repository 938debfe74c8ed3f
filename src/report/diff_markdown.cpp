// The comparison as a comment on a pull request.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/strings.hpp"
#include "report/assumptions.hpp"
#include "report/diff_fields.hpp"
#include "report/diff_report.hpp"
#include "report/diff_words.hpp"
#include "report/figures.hpp"
#include "report/markdown.hpp"
#include "report/markdown_page.hpp"

namespace bayplan::report {

using study::DefinitionDiff;

namespace {

/// A comment on a pull request holds 65,536 characters; rows beyond these are counted.
constexpr std::size_t kMostRows = 100;
constexpr std::size_t kMostTypes = 60;
constexpr std::size_t kFewTypes = 10;

constexpr std::string_view kArrow = " → ";

class DiffMarkdownWriter {
 public:
  DiffMarkdownWriter(std::ostream& out, const DiffTold& told) : out_(out), told_(told) {}

  void write() {
    const auto& report = told_.report();
    out_ << "<!-- bayplan-diff -->\n### " << mark() << " " << markdown_text(diff_headline(report)) << "\n";
    if (!report.differs()) return;
    const bool are_several = report.definitions.size() != 1;
    for (const auto& one : report.definitions) {
      if (!one.differs()) continue;
      if (are_several)
        out_ << "\n#### " << markdown_text(one.name) << ": " << markdown_text(diff_sentence(report, one)) << "\n";
      definition(one);
    }
    findings(report.other_findings, " outside of the definitions");
    notes();
  }

 private:
  std::string_view mark() const {
    const auto& report = told_.report();
    if (!report.can_deploy() || report.appeared(Severity::kError) > 0) return "❌";
    return report.appeared(Severity::kWarning) > 0 ? "⚠️" : "✅";
  }

  void definition(const DefinitionDiff& diff) {
    if (diff.capacity && diff.before && diff.after && diff.capacity->changes()) effects(*diff.capacity);
    if (diff.cluster) cluster(*diff.cluster);
    fields(diff);
    if (!diff.is_removed()) findings(diff.findings, "");
  }

  void effects(const study::CapacityEffect& effect) {
    const auto& before = *effect.before;
    const auto& after = *effect.after;
    out_ << "\n| | before | after |\n| --- | --- | --- |\n";
    row("a task takes", task_words(before.requirement), task_words(after.requirement));
    if (before.runs_on_instances || after.runs_on_instances) {
      row("held by", held(before, effect.types), held(after, effect.types));
      row("a copy from", cheapest(before), cheapest(after));
    }
    types(effect);
  }

  void row(std::string_view what, const std::string& before, const std::string& after) {
    const std::string strong = before == after ? "" : "**";
    out_ << "| " << what << " | " << markdown_text(before) << " | " << strong << markdown_text(after) << strong
         << " |\n";
  }

  static std::string held(const study::SideCapacity& side, std::int64_t types) {
    if (!side.runs_on_instances) return "Fargate";
    return fmt::format("{} of {}", side.held_by, count_of(types, "instance type"));
  }

  static std::string cheapest(const study::SideCapacity& side) {
    return side.runs_on_instances ? cheapest_words(side) : "-";
  }

  void types(const study::CapacityEffect& effect) {
    if (effect.rows.empty()) return;
    const bool are_few = effect.rows.size() <= kFewTypes;
    if (!are_few)
      open_details(count_of(static_cast<std::int64_t>(effect.rows.size()), "instance type") + " changed", false);
    out_ << (are_few ? "\n" : "")
         << "| instance type | copies | $ an hour | price of a copy |\n| --- | --- | --- | --- |\n";
    const auto shown = std::min(effect.rows.size(), kMostTypes);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& one = effect.rows[i];
      const auto& price = one.any().price;
      const std::string strong = one.changes() ? "**" : "";
      out_ << "| " << markdown_code(one.any().type->name) << " | " << strong
           << changed(copies_words(one.before), copies_words(one.after), kArrow) << strong << " | "
           << (price ? usd(price->hourly) : "-") << " | "
           << changed(copy_price_words(one.before, "$"), copy_price_words(one.after, "$"), kArrow) << " |\n";
    }
    if (!are_few) close_details(effect.rows.size(), shown);
  }

  void cluster(const study::ClusterEffect& effect) {
    const auto end = effect.after ? room_end_words(*effect.after) : "";
    out_ << "\nOn " << markdown_code(told_.report().cluster) << ": " << markdown_text(room_words(effect))
         << (end.empty() ? "" : "; then " + markdown_text(end)) << ".\n";
    if (!effect.rollouts.empty()) out_ << "\n";
    for (const auto& rollout : effect.rollouts)
      out_ << "- " << (rollout.finishes() ? "" : "**") << markdown_text(rollout_words(rollout))
           << (rollout.finishes() ? "" : "**") << "\n";
  }

  void open_details(const std::string& summary, bool is_open) {
    out_ << "\n<details" << (is_open ? " open" : "") << "><summary>" << summary << "</summary>\n\n";
  }
  void close_details(std::size_t total, std::size_t shown) {
    if (shown < total) out_ << "\nand " << total - shown << " more\n";
    out_ << "\n</details>\n";
  }

  void fields(const DefinitionDiff& diff) {
    const auto total = diff.fields.size();
    if (total == 0) return;
    open_details(count_of(static_cast<std::int64_t>(total), "field") + " changed", false);
    out_ << "| field | before | after | place |\n| --- | --- | --- | --- |\n";
    const auto shown = std::min(total, kMostRows);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& change = diff.fields[i];
      out_ << "| " << markdown_code(change.path) << " | " << cell(change.before) << " | " << cell(change.after) << " | "
           << markdown_code(place_of(told_, diff, change)) << " |\n";
    }
    close_details(total, shown);
  }

  static std::string cell(const std::optional<study::FieldSide>& side) {
    return side ? markdown_code(side_words(*side, false)) : "*absent*";
  }

  void findings(const study::FindingChanges& changes, const std::string& where) {
    list(told_.after(), changes.appeared, "new finding", where, true);
    list(told_.before(), changes.vanished, "finding", where + " gone", false);
  }

  void list(const study::DiffSide& side, const std::vector<study::FindingPlace>& places, std::string_view what,
            const std::string& where, bool are_new) {
    if (places.empty()) return;
    const bool is_grave = are_new && study::finding_at(side, places.front()).severity == Severity::kError;
    open_details(count_of(static_cast<std::int64_t>(places.size()), what) + where, is_grave);
    out_ << "| severity | place | finding |" << (are_new ? " what to write |" : "") << "\n| --- | --- | --- |"
         << (are_new ? " --- |" : "") << "\n";
    const auto shown = std::min(places.size(), kMostRows);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& one = study::finding_at(side, places[i]);
      out_ << "| " << bayplan::name_of(one.severity) << " | " << markdown_code(words_of(told_.place(side, places[i])))
           << " | **" << one.code << "** " << told_.rule_id(one.code) << ": " << markdown_text(one.message) << " |";
      if (are_new) out_ << " " << markdown_text(one.help) << " |";
      out_ << "\n";
    }
    close_details(places.size(), shown);
  }

  void notes() {
    const auto& report = told_.report();
    const bool tells_prices = std::any_of(report.definitions.begin(), report.definitions.end(), [](const auto& one) {
      return one.capacity && one.after && one.capacity->changes();
    });
    out_ << "\n<sub>Order and defaults are ignored.";
    if (tells_prices) out_ << " Prices: Linux on demand, " << markdown_text(report.region) << ".";
    for (const auto& group : grouped_by_id(report.assumptions)) {
      const auto subjects = group.subject_words(false);
      out_ << " Assumed " << markdown_text(group.id);
      if (!subjects.empty()) out_ << " (" << markdown_text(subjects) << ")";
      out_ << ": " << markdown_text(group.words()) << ".";
    }
    out_ << "</sub>\n";
  }

  std::ostream& out_;
  const DiffTold& told_;
};

}  // namespace

void write_diff_markdown(std::ostream& out, const DiffTold& told) {
  std::ostringstream page;
  DiffMarkdownWriter(page, told).write();
  out << cut_to_comment(page.str());
}

}  // namespace bayplan::report
