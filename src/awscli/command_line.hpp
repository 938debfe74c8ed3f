#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awscli/operations.hpp"
#include "base/assumption.hpp"
#include "base/result.hpp"

namespace bayplan::awscli {

/// One argument of the line, as the shell gave it.
struct Piece {
  std::string text;
  std::uint32_t begin = 0;  ///< Byte in CommandLine::source.
};

enum class OptionUse : std::uint8_t {
  kMember,   ///< Says a member of the request.
  kNegated,  ///< --no-enable-execute-command
  kInputJson,
  kInputYaml,
};

struct GivenOption {
  std::string name;  ///< "--count", spelled in full.
  OptionUse use = OptionUse::kMember;
  const shape::Member* member = nullptr;  ///< Member of the request; null for --cli-input-....
  Piece option;                           ///< The text as it is written.
  std::vector<Piece> values;
};

/// `aws [OPTIONS] ecs VERB [OPTIONS]`, taken apart.
struct CommandLine {
  std::string source;  ///< The arguments with a blank between them.
  const Operation* operation = nullptr;
  std::vector<GivenOption> options;  ///< Each once, the last one given: so does the AWS CLI.
  std::optional<std::string> region;
  std::vector<Assumption> notes;  ///< Options that mean nothing here.
};

struct ParsedCommandLine {
  std::optional<CommandLine> line;  ///< Nothing when there are errors.
  std::vector<Error> errors;        ///< All of them.
};

/// Takes the line apart as the AWS CLI does (Python's argparse): `--option value`, `--option=value`, lists of values,
/// options by a unique beginning. What the AWS CLI does not know is an error here too.
ParsedCommandLine parse_command_line(const std::vector<std::string>& arguments, const Operations& operations);

}  // namespace bayplan::awscli
