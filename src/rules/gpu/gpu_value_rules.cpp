// What a GPU requirement says: resourceRequirements[].type and value (ECS developer guide, ecs-gpu-specifying, 2026).
#include <array>

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using capacity::GpuForm;
using model::Compatibility;
using text::Kind;

/// A number or true/false where a string belongs.
bool is_bare(text::Value value) {
  if (!value) return false;
  return value.kind() == Kind::kInteger || value.kind() == Kind::kNumber || value.kind() == Kind::kBoolean;
}

/// A whole number, a decimal, or ALL in capitals, without blanks around.
bool is_gpu_value(std::string_view text) {
  if (text == "ALL" || is_digits(text)) return true;
  return text.find_first_not_of("0123456789.") == std::string_view::npos && capacity::parse_gpu_value(text);
}

/// What a value of the wrong form was meant to be: "all" -> "ALL", " 1 " and "1 GPU" and "1x" -> "1".
std::optional<std::string> meant_value(std::string_view text) {
  const std::string word = lower(trim(text));
  if (word == "all") return "ALL";
  const std::size_t digits = std::min(word.find_first_not_of("0123456789."), word.size());
  const std::string number = word.substr(0, digits);
  const std::string_view unit = trim(std::string_view(word).substr(digits));
  const bool is_unit = unit.empty() || unit == "gpu" || unit == "gpus" || unit == "x";
  if (is_unit && is_gpu_value(number) && capacity::parse_gpu_value(number)->count != 0) {
    return plain_gpu_value(number);
  }
  constexpr std::array<std::string_view, 8> kWords{"one", "two", "three", "four", "five", "six", "seven", "eight"};
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (word == kWords[i]) return std::to_string(i + 1);
  }
  return std::nullopt;
}

bool is_zero(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0.") == std::string_view::npos && text.find('0') != text.npos;
}

/// The devices that EC2 sells by the fraction (G6f: an eighth, a quarter and half of an L4; instance data 2026-08).
constexpr std::array<std::int64_t, 3> kKnownFractions{125'000, 250'000, 500'000};

std::string_view next_fraction(std::int64_t millionths) {
  if (millionths <= 125'000) return "0.125";
  return millionths <= 250'000 ? "0.25" : "0.5";
}

void gpu_value_type(const Context& ctx, Emitter& emit) {
  for (const auto& request : gpu_requests(ctx)) {
    const text::Value value = request.entry->value.node;
    if (!is_bare(value)) continue;
    auto report = emit.at(value).says("GPU value must be a string, got {} {}",
                                      value.kind() == Kind::kBoolean ? "boolean" : "number", value.text());
    if (request.is_none() || !is_gpu_value(value.text())) {
      report.help("use a string such as {}; for no GPU, delete the entry", member_text(ctx.document, "value", "1"));
      continue;
    }
    const std::string plain = plain_gpu_value(value.text());
    report.help("use {}", member_text(ctx.document, "value", plain)).fix(value.span(), "\"" + plain + "\"");
  }
}

void gpu_value_format(const Context& ctx, Emitter& emit) {
  const bool gives_gpus = places_on_instances(ctx) || ctx.targets(Compatibility::kExternal);
  for (const auto& request : gpu_requests(ctx)) {
    const auto& value = request.entry->value;
    if (!gives_gpus && !request.is_none()) continue;  // BAY408 speaks
    if (is_bare(value.node) || !emit.knows(value)) continue;
    if (is_zero(*value)) {
      emit.at(value)
          .says("GPU value must be 1 or more, got \"{}\"; how ECS handles it is not documented", *value)
          .help("delete this entry; for a GPU, use {}", member_text(ctx.document, "value", "1"));
      continue;
    }
    if (is_gpu_value(*value)) continue;
    auto report =
        emit.at(value).says("invalid GPU value \"{}\"; must be a whole number, a fraction or ALL (uppercase)", *value);
    const auto meant = meant_value(*value);
    report.help("use {}", member_text(ctx.document, "value", meant.value_or("1")));
    if (meant) report.fix(value.span(), "\"" + *meant + "\"");
  }
}

void gpu_value_fraction(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  for (const auto& request : gpu_requests(ctx)) {
    const auto& value = request.entry->value;
    if (!value || value->find('.') == std::string_view::npos || !is_gpu_value(*value)) continue;
    if (request.is_none()) continue;
    if (request.value->form == GpuForm::kCount) {
      if (is_bare(value.node)) continue;  // BAY401 writes it as a whole number
      emit.at(value)
          .says("GPU value {} must be a whole number without decimals", *value)
          .help("use {}", member_text(ctx.document, "value", plain_gpu_value(*value)))
          .fix(value.node.span(), "\"" + plain_gpu_value(*value) + "\"");
      continue;
    }
    const std::int64_t wanted = request.value->fraction_millionths;
    if (std::find(kKnownFractions.begin(), kKnownFractions.end(), wanted) != kKnownFractions.end()) continue;
    auto report = emit.at(value).says("GPU fraction {} is not offered by any instance type in bayplan's data", *value);
    if (wanted > kKnownFractions.back()) {
      report.help("use a whole number: {}",
                  member_text(ctx.document, "value", std::to_string((wanted + 999'999) / 1'000'000)));
    } else {
      report.help("use {}; the fractions are 0.125, 0.25 and 0.5 (g6f)",
                  member_text(ctx.document, "value", next_fraction(wanted)));
    }
  }
}

void gpu_type_case(const Context& ctx, Emitter& emit) {
  for (const auto& request : gpu_requests(ctx)) {
    const auto& type = request.entry->type;
    if (*type == "GPU") continue;
    emit.at(type)
        .says("invalid resource type \"{}\"; must be \"GPU\" (uppercase)", *type)
        .help("use {}", member_text(ctx.document, "type", "GPU"))
        .fix(type.span(), "\"GPU\"");
  }
}

void gpu_duplicate_entry(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const auto requests = gpu_requests(container);
    if (requests.size() < 2) continue;
    auto report = emit.at(requests.back().entry->node)
                      .related(requests.front().entry->node, "the first entry")
                      .says("container has {} GPU entries; how ECS combines them is not documented",
                            static_cast<std::int64_t>(requests.size()));
    const auto sum = whole_gpus(requests);
    if (sum && *sum > 0) {
      report.help("keep one entry with the total: {}", member_text(ctx.document, "value", std::to_string(*sum)));
    } else {
      report.help("keep one entry");
    }
  }
}

}  // namespace

std::span<const Rule> gpu_value_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY401", kTaskDefinition, gpu_value_type},      {"BAY402", kTaskDefinition, gpu_value_format},
      {"BAY403", kTaskDefinition, gpu_value_fraction},  {"BAY404", kTaskDefinition, gpu_type_case},
      {"BAY407", kTaskDefinition, gpu_duplicate_entry},
  };
  return kRules;
}

}  // namespace bayplan::rules
