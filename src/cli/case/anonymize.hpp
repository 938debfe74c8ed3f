#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::cli {

/// The command line of a run and what it read: enough to run it again elsewhere.
struct RecordedRun {
  std::vector<std::string> words;            ///< Without the name of the program.
  std::map<std::string, std::string> files;  ///< Contents by path, as the run named it; `-` is standard input.
};

/// Words that are kept in an anonymized case, because they contain no private data and affect the result: the keys and
/// enumeration values of the schemas and of AWS responses, instance types, regions and output formats.
class PublicWords {
 public:
  static PublicWords load();

  /// Whether it may stay: a word, or a phrase such as us-east-1a or best-fit.
  bool has(std::string_view word) const;

 private:
  void add(std::string_view word);

  std::set<std::string, std::less<>> words_;
};

/// The run with every name replaced: in the files, in their paths and on the command line. An allow-list: `kept`,
/// numbers, durations, sizes and zones stay, and each other run of letters and digits becomes n01, n02 ..., the same
/// one everywhere, so that what referred to each other still does. Replaced names sort as the names did, because order
/// decides ties. Account numbers become other numbers of twelve digits.
RecordedRun anonymized(const RecordedRun& run, const PublicWords& kept);

}  // namespace bayplan::cli
