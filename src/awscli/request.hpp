#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "awscli/command_line.hpp"
#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "text/document.hpp"
#include "text/location.hpp"

namespace bayplan::awscli {

/// A part of the request's text and how a user calls it: "--overrides", "web.json".
struct Segment {
  std::string name;
  Span span;
  bool is_file = false;
  text::LineIndex lines = text::LineIndex({});  ///< Line index of its text alone, which the document holds.
};

/// What the AWS CLI would send: the request as one document, whatever it was written in. Its text is the command line
/// and behind it the files that were read; values point at what was written.
struct Request {
  const Operation* operation = nullptr;
  std::shared_ptr<const text::Document> document;
  std::vector<Segment> segments;  ///< Listed in text order, none in another; between them are names of options.

  /// The segment that holds `offset`; nothing for the command line itself.
  const Segment* segment_at(std::uint32_t offset) const;
  /// Name, line and column of a place; the command line itself has neither line nor column.
  Error place_of(std::uint32_t offset) const;
};

struct ReadRequest {
  std::optional<Request> request;  ///< Nothing when there are errors.
  std::vector<Error> errors;       ///< What the AWS CLI would refuse before it sends anything; all of it.
};

/// `variable` gives the environment, for ~ and $NAME in file://...; nothing when unset.
struct RequestReading {
  const Files& files;
  Limits limits;
  const char* (*variable)(const char* name) = nullptr;
};

/// Reads what the options say, in shorthand, JSON or YAML, and from files. What an option says replaces what
/// --cli-input-... says. Faults of a JSON text stay with the document: rules report them.
ReadRequest read_request(const CommandLine& line, const RequestReading& reading);

}  // namespace bayplan::awscli
