#include <nlohmann/json.hpp>
#include <sstream>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "catch.hpp"
#include "placement/build.hpp"
#include "report/whatif/whatif_report.hpp"
#include "report/whatif/whatif_words.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;
using nlohmann::json;
using study::ComparedVariant;
using study::Comparison;
using study::EachOf;
using study::NameResult;
using study::VariantResult;

namespace {

constexpr MicroUsd kPrice = 3'912'000;

std::shared_ptr<const Scenario> cluster() {
  std::vector<InstanceProfile> profiles;
  for (const char* zone : {"us-east-2a", "us-east-2b", "us-east-2c", "us-east-2a", "us-east-2b", "us-east-2c"}) {
    profiles.push_back(instance("g4dn.12xlarge", 49152, 192000, {4, 16384}, zone));
    profiles.back().hourly_price = kPrice;
  }
  return std::make_shared<const Scenario>(
      scenario_with(std::move(profiles),
                    {service("infer", with_gpus(needs(2048, 12288), {1}), 18), service("web", needs(512, 1024), 12)}));
}

NameResult name_result(std::string name, std::int64_t desired, std::int64_t after) {
  NameResult result;
  result.name = std::move(name);
  result.is_service = true;
  result.desired = result.before = desired;
  result.after = after;
  result.zones = {"us-east-2b", "us-east-2c"};
  if (desired > after) result.reasons = {{"RESOURCE:GPU", desired - after}};
  return result;
}

VariantResult result(std::vector<NameResult> names, std::int64_t instances) {
  VariantResult made;
  made.scenario = cluster();
  made.names = std::move(names);
  for (const auto& name : made.names) made.moves += name.moves;
  made.summary.instances = made.summary.instances_used = instances;
  made.summary.gpu.total = instances * 4;
  made.summary.hourly_cost = instances * kPrice;
  return made;
}

Comparison comparison(std::vector<ComparedVariant> variants) {
  Comparison made;
  made.baseline = result({name_result("infer", 18, 18), name_result("web", 12, 12)}, 6);
  made.variants = std::move(variants);
  return made;
}

ComparedVariant variant(std::string name, placement::InstantEvent event, VariantResult result) {
  ComparedVariant made;
  made.asked.variant.name = std::move(name);
  made.asked.variant.events.push_back(std::move(event));
  made.effect = study::compute_effect(comparison({}).baseline, result);
  made.result = std::move(result);
  return made;
}

ComparedVariant single(EachOf each, const std::string& lost, VariantResult result) {
  auto made = variant((each == EachOf::kZone ? "lose-az " : "terminate ") + lost, placement::TerminateInstances{{0}},
                      std::move(result));
  made.asked.each = each;
  made.asked.lost = lost;
  return made;
}

VariantResult zone_lost() {
  auto infer = name_result("infer", 18, 16);
  infer.moves = 4;
  infer.moved_to = {1, 2, 4, 5};
  auto web = name_result("web", 12, 12);
  web.moves = 4;
  web.moved_to = {1};
  auto made = result({infer, web}, 4);
  made.gone = {0, 3};
  return made;
}

VariantResult nothing_lost() {
  return result({name_result("infer", 18, 18), name_result("web", 12, 12)}, 5);
}

std::string text_of(const Comparison& comparison, report::TextOptions options = {}) {
  std::ostringstream out;
  const auto scenario = cluster();
  report::write_text(out, report::whatif_document({*scenario, comparison}), options);
  return out.str();
}

bool says(const std::string& text, std::string_view words) {
  INFO(text << "\nlacks: " << words);
  return text.find(words) != std::string::npos;
}

placement::TerminateInstances lose_zone() {
  return {{0, 3}};
}

}  // namespace

TEST_CASE("whatif - the first line answers for one variant") {
  CHECK(report::whatif_headline(comparison({variant("lose-az us-east-2a", lose_zone(), zone_lost())})) ==
        "NO  losing us-east-2a: 2 of 18 infer tasks cannot be placed (no free GPU)");
  auto moved = nothing_lost();
  moved.moves = 3;
  CHECK(report::whatif_headline(comparison({variant("x", placement::TerminateInstances{{4}}, moved)})) ==
        "YES losing g4dn.12xlarge#5: everything is placed, 3 moved");
  CHECK(report::whatif_headline(comparison({variant("x", placement::DrainInstances{{1, 4}}, zone_lost())})) ==
        "NO  draining us-east-2b: 2 of 18 infer tasks cannot be placed (no free GPU)");
  CHECK(report::whatif_headline(comparison({variant("x", placement::DrainInstances{{1, 3}}, nothing_lost())})) ==
        "YES draining 2 instances: everything is placed");
  CHECK(report::whatif_headline(
            comparison({variant("x", placement::RemoveInstances{"g4dn.12xlarge", 1}, nothing_lost())})) ==
        "YES removing 1 g4dn.12xlarge: everything is placed; -$3.912/h, -$2,856/month");
}

TEST_CASE("whatif - what is planned is named, and what was unplaced before is said") {
  auto made = comparison({variant("x", placement::Scale{{0}, 18}, nothing_lost())});
  auto& asked = made.variants.front().asked.variant;
  asked.events.clear();
  asked.changes = {study::ReplaceType{"p3.2xlarge", "p3.16xlarge", {}}};
  made.baseline.names.front().after = 17;
  made.variants.front().result.summary.hourly_cost = 7 * kPrice;
  CHECK(report::whatif_headline(made) ==
        "YES replacing p3.2xlarge with p3.16xlarge: everything is placed (before: 1 of 30 tasks not placed); "
        "+$3.912/h, +$2,856/month");
  asked.events = {placement::Scale{{0}, 18}};
  asked.name = "replace p3.2xlarge=p3.16xlarge, scale infer=18";
  CHECK(says(report::whatif_headline(made), "YES with replace p3.2xlarge=p3.16xlarge, scale infer=18: everything"));
  made.variants.front().result.names.front().after = 17;
  CHECK(says(report::whatif_headline(made), "1 task not placed, as before"));
}

TEST_CASE("whatif - the first line answers for every single failure") {
  const auto zone = [](VariantResult result) { return single(EachOf::kZone, "us-east-2a", std::move(result)); };
  const auto host = [](VariantResult result) { return single(EachOf::kInstance, "i-0a", std::move(result)); };
  CHECK(report::whatif_headline(comparison({zone(nothing_lost()), host(nothing_lost())})) ==
        "YES the cluster survives the loss of any zone and any single instance");
  CHECK(report::whatif_headline(
            comparison({zone(zone_lost()), zone(nothing_lost()), zone(nothing_lost()), host(nothing_lost())})) ==
        "NO  losing us-east-2a: 2 of 18 infer tasks cannot be placed (no free GPU); the cluster survives the loss of "
        "any other zone and any "
        "single instance");
  CHECK(report::whatif_headline(comparison({zone(zone_lost()), zone(zone_lost()), host(nothing_lost())})) ==
        "NO  the cluster survives no single-zone loss; the worst, us-east-2a: 2 of 18 infer tasks cannot be placed (no "
        "free GPU); the "
        "cluster "
        "survives the loss of any single instance");
  CHECK(report::whatif_headline(comparison({host(zone_lost()), host(nothing_lost())})) ==
        "NO  losing i-0a: 2 of 18 infer tasks cannot be placed (no free GPU); the cluster survives the loss of the "
        "other instance");
}

TEST_CASE("whatif - one variant is told in detail, within 80 columns") {
  auto made = comparison({variant("lose-az us-east-2a", lose_zone(), zone_lost())});
  made.variants.front().remedies.tried = 7;
  made.variants.front().remedies.list = {{study::AppendFlags{"--add g4dn.12xlarge=1@us-east-2b"}, {}, kPrice},
                                         {study::AppendFlags{"--add g4dn.12xlarge=1@us-east-2c"}, {}, kPrice},
                                         {study::AppendFlags{"--scale infer=16", true}, {}, 0}};
  const auto text = text_of(made);
  CHECK(says(text, "  infer         18      18     16  2b,2c  2 UNPLACED RESOURCE:GPU, 4 moved\n"));
  CHECK(says(text, "  web           12      12     12  2b,2c  ok, 4 moved\n"));
  CHECK(says(text, "  4 infer -> g4dn.12xlarge#2, g4dn.12xlarge#3, g4dn.12xlarge#5 and 1 more\n"));
  CHECK(says(text, "+$3.912/h, +$2,856/month  --add g4dn.12xlarge=1@us-east-2b  (or in"));
  CHECK(says(text, "             --scale infer=16  (run fewer)\n"));
  for (const auto line : split(text, '\n')) CHECK(display_width(line) <= 80);
  CHECK(text_of(made, {report::Style(false), {}, true}) ==
        "NO  losing us-east-2a: 2 of 18 infer tasks cannot be placed (no free GPU)\n");
}

TEST_CASE("whatif - of many failures the worst five are told, all with -v") {
  std::vector<ComparedVariant> variants;
  for (int i = 0; i < 7; ++i)
    variants.push_back(single(EachOf::kInstance, "i-0" + std::to_string(i), i == 0 ? zone_lost() : nothing_lost()));
  const auto made = comparison(std::move(variants));
  const auto text = text_of(made);
  CHECK(says(text, "  and 2 more (-v)\n"));
  CHECK(says(text, "  i-04 "));
  CHECK(text.find("i-05") == std::string::npos);
  CHECK(says(text_of(made, {report::Style(false), {}, false, true}), "  i-06 "));
  CHECK(says(text, "  2 of 18 infer tasks cannot be placed (no free GPU)\n"));
}

TEST_CASE("whatif - runs that differ have a median and a worst") {
  auto made = comparison({variant("rnd", placement::Scale{{0}, 18}, nothing_lost()),
                          variant("pack", placement::Scale{{0}, 18}, nothing_lost())});
  for (auto& one : made.variants) one.result.room = {{"t4", 3}};
  made.baseline.room = {{"t4", 0}};
  made.variants.front().runs =
      study::RunFigures{200, 7, 9, 200, 106, {0, 0, 0}, {4, 5, 6}, {12, 12, 12}, {2, 4, 4}, {{0, 1, 3}}};
  const auto text = text_of(made);
  CHECK(says(text, "  rnd p50           0  5 of 5         12              4        1"));
  CHECK(says(text, "  rnd worst         0  6 of 5         12              2        0"));
  CHECK(says(text, "  rnd: an instance stays empty in 53% of 200 runs\n"));
  CHECK(says(text, "YES each of 2 variants places everything; most room for t4: pack, 3 more\n"));
}

TEST_CASE("whatif - drains that never end, and tasks of RunTask") {
  auto infer = name_result("infer", 18, 16);
  infer.held = 2;
  infer.reasons.clear();
  auto train = name_result("train", 3, 3);
  train.is_service = false;
  train.moves = 2;
  train.moved_to = {1};
  train.stays = 1;
  auto held = result({infer, train}, 6);
  held.held_drains = {"g4dn.12xlarge#1"};
  const auto text = text_of(comparison({variant("drain", placement::DrainInstances{{0}}, held)}));
  CHECK(says(text, "NO  draining g4dn.12xlarge#1: 2 of 18 infer tasks cannot leave\n"));
  CHECK(says(text, "ok, 2 moved, 1 ends in place\n"));
  CHECK(says(text, "  2 infer tasks run on: no room elsewhere, and none may stop first"));
  CHECK(says(text, "  never drains: g4dn.12xlarge#1\n"));
  CHECK(says(text, "counted as restarted by their owner"));
}

TEST_CASE("whatif - JSON carries the contract") {
  auto made = comparison({variant("lose-az us-east-2a", lose_zone(), zone_lost())});
  made.variants.front().remedies.list = {{study::AppendFlags{"--add g4dn.12xlarge=1@us-east-2b"}, {}, kPrice}};
  std::ostringstream out;
  report::write_whatif_json(out, {*cluster(), made});
  const auto report = json::parse(out.str());
  CHECK(report["schema"] == "bayplan/whatif-report/1");
  CHECK(report["baseline"]["summary"]["unplaced"] == 0);
  const auto& lost = report["variants"][0];
  CHECK(lost["name"] == "lose-az us-east-2a");
  CHECK(lost["leavesMore"] == true);
  CHECK(lost["each"] == nullptr);
  CHECK(lost["moves"] == 8);
  CHECK(lost["gone"] == json::parse(R"(["g4dn.12xlarge#1", "g4dn.12xlarge#4"])"));
  CHECK(lost["services"][0] ==
        json::parse(R"({"serviceName": "infer", "desired": 18, "before": 18, "after": 16, "held": 0,
                        "zones": ["us-east-2b", "us-east-2c"], "reasons": {"RESOURCE:GPU": 2}, "moves": 4,
                        "movedTo": ["g4dn.12xlarge#2", "g4dn.12xlarge#3", "g4dn.12xlarge#5", "g4dn.12xlarge#6"]})"));
  CHECK(lost["remedies"][0] == json::parse(R"({"change": "--add g4dn.12xlarge=1@us-east-2b", "hourlyCost": 3.912})"));
}

TEST_CASE("whatif - Markdown keeps what names hold from being markup") {
  auto made = comparison({variant("a|b", lose_zone(), zone_lost())});
  made.variants.front().remedies.list = {{study::AppendFlags{"--scale infer=16", true}, {}, 0}};
  made.variants.front().asked.variant.origin.line = 3;  // the file names it
  std::ostringstream out;
  report::write_document(out, report::whatif_document({*cluster(), made}), report::Medium::kComment);
  CHECK(says(
      out.str(),
      "### bayplan whatif: NO  a&#124;b: losing us-east-2a: 2 of 18 infer tasks cannot be placed (no free GPU)\n"));
  CHECK(says(out.str(), "| infer | 18 | 18 | 16 | 2b,2c | 2 UNPLACED RESOURCE:GPU, 4 moved |\n"));
  CHECK(says(out.str(), "**a&#124;b:** 2 of 18"));
  CHECK(says(out.str(), "- `--scale infer=16` (run fewer)\n"));
}
