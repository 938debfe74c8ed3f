#pragma once
#include <cstdint>
#include <string_view>

#include "lint/lint.hpp"
#include "text/document.hpp"

namespace bayplan::lint {

/// Files of other tools that are easily taken for input of ECS.
enum class ForeignKind : std::uint8_t {
  kNone,
  kCopilot,    ///< Manifest of an AWS Copilot service, job or environment.
  kJsonLines,  ///< Several JSON documents, one a line: logs, recordings.
  kGuardTest,  ///< Test cases of CloudFormation Guard rules.
  kEcspresso,  ///< Configuration of ecspresso, which names the files of the definitions.
  kTaskSet,    ///< Input of create-task-set.
  kRecording,  ///< Requests and answers of an API, events of CloudTrail.
};

/// Told by content alone.
ForeignKind foreign_kind(const text::Document& document);
std::string_view name_of(ForeignKind kind);  ///< "AWS Copilot manifest"; empty for kNone.

/// The line, from 1, where the second document of a JSON file begins that has an object of its own on every line; 0 for
/// all other files, and for a file with a single object, which is read without a fault.
std::uint32_t second_json_line(const text::Document& document);

/// A template of CloudFormation, or one resource of it.
bool is_template(text::Value root);
/// A Compose file; its first version had the services at the root.
bool is_compose(text::Value root);

/// Names what a file is that is not linted: "Compose file". A search may not have read the file to its end.
std::string_view what_it_is(const FileReport& report);

}  // namespace bayplan::lint
