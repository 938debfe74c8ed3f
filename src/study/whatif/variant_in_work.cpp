#include "study/whatif/variant_in_work.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/profiles.hpp"

namespace bayplan::study {

namespace {

/// Returns what the user wrote: a flag or a key in a file.
std::string label(const WrittenVariation& one) {
  return (one.origin.line == 0 ? "--" : "") + std::string(name_of(one.key));
}

}  // namespace

std::optional<NamePair> VariantInWork::split_pair(const WrittenVariation& one) {
  const std::size_t equals = one.text.find('=');
  NamePair pair{one.text.substr(0, equals), equals == std::string::npos ? "" : one.text.substr(equals + 1)};
  if (!pair.left.empty() && !pair.right.empty()) return pair;
  fail(one,
       equals == std::string::npos ? "'=' is missing"
                                   : fmt::format("nothing {} '='", pair.left.empty() ? "before" : "after"),
       form_of(one.key));
  return std::nullopt;
}

std::optional<NameCount> VariantInWork::count_of(const WrittenVariation& one, CountRange range) {
  const auto pair = split_pair(one);
  if (!pair) return std::nullopt;
  const auto count = to_integer(pair->right);
  if (count && *count >= range.least && *count <= range.most) return NameCount{pair->left, *count};
  const bool is_number = pair->right.find_first_not_of("-0123456789") == std::string::npos;
  fail(one,
       is_number ? fmt::format("the count must be between {} and {}", range.least, range.most)
                 : fmt::format("'{}' is not a number", pair->right),
       form_of(one.key));
  return std::nullopt;
}

std::optional<scenario::InstancesArgument> VariantInWork::instances_of(const WrittenVariation& one) {
  auto argument = scenario::parse_instances_argument(one.text, label(one));
  if (argument) return std::move(*argument);
  fail_at(one.origin, argument.error());
  return std::nullopt;
}

void VariantInWork::fail(const WrittenVariation& one, std::string message, std::string help) {
  fail(one, Error{.message = std::move(message), .help = std::move(help)});
}

void VariantInWork::fail(const WrittenVariation& one, Error error) {
  error.message = fmt::format("{} '{}': {}", label(one), one.text, error.message);
  fail_at(one.origin, std::move(error));
}

void VariantInWork::fail_at(const placement::Origin& origin, Error error) {
  error.file = origin.file;
  error.line = origin.line;
  error.column = origin.column;
  loaded.errors.push_back(std::move(error));
}

void VariantInWork::assume(Assumption assumption) {
  auto& known = loaded.assumptions;
  if (std::find(known.begin(), known.end(), assumption) == known.end()) known.push_back(std::move(assumption));
}

void deal(VariantInWork& work, const PlannedInstances& planned, const placement::InstanceProfile& pattern,
          const std::vector<std::string>& zones, std::int64_t count, std::int64_t& number, NewInstances& dealt) {
  const auto first = static_cast<std::uint32_t>(dealt.profiles.size());
  const auto used = std::min(zones.size(), static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < used; ++i) {
    if (auto doubt = placement::zone_doubt(zones[i], work.scenario.region)) work.assume(std::move(*doubt));
    dealt.profiles.push_back(in_zone(pattern, zones[i], planned, work.scenario.region));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    dealt.instances.push_back(
        {pattern.instance_type + "#" + std::to_string(++number), first + static_cast<std::uint32_t>(i % used)});
  }
}

}  // namespace bayplan::study
