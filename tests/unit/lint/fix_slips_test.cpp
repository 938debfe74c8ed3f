// Slips of the pen in good definitions, of which the meaning is known: the definition before the slip. Fixing gives
// that back, or leaves the place as it is; nothing else changes. In JSON and in block YAML.
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/strings.hpp"
#include "catch.hpp"
#include "lint/fix/fixes.hpp"
#include "support/rule_cases.hpp"
#include "text/write_value.hpp"

namespace fix_slips_test {

namespace {

using namespace bayplan;
using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

/// What was written in place of a value; nothing where nobody would.
using Slip = std::optional<Json> (*)(const Pointer& place, const Json& value);

bool ends_with(const Pointer& place, std::string_view key) {
  return !place.empty() && place.back() == key;
}

std::optional<Json> number_in_quotes(const Pointer& /*place*/, const Json& value) {
  return value.is_number_integer() ? std::optional<Json>(value.dump()) : std::nullopt;
}
std::optional<Json> boolean_in_quotes(const Pointer& /*place*/, const Json& value) {
  return value.is_boolean() ? std::optional<Json>(value.dump()) : std::nullopt;
}
std::optional<Json> fraction(const Pointer& /*place*/, const Json& value) {
  return value.is_number_integer() ? std::optional<Json>(value.get<double>()) : std::nullopt;
}
std::optional<Json> without_quotes(const Pointer& /*place*/, const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto text = value.get<std::string>();
  const auto number = to_integer(text);
  return number && std::to_string(*number) == text ? std::optional<Json>(*number) : std::nullopt;
}
std::optional<Json> other_case(const Pointer& /*place*/, const Json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto text = value.get<std::string>();
  return lower(text) == text ? std::nullopt : std::optional<Json>(lower(text));
}
std::optional<Json> without_its_list(const Pointer& /*place*/, const Json& value) {
  return value.is_array() && value.size() == 1 ? std::optional<Json>(value[0]) : std::nullopt;
}
std::optional<Json> in_a_list(const Pointer& place, const Json& value) {
  const bool is_scalar_element = !place.empty() && to_integer(place.back());
  return place.empty() || is_scalar_element ? std::nullopt : std::optional<Json>(Json::array({value}));
}
std::optional<Json> pairs_as_map(const Pointer& /*place*/, const Json& value) {
  if (!value.is_array() || value.empty()) return std::nullopt;
  Json map = Json::object();
  for (const auto& pair : value) {
    if (!pair.is_object() || pair.size() != 2 || !pair.front().is_string()) return std::nullopt;
    if (std::next(pair.begin())->is_structured()) return std::nullopt;
    map[pair.front().get<std::string>()] = *std::next(pair.begin());
  }
  return map.size() == value.size() ? std::optional<Json>(map) : std::nullopt;
}
std::optional<Json> pairs_as_maps(const Pointer& place, const Json& value) {
  const bool has_pairs = ends_with(place, "environment") || ends_with(place, "extraHosts") || ends_with(place, "tags");
  const auto map = has_pairs ? pairs_as_map(place, value) : std::nullopt;
  if (!map) return std::nullopt;
  Json list = Json::array();
  for (const auto& [key, text] : map->items()) list.push_back({{key, text}});
  return list;
}
std::optional<Json> pairs_as_one_map(const Pointer& place, const Json& value) {
  const auto map = ends_with(place, "environment") ? pairs_as_map(place, value) : std::nullopt;
  return map ? std::optional<Json>(Json::array({*map})) : std::nullopt;
}
std::optional<Json> map_as_pairs(const Pointer& place, const Json& value) {
  if (!ends_with(place, "dockerLabels") && !ends_with(place, "options")) return std::nullopt;
  Json list = Json::array();
  for (const auto& [key, text] : value.items()) list.push_back({{"name", key}, {"value", text}});
  return list;
}
std::optional<Json> as_assignments(const Pointer& place, const Json& value) {
  if (!ends_with(place, "environment") || !value.is_array()) return std::nullopt;
  Json list = Json::array();
  for (const auto& pair : value) {
    if (!pair.contains("name") || !pair.contains("value")) return std::nullopt;
    if (!pair["name"].is_string() || !pair["value"].is_string()) return std::nullopt;
    list.push_back(pair["name"].get<std::string>() + "=" + pair["value"].get<std::string>());
  }
  return list;
}

bool is_health_command(const Pointer& place, const Json& value) {
  return ends_with(place, "command") && ends_with(place.parent_pointer(), "healthCheck") && value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& word) { return word.is_string(); });
}
std::string joined(const Json& words, const std::string& separator) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : separator) + word.get<std::string>();
  return text;
}
std::optional<Json> health_by_comma(const Pointer& place, const Json& value) {
  return is_health_command(place, value) ? std::optional<Json>(joined(value, ", ")) : std::nullopt;
}
std::optional<Json> health_by_blank(const Pointer& place, const Json& value) {
  return is_health_command(place, value) ? std::optional<Json>(joined(value, " ")) : std::nullopt;
}
std::optional<Json> list_in_quotes(const Pointer& place, const Json& value) {
  return is_health_command(place, value) ? std::optional<Json>(value.dump()) : std::nullopt;
}

/// `write`: an object in few words, empty where nobody would write it so.
std::optional<Json> in_few_words(const Pointer& place, std::string_view key, const Json& list,
                                 std::string (*write)(const Json& object)) {
  if (!ends_with(place, key) || !list.is_array() || list.empty()) return std::nullopt;
  Json words = Json::array();
  for (const auto& object : list) {
    words.push_back(write(object));
    if (words.back() == "") return std::nullopt;
  }
  return words;
}

std::optional<Json> ports_in_few_words(const Pointer& place, const Json& value) {
  return in_few_words(place, "portMappings", value, [](const Json& port) -> std::string {
    const bool has_both = port.contains("containerPort") && port.contains("hostPort");
    if (!has_both || port.size() != (port.contains("protocol") ? 3 : 2)) return "";
    const std::string ports = port["hostPort"].dump() + ":" + port["containerPort"].dump();
    return port.contains("protocol") ? ports + "/" + port["protocol"].get<std::string>() : ports;
  });
}
std::optional<Json> mounts_in_few_words(const Pointer& place, const Json& value) {
  return in_few_words(place, "mountPoints", value, [](const Json& mount) -> std::string {
    if (!mount.contains("sourceVolume") || !mount.contains("containerPath")) return "";
    const std::string paths =
        mount["sourceVolume"].get<std::string>() + ":" + mount["containerPath"].get<std::string>();
    return mount.contains("readOnly") ? paths + (mount["readOnly"] == true ? ":ro" : ":rw") : paths;
  });
}
std::optional<Json> hosts_in_few_words(const Pointer& place, const Json& value) {
  return in_few_words(place, "extraHosts", value, [](const Json& host) {
    return host["hostname"].get<std::string>() + ":" + host["ipAddress"].get<std::string>();
  });
}
std::optional<Json> ulimits_as_map(const Pointer& place, const Json& value) {
  if (!ends_with(place, "ulimits") || !value.is_array()) return std::nullopt;
  Json map = Json::object();
  for (const auto& limit : value) {
    if (!limit.contains("name") || !limit.contains("softLimit") || !limit.contains("hardLimit")) return std::nullopt;
    map[limit["name"].get<std::string>()] = {{"soft", limit["softLimit"]}, {"hard", limit["hardLimit"]}};
  }
  return map.size() == value.size() ? std::optional<Json>(map) : std::nullopt;
}
std::optional<Json> gpus_as_map(const Pointer& place, const Json& value) {
  const bool is_gpu = ends_with(place, "resourceRequirements") && value.is_array() && value.size() == 1 &&
                      value[0].size() == 2 && value[0].value("type", "") == "GPU" && value[0].contains("value");
  return is_gpu ? std::optional<Json>(Json{{"GPU", value[0]["value"]}}) : std::nullopt;
}
std::optional<Json> with_its_unit(const Pointer& place, const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  const auto number = value.get<std::int64_t>();
  if (ends_with(place, "cpu") && number % 256 == 0) return std::to_string(static_cast<double>(number) / 1024) + " vCPU";
  if (ends_with(place, "interval") || ends_with(place, "stopTimeout")) return std::to_string(number) + "s";
  if (!ends_with(place, "memory")) return std::nullopt;
  return number % 1024 == 0 ? std::to_string(number / 1024) + "GB" : std::to_string(number) + " MiB";
}

struct NamedSlip {
  std::string_view name;
  Slip slip;
};

const std::vector<NamedSlip> kSlips{
    {"number in quotes", number_in_quotes},
    {"boolean in quotes", boolean_in_quotes},
    {"fraction", fraction},
    {"without quotes", without_quotes},
    {"other case", other_case},
    {"without its list", without_its_list},
    {"in a list", in_a_list},
    {"pairs as map", pairs_as_map},
    {"pairs as maps", pairs_as_maps},
    {"pairs as one map", pairs_as_one_map},
    {"map as pairs", map_as_pairs},
    {"as assignments", as_assignments},
    {"health by comma", health_by_comma},
    {"health by blank", health_by_blank},
    {"list in quotes", list_in_quotes},
    {"ports in few words", ports_in_few_words},
    {"mounts in few words", mounts_in_few_words},
    {"hosts in few words", hosts_in_few_words},
    {"ulimits as map", ulimits_as_map},
    {"GPUs as map", gpus_as_map},
    {"with its unit", with_its_unit},
};

void write_block(std::ostream& out, const Json& value, const std::string& indentation);

void write_after(std::ostream& out, const Json& value, const std::string& indentation) {
  if (value.is_structured() && !value.empty()) {
    out << "\n";
    write_block(out, value, indentation);
  } else {
    out << " " << value.dump() << "  # noted\n";
  }
}

/// Laid out by indentation, with a comment before each member and behind each scalar.
void write_block(std::ostream& out, const Json& value, const std::string& indentation) {
  for (const auto& [key, member] : value.items()) {
    if (value.is_object()) {
      out << indentation << "# of " << key << "\n" << indentation << Json(key).dump() << ":";
      write_after(out, member, indentation + "  ");
    } else if (member.is_structured() && !member.empty()) {
      std::ostringstream element;
      write_block(element, member, indentation + "  ");
      const std::string text = element.str();
      const auto first = member.is_object() ? text.find('\n') + 1 : 0;  // behind the comment
      out << indentation << "- " << text.substr(first + indentation.size() + 2);
    } else {
      out << indentation << "-";
      write_after(out, member, indentation);
    }
  }
}

struct Layout {
  std::string_view file;
  std::string (*write)(const Json&);
};

const std::vector<Layout> kLayouts{{"web.json", [](const Json& value) { return value.dump(2); }},
                                   {"web.yaml", [](const Json& value) {
                                      std::ostringstream out;
                                      write_block(out, value, "");
                                      return out.str();
                                    }}};

std::optional<Json> received(const text::Document& document) {
  if (!document.root() || !document.faults().empty()) return std::nullopt;
  std::ostringstream out;
  JsonWriter json(out);
  text::write_value(json, document.root());
  return Json::parse(out.str());
}

class Fixing {
 public:
  Json fixed(const Json& definition, const Layout& layout) {
    const auto recheck = [&](std::string bytes) {
      return lint::lint_document(std::move(bytes), std::string(layout.file), {}, tools_);
    };
    text = lint::fix_text(layout.write(definition), recheck).bytes;
    return received(*recheck(text).document).value_or(Json("unreadable"));
  }
  const lint::Tools& tools() const { return tools_; }

  std::string text;

 private:
  lint::Tools tools_;
};

std::ptrdiff_t comments_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '#');
}

void gather(const Json& value, const Pointer& place, std::vector<Pointer>& places) {
  places.push_back(place);
  if (!value.is_structured()) return;
  std::size_t position = 0;
  for (const auto& [key, child] : value.items()) {
    gather(child, value.is_object() ? place / key : place / position++, places);
  }
}

std::vector<Json> good_definitions(const lint::Tools& tools) {
  std::vector<Json> result;
  for (const auto& folder : rule_cases::folders()) {
    for (const auto& file : rule_cases::inputs_of(folder)) {
      if (rule_cases::is_bad(file) || file.extension() != ".json") continue;
      const auto report = lint::lint_document(rule_cases::content_of(file), "web.json", {}, tools);
      const auto definition = received(*report.document);
      const bool is_small = rule_cases::content_of(file).size() < 3000;
      if (report.kind == rules::FileKind::kTaskDefinition && definition && is_small) result.push_back(*definition);
    }
  }
  return result;
}

/// How often each slip was mended, each layout, and how often each slip was tried in a layout.
struct Counts {
  std::map<std::string_view, int> mended;
  std::map<std::pair<std::string_view, std::string_view>, int> tried;
};

constexpr int kMostTries = 40;

/// Each slip at one place of a definition: the first from the `turn`-th on, so that every place has its turn in some
/// file.
void check_slips(Fixing& fixing, const Json& good, std::size_t turn, const Layout& layout, Counts& counts) {
  std::optional<Json> meant;
  std::vector<Pointer> places;
  gather(good, Pointer(), places);
  std::rotate(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(turn % places.size()), places.end());
  for (const auto& [name, make] : kSlips) {
    const auto& slip = make;
    const auto place = std::find_if(places.begin(), places.end(),
                                    [&](const Pointer& one) { return slip(one, good.at(one)).has_value(); });
    if (place == places.end() || counts.tried[{name, layout.file}]++ >= kMostTries) continue;
    if (!meant) meant = fixing.fixed(good, layout);
    Json slipped = good;
    slipped[*place] = *slip(*place, good.at(*place));
    const std::string text = layout.write(slipped);
    const Json fixed = fixing.fixed(slipped, layout);
    INFO(name << " at " << place->to_string() << "\n" << text << "-->\n" << fixing.text);
    CHECK(comments_in(fixing.text) == comments_in(text));
    if (fixed == *meant) {
      ++counts.mended[name];
      ++counts.mended[layout.file];
      continue;
    }
    Json left = *meant;
    REQUIRE(left.contains(*place));
    left[*place] = slipped[*place];
    CHECK(fixed == left);
  }
}

}  // namespace

TEST_CASE("fix slips - fixing a slip gives what was meant or leaves it") {
  Fixing fixing;
  Counts counts;
  auto definitions = good_definitions(fixing.tools());
  constexpr std::size_t kStride = 7;  // so that the files of all topics have their share of the tries
  for (std::size_t first = 0; first < kStride; ++first) {
    for (std::size_t i = first; i < definitions.size(); i += kStride) {
      for (const auto& layout : kLayouts) check_slips(fixing, definitions[i], i, layout, counts);
    }
  }
  for (const auto& slip : kSlips) {
    INFO(slip.name);
    CHECK(counts.mended[slip.name] > 0);
  }
  for (const auto& layout : kLayouts) CHECK(counts.mended[layout.file] > 150);
}

}  // namespace fix_slips_test
