// The comparison as JSON; schemas/diff-report.schema.json.
#include <array>

#include "base/json_writer.hpp"
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

class DiffJson {
 public:
  DiffJson(std::ostream& out, const DiffTold& told) : json_(out), told_(told) {}

  void write() {
    const auto& report = told_.report();
    begin_report(json_, "diff-report", diff_headline(report));
    write_assumptions_json(json_, report.assumptions);
    json_.member("old", report.before.path).member("new", report.after.path).member("region", report.region);
    json_.key("cluster");
    report.cluster.empty() ? json_.null() : json_.value(report.cluster);
    write_prices_json(json_, prices_of(report));
    json_.member("differs", report.differs()).member("canDeploy", report.can_deploy());
    json_.key("taskDefinitions").begin_array();
    for (const auto& one : report.definitions) definition(one);
    json_.end_array();
    json_.key("otherFindings");
    findings(report.other_findings);
    summary();
    json_.end_object().finish();
  }

 private:
  void definition(const DefinitionDiff& diff) {
    json_.begin_object().member("name", diff.name).member("state", state_of(diff));
    side("old", told_.before(), diff.before);
    side("new", told_.after(), diff.after);
    json_.key("fields").begin_array();
    for (const auto& change : diff.fields) field(diff, change);
    json_.end_array();
    json_.key("capacity");
    diff.capacity ? capacity(*diff.capacity) : void(json_.null());
    json_.key("cluster");
    diff.cluster ? cluster(*diff.cluster) : void(json_.null());
    json_.key("findings");
    findings(diff.findings);
    json_.key("obstacles").begin_array();
    for (const auto obstacle : diff.obstacles) {
      json_.begin_object(Layout::kLine)
          .member("id", name_of(obstacle))
          .member("text", obstacle_words(diff, obstacle))
          .end_object();
    }
    json_.end_array().end_object();
  }

  static std::string_view state_of(const DefinitionDiff& diff) {
    if (diff.is_new()) return "new";
    if (diff.is_removed()) return "removed";
    return diff.differs() ? "changed" : "same";
  }

  void side(std::string_view key, const study::DiffSide& of, std::optional<std::size_t> index) {
    json_.key(key);
    if (!index) {
      json_.null();
      return;
    }
    const auto& definition = of.definitions[*index];
    const auto at = told_.place(of, definition.report, definition.compared.root.opening().begin);
    json_.begin_object(Layout::kLine).member("file", at.file).member("line", at.at.line).member("column", at.at.column);
    json_.key("family");
    definition.family.empty() ? json_.null() : json_.value(definition.family);
    json_.key("name");
    definition.name.empty() ? json_.null() : json_.value(definition.name);
    json_.end_object();
  }

  void field(const DefinitionDiff& diff, const FieldChange& change) {
    json_.begin_object(Layout::kLine).member("path", change.path).member("change", kind_of(change));
    text("before", change.before);
    text("after", change.after);
    json_.member("hidden", change.is_hidden);
    const bool is_unknown = (change.before && change.before->is_unknown) || (change.after && change.after->is_unknown);
    json_.member("unknown", is_unknown);
    place("old", place_before(told_, diff, change));
    place("new", place_after(told_, diff, change));
    json_.end_object();
  }

  void text(std::string_view key, const std::optional<study::FieldSide>& says) {
    json_.key(key);
    says ? json_.value(says->text) : json_.null();
  }

  void place(std::string_view key, const std::optional<DiffTold::Place>& at) {
    json_.key(key);
    if (!at) {
      json_.null();
      return;
    }
    json_.begin_object(Layout::kLine)
        .member("file", at->file)
        .member("line", at->at.line)
        .member("column", at->at.column)
        .end_object();
  }

  void capacity(const study::CapacityEffect& effect) {
    json_.begin_object();
    requirement("before", effect.before);
    requirement("after", effect.after);
    json_.key("effect").begin_array(Layout::kLine);
    if (effect.before && effect.after) {
      for (const auto& part : effect_parts(effect.before->requirement, effect.after->requirement)) json_.value(part);
    }
    json_.end_array().member("types", effect.types);
    json_.key("instanceTypes").begin_array();
    for (const auto& row : effect.rows) type(row);
    json_.end_array().end_object();
  }

  void cluster(const study::ClusterEffect& effect) {
    json_.begin_object();
    room("before", effect.before);
    room("after", effect.after);
    json_.key("notTried");
    effect.not_tried.empty() ? json_.null() : json_.value(effect.not_tried);
    json_.key("services").begin_array();
    for (const auto& rollout : effect.rollouts) {
      json_.begin_object(Layout::kLine)
          .member("serviceName", rollout.service)
          .member("finishes", rollout.finishes())
          .member("finishedBefore", rollout.could_before)
          .member("text", rollout_words(rollout))
          .end_object();
    }
    json_.end_array().end_object();
  }

  void room(std::string_view key, const std::optional<study::Room>& room) {
    json_.key(key);
    if (!room) {
      json_.null();
      return;
    }
    const auto end = room_end_words(*room);
    json_.begin_object(Layout::kLine).member("copies", room->copies).key("reason");
    end.empty() ? json_.null() : json_.value(end);
    json_.end_object();
  }

  void requirement(std::string_view key, const std::optional<SideCapacity>& side) {
    json_.key(key);
    if (!side) {
      json_.null();
      return;
    }
    json_.begin_object().key("requirement");
    write_requirement_json(json_, side->requirement);
    json_.member("runsOnInstances", side->runs_on_instances).member("heldBy", side->held_by).key("cheapest");
    if (side->cheapest) {
      fit(*side->cheapest, true);
    } else {
      json_.null();
    }
    json_.end_object();
  }

  void type(const study::TypeEffect& row) {
    json_.begin_object(Layout::kLine).member("instanceType", row.any().type->name);
    write_usd(json_, "hourlyPrice", row.any().price ? std::optional(row.any().price->hourly) : std::nullopt);
    for (const auto& [key, one] : {std::pair("before", &row.before), std::pair("after", &row.after)}) {
      json_.key(key);
      *one ? fit(**one, false) : void(json_.null());
    }
    json_.end_object();
  }

  void fit(const capacity::FitRow& row, bool with_type) {
    json_.begin_object(Layout::kLine);
    if (with_type) json_.member("instanceType", row.type->name);
    json_.member("fits", capacity::name_of(row.fits)).member("copies", row.copies).key("bindingResource");
    row.binding ? json_.value(capacity::name_of(*row.binding)) : json_.null();
    write_list(json_, "reasons", row.reasons);
    write_usd(json_, "pricePerCopy", row.price_per_copy);
    json_.end_object();
  }

  void findings(const study::FindingChanges& changes) {
    json_.begin_object();
    finding_list("new", told_.after(), changes.appeared);
    finding_list("gone", told_.before(), changes.vanished);
    json_.end_object();
  }

  void finding_list(std::string_view key, const study::DiffSide& side, const std::vector<study::FindingPlace>& places) {
    json_.key(key).begin_array();
    for (const auto& place : places) {
      const auto& one = study::finding_at(side, place);
      const auto at = told_.place(side, place);
      json_.begin_object(Layout::kLine)
          .member("code", one.code)
          .member("rule", told_.rule_id(one.code))
          .member("severity", bayplan::name_of(one.severity))
          .member("message", one.message)
          .member("help", one.help)
          .member("path", one.named_path)
          .member("file", at.file)
          .member("line", at.at.line)
          .member("column", at.at.column)
          .end_object();
    }
    json_.end_array();
  }

  void summary() {
    const auto& report = told_.report();
    std::int64_t changed = 0, added = 0, removed = 0, same = 0, fields = 0;
    for (const auto& one : report.definitions) {
      const auto state = state_of(one);
      ++(state == "new" ? added : state == "removed" ? removed : state == "same" ? same : changed);
      fields += static_cast<std::int64_t>(one.fields.size());
    }
    json_.key("summary").begin_object(Layout::kLine);
    json_.member("changed", changed).member("new", added).member("removed", removed).member("same", same);
    json_.member("fields", fields);
    std::int64_t above = 0;
    for (const auto severity : std::array{Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle}) {
      const auto count = report.appeared(severity);
      json_.member(bayplan::name_of(severity), count - above);
      above = count;
    }
    json_.end_object();
  }

  JsonWriter json_;
  const DiffTold& told_;
};

}  // namespace

void write_diff_json(std::ostream& out, const DiffTold& told) {
  DiffJson(out, told).write();
}

}  // namespace bayplan::report
