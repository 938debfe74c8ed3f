#include "report/repack/repack_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/document.hpp"
#include "report/document/escape.hpp"
#include "report/document/figures.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

using study::RepackPlan;

namespace {

constexpr std::size_t kNarrowestMoves = 12;
constexpr std::size_t kShownSteps = 20;
constexpr std::size_t kShownServices = 10;
constexpr std::size_t kShownReasons = 6;

class RepackTextWriter {
 public:
  RepackTextWriter(std::ostream& out, const RepackReport& report, const TextOptions& options)
      : out_(out), report_(report), plan_(report.plan), options_(options) {}

  void answer() {
    const auto text = wrapped(printable(repack_headline(report_)), 0);
    out_ << (report_.is_worth_it() ? options_.style.bold(text) : text) << '\n';
  }

  void steps() {
    if (plan_.steps.empty()) return;
    std::size_t moves = 0;
    auto table = steps_table(plan_, moves);
    shorten(table, kShownSteps);
    if (!options_.verbose) {
      const auto room = table.room_for(moves, kNarrowestMoves);
      for (auto& row : table.rows) row.cells[moves].text = cut(row.cells[moves].text.plain(), room, options_.glyphs);
    }
    print_table(out_, table, options_.style);
    tell_left_out();
  }

  void services() {
    auto table = services_table(plan_, options_.verbose);
    if (table.rows.empty()) return;
    shorten(table, kShownServices);
    out_ << '\n';
    print_table(out_, table, options_.style);
    tell_left_out();
    if (const auto words = fewer_zones_words(plan_); !words.empty()) out_ << wrapped(printable(words), 0) << '\n';
  }

  void staying() {
    const auto& all = plan_.staying;
    if (all.empty()) return;
    std::size_t instances = 0, width = 0;
    for (const auto& one : all) {
      instances += one.instances.size();
      width = std::max(width, std::to_string(one.instances.size()).size());
    }
    out_ << '\n'
         << options_.style.dim(fmt::format("{} of {} stay{}", instances, count_of(plan_.before.instances, "instance"),
                                           instances == 1 ? "s" : ""))
         << '\n';
    const auto shown = options_.verbose ? all.size() : std::min(kShownReasons, all.size());
    for (std::size_t i = 0; i < shown; ++i) {
      out_ << fmt::format("  {:>{}}  {}\n", all[i].instances.size(), width,
                          wrapped(printable(staying_words(plan_, all[i])), width + 4));
      if (options_.verbose) out_ << std::string(width + 4, ' ') << wrapped(ids_of(all[i]), width + 4) << '\n';
    }
    if (shown < all.size()) out_ << fmt::format("  and {} more reasons (-v)\n", all.size() - shown);
  }

  void waiting() {
    if (const auto count = plan_.without_place(); count > 0) {
      out_ << '\n'
           << wrapped(
                  fmt::format("{} no place before the first step, and {} none after the last",
                              count_of(count, "task") + (count == 1 ? " has" : " have"), count == 1 ? "has" : "have"),
                  0)
           << '\n';
    }
  }

  void limit() {
    if (const auto words = limit_words(plan_); !words.empty()) out_ << '\n' << wrapped(words, 0) << '\n';
  }

  void assumptions() {
    write_cluster_findings_text(out_, plan_.scenario->findings, options_.style);
    const auto all = assumptions_of(plan_);
    if (!all.empty()) out_ << '\n';
    write_assumptions_text(out_, all, options_.verbose, options_.style);
  }

 private:
  std::string ids_of(const study::Staying& staying) const {
    std::vector<std::string> ids;
    for (const auto instance : staying.instances) ids.push_back(plan_.scenario->instances[instance].id);
    return printable(join(ids, ", "));
  }

  void shorten(Table& table, std::size_t most) { left_out_ = options_.verbose ? 0 : table.keep_rows(most); }

  void tell_left_out() {
    if (left_out_ > 0) out_ << fmt::format("  and {} more (-v)\n", left_out_);
  }

  std::ostream& out_;
  const RepackReport& report_;
  const RepackPlan& plan_;
  const TextOptions& options_;
  std::size_t left_out_ = 0;
};

}  // namespace

void write_repack_text(std::ostream& out, const RepackReport& report, const TextOptions& options) {
  RepackTextWriter writer(out, report, options);
  writer.answer();
  if (options.quiet) return;
  writer.steps();
  writer.services();
  writer.staying();
  writer.limit();
  writer.waiting();
  writer.assumptions();
}

}  // namespace bayplan::report
