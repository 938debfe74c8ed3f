#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/date_time.hpp"
#include "query/query.hpp"

namespace bayplan::query {

/// A container instance for tests: what is not set is absent.
struct TestInstance : InstanceView {
  std::map<std::string, std::string, std::less<>> attributes;
  bool connected = true;
  std::string version;
  std::string id;
  std::string registered;
  std::vector<std::string> groups;  // of its tasks

  std::optional<std::string_view> attribute(std::string_view name) const override {
    const auto found = attributes.find(name);
    return found == attributes.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  }
  bool agent_connected() const override { return connected; }
  std::optional<std::string_view> agent_version() const override { return given(version); }
  std::optional<std::string_view> ec2_instance_id() const override { return given(id); }
  std::optional<std::int64_t> registered_at() const override { return parse_date_time(registered); }
  std::int64_t running_tasks_count() const override { return static_cast<std::int64_t>(groups.size()); }
  std::vector<std::string_view> task_groups() const override { return {groups.begin(), groups.end()}; }

 private:
  static std::optional<std::string_view> given(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
  }
};

}  // namespace bayplan::query
