#include "placement/model/constraints.hpp"

#include <fmt/core.h>

#include "base/utf8.hpp"
#include "capacity/requirement.hpp"

namespace bayplan::placement {
namespace {

std::optional<std::string_view> unless_empty(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string_view> ProfileView::attribute(std::string_view name) const {
  const auto found = profile_.attributes.find(name);
  if (found != profile_.attributes.end()) return found->second;
  // A capability that counts as there has no value, as the agent registers it.
  return has_required_attribute(profile_, name) ? std::optional<std::string_view>("") : std::nullopt;
}

std::optional<std::string_view> ProfileView::agent_version() const {
  return unless_empty(profile_.agent_version);
}

std::optional<std::string_view> ProfileView::ec2_instance_id() const {
  return unless_empty(profile_.ec2_instance_id);
}

std::vector<std::string_view> ProfileView::task_groups() const {
  std::vector<std::string_view> names;
  if (state_ == nullptr || groups_ == nullptr) return names;
  for (const auto& [group, tasks] : state_->tasks_by_group) names.push_back(groups_->name(group));
  return names;
}

bool has_required_attribute(const InstanceProfile& profile, std::string_view attribute) {
  if (profile.attributes.find(attribute) != profile.attributes.end()) return true;
  // The MPS capability depends on the AMI, not on the agent alone: it must be stated.
  return profile.has_all_capabilities && attribute.find("ecs.capability.") != std::string_view::npos &&
         attribute != "ecs.capability.gpu-sharing-mps";
}

std::vector<std::string> missing_attributes(const InstanceProfile& profile, const capacity::TaskRequirement& task) {
  std::vector<std::string> missing;
  for (const auto& attribute : task.required_attributes) {
    if (!has_required_attribute(profile, attribute)) missing.push_back(attribute);
  }
  for (auto& wanted : capacity::wanted_platform(task)) {
    const auto equals = wanted.find('=');
    const auto own = profile.attributes.find(std::string_view(wanted).substr(0, equals));
    if (own != profile.attributes.end() && own->second != std::string_view(wanted).substr(equals + 1))
      missing.push_back(std::move(wanted));
  }
  return missing;
}

// API_PlacementConstraint, expression.
constexpr std::size_t kLongestExpression = 2000;

std::optional<Error> find_length_fault(std::string_view expression) {
  const auto length = code_points(expression);
  if (length <= kLongestExpression) return std::nullopt;
  return Error{fmt::format("the expression has {} characters; the maximum is {}", length, kLongestExpression),
               {},
               0,
               0,
               "shorten it: `in [a, b]` says what several == do"};
}

}  // namespace bayplan::placement
