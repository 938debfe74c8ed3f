#include "rules/gpu/gpu_requests.hpp"

#include <limits>

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::rules {
namespace {

using capacity::GpuForm;
using capacity::GpuValue;
using model::Compatibility;
using text::Kind;
using text::Value;

std::optional<GpuValue> value_of(const model::StringField& field) {
  if (!field) return std::nullopt;
  if (const auto value = capacity::parse_gpu_value(*field)) return value;
  const std::string_view text = trim(*field);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return GpuValue{GpuForm::kCount, std::numeric_limits<std::int32_t>::max(), 0};
}

void add_requests(const model::ContainerDefinition& container, std::size_t position, std::vector<GpuRequest>& out) {
  for (const auto& entry : container.resource_requirements) {
    if (means_gpu(entry.type)) out.push_back({&container, position, &entry, value_of(entry.value)});
  }
}

bool mentions_nvidia_smi(const model::List<model::StringField>& words) {
  for (const auto& word : words) {
    if (word && word->find("nvidia-smi") != std::string_view::npos) return true;
  }
  return false;
}

std::optional<std::string> count_in_object(Value object) {
  for (const std::string_view key :
       {"count", "quantity", "value", "nvidia.com/gpu", "gpu", "gpus", "device_ids", "limits", "requests"}) {
    if (const Value member = object.find(key)) return gpu_count_meant(member);
  }
  return std::nullopt;
}

}  // namespace

bool GpuRequest::is_none() const {
  if (value && value->form == GpuForm::kCount && value->count == 0) return true;
  return entry->value && entry->value->empty() && !shares();
}

bool means_gpu(const model::StringField& type) {
  if (!type) return false;
  const std::string word = lower(trim(*type));
  return word == "gpu" || word == "gpus" || word == "nvidia" || word == "nvidia.com/gpu";
}

std::vector<GpuRequest> gpu_requests(const Context& ctx) {
  std::vector<GpuRequest> requests;
  const auto& containers = ctx.task.container_definitions.items;
  for (std::size_t i = 0; i < containers.size(); ++i) add_requests(containers[i], i, requests);
  return requests;
}

std::vector<GpuRequest> gpu_requests(const model::ContainerDefinition& container) {
  std::vector<GpuRequest> requests;
  add_requests(container, 0, requests);
  return requests;
}

std::optional<std::int64_t> whole_gpus(const std::vector<GpuRequest>& requests) {
  std::int64_t sum = 0;
  for (const auto& request : requests) {
    if (request.shares() || !request.value || request.value->form != GpuForm::kCount) return std::nullopt;
    sum += request.value->count;
  }
  return sum;
}

bool wants_gpu(const model::ContainerDefinition& container) {
  for (const auto& request : gpu_requests(container)) {
    if (!request.is_none()) return true;
  }
  return false;
}

bool places_on_instances(const Context& ctx) {
  return ctx.targets(Compatibility::kEc2) || ctx.targets(Compatibility::kManagedInstances);
}

const model::NamedValue* find_environment(const model::ContainerDefinition& container, std::string_view name) {
  const model::NamedValue* found = nullptr;
  for (const auto& entry : container.environment) {
    if (entry.name && *entry.name == name) found = &entry;
  }
  return found;
}

bool only_looks_at_gpu(const model::ContainerDefinition& container) {
  return mentions_nvidia_smi(container.command) || mentions_nvidia_smi(container.entry_point);
}

std::string member_text(const text::Document& document, std::string_view key, std::string_view value) {
  if (document.format() == text::Format::kYaml) return fmt::format("{}: \"{}\"", key, value);
  return fmt::format("\"{}\": \"{}\"", key, value);
}

std::string requirements_text(const text::Document& document, std::string_view count) {
  if (document.format() == text::Format::kYaml) {
    return fmt::format("resourceRequirements: [{{type: GPU, value: \"{}\"}}]", count);
  }
  return fmt::format("\"resourceRequirements\": [{{\"type\": \"GPU\", \"value\": \"{}\"}}]", count);
}

std::string plain_gpu_value(std::string_view value) {
  const auto read = capacity::parse_gpu_value(value);
  const bool is_whole = read && read->form == GpuForm::kCount && value.find('.') != std::string_view::npos;
  return is_whole ? std::to_string(read->count) : std::string(value);
}

std::optional<std::string> gpu_count_meant(Value value) {
  switch (value.kind()) {
    case Kind::kInteger:
    case Kind::kString: {
      if (equal_ignoring_case(value.text(), "all")) return "ALL";
      const auto count = to_integer(trim(value.text()));
      return count && *count > 0 ? std::optional(std::to_string(*count)) : std::nullopt;
    }
    case Kind::kBoolean:
      return value.boolean().value_or(false) ? std::optional<std::string>("1") : std::nullopt;
    case Kind::kArray: {
      if (value.size() == 0) return std::nullopt;
      const Value first = value.at(0);
      return first.is_object() ? count_in_object(first) : std::to_string(value.size());
    }
    case Kind::kObject:
      return count_in_object(value);
    default:
      return std::nullopt;
  }
}

}  // namespace bayplan::rules
