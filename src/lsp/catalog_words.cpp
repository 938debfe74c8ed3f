#include "lsp/catalog_words.hpp"

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "report/document/figures.hpp"

namespace bayplan::lsp {
namespace {

using catalog::InstanceType;

constexpr std::string_view kHomeRegion = "us-east-1";

bool is_type_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

bool is_attribute_letter(char c) {
  return is_type_letter(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
}

std::string gpus_in_words(const catalog::Gpu& gpu) {
  std::string text = std::to_string(gpu.count) + " " + gpu.manufacturer + " " + gpu.model;
  if (gpu.memory > 0) text += " with " + report::memory_size(gpu.memory) + (gpu.count > 1 ? " each" : "");
  return text;
}

std::string memory_in_words(const InstanceType& type) {
  std::string text = std::to_string(type.memory) + " MiB of memory";
  if (type.memory_basis == catalog::MemoryBasis::kUnknown) return text;
  return text + ", " + std::to_string(type.registered_memory) + " of them registered for tasks" +
         (type.memory_basis_text.empty() ? "" : " (" + type.memory_basis_text + ")");
}

std::string network_in_words(const InstanceType& type) {
  std::string text =
      count_of(type.max_enis, "network interface") + "; awsvpc tasks: " + std::to_string(type.eni_task_limit);
  if (type.eni_task_limit_trunking) text += ", " + std::to_string(*type.eni_task_limit_trunking) + " with trunking";
  return text;
}

/// Whether an operator is in what follows `attribute:NAME`, so that a value comes next.
bool has_operator(std::string_view rest) {
  return rest.find_first_of("=~[,") != std::string_view::npos || rest.find(" in ") != std::string_view::npos ||
         rest.find("equals ") != std::string_view::npos;
}

}  // namespace

std::string type_in_words(const InstanceType& type) {
  std::string text = count_of(type.vcpus, "vCPU") + ", " + report::memory_size(type.memory);
  if (type.gpu) text += ", " + gpus_in_words(*type.gpu);
  return text;
}

std::vector<std::string> collect_facts(const InstanceType& type) {
  std::vector<std::string> facts{count_of(type.vcpus, "vCPU") + ", " + std::to_string(type.cpu) + " CPU units",
                                 memory_in_words(type)};
  if (type.gpu) {
    std::string gpus = gpus_in_words(*type.gpu);
    if (!type.gpu->compute_capability.empty()) gpus += ", compute capability " + type.gpu->compute_capability;
    facts.push_back(std::move(gpus));
  }
  if (!type.architectures.empty()) facts.push_back(join(type.architectures, ", "));
  if (type.max_enis > 0) facts.push_back(network_in_words(type));
  if (const auto price = type.price_in(kHomeRegion)) {
    facts.push_back(report::usd(price->hourly) + " USD/hour on demand in " + std::string(kHomeRegion) +
                    (price->date.empty() ? "" : " (" + price->date + ")"));
  }
  if (type.generation != catalog::Generation::kCurrent) {
    facts.push_back("generation: " + std::string(catalog::name_of(type.generation)));
  }
  if (!type.note.empty()) facts.push_back(type.note);
  return facts;
}

Span type_word_at(std::string_view text, std::uint32_t offset) {
  std::uint32_t begin = std::min(offset, static_cast<std::uint32_t>(text.size()));
  std::uint32_t end = begin;
  while (begin > 0 && is_type_letter(text[begin - 1])) --begin;
  while (end < text.size() && is_type_letter(text[end])) ++end;
  return {begin, end};
}

std::vector<std::string> gpu_counts(const catalog::Catalog& catalog) {
  std::set<std::int64_t> counts;
  for (const auto& type : catalog.types()) {
    if (type.has_nvidia_gpu()) counts.insert(type.gpu->count);
  }
  std::vector<std::string> texts;
  for (const auto count : counts) texts.push_back(std::to_string(count));
  return texts;
}

ExpressionPlace place_in_expression(std::string_view typed) {
  using Wants = ExpressionPlace::Wants;
  constexpr std::string_view kAttribute = "attribute:";
  std::size_t word = typed.size();
  while (word > 0 && is_attribute_letter(typed[word - 1])) --word;
  const std::size_t length = typed.size() - word;
  const std::string_view before = typed.substr(0, word);
  if (before.ends_with(kAttribute)) return {Wants::kAttribute, length};
  const std::size_t last = before.rfind(kAttribute);
  if (last != std::string_view::npos) {
    std::string_view rest = before.substr(last + kAttribute.size());
    const std::size_t end = std::min(rest.find_first_of(" =!~"), rest.size());
    const bool is_joined = rest.find("&&") != std::string_view::npos || rest.find("||") != std::string_view::npos ||
                           rest.find(" and ") != std::string_view::npos || rest.find(" or ") != std::string_view::npos;
    if (!is_joined && has_operator(rest.substr(end))) {
      return {rest.substr(0, end) == "ecs.instance-type" ? Wants::kInstanceType : Wants::kNothing, length};
    }
    if (!is_joined) return {};
  }
  const std::string_view blank = trim(before);
  const bool may_begin = blank.empty() || blank.ends_with('(') || blank.ends_with('!') || blank.ends_with("&&") ||
                         blank.ends_with("||") || blank.ends_with("and") || blank.ends_with("or");
  return {may_begin ? Wants::kSubject : Wants::kNothing, length};
}

const std::vector<std::string_view>& known_attributes() {
  static const std::vector<std::string_view> names{
      "ecs.ami-id",    "ecs.availability-zone", "ecs.cpu-architecture", "ecs.instance-type",
      "ecs.os-family", "ecs.os-type",           "ecs.subnet-id",        "ecs.vpc-id"};
  return names;
}

}  // namespace bayplan::lsp
