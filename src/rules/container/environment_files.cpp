// environmentFiles: objects in S3 that hold environment variables (ECS developer guide, use-environment-file).
#include <optional>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/task/execution_role.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

constexpr std::size_t kMostFiles = 10;

/// The key of arn:aws:s3:::bucket/key; nothing when the text is something else.
std::optional<std::string_view> key_in_bucket(std::string_view text) {
  constexpr std::size_t kService = 2;
  const auto parts = split(text, ':');
  const bool is_s3 = parts.size() > 5 && parts[0] == "arn" && parts[1].starts_with("aws") && parts[kService] == "s3" &&
                     parts[3].empty() && parts[4].empty();
  if (!is_s3) return std::nullopt;
  const auto path = text.substr(static_cast<std::size_t>(parts[5].data() - text.data()));
  const auto slash = path.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == path.size()) return std::nullopt;
  return path.substr(slash + 1);
}

void env_files_too_many(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const text::Value list = container.environment_files.node;
    if (!list || !list.is_array() || list.size() <= kMostFiles) continue;
    emit.at(list.at(kMostFiles).opening(), list)
        .says("{} environment files; the maximum is {} per container", list.size(), kMostFiles)
        .help("merge some of the files");
  }
}

// Only what is no ARN at all was seen refused: "Invalid arn syntax."
void env_files_arn(const Context& ctx, Emitter& emit) {
  constexpr std::string_view kUri = "s3://";
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& file : container.environment_files) {
      if (!emit.knows(file.value) || key_in_bucket(*file.value)) continue;
      auto report = emit.at(file.value);
      if (file.value->starts_with(kUri)) {
        const auto path = file.value->substr(kUri.size());
        report.says("environment file must be an ARN, not an s3:// URI")
            .help("use \"arn:aws:s3:::{}\"", path)
            .fix(file.value.span(), "\"arn:aws:s3:::" + std::string(path) + "\"", false);
      } else if (file.value->starts_with("arn:")) {
        report.says("{} is not the ARN of an S3 object", json_quoted(*file.value))
            .help("use arn:aws:s3:::<bucket>/<key>")
            .severity(Severity::kWarning);
      } else if (file.value->empty()) {
        report.says("environment file is empty").help("use arn:aws:s3:::<bucket>/<key>");
      } else {
        report.says("{} is not an ARN", json_quoted(*file.value)).help("use arn:aws:s3:::<bucket>/<key>");
      }
    }
  }
}

void env_files_extension(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& file : container.environment_files) {
      const auto key = emit.knows(file.value) ? key_in_bucket(*file.value) : std::nullopt;
      if (!key || key->ends_with(".env")) continue;
      emit.at(file.value)
          .says("environment file must end in .env, got {}", key->substr(key->rfind('/') + 1))
          .help("rename the object so that it ends in .env");
    }
  }
}

void env_files_role(const Context& ctx, Emitter& emit) {
  if (!lacks_execution_role(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (container.environment_files.empty()) continue;
    miss_execution_role(ctx, emit, "ECS uses it to read environmentFiles", container.environment_files.node,
                        Severity::kWarning);
    return;
  }
}

}  // namespace

std::span<const Rule> environment_files_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY218", kTaskDefinition, env_files_too_many},
      {"BAY219", kTaskDefinition, env_files_arn},
      {"BAY220", kTaskDefinition, env_files_extension},
      {"BAY221", kTaskDefinition, env_files_role},
  };
  return kRules;
}

}  // namespace bayplan::rules
