// The comparison as JSON; schemas/diff-report.schema.json.
#include <array>

#include "base/json_writer.hpp"
#include "report/diff/diff_launch_types.hpp"
#include "report/diff/diff_report.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/fit/fit_report.hpp"

namespace bayplan::report {

using study::DefinitionDiff;
using study::FieldChange;
using study::SideCapacity;

namespace {

using Layout = JsonWriter::Layout;

std::string_view state_of(const DefinitionDiff& diff) {
  if (diff.is_new()) return "new";
  if (diff.is_removed()) return "removed";
  return diff.differs() ? "changed" : "same";
}

void write_side(JsonWriter& json, const DiffView& view, std::string_view key, const study::DiffSide& of,
                std::optional<std::size_t> index) {
  json.key(key);
  if (!index) {
    json.null();
    return;
  }
  const auto& definition = of.definitions[*index];
  const auto at = view.place(of, definition.report, definition.compared.root.opening().begin);
  json.begin_object(Layout::kLine).member("file", at.file).member("line", at.at.line).member("column", at.at.column);
  json.member_or_null("family", definition.family);
  json.member_or_null("name", definition.name);
  json.end_object();
}

void write_text(JsonWriter& json, std::string_view key, const std::optional<study::FieldSide>& says) {
  json.key(key);
  says ? json.value(says->text) : json.null();
}

void write_place(JsonWriter& json, std::string_view key, const std::optional<DiffView::Place>& at) {
  json.key(key);
  if (!at) {
    json.null();
    return;
  }
  json.begin_object(Layout::kLine)
      .member("file", at->file)
      .member("line", at->at.line)
      .member("column", at->at.column)
      .end_object();
}

void write_field(JsonWriter& json, const DiffView& view, const DefinitionDiff& diff, const FieldChange& change) {
  json.begin_object(Layout::kLine).member("path", change.path).member("change", kind_of(change));
  write_text(json, "before", change.before);
  write_text(json, "after", change.after);
  json.member("hidden", change.is_hidden);
  const bool is_unknown = (change.before && change.before->is_unknown) || (change.after && change.after->is_unknown);
  json.member("unknown", is_unknown);
  write_place(json, "old", place_before(view, diff, change));
  write_place(json, "new", place_after(view, diff, change));
  json.end_object();
}

void write_fit(JsonWriter& json, const capacity::FitRow& row, bool with_type) {
  json.begin_object(Layout::kLine);
  if (with_type) json.member("instanceType", row.type->name);
  json.member("fits", capacity::name_of(row.fits)).member("copies", row.copies).key("bindingResource");
  row.binding ? json.value(capacity::name_of(*row.binding)) : json.null();
  write_list(json, "reasons", row.reasons);
  write_usd(json, "pricePerCopy", row.price_per_copy);
  json.end_object();
}

void write_requirement(JsonWriter& json, std::string_view key, const std::optional<SideCapacity>& side) {
  json.key(key);
  if (!side) {
    json.null();
    return;
  }
  json.begin_object().key("requirement");
  write_requirement_json(json, side->requirement);
  json.member("runsOnInstances", side->runs_on_instances).member("heldBy", side->held_by).key("cheapest");
  if (side->cheapest) {
    write_fit(json, *side->cheapest, true);
  } else {
    json.null();
  }
  json.end_object();
}

void write_type(JsonWriter& json, const study::TypeEffect& row) {
  json.begin_object(Layout::kLine).member("instanceType", row.any().type->name);
  write_usd(json, "hourlyPrice", row.any().price ? std::optional(row.any().price->hourly) : std::nullopt);
  for (const auto& [key, one] : {std::pair("before", &row.before), std::pair("after", &row.after)}) {
    json.key(key);
    *one ? write_fit(json, **one, false) : void(json.null());
  }
  json.end_object();
}

void write_capacity(JsonWriter& json, const study::CapacityEffect& effect) {
  json.begin_object();
  write_requirement(json, "before", effect.before);
  write_requirement(json, "after", effect.after);
  json.key("effect").begin_array(Layout::kLine);
  if (effect.before && effect.after) {
    for (const auto& part : effect_parts(effect.before->requirement, effect.after->requirement)) json.value(part);
  }
  json.end_array().member("types", effect.types);
  json.key("instanceTypes").begin_array();
  for (const auto& row : effect.rows()) write_type(json, row);
  json.end_array().end_object();
}

void write_room(JsonWriter& json, std::string_view key, const std::optional<study::Room>& room) {
  json.key(key);
  if (!room) {
    json.null();
    return;
  }
  const auto end = room_end_words(*room);
  json.begin_object(Layout::kLine).member("copies", room->copies).member_or_null("reason", end);
  json.end_object();
}

void write_cluster(JsonWriter& json, const study::ClusterEffect& effect) {
  json.begin_object();
  write_room(json, "before", effect.before);
  write_room(json, "after", effect.after);
  json.member_or_null("notTried", effect.not_tried);
  json.key("services").begin_array();
  for (const auto& rollout : effect.rollouts) {
    json.begin_object(Layout::kLine)
        .member("serviceName", rollout.service)
        .member("finishes", rollout.finishes())
        .member("finishedBefore", rollout.could_before)
        .member("text", rollout_words(rollout))
        .end_object();
  }
  json.end_array().end_object();
}

void write_finding_list(JsonWriter& json, const DiffView& view, std::string_view key, const study::DiffSide& side,
                        const std::vector<study::FindingPlace>& places) {
  json.key(key).begin_array();
  for (const auto& place : places) {
    const auto& one = study::finding_at(side, place);
    const auto at = view.place(side, place);
    json.begin_object(Layout::kLine)
        .member("code", one.code)
        .member("rule", view.rule_id(one.code))
        .member("severity", bayplan::name_of(one.severity))
        .member("message", one.message)
        .member("help", one.help)
        .member("path", one.named_path)
        .member("file", at.file)
        .member("line", at.at.line)
        .member("column", at.at.column)
        .end_object();
  }
  json.end_array();
}

void write_findings(JsonWriter& json, const DiffView& view, const study::FindingChanges& changes) {
  json.begin_object();
  write_finding_list(json, view, "new", view.after(), changes.appeared);
  write_finding_list(json, view, "gone", view.before(), changes.vanished);
  json.end_object();
}

void write_definition(JsonWriter& json, const DiffView& view, const DefinitionDiff& diff) {
  json.begin_object().member("name", diff.name).member("state", state_of(diff));
  write_side(json, view, "old", view.before(), diff.before);
  write_side(json, view, "new", view.after(), diff.after);
  json.key("fields").begin_array();
  for (const auto& change : diff.fields) write_field(json, view, diff, change);
  json.end_array();
  json.key("capacity");
  diff.capacity ? write_capacity(json, *diff.capacity) : void(json.null());
  write_launch_type_changes_json(json, view.report().region, diff);
  json.key("cluster");
  diff.cluster ? write_cluster(json, *diff.cluster) : void(json.null());
  json.key("findings");
  write_findings(json, view, diff.findings);
  json.key("obstacles").begin_array();
  for (const auto obstacle : diff.obstacles) {
    json.begin_object(Layout::kLine)
        .member("id", name_of(obstacle))
        .member("text", obstacle_words(diff, obstacle))
        .end_object();
  }
  json.end_array().end_object();
}

void write_summary(JsonWriter& json, const DiffView& view) {
  const auto& report = view.report();
  std::int64_t changed = 0, added = 0, removed = 0, same = 0, fields = 0;
  for (const auto& one : report.definitions) {
    const auto state = state_of(one);
    ++(state == "new" ? added : state == "removed" ? removed : state == "same" ? same : changed);
    fields += static_cast<std::int64_t>(one.fields.size());
  }
  json.key("summary").begin_object(Layout::kLine);
  json.member("changed", changed).member("new", added).member("removed", removed).member("same", same);
  json.member("fields", fields);
  std::int64_t above = 0;
  for (const auto severity : std::array{Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle}) {
    const auto count = report.appeared(severity);
    json.member(bayplan::name_of(severity), count - above);
    above = count;
  }
  json.end_object();
}

}  // namespace

void write_diff_json(std::ostream& out, const DiffView& view) {
  JsonWriter json(out);
  const auto& report = view.report();
  begin_report(json, "diff-report", diff_headline(report));
  write_assumptions_json(json, report.assumptions);
  json.member("old", report.before.path).member("new", report.after.path).member("region", report.region);
  json.member_or_null("cluster", report.cluster);
  write_prices_json(json, find_price_range(report));
  json.member("differs", report.differs()).member("canDeploy", report.can_deploy());
  json.key("taskDefinitions").begin_array();
  for (const auto& one : report.definitions) write_definition(json, view, one);
  json.end_array();
  json.key("otherFindings");
  write_findings(json, view, report.other_findings);
  write_summary(json, view);
  json.end_object().finish();
}

}  // namespace bayplan::report
