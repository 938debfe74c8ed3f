// Names of environment variables: environment and secrets of a container share them.
#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/file/short_forms.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

bool is_blank(std::string_view name) {
  return trim(name).empty();
}

bool is_letter_or_underscore(char c) {
  return is_letter(c) || c == '_';
}

/// What a shell takes as a name (POSIX.1-2017, 3.235).
bool is_shell_name(std::string_view name) {
  if (name.empty() || !is_letter_or_underscore(name.front())) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_letter_or_underscore(c) || is_digit(c); });
}

std::string shell_name(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (!is_shell_name(std::string("_") + c)) c = '_';
  }
  return result.front() >= '0' && result.front() <= '9' ? "_" + result : result;
}

void env_name_blank(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& entry : container.environment) {
      if (entry.name && is_blank(*entry.name)) {
        emit.at(entry.name)
            .says("environment variable has {} name", entry.name->empty() ? "an empty" : "a blank")
            .help("add a name, or delete the entry");
      }
      if (entry.name.node || is_spelled_otherwise(entry.node, "name", {"key"})) continue;
      emit.missing(entry.node, "name").says("environment variable has no name").help("add a name, or delete the entry");
    }
  }
}

void env_duplicate(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    std::map<std::string_view, text::Value> first;
    for (const auto& entry : container.environment) {
      if (!emit.knows(entry.name) || is_blank(*entry.name)) continue;
      const auto [seen, is_new] = first.emplace(*entry.name, entry.name.node);
      if (is_new) continue;
      emit.at(entry.name)
          .says("duplicate environment variable {}; the container sees only one of the values", *entry.name)
          .help("keep one of them")
          .related(seen->second, "first defined here");
    }
  }
}

void secret_env_clash(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    std::map<std::string_view, std::pair<text::Value, std::string_view>> taken;
    for (const auto& entry : container.environment) {
      if (emit.knows(entry.name)) taken.try_emplace(*entry.name, entry.name.node, "environment");
    }
    for (const auto& secret : container.secrets) {
      if (!emit.knows(secret.name) || is_blank(*secret.name)) continue;
      const auto [other, is_new] = taken.try_emplace(*secret.name, secret.name.node, "secret");
      if (is_new) continue;
      const bool is_plain = other->second.second == "environment";
      emit.at(secret.name)
          .says(fmt::runtime(is_plain ? "secret {} has the same name as a variable in environment"
                                      : "duplicate secret name {}"),
                *secret.name)
          .help(is_plain ? "keep the secret and delete the environment variable" : "keep one of them")
          .related(other->second.first, is_plain ? "the environment variable" : "first defined here");
    }
  }
}

void env_name_style(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto* list : {&container.environment, &container.secrets}) {
      for (const auto& entry : *list) {
        if (!emit.knows(entry.name) || is_blank(*entry.name) || is_shell_name(*entry.name)) continue;
        emit.at(entry.name)
            .says("shells drop the variable {}: names consist of letters, digits and _ and do not start with a digit",
                  json_quoted(*entry.name))
            .help("use {}", shell_name(*entry.name));
      }
    }
  }
}

}  // namespace

std::span<const Rule> container_environment_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY214", kTaskDefinition, env_name_blank},
      {"BAY215", kTaskDefinition, env_duplicate},
      {"BAY216", kTaskDefinition, secret_env_clash},
      {"BAY217", kTaskDefinition, env_name_style},
  };
  return kRules;
}

}  // namespace bayplan::rules
