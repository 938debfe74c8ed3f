#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is said to options and commands that other tools have: linters, kubectl, Terraform, the AWS CLI.
namespace bayplan::cli {

struct UsageHint {
  std::string instead;  ///< What to write: "did you mean '...'?"; empty where bayplan has nothing like it.
  std::string help;     ///< What to do, where that is more than reading the command's help.
};

/// An option that a command does not have, and the line around it.
struct UnknownOption {
  std::string_view command;
  std::string_view name;                  ///< "--silent", "-f"
  std::string_view value;                 ///< The word behind it, or behind its `=`; empty when an option follows.
  std::vector<std::string_view> known;    ///< Long options of the command, with their dashes.
  std::vector<std::string_view> formats;  ///< Of its reports.
};
std::optional<UsageHint> hint_for_option(const UnknownOption& option);

/// A first word that is no command.
std::optional<UsageHint> hint_for_command(std::string_view word);

}  // namespace bayplan::cli
