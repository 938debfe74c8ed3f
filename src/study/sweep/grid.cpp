#include "study/sweep/grid.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/result.hpp"
#include "base/strings.hpp"
#include "embedded/grid_schema.hpp"
#include "embedded/scenario_schema.hpp"
#include "shape/sources.hpp"
#include "study/whatif/load_variants.hpp"

namespace bayplan::study {

namespace {

/// `vary: add g4dn.12xlarge`: a flag, and what is before `=` in its value.
struct Varied {
  VariationKey key = VariationKey::kSeed;
  std::string subject;  ///< Empty for flags that take no X=Y.

  bool takes_numbers() const;
  /// What the flag takes: "g4dn.12xlarge=2"; nothing where the value leaves the scenario as it is.
  std::optional<std::string> flag(std::string_view value) const;
};

/// A flag that a grid can vary.
struct Kind {
  VariationKey key;
  std::string_view subject;  ///< What is before `=`, for messages; empty when the flag takes no X=Y.
  bool takes_numbers;
  bool may_stand_alone = false;  ///< Its values may omit the part before `=` and are not numbers.
};

constexpr std::array<Kind, 12> kKinds = {{
    {VariationKey::kAdd, "TYPE", true},
    {VariationKey::kDrain, "", false},
    {VariationKey::kInstances, "TYPE", true, true},
    {VariationKey::kLoseAz, "", false},
    {VariationKey::kOrder, "", false},
    {VariationKey::kPolicy, "", false},
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

bool Varied::takes_numbers() const {
  const Kind& kind = *find_kind(name_of(key));
  return kind.takes_numbers && (!subject.empty() || !kind.may_stand_alone);
}

std::optional<std::string> Varied::flag(std::string_view value) const {
  const bool is_nothing = key == VariationKey::kAdd || key == VariationKey::kRemove
                              ? value == "0"
                              : key == VariationKey::kReplace && value == subject;
  if (is_nothing) return std::nullopt;
  if (subject.empty()) return std::string(value);
  // Zones after the subject go after the value: "g4dn.12xlarge=2@us-east-2a".
  const auto zones = std::min(subject.find('@'), subject.size());
  return fmt::format("{}={}{}", subject.substr(0, zones), value, subject.substr(zones));
}

/// An error without a place when this is no flag, or its subject is missing or too much.
Result<Varied> parse_vary(std::string_view text) {
  text = trim(text);
  const auto blank = text.find(' ');
  const std::string_view key = text.substr(0, blank);
  const std::string_view subject = blank == std::string_view::npos ? "" : trim(text.substr(blank));
  const Kind* kind = find_kind(key);
  if (kind == nullptr) {
    std::vector<std::string_view> keys;
    for (const auto& one : kKinds) keys.push_back(name_of(one.key));
    const auto near = nearest(key, keys);
    return Error{.message = fmt::format("vary cannot be '{}'", key),
                 .help = near ? fmt::format("did you mean '{}'?", *near) : "it is one of " + one_of(keys)};
  }
  if (subject.empty() && !kind->subject.empty() && !kind->may_stand_alone) {
    return Error{.message = fmt::format("vary: {} requires a name", key),
                 .help = fmt::format("write vary: {} {}", key, kind->subject)};
  }
  if (!subject.empty() && kind->subject.empty())
    return Error{.message = fmt::format("vary: {} does not accept '{}'", key, subject)};
  if (subject.find('=') != std::string_view::npos)
    return Error{.message = fmt::format("'{}' already has a value", text), .help = "omit = and what follows"};
  return Varied{kind->key, std::string(subject)};
}

}  // namespace

using text::Value;

namespace {

placement::Origin find_origin(const shape::Sources& sources, Value at) {
  const Error place = sources.place_of(at);
  return {place.file, place.line, place.column};
}

std::string words_of(const std::vector<WrittenVariation>& variations) {
  std::vector<std::string> parts;
  for (const auto& one : variations) parts.push_back(fmt::format("{} {}", name_of(one.key), one.text));
  return parts.empty() ? "as it is" : join(parts, ", ");
}

WrittenPoint read_point(Value node, shape::Sources& sources) {
  WrittenPoint point;
  point.origin = find_origin(sources, node);
  WrittenVariant variant;
  read_variations(node, VariationPlace::kGrid, sources, variant);
  point.variations = std::move(variant.variations);
  point.name = node.key().empty() ? words_of(point.variations) : std::string(node.key());
  return point;
}

WrittenPoint point_of(const Varied& varied, const std::vector<std::string>& values, PointName name,
                      placement::Origin origin) {
  WrittenPoint point{std::move(name), {}, std::move(origin)};
  for (const auto& value : values) {
    if (const auto flag = varied.flag(value)) point.variations.push_back({varied.key, *flag, point.origin});
  }
  return point;
}

std::string too_many(const WrittenAxis& axis, std::int64_t points, std::int64_t most) {
  return fmt::format("axis '{}' has {} points, and may have {}", axis.name, points, most);
}

/// Reads the points of an axis with `values`. False after a fault.
bool add_values(const Varied& varied, Value values, shape::Sources& sources, WrittenAxis& axis) {
  const auto count = static_cast<std::int64_t>(values.size());
  if (count > kMaxPoints) {
    sources.fail(values, too_many(axis, count, kMaxPoints));
    return false;
  }
  bool is_sound = true;
  for (const Value value : values.children()) {
    std::vector<std::string> texts;
    for (const Value one : value.children()) texts.emplace_back(one.text());
    if (!value.is_array()) texts.emplace_back(value.text());
    PointName name = texts.empty() ? "none" : join(texts, ", ");
    if (const auto number = value.integer(); number && value.kind() == text::Kind::kInteger) name = *number;
    if (varied.takes_numbers()) {
      const bool are_numbers = std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
        const auto number = to_integer(text);
        return number && *number >= 0;
      });
      if (!are_numbers || texts.size() != 1) {
        sources.fail(value,
                     fmt::format("{} must be a number from 0 up, not '{}'", name_of(varied.key), join(texts, ", ")));
        is_sound = false;
        continue;
      }
    }
    axis.points.push_back(point_of(varied, texts, std::move(name), find_origin(sources, value)));
  }
  return is_sound;
}

/// Reads the points of an axis with `vary`: listed values, or a range of numbers. False after a fault.
bool add_varied(Value node, shape::Sources& sources, WrittenAxis& axis) {
  const auto fail = [&](Value at, std::string message, std::string help = {}) {
    sources.fail(at, std::move(message), std::move(help));
    return false;
  };
  const Value vary = node.find("vary");
  const auto varied = parse_vary(vary.text());
  if (!varied) return fail(vary, varied.error().message, varied.error().help);
  const Value values = node.find("values");
  const Value from = node.find("from");
  const Value to = node.find("to");
  const Value step = node.find("step");
  if (values && (from || to || step))
    return fail(values, "values cannot be combined with from, to or step", "keep one of the two");
  if (values) return add_values(*varied, values, sources, axis);
  if (!from || !to) return fail(node, fmt::format("axis '{}' has no values", axis.name), "give from and to, or values");
  if (!varied->takes_numbers())
    return fail(from, fmt::format("{} does not accept numbers", name_of(varied->key)), "list them: values: [...]");
  if (*to.integer() < *from.integer())
    return fail(from, fmt::format("from is {}, more than to, which is {}", from.text(), to.text()),
                "an axis is ascending");
  Steps steps;
  steps.first = *from.integer();
  if (step) steps.step = *step.integer();
  steps.count = (*to.integer() - steps.first) / steps.step + 1;
  const bool is_seed = varied->key == VariationKey::kSeed;
  const auto most = is_seed ? kMaxScenarios : kMaxPoints;
  if (steps.count > most) return fail(node, too_many(axis, steps.count, most), "take larger steps");
  if (is_seed) {
    axis.seeds = steps;  // a billion seeds are not listed as points
    return true;
  }
  const auto origin = find_origin(sources, node);
  for (std::int64_t i = 0; i < steps.count; ++i)
    axis.points.push_back(point_of(*varied, {std::to_string(steps.at(i))}, steps.at(i), origin));
  return true;
}

/// Reports the first point that has the name of another, or does what another does: it would count twice.
void check_duplicates(const WrittenAxis& axis, shape::Sources& sources) {
  std::map<std::string, const WrittenPoint*> by_name;
  std::map<std::string, const WrittenPoint*> by_words;
  for (const auto& point : axis.points) {
    const auto name = text_of(point.name);
    const auto [named, is_new_name] = by_name.try_emplace(name, &point);
    const auto [same, is_new] = by_words.try_emplace(words_of(point.variations), &point);
    if (is_new_name && is_new) continue;
    const WrittenPoint& first = is_new_name ? *same->second : *named->second;
    Error error{.message = fmt::format("axis '{}' has the duplicate point '{}'", axis.name, name),
                .file = point.origin.file,
                .line = point.origin.line,
                .column = point.origin.column,
                .help = fmt::format("'{}' is in line {}", text_of(first.name), first.origin.line)};
    return sources.fail(std::move(error));
  }
}

WrittenAxis read_axis(Value node, shape::Sources& sources) {
  WrittenAxis axis{std::string(node.key()), {}, std::nullopt, find_origin(sources, node)};
  bool is_sound = true;
  if (node.is_object() && node.find("vary")) {
    is_sound = add_varied(node, sources, axis);
  } else {
    for (const Value point : node.children()) axis.points.push_back(read_point(point, sources));
  }
  if (axis.name.empty()) sources.fail(node, "an axis has no name", "name what it varies");
  if (axis.size() == 0 && is_sound)
    sources.fail(node, fmt::format("axis '{}' has no point", axis.name), "name one, or omit the axis");
  check_duplicates(axis, sources);
  return axis;
}

void check_size(const WrittenGrid& grid, Value axes, shape::Sources& sources) {
  std::vector<std::string> sizes;
  std::int64_t size = 1;
  bool is_too_large = false;
  for (const auto& axis : grid.axes) {
    sizes.push_back(std::to_string(axis.size()));
    is_too_large = is_too_large || axis.size() > kMaxScenarios / size;
    if (!is_too_large) size *= axis.size();
  }
  if (!is_too_large) return;
  sources.fail(axes, fmt::format("a grid has at most 1,000,000,000 scenarios; this one has {}", join(sizes, " x ")),
               "drop an axis, or take larger steps");
}

}  // namespace

std::string text_of(const PointName& name) {
  const auto* number = std::get_if<std::int64_t>(&name);
  return number != nullptr ? std::to_string(*number) : std::get<std::string>(name);
}

bool WrittenAxis::is_circumstance() const {
  const auto befalls = [](const WrittenVariation& one) {
    return one.key == VariationKey::kSeed || one.key == VariationKey::kLoseAz || one.key == VariationKey::kTerminate ||
           one.key == VariationKey::kDrain;
  };
  return std::all_of(points.begin(), points.end(), [&](const WrittenPoint& point) {
    return std::all_of(point.variations.begin(), point.variations.end(), befalls);
  });
}

ReadGrid read_grid(const std::string& path, const Files& files, const Limits& limits) {
  shape::Sources sources(files, limits);
  const auto failed = [&] { return ReadGrid{std::nullopt, std::move(sources).take_errors()}; };
  const text::Document* document = sources.read_snapshot(path, {});
  if (document == nullptr) return failed();
  const Value root = document->root();
  const Value scenario = root.find("scenario");
  if (!scenario && root.find("containerDefinitions")) {
    sources.fail(root, "this is a task definition, not a grid",
                 "a grid has scenario: and axes:, and its scenario names the task definition");
    return failed();
  }
  if (!scenario && root.find("cluster")) {
    sources.fail(root, "this is a scenario, not a grid",
                 "write a grid with scenario: and axes:, or place it alone with bayplan place");
    return failed();
  }
  if (!sources.check_shape(embedded::grid_schema(), root)) return failed();
  if (scenario.is_object() && !sources.check_shape(embedded::scenario_schema(), scenario)) return failed();
  if (!scenario.is_object()) {
    // The scenario is read later, by code that no longer knows where its name is.
    const auto named = shape::relative_to(path, scenario.text());
    if (sources.may_name(scenario, named) && !sources.files().exists(named)) {
      const auto unread = sources.files().read(named, 0);
      if (!unread) sources.fail(scenario, fmt::format("{}: {}", named, unread.error().message), unread.error().help);
    }
  }
  WrittenGrid grid{path, sources.documents().front(), scenario, {}};
  const Value axes = root.find("axes");
  for (const Value axis : axes.children()) grid.axes.push_back(read_axis(axis, sources));
  if (grid.axes.empty())
    sources.fail(axes, "a grid without axes is one scenario", "place it with bayplan place, or name an axis");
  if (!sources.has_errors()) check_size(grid, axes, sources);
  if (sources.has_errors()) return failed();
  return {std::move(grid), {}};
}

std::int64_t size_of(const WrittenGrid& grid) {
  std::int64_t size = 1;
  for (const auto& axis : grid.axes) size *= axis.size();
  return size;
}

}  // namespace bayplan::study
