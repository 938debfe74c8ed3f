// The comparison as text: the answer first, then fields, types and findings.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/diff/diff_report.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

using study::DefinitionDiff;
using study::TypeEffect;

namespace {

constexpr std::size_t kShownFields = 20;
constexpr std::size_t kShownTypeRows = 8;
constexpr std::size_t kNamedTypes = 6;
constexpr std::size_t kShownFindings = 10;

std::string binding_words(const TypeEffect& row) {
  const auto words = [](const std::optional<capacity::FitRow>& one) -> std::string {
    if (!one) return "-";
    if (one->fits == capacity::Fits::kNo) return one->reasons.empty() ? "-" : std::string(one->reasons.front());
    return one->binding ? std::string(capacity::name_of(*one->binding)) : "-";
  };
  return words(row.after ? row.after : row.before);
}

class DiffTextWriter {
 public:
  DiffTextWriter(std::ostream& out, const DiffTold& told, const TextOptions& view)
      : out_(out), told_(told), view_(view) {}

  void write() {
    const auto& report = told_.report();
    out_ << view_.style.bold(wrapped(printable(diff_headline(report)), 0)) << '\n';
    if (view_.quiet || !report.differs()) return;
    const bool are_several = report.definitions.size() != 1;
    for (const auto& one : report.definitions) {
      if (!one.differs()) continue;
      if (are_several) out_ << '\n' << wrapped(printable(one.name + ": " + diff_sentence(report, one)), 2) << '\n';
      definition(one);
    }
    findings("elsewhere in the files: ", report.other_findings);
    notes();
  }

 private:
  void definition(const DefinitionDiff& diff) {
    fields(diff);
    if (diff.capacity && diff.before && diff.after) effect(*diff.capacity);
    if (diff.cluster) cluster(*diff.cluster);
    if (!diff.is_removed()) findings("", diff.findings);
  }

  void fields(const DefinitionDiff& diff) {
    const auto total = diff.fields.size();
    const auto shown = view_.verbose ? total : std::min(total, kShownFields);
    for (std::size_t i = 0; i < shown; ++i) field(diff, diff.fields[i]);
    if (shown < total) out_ << "  " << view_.style.dim(fmt::format("and {} more fields (-v)", total - shown)) << '\n';
  }

  void field(const DefinitionDiff& diff, const study::FieldChange& change) {
    constexpr std::size_t kIndent = 6;
    const std::string line = printable(place_of(told_, diff, change) + ": " + field_words(change));
    const auto says = [&](const auto& side) { return side ? printable(side_words(*side, view_.verbose)) : ""; };
    const std::string before = says(change.before), after = says(change.after);
    const std::string both = change.before && change.after ? before + " -> " + after : before + after;
    out_ << "  " << line << ":";
    if (display_width(line) + display_width(both) + 4 <= kTextColumns) {
      out_ << ' ' << both << '\n';
    } else if (!change.before || !change.after || display_width(both) + kIndent <= kTextColumns) {
      out_ << "\n      " << wrapped(both, kIndent) << '\n';
    } else {
      out_ << "\n      " << wrapped(before, kIndent) << "\n   -> " << wrapped(after, kIndent) << '\n';
    }
  }

  void effect(const study::CapacityEffect& effect) {
    const auto before = task_words(effect.before->requirement);
    const auto after = task_words(effect.after->requirement);
    if (before != after) out_ << "a task takes " << wrapped(after + "; before " + before, 13) << '\n';
    if (!effect.changes()) return;
    if (effect.types > 1) held(effect);
    std::vector<const TypeEffect*> lost, gained, rest;
    for (const auto& row : effect.rows) {
      const bool did = holds(row.before), does = holds(row.after);
      (are_all_shown(effect) || did == does ? rest : did ? lost : gained).push_back(&row);
    }
    types(rest);
    names("lost", lost);
    names("gained", gained);
  }

  void cluster(const study::ClusterEffect& effect) {
    auto words = room_words(effect);
    const auto end = effect.after ? room_end_words(*effect.after) : "";
    if (!end.empty()) words += "; then " + end;
    out_ << wrapped(printable(words), 2) << '\n';
    for (const auto& rollout : effect.rollouts) {
      const auto deployment = wrapped(printable(rollout_words(rollout)), 2);
      out_ << (rollout.finishes() ? deployment : view_.style.red(deployment)) << '\n';
    }
  }

  /// A few types stay in one table, whatever becomes of them.
  bool are_all_shown(const study::CapacityEffect& effect) const {
    return view_.verbose || effect.rows.size() <= kShownTypeRows;
  }

  static bool holds(const std::optional<capacity::FitRow>& row) { return row && row->fits != capacity::Fits::kNo; }

  void held(const study::CapacityEffect& effect) {
    const auto& before = *effect.before;
    const auto& after = *effect.after;
    if (!before.runs_on_instances || !after.runs_on_instances) return;
    const std::string count = after.held_by == 0 ? "none" : std::to_string(after.held_by);
    std::string words = fmt::format("{} of {} types", count, effect.types);
    if (before.held_by != after.held_by) words += fmt::format(", before {}", before.held_by);
    const auto price = cheapest_words(after), old_price = cheapest_words(before);
    if (after.held_by > 0) words += "; a copy from " + price;
    if (before.held_by > 0 && old_price != price)
      words += (after.held_by > 0 ? ", before " : "; a copy was from ") + old_price;
    out_ << "held by " << wrapped(words, 8) << '\n';
  }

  void names(std::string_view what, const std::vector<const TypeEffect*>& rows) {
    if (rows.empty()) return;
    std::vector<std::string> some;
    for (std::size_t i = 0; i < std::min(rows.size(), kNamedTypes); ++i) some.push_back(rows[i]->any().type->name);
    std::string words = fmt::format("{} {} types: {}", what, rows.size(), join(some, ", "));
    if (rows.size() > some.size()) words += fmt::format(" and {} more (-v)", rows.size() - some.size());
    out_ << wrapped(words, 2) << '\n';
  }

  void types(const std::vector<const TypeEffect*>& rows) {
    if (rows.empty()) return;
    Table table({"type", "copies", "bound by", number_column("$/h"), number_column("$/h a copy")});
    const auto shown = view_.verbose ? rows.size() : std::min(rows.size(), kShownTypeRows);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& row = *rows[i];
      const auto& price = row.any().price;
      table.add({row.any().type->name, Cell(changed(copies_words(row.before), copies_words(row.after)), tone_of(row)),
                 binding_words(row), price ? usd(price->hourly) : std::string("-"),
                 changed(copy_price_words(row.before), copy_price_words(row.after))});
    }
    print_table(out_, table, view_.style);
    if (shown < rows.size())
      out_ << "  " << view_.style.dim(fmt::format("and {} more types (-v or --types)", rows.size() - shown)) << '\n';
  }

  static Tone tone_of(const TypeEffect& row) {
    return !row.changes() ? Tone::kPlain : holds(row.after) ? Tone::kDoubtful : Tone::kBad;
  }

  void findings(const std::string& where, const study::FindingChanges& changes) {
    list_findings(where + "new findings", told_.after(), changes.appeared, true);
    list_findings(where + "findings gone", told_.before(), changes.vanished, false);
  }

  void list_findings(const std::string& heading, const study::DiffSide& side,
                     const std::vector<study::FindingPlace>& places, bool with_help) {
    if (places.empty()) return;
    out_ << heading << '\n';
    const auto shown = view_.verbose ? places.size() : std::min(places.size(), kShownFindings);
    for (std::size_t i = 0; i < shown; ++i) finding(side, places[i], with_help);
    if (shown < places.size())
      out_ << "  " << view_.style.dim(fmt::format("and {} more (-v)", places.size() - shown)) << '\n';
  }

  void finding(const study::DiffSide& side, const study::FindingPlace& place, bool with_help) {
    const auto& one = study::finding_at(side, place);
    const std::string text =
        fmt::format("{} {} {} {}: {}", words_of(told_.place(side, place)), bayplan::name_of(one.severity), one.code,
                    told_.rule_id(one.code), one.message);
    out_ << "  " << wrapped(printable(text), 6) << '\n';
    if (with_help && !one.help.empty()) out_ << "      " << view_.style.dim(wrapped(printable(one.help), 6)) << '\n';
  }

  void notes() {
    const auto& report = told_.report();
    const bool tells_prices = std::any_of(report.definitions.begin(), report.definitions.end(), [](const auto& one) {
      return one.capacity && one.after && one.capacity->changes();
    });
    if (tells_prices) out_ << view_.style.dim("prices: Linux on demand, " + report.region) << '\n';
    write_assumptions_text(out_, report.assumptions, view_.verbose, view_.style);
  }

  std::ostream& out_;
  const DiffTold& told_;
  const TextOptions& view_;
};

}  // namespace

void write_diff_text(std::ostream& out, const DiffTold& told, const TextOptions& view) {
  DiffTextWriter(out, told, view).write();
}

}  // namespace bayplan::report
