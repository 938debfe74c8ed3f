#include "cli/options/shard_option.hpp"

#include <string>

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::cli {

using study::Shard;

namespace {

/// Keeps the computation of a shard's scenarios from overflowing.
constexpr std::int64_t kMostShards = 1'000'000'000;

using Environment = const char* (*)(const char* name);

struct Variable {
  std::string name;
  std::optional<std::int64_t> value;  ///< Nothing when it is not set.
};

Result<Variable> read(Environment environment, std::string name) {
  const char* text = environment != nullptr ? environment(name.c_str()) : nullptr;
  if (text == nullptr) return Variable{std::move(name), std::nullopt};
  const auto value = to_integer(text);
  if (!value || *value < 0) return Error{.message = fmt::format("{} is '{}', not a number", name, text)};
  return Variable{std::move(name), value};
}

Error not_set(std::string_view word, std::string_view name, std::string_view how) {
  return Error{.message = fmt::format("--shard {}: {} is not set", word, name),
               .help = fmt::format("It is set in an array job ({}); elsewhere write --shard I/N.", how)};
}

Result<Shard> slurm(Environment environment) {
  struct {
    std::optional<std::int64_t> id, min, max, step, count;
  } array;
  for (const auto& [name, target] : {std::pair{"SLURM_ARRAY_TASK_ID", &array.id},
                                     {"SLURM_ARRAY_TASK_MIN", &array.min},
                                     {"SLURM_ARRAY_TASK_MAX", &array.max},
                                     {"SLURM_ARRAY_TASK_STEP", &array.step},
                                     {"SLURM_ARRAY_TASK_COUNT", &array.count}}) {
    auto variable = read(environment, name);
    if (!variable) return variable.error();
    *target = variable->value;
  }
  constexpr std::string_view kHow = "sbatch --array=1-16";
  if (!array.id) return not_set("slurm", "SLURM_ARRAY_TASK_ID", kHow);
  if (!array.min) return not_set("slurm", "SLURM_ARRAY_TASK_MIN", kHow);
  if (!array.max) return not_set("slurm", "SLURM_ARRAY_TASK_MAX", kHow);
  const std::int64_t span = *array.max - *array.min;
  // A list such as --array=1,3,5 has no step of its own.
  if (array.count && *array.count > 1 && span % (*array.count - 1) == 0) array.step = span / (*array.count - 1);
  const std::int64_t step = array.step.value_or(1) > 0 ? array.step.value_or(1) : 1;
  const std::int64_t offset = *array.id - *array.min;
  const bool is_even = span >= 0 && span % step == 0 && offset >= 0 && offset <= span && offset % step == 0 &&
                       (!array.count || *array.count == span / step + 1);
  if (!is_even) {
    return Error{.message = "--shard slurm: the array indexes are not evenly spaced",
                 .help = "Submit --array=1-N. To rerun some shards: --shard \"$SLURM_ARRAY_TASK_ID/N\"."};
  }
  return Shard{offset / step + 1, span / step + 1};
}

Result<Shard> aws_batch(Environment environment) {
  const auto index = read(environment, "AWS_BATCH_JOB_ARRAY_INDEX");
  if (!index) return index.error();
  const auto size = read(environment, "AWS_BATCH_JOB_ARRAY_SIZE");
  if (!size) return size.error();
  for (const auto* variable : {&*index, &*size}) {
    if (!variable->value)
      return not_set("aws-batch", variable->name, "aws batch submit-job --array-properties size=16");
  }
  return Shard{*index->value + 1, *size->value};
}

Result<Shard> numbered(std::string_view text) {
  const auto parts = split(text, '/');
  const auto number = to_integer(parts.front());
  const auto count = to_integer(parts.back());
  if (parts.size() == 2 && number && count) return Shard{*number, *count};
  return Error{.message = fmt::format("invalid --shard '{}'", text), .help = "Write --shard 3/16, slurm or aws-batch."};
}

}  // namespace

Result<Shard> parse_shard(std::string_view text, Environment environment) {
  auto shard = text == "slurm" ? slurm(environment) : text == "aws-batch" ? aws_batch(environment) : numbered(text);
  if (!shard) return shard;
  if (shard->count < 1 || shard->count > kMostShards) {
    return Error{.message = fmt::format("--shard {}: the number of shards must be from 1 to {}, not {}", text,
                                        kMostShards, shard->count)};
  }
  if (shard->number < 1 || shard->number > shard->count) {
    return Error{.message = fmt::format("--shard {}: no shard {} of {}", text, shard->number, shard->count),
                 .help = fmt::format("They are numbered from 1 to {}.", shard->count)};
  }
  return shard;
}

}  // namespace bayplan::cli
