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
  std::string_view example;
};

/// In the order of VariationKey.
constexpr std::array kKeys{
    Key{VariationKey::kInstances, "instances", Form::kPair, nullptr, true, "p3.2xlarge=4@us-east-2a"},
    Key{VariationKey::kReplace, "replace", Form::kPair, &VariationRequest::replace, false, "p3.2xlarge=p3.16xlarge"},
    Key{VariationKey::kStrategy, "strategy", Form::kText, &VariationRequest::strategy, false, "binpack:memory"},
    Key{VariationKey::kPlacementStrategy, "placement-strategy", Form::kText, &VariationRequest::placement_strategy,
        false, "type=binpack,field=memory"},
    Key{VariationKey::kSeed, "seed", Form::kNumber, nullptr, true, "7"},
    Key{VariationKey::kOrder, "order", Form::kText, nullptr, true, "largestFirst"},
    Key{VariationKey::kLoseAz, "lose-az", Form::kText, &VariationRequest::lose_az, false, "us-east-2a"},
    Key{VariationKey::kTerminate, "terminate", Form::kText, &VariationRequest::terminate, false, "p3.2xlarge#1"},
    Key{VariationKey::kDrain, "drain", Form::kText, &VariationRequest::drain, false, "p3.2xlarge#1"},
    Key{VariationKey::kRemove, "remove", Form::kPair, &VariationRequest::remove, false, "p3.2xlarge=1"},
    Key{VariationKey::kAdd, "add", Form::kPair, &VariationRequest::add, false, "p3.2xlarge=1@us-east-2a"},
    Key{VariationKey::kScale, "scale", Form::kPair, &VariationRequest::scale, false, "web=12"},
    Key{VariationKey::kDeploy, "deploy", Form::kPair, &VariationRequest::deploy, false, "web=web:2"},
};

bool is_allowed(const Key& key, VariationPlace place) {
  return place == VariationPlace::kGrid || !key.is_of_grids;
}

/// "loseAz" and "lose_az" are "lose-az".
std::string plain(std::string_view key) {
  std::string letters = lower(key);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_'; });
  return letters;
}

class VariationReader {
 public:
  VariationReader(VariationPlace place, shape::Sources& sources, WrittenVariant& variant)
      : place_(place), sources_(sources), variant_(variant) {}

  void read(Value map) {
    if (!map.is_object()) {
      return sources_.fail(map, "a variant is a map of variations", "for example {lose-az: us-east-2a}");
    }
    for (const Value member : map.children()) read_member(member);
  }

 private:
  void read_member(Value member) {
    const std::string_view name = member.key();
    const bool has_each = place_ == VariationPlace::kVariants;
    if (has_each && name == kEachAz) return read_each(member, variant_.each_az);
    if (has_each && name == kEachInstance) return read_each(member, variant_.each_instance);
    const auto found = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& key) { return key.name == name; });
    if (found == kKeys.end() || !is_allowed(*found, place_)) return refuse_key(member);
    read_value(*found, member);
  }

  void read_each(Value value, bool& flag) {
    if (!value.boolean()) return fail(value, fmt::format("{} is true or false", value.key()), {});
    flag = *value.boolean();
  }

  void read_value(const Key& key, Value value) {
    if (value.is_array()) {
      if (value.size() == 0) return fail(value, fmt::format("{} is an empty list", key.name), help_of(key));
      for (const Value item : value.children()) read_item(key, item);
    } else {
      read_item(key, value);
    }
  }

  void read_item(const Key& key, Value item) {
    if (item.is_object()) return read_pairs(key, item);
    if (!is_text(item))
      return fail(item, fmt::format("{} cannot be {}", key.name, text::name_of(item.kind())), help_of(key));
    add(key, item, std::string(item.text()));
  }

  /// {p3.2xlarge: p3.16xlarge}
  void read_pairs(const Key& key, Value map) {
    if (key.form != Form::kPair) return fail(map, fmt::format("{} cannot be an object", key.name), help_of(key));
    if (map.size() == 0) return fail(map, fmt::format("{} is an empty object", key.name), help_of(key));
    for (const Value member : map.children()) {
      if (!is_text(member)) {
        fail(member, fmt::format("{} of {} cannot be {}", key.name, member.key(), text::name_of(member.kind())),
             help_of(key));
        continue;
      }
      add(key, member, fmt::format("{}={}", member.key(), member.text()));
    }
  }

  static bool is_text(Value value) { return value.is_string() || value.integer(); }

  void add(const Key& key, Value at, std::string text) {
    const Error place = sources_.place_of(at);
    variant_.variations.push_back({key.key, std::move(text), {place.file, place.line, place.column}});
  }

  void refuse_key(Value member) {
    std::vector<std::string_view> names;
    for (const auto& key : kKeys) {
      if (is_allowed(key, place_)) names.push_back(key.name);
    }
    if (place_ == VariationPlace::kVariants) names.insert(names.end(), {kEachAz, kEachInstance});
    const auto same = std::find_if(names.begin(), names.end(),
                                   [&](std::string_view name) { return plain(name) == plain(member.key()); });
    const auto near = same != names.end() ? std::optional(*same) : nearest(member.key(), names);
    Error error = sources_.place_of(member);
    error.message = fmt::format("unknown key '{}'", member.key());
    error.help = near ? fmt::format("did you mean '{}'?", *near) : "keys are " + one_of(names, "and");
    sources_.fail(std::move(error));
  }

  static std::string help_of(const Key& key) { return fmt::format("for example {}: {}", key.name, key.example); }
  void fail(Value at, std::string message, std::string help) { sources_.fail(at, std::move(message), std::move(help)); }

  VariationPlace place_;
  shape::Sources& sources_;
  WrittenVariant& variant_;
};

}  // namespace

std::string_view name_of(VariationKey key) {
  return kKeys.at(static_cast<std::size_t>(key)).name;
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
  VariationReader(place, sources, variant).read(map);
}

}  // namespace bayplan::study
