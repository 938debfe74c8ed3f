// Walks the schema of a task definition and puts every kind of value at every place, one at a time, in JSON and in
// YAML: what the schema refuses is told, at that place and as one error, and nothing crashes.
#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "lint/lint.hpp"
#include "rules/file/shape_findings.hpp"
#include "support/in_sources.hpp"
#include "support/rule_cases.hpp"

namespace walk_test {

namespace {

using namespace bayplan;
using Json = nlohmann::ordered_json;

Json the_schema() {
  return Json::parse(rule_cases::content_of(in_sources("schemas/task-definition.schema.json")));
}

const Json& resolved(const Json& schema, const Json& node) {
  if (!node.contains("$ref")) return node;
  return resolved(schema, schema.at(Json::json_pointer(node.at("$ref").get<std::string>().substr(1))));
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  return type == "integer" ? value.is_number_integer() : value.is_number();
}

/// How many faults the schema finds in a value; read without the program's own runner.
std::size_t faults_in(const Json& schema, const Json& unresolved, const Json& value) {
  const Json& node = resolved(schema, unresolved);
  if (node.contains("type") && !has_type(value, node.at("type"))) return 1;
  const Json values = node.value("enum", Json::array());
  if (!values.empty() && std::find(values.begin(), values.end(), value) == values.end()) return 1;
  if (value.is_number_integer() && node.contains("minimum"))
    return value < node.at("minimum") || value > node.at("maximum");
  if (value.is_string()) return value.get<std::string>().size() < node.value("minLength", 0u);
  std::size_t count = 0;
  if (value.is_array()) {
    if (value.size() < node.value("minItems", 0u) || value.size() > node.value("maxItems", 1000u)) ++count;
    for (const auto& item : value) count += faults_in(schema, node.at("items"), item);
  }
  if (!value.is_object()) return count;
  const Json required = node.value("required", Json::array());
  for (const auto& key : required) count += !value.contains(key.get<std::string>());
  const Json others = node.value("additionalProperties", Json(true));
  for (auto member = value.begin(); member != value.end(); ++member) {
    if (node.contains("properties") && node.at("properties").contains(member.key())) {
      count += faults_in(schema, node.at("properties").at(member.key()), *member);
    } else if (others.is_object()) {
      count += faults_in(schema, others, *member);
    } else {
      count += others == false;
    }
  }
  return count;
}

/// Something that the schema takes, as small as can be.
Json sample(const Json& schema, const Json& unresolved) {
  const Json& node = resolved(schema, unresolved);
  if (node.contains("enum")) return node.at("enum").front();
  const std::string type = node.at("type");
  if (type == "integer") return 512;
  if (type == "boolean") return false;
  if (type == "string") return "web";
  if (type == "array") return Json::array({sample(schema, node.at("items"))});
  Json object = Json::object();
  const Json required = node.value("required", Json::array());
  for (const auto& key : required) {
    object[key.get<std::string>()] = sample(schema, node.at("properties").at(key.get<std::string>()));
  }
  return object;
}

struct Place {
  Json::json_pointer pointer;
  const Json* node;  ///< What the schema says of it.
};

void collect_places(const Json& schema, const Json& unresolved, const Json::json_pointer& at,
                    std::vector<Place>& places) {
  const Json& node = resolved(schema, unresolved);
  if (!at.empty()) places.push_back({at, &node});
  if (node.contains("items")) collect_places(schema, node.at("items"), at / 0, places);
  const Json members = node.value("properties", Json::object());
  for (auto member = members.begin(); member != members.end(); ++member) {
    collect_places(schema, node.at("properties").at(member.key()), at / member.key(), places);
  }
  if (node.contains("additionalProperties") && node.at("additionalProperties").is_object()) {
    collect_places(schema, node.at("additionalProperties"), at / "some-key", places);
  }
}

std::vector<Place> places_of(const Json& schema) {
  std::vector<Place> places;
  collect_places(schema, schema, Json::json_pointer(), places);
  return places;
}

Json small_task() {
  return Json::parse(R"({"family": "web", "networkMode": "bridge", "memory": "1024", "containerDefinitions":
      [{"name": "app", "image": "nginx:1.27", "cpu": 256, "memory": 512}]})");
}

/// Puts the smallest object or list that the schema takes where one is missing on the way to `pointer`.
Json with_parents(const Json& schema, const std::vector<Place>& places, const Json::json_pointer& pointer) {
  Json task = small_task();
  std::vector<Json::json_pointer> way;
  for (auto at = pointer.parent_pointer(); !at.empty(); at = at.parent_pointer()) way.insert(way.begin(), at);
  for (const auto& at : way) {
    if (task.contains(at)) continue;
    const auto place = std::find_if(places.begin(), places.end(), [&](const Place& one) { return one.pointer == at; });
    task[at] = sample(schema, *place->node);
  }
  return task;
}

/// Block style, strings in double quotes; scalars as JSON writes them.
void write_yaml(const Json& value, std::size_t indent, std::string& out) {
  const std::string margin = "\n" + std::string(indent, ' ');
  if (!value.is_structured() || value.empty()) {
    out += " " + value.dump();
  } else if (value.is_array()) {
    for (const auto& item : value) {
      out += margin + "-";
      write_yaml(item, indent + 2, out);
    }
  } else {
    for (const auto& [key, member] : value.items()) {
      out += margin + Json(key).dump() + ":";
      write_yaml(member, indent + 2, out);
    }
  }
}

std::string yaml_of(const Json& value) {
  std::string out;
  write_yaml(value, 0, out);
  return out.substr(out.find_first_not_of("\n ")) + "\n";
}

struct Told {
  std::set<std::string> findings;  ///< "code pointer"
  std::multiset<std::string> errors;
};

Told told_about(const std::string& text, const std::string& name, const lint::Tools& tools) {
  Told told;
  for (const auto& finding : lint::lint_document(text, name, {}, tools).findings) {
    told.findings.insert(std::string(finding.code) + " " + finding.pointer);
    if (finding.severity == Severity::kError) told.errors.insert(std::string(finding.code) + " " + finding.pointer);
  }
  return told;
}

bool is_at_or_under(const std::string& finding, const std::string& pointer) {
  const auto where = finding.substr(finding.find(' ') + 1);
  return where == pointer || where.rfind(pointer + "/", 0) == 0;
}

/// What is said of `seen` and not of `before`.
template <class Set>
std::vector<std::string> news(const Set& seen, const Set& before) {
  std::vector<std::string> result;
  std::set_difference(seen.begin(), seen.end(), before.begin(), before.end(), std::back_inserter(result));
  return result;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += text + "; ";
  return all;
}

/// One value at one place.
struct Probe {
  std::string pointer;
  std::size_t faults = 0;    ///< As the schema counts them.
  bool is_unset = false;     ///< An enum that deployment tools write as "" for absent.
  bool is_unquoted = false;  ///< A number or boolean in place of a text: what the text would be is judged as well.
};

/// What is wrong with what is told about a value, or nothing. `usual`: the errors of a good value there and of none.
std::string judge(const Told& told, const std::multiset<std::string>& usual, const Probe& probe) {
  if (probe.faults == 0 || probe.is_unset) return "";
  const auto is_there = [&](const std::string& finding) { return is_at_or_under(finding, probe.pointer); };
  if (std::none_of(told.findings.begin(), told.findings.end(), is_there)) return "silence";
  const auto errors = news(told.errors, usual);
  const bool elsewhere = !std::all_of(errors.begin(), errors.end(), is_there);
  return errors.size() > probe.faults + probe.is_unquoted || elsewhere ? joined(errors) : "";
}

}  // namespace

TEST_CASE("walk - a value of any kind at any place gives one error and never a crash or silence") {
  const auto schema = the_schema();
  const auto places = places_of(schema);
  REQUIRE(places.size() > 150);

  const auto probes = Json::parse(
      R"([null, 4096, -1, 99999999999, 18446744073709551615, 1e300, 1.5, "text", "", [], ["x"], {}, {"x": 1}, true])");
  const lint::Tools tools;
  for (const auto& place : places) {
    const std::string pointer = place.pointer.to_string();
    Json task = with_parents(schema, places, place.pointer);
    if (place.pointer.back() != "0" && task.contains(place.pointer)) {
      task[place.pointer.parent_pointer()].erase(place.pointer.back());
    }
    Json good = task;
    good[place.pointer] = sample(schema, *place.node);
    const bool wants_text = place.node->value("type", "") == "string";
    for (const std::string name : {"task.json", "task.yaml"}) {
      const auto to_error = [&](const Json& value) {
        return told_about(name == "task.json" ? value.dump(2) : yaml_of(value), name, tools);
      };
      auto usual = to_error(task).errors;
      usual.merge(to_error(good).errors);
      for (const auto& value : probes) {
        Json probed = task;
        probed[place.pointer] = value;
        const bool is_unquoted = wants_text && (value.is_number() || value.is_boolean());
        const bool is_unset = value == "" && rules::is_absent_when_empty(place.pointer.back());
        const auto faults = faults_in(schema, *place.node, value);
        const auto fault = judge(to_error(probed), usual, {pointer, faults, is_unset, is_unquoted});
        INFO(name << " " << pointer << " = " << value.dump() << ": " << fault);
        CHECK(fault.empty());
      }
    }
  }
}

TEST_CASE("walk - what the schema requires and is missing is told") {
  const auto schema = the_schema();
  const auto places = places_of(schema);
  const lint::Tools tools;
  int required = 0;
  for (const auto& place : places) {
    const Json keys = place.node->value("required", Json::array());
    for (const auto& key : keys) {
      ++required;
      Json task = with_parents(schema, places, place.pointer / key.get<std::string>());
      task[place.pointer].erase(key.get<std::string>());
      const std::string missing = (place.pointer / key.get<std::string>()).to_string();
      for (const std::string name : {"task.json", "task.yaml"}) {
        const auto told = told_about(name == "task.json" ? task.dump(2) : yaml_of(task), name, tools);
        const auto there = std::count_if(told.findings.begin(), told.findings.end(),
                                         [&](const std::string& one) { return is_at_or_under(one, missing); });
        INFO(name << " without " << missing);
        CHECK(there == 1);
      }
    }
  }
  CHECK(required > 20);
}

}  // namespace walk_test
