#include "report/fleet/fleet_payment.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/fleet/fleet_words.hpp"

namespace bayplan::report {

using fleet::CommitmentType;
using study::FleetEvidence;
using study::PaidCommitment;
using study::PaymentPlan;
using Layout = JsonWriter::Layout;

namespace {

constexpr std::size_t kMostRows = 24;      ///< Levels that are listed one by one.
constexpr std::size_t kMostColumns = 168;  ///< Hours that the chart shows one by one.
constexpr std::size_t kWidestLine = 48;    ///< The most hours of a chart in a terminal.

MicroUsd rounded_micro_usd(NanoUsd amount) {
  return (amount + kNanoUsdPerMicroUsd / 2) / kNanoUsdPerMicroUsd;
}

double usd_of(NanoUsd amount) {
  return static_cast<double>(amount) / static_cast<double>(kNanoUsdPerUsd);
}

/// "28%", "27.5%"
std::string share_words(std::int64_t millionths) {
  return from_millionths(millionths * 100) + "%";
}

/// ", 28% off, 1 year"
std::string terms_of(const PaidCommitment& one) {
  std::string text = share_words(one.commitment.discount_millionths) + " off";
  if (one.years > 0) text += fmt::format(", {}", count_of(one.years, "year"));
  return text;
}

/// "0.28", "0.16524": AWS takes five decimals.
std::string commitment_usd(MicroUsd amount) {
  constexpr MicroUsd kFourDecimals = 100;
  return amount % kFourDecimals == 0 ? usd(amount) : fmt::format("{:.5f}", usd_number(amount));
}

/// "Compute Savings Plan", "EC2 Instance Savings Plan (c6a)", "reserved c6a.large"
std::string name_words(const PaidCommitment& one) {
  const auto& covers = one.commitment.covers;
  if (one.commitment.type == CommitmentType::kReservedInstances) return "reserved " + covers;
  const std::string title(title_of(one.commitment.type));
  return covers.empty() ? title : fmt::format("{} ({})", title, covers);
}

/// "$0.3300/h of a Compute Savings Plan (28% off, 1 year)", "10 reserved c6a.large (40% off)"
std::string bought_words(const PaidCommitment& one) {
  const auto amount = *one.commitment.amount;
  if (one.commitment.type == CommitmentType::kReservedInstances)
    return fmt::format("{} {} ({})", amount, name_words(one), terms_of(one));
  return fmt::format("${}/h of {} {} ({})", commitment_usd(amount), one.commitment.covers.empty() ? "a" : "an",
                     name_words(one), terms_of(one));
}

/// "$0.4526/h in the mean of 24 hours, $330/month, $3,965/year"
std::string cost_words(const PaymentPlan& payment, NanoUsd amount) {
  const auto hour = rounded_micro_usd(amount);
  return fmt::format("${}/h{}, {}/month, {}/year", usd(hour),
                     payment.has_curve
                         ? fmt::format(" in the mean of {} hours",
                                       with_separators(static_cast<std::int64_t>(payment.curve.hours.size())))
                         : "",
                     monthly(hour), yearly(hour));
}

std::string bound_words(const PaymentPlan& payment) {
  const auto bound = rounded_micro_usd(payment.lower_bound);
  if (bound <= 0) return "No lower bound is known.";
  if (payment.gap() == 0) return "Proven optimal.";
  return fmt::format("Lower bound: ${}/h (gap {}).", usd(bound),
                     percent_more(bound, rounded_micro_usd(payment.hourly)));
}

std::string commit_words(const PaymentPlan& payment) {
  std::vector<std::string> bought;
  std::vector<std::string> useless;
  for (const auto& one : payment.commitments) {
    if (*one.commitment.amount > 0) {
      bought.push_back(bought_words(one));
    } else if (one.is_sought) {
      useless.push_back("a " + name_words(one));
    }
  }
  std::string text;
  if (!bought.empty()) text = "Commit to " + one_of({bought.begin(), bought.end()}, "and");
  if (!useless.empty())
    text += fmt::format("{}o not commit to {}", text.empty() ? "D" : "; d", one_of({useless.begin(), useless.end()}));
  return text;
}

/// Hours of each level, "0-6, 22-23"; a page of a year would have too many.
std::string hours_words(const PaymentPlan& payment, std::uint32_t level) {
  const auto& hours = payment.curve.hours;
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < hours.size();) {
    if (hours[begin] != level) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end + 1 < hours.size() && hours[end + 1] == level) ++end;
    parts.push_back(begin == end ? std::to_string(begin) : fmt::format("{}-{}", begin, end));
    begin = end + 1;
  }
  constexpr std::size_t kMost = 4;
  if (parts.size() > kMost) {
    const auto more = payment.curve.levels[level].hours;
    return fmt::format("{} and others, {} hours", parts.front(), more);
  }
  return join(parts, ", ");
}

/// Levels from the most expensive hour to the cheapest.
std::vector<std::uint32_t> by_cost(const PaymentPlan& payment) {
  std::vector<std::uint32_t> order(payment.levels.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return payment.levels[a].fleet.hourly_cost > payment.levels[b].fleet.hourly_cost;
  });
  return order;
}

void add_row(const FleetReport& report, std::string label, std::uint32_t level, Table& table) {
  const auto& payment = *report.payment;
  const auto& one = payment.levels[level];
  table.add({std::move(label), with_separators(payment.curve.levels[level].tasks()),
             one.fleet.purchases.empty() ? "-" : fleet_words(report.market, one.fleet.purchases, " + "),
             usd(one.fleet.hourly_cost), usd(one.fleet.lower_bound),
             payment.commitments.empty() ? "" : usd(rounded_micro_usd(one.bill.committed)),
             payment.commitments.empty() ? "" : usd(rounded_micro_usd(one.bill.on_demand))});
}

/// The first hour, most expensive first, that `percent` of the hours cost no less than.
std::uint32_t level_at(const PaymentPlan& payment, const std::vector<std::uint32_t>& order, std::int64_t percent) {
  const auto all = static_cast<std::int64_t>(payment.curve.hours.size());
  std::int64_t passed = 0;
  for (const auto level : order) {
    passed += payment.curve.levels[level].hours;
    if (passed * 100 >= all * percent && passed > 0) return level;
  }
  return order.back();
}

}  // namespace

std::string payment_headline(const FleetReport& report) {
  if (report.payment == nullptr) return {};
  const auto& payment = *report.payment;
  std::string text = commit_words(payment);
  if (payment.has_curve && text.empty()) {
    text = "Scale the fleet with the load";
  } else if (payment.has_curve) {
    text += payment.commitments.size() > 1 ? "; scale the fleet with the load" : " and scale the fleet with the load";
  }
  if (text.empty()) text = "With extras";
  text += ": " + cost_words(payment, payment.hourly_with_extras());
  if (!payment.extras.empty()) {
    std::vector<std::string> unknown;
    for (const auto& extra : payment.extras) {
      if (!extra.missing.empty()) unknown.push_back(extra.item);
    }
    text += unknown.empty()
                ? fmt::format(", of which ${}/h for extras",
                              usd(rounded_micro_usd(payment.hourly_with_extras() - payment.hourly)))
                : fmt::format(", without {}: price unknown", one_of({unknown.begin(), unknown.end()}, "and"));
  }
  text += ". " + bound_words(payment);
  return text;
}

namespace {

/// What it costs with and without the commitments, and at the peak all the time.
Table payment_table(const FleetReport& report) {
  auto month = month_column();
  month.need = Need::kAlways;
  Table table({"payment", number_column("$/h"), month, number_column("$/year"), number_column("saved")});
  const auto& payment = *report.payment;
  const auto base = payment.has_curve ? payment.peak_hourly : rounded_micro_usd(payment.on_demand);
  const auto add = [&](std::string name, MicroUsd amount, bool is_compared = true) {
    const auto saved = is_compared && amount < base ? percent(base - amount, base) : std::string();
    table.add({std::move(name), usd(amount), monthly_cell(amount), yearly_cell(amount), saved});
  };
  if (payment.has_curve) add("peak fleet all the time, On-Demand", payment.peak_hourly);
  add(payment.has_curve ? "fleet of each hour, On-Demand" : "On-Demand", rounded_micro_usd(payment.on_demand));
  if (!payment.commitments.empty()) add("with the commitments", rounded_micro_usd(payment.hourly));
  for (const auto& extra : payment.extras) {
    if (extra.mean_hourly) {
      add("extra: " + extra.item, rounded_micro_usd(*extra.mean_hourly), false);
    } else {
      table.add({"extra: " + extra.item, "unknown", "", "", ""});
    }
  }
  if (payment.lower_bound > 0) add("lower bound, without extras", rounded_micro_usd(payment.lower_bound), false);
  table.drop_empty_columns();
  return table;
}

/// The hours of the curve that have the same tasks, or some of many.
Table load_table(const FleetReport& report) {
  Table table({"hours", number_column("tasks"), "fleet", number_column("$/h"),
               useful_column(number_column("bound $/h")), number_column("committed"), number_column("On-Demand")});
  const auto& payment = *report.payment;
  if (!payment.has_curve) return table;
  if (payment.levels.size() <= kMostRows) {
    for (std::uint32_t i = 0; i < payment.levels.size(); ++i) add_row(report, hours_words(payment, i), i, table);
  } else {
    const auto order = by_cost(payment);
    constexpr std::array<std::pair<std::int64_t, std::string_view>, 5> kShown = {
        {{0, "most expensive"}, {25, "upper quartile"}, {50, "median"}, {75, "lower quartile"}, {100, "cheapest"}}};
    for (const auto& [percent, label] : kShown)
      add_row(report, std::string(label), level_at(payment, order, percent), table);
  }
  table.drop_empty_columns();
  return table;
}

/// What each commitment covers: "Compute Savings Plan: 97% used, covers 81% of the On-Demand cost, saves 20%".
std::vector<std::string> commitment_words(const FleetReport& report) {
  std::vector<std::string> lines;
  for (const auto& one : report.payment->commitments) {
    if (*one.commitment.amount == 0) {
      lines.push_back(fmt::format("{} ({}): no amount costs less than On-Demand{}", name_words(one), terms_of(one),
                                  one.is_sought ? "" : " as stated"));
      continue;
    }
    std::string text =
        fmt::format("{}: {} used, covers {} of the On-Demand cost", bought_words(one), percent(one.utilization, 1.0),
                    percent(static_cast<double>(one.mean_covered), static_cast<double>(report.payment->on_demand)));
    if (one.years > 0)
      text += fmt::format(", {} over the term", "$" + with_separators(rounded_micro_usd(one.hourly) * one.years *
                                                                      kHoursPerYear / kMicroUsdPerUsd));
    lines.push_back(std::move(text));
  }
  return lines;
}

/// "root volumes (30 GiB gp3): 5.5 x $0.0033/h, $0.0181/h (2026-09-28)", and prices that are not known.
std::vector<std::string> extra_words(const FleetReport& report) {
  std::vector<std::string> lines;
  for (const auto& extra : report.payment->extras) {
    if (!extra.price) {
      lines.push_back(fmt::format("{}: {:.1f}, price unknown ({}); state it in extras", extra.item, extra.mean_count,
                                  extra.missing));
      continue;
    }
    lines.push_back(fmt::format("{}: {:.1f} at ${}/h{}", extra.item, extra.mean_count,
                                usd(rounded_micro_usd(*extra.price)),
                                extra.date.empty() ? ", as stated" : ", " + extra.date));
  }
  return lines;
}

/// How the fleets of the hours were found; empty without a load.
std::string evidence_words(const FleetReport& report) {
  if (!report.payment->has_curve) return {};
  const auto& payment = *report.payment;
  std::vector<std::string> parts;
  const auto hours_with = [&](FleetEvidence evidence) {
    std::int64_t hours = 0;
    for (std::size_t i = 0; i < payment.levels.size(); ++i) {
      if (payment.levels[i].fleet.evidence == evidence) hours += payment.curve.levels[i].hours;
    }
    return hours;
  };
  const auto all = with_separators(static_cast<std::int64_t>(payment.curve.hours.size()));
  const auto simulated = hours_with(FleetEvidence::kSimulated);
  parts.push_back(
      fmt::format("simulated ECS placement fills the fleets of {} of {} hours", with_separators(simulated), all));
  if (const auto packed = hours_with(FleetEvidence::kPacked); packed > 0)
    parts.push_back(fmt::format("{} are packed and not simulated, so ECS may need more", with_separators(packed)));
  if (const auto larger = hours_with(FleetEvidence::kLarger); larger > 0)
    parts.push_back(fmt::format("{} have the fleet of hours with more tasks", with_separators(larger)));
  auto text = join(parts, "; ");
  text.front() = 'S';
  return text;
}

/// The cost of each hour, On-Demand, in one line of characters.
std::string chart_line(const PaymentPlan& payment, const Glyphs& glyphs) {
  MicroUsd most = 0;
  for (const auto& level : payment.levels) most = std::max(most, level.fleet.hourly_cost);
  std::string line;
  for (const auto level : payment.curve.hours) {
    const auto top = static_cast<MicroUsd>(glyphs.heights.size() - 1);
    const auto cost = payment.levels[level].fleet.hourly_cost;
    line += glyphs.heights[static_cast<std::size_t>(most > 0 ? (cost * top + most - 1) / most : 0)];
  }
  return line;
}

/// A column of the chart: the mean of its hours.
struct ChartColumn {
  std::size_t first_hour = 0;
  std::size_t hours = 0;
  double used = 0;
  double unused = 0;
  double on_demand = 0;
  double other = 0;
  double without = 0;  ///< On-Demand, without commitments.

  double total() const { return used + unused + on_demand + other; }
};

std::vector<ChartColumn> chart_columns(const PaymentPlan& payment) {
  const auto hours = payment.curve.hours.size();
  const auto count = std::min(hours, kMostColumns);
  std::vector<ChartColumn> columns(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto& column = columns[i];
    column.first_hour = i * hours / count;
    column.hours = (i + 1) * hours / count - column.first_hour;
    const auto part = 1.0 / static_cast<double>(column.hours);
    for (std::size_t hour = column.first_hour; hour < column.first_hour + column.hours; ++hour) {
      const auto& level = payment.levels[payment.curve.hours[hour]];
      column.used += usd_of(level.bill.committed - level.bill.unused) * part;
      column.unused += usd_of(level.bill.unused) * part;
      column.on_demand += usd_of(level.bill.on_demand) * part;
      column.other += usd_of(level.bill.other) * part;
      column.without += static_cast<double>(level.fleet.hourly_cost) / kMicroUsdPerUsd * part;
    }
  }
  return columns;
}

/// A stacked bar for each hour: commitments that are used and unused, and On-Demand; a line shows the cost without
/// commitments.
std::string payment_chart(const PaymentPlan& payment) {
  constexpr double kWidth = 960;
  constexpr double kHeight = 220;
  constexpr double kLeft = 64;
  constexpr double kTop = 12;
  constexpr double kBottom = 196;
  const auto columns = chart_columns(payment);
  double most = 0;
  for (const auto& column : columns) most = std::max({most, column.total(), column.without});
  if (most <= 0) return {};
  const double width = (kWidth - kLeft) / static_cast<double>(columns.size());
  const auto height_of = [&](double amount) { return amount / most * (kBottom - kTop); };
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Cost of each hour\">\n", kWidth, kHeight);
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& column = columns[i];
    const double x = kLeft + width * static_cast<double>(i);
    double y = kBottom;
    svg += "<g>";
    const auto hours = column.hours == 1
                           ? fmt::format("hour {}", column.first_hour)
                           : fmt::format("hours {}-{}", column.first_hour, column.first_hour + column.hours - 1);
    svg += fmt::format("<title>{}: ${:.4f}/h; committed ${:.4f}, of which unused ${:.4f}; On-Demand ${:.4f}</title>",
                       hours, column.total(), column.used + column.unused, column.unused, column.on_demand);
    const auto bar = [&](std::string_view name, double amount) {
      if (amount <= 0) return;
      const double height = height_of(amount);
      y -= height;
      svg += fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>", name, x,
                         y, width * 0.92, height);
    };
    bar("committed", column.used);
    bar("unused", column.unused);
    bar("on-demand", column.on_demand);
    bar("spot", column.other);
    svg += "</g>\n";
    const double top = kBottom - height_of(column.without);
    line += fmt::format("{}{:.2f} {:.2f}H{:.2f}", i == 0 ? "M" : "L", x, top, x + width);
  }
  if (!payment.commitments.empty()) svg += fmt::format("<path class=\"without\" d=\"{}\"/>\n", line);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">${:.4g}/h</text>\n", kLeft - 6, kTop + 8, most);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">$0</text>\n", kLeft - 6, kBottom);
  svg += fmt::format("<text x=\"{}\" y=\"{}\">hour 0</text>\n", kLeft, kBottom + 16);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">hour {}</text>\n", kWidth, kBottom + 16,
                     payment.curve.hours.size() - 1);
  return svg + "</svg>\n";
}

std::string chart_markup(const PaymentPlan& payment) {
  const auto svg = payment_chart(payment);
  if (svg.empty()) return {};
  std::string legend;
  const auto key = [&](std::string_view name, std::string_view words) {
    legend += fmt::format(
        "<li class=\"key\"><svg class=\"key-mark\" viewBox=\"0 0 12 12\" aria-hidden=\"true\"><rect class=\"{}\" "
        "width=\"12\" "
        "height=\"12\"/></svg>{}</li>",
        name, words);
  };
  if (!payment.commitments.empty()) {
    key("committed", "commitment, used");
    key("unused", "commitment, unused");
  }
  key("on-demand", "On-Demand");
  if (!payment.commitments.empty()) key("without-key", "On-Demand without commitments (line)");
  return fmt::format("<figure class=\"payment\"><figcaption>{}</figcaption>\n{}<ul class=\"legend\">{}</ul></figure>\n",
                     "Cost of each hour, stacked", svg, legend);
}

std::vector<std::pair<std::string, std::string>> payment_figures(const PaymentPlan& payment) {
  const auto cost = rounded_micro_usd(payment.hourly_with_extras());
  std::vector<std::pair<std::string, std::string>> all = {
      {"price", "$" + usd(cost) + "/h"}, {"per month (730 h)", monthly(cost)}, {"per year (8,760 h)", yearly(cost)}};
  if (payment.lower_bound > 0) {
    all.emplace_back("lower bound, without extras", "$" + usd(rounded_micro_usd(payment.lower_bound)) + "/h");
    all.emplace_back("gap to the bound",
                     percent_more(rounded_micro_usd(payment.lower_bound), rounded_micro_usd(payment.hourly)));
  }
  for (const auto& one : payment.commitments) {
    all.emplace_back(name_words(one), one.commitment.type == CommitmentType::kReservedInstances
                                          ? with_separators(*one.commitment.amount)
                                          : "$" + commitment_usd(*one.commitment.amount) + "/h");
  }
  return all;
}

void add_lines(ReportDocument& document, const std::vector<std::string>& lines) {
  for (const auto& line : lines) document.line(0, line);
  document.list({lines.begin(), lines.end()}, kCommentAndPage);
}

}  // namespace

void add_payment(ReportDocument& document, const FleetReport& report) {
  if (report.payment == nullptr) return;
  const auto& payment = *report.payment;
  document.section("payment", "Payment", Medium::kPage);
  document.add(block::Figures{payment_figures(payment)});
  if (payment.has_curve) document.add(block::Markup{chart_markup(payment)});
  if (payment.has_curve && payment.curve.hours.size() <= kWidestLine) {
    document.later(kTerminal, [&payment](ReportDocument& text, const Screen& screen) {
      text.add(block::Drawing{"  " + chart_line(payment, screen.options.glyphs) + "  $/h of each hour, On-Demand\n"});
    });
  }
  document.table(payment_table(report));
  add_lines(document, commitment_words(report));
  add_lines(document, extra_words(report));
  document.gap();
  document.table(load_table(report));
  document.paragraph({.text = evidence_words(report), .hanging = 2});
  if (payment.has_curve) {
    document.gap();
    document.line(0, "At the peak");
  }
}

namespace {

std::string_view name_of(FleetEvidence evidence) {
  switch (evidence) {
    case FleetEvidence::kSimulated:
      return "simulated";
    case FleetEvidence::kPacked:
      return "packed";
    case FleetEvidence::kLarger:
      break;
  }
  return "larger";
}

void write_level(JsonWriter& json, const FleetReport& report, std::size_t level) {
  const auto& payment = *report.payment;
  const auto& one = payment.levels[level];
  json.begin_object(Layout::kLine).member("hours", payment.curve.levels[level].hours);
  json.member("tasks", payment.curve.levels[level].tasks()).key("fleet");
  write_purchases_json(json, report.market, one.fleet.purchases);
  json.member("onDemandHourlyCost", usd_number(one.fleet.hourly_cost));
  json.member("lowerBound", usd_number(one.fleet.lower_bound)).member("evidence", name_of(one.fleet.evidence));
  json.member("orders", one.fleet.orders).member("committed", usd_of(one.bill.committed));
  json.member("unused", usd_of(one.bill.unused)).member("onDemand", usd_of(one.bill.on_demand));
  json.member("other", usd_of(one.bill.other)).member("hourlyCost", usd_of(one.bill.total())).end_object();
}

void write_commitment(JsonWriter& json, const PaidCommitment& one) {
  const auto& commitment = one.commitment;
  const bool is_reserved = commitment.type == CommitmentType::kReservedInstances;
  json.begin_object(Layout::kLine).member("type", fleet::name_of(commitment.type));
  json.member_or_null("covers", commitment.covers);
  json.member("discount", static_cast<double>(commitment.discount_millionths) / 1e6);
  json.key("hourlyCommitment");
  is_reserved ? json.null() : json.value(usd_number(*commitment.amount));
  json.key("instanceCount");
  is_reserved ? json.value(*commitment.amount) : json.null();
  json.key("years");
  one.years > 0 ? json.value(one.years) : json.null();
  json.member("sought", one.is_sought).member("hourlyCost", usd_of(one.hourly));
  json.member("utilization", one.utilization).member("coveredHourlyCost", usd_of(one.mean_covered)).end_object();
}

void write_extra(JsonWriter& json, const study::PaidExtra& extra) {
  json.begin_object(Layout::kLine).member("item", extra.item).member("meanCount", extra.mean_count).key("hourlyPrice");
  extra.price ? json.value(usd_of(*extra.price)) : json.null();
  json.key("hourlyCost");
  extra.mean_hourly ? json.value(usd_of(*extra.mean_hourly)) : json.null();
  json.member_or_null("date", extra.date);
  json.member_or_null("source", extra.source);
  json.member_or_null("missingPrice", extra.missing);
  json.end_object();
}

}  // namespace

void write_payment_json(JsonWriter& json, const FleetReport& report) {
  if (report.payment == nullptr) return;
  const auto& payment = *report.payment;
  json.key("payment").begin_object().member("answer", payment_headline(report));
  json.member("hours", static_cast<std::int64_t>(payment.curve.hours.size()));
  json.member("hourlyCost", usd_of(payment.hourly)).member("onDemandHourlyCost", usd_of(payment.on_demand));
  json.member("peakHourlyCost", usd_number(payment.peak_hourly));
  json.member("monthlyCost", usd_of(payment.hourly) * kHoursPerMonth);
  json.member("yearlyCost", usd_of(payment.hourly) * kHoursPerYear);
  json.member("hourlyCostWithExtras", usd_of(payment.hourly_with_extras()));
  json.key("lowerBound");
  payment.lower_bound > 0 ? json.value(usd_of(payment.lower_bound)) : json.null();
  json.key("gap");
  payment.lower_bound > 0 ? json.value(payment.gap()) : json.null();
  json.key("commitments").begin_array();
  for (const auto& one : payment.commitments) write_commitment(json, one);
  json.end_array().key("extras").begin_array();
  for (const auto& extra : payment.extras) write_extra(json, extra);
  json.end_array().key("levels").begin_array();
  for (std::size_t i = 0; i < payment.levels.size(); ++i) write_level(json, report, i);
  json.end_array();
  write_list(json, "levelOfHour", payment.curve.hours);
  json.end_object();
}

}  // namespace bayplan::report
