// Variations in words: of flags and of maps in files.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "study/whatif/load_variants.hpp"

namespace bayplan::study {

using text::Value;

namespace {

constexpr std::string_view kEachAz = "each-az";
constexpr std::string_view kEachInstance = "each-instance";

enum class Form : std::uint8_t { kText, kPair, kNumber };

struct Key {
  VariationKey key;
  std::string_view name;
  Form form = Form::kText;
  std::vector<std::string> VariationRequest::*flags = nullptr;
  bool is_of_grids = false;
  std::string_view pattern;  ///< How a text of the form kPair is written.
  std::string_view example;
};

/// Indexed by VariationKey.
constexpr std::array kKeys{
    Key{VariationKey::kInstances, "instances", Form::kPair, nullptr, true, "TYPE=COUNT@AZ", "p3.2xlarge=4@us-east-2a"},
    Key{VariationKey::kReplace, "replace", Form::kPair, &VariationRequest::replace, false, "OLD=NEW",
        "p3.2xlarge=p3.16xlarge"},
    Key{VariationKey::kStrategy, "strategy", Form::kText, &VariationRequest::strategy, false, {}, "binpack:memory"},
    Key{VariationKey::kPlacementStrategy,
        "placement-strategy",
        Form::kText,
        &VariationRequest::placement_strategy,
        false,
        {},
        "type=binpack,field=memory"},
    Key{VariationKey::kPolicy, "policy", Form::kText, nullptr, true, {}, "fgd"},
    Key{VariationKey::kSeed, "seed", Form::kNumber, nullptr, true, {}, "7"},
    Key{VariationKey::kOrder, "order", Form::kText, nullptr, true, {}, "largestFirst"},
    Key{VariationKey::kLoseAz, "lose-az", Form::kText, &VariationRequest::lose_az, false, {}, "us-east-2a"},
    Key{VariationKey::kTerminate, "terminate", Form::kText, &VariationRequest::terminate, false, {}, "p3.2xlarge#1"},
    Key{VariationKey::kDrain, "drain", Form::kText, &VariationRequest::drain, false, {}, "p3.2xlarge#1"},
    Key{VariationKey::kRemove, "remove", Form::kPair, &VariationRequest::remove, false, "TYPE=COUNT", "p3.2xlarge=1"},
    Key{VariationKey::kAdd, "add", Form::kPair, &VariationRequest::add, false, "TYPE=COUNT@AZ",
        "p3.2xlarge=1@us-east-2a"},
    Key{VariationKey::kScale, "scale", Form::kPair, &VariationRequest::scale, false, "NAME=COUNT", "web=12"},
    Key{VariationKey::kSetDesiredCapacity, "set-desired-capacity", Form::kPair, &VariationRequest::desired_capacity,
        false, "PROVIDER=COUNT", "gpu=4"},
    Key{VariationKey::kDeploy, "deploy", Form::kPair, &VariationRequest::deploy, false, "SERVICE=TASKDEF", "web=web:2"},
};
static_assert(kKeys.size() == static_cast<std::size_t>(VariationKey::kDeploy) + 1);

bool is_allowed(const Key& key, VariationPlace place) {
  return place == VariationPlace::kGrid || !key.is_of_grids;
}

/// "loseAz" and "lose_az" are "lose-az".
std::string plain(std::string_view key) {
  std::string letters = lower(key);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_'; });
  return letters;
}

void read_each(shape::Sources& sources, Value value, bool& flag) {
  if (!value.boolean()) return sources.fail(value, fmt::format("{} is true or false", value.key()), {});
  flag = *value.boolean();
}

bool is_text(Value value) {
  return value.is_string() || value.integer();
}

void add(shape::Sources& sources, WrittenVariant& variant, const Key& key, Value at, std::string text) {
  const Error place = sources.place_of(at);
  variant.variations.push_back({key.key, std::move(text), {place.file, place.line, place.column}});
}

std::string make_help(const Key& key) {
  return fmt::format("for example {}: {}", key.name, key.example);
}

/// {p3.2xlarge: p3.16xlarge}
void read_pairs(shape::Sources& sources, WrittenVariant& variant, const Key& key, Value map) {
  if (key.form != Form::kPair)
    return sources.fail(map, fmt::format("{} cannot be an object", key.name), make_help(key));
  if (map.size() == 0) return sources.fail(map, fmt::format("{} is an empty object", key.name), make_help(key));
  for (const Value member : map.children()) {
    if (!is_text(member)) {
      sources.fail(member, fmt::format("{} of {} cannot be {}", key.name, member.key(), text::name_of(member.kind())),
                   make_help(key));
      continue;
    }
    add(sources, variant, key, member, fmt::format("{}={}", member.key(), member.text()));
  }
}

void read_item(shape::Sources& sources, WrittenVariant& variant, const Key& key, Value item) {
  if (item.is_object()) return read_pairs(sources, variant, key, item);
  if (!is_text(item))
    return sources.fail(item, fmt::format("{} cannot be {}", key.name, text::name_of(item.kind())), make_help(key));
  add(sources, variant, key, item, std::string(item.text()));
}

void read_value(shape::Sources& sources, WrittenVariant& variant, const Key& key, Value value) {
  if (value.is_array()) {
    if (value.size() == 0) return sources.fail(value, fmt::format("{} is an empty list", key.name), make_help(key));
    for (const Value item : value.children()) read_item(sources, variant, key, item);
  } else {
    read_item(sources, variant, key, value);
  }
}

void refuse_key(VariationPlace place, shape::Sources& sources, Value member) {
  std::vector<std::string_view> names;
  for (const auto& key : kKeys) {
    if (is_allowed(key, place)) names.push_back(key.name);
  }
  if (place == VariationPlace::kVariants) names.insert(names.end(), {kEachAz, kEachInstance});
  const auto same = std::find_if(names.begin(), names.end(),
                                 [&](std::string_view name) { return plain(name) == plain(member.key()); });
  const auto near = same != names.end() ? std::optional(*same) : nearest(member.key(), names);
  Error error = sources.place_of(member);
  error.message = fmt::format("unknown key '{}'", member.key());
  error.help = near ? fmt::format("did you mean '{}'?", *near) : "keys are " + one_of(names, "and");
  sources.fail(std::move(error));
}

void read_member(VariationPlace place, shape::Sources& sources, WrittenVariant& variant, Value member) {
  const std::string_view name = member.key();
  const bool has_each = place == VariationPlace::kVariants;
  if (has_each && name == kEachAz) return read_each(sources, member, variant.each_az);
  if (has_each && name == kEachInstance) return read_each(sources, member, variant.each_instance);
  const auto found = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& key) { return key.name == name; });
  if (found == kKeys.end() || !is_allowed(*found, place)) return refuse_key(place, sources, member);
  read_value(sources, variant, *found, member);
}

}  // namespace

std::string_view name_of(VariationKey key) {
  return kKeys.at(static_cast<std::size_t>(key)).name;
}

std::string form_of(VariationKey key) {
  const auto& row = kKeys.at(static_cast<std::size_t>(key));
  return std::string("write ").append(row.pattern).append(", for example ").append(row.example);
}

bool VariationRequest::has_variations() const {
  return each_az || each_instance || std::any_of(kKeys.begin(), kKeys.end(), [&](const Key& key) {
           return key.flags != nullptr && !(this->*key.flags).empty();
         });
}

WrittenVariant written_variant(const VariationRequest& request) {
  WrittenVariant variant;
  for (const auto& key : kKeys) {
    if (key.flags == nullptr) continue;
    for (const auto& text : request.*key.flags) variant.variations.push_back({key.key, text, {}});
  }
  variant.each_az = request.each_az;
  variant.each_instance = request.each_instance;
  return variant;
}

void read_variations(Value map, VariationPlace place, shape::Sources& sources, WrittenVariant& variant) {
  if (!map.is_object()) {
    return sources.fail(map, "a variant is a map of variations", "for example {lose-az: us-east-2a}");
  }
  for (const Value member : map.children()) read_member(place, sources, variant, member);
}

}  // namespace bayplan::study
