#include "study/vary.hpp"

#include <algorithm>
#include <array>

#include "base/edit_distance.hpp"
#include "base/fill.hpp"
#include "base/strings.hpp"

namespace bayplan::study {
namespace {

/// A flag that a grid can vary.
struct Kind {
  VariationKey key;
  std::string_view subject;  ///< What stands before `=`, for messages; empty when the flag takes no X=Y.
  bool takes_numbers;
  bool may_stand_alone = false;  ///< Then its values say what stands before `=`, and are no numbers.
};

constexpr std::array<Kind, 11> kKinds = {{
    {VariationKey::kAdd, "TYPE", true},
    {VariationKey::kDrain, "", false},
    {VariationKey::kInstances, "TYPE", true, true},
    {VariationKey::kLoseAz, "", false},
    {VariationKey::kOrder, "", false},
    {VariationKey::kRemove, "TYPE", true},
    {VariationKey::kReplace, "TYPE", false},
    {VariationKey::kScale, "SERVICE", true},
    {VariationKey::kSeed, "", true},
    {VariationKey::kStrategy, "", false},
    {VariationKey::kTerminate, "", false},
}};

const Kind* find_kind(std::string_view key) {
  const auto found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return name_of(kind.key) == key; });
  return found == kKinds.end() ? nullptr : &*found;
}

Error no_such_flag(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const auto& kind : kKinds) keys.push_back(name_of(kind.key));
  const auto near = nearest(key, keys);
  return Error{.message = fill("vary cannot be '{}'", {key}),
               .help = near ? fill("did you mean '{}'?", {*near}) : "it is one of " + one_of(keys)};
}

}  // namespace

bool Varied::takes_numbers() const {
  const Kind& kind = *find_kind(name_of(key));
  return kind.takes_numbers && (!subject.empty() || !kind.may_stand_alone);
}

std::optional<std::string> Varied::flag(std::string_view value) const {
  const bool is_nothing = key == VariationKey::kAdd || key == VariationKey::kRemove
                              ? value == "0"
                              : key == VariationKey::kReplace && value == subject;
  if (is_nothing) return std::nullopt;
  return subject.empty() ? std::string(value) : paired(subject, value);
}

Result<Varied> parse_vary(std::string_view text) {
  text = trim(text);
  const auto blank = text.find(' ');
  const std::string_view key = text.substr(0, blank);
  const std::string_view subject = blank == std::string_view::npos ? "" : trim(text.substr(blank));
  const Kind* kind = find_kind(key);
  if (kind == nullptr) return no_such_flag(key);
  if (subject.empty() && !kind->subject.empty() && !kind->may_stand_alone) {
    return Error{.message = fill("vary: {} does not say of what", {key}),
                 .help = fill("write vary: {} {}", {key, kind->subject})};
  }
  if (!subject.empty() && kind->subject.empty())
    return Error{.message = fill("vary: {} stands alone, without '{}'", {key, subject})};
  if (subject.find('=') != std::string_view::npos)
    return Error{.message = fill("'{}' has its value already", {text}), .help = "leave out = and what follows"};
  return Varied{kind->key, std::string(subject)};
}

std::string paired(std::string_view subject, std::string_view value) {
  const auto zones = subject.find('@');
  if (zones == std::string_view::npos) return fill("{}={}", {subject, value});
  return fill("{}={}{}", {subject.substr(0, zones), value, subject.substr(zones)});
}

}  // namespace bayplan::study
