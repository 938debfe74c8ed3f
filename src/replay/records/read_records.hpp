#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "replay/records/record_builder.hpp"

namespace bayplan::replay {

/// Reads a file of records, or those of a folder and of the folders in it (.json, .jsonl, .ndjson, .log and each of
/// them with .gz), into the builder. Forms: JSON lines; JSON texts one after another; a list; the answers of
/// `aws cloudtrail lookup-events` (Events) and of CloudWatch Logs (events); trail files (Records); the CSV that Athena
/// gives of a CloudTrail table; all of them also compressed with gzip. JSON lines are read line by line, so a file may
/// be larger than the memory; other forms up to `limits.snapshot_bytes`. What is broken is noted with its file and
/// line, and the rest is read. An error only if the path cannot be read at all.
std::optional<Error> read_records(const std::string& path, const Files& files, const Limits& limits,
                                  RecordBuilder& builder);

}  // namespace bayplan::replay
